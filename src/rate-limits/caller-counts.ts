import { computeSecondsUntil } from '../lib/time.ts';
import { normaliseCallerAddress, computeCallerNetwork } from '../net/caller-network.ts';

/** Callers remembered per isolate; beyond it the oldest are forgotten, which only makes the limit laxer. */
const MAX_CALLERS = 10_000;

/** All callers of one IPv6 /48 together have as much as so many of them: a /48 costs no more than one of its 65,536 /64s. */
export const NETWORK_SHARES = 4;

export type Counter = {
  /** Counts one event of the caller and returns how many it has in this window. */
  count: (caller: string, nowMs: number) => number;
  /** The same without counting. */
  peek: (caller: string, nowMs: number) => number;
  /** Whole seconds until the caller's window ends, at least 1; 0 where none is open. */
  waitS: (caller: string, nowMs: number) => number;
  /** Closes the caller's window. */
  forget: (caller: string) => void;
};

/** Counts events per caller in fixed windows, in the memory of this isolate: a cheap guard before the shared one. */
export function createCounter(windowMs: number): Counter {
  const windows = new Map<string, { startMs: number; events: number }>();
  const current = (caller: string, nowMs: number) => {
    const known = windows.get(caller);
    return known && nowMs - known.startMs < windowMs ? known : undefined;
  };
  return {
    peek: (caller, nowMs) => current(caller, nowMs)?.events ?? 0,
    waitS: (caller, nowMs) => {
      const window = current(caller, nowMs);
      return window === undefined ? 0 : computeSecondsUntil(window.startMs + windowMs, nowMs);
    },
    forget: (caller) => void windows.delete(caller),
    count: (caller, nowMs) => {
      const window = current(caller, nowMs) ?? { startMs: nowMs, events: 0 };
      window.events += 1;
      windows.delete(caller); // Re-inserted last, so that the first key is the least recently seen.
      windows.set(caller, window);
      if (windows.size > MAX_CALLERS) {
        const [oldest] = windows.keys();
        if (oldest !== undefined) windows.delete(oldest);
      }
      return window.events;
    },
  };
}

/** Requests a caller may make in a minute before the shared limiter is asked at all. */
const ASK_AFTER = 30;

export type Limiter = { limit: (options: { key: string }) => Promise<{ success: boolean }> };

/**
 * Whether a free or unpaid request of this caller may be answered. The first 30 of a minute cost nothing; from then
 * on the platform's rate limiter decides. Its failure lets the request through: it guards load, not money.
 */
export async function canAnswerFree(
  caller: string,
  nowMs: number,
  counter: Counter,
  limiter: Limiter,
): Promise<boolean> {
  if (counter.count(caller, nowMs) <= ASK_AFTER) return true;
  try {
    return (await limiter.limit({ key: caller })).success;
  } catch {
    return true; // The limiter is down: see above.
  }
}

/**
 * Who is calling, for limits: the client address the platform reports, IPv6 by its /64 (one household or server).
 * `direct` where there is no such header (local stack).
 */
export function getCallerAddress(request: Request): string {
  const address = request.headers.get('cf-connecting-ip');
  return address ? normaliseCallerAddress(address) : 'direct';
}

const WINDOW_MS = 3_600_000;
/** Different clients that one caller, and all callers of one IPv6 /48, may register in an hour. */
const MAX_CLIENTS_OF_CALLER = 20;
const MAX_CLIENTS_OF_NETWORK = 80;
/** Registrations of clients that the caller has registered before: hosted agents register the same one again and again. */
const MAX_REPEATS_OF_CALLER = 300;

/**
 * Counts registrations in the memory of this isolate. A registration stores nothing, so these numbers only keep out
 * useless ones and need not be exact. Strangers are not counted together.
 */
export function createRegistrationCounts() {
  const made = (): Counter => createCounter(WINDOW_MS);
  const [known, callers, networks, repeats] = [made(), made(), made(), made()];
  return {
    /** Seconds until the caller may register this client; 0 when it may now, which counts it. */
    waitS: (caller: string, clientId: string, nowMs: number): number => {
      const network = computeCallerNetwork(caller);
      const pair = `${caller} ${clientId}`;
      if (known.peek(pair, nowMs) > 0)
        return repeats.count(caller, nowMs) <= MAX_REPEATS_OF_CALLER ? 0 : repeats.waitS(caller, nowMs);
      if (callers.peek(caller, nowMs) >= MAX_CLIENTS_OF_CALLER) return callers.waitS(caller, nowMs);
      if (networks.peek(network, nowMs) >= MAX_CLIENTS_OF_NETWORK) return networks.waitS(network, nowMs);
      known.count(pair, nowMs);
      callers.count(caller, nowMs);
      networks.count(network, nowMs);
      return 0;
    },
  };
}
