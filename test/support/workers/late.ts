import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Calls that never answer, and a clock of timers that is moved by hand. */
export function useWaits() {
  let reached = (): void => undefined;
  let asked = Promise.resolve();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  return {
    never: (): Promise<never> => {
      reached();
      return new Promise<never>(() => undefined);
    },
    /** The outcome of what asks such a call, which settles when that was waited for so long, and not before. */
    after: async <T>(limitMs: number, start: () => Promise<T>): Promise<T> => {
      asked = new Promise((resolve) => {
        reached = resolve;
      });
      let isSettled = false;
      const outcome = start().finally(() => {
        isSettled = true;
      });
      await asked;
      await vi.advanceTimersByTimeAsync(limitMs - 1);
      expect(isSettled).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      return outcome;
    },
  };
}
