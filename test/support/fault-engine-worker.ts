import { VisibilityRun as SoundRun } from '../../durable-objects/visibility-run.ts';
import { createApp } from '../../routes/app.ts';
import { promptsQueue } from '../../routes/prompts-queue.ts';
import { loopbackExcept } from '../../src/net/address-policy.ts';
import type { AnswerEngine, Prompt } from '../../src/visibility/answer.ts';
import type { PromptMessage } from '../../src/visibility/run.ts';

export { EngineMeter } from '../../durable-objects/engine-meter.ts';
export { PaymentLedger } from '../../durable-objects/payment-ledger.ts';
export { TargetGate } from '../../durable-objects/target-gate.ts';

type RunEnv = { PROMPTS: Queue<PromptMessage> };

/** Every tenth message comes twice. */
function doubling(queue: Queue<PromptMessage>): Queue<PromptMessage> {
  return {
    metrics: () => queue.metrics(),
    send: (body: PromptMessage) => queue.send(body),
    sendBatch: (batch: Iterable<{ body: PromptMessage }>) =>
      queue.sendBatch(Array.from(batch).flatMap((one) => (one.body.prompt.index % 10 === 3 ? [one, one] : [one]))),
  };
}

/** The real object over a queue that doubles messages. */
export class VisibilityRun extends SoundRun {
  constructor(state: DurableObjectState, env: RunEnv) {
    super(state, { ...env, PROMPTS: doubling(env.PROMPTS) });
  }
}

const calls = new Map<string, number>();

/**
 * An engine that fails as the niche says: `throws` throws for every fifth prompt, `hang` never answers prompt 7,
 * `busy` answers 503 to the first call for every fifth prompt, `slow` takes 400 ms.
 */
const faulty: AnswerEngine = {
  kind: 'simulated',
  model: 'faulty-1',
  answer: async (prompt: Prompt) => {
    const has = (word: string): boolean => prompt.text.includes(word);
    const nth = (calls.get(prompt.text) ?? 0) + 1;
    calls.set(prompt.text, nth);
    if (has('throws') && prompt.index % 5 === 0) throw new Error('the engine broke');
    if (has('hang') && prompt.index === 7) return new Promise(() => {});
    if (has('busy') && prompt.index % 5 === 0 && nth === 1)
      return { ok: false, reason: 'unavailable', detail: 'status 503', retryable: true };
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
  policy: () => loopbackExcept([]),
  local: true,
  engines: { faulty: () => ({ ok: true as const, engine: faulty }) },
};

export default { fetch: createApp(options).fetch, queue: promptsQueue(options) };
