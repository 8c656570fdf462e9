import { callerOf, createCounter } from './limits.ts';
import type { AppContext } from './context.ts';
import type { ProblemInput } from './problem.ts';
import { countEvents } from './rate-counts.ts';

/** Previews that a caller may have made; one that is reused costs nothing. */
export const PREVIEW_QUOTA = {
  /** Within ten minutes, as far as one isolate sees. */
  perWindow: 10,
  /** Within a minute, counted by one object for all isolates. */
  perMinute: 5,
} as const;

const WINDOW_MS = 600_000;

const counter = createCounter(WINDOW_MS);

/** Counts a preview of this caller: up to 60 requests at somebody's host for nothing. Returns what to answer when it is one too many. */
export async function tooManyPreviews(c: AppContext): Promise<ProblemInput | undefined> {
  const caller = callerOf(c.req.raw);
  const now = Date.now();
  if (counter.peek(caller, now) >= PREVIEW_QUOTA.perWindow) return refusal(WINDOW_MS / 1000);
  const events = { policy: 'preview', caller, quota: PREVIEW_QUOTA.perMinute, count: 1 };
  const { isAllowed, retryAfterS } = await countEvents(c.env.RATE_COUNTER, events, now);
  if (!isAllowed) return refusal(retryAfterS);
  counter.count(caller, now);
  return undefined;
}

const refusal = (retryAfterS: number): ProblemInput => ({
  status: 429,
  code: 'rate_limited',
  title: 'Too many free previews from this address',
  detail: `A preview makes up to 60 requests, so that each address has ${PREVIEW_QUOTA.perMinute} a minute and ${PREVIEW_QUOTA.perWindow} in ten minutes. Results of the last ten minutes are shown again without counting`,
  retryAfterS,
});
