import type { MonitorAlert } from '../../../src/monitors/core/alert.ts';
import type { Monitor } from '../../../src/monitors/core/monitor.ts';
import type { AlertDelivery } from '../../../src/monitors/core/protocol.ts';
import type { MonitorRun } from '../../../src/monitors/core/run.ts';
import { draftPaused } from '../../../src/monitors/book/ring.ts';
import { readMonitorHistory } from '../../../src/monitors/history/history.ts';
import { renderAccountOverview } from '../../../src/web/account/overview.tsx';
import { HostCount, HOSTS_PAGE_PATH } from '../../../src/web/hosts/hosts-page.tsx';
import { hostsWords } from '../../../src/web/hosts/hosts-words.ts';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { renderMonitorMailPage } from '../../../src/web/monitor-mail-page.tsx';
import { renderAlertPage } from '../../../src/web/monitors/alert.tsx';
import { renderComparePage } from '../../../src/web/monitors/compare.tsx';
import { formatMonitorPath, MONITORS_PAGE_PATH } from '../../../src/web/monitors/describe-monitor.ts';
import { renderRemovePage, renderShownOnce } from '../../../src/web/monitors/dialogs.tsx';
import { renderMonitorForm } from '../../../src/web/monitors/form.tsx';
import { NewestMonitors, renderMonitorList } from '../../../src/web/monitors/list.tsx';
import { monitorWords } from '../../../src/web/monitors/monitor-words.ts';
import { renderMonitorPage } from '../../../src/web/monitors/monitor.tsx';
import { fillMonitorForm, startMonitorForm } from '../../../src/web/monitors/read-form.ts';
import { renderRunPage } from '../../../src/web/monitors/run.tsx';
import { email, makeMonitor, MONITOR_ID, NOW_MS, webhook } from '../../monitors/receivers/made.ts';
import { makeRun, summary } from '../../web/monitors/made-history.ts';
import { frameWatched, listHostPages, provenHost, WATCHED_HOST } from './fixed-host-pages.ts';
import { BASE_URL } from './fixed-pages.ts';

/** Pages of a person's monitors and hosts, made of data that is the same in every run. */

const DAY_MS = 86_400_000;
const SITE_URL = `https://${WATCHED_HOST}/`;

const feed = { id: 'rcv_0000000000000003', kind: 'feed', token: 'f'.repeat(32) } as const;

const siteMonitor = (changes: Partial<Monitor> = {}): Monitor =>
  makeMonitor({
    name: 'Lantern Bay',
    subject: { kind: 'site', url: SITE_URL, competitors: ['https://harborlight.example/'] },
    interval: { every: 'weekly', weekday: 1, at: '07:00', time_zone: 'Europe/Berlin' },
    receivers: [webhook(), email({ confirmedAtMs: null }), feed],
    createdAtMs: NOW_MS - 60 * DAY_MS,
    nextDueMs: NOW_MS + 5 * DAY_MS,
    ...changes,
  });

const brandMonitor = (changes: Partial<Monitor> = {}): Monitor =>
  makeMonitor({
    id: 'mon_b0123456789abcdef0123456',
    name: 'Example Desk',
    subject: {
      kind: 'brand',
      capability: 'visibility_panel_2',
      body: { brand: 'Example Desk', niche: 'help desk software for small teams' },
    },
    interval: { cron: '30 6 * * 1-5' },
    state: 'paused',
    pausedBecause: 'insufficient_credits',
    nextDueMs: null,
    ...changes,
  });

const AEO = [71, 71, 74, 74, 73, 58, 58] as const;
/** The newest first. */
const runs: readonly MonitorRun[] = AEO.map((aeo, n) =>
  makeRun(7 * (n - AEO.length), {
    summary: summary(aeo, n < 2 ? '4.0.0' : '5.0.0'),
    cause: n === 0 ? 'first' : 'schedule',
    alerts: n === 5 ? 2 : 0,
    ...(n === 6 ? { lateMs: 25 * 60_000, missed: 1 } : {}),
  }),
).toReversed();
const [, run = makeRun(0), runBefore = makeRun(0)] = runs;
const failedRun = makeRun(1, {
  state: 'failed',
  reason: 'target_unreachable',
  parts: [],
  summary: null,
  cause: 'manual',
});

