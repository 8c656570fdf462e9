import type { MonitorAlert } from '../../../src/monitors/core/alert.ts';
import type { Monitor } from '../../../src/monitors/core/monitor.ts';
import type { Receiver } from '../../../src/monitors/core/receiver.ts';
import type { DeliveryOrder } from '../../../src/monitors/core/protocol.ts';

export const NOW_MS = Date.parse('2026-11-25T10:00:00Z');
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const MONITOR_ID = 'mon_a0123456789abcdef0123456';

export const webhook = (changes: Partial<Extract<Receiver, { kind: 'webhook' }>> = {}): Receiver => ({
  id: 'rcv_0000000000000001',
  kind: 'webhook',
  url: 'https://hooks.example/in?key=private-part',
  secret: SECRET,
  ...changes,
});

export const email = (changes: Partial<Extract<Receiver, { kind: 'email' }>> = {}): Receiver => ({
  id: 'rcv_0000000000000002',
  kind: 'email',
  address: 'ada@example.com',
  confirmedAtMs: NOW_MS - 1_000,
  ...changes,
});

export const makeMonitor = (changes: Partial<Monitor> = {}): Monitor => ({
  id: MONITOR_ID,
  account: 'acc_1',
  name: 'Our shop',
  subject: { kind: 'site', url: 'https://shop.example/' },
  interval: { every: 'daily' },
  rules: {},
  receivers: [webhook()],
  quietHours: null,
  payment: 'credits',
  clientId: 'account',
  authorizedAtMs: 0,
  state: 'active',
  pausedBecause: null,
  revision: 1,
  createdAtMs: NOW_MS - 86_400_000,
  changedAtMs: NOW_MS - 86_400_000,
  nextDueMs: null,
  ...changes,
});

export const makeAlert = (n: number, changes: Partial<MonitorAlert> = {}): MonitorAlert => ({
  id: `alr_${String(n).padStart(24, '0')}`,
  monitorId: MONITOR_ID,
  runId: `run_a0123456789abcdef0123456-${n}`,
  atMs: NOW_MS,
  kind: 'verdict_changed',
  severity: 'warning',
  key: `verdict:${n}`,
  title: 'robots.txt now refuses GPTBot',
  changes: [
    {
      id: 'agents.robots_training',
      title: 'AI crawlers may read the site',
      before: { text: 'pass', status: 'pass' },
      after: {
        text: 'fail',
        status: 'fail',
        evidence: [{ url: 'https://shop.example/robots.txt', line: 3, excerpt: 'Disallow: /' }],
      },
      isWorse: true,
    },
  ],
  since: { runId: 'run_a0123456789abcdef0123456-0', atMs: NOW_MS - 86_400_000, reportId: 'rep_before' },
  reportId: 'rep_after',
  ...changes,
});

export const makeOrder = (receiver: Receiver, changes: Partial<DeliveryOrder> = {}): DeliveryOrder => ({
  delivery: {
    id: 'dlv_00000000000000000000000a',
    monitorId: MONITOR_ID,
    receiverId: receiver.id,
    kind: 'alert',
    alertIds: [makeAlert(1).id],
    state: 'waiting',
    tries: 1,
    createdAtMs: NOW_MS,
    nextMs: NOW_MS,
    deliveredAtMs: null,
    lastOutcome: null,
  },
  attempt: 1,
  monitor: makeMonitor({ receivers: [receiver] }),
  receiver,
  alerts: [makeAlert(1)],
  ...(receiver.kind === 'email' && { proofs: { confirm: 'c'.repeat(32), unsubscribe: 'd'.repeat(32) } }),
  ...changes,
});
