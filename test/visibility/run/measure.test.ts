import { createHash } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EngineAnswer, AnswerEngine, AnswerFailure, FailureReason } from '../../../src/models/port.ts';
import { loadAskedPrompts } from '../../../src/capabilities/visibility-questions.ts';
import { measureHere, type MeasureTools } from '../../../src/visibility/run/measure.ts';
import { buildPrompts, loadPromptSet } from '../../../src/visibility/run/prompts.ts';
import { classifyRun, type RunProgress } from '../../../src/visibility/run/run.ts';

const NICHE = 'help desk software';
const START = Date.UTC(2026, 10, 21);
const RUN_MS = 120_000;
const CALL_MS = 45_000;
/** The shortest call that is made when the time of a run is nearly over. */
const LAST_CALL_MS = 1000;
const places = Array.from({ length: 30 }, (_, index) => index);

// A run loads this with its first answer, which takes time that the fake clock would not wait for.
beforeAll(() => import('../../../src/visibility/refusals/refusals.ts'));

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  // The real one takes time of its own, which the fake clock would not wait for.
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_algorithm, data) => {
    const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data;
    return new Uint8Array(createHash('sha256').update(new Uint8Array(bytes)).digest()).buffer;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const saying = (text: string): EngineAnswer => ({
  ok: true,
  text,
  servedModel: 'm-1',
  finishReason: 'stop',
  citations: undefined,
  usage: { inputTokens: 1, outputTokens: 2 },
});
const failing = (reason: FailureReason, retryable: boolean): AnswerFailure => ({
  ok: false,
  reason,
  detail: 'in our words',
  retryable,
});
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Measures with the fake clock moving on, and says what was seen on the way. */
async function measured(answer: AnswerEngine['answer'], changes: Partial<MeasureTools> = {}) {
  const asked: number[] = [];
  const slept: number[] = [];
  const progress: RunProgress[] = [];
  const logs: Record<string, unknown>[] = [];
  let [open, peak] = [0, 0];
  const engine: AnswerEngine = {
    kind: 'simulated',
    model: 'm',
    answer: async (prompt, signal) => {
      asked.push(prompt.index);
      open += 1;
      peak = Math.max(peak, open);
      try {
        return await answer(prompt, signal);
      } finally {
        open -= 1;
      }
    },
  };
  const running = measureHere(await loadAskedPrompts(NICHE, { set: 'v1' }), {
    engine,
    runId: 'ab'.repeat(16),
    runMs: RUN_MS,
    callMs: CALL_MS,
    now: Date.now,
    random: () => 0,
    sleep: (ms) => {
      slept.push(ms);
      return wait(ms);
    },
    log: (event) => void logs.push(event),
    onProgress: (one) => void progress.push(one),
    ...changes,
  });
  await vi.runAllTimersAsync();
  return { run: await running, asked, slept, progress, logs, peak };
}

describe('measuring in this process', () => {
  test('asks each prompt of the set once and gives the answers in their order', async () => {
    const { run, asked } = await measured(async ({ index }) => {
      await wait(1000 - index * 30); // The later ones are answered first.
      return saying(`answer ${index}`);
    });
    expect(asked.toSorted((a, b) => a - b)).toEqual(places);
    expect(run).toMatchObject({
      runId: 'ab'.repeat(16),
      niche: NICHE,
      engine: { kind: 'simulated', model: 'm' },
      promptSet: await loadPromptSet(),
      startedAtMs: START,
    });
    expect(run.answers.map((one) => one.status === 'answered' && one.text)).toEqual(
      places.map((index) => `answer ${index}`),
    );
    expect(run.answers[0]).toMatchObject({
      // printf 'answer 0' | sha256sum
      sha256: '0a477707a14fa1293f4cf1ea92ce71a57e336d8e693064ec5ae7c30861711cce',
      servedModel: 'm-1',
      finishReason: 'stop',
    });
  });

  test('gives the engine the prompts of the niche and nothing else', async () => {
    const texts: string[] = [];
    await measured(async ({ text }) => {
      texts.push(text);
      return saying('x');
    });
    expect(texts.toSorted()).toEqual(
      buildPrompts(NICHE)
        .map(({ text }) => text)
        .toSorted(),
    );
  });

  test('has six calls open at a time, no more and no fewer', async () => {
    const { peak } = await measured(async () => {
      await wait(500);
      return saying('x');
    });
    expect(peak).toBe(6);
  });

  test('tells how far it is after every prompt: counts, never fewer than before', async () => {
    const { progress } = await measured(async ({ index }) =>
      index % 3 === 0 ? failing('refused', false) : saying('x'),
    );
    expect(progress).toHaveLength(30);
    expect(progress.map(({ done }) => done)).toEqual(places.map((index) => index + 1));
    expect(progress.at(-1)).toEqual({ done: 30, answered: 20, refused: 0, failed: 10, total: 30, ended: true });
    expect(progress.slice(0, -1).map(({ ended }) => ended)).not.toContain(true);
  });
});

describe('an engine that refuses', () => {
  const sorry = "I'm sorry, I can't help with that.";

  test('is asked no more after 6 refusals among its first 8 outcomes', async () => {
    const { run, asked, progress } = await measured(async ({ index }) =>
      saying(index < 2 ? '**Acme** is fine.' : sorry),
    );
    // Six prompts are under way at a time: those that were asked when the run stopped end unwanted.
    expect(asked.length).toBeLessThan(16);
    const refused = run.answers.filter(({ status }) => status === 'refused');
    expect(refused).toHaveLength(6);
    expect(run.answers.filter((one) => one.status === 'failed' && one.reason === 'stopped')).toHaveLength(22);
    expect(progress.at(-1)).toEqual({ done: 8, answered: 2, refused: 6, failed: 0, total: 30, ended: true });
    expect(classifyRun(run.answers)).toBe('incomplete');
  });

  test('now and then is asked to the end, and each refusal is counted', async () => {
    const { run } = await measured(async ({ index }) => saying(index % 5 === 0 ? sorry : '**Acme** is fine.'));
    expect(run.answers.filter(({ status }) => status === 'refused')).toHaveLength(6);
    expect(run.answers[0]).toMatchObject({ status: 'refused', refusal: 'refusal', text: sorry, servedModel: 'm-1' });
    expect(classifyRun(run.answers)).toBe('degraded');
  });
});

describe('a prompt whose call fails', () => {
  test.each<[FailureReason]>([['timeout'], ['rate_limited'], ['conflict'], ['unavailable']])(
    'for a while (%s) is asked three times, 2 s and 4 s apart, and then recorded',
    async (reason) => {
      const { run, asked, slept } = await measured(async ({ index }) =>
        index === 3 ? failing(reason, true) : saying('x'),
      );
      expect(asked.filter((index) => index === 3)).toHaveLength(3);
      expect(slept).toEqual([2000, 4000]);
      expect(run.answers[3]).toEqual({ index: 3, status: 'failed', reason });
      expect(run.answers.filter(({ status }) => status === 'answered')).toHaveLength(29);
    },
  );

  test('for a while is asked again a second later each time when chance says so', async () => {
    const { slept } = await measured(async ({ index }) => (index === 3 ? failing('unavailable', true) : saying('x')), {
      random: () => 0.9,
    });
    expect(slept).toEqual([3000, 5000]);
  });

  test('once and then works is an answer, and no failure was ever told', async () => {
    let calls = 0;
    const { run, progress } = await measured(async ({ index }) => {
      if (index === 3) calls += 1;
      return index === 3 && calls === 1 ? failing('unavailable', true) : saying('x');
    });
    expect(run.answers[3]).toMatchObject({ status: 'answered' });
    expect(progress.map(({ failed }) => failed)).toEqual(places.map(() => 0));
  });

  test.each<[FailureReason]>([['unauthorized'], ['refused'], ['filtered'], ['invalid_response']])(
    'for good (%s) is asked once',
    async (reason) => {
      const { run, asked, slept } = await measured(async () => failing(reason, false));
      expect([asked.length, slept.length]).toEqual([30, 0]);
      expect(run.answers).toEqual(places.map((index) => ({ index, status: 'failed', reason })));
    },
  );

  test('with a throw is a fault of the engine, whose message is in no log', async () => {
    const { run, logs } = await measured(async ({ index }) => {
      if (index === 3) throw new TypeError('with sk-secret in it');
      return saying('x');
    });
    expect(run.answers[3]).toEqual({ index: 3, status: 'failed', reason: 'engine_fault' });
    expect(JSON.stringify(logs)).toContain('TypeError');
    expect(JSON.stringify(logs)).not.toContain('sk-secret');
  });

  test('keeps no other prompt waiting', async () => {
    const { run, peak } = await measured(async ({ index }) => {
      await wait(100);
      return index < 5 ? failing('unavailable', true) : saying('x');
    });
    expect(peak).toBe(6);
    expect(run.answers.filter(({ status }) => status === 'answered')).toHaveLength(25);
    expect(run.endedAtMs - START).toBeLessThan(10_000);
  });
});

describe('the deadline', () => {
  test('ends a run of an engine that hangs and ignores its signal', async () => {
    const { run, asked } = await measured(() => new Promise(() => {}));
    expect(run.answers).toEqual(places.map((index) => ({ index, status: 'failed', reason: 'deadline' })));
    expect(run.endedAtMs).toBe(START + RUN_MS);
    expect(Date.now() - START).toBeLessThan(RUN_MS + 2 * LAST_CALL_MS);
    expect(new Set(asked).size).toBe(6); // The other 24 found no time left.
  });

  test('gives one call no more than its own time, and the engine sees that it is over', async () => {
    const ages: number[] = [];
    const { run } = await measured(
      ({ index }, signal) => {
        if (index !== 3) return Promise.resolve(saying('x'));
        const since = Date.now();
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            ages.push(Date.now() - since);
            resolve(failing('timeout', true));
          });
        });
      },
      { callMs: 5000 },
    );
    expect(ages).toEqual([5000, 5000, 5000]);
    expect(run.answers[3]).toEqual({ index: 3, status: 'failed', reason: 'timeout' });
  });

  test('keeps what was answered before, and asks nobody after it', async () => {
    const { run, asked } = await measured(async () => {
      await wait(40_000);
      return saying('x');
    });
    // Waves of six end at 40 s, 80 s and 120 s; the third comes with the deadline and is late.
    expect(run.answers.filter(({ status }) => status === 'answered').map(({ index }) => index)).toEqual(
      places.slice(0, 12),
    );
    expect(run.answers.slice(12)).toEqual(
      places.slice(12).map((index) => ({ index, status: 'failed', reason: 'deadline' })),
    );
    expect(asked).toHaveLength(18);
    expect(run.endedAtMs).toBe(START + RUN_MS);
  });

  test('counts no answer that comes after it, as the object of a paid run does not', async () => {
    const { run } = await measured(
      async ({ index }) => {
        await wait(index === 3 ? 900 : 10);
        return saying('x');
      },
      { runMs: 500 },
    );
    expect(run.answers[3]).toEqual({ index: 3, status: 'failed', reason: 'deadline' });
    expect(run.answers.filter(({ status }) => status === 'answered')).toHaveLength(29);
    expect(run.endedAtMs).toBe(START + 500);
  });

  test('leaves no time for another try: what failed is recorded at once', async () => {
    const { run, asked, slept } = await measured(async () => failing('unavailable', true), { runMs: 2500 });
    expect([asked.length, slept.length]).toEqual([30, 0]);
    expect(run.answers).toEqual(places.map((index) => ({ index, status: 'failed', reason: 'unavailable' })));
  });
});
