import { WorkerEntrypoint } from 'cloudflare:workers';
import * as z from 'zod';
import { formatBookedCursor, parseBookedCursor, type PayerTotal } from '../../../src/payment/ledger/books.ts';
import { MAX_LISTED, paymentStates } from '../../../src/payment/ledger/list.ts';
import { SHARDS } from '../../../src/payment/ledger/survey.ts';
import { TOTALS_DAYS, computeFirstDay, formatDay } from '../../../src/payment/ledger/totals.ts';
import { MAX_RUNS_LISTED, type RunRecord } from '../../../src/visibility/run/run-register.ts';
import { classifyRun, type VisibilityRunObject } from '../../../src/visibility/run/run.ts';
import { catalog } from '../../../src/capabilities/catalog.ts';
import { creditPacks } from '../../../src/capabilities/credit-packs.ts';
import { panels } from '../../../src/capabilities/panels.ts';
import { soldTools } from '../../../src/capabilities/sold-tools.ts';
import type { Env } from './env.ts';
import { logLine } from '../../shared/telemetry.ts';
import type {
  RunSummary,
  NotRead,
  OperationsPort,
  PaymentsAsked,
  PaymentsPage,
  Pulse,
  Queues,
  ReadResult,
  Revenue,
} from '../../../src/console-api/operations.ts';
import type { CardFactsPort } from '../../../src/console-api/cards.ts';
import type { ServiceFactsPort } from '../../../src/console-api/service.ts';
import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import { readRegisters } from './console/console-counters.ts';
import { completeBooks, getBooks, readRevenue, toListItem } from './ledger-books.ts';
import { createCardFacts } from './cards/console-cards.ts';
import { createServiceFacts } from './console/console-service.ts';
import { readPulseFacts } from './pulse.ts';
import { readOr, readQueues } from './queue-depths.ts';
import { storeLimits } from './stored-limits.ts';

const revenueAsked = z.object({ days: z.int().min(1).max(TOTALS_DAYS) });
/** Names that payments have. */
const SOLD: readonly string[] = [...catalog, ...panels, ...soldTools, ...creditPacks].map(({ name }) => name);
const payersAsked = z.object({ limit: z.int().min(1).max(MAX_LISTED), day: z.iso.date().optional() });
const paymentsAsked = z.object({
  state: z.enum(paymentStates).optional(),
  capability: z.string().max(64).optional(),
  payer: z
    .string()
    .regex(/^0x[0-9a-f]{40}$/)
    .optional(),
  limit: z.int().min(1).max(MAX_LISTED),
  cursor: z.string().max(40).optional(),
});
/** Today, yesterday and a week against the week before. */
const PULSE_DAYS = 15;
const runsAsked = z.object({ limit: z.int().min(1).max(MAX_RUNS_LISTED) });
/** Runs in progress that are asked themselves how far they are. */
const MAX_RUNS_ASKED = 24;

type Asked<
  Call extends
    | 'customers'
    | 'payingCustomers'
    | 'findCustomer'
    | 'customer'
    | 'secretAges'
    | 'publishedSites'
    | 'publishedReports',
> = Parameters<ServiceFactsPort[Call]>[0];

/** What the operator's console shows of this Worker, for the control Worker by service binding. It changes nothing but limits and the memory of secrets. */
export class Operations extends WorkerEntrypoint<Env> implements OperationsPort, ServiceFactsPort, CardFactsPort {
  async pulse(): Promise<Pulse> {
    const [revenue, facts] = await Promise.all([readRevenue(this.env, PULSE_DAYS), readPulseFacts(this.env)]);
    return { revenue, ...facts };
  }

  async revenue(asked: { days: number }): Promise<Revenue> {
    return readRevenue(this.env, revenueAsked.parse(asked).days);
  }

  async payers(asked: { limit: number; day?: string }): Promise<ReadResult<{ payers: PayerTotal[] }> | NotRead> {
    const { limit, day } = payersAsked.parse(asked);
    const nowMs = Date.now();
    const days = day === undefined ? [formatDay(nowMs), computeFirstDay(2, nowMs)] : [day];
    return readOr('payers', async () => ({ payers: await getBooks(this.env).readPayers(days, limit) }));
  }

