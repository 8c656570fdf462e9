import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { presentVisibility } from '../../../../src/capabilities/visibility-presenters.ts';
import {
  type CollectedRun,
  MAX_PROMPT_DEATHS,
  type PromptMessage,
  type VisibilityRunObject,
} from '../../../../src/visibility/run/run.ts';
import { demoBrands, createSimulatedEngine } from '../../../../src/models/adapters/simulated/answer.ts';
import { loadAskedPrompts } from '../../../../src/capabilities/visibility-questions.ts';
import { classifyAnswer } from '../../../../src/visibility/refusals/refusals.ts';
import { measureHere } from '../../../../src/visibility/run/measure.ts';
import { computeSha256Hex } from '../../../../src/lib/digest.ts';
import { buildPrompts, loadPromptSet } from '../../../../src/visibility/run/prompts.ts';
import worker from '../../../support/workers/worker.ts';

const PROMPTS = 'sightline-prompts';
const DEAD_LETTERS = 'sightline-prompts-dlq';
const NAME = 'a-run';
const NICHE = 'zeppelin polish';
const RUN_MS = 60_000;
/** An engine behind `fetch`, which the test answers. */
const CHAT = {
  ANSWER_ENGINE: 'openai-compatible',
  ANSWER_ENGINE_URL: 'https://engine.example/v1',
  ANSWER_ENGINE_MODEL: 'a-model',
};

/** What the object put into the queue; nothing is delivered but by `deliver`. */
let sent: PromptMessage[] = [];
let logs: string[] = [];
/** Texts that the engine was asked, and what it says. */
let asked: string[] = [];
let reply: () => Response | Promise<Response>;

