import { buildPageTarget } from '../../audit/page/gather/page-target.ts';
import { allowPublicAnd } from '../../net/address-policy.ts';
import { DEFAULT_LIMITS, type FetchLimits } from '../../net/fetch-budget.ts';
import type { Fetched, GuardedFetch } from '../../net/fetched.ts';
import { createGuardedFetch, formatBotUserAgent } from '../../net/guarded-fetch.ts';
import { createNodeFetch } from '../core/node-fetch.ts';

/** The service whose page explains our User-Agent, for audits from a user's own machine. */
const BOT_HOME = 'https://sightline.example';
/** Names audits from a user's own machine. */
export const BOT_USER_AGENT = formatBotUserAgent(BOT_HOME);

/** A fetcher that reads private addresses only on the origin of this URL (rule F1). */
export const createLocalFetch = (url: string, limits: Partial<FetchLimits> = {}): GuardedFetch =>
  createTypedFetch([url], limits);

/** A fetcher of addresses that others name, such as pages that answers cite: private ones only on origins that a person typed. */
export function createTypedFetch(typed: readonly string[], limits: Partial<FetchLimits> = {}): GuardedFetch {
  const policy = allowPublicAnd(typed, { alternatePorts: true });
  return createGuardedFetch({
    fetch: createNodeFetch(policy),
    policy,
    clock: Date.now,
    userAgent: BOT_USER_AGENT,
    limits,
  });
}

/** What each page of a crawl adds to the limits of an audit. */
const CRAWL_PAGE_BYTES = 1024 * 1024;
const CRAWL_PAGE_MS = 2_000;

export const computeAuditLimits = (crawl = 0): FetchLimits => ({
  ...DEFAULT_LIMITS,
  requests: DEFAULT_LIMITS.requests + crawl,
  totalBytes: DEFAULT_LIMITS.totalBytes + crawl * CRAWL_PAGE_BYTES,
  wallMs: DEFAULT_LIMITS.wallMs + crawl * CRAWL_PAGE_MS,
});

/**
 * The fetcher of an audit whose start page is asked for at once: its answer is on the way while the engine is loaded.
 * The first call for that page gets it.
 */
export function createFetchAhead(url: string, guarded: GuardedFetch): GuardedFetch {
  const target = buildPageTarget(url);
  let ahead: Promise<Fetched> | undefined = guarded(target);
  ahead.catch(() => undefined); // The call that gets it throws the error.
  const key = JSON.stringify(target);
  return (wanted, mayFollow) => {
    if (ahead === undefined || JSON.stringify(wanted) !== key) return guarded(wanted, mayFollow);
    const first = ahead;
    ahead = undefined;
    return first;
  };
}
