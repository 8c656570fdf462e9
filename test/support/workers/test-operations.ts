import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import type { OperationsPort, PaymentsPage, Queues, Revenue } from '../../../src/console-api/operations.ts';

const NOTHING: OperationsPort = {
  revenue: async ({ days }) => ({
    days,
    firstDay: '2026-11-01',
    lines: [],
    creditUses: { read: true, uses: [] },
    shards: 256,
    facilitator: { read: true, distrustedAtMs: null },
    unread: 0,
  }),
  payments: async () => ({ payments: [], shards: 256, unread: 0 }),
  runs: async () => ({ read: true, runs: [] }),
  chooseLimits: async () => undefined,
  queues: async () => ({
    queues: [{ name: 'prompts', read: true, messages: 0, bytes: 0 }],
    deadLetters: { read: true, days: [] },
  }),
};

/** Stands in for the api Worker's `Operations` of a service that nobody has used. Tests give the app one of their own. */
export class TestOperations extends WorkerEntrypoint implements OperationsPort {
  async revenue(asked: { days: number }): Promise<Revenue> {
    return NOTHING.revenue(asked);
  }

  async payments(asked: Parameters<OperationsPort['payments']>[0]): Promise<PaymentsPage | null> {
    return NOTHING.payments(asked);
  }

  async runs(asked: { limit: number }): ReturnType<OperationsPort['runs']> {
    return NOTHING.runs(asked);
  }

  async queues(): Promise<Queues> {
    return NOTHING.queues();
  }

  async chooseLimits(limits: ServiceLimits): Promise<void> {
    return NOTHING.chooseLimits(limits);
  }
}

/** The same with answers of a test. */
export const operationsWith = (answers: Partial<OperationsPort>): OperationsPort => ({ ...NOTHING, ...answers });
