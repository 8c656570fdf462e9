/**
 * Child of the pages part: renders the list of 100 monitors, the page of one with 400 runs, and one alert, from the JSON that their
 * object keeps to the HTML, and prints the CPU of each.
 */
import { makeMonitor, NOW_MS } from '../../test/monitors/receivers/made.ts';
import { evilAlert, frame, makeRun, overview } from '../../test/web/monitors/made-history.ts';
import { MAX_KEPT_RUNS, MAX_MONITORS } from '../../src/monitors/core/monitor.ts';
import type { MonitorOverview } from '../../src/monitors/core/protocol.ts';
import type { MonitorAlert } from '../../src/monitors/core/alert.ts';
import type { MonitorRun } from '../../src/monitors/core/run.ts';
import { readMonitorHistory } from '../../src/monitors/history/history.ts';
import { renderAlertPage } from '../../src/web/monitors/alert.tsx';
import { renderMonitorList } from '../../src/web/monitors/list.tsx';
import { renderMonitorPage, SHOWN_RUNS } from '../../src/web/monitors/monitor.tsx';

/** Milliseconds of CPU of each rendering after the warm-up, by page. */
export type MonitorTimes = Readonly<Record<'list' | 'alert' | 'monitor', readonly number[]>>;

const WARM_UP = 30;
const RUNS = 50;
/** One monitor in ten runs by cron fields, whose due times are counted. */
const CRON_EVERY = 10;

const points = Array.from({ length: 30 }, (_, at) => ({ atMs: NOW_MS + at, value: 60 + (at % 20) }));
const monitorOf = (at: number) =>
  makeMonitor({
    id: `mon_${at.toString(16).padStart(24, '0')}`,
    nextDueMs: NOW_MS,
    interval: at % CRON_EVERY === 0 ? { cron: '30 6 * * 1-5', time_zone: 'Europe/Berlin' } : { every: 'weekly' },
  });

const stored = {
  list: JSON.stringify(Array.from({ length: MAX_MONITORS }, (_, at) => overview(monitorOf(at), { points }))),
  runs: JSON.stringify(Array.from({ length: MAX_KEPT_RUNS }, (_, at) => makeRun(MAX_KEPT_RUNS - at))),
  alerts: JSON.stringify(Array.from({ length: 25 }, (_, at) => evilAlert({ runId: makeRun(at).id }))),
};
const baseUrl = 'https://sightline.example';
const list = { frame, older: undefined, balanceMicroUsdc: 5_000_000, nowMs: NOW_MS };

const pages = {
  list: () => renderMonitorList({ ...list, monitors: JSON.parse(stored.list) as MonitorOverview[] }),
  alert: () => {
    const [alert] = JSON.parse(stored.alerts) as MonitorAlert[];
    if (alert === undefined) throw new Error('no alert');
    return renderAlertPage({ frame, monitor: monitorOf(1), alert, baseUrl });
  },
  monitor: () => {
    const runs = JSON.parse(stored.runs) as MonitorRun[];
    const alerts = JSON.parse(stored.alerts) as MonitorAlert[];
    const none = { deliveries: [], older: undefined, olderAlerts: undefined };
    const shown = { ...none, frame, overview: overview(monitorOf(1), { points }), alerts };
    const history = readMonitorHistory(runs, alerts);
    return renderMonitorPage({ ...shown, runs: runs.slice(0, SHOWN_RUNS), history, nowMs: NOW_MS });
  },
} as const;

async function measureOne(render: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  String(await render());
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const times: Record<string, number[]> = {};
for (const [name, render] of Object.entries(pages)) {
  for (let run = 0; run < WARM_UP; run += 1) String(await render());
  const own: number[] = [];
  for (let run = 0; run < RUNS; run += 1) own.push(await measureOne(render));
  times[name] = own;
}
console.log(JSON.stringify(times));
