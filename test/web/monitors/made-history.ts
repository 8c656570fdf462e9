import type { MonitorAlert } from '../../../src/monitors/core/alert.ts';
import type { Monitor } from '../../../src/monitors/core/monitor.ts';
import type { AlertDelivery, MonitorOverview } from '../../../src/monitors/core/protocol.ts';
import type { MonitorRun, SiteSummary } from '../../../src/monitors/core/run.ts';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import { makeMonitor, MONITOR_ID, NOW_MS, webhook } from '../../monitors/receivers/made.ts';

/** What a hostile site, brand or engine might be called. */
export const EVIL = `"><script>alert(1)</script>\u202E\u0007<img src=x onerror=alert(2)>`;
const DAY_MS = 86_400_000;

export const frame: AccountFrame = {
  language: 'en',
  csrf: 'token',
  address: `0x${'a1'.repeat(20)}`,
  nav: [{ path: '/account/monitors', title: 'Monitors' }],
  path: '/account/monitors',
};

export const summary = (aeo: number, version = '5.0.0'): SiteSummary => ({
  kind: 'site',
  rubric: { version, sha256: version },
  scores: {
    aeo: { score: aeo, coverage: 1, gates: [], interval: { low: aeo - 4, high: aeo + 4 } },
    geo: { score: 64, coverage: 1, gates: [] },
    mcp: null,
  },
  counts: { pass: 100, partial: 4, fail: 3, not_applicable: 2, unknown: 0 },
  competitors: [],
});

/** The nth run, a day after the one before it. */
export const makeRun = (n: number, changes: Partial<MonitorRun> = {}): MonitorRun => ({
  id: `run_${MONITOR_ID.slice(4)}-${n}`,
  monitorId: MONITOR_ID,
  dueMs: NOW_MS + n * DAY_MS,
  cause: 'schedule',
  state: 'stored',
  startedAtMs: NOW_MS + n * DAY_MS,
  endedAtMs: NOW_MS + n * DAY_MS + 9_000,
  lateMs: 0,
  missed: 0,
  reason: null,
  parts: [
    {
      role: 'subject',
      url: 'https://shop.example/',
      capability: 'full_audit',
      reportId: n.toString(16).padStart(32, 'a'),
      amountMicroUsdc: 350_000,
    },
  ],
  summary: summary(70 + (n % 7)),
  alerts: 0,
  ...changes,
});

/** What rings when robots.txt refuses a crawler: everything that a site can say in it is hostile. */
export const evilAlert = (changes: Partial<MonitorAlert> = {}): MonitorAlert => ({
  id: `alr_${'1'.repeat(24)}`,
  monitorId: MONITOR_ID,
  runId: makeRun(2).id,
  atMs: NOW_MS,
  kind: 'verdict_changed',
  severity: 'warning',
  key: 'k',
  title: 'A check got worse',
  changes: [
    {
      id: 'aeo.robots_allows_search',
      title: EVIL,
      isWorse: true,
      before: { text: 'pass', status: 'pass' },
      after: {
        text: 'fail',
        status: 'fail',
        evidence: [{ url: 'https://shop.example/robots.txt', line: 4, excerpt: `Disallow: /${EVIL}` }],
      },
      because: ['aeo.robots_allows_search'],
    },
  ],
  since: { runId: makeRun(1).id, atMs: NOW_MS - DAY_MS, reportId: 'b'.repeat(32) },
  reportId: 'c'.repeat(32),
  more: 2,
  ...changes,
});

export const evilMonitor = (changes: Partial<Monitor> = {}): Monitor =>
  makeMonitor({
    name: EVIL,
    subject: { kind: 'brand', capability: 'visibility_check', body: { brand: EVIL, niche: EVIL } },
    receivers: [webhook({ url: 'https://hooks.example/private-part' })],
    nextDueMs: NOW_MS + DAY_MS,
    ...changes,
  });

export const overview = (monitor: Monitor, changes: Partial<MonitorOverview> = {}): MonitorOverview => ({
  monitor,
  lastRun: makeRun(1),
  points: [60, null, 71].map((value, at) => ({ atMs: NOW_MS + at * DAY_MS, value })),
  alerts: 1,
  ...changes,
});

export const delivery: AlertDelivery = {
  id: `dlv_${'2'.repeat(24)}`,
  monitorId: MONITOR_ID,
  receiverId: 'rcv_0000000000000001',
  kind: 'alert',
  alertIds: [evilAlert().id],
  state: 'dead',
  tries: 6,
  createdAtMs: NOW_MS,
  nextMs: null,
  deliveredAtMs: null,
  lastOutcome: '503',
};
