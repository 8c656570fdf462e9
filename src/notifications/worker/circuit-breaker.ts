/** Failures in a row after which somebody is left alone for a while: what waits for it must not die of one outage. */
const FAILURES = 6;
const REST_MS = 30_000;
const MAX_REST_MS = 600_000;

/**
 * Who is left alone now, kept over the runs of one object: the directory, whom it refuses, or a sink by its name. In memory only: a new
 * object finds out again.
 */
export type Pace = {
  isResting: (name: string, nowMs: number) => boolean;
  /** It did what it was asked. @returns whether it comes back from a rest */
  good: (name: string) => boolean;
  /** It failed. One that says when it may be asked again is left alone at least until then. */
  bad: (name: string, nowMs: number, retryAfterMs?: number) => void;
  /** Whether somebody whose name begins so failed last, and not before `sinceMs`. */
  hasFailing: (prefix: string, sinceMs: number) => boolean;
};

export function newPace(): Pace {
  const failing = new Map<string, { failures: number; untilMs: number; lastMs: number }>();
  return {
    isResting: (name, nowMs) => nowMs < (failing.get(name)?.untilMs ?? 0),
    good: (name) => {
      const cameBack = (failing.get(name)?.untilMs ?? 0) > 0;
      failing.delete(name);
      return cameBack;
    },
    bad: (name, nowMs, retryAfterMs) => {
      const { failures, untilMs } = failing.get(name) ?? { failures: 0, untilMs: 0 };
      const restMs = Math.max(retryAfterMs ?? 0, failures + 1 >= FAILURES ? REST_MS : 0);
      const restUntilMs = restMs > 0 ? nowMs + Math.min(restMs, MAX_REST_MS) : 0;
      failing.set(name, { failures: failures + 1, untilMs: Math.max(untilMs, restUntilMs), lastMs: nowMs });
    },
    hasFailing: (prefix, sinceMs) =>
      [...failing].some(([name, { lastMs }]) => name.startsWith(prefix) && lastMs >= sinceMs),
  };
}
