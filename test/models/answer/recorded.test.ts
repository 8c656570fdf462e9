import { describe, expect, test } from 'vitest';
import { MAX_ANSWER_BYTES, type AnswerPrompt } from '../../../src/models/answer/port.ts';
import { productionEngines } from '../../../src/models/answer/registry.ts';
import { createRecordedEngine } from '../../../src/models/answer/recorded.ts';

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

describe('settings of a chat API', () => {
  const tools = { fetch, ai: undefined, recording: undefined, brands: undefined, seed: undefined };
  const made = (given: { url?: string; key?: string }) =>
    productionEngines['openai-compatible'](
      { kind: 'openai-compatible', model: 'm', url: 'https://a.example/v1', maxOutputTokens: 1500, ...given },
      tools,
    );

  test.each([
    ['no address', { url: 'a.example' }, 'ANSWER_ENGINE_URL'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'ANSWER_ENGINE_URL'],
    ['a password in the address', { url: 'https://user:secret@a.example/v1' }, 'ANSWER_ENGINE_URL'],
    ['two lines as key', { key: 'sk-secret\nx' }, 'ANSWER_ENGINE_KEY'],
    ['letters that no header carries', { key: 'sk-secret-ä€' }, 'ANSWER_ENGINE_KEY'],
  ])('are refused without quoting them: %s', (_what, given, variable) => {
    const outcome = made(given);
    expect(outcome).toMatchObject({ ok: false, detail: expect.stringContaining(variable) });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  test.each([{ key: 'sk-1\n' }, { key: '' }, { url: 'http://127.0.0.1:8080/v1' }])('are taken: %j', (given) => {
    expect(made(given).ok).toBe(true);
  });
});