const alert: MonitorAlert = {
  id: `alr_${'1'.repeat(24)}`,
  monitorId: MONITOR_ID,
  runId: run.id,
  atMs: run.dueMs,
  kind: 'gate_fired',
  severity: 'critical',
  key: 'k',
  title: 'A check holds a score down now',
  changes: [
    {
      id: 'aeo.robots.ai-search-bots',
      title: 'AI search crawlers may fetch the site',
      isWorse: true,
      before: {
        text: 'pass',
        status: 'pass',
        evidence: [{ url: `${SITE_URL}robots.txt`, line: 1, excerpt: 'User-agent: *' }],
      },
      after: {
        text: 'fail, holds aeo at 40',
        status: 'fail',
        evidence: [{ url: `${SITE_URL}robots.txt`, line: 5, excerpt: 'Disallow: /' }],
      },
      weight: 6,
    },
    {
      id: 'aeo',
      title: 'AEO',
      isWorse: true,
      before: { text: '73 points', value: 73 },
      after: { text: '58 points', value: 58 },
      because: ['aeo.robots.ai-search-bots'],
    },
  ],
  since: { runId: runBefore.id, atMs: runBefore.dueMs, reportId: 'b'.repeat(32) },
  reportId: 'c'.repeat(32),
  more: 1,
};
const alerts: readonly MonitorAlert[] = [
  alert,
  {
    ...alert,
    id: `alr_${'2'.repeat(24)}`,
    kind: 'score_moved',
    severity: 'warning',
    changes: alert.changes.slice(1),
    more: 0,
  },
  {
    ...alert,
    id: `alr_${'3'.repeat(24)}`,
    runId: null,
    changes: [{ id: 'credits', title: 'Credits', before: null, after: { text: '0.20 USD are left' }, isWorse: true }],
    kind: 'credits_low',
    severity: 'info',
    since: null,
    more: 0,
  },
  { ...alert, ...draftPaused('insufficient_credits', NOW_MS), id: `alr_${'4'.repeat(24)}`, runId: null, more: 0 },
];

const deliveries: readonly AlertDelivery[] = (['delivered', 'dead', 'waiting'] as const).map((state, at) => ({
  id: `dlv_${String(at).repeat(24)}`,
  monitorId: MONITOR_ID,
  receiverId: at === 2 ? email().id : webhook().id,
  kind: at === 2 ? 'confirmation' : 'alert',
  alertIds: [alert.id],
  state,
  tries: at + 1,
  createdAtMs: run.dueMs + at * 60_000,
  nextMs: null,
  deliveredAtMs: null,
  lastOutcome: ['204', '503', null][at] ?? null,
}));

const overviewOf = (monitor: Monitor, lastRun: MonitorRun | null = runs[0] ?? null) => ({
  monitor,
  lastRun,
  points: lastRun === null ? [] : AEO.map((value, at) => ({ atMs: at, value })),
  alerts: lastRun === null ? 0 : alerts.length,
});

const form = {
  faults: [],
  engines: [],
  hasMail: true,
  balanceMicroUsdc: 4_650_000,
  isFree: false,
};

const comparison = {
  ok: true as const,
  fromRunId: runBefore.id,
  toRunId: run.id,
  changes: {
    kind: 'site' as const,
    rubric: { before: null, after: null, isSame: true },
    scores: [
      { name: 'aeo' as const, before: 73, after: 58 },
      { name: 'geo' as const, before: 64, after: 64 },
    ],
    worse: alert.changes.slice(0, 1),
    better: [],
    inOneOnly: [],
  },
};

