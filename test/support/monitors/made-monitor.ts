import type { AlertRules, Monitor } from '../../../src/monitors/core/monitor.ts';
import type { MonitorRun, MonitorSummary } from '../../../src/monitors/core/run.ts';

/** A monitor of a site with the rules that a test is about. */
export const monitorOf = (rules: AlertRules = {}): Monitor => ({
  id: 'mon_000000000000000000000001',
  account: 'acc_1',
  name: 'Acme',
  subject: { kind: 'site', url: 'https://acme.example/' },
  interval: { every: 'weekly' },
  rules,
  receivers: [],
  quietHours: null,
  payment: 'credits',
  clientId: 'client',
  authorizedAtMs: 0,
  state: 'active',
  pausedBecause: null,
  revision: 1,
  createdAtMs: 0,
  changedAtMs: 0,
  nextDueMs: null,
});

/** A run of it. @param summary null for one that failed */
export const storedRunOf = (
  id: string,
  atMs: number,
  summary: MonitorSummary | null,
  more: Partial<MonitorRun> = {},
): MonitorRun => ({
  id,
  monitorId: 'mon_000000000000000000000001',
  dueMs: atMs,
  cause: 'schedule',
  state: summary === null ? 'failed' : 'stored',
  startedAtMs: atMs,
  endedAtMs: atMs,
  lateMs: 0,
  missed: 0,
  reason: summary === null ? 'target_unreachable' : null,
  parts:
    summary === null
      ? []
      : [{ role: 'subject', capability: 'full_audit', reportId: `report-${id}`, amountMicroUsdc: 250_000 }],
  summary,
  alerts: 0,
  ...more,
});
