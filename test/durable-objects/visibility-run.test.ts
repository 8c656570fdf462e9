import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunAnswer, PromptMessage, RunRequest, VisibilityRunObject } from '../../src/visibility/run/run.ts';
import { chooseRegister } from '../../src/visibility/run/run-register.ts';
import { buildPrompts, loadPromptSet } from '../../src/visibility/run/prompts.ts';

const NAME = 'a-run';
const RUN_MS = 60_000;

/** What the object put into the queue; nothing is delivered here. */
let sent: PromptMessage[] = [];
let refuseToSend = false;

beforeEach(() => {
  sent = [];
  refuseToSend = false;
  const queue = Object.getPrototypeOf(env.PROMPTS) as {
    sendBatch: (messages: Iterable<{ body: PromptMessage }>) => unknown;
  };
  vi.spyOn(queue, 'sendBatch').mockImplementation(async (messages) => {
    await Promise.resolve();
    if (refuseToSend) throw new Error('the queue is down');
    sent.push(...Array.from(messages, ({ body }) => body));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const object = (name = NAME) => env.VISIBILITY_RUN.getByName(name) as unknown as VisibilityRunObject;

async function request(changes: Partial<RunRequest> = {}): Promise<RunRequest> {
  const niche = 'help desk software';
  return {
    niche,
    promptSet: await loadPromptSet(),
    prompts: buildPrompts(niche),
    engine: { kind: 'simulated', model: 'simulated-1' },
    runMs: RUN_MS,
    callMs: 1000,
    ...changes,
  };
}

const answered = (index: number, text = `answer ${index}`): RunAnswer => ({
  index,
  status: 'answered',
  text,
  sha256: '0'.repeat(64),
  servedModel: 'm',
  finishReason: 'stop',
  citations: undefined,
});
const refused = (index: number): RunAnswer => ({
  index,
  status: 'refused',
  refusal: 'refusal',
  text: 'No.',
  sha256: '0'.repeat(64),
  servedModel: 'm',
  finishReason: 'stop',
});
const failed = (index: number): RunAnswer => ({ index, status: 'failed', reason: 'timeout' });

async function recordAll(runId: string, make: (index: number) => RunAnswer, name = NAME): Promise<void> {
  for (let index = 0; index < 30; index += 1) await object(name).record(runId, make(index));
}

/** Moves the clock of the object, and ours, forward. */
function later(ms: number): void {
  const real = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => real + ms);
}

const alarmAtMs = (): Promise<number | null> =>
  runInDurableObject(env.VISIBILITY_RUN.getByName(NAME), (_, state) => state.storage.getAlarm());

async function failureOf(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
  } catch (error) {
    return String(error);
  }
  throw new Error('the call did not fail');
}

describe('a run of other prompts than 30', () => {
  test.each([6, 100])('of %i ends when each has an outcome', async (count) => {
    const [prompt] = buildPrompts('bakeries');
    const prompts = Array.from({ length: count }, (_, index) => ({
      index,
      id: `own-${index + 1}`,
      intent: 'own' as const,
      text: prompt?.text ?? '',
    }));
    const runId = await object().start(NAME, await request({ prompts }));
    expect(sent).toHaveLength(count);
    expect(await object().record(runId, answered(count))).toBe(false);
    for (let index = 0; index < count; index += 1) expect(await object().record(runId, answered(index))).toBe(true);
    expect(await object().next(runId, 0)).toMatchObject({ done: count, answered: count, total: count, ended: true });
    expect((await object().collected(runId))?.answers.map(({ index }) => index)).toEqual(
      Array.from({ length: count }, (_, index) => index),
    );
  });
});

describe('an engine that refuses', () => {
  test('ends its run with the sixth refusal among the first 8 outcomes; what comes later is not wanted', async () => {
    const runId = await object().start(NAME, await request());
    for (let index = 0; index < 2; index += 1) await object().record(runId, answered(index));
    for (let index = 2; index < 8; index += 1) await object().record(runId, refused(index));
    expect(await object().next(runId, 0)).toMatchObject({ done: 8, answered: 2, refused: 6, ended: true });
    expect(await object().begin(runId, 9)).toBe('unwanted');
    expect(await object().record(runId, answered(9))).toBe(false);
    const answers = (await object().collected(runId))?.answers ?? [];
    expect(answers.slice(8)).toEqual(
      Array.from({ length: 22 }, (_, at) => ({ index: at + 8, status: 'failed', reason: 'stopped' })),
    );
  });

  test('costs the operator what it was asked, and not a whole run', async () => {
    const runId = await object().start(NAME, await request({ usdPerRun: 0.9, capability: 'visibility_check' }));
    for (let index = 0; index < 9; index += 1) expect(await object().begin(runId, index)).toBe('ask');
    await object().putBack(runId, 8);
    for (let index = 0; index < 6; index += 1) await object().record(runId, refused(index));
    const register = env.OPERATIONS_REGISTER.getByName(chooseRegister(runId));
    await vi.waitFor(async () => {
      const found = (await register.listRuns(100)).find((run) => run.runId === runId);
      expect(found).toMatchObject({ refused: 6, total: 30, asked: 8, microUsd: 240_000, state: 'incomplete' });
    });
  });

  test('later on does not end its run', async () => {
    const runId = await object().start(NAME, await request());
    for (let index = 0; index < 3; index += 1) await object().record(runId, answered(index));
    for (let index = 3; index < 20; index += 1) await object().record(runId, refused(index));
    expect(await object().next(runId, 0)).toMatchObject({ done: 20, refused: 17, ended: false });
  });

  test('measured nothing: the same payment may start another run', async () => {
    const runId = await object().start(NAME, await request());
    for (let index = 0; index < 6; index += 1) await object().record(runId, refused(index));
    expect(await object().start(NAME, await request())).not.toBe(runId);
  });
});

describe('starting a run', () => {
  test('puts each of the 30 prompts into the queue once', async () => {
    const runId = await object().start(NAME, await request());
    expect(runId).toMatch(/^[0-9a-f]{32}$/);
    expect(sent.map(({ prompt }) => prompt.index)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(new Set(sent.map((message) => `${message.object} ${message.runId}`))).toEqual(new Set([`${NAME} ${runId}`]));
  });

  test('P11: gives out an id that is random and not the name of the object', async () => {
    const [one, other] = [await object().start(NAME, await request()), await object('b').start('b', await request())];
    expect(one).not.toBe(other);
  });

  test('P11: gives out an id that neither the name of the object nor the clock leads to', async () => {
    const nowMs = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(nowMs);
    const ids: string[] = [];
    for (let started = 0; started < 2; started += 1) {
      const runId = await object().start(NAME, await request());
      await recordAll(runId, failed); // It measured nothing, so the next start is another run.
      ids.push(runId);
    }
    await runInDurableObject(env.VISIBILITY_RUN.getByName(NAME), (_, state) => state.storage.deleteAll());
    await evictDurableObject(env.VISIBILITY_RUN.getByName(NAME));
    ids.push(await object().start(NAME, await request()));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  test('again attaches to the same run and sends nothing', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => object().start(NAME, await request())));
    expect(new Set(ids).size).toBe(1);
    expect(sent).toHaveLength(30);
  });

  test('sends the prompts after all when the queue was down the first time', async () => {
    refuseToSend = true;
    expect(await failureOf(async () => object().start(NAME, await request()))).toContain('queue is down');
    refuseToSend = false;
    const runId = await object().start(NAME, await request());
    expect(sent).toHaveLength(30);
    expect(new Set(sent.map((message) => message.runId))).toEqual(new Set([runId]));
  });

  test('after a run that measured something gives that run back', async () => {
    const runId = await object().start(NAME, await request());
    await recordAll(runId, (index) => (index < 24 ? answered(index) : failed(index)));
    expect(await object().start(NAME, await request())).toBe(runId);
    expect(sent).toHaveLength(30);
  });

  test('after a run with fewer than 24 answers begins a new one, without its answers', async () => {
    const runId = await object().start(NAME, await request());
    await recordAll(runId, (index) => (index < 23 ? answered(index) : failed(index)));
    const next = await object().start(NAME, await request());
    expect(next).not.toBe(runId);
    expect(sent).toHaveLength(60);
    expect(await object().next(next, -1)).toEqual({
      done: 0,
      answered: 0,
      refused: 0,
      failed: 0,
      total: 30,
      ended: false,
    });
  });
});

describe('answers', () => {
  test('count once, however often their message is delivered', async () => {
    const runId = await object().start(NAME, await request());
    expect(await object().record(runId, answered(3, 'first'))).toBe(true);
    expect(await object().record(runId, answered(3, 'second'))).toBe(false);
    expect(await object().record(runId, failed(3))).toBe(false);
    expect(await object().next(runId, 0)).toMatchObject({ done: 1, answered: 1, failed: 0 });
  });

  test('replace a failure of the same prompt', async () => {
    const runId = await object().start(NAME, await request());
    await object().record(runId, failed(3));
    expect(await object().begin(runId, 3)).toBe('ask');
    expect(await object().record(runId, answered(3))).toBe(true);
    expect(await object().next(runId, 0)).toMatchObject({ done: 1, answered: 1, failed: 0 });
    expect(await object().begin(runId, 3)).toBe('unwanted');
  });

  test('are not asked for again after a refusal, which no answer replaces', async () => {
    const runId = await object().start(NAME, await request());
    await object().record(runId, refused(3));
    expect(await object().begin(runId, 3)).toBe('unwanted');
    expect(await object().record(runId, answered(3))).toBe(false);
  });

  test.each([
    ['of another run', (): [string, RunAnswer] => ['f'.repeat(32), answered(0)]],
    ['of a prompt that is not in the set', (runId: string): [string, RunAnswer] => [runId, answered(30)]],
    ['of a prompt before the first', (runId: string): [string, RunAnswer] => [runId, answered(-1)]],
  ])('%s are not kept', async (_what, of) => {
    const runId = await object().start(NAME, await request());
    expect(await object().record(...of(runId))).toBe(false);
    expect(await object().next(runId, -1)).toMatchObject({ done: 0 });
  });

  test('end the run when the last of them is there, and are given out in order', async () => {
    const runId = await object().start(NAME, await request());
    await recordAll(runId, (index) => answered(29 - index));
    const run = await object().collected(runId);
    expect(run?.answers.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(run).toMatchObject({ runId, niche: 'help desk software', engine: { kind: 'simulated' } });
  });

  test('survive a restart of the object', async () => {
    const runId = await object().start(NAME, await request());
    await object().record(runId, answered(1));
    await evictDurableObject(env.VISIBILITY_RUN.getByName(NAME));
    expect(await object().next(runId, -1)).toMatchObject({ done: 1, answered: 1 });
  });
});

describe('the deadline', () => {
  test('ends the run with what it has, whether or not the alarm came', async () => {
    const runId = await object().start(NAME, await request());
    for (let index = 0; index < 25; index += 1) await object().record(runId, answered(index));
    later(RUN_MS);
    expect(await object().next(runId, 25)).toMatchObject({ done: 25, ended: true });
    const run = await object().collected(runId);
    expect(run?.answers.slice(25)).toEqual(
      [25, 26, 27, 28, 29].map((index) => ({ index, status: 'failed', reason: 'deadline' })),
    );
    expect(await object().record(runId, answered(29))).toBe(false);
    expect(await object().begin(runId, 29)).toBe('unwanted');
  });

  test('wakes whoever waits when its alarm comes', async () => {
    const runId = await object().start(NAME, await request());
    const waiting = object().next(runId, 0);
    later(RUN_MS);
    expect(await runDurableObjectAlarm(env.VISIBILITY_RUN.getByName(NAME))).toBe(true);
    expect(await waiting).toMatchObject({ ended: true });
  });

  test('is an alarm that was set when the run began', async () => {
    const before = Date.now();
    await object().start(NAME, await request());
    const at = await alarmAtMs();
    expect(at).toBeGreaterThanOrEqual(before + RUN_MS);
    expect(at).toBeLessThanOrEqual(Date.now() + RUN_MS);
  });

  test('is not brought forward by an alarm that comes too early: the run goes on, and the alarm is set again', async () => {
    const startedAtMs = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(startedAtMs);
    const runId = await object().start(NAME, await request());
    await object().record(runId, answered(0));
    later(RUN_MS - 1);
    expect(await runDurableObjectAlarm(env.VISIBILITY_RUN.getByName(NAME))).toBe(true);
    expect(await object().next(runId, 0)).toEqual({
      done: 1,
      answered: 1,
      refused: 0,
      failed: 0,
      total: 30,
      ended: false,
    });
    expect(await alarmAtMs()).toBe(startedAtMs + RUN_MS);
    expect(await object().record(runId, answered(1))).toBe(true);
    later(1);
    expect(await runDurableObjectAlarm(env.VISIBILITY_RUN.getByName(NAME))).toBe(true);
    expect(await object().next(runId, 2)).toMatchObject({ done: 2, ended: true });
  });

  test('less than a day after its end an alarm forgets nothing, and is set again', async () => {
    const startedAtMs = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(startedAtMs);
    const runId = await object().start(NAME, await request());
    await recordAll(runId, answered);
    later(24 * 3_600_000 - 1);
    expect(await runDurableObjectAlarm(env.VISIBILITY_RUN.getByName(NAME))).toBe(true);
    expect(await object().next(runId, -1)).toMatchObject({ done: 30, ended: true });
    expect(await alarmAtMs()).toBe(startedAtMs + 24 * 3_600_000);
  });

  test('a day after its end the object forgets the run', async () => {
    const runId = await object().start(NAME, await request());
    await recordAll(runId, answered);
    later(24 * 3_600_000 + RUN_MS);
    expect(await runDurableObjectAlarm(env.VISIBILITY_RUN.getByName(NAME))).toBe(true);
    expect(await object().next(runId, -1)).toBeUndefined();
  });
});

describe('waiting for progress', () => {
  test('returns with the next answer', async () => {
    const runId = await object().start(NAME, await request());
    const waiting = object().next(runId, 0);
    await object().record(runId, answered(4));
    expect(await waiting).toEqual({ done: 1, answered: 1, refused: 0, failed: 0, total: 30, ended: false });
  });

  test('returns at once for who is behind, and follows the present run without its id', async () => {
    const runId = await object().start(NAME, await request());
    await object().record(runId, answered(4));
    expect(await object().next(null, -1)).toMatchObject({ done: 1 });
    expect(await object('nobody').next(null, -1)).toBeUndefined();
  });

  test('P11: says counts and nothing else', async () => {
    const runId = await object().start(NAME, await request());
    await object().record(runId, answered(4, 'a secret answer'));
    expect(Object.keys((await object().next(runId, -1)) ?? {}).toSorted()).toEqual([
      'answered',
      'done',
      'ended',
      'failed',
      'refused',
      'total',
    ]);
  });
});

test('an answer in any script comes back as it was, and is stored as UTF-8', async () => {
  const text = `${'“Acme” 無印良品 🏆\n'.repeat(100)}\uFEFF`;
  const runId = await object().start(NAME, await request());
  await recordAll(runId, (index) => answered(index, text));
  const run = await object().collected(runId);
  expect(run?.answers.every((one) => one.status === 'answered' && one.text === text)).toBe(true);
  const stored = await runInDurableObject(
    env.VISIBILITY_RUN.getByName(NAME),
    (_, state) => state.storage.kv.get<{ text: Uint8Array }>('answer:00')?.text.byteLength,
  );
  expect(stored).toBe(new TextEncoder().encode(text).byteLength);
});

test('P11: so many may follow one run at the same time, and the Worker that does the work always may', async () => {
  const runId = await object().start(NAME, await request());
  const following = Array.from({ length: 16 }, () => object().next(null, 0));
  await Promise.all(Array.from({ length: 16 }, () => object().deaths(runId, 0))); // All of them have arrived before this.
  expect(await object().next(null, 0)).toBeUndefined();
  const working = object().next(runId, 0);
  await object().record(runId, answered(0));
  expect(await working).toMatchObject({ done: 1 });
  for (const progress of await Promise.all(following)) expect(progress).toMatchObject({ done: 1 });
});
