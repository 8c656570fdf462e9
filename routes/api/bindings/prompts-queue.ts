import {
  consumePrompt,
  type ConsumeTools,
  hasEndedConsumer,
  recordUndelivered,
} from '../../../src/visibility/run/consume.ts';
import type { VisibilityRunObject } from '../../../src/visibility/run/run.ts';
import type { AppOptions } from '../context.ts';
import { logLine, observeTask, selectTelemetryPort, queueTask } from '../../shared/telemetry.ts';
import { getAnswerEngines, getClassifier } from './engine.ts';
import { type Env, readSettings } from './env.ts';
import { registerDeadLetters } from './console/console-counters.ts';

/** How the queue of each environment begins whose messages could not be handled; every other one holds prompts. */
const DEAD_LETTERS = 'sightline-prompts-dlq';
/** Wait before a message whose run could not be reached comes again, in seconds. */
const UNREACHABLE_RETRY_S = 1;

/** The consumer of both queues. Every message is judged for itself: one that fails does not bring the others back. */
export function createPromptsConsumer(options: Pick<AppOptions, 'engines' | 'classify'>) {
  const consume = async (batch: MessageBatch, env: Env): Promise<void> => {
    const configured = getAnswerEngines(env, options);
    const engines = configured.ok ? configured.engines : [];
    const tools: Tools = {
      engineOf: (name) => (name === undefined ? engines[0] : engines.find((one) => one.name === name)),
      classify: getClassifier(env, options),
      runOf: (object) => env.VISIBILITY_RUN.getByName(object) as unknown as VisibilityRunObject, // The class implements it.
      now: Date.now,
      random: Math.random,
      log: logLine,
    };
    const isDead = batch.queue.startsWith(DEAD_LETTERS);
    const suspects = createSerialTurns();
    await Promise.all(
      batch.messages.map((message) => (isDead ? handleDeadLetter(message, tools) : handle(message, tools, suspects))),
    );
    // Those that come again were counted at their first coming.
    const fresh = isDead ? batch.messages.filter(({ attempts }) => attempts === 1).length : 0;
    if (fresh > 0) await registerDeadLetters(env, logLine, fresh);
  };
  return (batch: MessageBatch, env: Env, context?: ExecutionContext): Promise<void> => {
    const port = selectTelemetryPort(readSettings(env).TELEMETRY, env.TELEMETRY_QUEUE);
    return observeTask(queueTask(batch), { service: 'api', port }, context, () => consume(batch, env));
  };
}

type Tools = ConsumeTools & { runOf: (object: string) => VisibilityRunObject };
type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** One after the other. */
function createSerialTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // Its own caller hears of it.
    return mine;
  };
}

/** Messages whose consumer died go one at a time: the one that ends it again takes no other with it. */
async function handle(message: Message, tools: Tools, suspects: Turns): Promise<void> {
  try {
    const consume = () => consumePrompt(message.body, message.attempts, tools);
    const isSuspect = message.attempts > 1 && (await hasEndedConsumer(message.body, tools.runOf));
    const disposal = await (isSuspect ? suspects(consume) : consume());
    if (disposal.done) message.ack();
    else message.retry({ delaySeconds: disposal.delayS });
  } catch (error) {
    tools.log({ event: 'prompt_not_recorded', name: error instanceof Error ? error.name : typeof error });
    message.retry({ delaySeconds: UNREACHABLE_RETRY_S });
  }
}

async function handleDeadLetter(message: Message, tools: ConsumeTools): Promise<void> {
  try {
    await recordUndelivered(message.body, tools);
    message.ack();
  } catch (error) {
    tools.log({ event: 'prompt_not_buried', name: error instanceof Error ? error.name : typeof error });
    message.retry({ delaySeconds: UNREACHABLE_RETRY_S });
  }
}
