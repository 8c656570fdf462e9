import * as z from 'zod';
import { generateRandomHex } from '../../../src/lib/digest.ts';
import { getErrorName } from '../../../src/lib/errors.ts';
import { runForEach } from '../../../src/lib/concurrency.ts';
import { MINUTE_MS } from '../../../src/lib/time.ts';
import { readMonitorOfRun } from '../../../src/monitors/book/ids.ts';
import { MONITOR_SHARDS } from '../../../src/monitors/core/monitor.ts';
import type {
  DeliveryOrder,
  AlertDeliveryResult,
  MonitorMessage,
  MonitorShardObject,
} from '../../../src/monitors/core/protocol.ts';
import type { RunOrder, RunResult } from '../../../src/monitors/core/run.ts';
import { CRON_TASK, logLine, observeTask, queueTask, selectTelemetryPort } from '../../shared/telemetry.ts';
import type { RequestScope } from './composition.ts';
import { registerDeadLetters } from './console/console-counters.ts';
import { type Env, readSettings } from './env.ts';
import { dropKeptReports } from './monitor-runs.ts';
import { createMonitorShards, listMonitorShards, openMonitorShard } from './monitor-shards.ts';

/** How the queue of each environment begins whose messages could not be handled. */
const DEAD_LETTERS = 'sightline-monitors-dlq';
/** Wait before a message whose object could not be reached comes again, in seconds. */
const UNREACHABLE_RETRY_S = 10;
/** Wait before the next attempt at a run in which ours failed. */
const FAULT_AGAIN_S = 300;
/** The hold of an attempt is renewed after this time, for at most so long: a consumer lives 15 minutes. */
const RENEW_MS = 30_000;
const MAX_HOLD_MS = 14 * MINUTE_MS;
/** Shards that the cron sweeps at a time. */
const SHARDS_AT_ONCE = 4;
const MAX_ID_CHARS = 80;
const REQUEST_ID_BYTES = 8;

/** What a run and a delivery are, apart from the book that they are written in. */
export type MonitorWork = {
  execute: (order: RunOrder) => Promise<RunResult>;
  deliver: (order: DeliveryOrder) => Promise<AlertDeliveryResult>;
};

const shard = z
  .int()
  .min(0)
  .max(MONITOR_SHARDS - 1);
const id = z.string().min(1).max(MAX_ID_CHARS);
const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), shard, monitorId: id, runId: id }),
  z.object({ kind: z.literal('deliver'), shard, deliveryId: id }),
]) satisfies z.ZodType<MonitorMessage>;

type OpenMonitorWork = (scope: RequestScope) => MonitorWork;

/**
 * The consumer of both queues. Every message is judged for itself, and says a name only: what it is for is in the object, which
 * lets one attempt at a time have it. What is lost, the object sends again.
 */
export function createMonitorsConsumer(openWork: OpenMonitorWork) {
  const consume = async (batch: MessageBatch, env: Env, context: ExecutionContext | undefined): Promise<void> => {
    if (batch.queue.startsWith(DEAD_LETTERS)) return countDeadLetters(batch, env);
    const work = openWork(buildTaskScope(env, context));
    await Promise.all(batch.messages.map((message) => handle(message, env, work)));
  };
  return (batch: MessageBatch, env: Env, context?: ExecutionContext): Promise<void> =>
    observeTask(queueTask(batch), getTelemetry(env), context, () => consume(batch, env, context));
}

/** Each few minutes: what alarms should have done and did not. A shard that fails holds up no other. */
export function runMonitorsCron(_controller: unknown, env: Env, context?: ExecutionContext): Promise<void> {
  return observeTask(CRON_TASK, getTelemetry(env), context, () =>
    runForEach(listMonitorShards(env), SHARDS_AT_ONCE, async ([number, object]) => {
      try {
        const { monitors, ...swept } = await object.sweep();
        await dropKeptReports(object, env);
        if (swept.queued + swept.again + swept.failed > 0)
          logLine({ event: 'monitors_swept', shard: number, monitors, ...swept });
      } catch (error) {
        logLine({ event: 'monitors_not_swept', shard: number, name: getErrorName(error) });
      }
    }),
  );
}

