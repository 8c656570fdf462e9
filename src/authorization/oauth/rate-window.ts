import type { Rows } from './rows.ts';

export type RateVerdict = { allowed: true } | { allowed: false; retryAfterS: number };

type Window = { count: number; endsAtMs: number };

export type RateOptions = {
  /** Where the counters stand; nothing else may. */
  prefix: string;
  /** Events allowed in one window. */
  max: number;
  windowMs: number;
};

/** Counts events by name in fixed windows that survive eviction. A refused event is not counted. */
export function rateWindow(rows: Rows, now: () => number, { prefix, max, windowMs }: RateOptions) {
  const current = (name: string): Window => rows.get<Window>(prefix + name) ?? { count: 0, endsAtMs: now() + windowMs };
  const check = (name: string): RateVerdict => {
    const { count, endsAtMs } = current(name);
    if (count < max) return { allowed: true };
    return { allowed: false, retryAfterS: Math.max(1, Math.ceil((endsAtMs - now()) / 1000)) };
  };
  return {
    check,
    /** Counts an event if it is allowed. */
    count: (name: string): RateVerdict => {
      const verdict = check(name);
      if (!verdict.allowed) return verdict;
      const { count, endsAtMs } = current(name);
      rows.put(prefix + name, { count: count + 1, endsAtMs } satisfies Window, endsAtMs);
      return verdict;
    },
  };
}
