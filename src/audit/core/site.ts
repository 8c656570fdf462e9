/** What kind of site it is, from evidence or from the caller; decides which checks apply. */
export const profiles = ['content', 'docs', 'product', 'commerce', 'api', 'mcp'] as const;
export type ProfileName = (typeof profiles)[number];

/** `rests_on` says which evidence led to it; `given` when the caller chose. */
export type SiteProfile = { name: ProfileName; rests_on: readonly string[]; given: boolean };

/** What every check may know beside its artifacts. */
export type Site = {
  /** The URL the caller named. */
  start: URL;
  /** Loopback or private host: rules about https, public hosts or third parties are not applicable there. */
  local: boolean;
  profile: SiteProfile;
  clockMs: number;
};
