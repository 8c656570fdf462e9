import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import type {
  OperationsPort,
  PaymentsAsked,
  PaymentsPage,
  Pulse,
  Queues,
  Revenue,
} from '../../../src/console-api/operations.ts';
import type { CardFactsPort } from '../../../src/console-api/cards.ts';
import type { ServiceFactsPort, WorkerAbout } from '../../../src/console-api/service.ts';

/** What the overview asks of the service, beside its operations. */
type OverviewFacts = Pick<ServiceFactsPort, 'about' | 'secretAges' | 'publishedEnds'> &
  Pick<CardFactsPort, 'cardsOwed'>;

const emptyQueues: Queues = {
  queues: [{ name: 'prompts', read: true, messages: 0, bytes: 0 }],
  deadLetters: { read: true, days: [] },
};

export const emptyRevenue = (days: number): Revenue => ({
  days,
  firstDay: '2026-11-01',
  lines: [],
  creditUses: { read: true, uses: [] },
  unpaid: { read: true, counts: [] },
  engine: { read: true, runs: [], microUsdPerRun: 200_000 },
  facilitator: { read: true, distrustedAtMs: null },
  updatedAtMs: 1_795_000_000_000,
  shards: 256,
  unread: 0,
});

/** A service that works, and that nobody has bought anything of. */
export const quietPulse = (): Pulse => ({
  revenue: emptyRevenue(15),
  open: { read: true, payments: [] },
  chain: { read: true, block: '4711', atMs: Date.now() },
  facilitatorAnswers: { read: true, status: 200 },
  queues: emptyQueues,
  engineBudget: { read: true, unpaidMicroUsd: 0, limitMicroUsd: 5_000_000 },
  isClosed: false,
  version: '1.2.3',
});

const NOTHING: OperationsPort = {
  pulse: async () => quietPulse(),
  revenue: async ({ days }) => emptyRevenue(days),
  payers: async () => ({ read: true, payers: [] }),
  payments: async () => ({ payments: [], capabilities: [], shards: 256, unread: 0 }),
  runs: async () => ({ read: true, runs: [] }),
  chooseLimits: async () => undefined,
  queues: async () => emptyQueues,
};

/** Stands in for the api Worker's `Operations` of a service that nobody has used. Tests give the app one of their own. */
export class TestOperations extends WorkerEntrypoint implements OperationsPort, OverviewFacts {
  async about(): Promise<WorkerAbout> {
    return { worker: 'api', version: '1.2.3', settings: [], migrations: [], secrets: [] };
  }

  async secretAges(): ReturnType<ServiceFactsPort['secretAges']> {
    return [];
  }

  async publishedEnds(): ReturnType<ServiceFactsPort['publishedEnds']> {
    return { sites: 0, withinDays: 7, ending: 0, isPartial: false };
  }

  async cardsOwed(): ReturnType<CardFactsPort['cardsOwed']> {
    return { overdrafts: [], openDisputes: 0, isPartial: false };
  }

  async pulse(): Promise<Pulse> {
    return NOTHING.pulse();
  }

  async payers(asked: { limit: number }): ReturnType<OperationsPort['payers']> {
    return NOTHING.payers(asked);
  }

  async revenue(asked: { days: number }): Promise<Revenue> {
    return NOTHING.revenue(asked);
  }

  async payments(asked: PaymentsAsked): Promise<PaymentsPage | null> {
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
