export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const MINUTE_S = 60;
export const HOUR_S = 3_600;

/** Unix milliseconds as an RFC 3339 timestamp in UTC with three digits of a second. @throws RangeError outside a date's range */
export const formatIsoTimestamp = (ms: number): string => new Date(ms).toISOString();

/** The day of a time, in UTC: `2026-11-22`. */
export const formatIsoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Whole seconds until a time, at least one: what a `Retry-After` says. */
export const computeSecondsUntil = (atMs: number, nowMs: number): number =>
  Math.max(1, Math.ceil((atMs - nowMs) / SECOND_MS));

/** Whether a text is a day that exists, `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && formatIsoDay(ms) === text;
}