  async payments(asked: PaymentsAsked): Promise<PaymentsPage | null> {
    const { state, cursor, ...rest } = paymentsAsked.parse(asked);
    const before = cursor === undefined ? undefined : parseBookedCursor(cursor);
    if (cursor !== undefined && before === undefined) return null;
    const { unread } = await completeBooks(this.env, computeFirstDay(1, Date.now()));
    const { payments, next } = await getBooks(this.env).readPayments({
      ...rest,
      before,
      states: state === undefined ? undefined : [state],
    });
    return {
      payments: await Promise.all(payments.map(toListItem)),
      ...(next === undefined ? {} : { next: formatBookedCursor(next) }),
      capabilities: SOLD,
      shards: SHARDS,
      unread,
    };
  }

  async runs(asked: { limit: number }): Promise<ReadResult<{ runs: RunSummary[] }> | NotRead> {
    const { limit } = runsAsked.parse(asked);
    return readOr('runs', async () => {
      const records = await readRegisters(this.env).listRuns(limit);
      const asking = new Set(records.filter(({ state }) => state === 'running').slice(0, MAX_RUNS_ASKED));
      const runs = records.map(async (run) => (asking.has(run) ? present(this.env, run) : buildRunSummary(run, {})));
      return { runs: await Promise.all(runs) };
    });
  }

  async queues(): Promise<Queues> {
    return readQueues(this.env);
  }

  async about() {
    return createServiceFacts(this.env).about();
  }

  async customers(asked: Asked<'customers'>) {
    return createServiceFacts(this.env).customers(asked);
  }

  async payingCustomers(asked: Asked<'payingCustomers'>) {
    return createServiceFacts(this.env).payingCustomers(asked);
  }

  async customer(asked: Asked<'customer'>) {
    return createServiceFacts(this.env).customer(asked);
  }

  async findCustomer(asked: Asked<'findCustomer'>) {
    return createServiceFacts(this.env).findCustomer(asked);
  }

  async secretAges(seen: Asked<'secretAges'>) {
    return createServiceFacts(this.env).secretAges(seen);
  }

  async publishedEnds() {
    return createServiceFacts(this.env).publishedEnds();
  }

  async publishedSites(asked: Asked<'publishedSites'>) {
    return createServiceFacts(this.env).publishedSites(asked);
  }

  async publishedReports(asked: Asked<'publishedReports'>) {
    return createServiceFacts(this.env).publishedReports(asked);
  }

  async cardPurchases(asked: Parameters<CardFactsPort['cardPurchases']>[0]) {
    return createCardFacts(this.env).cardPurchases(asked);
  }

  async cardPurchase(asked: Parameters<CardFactsPort['cardPurchase']>[0]) {
    return createCardFacts(this.env).cardPurchase(asked);
  }

  async cardsOwed() {
    return createCardFacts(this.env).cardsOwed();
  }

  async chooseLimits(limits: ServiceLimits): Promise<void> {
    await storeLimits(this.env, limits);
  }
}

/** How far a run is that the register saw begin: its own object knows. */
async function present(env: Env, run: RunRecord): Promise<RunSummary> {
  try {
    const object = env.VISIBILITY_RUN.getByName(run.object) as unknown as VisibilityRunObject; // The class implements it.
    const progress = await object.next(run.runId, -1);
    if (progress === undefined) return buildRunSummary(run, { state: 'lost' });
    const { answered, refused, failed, ended } = progress;
    if (!ended) return buildRunSummary(run, { answered, refused, failed });
    const state = classifyRun(
      Array.from({ length: answered }, () => ({ status: 'answered' as const })),
      run.total,
    );
    return buildRunSummary(run, { answered, refused, failed: run.total - answered - refused, state });
  } catch (error) {
    logLine({ event: 'run_not_read', name: getErrorName(error) });
    return buildRunSummary(run, { state: 'not_read' });
  }
}

function buildRunSummary({ object: _object, ...run }: RunRecord, now: Partial<RunSummary>): RunSummary {
  return { ...run, ...now };
}

const getErrorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
