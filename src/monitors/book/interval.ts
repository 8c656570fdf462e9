import type { Cron } from 'croner';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import type { Monitor, MonitorInterval } from '../core/monitor.ts';
import { type CronVerdict, judgeCronFields, openCronFields } from './cron-fields.ts';

/** Sites may be looked at hourly; brands, and what an operator watches for nothing, daily. */
const SITE_GAP_MS = HOUR_MS;
const OTHER_GAP_MS = DAY_MS;
/** A named interval without a time of day runs in this hour of its zone. */
const USUAL_HOUR = 5;
/** Due times that one step counts after an outage: of more, the newest is found without the others. */
const MAX_COUNTED = 10_000;

const MONDAY = 1;
const UTC = 'UTC';

/** When a monitor is due. */
export type MonitorSchedule = {
  /** The first due time after a moment; undefined where none comes. */
  nextAfter: (ms: number) => number | undefined;
  /** The last due time at a moment or before it. */
  lastUpTo: (ms: number) => number | undefined;
};

/** The shortest distance between two due times of a monitor, in milliseconds. */
export const getLeastGapMs = ({ subject, payment }: Pick<Monitor, 'subject' | 'payment'>): number =>
  subject.kind === 'site' && payment === 'credits' ? SITE_GAP_MS : OTHER_GAP_MS;

/** Judges an interval of a request, whose shape is known. */
export function judgeInterval(interval: MonitorInterval, leastGapMs: number, nowMs: number): CronVerdict {
  const zone = interval.time_zone ?? UTC;
  if ('cron' in interval) return judgeCronFields(interval.cron, zone, leastGapMs, nowMs);
  return judgeCronFields(listCronFields(interval, '0')[0] ?? '', zone, 0, nowMs);
}

/**
 * Cron fields of an interval; a monitor is due when any of them is. The 29th to 31st is the last day of a month that has no
 * such day.
 * @param monitorId gives a named interval without `at` its minute
 */
export function listCronFields(interval: MonitorInterval, monitorId: string): readonly string[] {
  if ('cron' in interval) return [interval.cron];
  const time = formatTimeFields(interval.at, monitorId);
  if (interval.every === 'daily') return [`${time} * * *`];
  if (interval.every === 'weekly') return [`${time} * * ${interval.weekday ?? MONDAY}`];
  const day = interval.day ?? 1;
  if (day > 30) return [`${time} L * *`];
  return day > 28 ? [`${time} ${day} 1,3-12 *`, `${time} L 2 *`] : [`${time} ${day} * *`];
}

/** Ids are random, so their last digits spread over the hour as a hash of them would. */
function formatTimeFields(at: string | undefined, monitorId: string): string {
  if (at === undefined) return `${Number.parseInt(monitorId.slice(-6), 16) % 60} ${USUAL_HOUR}`;
  const [, hour = '-', minute = '-'] = /^(\d{1,2}):(\d{2})$/.exec(at) ?? []; // A hyphen is no value of a field.
  return `${minute} ${hour}`;
}

/** The schedule of a monitor. @throws TypeError, RangeError for an interval that `judgeInterval` refuses */
export function openSchedule(interval: MonitorInterval, monitorId: string): MonitorSchedule {
  const crons = listCronFields(interval, monitorId).map((fields) => openCronFields(fields, interval.time_zone ?? UTC));
  return {
    nextAfter: (ms) => pickTime(crons, (cron) => cron.nextRun(new Date(ms)), Math.min),
    // A time that is just now counts, and croner looks before the moment that it is given.
    lastUpTo: (ms) => pickTime(crons, (cron) => cron.previousRuns(1, new Date(ms + 1_000))[0] ?? null, Math.max),
  };
}

function pickTime(
  crons: readonly Cron[],
  find: (cron: Cron) => Date | null,
  pick: (...times: number[]) => number,
): number | undefined {
  const times = crons.flatMap((cron) => find(cron)?.getTime() ?? []);
  return times.length === 0 ? undefined : pick(...times);
}

/** What of a schedule has come by now: one run for its newest due time, those before it that have none, and the next. */
export type DueTimes = { dueMs: number; missed: number; nextMs: number | undefined };

/** @param firstMs the first due time that had no run, now or earlier */
export function countDueTimes(schedule: MonitorSchedule, firstMs: number, nowMs: number): DueTimes {
  let dueMs = firstMs;
  for (let missed = 0; missed < MAX_COUNTED; missed += 1) {
    const nextMs = schedule.nextAfter(dueMs);
    if (nextMs === undefined || nextMs > nowMs) return { dueMs, missed, nextMs };
    dueMs = nextMs;
  }
  const newestMs = Math.max(dueMs, schedule.lastUpTo(nowMs) ?? dueMs);
  return { dueMs: newestMs, missed: MAX_COUNTED, nextMs: schedule.nextAfter(newestMs) };
}