const getTelemetry = (env: Env) =>
  ({ service: 'api', port: selectTelemetryPort(readSettings(env).TELEMETRY, env.TELEMETRY_QUEUE) }) as const;

/** What is sold in a run has no request that brought it. */
const buildTaskScope = (env: Env, context: ExecutionContext | undefined): RequestScope => ({
  env,
  settings: readSettings(env),
  requestId: generateRandomHex(REQUEST_ID_BYTES),
  waitUntil: (promise) => context?.waitUntil(promise),
});

/** A dead run is in its object, whose alarm sends it again; here it is counted for the operator. */
async function countDeadLetters(batch: MessageBatch, env: Env): Promise<void> {
  const fresh = batch.messages.filter(({ attempts }) => attempts === 1).length;
  if (fresh > 0) await registerDeadLetters(env, logLine, fresh);
  batch.ackAll();
}

async function handle(message: Message, env: Env, work: MonitorWork): Promise<void> {
  const read = messageSchema.safeParse(message.body);
  const object = read.success ? findObject(read.data, env) : undefined;
  if (!read.success || object === undefined) {
    logLine({ event: 'monitor_message_unreadable' });
    return message.ack();
  }
  try {
    if (read.data.kind === 'run') await performRun(read.data.runId, object, work);
    else await performDelivery(read.data.deliveryId, object, work);
    message.ack();
  } catch (error) {
    logLine({ event: 'monitor_message_not_handled', kind: read.data.kind, name: getErrorName(error) });
    message.retry({ delaySeconds: UNREACHABLE_RETRY_S });
  }
}

/** The object of a message; undefined for a run that is not of the monitor that it names. */
function findObject(message: MonitorMessage, env: Env): MonitorShardObject | undefined {
  if (message.kind === 'deliver') return openMonitorShard(env, message.shard);
  const isOfMonitor = readMonitorOfRun(message.runId) === message.monitorId;
  return isOfMonitor ? createMonitorShards(env)?.ofMonitor(message.monitorId) : undefined;
}

async function performRun(runId: string, object: MonitorShardObject, work: MonitorWork): Promise<void> {
  const order = await object.begin(runId);
  if (order === undefined) return;
  const hold = keepHold(() => object.renew(runId, order.attempt));
  let result: RunResult;
  try {
    result = await work.execute(order);
  } catch (error) {
    // Ours, not the site's: what the attempt bought, the next one finds.
    logLine({ event: 'monitor_run_threw', attempt: order.attempt, name: getErrorName(error) });
    result = { state: 'again', reason: 'fault', afterS: FAULT_AGAIN_S };
  } finally {
    hold.end();
  }
  const isWritten = await object.finish(runId, order.attempt, result);
  if (!isWritten) logLine({ event: 'monitor_run_superseded', attempt: order.attempt });
}

async function performDelivery(deliveryId: string, object: MonitorShardObject, work: MonitorWork): Promise<void> {
  const order = await object.beginDelivery(deliveryId);
  if (order === undefined) return;
  let result: AlertDeliveryResult;
  try {
    result = await work.deliver(order);
  } catch (error) {
    logLine({ event: 'monitor_delivery_threw', attempt: order.attempt, name: getErrorName(error) });
    result = { is: 'again', outcome: 'fault' };
  }
  await object.finishDelivery(deliveryId, order.attempt, result);
}

/** Renews the hold of an attempt until it ends, or another attempt has it. */
function keepHold(renew: () => Promise<boolean>): { end: () => void } {
  const endMs = Date.now() + MAX_HOLD_MS;
  const end = (): void => clearInterval(timer);
  const renewOnce = async (): Promise<void> => {
    try {
      if (Date.now() > endMs || !(await renew())) end();
    } catch (error) {
      logLine({ event: 'monitor_hold_not_renewed', name: getErrorName(error) });
    }
  };
  const timer = setInterval(() => void renewOnce(), RENEW_MS);
  return { end };
}
