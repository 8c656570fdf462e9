import { expect, test } from 'vitest';
import type { AnswerEngine, EngineAnswer, FailureReason } from '../../../src/models/port.ts';
import { askFirstPrompt } from '../../../src/visibility/run/preflight.ts';
import { buildPrompts } from '../../../src/visibility/run/prompts.ts';

const NICHE = 'help desk software';
const prompts = buildPrompts(NICHE);
const good: EngineAnswer = {
  ok: true,
  text: 'Try **Acme**.',
  servedModel: 'm-1',
  finishReason: 'stop',
  citations: undefined,
  usage: { inputTokens: 1, outputTokens: 2 },
};

/** An engine that gives these outcomes in turn, the last of them for ever, and what it was asked. */
function script(...outcomes: readonly ('good' | { reason: FailureReason; retryable: boolean })[]) {
  const asked: number[] = [];
  const slept: number[] = [];
  const engine: AnswerEngine = {
    kind: 'openai-compatible',
    model: 'm',
    answer: async ({ index }) => {
      const outcome = outcomes[Math.min(asked.push(index) - 1, outcomes.length - 1)] ?? 'good';
      return outcome === 'good' ? good : { ok: false, detail: 'in our words', ...outcome };
    },
  };
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  return { asked, slept, check: () => askFirstPrompt(engine, prompts, { callMs: 1000, sleep }) };
}

test('the first answer is used once, and the other prompts are asked as ever', async () => {
  const { asked, check } = script('good');
  const checked = await check();
  if (!checked.ok) throw new Error('the engine answers');
  for (const prompt of prompts.slice(0, 2)) await checked.engine.answer(prompt, AbortSignal.timeout(1000));
  expect(asked).toEqual([0, 1]);
  const [first] = prompts;
  if (first) await checked.engine.answer(first, AbortSignal.timeout(1000));
  expect(asked).toEqual([0, 1, 0]);
});

test.each<FailureReason>(['unauthorized', 'refused', 'invalid_response'])(
  'that every prompt would end as %s is known after one question',
  async (reason) => {
    const { asked, check } = script({ reason, retryable: false });
    expect(await check()).toMatchObject({ ok: false, failure: { reason, detail: 'in our words' } });
    expect(asked).toEqual([0]);
  },
);

test('an engine out of reach is asked again once, after a pause', async () => {
  const { asked, slept, check } = script({ reason: 'unavailable', retryable: true });
  expect(await check()).toMatchObject({ ok: false, failure: { reason: 'unavailable' } });
  expect({ asked, pauses: slept.length }).toEqual({ asked: [0, 0], pauses: 1 });
});

test('a fault that passes does not end the measurement', async () => {
  const { asked, check } = script({ reason: 'unavailable', retryable: true }, 'good');
  expect(await check()).toMatchObject({ ok: true });
  expect(asked).toEqual([0, 0]);
});

test.each<FailureReason>(['timeout', 'rate_limited', 'filtered', 'empty_answer'])(
  'that one prompt ended as %s says nothing of the others',
  async (reason) => {
    const { asked, check } = script({ reason, retryable: true }, 'good');
    const checked = await check();
    if (!checked.ok) throw new Error('the run decides');
    const [first] = prompts;
    if (first) expect(await checked.engine.answer(first, AbortSignal.timeout(1000))).toEqual(good);
    expect(asked).toEqual([0, 0]);
  },
);
