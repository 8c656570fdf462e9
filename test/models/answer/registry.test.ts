import type { Ai } from '@cloudflare/workers-types';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { engineKinds, type AnswerPrompt } from '../../../src/models/answer/port.ts';
import { howToConfigure } from '../../../src/models/answer/how-to-configure.ts';
import { type AnswerEngineTools, productionEngines } from '../../../src/models/answer/registry.ts';
import { localEngines } from '../../../src/models/answer/registry-local.ts';
import { createWorkersAiEngine } from '../../../src/models/answer/workers-ai.ts';

const tools: AnswerEngineTools = { fetch, ai: undefined, recording: undefined, brands: undefined, seed: undefined };
const settings = { kind: 'x', maxOutputTokens: 1500 };
const prompt: AnswerPrompt = { index: 10, id: 'problem-1', intent: 'problem', text: 'Which tea?' };
const signal = AbortSignal.timeout(10_000);

describe('the registry of engines', () => {
  test('has every kind once, and the demonstrations in the local file alone', () => {
    expect([...Object.keys(productionEngines), ...Object.keys(localEngines)].toSorted()).toEqual(
      [...engineKinds].toSorted(),
    );
    expect(Object.keys(productionEngines).toSorted()).toEqual(['openai-compatible', 'workers-ai']);
    const text = readFileSync(new URL('../../../src/models/answer/registry.ts', import.meta.url), 'utf8');
    expect(text).not.toMatch(/simulated|recorded/);
  });

  test.each(engineKinds)('%s has a file, a test, and a word in the guide for operators or users', (kind) => {
    const source = readFileSync(new URL(`../../../src/models/answer/${kind}.ts`, import.meta.url), 'utf8');
    expect(source).toContain(`kind: '${kind}'`);
    const tested = readFileSync(new URL(`${kind}.test.ts`, import.meta.url), 'utf8');
    expect(tested).toContain(`/src/models/answer/${kind}.ts'`);
    expect(tested).toMatch(/^ *test(?:\.each)?\(/m);
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    expect(readme).toContain(kind);
  });

  test.each([
    ['openai-compatible', {}, 'ANSWER_ENGINE_URL is not set'],
    ['openai-compatible', { url: 'https://a.example/v1' }, 'ANSWER_ENGINE_MODEL is not set'],
    ['workers-ai', { model: 'm' }, 'The binding AI is not declared in this deployment'],
  ] as const)('%s with %j says what is missing', (kind, given, detail) => {
    expect(productionEngines[kind]({ ...settings, ...given }, tools)).toEqual({ ok: false, detail });
  });

  test('says how to configure one, naming every variable', () => {
    for (const name of ['ANSWER_ENGINE', 'ANSWER_ENGINE_URL', 'ANSWER_ENGINE_MODEL', 'ANSWER_ENGINE_KEY'])
      expect(howToConfigure.join('\n')).toContain(name);
  });
});

describe('the recorded engine', () => {
  const made = (recording: string) => localEngines.recorded(settings, { ...tools, recording });
  const lines = [
    {
      prompt: 'Which tea?',
      text: 'by prompt',
      model: 'm-1',
      finish_reason: 'length',
      citations: ['https://a.example/'],
    },
    { id: 'problem-2', text: 'by id' },
  ];

  test('answers by the text of the prompt, then by its id, and refuses what was not recorded', async () => {
    const outcome = made(lines.map((line) => JSON.stringify(line)).join('\r\n'));
    if (!outcome.ok) throw new Error(outcome.detail);
    expect(await outcome.engine.answer(prompt, signal)).toMatchObject({
      text: 'by prompt',
      servedModel: 'm-1',
      finishReason: 'length',
      citations: ['https://a.example/'],
    });
    const other = { ...prompt, id: 'problem-2', text: 'Another?' };
    expect(await outcome.engine.answer(other, signal)).toMatchObject({ text: 'by id', citations: undefined });
    expect(await outcome.engine.answer({ ...other, id: 'price-1' }, signal)).toMatchObject({
      ok: false,
      reason: 'refused',
      retryable: false,
    });
  });

  test.each([
    ['no JSON', '{"id":"a","text":"b"}\nnope', 'line 2'],
    ['no text', '{"id":"a"}', 'line 1'],
    ['neither prompt nor id', '{"text":"a"}', 'line 1'],
    ['too many lines', '\n'.repeat(1001), '1000 lines'],
  ])('says what is wrong with a file: %s', (_what, recording, named) => {
    const outcome = made(recording);
    expect(outcome.ok).toBe(false);
    expect(outcome).toMatchObject({ detail: expect.stringContaining(named) });
  });

  test('is not made without a file', () => {
    expect(localEngines.recorded(settings, tools).ok).toBe(false);
  });
});

describe('the engine of Workers AI', () => {
  const answerOf = (run: (...args: unknown[]) => unknown) =>
    createWorkersAiEngine({ binding: { run } as unknown as Ai, model: '@cf/meta/llama', maxOutputTokens: 1500 }).answer(
      prompt,
      signal,
    );

  test('asks the binding with the prompt alone and reads its answer', async () => {
    const asked: unknown[][] = [];
    const answer = await answerOf(async (...args) => {
      asked.push(args);
      return { response: 'Try **Acme**.', usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };
    });
    expect(answer).toMatchObject({ ok: true, text: 'Try **Acme**.', usage: { inputTokens: 1, outputTokens: 2 } });
    expect(asked[0]?.[0]).toBe('@cf/meta/llama');
    expect(asked[0]?.[1]).toMatchObject({ max_tokens: 1500, messages: [{ role: 'user', content: 'Which tea?' }] });
  });

  test.each([
    ['3040: Capacity temporarily exceeded, please try again.', 'rate_limited', true],
    ['5007: No such model', 'refused', false],
  ])('a refusal of the platform (%s) is %s', async (message, reason, retryable) => {
    const outcome = await answerOf(async () => {
      throw new Error(message);
    });
    expect(outcome).toMatchObject({ ok: false, reason, retryable });
  });
});
