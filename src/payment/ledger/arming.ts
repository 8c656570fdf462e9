/** Sets the alarm of an object to the earliest time that was asked for. */
export type Arming = {
  /** Has the alarm go off at this time or sooner. */
  arm: (atMs: number) => Promise<void>;
  /** What the alarm of the storage is set to, once the storage was asked or the alarm went off; null where none is. */
  know: (atMs: number | null) => void;
};

/**
 * The hot path need not ask the storage when its alarm is set to: this remembers it.
 * @param setAlarm writes the time; the last writer wins
 */
export function createArming(setAlarm: (atMs: number) => Promise<void>): Arming {
  /** Null when none is set. */
  let alarmAtMs: number | null = null;
  /** The calls that are setting the alarm now. */
  const running = new Set<{ atMs: number }>();
  return {
    know: (atMs) => {
      alarmAtMs = atMs;
      running.clear();
    },
    arm: async (atMs) => {
      if (alarmAtMs !== null && alarmAtMs <= atMs) return;
      const call = { atMs };
      running.add(call);
      // Storage keeps what was written last, so a later call repeats the time of an earlier one that is still under way.
      const earliestMs = Math.min(...Array.from(running, (one) => one.atMs));
      try {
        await setAlarm(earliestMs);
        // An alarm that ran meanwhile has dropped this call: what it set is over.
        if (running.has(call)) alarmAtMs = Math.min(earliestMs, alarmAtMs ?? earliestMs);
      } finally {
        running.delete(call);
      }
    },
  };
}
