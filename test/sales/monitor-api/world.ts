import { apiWorkerSettingsSchema } from '../../../src/sales/settings.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import type { MonitorApiPorts, MonitorCaller } from '../../../src/sales/monitor-api/ports.ts';
import { memoryShards } from '../../support/monitors/memory-shards.ts';
import { PAY_TO } from '../../payment/terms/offer-cases.ts';

export const BASE_URL = 'https://sightline.test';
export const ACCOUNT = 'a'.repeat(32);

const settings = apiWorkerSettingsSchema.parse({
  BASE_URL,
  PAY_TO,
  RPC_URL: 'https://rpc.test',
  FACILITATOR_URL: 'https://facilitator.test',
  PAYMENTS_SINCE: '1700000000',
  LEDGER_SECRET: 'test-ledger-secret-of-32-bytes-or-more',
});

/** Ports over real books in memory, at a time that a test sets. */
export function openMonitorApi(more: Partial<MonitorApiPorts> = {}) {
  const clock = { nowMs: Date.parse('2026-11-28T15:00:00Z') };
  const dropped: string[] = [];
  const { shards, bookOf } = memoryShards(() => clock.nowMs);
  const ports: MonitorApiPorts = {
    shards,
    baseUrl: BASE_URL,
    sales: {
      settings,
      local: false,
      engines: () => ({ ok: false, detail: 'none', missing: [] }) as never,
      openChain: () => ({ isRealBase: async () => false }),
      isGenuine: async () => false,
      now: () => clock.nowMs,
      waitUntil: () => undefined,
    },
    policy: allowPublicOnly(),
    hasMail: true,
    freeHosts: new Set(['free.example']),
    readReport: async () => undefined,
    dropReports: (ids) => void dropped.push(...ids),
    now: () => clock.nowMs,
    log: () => undefined,
    ...more,
  };
  return { ports, clock, bookOf, dropped };
}

export const accountCaller = (more: Partial<Extract<MonitorCaller, { kind: 'account' }>> = {}): MonitorCaller => ({
  kind: 'account',
  owner: { account: ACCOUNT, clientId: 'client', authorizedAtMs: 1 },
  canSpend: true,
  isOperator: false,
  ...more,
});

/** What a call was refused with. */
export const readCode = (answer: { ok: boolean; problem?: { code: string } }): string => answer.problem?.code ?? 'ok';
