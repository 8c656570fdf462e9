import { WorkerEntrypoint } from 'cloudflare:workers';
import * as z from 'zod';
import { TRUST_OBJECT } from '../../../src/payment/facilitator/trust.ts';
import { MAX_LISTED, type LedgerReader, paymentStates } from '../../../src/payment/ledger/list.ts';
import {
  SHARDS,
  type Cursor,
  readEachShard,
  buildPaymentPage,
  parseCursor,
  buildShardQuery,
  surveyShards,
} from '../../../src/payment/ledger/survey.ts';
import { TOTALS_DAYS, computeFirstDay, openMerge } from '../../../src/payment/ledger/totals.ts';
import { MAX_RUNS_LISTED, type RunRecord } from '../../../src/visibility/run/run-register.ts';
import { classifyRun, type VisibilityRunObject } from '../../../src/visibility/run/run.ts';
import type { Env } from './env.ts';
import { logLine } from '../../shared/telemetry.ts';
import type {
  RunSummary,
  NotRead,
  OperationsPort,
  PaymentsPage,
  Queues,
  ReadResult,
  Revenue,
} from '../../../src/console-api/operations.ts';
import type { ServiceLimits } from '../../../src/rate-limits/service-limits.ts';
import { readRegisters } from './console-counters.ts';
import { readOr, readQueues } from './queue-depths.ts';
import { storeLimits } from './stored-limits.ts';

const revenueAsked = z.object({ days: z.int().min(1).max(TOTALS_DAYS) });
const paymentsAsked = z.object({
  state: z.enum(paymentStates).optional(),
  limit: z.int().min(1).max(MAX_LISTED),
  cursor: z.string().max(40).optional(),
});
const runsAsked = z.object({ limit: z.int().min(1).max(MAX_RUNS_LISTED) });
/** Runs in progress that are asked themselves how far they are. */
const MAX_RUNS_ASKED = 24;

/** What the operator's console shows of this Worker, for the control Worker by service binding. It changes nothing but limits. */
export class Operations extends WorkerEntrypoint<Env> implements OperationsPort {
  async revenue(asked: { days: number }): Promise<Revenue> {
    const { days } = revenueAsked.parse(asked);
    const since = computeFirstDay(days, Date.now());
    const merge = openMerge();
    const [unread, creditUses, facilitator] = await Promise.all([
      readEachShard(
        (name) => getLedgerShard(this.env, name).totals(since),
        (lines) => merge.add(lines),
      ),
      readOr('credit_uses', async () => ({ uses: await readRegisters(this.env).listCreditUses(since) })),
      readOr('facilitator_trust', async () => ({
        distrustedAtMs: await this.env.PAYMENT_LEDGER.getByName(TRUST_OBJECT).distrustedAtMs(),
      })),
    ]);
    return { days, firstDay: since, lines: merge.lines(), creditUses, facilitator, shards: SHARDS, unread };
  }

  async payments(asked: Parameters<OperationsPort['payments']>[0]): Promise<PaymentsPage | null> {
    const { state, limit, cursor } = paymentsAsked.parse(asked);
    const from: Cursor | undefined =
      cursor === undefined ? { atMs: Number.MAX_SAFE_INTEGER, shard: 0, skip: 0 } : parseCursor(cursor);
    if (from === undefined) return null;
    const survey = await surveyShards((name, shard) =>
      getLedgerShard(this.env, name).payments(buildShardQuery(shard, limit, state, from)),
    );
    return { ...(await buildPaymentPage(survey.found, limit, from)), shards: SHARDS, unread: survey.unread };
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

  async chooseLimits(limits: ServiceLimits): Promise<void> {
    await storeLimits(this.env, limits);
  }
}

/** Functions, since every method of the class could be called over the binding. */
const getLedgerShard = (env: Env, name: string): LedgerReader => env.PAYMENT_LEDGER.getByName(name);

/** How far a run is that the register saw begin: its own object knows. */
async function present(env: Env, run: RunRecord): Promise<RunSummary> {
  try {
    const object = env.VISIBILITY_RUN.getByName(run.object) as unknown as VisibilityRunObject; // The class implements it.
    const progress = await object.next(run.runId, -1);
    if (progress === undefined) return buildRunSummary(run, { state: 'lost' });
    const { answered, failed, ended } = progress;
    if (!ended) return buildRunSummary(run, { answered, failed });
    const state = classifyRun(Array.from({ length: answered }, () => ({ status: 'answered' as const })));
    return buildRunSummary(run, { answered, failed: run.total - answered, state });
  } catch (error) {
    logLine({ event: 'run_not_read', name: getErrorName(error) });
    return buildRunSummary(run, { state: 'not_read' });
  }
}

function buildRunSummary({ object: _object, ...run }: RunRecord, now: Partial<RunSummary>): RunSummary {
  return { ...run, ...now };
}

const getErrorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
