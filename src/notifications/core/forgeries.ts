const WINDOW_MS = 60_000;
/** Sources that are counted separately; those beyond count as one. */
const MAX_SOURCES = 1_000;
/** An IPv6 address is no longer; off the platform anyone can write this header. */
const MAX_SOURCE_CHARS = 45;
const OTHERS = 'others';

export type ForgeryTools = {
  /** Unix milliseconds. */
  now: () => number;
  log: (line: Record<string, unknown>) => void;
};

export type Forgeries = {
  /** Counts a forged notification of a source (an address). */
  count: (source: string) => void;
};

/** `unreported`: forgeries that no log line has reported. */
type Window = { startMs: number; unreported: number };

/**
 * Counts forged notifications in the memory of an isolate, and writes one log line a minute per source at most (rule
 * W9): the first of a minute, with how many came since the line before.
 */
export function createForgeryLog({ now, log }: ForgeryTools): Forgeries {
  const windows = new Map<string, Window>();
  let sweptMs = 0;

  /**
   * Forgets sources that were quiet for a minute; once a minute at most. Their unreported forgeries go to the others.
   */
  const sweep = (nowMs: number): void => {
    if (nowMs - sweptMs < WINDOW_MS) return;
    sweptMs = nowMs;
    let unreported = 0;
    for (const [source, window] of windows) {
      if (nowMs - window.startMs < WINDOW_MS || source === OTHERS) continue;
      unreported += window.unreported;
      windows.delete(source);
    }
    const others = windows.get(OTHERS) ?? { startMs: 0, unreported: 0 };
    windows.set(OTHERS, { ...others, unreported: others.unreported + unreported });
  };

  return {
    count: (address) => {
      const nowMs = now();
      const given = address.slice(0, MAX_SOURCE_CHARS);
      if (!windows.has(given) && windows.size >= MAX_SOURCES) sweep(nowMs);
      const source = windows.has(given) || windows.size < MAX_SOURCES ? given : OTHERS;
      const window = windows.get(source) ?? { startMs: -Infinity, unreported: 0 };
      const count = window.unreported + 1;
      const isDue = nowMs - window.startMs >= WINDOW_MS;
      windows.set(source, isDue ? { startMs: nowMs, unreported: 0 } : { ...window, unreported: count });
      if (isDue) log({ event: 'notifications_forged', source, count });
    },
  };
}
