import { SECOND_MS } from '../../lib/time.ts';

/** Failures of a customer's vendor calls in a row after which its circuit opens. */
const OPEN_AFTER = 5;
/** How long it stays open, and how long others wait for the result of one probe. */
const OPEN_MS = 60_000;

/** The circuit of one customer: while it is open, nothing is asked of the vendor for it. */
export type Circuit = { failures: number; openUntilMs: number };

export const CLOSED: Circuit = { failures: 0, openUntilMs: 0 };

/**
 * `probe`: the time is up, and one call finds out; the circuit stays open for all others (`probed`). A time that lies
 * further ahead than it can was written by a clock that was set back since.
 */
export function judgeCircuit({ failures, openUntilMs }: Circuit, nowMs: number): 'go' | 'probe' | 'wait' {
  if (failures < OPEN_AFTER) return 'go';
  return nowMs < openUntilMs && openUntilMs <= nowMs + OPEN_MS ? 'wait' : 'probe';
}

export const postponeProbe = (circuit: Circuit, nowMs: number): Circuit => ({
  ...circuit,
  openUntilMs: nowMs + OPEN_MS,
});

/** After a call that failed. `opened`: with this one. */
export function countFailure({ failures }: Circuit, nowMs: number): Circuit & { opened: boolean } {
  const count = failures + 1;
  const openUntilMs = count >= OPEN_AFTER ? nowMs + OPEN_MS : 0;
  return { failures: count, openUntilMs, opened: count === OPEN_AFTER };
}

/** Limits how much is asked in all: `perSecond` in the long run, `burst` at once. */
export type Bucket = {
  /** Takes one. @returns whether there was one */
  take: (nowMs: number) => boolean;
  /** How many there are to take. */
  count: (nowMs: number) => number;
  /** When there is one to take; after it ran dry, when there is a second's worth, so that passes are few. */
  readyAtMs: (nowMs: number) => number;
};

/** A full token bucket. It is kept in memory: an object that starts anew may spend one burst. */
export function createTokenBucket({ perSecond, burst }: { perSecond: number; burst: number }): Bucket {
  let tokens = burst;
  let sinceMs: number | undefined;
  const refill = (nowMs: number): void => {
    const passedMs = Math.max(0, nowMs - (sinceMs ?? nowMs));
    tokens = Math.min(burst, tokens + (passedMs * perSecond) / SECOND_MS);
    sinceMs = nowMs;
  };
  return {
    take: (nowMs) => {
      refill(nowMs);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    count: (nowMs) => {
      refill(nowMs);
      return Math.floor(tokens);
    },
    readyAtMs: (nowMs) => {
      refill(nowMs);
      if (tokens >= 1) return nowMs;
      const wanted = Math.max(1, Math.min(perSecond, burst));
      return nowMs + Math.max(1, Math.ceil(((wanted - tokens) * SECOND_MS) / perSecond));
    },
  };
}
