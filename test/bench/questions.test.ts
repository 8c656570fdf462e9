import { describe, expect, test } from 'vitest';
import { readCorpus } from '../../bench/audit/corpus.ts';
import { readPages } from '../../bench/search/pages.ts';
import { answers, plain, questions } from '../../bench/search/questions.ts';
import { QUESTIONS } from '../../bench/search/questions-data.ts';

describe('the questions of the search benchmark', () => {
  test('are 200, no two of them alike', () => {
    expect(questions).toHaveLength(200);
    expect(new Set(questions.map(({ question }) => plain(question))).size).toBe(200);
  });

  test('are about many pages, none of which has more than an eighth of them', () => {
    const counts = Object.values(QUESTIONS).map((rows) => rows.length);
    expect(counts.length).toBeGreaterThanOrEqual(20);
    expect(Math.max(...counts)).toBeLessThanOrEqual(25);
  });

  test('each names a page and the words of its answer', () => {
    for (const { page, question, answer } of questions) {
      expect(page).toMatch(/^[a-z0-9-]+\.html$/);
      expect(plain(question)).not.toBe('');
      expect(plain(answer).length).toBeGreaterThanOrEqual(5);
    }
  });

  test('none repeats the words of its answer', () => {
    const copied = questions.filter(({ question, answer }) => plain(question).includes(plain(answer)));
    expect(copied).toEqual([]);
  });
});

describe('a passage answers a question', () => {
  const question = { page: 'a.html', question: 'How far?', answer: 'It’s “far away”' };

  test.each([
    ['with its words, whatever their marks and line ends are', 'a.html', "Is *it's*\nfar\u00a0**away**?", true],
    ['with its words about a link', 'a.html', 'It’s [far](https://example.com/a_b) away.', true],
    ['not on another page', 'b.html', 'It’s far away', false],
    ['not with other words in between', 'a.html', 'It’s very far away', false],
    ['not with a part of them', 'a.html', 'It’s far', false],
  ])('%s', (_what, page, text, expected) => {
    expect(answers(question, { page, text })).toBe(expected);
  });
});

describe.skipIf(readCorpus() === undefined)('on the saved pages, where they are at hand,', () => {
  test('each answer is in a chunk of its page, and mostly in few', async () => {
    const pages = new Map((await readPages())?.map((page) => [page.page, page]));
    const found = questions.map((one) => {
      const chunks = pages.get(one.page)?.chunks ?? [];
      return { answer: one.answer, chunks: chunks.filter(({ text }) => answers(one, { page: one.page, text })).length };
    });
    expect(found.filter(({ chunks }) => chunks === 0)).toEqual([]);
    expect(found.filter(({ chunks }) => chunks > 2)).toEqual([]);
  });
});
