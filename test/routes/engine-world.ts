import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Answer, AnswerFailure, Prompt } from '../../src/visibility/answer.ts';
import { consumePrompt } from '../../src/visibility/consume.ts';
import type { PromptMessage } from '../../src/visibility/run.ts';

/** What a test decides about the engine behind the queue, and what it saw of it. */
export type EngineWorld = {
  answer: (prompt: Prompt) => Promise<Answer | AnswerFailure> | Answer | AnswerFailure;
  /** Messages that were put into the queue. */
  sent: PromptMessage[];
  /** Prompts that the engine was asked. */
  asked: Prompt[];
  /** While true, messages wait in the queue. */
  hold: boolean;
  /** Delivers what waits. */
  deliver: () => Promise<void>;
};

export const saying = (text: string): Answer => ({
  ok: true,
  text,
  servedModel: 'model-of-the-day',
  finishReason: 'stop',
  citations: undefined,
  usage: { inputTokens: undefined, outputTokens: undefined },
});
export const failing: AnswerFailure = { ok: false, reason: 'refused', detail: 'status 400', retryable: false };

/** Takes the place of the queue: its messages are consumed here, by the consumer's own code. */
export function engineWorld(): EngineWorld {
  const waiting: PromptMessage[] = [];
  const world: EngineWorld = {
    answer: () => saying('1. **Acme**: a fine choice.\n2. **Rival One**: also good.'),
    sent: [],
    asked: [],
    hold: false,
    deliver: async () => {
      await Promise.all(waiting.splice(0).map((message) => consumed(world, message)));
    },
  };
  const queue = Object.getPrototypeOf(env.PROMPTS) as {
    sendBatch: (batch: Iterable<{ body: PromptMessage }>) => unknown;
  };
  vi.spyOn(queue, 'sendBatch').mockImplementation((batch) => {
    const messages = Array.from(batch, ({ body }) => body);
    world.sent.push(...messages);
    waiting.push(...messages);
    if (!world.hold) setTimeout(() => void world.deliver(), 0);
    return Promise.resolve({});
  });
  return world;
}

async function consumed(world: EngineWorld, message: PromptMessage): Promise<void> {
  await consumePrompt(message, 1, {
    engine: {
      kind: 'simulated',
      model: 'simulated-1',
      answer: async (prompt) => {
        world.asked.push(prompt);
        return world.answer(prompt);
      },
    },
    runOf: (object) => env.VISIBILITY_RUN.getByName(object),
    now: Date.now,
    random: () => 0,
    log: () => {},
  });
}

export type Event = { event: string; data: Record<string, unknown> };

/** The events of a stream, once it has ended. */
export async function eventsOf(response: Response): Promise<readonly Event[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
      return { event, data: JSON.parse(data) as Record<string, unknown> };
    });
}
