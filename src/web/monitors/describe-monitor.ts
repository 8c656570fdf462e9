import { DAY_MS } from '../../lib/time.ts';
import { openSchedule } from '../../monitors/book/interval.ts';
import type { Monitor, MonitorInterval } from '../../monitors/core/monitor.ts';
import { computeRunMicroUsdc } from '../../monitors/core/run-price.ts';
import { formatDollars } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { monitorWords } from './monitor-words.ts';

export const MONITORS_PAGE_PATH = '/account/monitors';

/** The address of a page of a monitor: `/account/monitors/mon_…/runs/run_…`. */
export const formatMonitorPath = (id: string, ...below: readonly string[]): string =>
  [MONITORS_PAGE_PATH, id, ...below].join('/');

const DAYS_A_MONTH = 365.25 / 12;
const RUNS_A_MONTH = { daily: DAYS_A_MONTH, weekly: DAYS_A_MONTH / 7, monthly: 1 } as const;
/** Due times by which cron fields are counted: a day of hourly ones, or a month of weekdays. */
const COUNTED_RUNS = 24;

/** What the runs of a month cost, in micro-USDC: about that for cron fields, by their next due times. */
export const computeMonthMicroUsdc = (
  monitor: Pick<Monitor, 'id' | 'subject' | 'payment' | 'interval'>,
  nowMs: number,
): number => Math.round(computeRunMicroUsdc(monitor) * countRunsAMonth(monitor.interval, monitor.id, nowMs));

function countRunsAMonth(interval: MonitorInterval, id: string, nowMs: number): number {
  if (!('cron' in interval)) return RUNS_A_MONTH[interval.every];
  const schedule = openSchedule(interval, id);
  let lastMs = nowMs;
  for (let runs = 0; runs < COUNTED_RUNS; runs += 1) {
    const nextMs = schedule.nextAfter(lastMs);
    if (nextMs === undefined) return 0;
    lastMs = nextMs;
  }
  return (COUNTED_RUNS / ((lastMs - nowMs) / DAY_MS)) * DAYS_A_MONTH;
}

/** What one run costs, as text. */
export function describeRunPrice(monitor: Pick<Monitor, 'subject' | 'payment'>, language: PageLanguage): string {
  const microUsdc = computeRunMicroUsdc(monitor);
  return microUsdc === 0 ? monitorWords[language].free : formatDollars(microUsdc, language);
}

/** What is watched: the address of a site, or a brand and its market. Text of the owner. */
export const describeSubject = ({ subject }: Pick<Monitor, 'subject'>): string =>
  subject.kind === 'site' ? subject.url : `${subject.body.brand}, ${subject.body.niche}`;
