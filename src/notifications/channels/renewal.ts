import { MINUTE_MS } from '../../lib/time.ts';

/** A channel is renewed so long before its end: the larger of the two, but never in the first half of its life. */
const SHORTEST_LEAD_MS = 10 * MINUTE_MS;
const LEAD_SHARE = 0.15;
const LARGEST_LEAD_SHARE = 0.5;
/** Renewals come earlier by up to this share of the lead, so that what was opened together is not renewed together. */
const JITTER_SHARE = 0.1;
/** Waits after failures: twice as long each time, up to this share of the lead, and of what is left. */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_SHARE = 0.25;
/** Longest wait of a watch that nothing covers. */
const UNCOVERED_WAIT_MS = MINUTE_MS;
const SHORTEST_WAIT_MS = 1_000;
/** A `Retry-After` is honoured up to this: one that names a month must not end a watch. */
const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS;
/** Past this, doubling changes nothing. */
const MAX_DOUBLINGS = 20;
/** A `Date` header names a second; the moment that it was written lies in its middle, as far as anyone knows. */
const HALF_SECOND_MS = 500;
/** Difference of the clocks that is worth an alert. */
export const SKEW_ALERT_MS = MINUTE_MS;
/** A larger one is not believed: no one's clock is so wrong, but a proxy's cached answer may be. */
export const MAX_SKEW_MS = 60 * MINUTE_MS;

/** How long before its end a channel is renewed. @param grantedMs its whole life */
export function computeLeadMs(grantedMs: number): number {
  const wanted = Math.max(SHORTEST_LEAD_MS, grantedMs * LEAD_SHARE);
  return Math.max(0, Math.round(Math.min(wanted, grantedMs * LARGEST_LEAD_SHARE)));
}

/** When a channel is renewed. @param chance 0 to 1 */
export const renewAtMs = (expiresAtMs: number, lead: number, chance: number): number =>
  Math.floor(expiresAtMs - lead * (1 + JITTER_SHARE * chance));

/**
 * Longest wait between tries: a quarter of the lead, and of what is left of it, so that the end finds a successor that
 * could be had. @param leftMs until nothing covers the watch; 0 or less when nothing does
 */
export function computeLongestWaitMs(lead: number, leftMs: number): number {
  const wanted = leftMs > 0 ? Math.max(leftMs * LONGEST_WAIT_SHARE, FIRST_WAIT_MS) : UNCOVERED_WAIT_MS;
  return Math.min(lead * LONGEST_WAIT_SHARE, wanted);
}

/**
 * A `Retry-After` as far as it is honoured: up to an hour, and up to a quarter of what is left, so that a vendor that
 * names a day is asked again before the end. @param leftMs until nothing covers the watch; 0 or less when nothing does
 */
export function limitRetryAfterMs(retryAfterMs: number | undefined, leftMs: number): number | undefined {
  if (retryAfterMs === undefined || leftMs <= 0) return retryAfterMs;
  return Math.min(retryAfterMs, Math.max(leftMs * LONGEST_WAIT_SHARE, FIRST_WAIT_MS));
}

/** What a wait depends on. `tries`: failures in a row, 1 or more. */
export type RetryWait = { tries: number; longestMs: number; retryAfterMs?: number | undefined };

/** Full jitter: anything up to 30 s, 1, 2, 4 min and so on; at least what the vendor asked for. @param chance 0 to 1 */
export function computeRenewalWaitMs({ tries, longestMs, retryAfterMs = 0 }: RetryWait, chance: number): number {
  const doublings = Math.min(Math.max(tries - 1, 0), MAX_DOUBLINGS);
  const ceiling = Math.min(longestMs, FIRST_WAIT_MS * 2 ** doublings);
  const asked = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
  return Math.ceil(Math.max(SHORTEST_WAIT_MS, ceiling * chance, asked));
}

/** A request by our clock, and what the vendor's clock said in its answer. */
export type Timed = { askedAtMs: number; answeredAtMs: number; vendorNowMs: number | undefined };

/** How far the vendor's clock is ahead of ours, by the middle of the request; undefined where it gave no time. */
export function measureClockSkewMs({ askedAtMs, answeredAtMs, vendorNowMs }: Timed): number | undefined {
  if (vendorNowMs === undefined) return undefined;
  return Math.round(vendorNowMs + HALF_SECOND_MS - (askedAtMs + answeredAtMs) / 2);
}
