import { type RateVerdict, rateWindow } from './rate-window.ts';
import type { StoreTools } from './rows.ts';

/** How many events one caller, and all callers together, may have in a window. */
export type AttemptLimits = { perCaller: number; inAll: number; windowMs: number };

const ATTEMPTS = 'own:attempts:';
const ALL = 'all';
/** Callers are addresses; whatever else a proxy puts there is cut. */
const MAX_CALLER_CHARS = 64;

export type Attempts = {
  /** Seconds until the caller may try again; undefined when it may now. */
  waitS: (caller: string) => number | undefined;
  /** The same for what the caller did itself: strangers do not count. */
  ownWaitS: (caller: string) => number | undefined;
  count: (caller: string) => void;
};

/** Counts events per caller and of all callers, strongly consistent over all Workers. */
export function attemptsOf({ rows, now }: StoreTools, name: string, limits: AttemptLimits): Attempts {
  const { perCaller, inAll, windowMs } = limits;
  const one = rateWindow(rows, now, { prefix: `${ATTEMPTS}${name}:one:`, max: perCaller, windowMs });
  const all = rateWindow(rows, now, { prefix: `${ATTEMPTS}${name}:`, max: inAll, windowMs });
  const ownVerdict = (caller: string): RateVerdict => one.check(caller.slice(0, MAX_CALLER_CHARS));
  return {
    waitS: (caller) => longestWait(ownVerdict(caller), all.check(ALL)),
    ownWaitS: (caller) => longestWait(ownVerdict(caller)),
    count: (caller) => {
      one.count(caller.slice(0, MAX_CALLER_CHARS));
      all.count(ALL);
    },
  };
}

const longestWait = (...verdicts: readonly RateVerdict[]): number | undefined =>
  Math.max(...verdicts.map((verdict) => (verdict.allowed ? 0 : verdict.retryAfterS))) || undefined;
