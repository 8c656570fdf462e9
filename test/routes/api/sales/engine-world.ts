import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import type { AnswerPrompt, EngineAnswer, AnswerFailure } from '../../../../src/models/port.ts';
import { classifyAnswer } from '../../../../src/visibility/refusals/refusals.ts';
import { consumePrompt } from '../../../../src/visibility/run/consume.ts';
import type { PromptMessage } from '../../../../src/visibility/run/run.ts';
import { post, signedCredential } from '../world.ts';

/** What a test decides about the engine behind the queue, and what it saw of it. */
export type EngineWorld = {
  answer: (
    prompt: AnswerPrompt,
    engine?: string,
  ) => Promise<EngineAnswer | AnswerFailure> | EngineAnswer | AnswerFailure;
  /** Messages that were put into the queue. */
  sent: PromptMessage[];
  /** Prompts that the engine was asked. */
  asked: AnswerPrompt[];
  /** While true, messages wait in the queue. */
  hold: boolean;
  /** Delivers what waits, or so many messages of it. */
  deliver: (count?: number) => Promise<void>;
};

export const saying = (text: string): EngineAnswer => ({
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
  // Its word lists come with the first answer, in the middle of another request, where the test runner loads no modules.
  classifyAnswer('Acme.', { prompt: '', language: 'en', niche: '' });
  const waiting: PromptMessage[] = [];
  const world: EngineWorld = {
    answer: () => saying('1. **Acme**: a fine choice.\n2. **Rival One**: also good.'),
    sent: [],
    asked: [],
    hold: false,
    deliver: async (count = waiting.length) => {
      await Promise.all(waiting.splice(0, count).map((message) => consumed(world, message)));
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
    engineOf: () => ({
      kind: 'simulated',
      model: 'simulated-1',
      answer: async (prompt) => {
        world.asked.push(prompt);
        return world.answer(prompt, message.engine);
      },
    }),
    classify: classifyAnswer,
    runOf: (object) => env.VISIBILITY_RUN.getByName(object),
    now: Date.now,
    random: () => 0,
    log: () => {},
  });
}

export type Event = { event: string; data: Record<string, unknown> };

/** The events of a stream, once it has ended. */
export async function eventsOf(response: Response): Promise<readonly Event[]> {
  return eventsIn(await response.text());
}

function eventsIn(text: string): readonly Event[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
      return { event, data: JSON.parse(data) as Record<string, unknown> };
    });
}

/** Reads a stream while it is written: `events` are those that have come by now, `ended` is the end of it. */
export function following(response: Response): { events: () => readonly Event[]; ended: Promise<void> } {
  let text = '';
  const ended = (async () => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) text += next.value;
  })();
  return { events: () => eventsIn(text.slice(0, text.lastIndexOf('\n\n') + 2)), ended };
}

/** How many prompts are done, as the progress events say. */
export const doneIn = (events: readonly Event[]): readonly number[] =>
  events.filter(({ event }) => event === 'progress').map(({ data }) => Number(data['done']));

export const check = { brand: 'Acme', niche: 'help desk software' };
export const versus = { ...check, competitor_brand: 'Rival One' };
export const EVENTS = { accept: 'text/event-stream' };

type Buying = { capability?: string; asked?: object; headers?: Record<string, string>; credential?: string };

/** Buys a measurement, with a signed payment of its own unless a credential is given. */
export async function buy({
  capability = 'visibility_check',
  asked = check,
  headers = {},
  credential,
}: Buying = {}): Promise<Response> {
  const payment = credential ?? (await signedCredential(capability));
  return post({ capability, body: JSON.stringify(asked), credential: payment, headers });
}

/** Waits until `ready`, for what another request does at the same time: 20 s, which only what hangs needs. */
export async function until(ready: () => boolean): Promise<void> {
  for (let tried = 0; tried < 2_000 && !ready(); tried += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(ready()).toBe(true);
}
