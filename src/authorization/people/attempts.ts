import { computeCallerNetwork } from '../../net/caller-network.ts';
import { type RateVerdict, createRateWindow, type StoreTools } from '../oauth/rows.ts';

/** How many events one caller, and all callers together, may have in a window. */
export type AttemptLimits = { perCaller: number; inAll: number; windowMs: number };

/** The same where no one counts for all callers: what strangers do closes nothing for others. */
export type CallerLimits = { perCaller: number; perNetwork: number; windowMs: number };

const ATTEMPTS = 'own:attempts:';
const ALL = 'all';
/** Callers are addresses; whatever else a proxy puts there is cut. */
const MAX_CALLER_CHARS = 64;

export type AttemptCounter = {
  /** Seconds until the caller may try again; undefined when it may now. */
  waitS: (caller: string) => number | undefined;
  /** The same for what the caller did itself: strangers do not count. */
  ownWaitS: (caller: string) => number | undefined;
  count: (caller: string) => void;
};

/** Counts events per caller and of all callers, strongly consistent over all Workers. */
export function createAttemptCounter({ rows, now }: StoreTools, name: string, limits: AttemptLimits): AttemptCounter {
  const { perCaller, inAll, windowMs } = limits;
  const one = createRateWindow(rows, now, { prefix: `${ATTEMPTS}${name}:one:`, max: perCaller, windowMs });
  const all = createRateWindow(rows, now, { prefix: `${ATTEMPTS}${name}:`, max: inAll, windowMs });
  const ownVerdict = (caller: string): RateVerdict => one.check(caller.slice(0, MAX_CALLER_CHARS));
  return {
    waitS: (caller) => computeLongestWait(ownVerdict(caller), all.check(ALL)),
    ownWaitS: (caller) => computeLongestWait(ownVerdict(caller)),
    count: (caller) => {
      one.count(caller.slice(0, MAX_CALLER_CHARS));
      all.count(ALL);
    },
  };
}

/** Counts events per caller and per network of callers, and keeps no number for everybody. */
export function createCallerAttempts(
  { rows, now }: StoreTools,
  name: string,
  { perCaller, perNetwork, windowMs }: CallerLimits,
): Pick<AttemptCounter, 'waitS' | 'count'> {
  const one = createRateWindow(rows, now, { prefix: `${ATTEMPTS}${name}:one:`, max: perCaller, windowMs });
  const network = createRateWindow(rows, now, { prefix: `${ATTEMPTS}${name}:network:`, max: perNetwork, windowMs });
  const cut = (caller: string): string => caller.slice(0, MAX_CALLER_CHARS);
  return {
    waitS: (caller) => computeLongestWait(one.check(cut(caller)), network.check(computeCallerNetwork(cut(caller)))),
    count: (caller) => {
      one.count(cut(caller));
      network.count(computeCallerNetwork(cut(caller)));
    },
  };
}

const computeLongestWait = (...verdicts: readonly RateVerdict[]): number | undefined =>
  Math.max(...verdicts.map((verdict) => (verdict.allowed ? 0 : verdict.retryAfterS))) || undefined;
