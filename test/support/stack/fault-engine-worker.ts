import { VisibilityRun as SoundRun } from '../../../durable-objects/visibility-run.ts';
import { createApp } from '../../../routes/api/app.ts';
import type { Env } from '../../../routes/api/bindings/env.ts';
import { createPromptsConsumer } from '../../../routes/api/bindings/prompts-queue.ts';
import { allowLoopbackExcept } from '../../../src/net/address-policy.ts';
import type { AnswerEngine, AnswerPrompt } from '../../../src/models/port.ts';
import { classifyAnswer } from '../../../src/visibility/refusals/refusals.ts';
import type { PromptMessage } from '../../../src/visibility/run/run.ts';

export { AuthorizationStore } from '../../../durable-objects/authorization-store.ts';
export { CreditAccount } from '../../../durable-objects/credit-account.ts';
export { EngineMeter } from '../../../durable-objects/engine-meter.ts';
export { McpSession } from '../../../durable-objects/mcp-session.ts';
export { McpSessionRegistry } from '../../../durable-objects/mcp-session-registry.ts';
export { PaymentLedger } from '../../../durable-objects/payment-ledger.ts';
export { TargetGate } from '../../../durable-objects/target-gate.ts';

type RunEnv = { PROMPTS: Queue<PromptMessage>; OPERATIONS_REGISTER: DurableObjectNamespace };

const comesTwice = ({ index }: AnswerPrompt): boolean => index % 10 === 3;

/** Every tenth message comes twice. */
function doubling(queue: Queue<PromptMessage>): Queue<PromptMessage> {
  return {
    metrics: () => queue.metrics(),
    send: (body: PromptMessage) => queue.send(body),
    sendBatch: (batch: Iterable<{ body: PromptMessage }>) =>
      queue.sendBatch(Array.from(batch).flatMap((one) => (comesTwice(one.body.prompt) ? [one, one] : [one]))),
  };
}

/** The real object over a queue that doubles messages. */
export class VisibilityRun extends SoundRun {
  constructor(state: DurableObjectState, env: RunEnv) {
    super(state, { ...env, PROMPTS: doubling(env.PROMPTS) });
  }
}

/** What became of one prompt since the Worker started: its messages by id, and the calls of the engine. */
type Fate = { index: number; messages: Set<string>; calls: number; calledTwice: PromiseWithResolvers<void> };

const fates = new Map<string, Fate>();
function fateOf({ text, index }: AnswerPrompt): Fate {
  const fate = fates.get(text) ?? { index, messages: new Set(), calls: 0, calledTwice: Promise.withResolvers() };
  fates.set(text, fate);
  return fate;
}

/** How long the second of two calls takes when the first is to be answered before it, in milliseconds. */
const SECOND_MS = 100;

/**
 * An engine that fails as the niche says: `throws` throws for every fifth prompt, `hang` never answers prompt 7,
 * `busy` answers 503 to the first call for every fifth prompt, `slow` takes 400 ms. With `doubled`, both messages of a
 * prompt that comes twice are asked: the first call is answered once the second was made, the second after that.
 */
const faulty: AnswerEngine = {
  kind: 'simulated',
  model: 'faulty-1',
  answer: async (prompt: AnswerPrompt) => {
    const has = (word: string): boolean => prompt.text.includes(word);
    const fate = fateOf(prompt);
    const nth = (fate.calls += 1);
    if (nth === 2) fate.calledTwice.resolve();
    if (has('throws') && prompt.index % 5 === 0) throw new Error('the engine broke');
    if (has('hang') && prompt.index === 7) return new Promise(() => {});
    if (has('busy') && prompt.index % 5 === 0 && nth === 1)
      return { ok: false, reason: 'unavailable', detail: 'status 503', retryable: true };
    if (has('doubled') && comesTwice(prompt) && nth === 1) await fate.calledTwice.promise;
    if (has('doubled') && comesTwice(prompt) && nth === 2)
      await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
    if (has('slow')) await new Promise((resolve) => setTimeout(resolve, 400));
    return {
      ok: true,
      text: `1. **Acme**: answer to prompt ${prompt.index}, call ${nth}.\n2. **Rival One**: another.`,
      servedModel: 'faulty-1',
      finishReason: 'stop',
      citations: undefined,
      usage: { inputTokens: undefined, outputTokens: undefined },
    };
  },
};

const options = {
  policy: () => allowLoopbackExcept([]),
  local: true,
  engines: { isLocal: true, factories: { faulty: () => ({ ok: true as const, engine: faulty }) } },
  classify: classifyAnswer,
};

const app = createApp(options);
const consume = createPromptsConsumer(options);

/** The fates of the prompts that name this niche, by their index. */
const report = (niche: string): Response =>
  Response.json(
    [...fates]
      .filter(([text]) => text.includes(niche))
      .map(([, { index, messages, calls }]) => ({ index, messages: messages.size, calls }))
      .toSorted((one, other) => one.index - other.index),
  );

export default {
  fetch: (request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    return pathname === '/fates' ? report(searchParams.get('niche') ?? '') : app.fetch(request, env, context);
  },
  queue: (batch: MessageBatch<PromptMessage>, env: Env): Promise<void> => {
    for (const { id, body } of batch.messages) fateOf(body.prompt).messages.add(id);
    return consume(batch, env);
  },
};
