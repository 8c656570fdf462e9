import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { unstable_readConfig as readConfig } from 'wrangler';
import { API_RESOURCES } from '../local/worker.ts';

const WRANGLER_TOML = fileURLToPath(new URL('../wrangler.toml', import.meta.url));

/** Thirty prompts are five batches of six, handed on at once, asked three times at most, and never lost in silence. */
const PRODUCERS = [
  { binding: 'PROMPTS', queue: 'sightline-prompts' },
  { binding: 'PROMPTS_DLQ', queue: 'sightline-prompts-dlq' },
];
const CONSUMERS = [
  {
    queue: 'sightline-prompts',
    max_batch_size: 6,
    max_batch_timeout: 0,
    max_retries: 2,
    dead_letter_queue: 'sightline-prompts-dlq',
  },
  { queue: 'sightline-prompts-dlq', max_batch_size: 30, max_batch_timeout: 1, max_retries: 2 },
];

test.each([
  ['on this machine', undefined],
  ['of the deployment', 'production'],
])(
  'the queues %s, as wrangler reads them: batches of 6 without a wait, 2 retries, then the dead letters',
  (_of, env) => {
    const { queues } = readConfig({ config: WRANGLER_TOML, env });
    expect(queues).toEqual({ producers: PRODUCERS, consumers: CONSUMERS });
  },
);

test('the queues of the local Worker are those', () => {
  const { queueProducers, queueConsumers } = API_RESOURCES;
  expect(Object.entries(queueProducers).map(([binding, { queueName: queue }]) => ({ binding, queue }))).toEqual(
    PRODUCERS,
  );
  const consumers = Object.entries(queueConsumers).map(([queue, settings]) => {
    const { maxBatchSize, maxBatchTimeout, maxRetries, ...rest } = settings;
    return {
      queue,
      max_batch_size: maxBatchSize,
      max_batch_timeout: maxBatchTimeout,
      max_retries: maxRetries,
      ...('deadLetterQueue' in rest ? { dead_letter_queue: rest.deadLetterQueue } : {}),
    };
  });
  expect(consumers).toEqual(CONSUMERS);
});
