import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { questionFields, type QuestionFields, readPromptChoice } from '../../src/capabilities/visibility-questions.ts';

const body = z.strictObject(questionFields);
const questions = [
  'Which help desk tool suits a team of five?',
  'How do I answer customers faster without hiring?',
  'What do small shops use to answer mail?',
  'Is there a help desk that works without a server?',
  'Which ticket system is easy to leave again?',
  'What should I look for in a shared inbox?',
];
const choose = (fields: QuestionFields) => readPromptChoice(body.parse(fields), ['Zendril']);

describe('which questions a body chooses', () => {
  test.each([
    [{}, { set: 'v1' }],
    [{ prompt_set: 'v1' }, { set: 'v1' }],
    [{ prompt_set: 'v1', language: 'en' }, { set: 'v1' }],
    [{ prompt_set: 'v2' }, { set: 'v2', language: 'en', kind: 'product', local: false }],
    [{ language: 'de' }, { set: 'v2', language: 'de', kind: 'product', local: false }],
    [{ language: 'en' }, { set: 'v2', language: 'en', kind: 'product', local: false }],
    [{ kind: 'service' }, { set: 'v2', language: 'en', kind: 'service', local: false }],
    [{ local: true }, { set: 'v2', language: 'en', kind: 'service', local: true }],
    [{ local: false }, { set: 'v2', language: 'en', kind: 'product', local: false }],
    [
      { prompt_set: 'v2', language: 'ja', kind: 'product', local: true },
      { set: 'v2', language: 'ja', kind: 'product', local: true },
    ],
    [{ prompts: questions }, { set: 'own', language: 'en', prompts: questions }],
  ] as const)('%j', async (fields, choice) => {
    expect(await choose(fields)).toEqual(choice);
  });

  test.each([
    [{ prompts: questions, prompt_set: 'v2' }, '/prompt_set'],
    [{ prompts: questions, kind: 'product' }, '/kind'],
    [{ prompts: questions, local: false }, '/local'],
    [{ prompt_set: 'v1', language: 'de' }, '/language'],
    [{ prompt_set: 'v1', kind: 'service' }, '/kind'],
    [{ prompt_set: 'v1', local: true }, '/local'],
    [{ prompts: questions.with(2, 'What is better than Zendril?') }, '/prompts/2'],
    [{ prompts: questions, language: 'de' }, '/prompts/1'],
  ] as const)('%j is refused', async (fields, pointer) => {
    expect(await choose(fields)).toMatchObject({
      code: 'invalid_body',
      errors: expect.arrayContaining([expect.objectContaining({ pointer })]),
    });
  });

  test.each([
    { language: 'xx' },
    { prompt_set: 'own' },
    { kind: 'shop' },
    { local: 'yes' },
    { prompts: questions.slice(1) },
    { prompts: [...questions, 'short'] },
    { prompts: [...questions, 'x'.repeat(301)] },
    { prompts: Array.from({ length: 101 }, (_, at) => `Which is number ${at} of them?`) },
  ])('%#: what is no field of that form is no body', (fields) => {
    expect(body.safeParse(fields).success).toBe(false);
  });
});
