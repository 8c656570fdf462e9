/** The main lunar tide (M2) has a period of 12.4206 hours. */
const INTERVAL_MS = 44_714_000;
export const MAX_TIDES = 8;

/** The next `count` high tides (1 to 8) after the one at `afterMs` (Unix milliseconds), as RFC 3339 times. */
export function computeHighTides(afterMs: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => new Date(afterMs + (n + 1) * INTERVAL_MS).toISOString());
}
