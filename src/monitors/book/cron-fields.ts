import { Cron } from 'croner';
import { DAY_MS } from '../../lib/time.ts';

/** Characters of cron fields. */
export const MAX_CRON_CHARS = 100;
/** Cron fields are judged by the distances between this many runs, or between those of so long, whichever is less. */
const JUDGED_RUNS = 400;
const JUDGED_MS = 2 * 365 * DAY_MS;

export type CronRefusal =
  /** Seconds, a nickname such as `@daily`, or too few fields. */
  | 'not_five_fields'
  | 'unreadable_fields'
  /** Such as 30 February. */
  | 'never_due'
  | 'too_often'
  | 'unknown_time_zone';

export type CronVerdict = { ok: true } | { ok: false; reason: CronRefusal; detail: string };

/** Fields of a time in a zone. A time that the zone leaves out comes when its clock has jumped, one that it has twice comes once. */
export const openCronFields = (fields: string, timeZone: string): Cron =>
  new Cron(fields, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard' });

const refuse = (reason: CronRefusal, detail: string): CronVerdict => ({ ok: false, reason, detail });

/** Whether a text names a zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false; // Intl takes offsets such as +01:00 too, which have no rules.
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Judges five fields. Distances are those of a clock without daylight saving time: a day on which it changes has 23 hours
 * and is a day.
 * @param leastGapMs shortest distance that two runs may have
 */
export function judgeCronFields(fields: string, timeZone: string, leastGapMs: number, nowMs: number): CronVerdict {
  if (!isTimeZone(timeZone))
    return refuse('unknown_time_zone', 'No zone of the IANA time zone database has this name.');
  if (fields.length > MAX_CRON_CHARS || fields.trim().split(/\s+/).length !== 5)
    return refuse('not_five_fields', 'Give five fields: minute, hour, day of the month, month, weekday.');
  let cron: Cron;
  try {
    cron = openCronFields(fields, 'UTC');
  } catch {
    return refuse('unreadable_fields', 'A field has a value or a form that cron does not know.');
  }
  const first = cron.nextRun(new Date(nowMs));
  if (first === null) return refuse('never_due', 'No day has this date.');
  return hasRoomBetween(cron, first, leastGapMs)
    ? { ok: true }
    : refuse('too_often', `Two runs are at least ${formatGap(leastGapMs)} apart.`);
}

function hasRoomBetween(cron: Cron, first: Date, leastGapMs: number): boolean {
  const endMs = first.getTime() + JUDGED_MS;
  let before = first;
  for (let run = 1; run < JUDGED_RUNS; run += 1) {
    const next = cron.nextRun(before);
    if (next === null || next.getTime() > endMs) return true;
    if (next.getTime() - before.getTime() < leastGapMs) return false;
    before = next;
  }
  return true;
}

const formatGap = (ms: number): string => (ms >= DAY_MS ? 'a day' : 'an hour');
