import type { NotRead, QueueDepth, Queues, ReadResult } from '../../../src/console-api/operations.ts';
import { computeFirstDay } from '../../../src/payment/ledger/totals.ts';
import { DEAD_LETTER_DAYS } from '../../../src/visibility/run/run-register.ts';
import { logLine } from '../../shared/telemetry.ts';
import { readRegisters } from './console/console-counters.ts';
import type { Env } from './env.ts';

/** How much waits in the queues of this Worker, and what could not be delivered. */
export async function readQueues(env: Env): Promise<Queues> {
  const [queues, deadLetters] = await Promise.all([
    Promise.all(listQueues(env).map(([name, queue]) => readQueueDepth(name, queue))),
    readOr('dead_letters', async () => ({
      days: await readRegisters(env).listDeadLetters(computeFirstDay(DEAD_LETTER_DAYS, Date.now())),
    })),
  ]);
  return { queues, deadLetters };
}

/** Of a deployment from before, without the queues of further engines of a panel or of monitors, those that it has. */
const listQueues = (env: Env): readonly [string, Queue][] => [
  ...listPromptQueues(env),
  ...listBound('monitors', env.MONITOR_RUNS),
  ...listBound('monitors, undeliverable', env.MONITOR_RUNS_DLQ),
];

const listBound = (name: string, queue: Queue | undefined): readonly [string, Queue][] =>
  queue === undefined ? [] : [[name, queue]];

const listPromptQueues = (env: Env): readonly [string, Queue][] => [
  ['prompts', env.PROMPTS],
  ...[env.PROMPTS_2, env.PROMPTS_3, env.PROMPTS_4].flatMap((queue, at) =>
    listBound(`prompts, engine ${at + 2} of a panel`, queue),
  ),
  ['prompts, undeliverable', env.PROMPTS_DLQ],
];

async function readQueueDepth(name: string, queue: Queue): Promise<QueueDepth> {
  const depth = await readOr('queue_depth', async () => {
    const { backlogCount: messages, backlogBytes: bytes, oldestMessageTimestamp: oldest } = await queue.metrics();
    return { messages, bytes, ...(oldest === undefined ? {} : { oldestAtMs: new Date(oldest).getTime() }) };
  });
  return { name, ...depth };
}

/** What was read, or that it could not be read. */
export async function readOr<T extends object>(what: string, read: () => Promise<T>): Promise<ReadResult<T> | NotRead> {
  try {
    return { read: true, ...(await read()) };
  } catch (error) {
    logLine({ event: 'operations_not_read', what, name: error instanceof Error ? error.name : typeof error });
    return { read: false };
  }
}
