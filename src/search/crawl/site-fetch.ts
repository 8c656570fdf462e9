import type { AddressPolicy } from '../../net/address-policy.ts';
import type { GuardedFetch } from '../../net/fetched.ts';
import { createGuardedFetch, type FetchFunction } from '../../net/guarded-fetch.ts';
import { LEAVES_SITE, MAX_PAGE_BYTES } from './fetch-page.ts';

const MIB = 1024 * 1024;

/** Pages that one step asks for. */
export const PAGES_PER_STEP = 25;
/** After this a step begins no request. */
export const STEP_MS = 40_000;

/** Limits of one step together: its pages, sitemaps and redirects. A step ends before a place at the gate is forgotten (90 s). */
const STEP_LIMITS = {
  requests: 150,
  totalBytes: 128 * MIB,
  wallMs: STEP_MS + 20_000,
  foreignDomains: 2,
  foreignRequests: 150,
  foreignRedirects: 150,
  fetchMs: 15_000,
  firstByteMs: 10_000,
  redirects: 5,
  bodyBytes: MAX_PAGE_BYTES,
};

/** What a crawl asks the network with. `policy` judges each address and each redirect (rule F5). */
export type SiteNetwork = { fetch: FetchFunction; policy: AddressPolicy; now: () => number; userAgent: string };

/** The fetch of one step. Redirects are followed where the policy and `mayFollow` allow it; see `LEAVES_SITE`. */
export function stepFetch(
  { fetch, policy, now, userAgent }: SiteNetwork,
  mayFollow: (url: URL) => boolean,
): GuardedFetch {
  const judged: AddressPolicy = {
    checkAddress: policy.checkAddress,
    checkUrl: (url, from) => {
      const refusal = policy.checkUrl(url, from);
      if (refusal || from === undefined || mayFollow(url)) return refusal;
      return { ok: false, reason: 'invalid_url', detail: LEAVES_SITE };
    },
  };
  return createGuardedFetch({ fetch, policy: judged, clock: now, limits: STEP_LIMITS, userAgent });
}
