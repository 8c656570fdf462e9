import { runForEach } from '../../lib/concurrency.ts';
import type { FetchLimits } from '../../net/fetch-budget.ts';
import type { FetchFailure, Fetched, GuardedFetch } from '../../net/fetched.ts';
import { readCitedUrl } from './cited-url.ts';

/** Redirects of vendors that are asked about in one run; the rest stay unresolved. */
export const MAX_RESOLUTIONS = 60;
/** Of these at once: the platform allows six connections. */
const RESOLVING_LANES = 6;
/** Bytes of an answer that are read: where it leads is in its headers. */
const MAX_RESOLUTION_BYTES = 1_024;

/** The budget of one run's resolutions (rule F9): no redirect is followed, so that a request is a resolution. */
export const RESOLUTION_LIMITS = {
  requests: MAX_RESOLUTIONS,
  totalBytes: MAX_RESOLUTIONS * MAX_RESOLUTION_BYTES,
  wallMs: 20_000,
  fetchMs: 5_000,
} as const satisfies Partial<FetchLimits>;

/** Why it is not known where a redirect leads. */
export type UnresolvedReason =
  | FetchFailure
  | 'over_limit'
  | 'target_busy'
  | 'deadline'
  | 'no_redirect'
  | 'not_a_page'
  | 'not_a_redirect';

/** Where a vendor's redirect leads, or why that is not known. Plain JSON: it is part of what a replay starts from. */
export type CitationResolution = { url: string; target: string } | { url: string; reason: UnresolvedReason };

/**
 * Asks vendors where their redirects lead, once each and at most 60. The pages behind them are not asked. Each failure is data.
 * @param urls from `listRedirects`; an address that is no vendor's redirect is not asked
 * @param tools its fetch has `RESOLUTION_LIMITS`
 */
export async function resolveCitations(
  urls: readonly string[],
  tools: { fetch: GuardedFetch },
): Promise<readonly CitationResolution[]> {
  const found = new Map<string, CitationResolution>();
  const asked = [...new Set(urls)];
  const redirects = asked.filter((url) => readCitedUrl(url).kind === 'redirect');
  await runForEach(redirects.slice(0, MAX_RESOLUTIONS), RESOLVING_LANES, async (url) => {
    const fetched = await tools.fetch({ url, follow: false, maxBytes: MAX_RESOLUTION_BYTES });
    found.set(url, readResolution(url, fetched));
  });
  return asked.map((url): CitationResolution => {
    const reason = redirects.includes(url) ? 'over_limit' : 'not_a_redirect';
    return found.get(url) ?? { url, reason };
  });
}

function readResolution(url: string, fetched: Fetched): CitationResolution {
  if (!fetched.ok) return { url, reason: fetched.reason };
  const location = fetched.headers['location'];
  if (fetched.status < 300 || fetched.status > 399 || location === undefined) return { url, reason: 'no_redirect' };
  if (!URL.canParse(location, url)) return { url, reason: 'bad_redirect' };
  const read = readCitedUrl(new URL(location, url).href);
  if (read.kind === 'private') return { url, reason: 'private_target' };
  return read.kind === 'page' ? { url, target: read.url } : { url, reason: 'not_a_page' };
}
