import { type LimitUses, usesOf } from './limit-use.ts';

/** Callers that one object remembers; beyond it the oldest are forgotten, which only makes the limit laxer. */
const MAX_CALLERS = 20_000;
const MINUTE_MS = 60_000;

/** A wish to count events of one caller against a limit a minute. */
export type RateOrder = {
  /** Who is counted for what: a limit's name and a hash of its caller. */
  key: string;
  quota: number;
  /** Events that must all have room. */
  needed: number;
  /** Further events that are taken as far as there is room: the isolate counts them itself. */
  ahead: number;
};

/** What was counted. Where the needed events had no room, `taken` is 0, and the refusal itself was counted as one event. */
export type RateVerdict = {
  taken: number;
  /** Events that are left in this window. */
  left: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
};

export type RateWindows = {
  take: (order: RateOrder, nowMs: number) => RateVerdict;
  /** What the windows that run have counted. */
  uses: (nowMs: number) => LimitUses;
};

/** Counts events in fixed windows of a minute, each of which begins with its first event. In memory: it guards load, not money. */
export function rateWindows(): RateWindows {
  const windows = new Map<string, { startMs: number; events: number }>();
  return {
    uses: (nowMs) => {
      const running = [...windows].filter(([, { startMs }]) => nowMs - startMs < MINUTE_MS);
      return usesOf(running.map(([key, { events }]) => [key, events]));
    },
    take: ({ key, quota, needed, ahead }, nowMs) => {
      const known = windows.get(key);
      const window = known && nowMs - known.startMs < MINUTE_MS ? known : { startMs: nowMs, events: 0 };
      const room = Math.max(0, quota - window.events);
      const isRefused = needed > room;
      const cost = Math.min(room, isRefused ? 1 : needed + ahead); // Refusals that cost nothing would come for ever.
      window.events += cost;
      windows.delete(key); // Put in again at the end, so that the first is the one that was not seen for longest.
      windows.set(key, window);
      forget(windows);
      return { taken: isRefused ? 0 : cost, left: room - cost, resetMs: window.startMs + MINUTE_MS - nowMs };
    },
  };
}

function forget(windows: Map<string, unknown>): void {
  if (windows.size <= MAX_CALLERS) return;
  const [oldest] = windows.keys();
  if (oldest !== undefined) windows.delete(oldest);
}
