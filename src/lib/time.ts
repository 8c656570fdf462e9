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

const WEEK_DAYS = 7;
const THURSDAY = 4;

/** The ISO 8601 week of a time, in UTC: `2026-W48`. It belongs to the year of its Thursday. */
export function formatIsoWeek(ms: number): string {
  const day = new Date(ms).getUTCDay() || WEEK_DAYS;
  const thursday = ms + (THURSDAY - day) * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1)) / DAY_MS / WEEK_DAYS) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The first moment of the ISO week of a time, in UTC. */
export function computeWeekStart(ms: number): number {
  const day = new Date(ms).getUTCDay() || WEEK_DAYS;
  return Math.floor(ms / DAY_MS) * DAY_MS - (day - 1) * DAY_MS;
}
