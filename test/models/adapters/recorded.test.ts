import { describe, expect, test } from 'vitest';
import { MAX_ANSWER_BYTES, type AnswerPrompt } from '../../../src/models/port.ts';
import { localAnswers } from '../../../src/models/registry-local.ts';
import { createRecordedEngine } from '../../../src/models/adapters/recorded.ts';

const prompt: AnswerPrompt = { index: 0, id: 'trust-1', intent: 'trust', text: 'Which tea?' };
const line = (text: string): string => JSON.stringify({ id: 'trust-1', text });
const textOf = async (jsonl: string) => createRecordedEngine({ jsonl }).answer(prompt, AbortSignal.timeout(1000));

describe('a transcript', () => {
  test('may begin with the mark that some editors write', async () => {
    expect(await textOf(`\uFEFF${line('Acme')}`)).toMatchObject({ text: 'Acme' });
  });

  test('may hold 32 kB of text, counted in bytes, and no more', async () => {
    expect(await textOf(line('ä'.repeat(MAX_ANSWER_BYTES / 2)))).toMatchObject({ ok: true });
    expect(() => createRecordedEngine({ jsonl: line('ä'.repeat(MAX_ANSWER_BYTES / 2 + 1)) })).toThrow('line 1');
  });

  test.each(['', '  \n'])('that says %j is refused', (text) => {
    expect(() => createRecordedEngine({ jsonl: `${line('Acme')}\n${line(text)}` })).toThrow('line 2');
  });
});

describe('sources of a transcript', () => {
  const say = (more: object) => JSON.stringify({ id: 'trust-1', text: 'Acme [1].', ...more });
  const sources = [{ url: 'https://a.example/', title: 'A', spans: [[5, 8]] }, { url: 'https://b.example/' }];

  test('come with what is said of them, and are its citations', async () => {
    expect(await textOf(say({ sources }))).toMatchObject({
      sources,
      citations: ['https://a.example/', 'https://b.example/'],
    });
    expect(await textOf(say({ sources, citations: [] }))).toMatchObject({ sources, citations: [] });
    expect(await textOf(say({}))).not.toHaveProperty('sources');
  });

  test.each([
    ['too many', Array.from({ length: 31 }, () => ({ url: 'https://a.example/' }))],
    ['an empty stretch', [{ url: 'https://a.example/', spans: [[4, 4]] }]],
    ['no address', [{ title: 'A' }]],
  ])('with %s are refused', (_what, given) => {
    expect(() => createRecordedEngine({ jsonl: say({ sources: given }) })).toThrow('line 1');
  });
});

describe('the recorded engine', () => {
  const settings = { prefix: 'ANSWER_ENGINE', maxOutputTokens: 1500 } as const;
  const tools = { fetch, ai: undefined };
  const signal = AbortSignal.timeout(10_000);
  const made = (recording: string) => localAnswers.factories.recorded(settings, { ...tools, recording });
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
    const outcome = made(lines.map((one) => JSON.stringify(one)).join('\r\n'));
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
    expect(localAnswers.factories.recorded(settings, tools).ok).toBe(false);
  });
});
