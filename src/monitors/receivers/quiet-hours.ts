import { MINUTE_MS } from '../../lib/time.ts';
import type { QuietHours } from '../core/monitor.ts';

const MINUTES_OF_DAY = 1_440;
/** A clock is changed by two hours at most: so far beyond a day the end of quiet hours is looked for. */
const LONGEST_CHANGE_MINUTES = 180;
/** Formatters that are kept; names of zones may be written in many ways. */
const KEPT_ZONES = 64;

const formatters = new Map<string, Intl.DateTimeFormat>();

function getClock(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  if (formatters.size >= KEPT_ZONES) formatters.clear();
  const made = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formatters.set(timeZone, made);
  return made;
}

/** Minutes since midnight of `HH:MM`. */
function parseTimeOfDay(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}

const readMinuteOfDay = (atMs: number, timeZone = 'UTC'): number => parseTimeOfDay(getClock(timeZone).format(atMs));

function isQuietMinute({ from, to }: QuietHours, minute: number): boolean {
  const [first, end] = [parseTimeOfDay(from), parseTimeOfDay(to)];
  return first <= end ? minute >= first && minute < end : minute >= first || minute < end;
}

/**
 * When the quiet hours end that a time falls into: the first minute that a wall clock of their time zone shows outside of
 * them, whether or not it was changed meanwhile. Undefined outside of them, and for those that begin and end at once.
 * @throws RangeError for a time zone that does not exist
 */
export function findQuietEndMs(quietHours: QuietHours | null, nowMs: number): number | undefined {
  if (quietHours === null) return undefined;
  const { to, time_zone: timeZone } = quietHours;
  const minute = readMinuteOfDay(nowMs, timeZone);
  if (!isQuietMinute(quietHours, minute)) return undefined;
  const startMs = nowMs - (nowMs % MINUTE_MS);
  const left = (parseTimeOfDay(to) - minute + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  const endMs = startMs + left * MINUTE_MS;
  if (readMinuteOfDay(endMs, timeZone) === parseTimeOfDay(to)) return endMs;
  // The clock is changed on the way, twice a year.
  for (let after = 1; after <= MINUTES_OF_DAY + LONGEST_CHANGE_MINUTES; after += 1) {
    const atMs = startMs + after * MINUTE_MS;
    if (!isQuietMinute(quietHours, readMinuteOfDay(atMs, timeZone))) return atMs;
  }
  return endMs;
}
