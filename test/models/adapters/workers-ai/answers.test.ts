import { describe, expect, test } from 'vitest';
import type { AnswerPrompt } from '../../../../src/models/port.ts';
import { createWorkersAiEngine } from '../../../../src/models/adapters/workers-ai/engines.ts';

const MAX_TOKENS = 100;
const prompt: AnswerPrompt = { index: 0, id: 'price-1', intent: 'price', text: 'Which tea?' };

const outcomeOf = (run: (...asked: unknown[]) => unknown, signal: AbortSignal = AbortSignal.timeout(10_000)) => {
  const binding = { run } as unknown as Parameters<typeof createWorkersAiEngine>[0]['binding'];
  return createWorkersAiEngine({ binding, model: '@cf/a/b', maxOutputTokens: MAX_TOKENS }).answer(prompt, signal);
};

const chat = (finish: string | null, content: unknown = 'Acme') => ({
  choices: [{ message: { content }, finish_reason: finish }],
});

test('a prompt is all that the binding is asked, and its answer is read', async () => {
  const asked: unknown[][] = [];
  const answer = await outcomeOf(async (...args) => {
    asked.push(args);
    return { response: 'Try **Acme**.', usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };
  });
  expect(answer).toMatchObject({ ok: true, text: 'Try **Acme**.', usage: { inputTokens: 1, outputTokens: 2 } });
  expect(asked[0]?.[0]).toBe('@cf/a/b');
  expect(asked[0]?.[1]).toMatchObject({
    max_tokens: MAX_TOKENS,
    messages: [{ role: 'user', content: 'Which tea?' }],
  });
});

describe('an answer of the platform', () => {
  test('names its model in the form of OpenAI only', async () => {
    expect(await outcomeOf(async () => ({ ...chat('stop'), model: '@cf/served' }))).toMatchObject({
      servedModel: '@cf/served',
      text: 'Acme',
    });
    expect(await outcomeOf(async () => ({ response: 'Acme' }))).toHaveProperty('servedModel', undefined);
  });

  test.each([
    ['says so', chat('length'), 'length'],
    ['used all its tokens and does not say', { response: 'x', usage: { completion_tokens: MAX_TOKENS } }, 'length'],
    ['used fewer', { response: 'x', usage: { completion_tokens: MAX_TOKENS - 1 } }, 'stop'],
    ['does not count', { response: 'x' }, 'stop'],
    ['says that it ended', { ...chat('stop'), usage: { completion_tokens: MAX_TOKENS } }, 'stop'],
  ])('that %s (%j) ended by %s', async (_what, output, finishReason) => {
    expect(await outcomeOf(async () => output)).toMatchObject({ ok: true, finishReason });
  });

  test('without counts has unknown ones', async () => {
    expect(await outcomeOf(async () => ({ response: 'x' }))).toMatchObject({
      usage: { inputTokens: undefined, outputTokens: undefined },
    });
  });

  test('that was filtered is a failure', async () => {
    expect(await outcomeOf(async () => chat('content_filter'))).toMatchObject({ ok: false, reason: 'filtered' });
  });

  test.each([
    ['null', null],
    ['a text', 'Acme'],
    ['an object for a text', { response: { a: 1 } }],
    ['parts for a text', chat('stop', [{ type: 'text', text: 'x' }])],
    ['choices that are none', { choices: 'x' }],
    ['an empty choice', { choices: [null] }],
    ['no choice', { choices: [] }],
  ])('that is %s is refused, not thrown', async (_what, output) => {
    expect(await outcomeOf(async () => output)).toMatchObject({ reason: 'invalid_response', retryable: false });
  });
});

describe('a refusal of the platform', () => {
  // https://developers.cloudflare.com/workers-ai/platform/errors/
  test.each([
    [3003, 'refused', false],
    [3006, 'refused', false],
    [3007, 'timeout', true],
    [3008, 'timeout', true],
    [3023, 'unauthorized', false],
    [3036, 'rate_limited', false],
    [3039, 'refused', false],
    [3040, 'rate_limited', true],
    [3041, 'unauthorized', false],
    [3042, 'refused', false],
    [5004, 'refused', false],
    [5007, 'refused', false],
    [5016, 'unauthorized', false],
    [5018, 'unauthorized', false],
    [5019, 'refused', false],
  ])('with code %i is %s, asking again may help: %s', async (code, reason, retryable) => {
    const outcome = await outcomeOf(async () => {
      throw new Error(`${code}: words of the platform`);
    });
    expect(outcome).toMatchObject({ ok: false, reason, retryable });
    expect(JSON.stringify(outcome)).not.toContain('words of the platform');
  });

  test('without a code may pass', async () => {
    const outcome = await outcomeOf(async () => {
      throw new Error('something odd');
    });
    expect(outcome).toMatchObject({ ok: false, reason: 'unavailable', retryable: true });
  });

  test('that never comes ends with the signal, although the binding ignores it', async () => {
    expect(await outcomeOf(() => new Promise(() => {}), AbortSignal.timeout(20))).toMatchObject({ reason: 'timeout' });
  });
});
