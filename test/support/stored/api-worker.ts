import { env } from 'cloudflare:workers';
import type { DirectOrder } from './direct-order.ts';
import { alarmsByOurClock } from './worker-clock.ts';
import * as worker from '../../../local/api-worker.ts';

/** The api Worker of the local stack, at the time of the recording. */
export * from '../../../local/api-worker.ts';

alarmsByOurClock(worker);

type Bindings = Parameters<typeof worker.default.queue>[1];
type Methods = Record<string, (...args: readonly unknown[]) => Promise<unknown>>;

/** A recording keeps the prompts of runs from this index on: the queue of a local stack is gone with its process. */
const keptFrom = Number(Reflect.get(env, 'KEEP_PROMPTS_FROM') ?? Number.POSITIVE_INFINITY);
const kept: unknown[] = [];
let consumed = 0;

const isKept = ({ body }: Message): boolean => (body as { prompt: { index: number } }).prompt.index >= keptFrom;

async function consume(batch: MessageBatch, bindings: Bindings, context?: ExecutionContext): Promise<void> {
  const isPrompts = batch.queue === 'sightline-prompts';
  const [held, passed] = [true, false].map((wanted) =>
    batch.messages.filter((message) => (isPrompts && isKept(message)) === wanted),
  ) as [Message[], Message[]];
  for (const message of held) {
    kept.push(message.body);
    message.ack();
  }
  const rest: MessageBatch = {
    queue: batch.queue,
    metadata: batch.metadata,
    messages: passed,
    ackAll: () => batch.ackAll(),
    retryAll: (options) => batch.retryAll(options),
  };
  if (passed.length > 0) await worker.default.queue(rest, bindings, context);
  if (isPrompts) consumed += passed.length;
}

/** What no route of the service does: a call of one of its objects, messages of its queues, a list of its files. */
async function answerDirectly(request: Request, bindings: Bindings): Promise<unknown> {
  const order = (await request.json()) as DirectOrder;
  switch (order.do) {
    case 'call': {
      const object: unknown = bindings[order.binding].getByName(order.name);
      const result = await (object as Methods)[order.method]?.(...order.args);
      return result ?? null;
    }
    case 'send':
      await bindings[order.queue].sendBatch(order.bodies.map((body) => ({ body })) as MessageSendRequest<never>[]);
      return null;
    case 'prompts':
      return { kept, consumed };
    case 'reports':
      return (await bindings.REPORTS.list()).objects.map(({ key }) => key);
  }
}

export default {
  fetch: async (request: Request, bindings: Bindings, context: ExecutionContext): Promise<Response> =>
    new URL(request.url).pathname === '/stored'
      ? Response.json(await answerDirectly(request, bindings))
      : worker.default.fetch(request, bindings, context),
  queue: consume,
};
