import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Account, type Bucket, type Consumer, findLiveVersion, makeDate, makeTag, type Queue } from './account.ts';
import { type ApiCall, type ApiRoute, ListedAnswer, readJson } from './calls.ts';
import { RefusedCall } from './refusals-data.ts';

const FREE_RETENTION_S = 86_400;
/** Queues of one page of a list. */
const PAGE = 100;
const queueSchema = z.object({ queue_name: z.string(), settings: z.record(z.string(), z.unknown()).default({}) });
const consumerSchema = z.object({
  type: z.literal('worker'),
  script_name: z.string(),
  dead_letter_queue: z.string().optional(),
  settings: z.record(z.string(), z.unknown()).default({}),
});

const listProducers = (account: Account, name: string): readonly { script: string; type: string }[] =>
  [...account.scripts.values()]
    .filter((script) => findLiveVersion(script)?.bindings.some(({ queue_name }) => queue_name === name))
    .map((script) => ({ script: script.name, type: 'worker' }));

const showConsumer = ({ script, ...consumer }: Consumer, queue: Queue) => ({
  ...consumer,
  type: 'worker',
  script,
  service: script,
  environment: 'production',
  queue_name: queue.queue_name,
});

function showQueue(account: Account, queue: Queue) {
  const producers = listProducers(account, queue.queue_name);
  return {
    ...queue,
    modified_on: queue.created_on,
    producers,
    producers_total_count: producers.length,
    consumers: queue.consumers.map((consumer) => showConsumer(consumer, queue)),
    consumers_total_count: queue.consumers.length,
  };
}

function listQueues({ account, query }: ApiCall): ListedAnswer {
  const names = query.getAll('name');
  const found = account.queues.filter(({ queue_name }) => names.length === 0 || names.includes(queue_name));
  const page = Number(query.get('page') ?? '1');
  const shown = found.slice((page - 1) * PAGE, page * PAGE).map((queue) => showQueue(account, queue));
  return new ListedAnswer(shown, { page, total_pages: Math.ceil(found.length / PAGE) });
}

function createQueue(call: ApiCall) {
  const { account } = call;
  const { queue_name, settings } = queueSchema.parse(readJson(call));
  if (account.queues.some((queue) => queue.queue_name === queue_name))
    throw new RefusedCall('queueTaken', [queue_name]);
  const retention = settings['message_retention_period'];
  if (account.plan === 'free' && typeof retention === 'number' && retention > FREE_RETENTION_S)
    throw new RefusedCall('queueRetention');
  const queue = { queue_id: makeTag(), queue_name, created_on: makeDate(), settings, consumers: [] };
  account.queues.push(queue);
  return showQueue(account, queue);
}

function findQueue({ account, names }: ApiCall): Queue {
  const queue = account.queues.find(({ queue_id }) => queue_id === names[1]);
  if (queue === undefined) throw new RefusedCall('queueMissing', [names[1] ?? '']);
  return queue;
}

function deleteQueue(call: ApiCall): null {
  const { account } = call;
  const queue = findQueue(call);
  const isDeadLetter = account.queues.some(({ consumers }) =>
    consumers.some(({ dead_letter_queue: name }) => name === queue.queue_name),
  );
  if (isDeadLetter) throw new RefusedCall('queueIsDeadLetter', [queue.queue_name]);
  account.queues.splice(account.queues.indexOf(queue), 1);
  return null;
}

/** @throws RefusedCall for a Worker that is not there or has no handler, and a dead-letter queue that is not there */
function readConsumer(call: ApiCall): z.infer<typeof consumerSchema> {
  const consumer = consumerSchema.parse(readJson(call));
  const script = call.account.scripts.get(consumer.script_name);
  const live = script && findLiveVersion(script);
  if (live === undefined) throw new RefusedCall('scriptMissing');
  if (live.handlers.length > 0 && !live.handlers.includes('queue')) throw new RefusedCall('queueHandlerMissing');
  const deadLetters = consumer.dead_letter_queue;
  if (deadLetters !== undefined && !call.account.queues.some(({ queue_name }) => queue_name === deadLetters))
    throw new RefusedCall('queueMissing', [deadLetters]);
  return consumer;
}

