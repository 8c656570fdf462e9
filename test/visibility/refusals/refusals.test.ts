import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PromptLanguage, promptLanguages } from '../../../src/visibility/prompts/prompt-set.ts';
import { readEnds, splitParts } from '../../../src/visibility/refusals/parts.ts';
import { type RefusalKind, refusalKinds } from '../../../src/visibility/refusals/refusal-kinds.ts';
import { classifyAnswer } from '../../../src/visibility/refusals/refusals.ts';

type Case = {
  language: PromptLanguage;
  niche: string;
  prompt: string;
  text: string;
  kind: RefusalKind | 'answer';
};

/** Written for this test: none of them is in the labelled data. */
const cases = readFileSync(join(import.meta.dirname, 'refusal-cases.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

const about = { prompt: 'Which help desk software is best?', language: 'en', niche: 'help desk software' } as const;
const LONG_CHARS = 1_000_000;

describe('texts that are no answer', () => {
  test.each(cases)('$language, $kind: $text', ({ text, kind, ...context }) => {
    expect(classifyAnswer(text, context) ?? 'answer').toBe(kind);
  });

  test('every language has refusals, stock phrases, other languages and answers among the cases', () => {
    const found = new Set(cases.map(({ language, kind }) => `${language} ${kind}`));
    const wanted = promptLanguages.flatMap((language) =>
      ['refusal', 'stock_phrase', 'wrong_language', 'answer'].map((kind) => `${language} ${kind}`),
    );
    expect([...found]).toEqual(expect.arrayContaining(wanted));
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['punctuation', '?!... --- ***'],
    ['null', 'null'],
    ['a page', '<!DOCTYPE html><html><body>Acme is good</body></html>'],
    ['an error in JSON', '{"error":{"message":"overloaded","type":"server_error"}}'],
    ['a call of a tool', '```json\n{"tool_calls":[{"name":"search","arguments":"{}"}]}\n```'],
    ['a filler', 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.'],
    ['NULs', '\0'.repeat(1000)],
  ])('%s is a stock phrase', (_, text) => {
    expect(classifyAnswer(text, about)).toBe('stock_phrase');
  });

  test('code is off topic, but not where code was asked for', () => {
    const code = '```python\ndef add(a, b):\n    return a + b\n\nprint(add(1, 2))\n```';
    expect(classifyAnswer(code, { ...about, prompt: 'Which plumber is best?', niche: 'plumbers' })).toBe('off_topic');
    expect(
      classifyAnswer(code, { ...about, prompt: 'Best Python library?', niche: 'Python libraries' }),
    ).toBeUndefined();
  });

  test('without a language, refusals are found in each and no text is in the wrong one', () => {
    const kindOf = ({ text, prompt, niche }: Case): RefusalKind | undefined =>
      classifyAnswer(text, { prompt, niche, language: undefined });
    const refused = cases.filter(({ kind }) => kind === 'refusal').map(kindOf);
    expect(new Set(refused)).toEqual(new Set(['refusal']));
    expect(cases.map(kindOf)).not.toContain('wrong_language');
  });
});

describe('real answers', () => {
  test.each([
    'x',
    'answer 3',
    'Acme.',
    'Acme',
    '**Acme**: a fine choice.',
    '1. Acme\n2. Beta\n3. Gamma',
    '| Name | Price |\n|---|---|\n| Acme | $9 |',
    '{"best":"Acme","why":"cheap and quick"}',
    '<b>Acme</b> & <i>Beta</i>',
    'I would not buy any of them before you have counted your tickets: below fifty a week, a shared mailbox does.',
    'Sorry to be blunt, but most of them are too large for you. Acme is not.',
    'I cannot recommend Acme: its support never answers. Beta does.',
    'Acme Help Desk Pro\nBeta Desk Two Plus\nGamma Mail Light Edition',
  ])('%s', (text) => {
    expect(classifyAnswer(text, about)).toBeUndefined();
    expect(classifyAnswer(text, { ...about, language: undefined })).toBeUndefined();
  });

  test.each(promptLanguages)('a list of names is an answer in %s', (language) => {
    expect(classifyAnswer('1. Acme Desk\n2. Beta Desk\n3. Gamma Desk', { ...about, language })).toBeUndefined();
  });
});

describe('hostile texts', () => {
  const hostile: readonly (readonly [string, string])[] = [
    ['one word of a megabyte', 'a'.repeat(LONG_CHARS)],
    ['a megabyte of signs', '漢'.repeat(LONG_CHARS)],
    ['a megabyte of NULs', '\0'.repeat(LONG_CHARS)],
    ['a megabyte of punctuation', '.'.repeat(LONG_CHARS)],
    ['a megabyte of spaces', ' '.repeat(LONG_CHARS)],
    ['a megabyte of commas and spaces', ', '.repeat(LONG_CHARS / 2)],
    ['a megabyte of line ends', '\n'.repeat(LONG_CHARS)],
    ['a megabyte of list marks', '- '.repeat(LONG_CHARS / 2)],
    ['a megabyte of brackets', '['.repeat(LONG_CHARS)],
    ['a megabyte of stars', '*'.repeat(LONG_CHARS)],
    ['a megabyte of tags', '<b>'.repeat(LONG_CHARS / 3)],
    ['a megabyte of halves of pairs', '\u{D83D}'.repeat(LONG_CHARS)],
    ['a megabyte of accents', 'e\u0301'.repeat(LONG_CHARS / 2)],
  ];

  test.each(hostile)('%s: only its ends are read, and it gets a kind or none', (_, text) => {
    const read = readEnds(text);
    expect(read.length).toBeLessThan(8000);
    expect(splitParts(read).length).toBeLessThanOrEqual(120);
    const kind = classifyAnswer(text, about);
    expect(kind).toBe(classifyAnswer(read, about));
    expect([...refusalKinds, undefined]).toContain(kind);
  });

  test('a long answer is an answer, whatever is said in its middle', () => {
    const answer = `Acme is the one I would buy.\n${'It answers quickly and costs little. '.repeat(300)}`;
    expect(classifyAnswer(`${answer}I cannot help with that.\n${answer}`, about)).toBeUndefined();
  });
});
