import * as z from 'zod';
import type { BodyRefusal, CapabilityName } from '../capability-name.ts';
import { getSiteKey } from './site-key.ts';

/** Capabilities whose report has all four scores of one site: only those can be published. */
const PUBLISHABLE: readonly string[] = ['full_audit', 'fix_pack', 'full_report'] satisfies CapabilityName[];

export const isPublishableCapability = (capability: string): boolean => PUBLISHABLE.includes(capability);

/**
 * Whether a report may be published, or what speaks against it: badge and history compare like with like, so they take
 * only audits of a whole site as the service itself reads it (rule X5). It is kept beside the stored report, because the
 * result does not tell all of it.
 */
export const publishing = z.enum([
  'possible',
  'not_four_scores',
  'not_root',
  'not_its_port',
  'profile_given',
  'pages_given',
  'not_recorded',
]);
export type Publishing = z.infer<typeof publishing>;

/** Why a report cannot be published; the last is no matter of how it was made. */
export type PublishingRefusal = Exclude<Publishing, 'possible'> | 'taken_down';

/** The newest published report of the same site from before another one. */
export type EarlierReport = {
  reportId: string;
  /** When its result was stored, in Unix milliseconds. */
  atMs: number;
  /** Scores outlive the reports that they are from. */
  isReadable: boolean;
};

/** What the page of a report says about publishing it. */
export type PublishedState = {
  published: boolean;
  publishable: boolean;
  /** Why it cannot be published; absent where it can. */
  reason?: PublishingRefusal;
  /** The site's key, where the report can be published. */
  host?: string;
  /** Absent where nothing was published before. */
  earlier?: EarlierReport;
  /** Origin of this deployment. */
  baseUrl: string;
};

/** What of a request body decides it. */
type PublishRequest = { url?: unknown; profile?: unknown; max_pages?: unknown };

export function readPublishing(capability: string, { url, profile, max_pages }: PublishRequest): Publishing {
  if (!isPublishableCapability(capability) || typeof url !== 'string') return 'not_four_scores';
  if (!isRoot(url)) return 'not_root';
  if (getSiteKey(url) === undefined) return 'not_its_port';
  if (profile !== undefined) return 'profile_given';
  return max_pages === undefined ? 'possible' : 'pages_given';
}

function isRoot(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { pathname, search } = new URL(text);
  return pathname === '/' && search === '';
}

/** Why a report is not published, in words for programs. */
export const PUBLISHING_WORDS: Readonly<Record<PublishingRefusal, string>> = {
  not_four_scores: 'Only a full audit, a fix pack or a full report can be published: they have all four scores',
  not_root: 'Only a report whose url is the root of a site can be published: path / and no query',
  not_its_port: 'Only a site that is read by https on any port but 80, or by http on port 80, can be published',
  profile_given: 'Only a report whose profile was detected can be published: leave profile out',
  pages_given: 'Only a report that read as many pages as usual can be published: leave max_pages out',
  not_recorded: 'How the site was read was not recorded with this report: it cannot be published',
  taken_down:
    'The operator of this service took this report down. It can still be read at its address until it expires',
};

/** Refuses `publish: true` where the report could not be published, before anything is paid. */
export function refuseUnpublishable(capability: CapabilityName) {
  return async (input: PublishRequest & { publish?: boolean | undefined }): Promise<BodyRefusal | undefined> => {
    const found = readPublishing(capability, input);
    if (input.publish !== true || found === 'possible') return undefined;
    return { code: 'not_publishable', errors: [{ pointer: '/publish', message: PUBLISHING_WORDS[found] }] };
  };
}
