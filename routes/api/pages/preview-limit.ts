import { networkOf } from '../../../src/net/caller-network.ts';
import { callerOf, createCounter, NETWORK_SHARES } from '../../../src/rate-limits/caller-counts.ts';
import type { AppContext } from '../context.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { countEvents, peekEvents } from '../../../src/rate-limits/rate-counts.ts';

/** Previews that a caller may have made; one that is reused costs nothing. */
export const PREVIEW_QUOTA = {
  /** Within ten minutes, as far as one isolate sees. */
  perWindow: 10,
  /** Within a minute, counted by one object for all isolates. */
  perMinute: 5,
} as const;

const WINDOW_MS = 600_000;

const counter = createCounter(WINDOW_MS);

/** Whose events are counted under which quota: the caller, and the /48 where an IPv6 caller can take other addresses from. */
type Share = { policy: string; caller: string; perWindow: number; quota: number };

function sharesOf(request: Request): readonly Share[] {
  const caller = callerOf(request);
  const network = networkOf(caller);
  const { perWindow, perMinute } = PREVIEW_QUOTA;
  const own = { policy: 'preview', caller, perWindow, quota: perMinute };
  if (network === caller) return [own];
  const all = { perWindow: perWindow * NETWORK_SHARES, quota: perMinute * NETWORK_SHARES };
  return [own, { policy: 'preview-network', caller: network, ...all }];
}

/** What to answer this caller when another preview would be one too many. Nothing is counted yet. */
export async function tooManyPreviews(c: AppContext): Promise<ProblemInput | undefined> {
  const now = Date.now();
  for (const share of sharesOf(c.req.raw)) {
    if (counter.peek(share.caller, now) >= share.perWindow) return refusal(counter.waitS(share.caller, now));
    const { isAllowed, retryAfterS } = await peekEvents(c.env.RATE_COUNTER, share, now);
    if (!isAllowed) return refusal(retryAfterS);
  }
  return undefined;
}

/**
 * Counts a preview that begins: up to 60 requests at somebody's host for nothing. Returns what to answer when others of
 * this caller, which were let through at the same time, have taken what was left. A caller that has nothing left takes
 * nothing from its network.
 */
export async function countPreview(c: AppContext): Promise<ProblemInput | undefined> {
  const now = Date.now();
  for (const share of sharesOf(c.req.raw)) {
    if (counter.count(share.caller, now) > share.perWindow) return refusal(counter.waitS(share.caller, now));
    const { isAllowed, retryAfterS } = await countEvents(c.env.RATE_COUNTER, { ...share, count: 1 }, now);
    if (!isAllowed) return refusal(retryAfterS);
  }
  return undefined;
}

const refusal = (retryAfterS: number): ProblemInput => ({
  status: 429,
  code: 'rate_limited',
  title: 'Too many free previews from this address',
  detail: `A preview makes up to 60 requests, so that each address has ${PREVIEW_QUOTA.perMinute} a minute and ${PREVIEW_QUOTA.perWindow} in ten minutes, and the addresses of one IPv6 /48 together have ${NETWORK_SHARES} times as many. Results of the last ten minutes are shown again without counting`,
  retryAfterS,
});