// The engine loads its SDK with the first question, which takes seconds here: no call's time is for that.
beforeAll(async () => {
  // Loaded here, because the test runner loads no modules in the middle of a request.
  classifyAnswer('Acme.', { prompt: '', language: 'en', niche: '' });
  await Promise.all([
    import('../../../../src/models/adapters/openai-compatible/answer-model.ts'),
    import('../../../../src/models/core/sdk-answer.ts'),
  ]);
});
beforeEach(() => {
  [sent, logs, asked] = [[], [], []];
  reply = () => saying('1. **Acme**: a fine choice.');
  const queue = Object.getPrototypeOf(env.PROMPTS) as {
    sendBatch: (messages: Iterable<{ body: PromptMessage }>) => unknown;
  };
  vi.spyOn(queue, 'sendBatch').mockImplementation(async (messages) => {
    sent.push(...Array.from(messages, ({ body }) => body));
    await Promise.resolve();
  });
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { messages } = await new Request(input, init).json<{ messages: { content: string }[] }>();
    asked.push(...messages.map(({ content }) => content));
    return reply();
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const saying = (content: string): Response =>
  Response.json({
    id: 'c-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'served-model',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  });
const refusing = (status: number): Response => Response.json({ error: { message: 'no' } }, { status });

const run = () => env.VISIBILITY_RUN.getByName(NAME) as unknown as VisibilityRunObject;

/** A run whose 30 messages stand in `sent`. */
async function started(): Promise<string> {
  const request = {
    niche: NICHE,
    promptSet: await loadPromptSet(),
    prompts: buildPrompts(NICHE),
    engine: { kind: 'simulated' as const, model: 'simulated-1' },
    runMs: RUN_MS,
    callMs: 5000,
  };
  return run().start(NAME, request);
}

function message(index: number): PromptMessage {
  const one = sent[index];
  if (!one) throw new Error(`no message ${index} was sent`);
  return one;
}

type Delivery = { queue?: string; attempts?: number; bindings?: Record<string, unknown> };

/** Has the Worker's consumer handle one batch; ids of the messages are their places, from 0. */
async function deliver(
  bodies: readonly unknown[],
  { queue = PROMPTS, attempts = 1, bindings = CHAT }: Delivery = {},
): Promise<{ acked: readonly string[]; retried: readonly { id: string; delayS: number | undefined }[] }> {
  const messages = bodies.map((body, at) => ({ id: String(at), timestamp: new Date(), attempts, body }));
  const batch = createMessageBatch(queue, messages);
  const delays = new Map(batch.messages.map((one) => [one.id, vi.spyOn(one, 'retry')])); // The result leaves them out.
  const context = createExecutionContext();
  await worker.queue(batch, { ...env, ...bindings }); // The bindings of wrangler.toml, and a few more.
  const result = await getQueueResult(batch, context);
  expect([result.outcome, result.ackAll, result.retryBatch.retry]).toEqual(['ok', false, false]);
  return {
    acked: result.explicitAcks.toSorted(),
    retried: result.retryMessages.map(({ msgId: id }) => ({
      id,
      delayS: delays.get(id)?.mock.lastCall?.[0]?.delaySeconds,
    })),
  };
}

/** Bindings whose object `broken` cannot be reached; every other one is the real one. */
const withBroken = (broken: string, fault: () => unknown) => ({
  ...CHAT,
  VISIBILITY_RUN: {
    getByName: (name: string) => (name === broken ? fault() : env.VISIBILITY_RUN.getByName(name)),
  },
});

describe('a batch of prompts', () => {
  test('is answered, recorded with the hash of each answer, and acknowledged', async () => {
    const runId = await started();
    for (let from = 0; from < 30; from += 6) {
      const { acked, retried } = await deliver(sent.slice(from, from + 6));
      expect({ acked, retried }).toEqual({ acked: ['0', '1', '2', '3', '4', '5'], retried: [] });
    }
    const answers = (await run().collected(runId))?.answers ?? [];
    const text = '1. **Acme**: a fine choice.';
    expect(answers).toEqual(
      Array.from({ length: 30 }, (_, index) => ({
        index,
        status: 'answered',
        text,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        servedModel: 'served-model',
        finishReason: 'stop',
        citations: undefined,
      })),
    );
    expect(answers[0]).toMatchObject({ sha256: await computeSha256Hex(text) });
    expect(asked.toSorted()).toEqual(
      buildPrompts(NICHE)
        .map((prompt) => prompt.text)
        .toSorted(),
    );
  });

  test('is answered by the simulated engine, where that is configured', async () => {
    const runId = await started();
    expect((await deliver(sent, { bindings: { ANSWER_ENGINE: 'simulated' } })).acked).toHaveLength(30);
    expect(await run().next(runId, 0)).toMatchObject({ answered: 30, ended: true });
    expect(asked).toEqual([]);
  });

  test('gives the same run, and the same result, as measuring without a queue', async () => {
    const runId = await started();
    await deliver(sent, { bindings: { ANSWER_ENGINE: 'simulated', ANSWER_ENGINE_SEED: 'one' } });
    const queued = await run().collected(runId);
    const here = await measureHere(await loadAskedPrompts(NICHE, { set: 'v1' }), {
      engine: createSimulatedEngine({ seed: 'one', brands: demoBrands }),
      runId,
      runMs: RUN_MS,
      callMs: 5000,
      now: Date.now,
      random: () => 0,
      sleep: () => Promise.resolve(),
      log: () => {},
      onProgress: () => {},
    });
    if (!queued) throw new Error('the run has not ended');
    const present = (measured: CollectedRun) =>
      presentVisibility({
        version: 1,
        capability: 'visibility_check',
        input: { brand: 'Example Desk', niche: NICHE },
        run: measured,
      });
    expect({ ...queued, startedAtMs: 0, endedAtMs: 0 }).toEqual({ ...here, startedAtMs: 0, endedAtMs: 0 });
    expect(JSON.stringify(await present(queued))).toBe(JSON.stringify(await present(here)));
    expect(await present(queued)).toMatchObject({ ok: true, result: { run_id: runId, prompts: { valid: 30 } } });
  });

  test('is asked all at the same time', async () => {
    const runId = await started();
    const gate = Promise.withResolvers<void>();
    reply = async () => {
      if (asked.length === 6) gate.resolve();
      await gate.promise; // Opens only when the six calls are under way together.
      return saying('Acme');
    };
    expect((await deliver(sent.slice(0, 6))).acked).toHaveLength(6);
    expect(await run().next(runId, 0)).toMatchObject({ answered: 6 });
  });

  test('X9: leaves neither niche, prompt nor answer in the log', async () => {
    await started();
    reply = () => (asked.length % 2 === 0 ? refusing(400) : saying('Acme'));
    await deliver([...sent.slice(0, 6), { niche: NICHE }]);
    const log = logs.join('\n');
    expect(log).toContain('prompt_failed');
    expect(log).toContain('prompt_unreadable');
    for (const word of [NICHE, 'Acme', message(0).prompt.text, 'engine.example']) expect(log).not.toContain(word);
  });
});

describe('a call that fails', () => {
  test.each([
    [408, 'timeout'],
    [409, 'conflict'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [529, 'unavailable'],
  ])('with %i comes again, later each time, and the third time is recorded as %s', async (status, reason) => {
    const runId = await started();
    reply = () => refusing(status);
    const [first] = (await deliver([message(4)], { attempts: 1 })).retried;
    const [second] = (await deliver([message(4)], { attempts: 2 })).retried;
    expect([2, 3]).toContain(first?.delayS); // 2^attempts and up to a second at random.
    expect([4, 5]).toContain(second?.delayS);
    expect(await run().next(runId, -1)).toMatchObject({ done: 0 });
    expect(await deliver([message(4)], { attempts: 3 })).toEqual({ acked: ['0'], retried: [] });
    expect(await keptOf(runId, 4)).toEqual({ index: 4, status: 'failed', reason });
    expect(asked).toHaveLength(3); // Once a delivery: the SDK repeats nothing by itself.
  });

  test('by a lost connection comes again', async () => {
    await started();
    reply = () => Promise.reject(new TypeError('Network connection lost.'));
    expect((await deliver([message(4)])).retried).toEqual([{ id: '0', delayS: expect.any(Number) }]);
  });

  test.each([
    [400, 'refused'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'refused'],
    [422, 'refused'],
  ])('with %i is recorded as %s at once', async (status, reason) => {
    const runId = await started();
    reply = () => refusing(status);
    expect(await deliver([message(4)])).toEqual({ acked: ['0'], retried: [] });
    expect(await keptOf(runId, 4)).toEqual({ index: 4, status: 'failed', reason });
    expect(asked).toHaveLength(1);
  });

  test('does not bring back the others of its batch', async () => {
    const runId = await started();
    reply = () => (asked.length === 2 ? refusing(503) : saying('Acme'));
    const { acked, retried } = await deliver(sent.slice(0, 6));
    expect([acked.length, retried.length]).toEqual([5, 1]);
    expect(await run().next(runId, 0)).toMatchObject({ done: 5, answered: 5 });
  });

  test('and works when it comes again is counted once, as answered', async () => {
    const runId = await started();
    reply = () => (asked.length === 1 ? refusing(503) : saying('Acme'));
    await deliver([message(4)]);
    expect((await deliver([message(4)], { attempts: 2 })).acked).toEqual(['0']);
    expect(await run().next(runId, 0)).toMatchObject({ done: 1, answered: 1, failed: 0 });
  });
});

/** What the run keeps for a prompt once it has ended. */
async function keptOf(runId: string, index: number) {
  const real = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => real + RUN_MS);
  return (await run().collected(runId))?.answers[index];
}

describe('what nobody should be asked is acknowledged', () => {
  test.each<[string, (good: PromptMessage) => unknown]>([
    ['a message that is null', () => null],
    ['a message that is text', () => 'ask: best tea?'],
    ['a message without a prompt', ({ prompt: _prompt, ...rest }) => rest],
    ['a prompt outside the set', (good) => ({ ...good, prompt: { ...good.prompt, index: 30 } })],
    ['a prompt that is too long', (good) => ({ ...good, prompt: { ...good.prompt, text: 'x'.repeat(1001) } })],
    ['an intent that is none', (good) => ({ ...good, prompt: { ...good.prompt, intent: '__proto__' } })],
    ['a run id that is a path', (good) => ({ ...good, runId: '../../runs' })],
    ['an object without a name', (good) => ({ ...good, object: '' })],
    ['a message of another run', (good) => ({ ...good, runId: 'f'.repeat(32) })],
    ['a message whose time is over', (good) => ({ ...good, deadlineMs: Date.now() - 1 })],
  ])('%s', async (_what, change) => {
    const runId = await started();
    expect(await deliver([change(message(0)), message(1)])).toEqual({ acked: ['0', '1'], retried: [] });
    expect(asked).toEqual([message(1).prompt.text]);
    expect(await run().next(runId, -1)).toMatchObject({ done: 1, answered: 1 });
  });
});

describe('a message that is delivered twice', () => {
  test('in one batch is counted once', async () => {
    const runId = await started();
    expect((await deliver([message(4), message(4), message(5)])).acked).toEqual(['0', '1', '2']);
    expect(await run().next(runId, 0)).toMatchObject({ done: 2, answered: 2 });
  });

  test('later is not asked again', async () => {
    const runId = await started();
    await deliver([message(4)]);
    reply = () => saying('**Another** answer.');
    expect((await deliver([message(4)])).acked).toEqual(['0']);
    expect(asked).toHaveLength(1);
    expect(await keptOf(runId, 4)).toMatchObject({ text: '1. **Acme**: a fine choice.' });
  });
});

describe('B1: a consumer that dies while it reads an answer', () => {
  /** What is left of a consumer that was ended between its question and its word on the answer. */
  const die = (runId: string, index: number) => run().begin(runId, index);

  test('is followed by a second one, and after two deaths the prompt is given up without another question', async () => {
    const runId = await started();
    for (let death = 0; death < MAX_PROMPT_DEATHS; death += 1) expect(await die(runId, 4)).toBe('ask');
    expect(await deliver([message(4)], { attempts: 3 })).toEqual({ acked: ['0'], retried: [] });
    expect(asked).toEqual([]);
    expect(logs.join('\n')).toContain('prompt_given_up');
    await die(runId, 5);
    expect(await deliver([message(5)], { attempts: 2 })).toEqual({ acked: ['0'], retried: [] });
    expect(await keptOf(runId, 4)).toEqual({ index: 4, status: 'failed', reason: 'not_delivered' });
    expect(await keptOf(runId, 5)).toMatchObject({ status: 'answered' });
  });

  test('is no death where the consumer itself has the prompt come again', async () => {
    const runId = await started();
    reply = () => refusing(503);
    for (const attempts of [1, 2])
      expect(await deliver([message(4)], { attempts })).toMatchObject({ acked: [], retried: [{ id: '0' }] });
    expect(await run().deaths(runId, 4)).toBe(0);
    reply = () => saying('At last.');
    await deliver([message(4)], { attempts: 3 });
    expect(await keptOf(runId, 4)).toMatchObject({ text: 'At last.' });
  });

  test('has those that were with it asked one at a time, so that the next death takes no other', async () => {
    const runId = await started();
    for (const index of [0, 1, 2, 3]) await die(runId, index);
    const begun: number[] = [];
    reply = async () => {
      const counts = await Promise.all([0, 1, 2, 3].map((index) => run().deaths(runId, index)));
      begun.push(counts.filter((count) => count === MAX_PROMPT_DEATHS).length);
      return saying('Well.');
    };
    await deliver([0, 1, 2, 3].map(message), { attempts: 2 });
    expect(begun[0]).toBe(1);
    expect(asked).toHaveLength(4);
    expect(await run().next(runId, 0)).toMatchObject({ done: 4, answered: 4 });
  });
});

describe('a run that cannot be reached', () => {
  const lost = (): Promise<never> => Promise.reject(new Error('the object was reset'));
  test.each<[string, () => unknown, number]>([
    [
      'at all',
      () => {
        throw new Error('no such namespace');
      },
      0,
    ],
    ['before its prompt is asked', () => ({ begin: lost, record: lost }), 0],
    ['once its prompt is answered', () => ({ begin: () => Promise.resolve('ask'), record: lost }), 1],
  ])('%s brings its own message back in a second, while the others are done with', async (_when, fault, calls) => {
    const runId = await started();
    const bodies = [message(0), { ...message(1), object: 'broken' }, message(2)];
    const { acked, retried } = await deliver(bodies, { bindings: withBroken('broken', fault) });
    expect({ acked, retried }).toEqual({ acked: ['0', '2'], retried: [{ id: '1', delayS: 1 }] });
    expect(asked).toHaveLength(2 + calls);
    expect(await run().next(runId, 0)).toMatchObject({ done: 2, answered: 2 });
    expect(logs.join('\n')).toContain('prompt_not_recorded');
  });
});

test('without an engine, as after a change of the settings, prompts are recorded as refused and do not come again', async () => {
  const runId = await started();
  const { acked, retried } = await deliver(sent, { bindings: { ANSWER_ENGINE: 'none' } });
  expect([acked.length, retried.length]).toEqual([30, 0]);
  const run30 = await run().collected(runId);
  expect(new Set(run30?.answers.map((one) => (one.status === 'failed' ? one.reason : 'answered')))).toEqual(
    new Set(['refused']),
  );
});

describe('a dead letter', () => {
  test('is recorded as not delivered and acknowledged; the engine is not asked', async () => {
    const runId = await started();
    expect(await deliver(sent, { queue: DEAD_LETTERS })).toMatchObject({ retried: [] });
    expect(await run().next(runId, 0)).toMatchObject({ done: 30, failed: 30, ended: true });
    expect((await run().collected(runId))?.answers[7]).toEqual({ index: 7, status: 'failed', reason: 'not_delivered' });
    expect(asked).toEqual([]);
  });

  test('does not undo an answer, and gives way to one', async () => {
    const runId = await started();
    await deliver([message(4)]);
    await deliver([message(4), message(5)], { queue: DEAD_LETTERS });
    expect(await run().next(runId, 0)).toMatchObject({ answered: 1, failed: 1 });
    await deliver([message(5)]);
    expect(await run().next(runId, 0)).toMatchObject({ answered: 2, failed: 0 });
  });

  test('that is not one of ours is acknowledged', async () => {
    await started();
    expect(await deliver([null, { hello: 'world' }, message(0)], { queue: DEAD_LETTERS })).toEqual({
      acked: ['0', '1', '2'],
      retried: [],
    });
  });

  test.each(['-staging', '-dev'])('of another environment (%s) is one as well', async (suffix) => {
    const runId = await started();
    await deliver([message(0)], { queue: `${DEAD_LETTERS}${suffix}` });
    await deliver([message(1)], { queue: `${PROMPTS}${suffix}` });
    expect(await run().next(runId, 0)).toMatchObject({ answered: 1, failed: 1 });
  });

  test('whose run cannot be reached comes again, alone', async () => {
    const runId = await started();
    const lost = () => ({ record: () => Promise.reject(new Error('the object was reset')) });
    const bodies = [{ ...message(0), object: 'broken' }, message(1)];
    const settings = { queue: DEAD_LETTERS, bindings: withBroken('broken', lost) };
    expect(await deliver(bodies, settings)).toEqual({ acked: ['1'], retried: [{ id: '0', delayS: 1 }] });
    expect(await run().next(runId, 0)).toMatchObject({ failed: 1 });
  });
});
