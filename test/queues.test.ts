import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import { API_RESOURCES, CONTROL_RESOURCES, WEBHOOK_RESOURCES } from '../local/worker-resources-data.ts';
import { BACKOFF_S } from '../src/management/watch/outbox.ts';

const WRANGLER_TOML = fileURLToPath(new URL('../wrangler.toml', import.meta.url));
const WEBHOOK_TOML = fileURLToPath(new URL('../wrangler.webhook.toml', import.meta.url));
const CONTROL_TOML = fileURLToPath(new URL('../wrangler.control.toml', import.meta.url));

/** Logs and spans on their way to the control Worker, which itself decides how often one comes again. */
const TELEMETRY = { binding: 'TELEMETRY_QUEUE', queue: 'sightline-telemetry' };
const TELEMETRY_CONSUMER = {
  queue: 'sightline-telemetry',
  max_batch_size: 20,
  max_batch_timeout: 1,
  max_retries: 100,
};

/** Thirty prompts are five batches of six, handed on at once, asked three times at most, and never lost in silence. */
const PRODUCERS = [
  { binding: 'PROMPTS', queue: 'sightline-prompts' },
  { binding: 'PROMPTS_2', queue: 'sightline-prompts-2' },
  { binding: 'PROMPTS_3', queue: 'sightline-prompts-3' },
  { binding: 'PROMPTS_4', queue: 'sightline-prompts-4' },
  { binding: 'PROMPTS_DLQ', queue: 'sightline-prompts-dlq' },
  { binding: 'MONITOR_RUNS', queue: 'sightline-monitors' },
  { binding: 'MONITOR_RUNS_DLQ', queue: 'sightline-monitors-dlq' },
  TELEMETRY,
];
const CONSUMERS = [
  ...['sightline-prompts', 'sightline-prompts-2', 'sightline-prompts-3', 'sightline-prompts-4'].map((queue) => ({
    queue,
    max_batch_size: 6,
    max_batch_timeout: 0,
    max_retries: 2,
    dead_letter_queue: 'sightline-prompts-dlq',
  })),
  { queue: 'sightline-prompts-dlq', max_batch_size: 30, max_batch_timeout: 1, max_retries: 2 },
  {
    queue: 'sightline-monitors',
    max_batch_size: 1,
    max_batch_timeout: 0,
    max_retries: 3,
    dead_letter_queue: 'sightline-monitors-dlq',
  },
  { queue: 'sightline-monitors-dlq', max_batch_size: 30, max_batch_timeout: 1, max_retries: 2 },
];

const ENVIRONMENTS = [
  ['of `wrangler dev`', undefined, '-dev'],
  ['of staging', 'staging', '-staging'],
  ['of production', 'production', ''],
] as const;

/** The queues of a configuration; the end of an environment's names is left out. */
function readQueues(config: string, env: string | undefined, suffix: string): unknown {
  const { queues } = readConfig({ config, env });
  return JSON.parse(JSON.stringify(queues).replaceAll(`${suffix}"`, '"'));
}

test.each(ENVIRONMENTS)(
  'the queues %s, as wrangler reads them: batches of 6 without a wait, 2 retries, then the dead letters',
  (_of, env, suffix) => {
    expect(readQueues(WRANGLER_TOML, env, suffix)).toEqual({ producers: PRODUCERS, consumers: CONSUMERS });
  },
);

test.each(ENVIRONMENTS)('the cron %s that looks after the schedule of monitors', (_of, env) => {
  expect(readConfig({ config: WRANGLER_TOML, env }).triggers.crons).toEqual(['*/5 * * * *']);
});

/** Notifications go out at once; a message comes back as often as an object lets it (BACKOFF_S), and one more time. */
const PUSH_PRODUCERS = [{ binding: 'PUSH', queue: 'sightline-push' }];
const PUSH_CONSUMERS = [
  { queue: 'sightline-push', max_batch_size: 10, max_batch_timeout: 0, max_retries: 10 },
  TELEMETRY_CONSUMER,
];

test.each(ENVIRONMENTS)(
  'the queue of push notifications %s: batches of 10 without a wait, 10 retries',
  (_of, env, suffix) => {
    expect(readQueues(CONTROL_TOML, env, suffix)).toEqual({ producers: PUSH_PRODUCERS, consumers: PUSH_CONSUMERS });
    expect(BACKOFF_S.length).toBeLessThan(10);
  },
);

/** A wake-up that is lost costs nothing: inboxes know what is due. */
const WAKE_PRODUCERS = [{ binding: 'WAKE', queue: 'sightline-wake' }, TELEMETRY];
const WAKE_CONSUMERS = [{ queue: 'sightline-wake', max_batch_size: 100, max_batch_timeout: 0, max_retries: 1 }];

test.each(ENVIRONMENTS)(
  'the queue of wake-ups %s, and the cron of each minute that replaces it',
  (_of, env, suffix) => {
    const { triggers } = readConfig({ config: WEBHOOK_TOML, env });
    expect(readQueues(WEBHOOK_TOML, env, suffix)).toEqual({ producers: WAKE_PRODUCERS, consumers: WAKE_CONSUMERS });
    expect(triggers.crons).toEqual(['* * * * *']);
  },
);

test.each([
  ['webhook', WEBHOOK_RESOURCES, WAKE_PRODUCERS, WAKE_CONSUMERS],
  ['api', API_RESOURCES, PRODUCERS, CONSUMERS],
  ['control', CONTROL_RESOURCES, PUSH_PRODUCERS, PUSH_CONSUMERS],
])('the queues of the local %s Worker are those', (_name, { queueProducers, queueConsumers }, producers, consumers) => {
  expect(Object.entries(queueProducers).map(([binding, { queueName: queue }]) => ({ binding, queue }))).toEqual(
    producers,
  );
  const local = Object.entries(queueConsumers).map(([queue, settings]) => {
    const { maxBatchSize, maxBatchTimeout, maxRetries, ...rest } = settings;
    return {
      queue,
      max_batch_size: maxBatchSize,
      max_batch_timeout: maxBatchTimeout,
      max_retries: maxRetries,
      ...('deadLetterQueue' in rest ? { dead_letter_queue: rest.deadLetterQueue } : {}),
    };
  });
  expect(local).toEqual(consumers);
});
