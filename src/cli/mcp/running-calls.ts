import { setTimeout as sleep } from 'node:timers/promises';

/** Calls that still run. */
export type RunningCalls = {
  /** Runs a call and knows of it until it ends. */
  track: <T>(call: () => Promise<T>) => Promise<T>;
  /** Resolves when none runs any more, or after `limitMs`. Never rejects. */
  ended: (limitMs: number) => Promise<void>;
};

/** Keeps an eye on calls that may move money, so that the process does not end under them. */
export function runningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();
  return {
    track: async (call) => {
      const promise = call();
      running.add(promise);
      try {
        return await promise;
      } finally {
        running.delete(promise);
      }
    },
    ended: async (limitMs) => {
      if (running.size === 0) return;
      const over = new AbortController();
      const limit = sleep(limitMs, undefined, { signal: over.signal }).catch(() => undefined); // Called off below.
      await Promise.race([Promise.allSettled(running), limit]);
      over.abort();
    },
  };
}
