import { callerOf, createCounter } from './limits.ts';
import type { AppContext } from './context.ts';
import type { ProblemInput } from './problem.ts';
import { countEvents, peekEvents } from './rate-counts.ts';

/** Previews that a caller may have made; one that is reused costs nothing. */
export const PREVIEW_QUOTA = {
  /** Within ten minutes, as far as one isolate sees. */
  perWindow: 10,
  /** Within a minute, counted by one object for all isolates. */
  perMinute: 5,
} as const;

const WINDOW_MS = 600_000;

const counter = createCounter(WINDOW_MS);

const quotaOf = (caller: string) => ({ policy: 'preview', caller, quota: PREVIEW_QUOTA.perMinute });

/** What to answer this caller when another preview would be one too many. Nothing is counted yet. */
export async function tooManyPreviews(c: AppContext): Promise<ProblemInput | undefined> {
  const caller = callerOf(c.req.raw);
  const now = Date.now();
  if (counter.peek(caller, now) >= PREVIEW_QUOTA.perWindow) return refusal(WINDOW_MS / 1000);
  const { isAllowed, retryAfterS } = await peekEvents(c.env.RATE_COUNTER, quotaOf(caller), now);
  return isAllowed ? undefined : refusal(retryAfterS);
}

/**
 * Counts a preview that begins: up to 60 requests at somebody's host for nothing. Returns what to answer when others of
 * this caller, which were let through at the same time, have taken what was left.
 */
export async function countPreview(c: AppContext): Promise<ProblemInput | undefined> {
  const caller = callerOf(c.req.raw);
  const now = Date.now();
  if (counter.count(caller, now) > PREVIEW_QUOTA.perWindow) return refusal(WINDOW_MS / 1000);
  const { isAllowed, retryAfterS } = await countEvents(c.env.RATE_COUNTER, { ...quotaOf(caller), count: 1 }, now);
  return isAllowed ? undefined : refusal(retryAfterS);
}

const refusal = (retryAfterS: number): ProblemInput => ({
  status: 429,
  code: 'rate_limited',
  title: 'Too many free previews from this address',
  detail: `A preview makes up to 60 requests, so that each address has ${PREVIEW_QUOTA.perMinute} a minute and ${PREVIEW_QUOTA.perWindow} in ten minutes. Results of the last ten minutes are shown again without counting`,
  retryAfterS,
});