/** Every page of monitors and hosts, by its name. */
export function listWatchedPages(language: PageLanguage): Readonly<Record<string, () => unknown>> {
  const monitor = siteMonitor();
  const path = formatMonitorPath(MONITOR_ID);
  const own = frameWatched(path, language);
  const list = { frame: frameWatched(MONITORS_PAGE_PATH, language), older: undefined, balanceMicroUsdc: 4_650_000 };
  const page = { frame: own, olderAlerts: undefined, deliveries, nowMs: NOW_MS };
  return {
    'account-watched': () =>
      renderAccountOverview({
        frame: frameWatched('/account', language),
        cards: [
          ...[[], [overviewOf(monitor), overviewOf(brandMonitor(), null)]].map((monitors, at) => ({
            id: `monitors-${at}`,
            path: MONITORS_PAGE_PATH,
            title: `${monitorWords[language].title} ${at}`,
            more: monitorWords[language].more,
            body: NewestMonitors({ monitors, language }),
          })),
          ...[[], [provenHost]].map((claimed, at) => ({
            id: `hosts-${at}`,
            path: HOSTS_PAGE_PATH,
            title: `${hostsWords[language].title} ${at}`,
            more: hostsWords[language].more,
            body: HostCount({ hosts: claimed, language }),
          })),
        ],
      }),
    monitors: () =>
      renderMonitorList({
        ...list,
        monitors: [overviewOf(monitor), overviewOf(brandMonitor(), null)],
        nowMs: NOW_MS,
      }),
    'monitors-none': () => renderMonitorList({ ...list, monitors: [], nowMs: NOW_MS }),
    monitor: () =>
      renderMonitorPage({
        ...page,
        overview: overviewOf(monitor),
        history: readMonitorHistory(runs, alerts),
        runs: [failedRun, ...runs],
        older: `${path}?after=1#runs`,
        alerts,
      }),
    'monitor-paused': () =>
      renderMonitorPage({
        ...page,
        overview: overviewOf(brandMonitor({ receivers: [] }), failedRun),
        history: readMonitorHistory([], []),
        runs: [failedRun],
        older: undefined,
        alerts: [],
        deliveries: [],
      }),
    'monitor-run': () => renderRunPage({ frame: own, monitor, run, before: runBefore }),
    'monitor-run-failed': () => renderRunPage({ frame: own, monitor, run: failedRun, before: run }),
    'monitor-alert': () => renderAlertPage({ frame: own, monitor, alert, baseUrl: BASE_URL }),
    'monitor-compare': () =>
      renderComparePage({ frame: own, id: MONITOR_ID, compared: { from: runBefore, to: run, comparison } }),
    'monitor-compare-none': () => renderComparePage({ frame: own, id: MONITOR_ID, compared: undefined }),
    'monitor-new': () =>
      renderMonitorForm({
        ...form,
        frame: frameWatched(`${MONITORS_PAGE_PATH}/new`, language),
        kind: 'site',
        form: startMonitorForm((name) => (name === 'url' ? SITE_URL : undefined)),
        isNew: true,
        idempotencyKey: 'k',
      }),
    'monitor-new-brand': () =>
      renderMonitorForm({
        ...form,
        frame: frameWatched(`${MONITORS_PAGE_PATH}/new`, language),
        kind: 'visibility_panel_2',
        form: startMonitorForm(() => undefined),
        isNew: true,
        idempotencyKey: 'k',
      }),
    'monitor-edit': () =>
      renderMonitorForm({
        ...form,
        frame: own,
        kind: 'site',
        form: fillMonitorForm(monitor),
        isNew: false,
        isStale: true,
        id: monitor.id,
        name: monitor.name,
        revision: 3,
        receivers: monitor.receivers,
      }),
    'monitor-delete': () => renderRemovePage({ frame: own, monitor }),
    'monitor-secrets': () =>
      renderShownOnce({
        frame: own,
        monitor,
        baseUrl: BASE_URL,
        shown: { receivers: [webhook(), feed], token: 'smt_x' },
      }),
    'monitor-mail-confirm': () => renderMonitorMailPage({ language, use: 'confirm', action: '/confirm' }),
    'monitor-mail-unsubscribe': () => renderMonitorMailPage({ language, use: 'unsubscribe', action: '/unsubscribe' }),
    ...listHostPages(language),
  };
}