function createConsumer(call: ApiCall) {
  const [queue, consumer] = [findQueue(call), readConsumer(call)];
  if (queue.consumers.length > 0) throw new RefusedCall('consumerExists');
  const made: Consumer = {
    consumer_id: randomUUID().replaceAll('-', ''),
    script: consumer.script_name,
    dead_letter_queue: consumer.dead_letter_queue,
    settings: consumer.settings,
  };
  queue.consumers.push(made);
  return showConsumer(made, queue);
}

function findConsumer(call: ApiCall, queue: Queue): Consumer {
  const found = queue.consumers.find(({ consumer_id }) => consumer_id === call.names[2]);
  if (found === undefined) throw new RefusedCall('queueMissing', [call.names[2] ?? '']);
  return found;
}

function replaceConsumer(call: ApiCall) {
  const queue = findQueue(call);
  const { dead_letter_queue, settings } = readConsumer(call);
  const consumer = Object.assign(findConsumer(call, queue), { dead_letter_queue, settings });
  return showConsumer(consumer, queue);
}

function deleteConsumer(call: ApiCall): null {
  const queue = findQueue(call);
  queue.consumers.splice(queue.consumers.indexOf(findConsumer(call, queue)), 1);
  return null;
}

/** What each new bucket has. It goes where rules are set without it. */
const DEFAULT_RULE = {
  id: 'Default Multipart Abort Rule',
  enabled: true,
  conditions: { prefix: '' },
  abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: 604_800 } },
};
const bucketSchema = z.object({ name: z.string() });
const rulesSchema = z.object({ rules: z.array(z.looseObject({ id: z.string() })) });

function checkR2({ account }: ApiCall): void {
  if (!account.hasR2) throw new RefusedCall('r2Off');
}

function createBucket(call: ApiCall): object {
  checkR2(call);
  const { name } = bucketSchema.parse(readJson(call));
  if (call.account.buckets.some((bucket) => bucket.name === name)) throw new RefusedCall('bucketTaken');
  call.account.buckets.push({ name, creation_date: makeDate(), rules: [DEFAULT_RULE] });
  return {};
}

function findBucket(call: ApiCall): Bucket {
  checkR2(call);
  const bucket = call.account.buckets.find(({ name }) => name === call.names[1]);
  if (bucket === undefined) throw new RefusedCall('bucketMissing');
  return bucket;
}

function putRules(call: ApiCall): object {
  const bucket = findBucket(call);
  const { rules } = rulesSchema.parse(readJson(call));
  const ids = rules.map(({ id }) => id);
  if (new Set(ids).size < ids.length)
    throw new RefusedCall('invalidScript', ['The lifecycle configuration has two rules of the same id.']);
  bucket.rules = rules;
  return {};
}

function listBuckets(call: ApiCall) {
  checkR2(call);
  return { buckets: call.account.buckets.map(({ name, creation_date }) => ({ name, creation_date })) };
}

const QUEUE = '/accounts/*/queues/*';
const BUCKET = '/accounts/*/r2/buckets/*';

/** Queues with their consumers, and R2 buckets with their lifecycle rules. */
export const RESOURCE_ROUTES: readonly ApiRoute[] = [
  ['GET', '/accounts/*/queues', listQueues],
  ['POST', '/accounts/*/queues', createQueue],
  ['GET', QUEUE, (call) => showQueue(call.account, findQueue(call))],
  ['DELETE', QUEUE, deleteQueue],
  ['GET', `${QUEUE}/consumers`, (call) => new ListedAnswer(showQueue(call.account, findQueue(call)).consumers)],
  ['POST', `${QUEUE}/consumers`, createConsumer],
  ['PUT', `${QUEUE}/consumers/*`, replaceConsumer],
  ['DELETE', `${QUEUE}/consumers/*`, deleteConsumer],
  ['GET', '/accounts/*/r2/buckets', listBuckets],
  ['POST', '/accounts/*/r2/buckets', createBucket],
  [
    'GET',
    BUCKET,
    (call) => {
      const { name, creation_date } = findBucket(call);
      return { name, creation_date, location: 'WEUR', storage_class: 'Standard' };
    },
  ],
  ['GET', `${BUCKET}/lifecycle`, (call) => ({ rules: findBucket(call).rules })],
  ['PUT', `${BUCKET}/lifecycle`, putRules],
];
