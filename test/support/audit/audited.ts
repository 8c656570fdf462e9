import { judgeSite } from '../../../src/audit/core/report.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import type { Audited, DeployableFile } from '../../../src/fixes/files/generated-file.ts';
import { snapshotOf } from './audit.ts';
import type { Served, SiteMap } from './site-fetch.ts';

/** A fixture site gathered and judged by everything, as generators get it. */
export async function auditedSite(
  map: SiteMap,
  options: { url?: string; profile?: ProfileName; origin?: string } = {},
): Promise<Audited> {
  const snapshot = await snapshotOf(map, options);
  return { snapshot, ...judgeSite(snapshot, options.profile === undefined ? {} : { profile: options.profile }) };
}

/** The site with generated files deployed, each served as its media type says. */
export const deployed = (map: SiteMap, files: readonly DeployableFile[]): SiteMap => ({
  ...map,
  ...Object.fromEntries(
    files.map(({ path, media_type, content }): [string, Served] => [
      `/${path}`,
      {
        status: 200,
        headers: { 'content-type': media_type, 'access-control-allow-origin': '*' },
        body: content,
      },
    ]),
  ),
});

/** Status of every judged check whose id starts with `prefix`, with the note where it did not pass. */
export const statuses = ({ judged }: Audited, prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    judged
      .filter(({ check }) => check.id.startsWith(prefix))
      .map(({ check, outcome }) => [
        check.id,
        outcome.status === 'pass' ? 'pass' : `${outcome.status}: ${outcome.note}`,
      ]),
  );
