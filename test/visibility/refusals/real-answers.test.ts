import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PromptLanguage, promptLanguages } from '../../../src/visibility/prompts/prompt-set.ts';
import { phrasesOf } from '../../../src/visibility/refusals/phrases/phrases.ts';
import { type AnswerContext, classifyAnswer } from '../../../src/visibility/refusals/refusals.ts';

/** Rows of `real-answers.jsonl` have no id. */
type Labelled = AnswerContext & { text: string; id?: string };

const labelled = join(import.meta.dirname, '../labelled');
const read = (file: string): string => readFileSync(file, 'utf8');
const readLines = (file: string): readonly Labelled[] =>
  read(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Labelled);

/** Written for this test, language by language. */
const answers = readLines(join(import.meta.dirname, 'real-answers.jsonl'));

/** Its text is a line of code behind a sentence, so it is an answer only where code is asked for. */
const NICHE_OF: Readonly<Record<string, string>> = { 'case-093': 'payment API' };

describe('real answers', () => {
  test.each(answers)('$language, $niche: $text', ({ text, ...about }) => {
    expect(classifyAnswer(text, about)).toBeUndefined();
    expect(classifyAnswer(text, { ...about, language: undefined })).toBeUndefined();
  });

  test('are in every language', () => {
    expect(new Set(answers.map(({ language }) => language))).toEqual(new Set(promptLanguages));
  });
});

describe('labelled texts, which all are answers', () => {
  test.each(['mention-cases.json', 'mention-cases-2.json'])('%s', (file) => {
    const cases = JSON.parse(read(join(labelled, file))) as Labelled[];
    const refused = cases.filter(({ id, text, language }) =>
      [language, undefined].some(
        (one) => classifyAnswer(text, { language: one, niche: NICHE_OF[id ?? ''] ?? '', prompt: '' }) !== undefined,
      ),
    );
    expect(cases.length).toBeGreaterThan(300);
    expect(refused.map(({ id }) => id)).toEqual([]);
  });

  test.each(['answers.jsonl', 'answers-2.jsonl'])('%s', (file) => {
    const rows = readLines(join(labelled, file));
    const refused = rows.filter(({ text, niche, prompt, language }) =>
      [language, undefined].some((one) => classifyAnswer(text, { language: one, niche, prompt }) !== undefined),
    );
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(refused.map(({ id }) => id)).toEqual([]);
  });
});

describe('a name beside a phrase', () => {
  const niches: Readonly<Record<PromptLanguage, string>> = {
    en: 'note apps',
    de: 'Notiz-Apps',
    fr: 'applications de notes',
    es: 'aplicaciones de notas',
    pt: 'aplicativos de notas',
    it: 'app per appunti',
    nl: 'notitie-apps',
    ja: 'メモアプリ',
  };
  const sentencesWith = (phrase: string, language: PromptLanguage): readonly string[] =>
    language === 'ja' ? [`鈴木堂が${phrase}。`, `「ブリンド」は${phrase}。`] : [`Brindlewick ${phrase}.`];

  test.each(promptLanguages)('is an answer in %s, where the phrase is true of any market', (language) => {
    const phrases = phrasesOf[language].rules.fills.flat(2).map((phrase) => phrase.trim());
    const taken = phrases
      .flatMap((phrase) => sentencesWith(phrase, language))
      .filter((text) => classifyAnswer(text, { language, niche: niches[language], prompt: '' }) !== undefined);
    expect(phrases.length).toBeGreaterThan(20);
    expect(taken).toEqual([]);
  });
});
