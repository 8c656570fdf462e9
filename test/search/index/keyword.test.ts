import { describe, expect, test } from 'vitest';
import { parseQueryTerms } from '../../../src/search/index/words.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';
import { filled, testStore } from './support.ts';

const FILLER = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`z${at}`, `Nothing of note, part ${at}.`]));

describe('ranking by words', () => {
  test('a word of the title outweighs one of the text', () => {
    const { keys } = filled(
      { ...FILLER, body: 'Here a refund is mentioned in passing.', titled: 'Here something is told at some length.' },
      (key) => (key === 'titled' ? { title: 'Refund' } : {}),
    );
    expect(keys('refund')).toEqual(['titled', 'body']);
  });

  test('a heading counts as a title does', () => {
    const { store } = filled(FILLER);
    store.putItem(itemOf('body'), chunksOf('Here a refund is mentioned in passing.'));
    store.putItem(
      itemOf('headed'),
      chunksOf('Here something is told at some length.').map((chunk) => ({ ...chunk, heading: 'Prices > Refund' })),
    );
    expect(store.search(asked('refund')).map(({ item }) => item.key)).toEqual(['headed', 'body']);
  });

  test('a rare word outweighs a common one', () => {
    const { keys } = filled({ ...FILLER, rare: 'A quokka of no note.', common: 'Nothing note, nothing note.' });
    expect(keys('nothing quokka', { keywordMode: 'or' })[0]).toBe('rare');
  });

  test('scores fall from 1 towards 0, and are not nil where each chunk has the word', () => {
    const { store } = filled({ only: 'Audits are paid in USDC.' });
    const [found, ...others] = store.search(asked('audits'));
    expect(others).toEqual([]);
    // One occurrence in a chunk of average length is r = 1: r / (r + 0.5).
    expect(found?.score).toBeCloseTo(2 / 3, 6);
    expect(found?.scoring).toEqual({ keyword_score: found?.score, keyword_rank: 1 });
  });

  test.each([
    ['shop open', 2 / 3],
    ['When is the shop open?', 0.8 / 1.3],
    ['quokka shop', 0.5],
  ])('one chunk alone: %j scores %d, a word that it lacks weighing as one that it has', (query, score) => {
    const { store } = filled({ only: 'The shop is open from nine to five.' });
    expect(store.search(asked(query))[0]?.score).toBeCloseTo(score, 6);
  });

  test.each([1, 2, 3, 4, 10, 50, 300])('each word once in one of %i chunks of one length is two thirds', (count) => {
    const texts = Array.from({ length: count }, (_, at) => [`k${at}`, `word${at} in half${at % 2} of all`]);
    const { store } = filled(Object.fromEntries(texts));
    for (const query of ['word0 half0', 'word0', 'all', 'in half0 of all'])
      expect(store.search(asked(query, { keywordMode: 'and' }))[0]?.score).toBeCloseTo(2 / 3, 6);
  });

  test('a word that most chunks have counts in a small index', () => {
    const { store } = filled({
      shipping: 'Shipping takes three days within the country and costs five dollars.',
      returns: 'Goods come back within thirty days. Return shipping is free.',
      opening: 'The shop is open from nine to five.',
    });
    const found = store.search(asked('How long does shipping take?'));
    expect(found.map(({ item }) => item.key)).toEqual(['shipping', 'returns']);
    for (const { score } of found) expect(score).toBeGreaterThan(0.15);
  });

  test('a small index is ranked by the scores, also for words that most of it has', () => {
    const { keys } = filled({
      often: 'tea tea tea tea',
      milk: 'milk with much tea in it',
      tea: 'one tea',
      none: 'water',
    });
    expect(keys('tea milk', { keywordMode: 'or' })).toEqual(['milk', 'often', 'tea']);
  });

  test.each([
    [200, ['milk', 'often']],
    [201, ['often', 'milk']],
  ])('an index of %i chunks: words that most of it has are weighed up to 200 chunks', (count, expected) => {
    const others = Array.from({ length: count - 2 }, (_, at) => [`k${at}`, at % 3 === 0 ? 'tea' : 'tea and milk']);
    const { keys } = filled({ ...Object.fromEntries(others), milk: 'milk', often: 'tea tea tea tea' });
    const value = ['milk', 'often'];
    const filter = { match: 'all', conditions: [{ field: 'filename', type: 'text', op: 'in', value }] } as const;
    expect(keys('tea milk', { keywordMode: 'or', filter })).toEqual(expected);
  });

  test('a found chunk tells its item', () => {
    const { store } = testStore();
    const metadata = { year: 2024, isNew: true, tag: 'a' };
    store.putItem(itemOf('docs/a.md', { metadata, modifiedMs: 5 }), chunksOf('First words.', 'Second words.'));
    expect(store.search(asked('second'))).toEqual([
      {
        id: `${'1'.padStart(32, '0')}-1`,
        type: 'text',
        score: expect.any(Number) as number,
        text: 'Second words.',
        item: { key: 'docs/a.md', timestamp: 5, metadata },
        scoring: { keyword_score: expect.any(Number) as number, keyword_rank: 1 },
      },
    ]);
  });

  test('words are found in other forms, cases and accents', () => {
    const { keys } = filled({ ...FILLER, a: 'She was running to the Café in ZÜRICH.' });
    for (const query of ['run', 'cafe', 'CAFÉ', 'zurich', 'Zu\u0308rich', 'ｃａｆｅ'])
      expect(keys(query)).toEqual(['a']);
  });

  test('no more than asked for are found, and never more than 50', () => {
    const { keys } = filled(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, 'the same word'])));
    expect(keys('word', { maxResults: 3 })).toHaveLength(3);
    expect(keys('word', { maxResults: 1_000 })).toHaveLength(50);
  });
});

describe('words together', () => {
  const { keys } = filled({
    ...FILLER,
    all: 'The red panda eats bamboo, and much else that is listed at great length in this long text of many words.',
    red: 'A red red red car.',
    panda: 'Panda panda panda.',
  });

  test.each([
    ['and', ['all']],
    ['auto', ['all', 'panda', 'red']],
  ] as const)('%s', (keywordMode, expected) => {
    const found = keys('red panda', { keywordMode });
    expect(found[0]).toBe('all');
    expect(found.toSorted()).toEqual(expected);
  });

  test('or: any of them, by relevance alone', () => {
    expect(keys('red panda', { keywordMode: 'or' }).toSorted()).toEqual(['all', 'panda', 'red']);
    expect(keys('red panda unicorn', { keywordMode: 'or' })).toHaveLength(3);
    expect(keys('red panda unicorn', { keywordMode: 'and' })).toEqual([]);
  });

  test('auto: chunks with all words come first, none twice, and scores never rise', () => {
    const { store } = filled({ ...FILLER, both: 'aa bb '.concat('filler '.repeat(300)), one: 'aa aa aa', two: 'bb' });
    const found = store.search(asked('aa bb', { keywordMode: 'auto' }));
    expect(found.map(({ item }) => item.key)[0]).toBe('both');
    expect(new Set(found.map(({ id }) => id)).size).toBe(3);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test('or: what has but common words is found as well, behind the others', () => {
    const { keys: found } = filled({ a: 'the cat', b: 'the dog', c: 'the bird', d: 'the quokka' });
    expect(found('the quokka', { keywordMode: 'or' })).toEqual(['d', 'a', 'b', 'c']);
  });
});

describe('words that many chunks have', () => {
  /** 5 of 21 chunks have the common word, one the rare one. */
  const common = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`c${at}`, 'Tea tea tea.']));
  const rest = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`z${at}`, `Nothing here, part ${at}.`]));
  const texts = { ...rest, ...common, rare: `A quokka${' and much besides'.repeat(60)}.` };

  test('or: rank what none of the rarer words is in, behind all that has one', () => {
    const { store, keys } = filled(texts);
    expect(keys('tea quokka', { keywordMode: 'or' })).toEqual(['rare', 'c0', 'c1', 'c2', 'c3', 'c4']);
    const scores = store.search(asked('tea quokka', { keywordMode: 'or' })).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test('are ranked where there is no rarer one', () => {
    expect(filled(texts).keys('tea', { keywordMode: 'or' })).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
  });
});

describe('K9: what a search costs', () => {
  /** No index is small. */
  const LARGE = 0;
  const texts = { ...FILLER, a: 'A red panda.', b: 'A red car.', c: 'A panda.' };
  const ranking = (statements: readonly string[]) => statements.filter((query) => query.includes('ORDER BY score'));

  test('a small index is read in two statements', () => {
    const { store, statements } = filled(texts);
    for (const keywordMode of ['and', 'or', 'auto'] as const) {
      statements.length = 0;
      store.search(asked('red panda nothing', { keywordMode, showsText: false, maxResults: 0 }));
      expect(statements).toHaveLength(2 + 1); // And the table that is searched.
    }
  });

  test('words are counted in one statement', () => {
    const { keys, statements } = filled(texts, undefined, LARGE);
    statements.length = 0;
    expect(keys('red panda nothing', { keywordMode: 'or' }).slice(0, 1)).toEqual(['a']);
    expect(statements.filter((query) => query.includes('count(*)'))).toHaveLength(1);
  });

  test('what has all words is enough where no more is shown, but not for a boost', () => {
    const { keys, statements } = filled(texts, undefined, LARGE);
    statements.length = 0;
    expect(keys('red panda', { maxResults: 1 })).toEqual(['a']);
    expect(ranking(statements)).toHaveLength(1);
    statements.length = 0;
    keys('red panda', { maxResults: 1, boosts: [{ field: 'timestamp', type: 'datetime', direction: 'desc' }] });
    expect(ranking(statements)).toHaveLength(2);
  });

  test.each([1, 2, 3, 50])('the first %i are the same as of all', (maxResults) => {
    const { keys } = filled(texts);
    for (const keywordMode of ['and', 'or', 'auto'] as const) {
      const all = keys('a red panda', { keywordMode, maxResults: 50 });
      expect(keys('a red panda', { keywordMode, maxResults })).toEqual(all.slice(0, maxResults));
    }
  });
});

describe('scripts without spaces', () => {
  const texts = {
    ja: '東京都は日本の首都です。返品は三十日以内に受け付けます。',
    zh: '我们提供网站可见性审计服务，付款使用稳定币。',
    ko: '서울에서 열린 회의는 내일 끝납니다.',
    th: 'การคืนเงินใช้เวลาเจ็ดวัน',
    hi: 'हिन्दी में लिखा गया पाठ',
    ar: 'هٰذَا كِتَابٌ جَدِيد',
    ru: 'Возврат денег занимает семь дней',
  };
  const rows = [
    ['日本', 'ja'],
    ['返品', 'ja'],
    ['審計', undefined],
    ['审计', 'zh'],
    ['付款', 'zh'],
    ['서울', 'ko'],
    ['คืนเงิน', 'th'],
    ['हिन्दी', 'hi'],
    ['كتاب', 'ar'],
    ['возврат', 'ru'],
  ] as const;

  test.each(rows)('porter: %s is found in %s', (query, key) => {
    expect(filled(texts).keys(query)).toEqual(key === undefined ? [] : [key]);
  });

  test.each(rows)('trigram: %s is found in %s', (query, key) => {
    const { store, keys } = filled(texts);
    expect(store.reindex('trigram')).toBe(true);
    expect(keys(query, { keywordMode: 'and' })).toEqual(key === undefined ? [] : [key]);
  });

  test('letters that stand apart are no word', () => {
    expect(filled({ a: '日は東、本は西' }).keys('日本')).toEqual([]);
  });

  test('a question of a whole sentence finds the text', () => {
    expect(filled({ ...texts, other: '猫は魚が好きです' }).keys('返品はいつまでですか')[0]).toBe('ja');
  });
});

describe('trigrams', () => {
  test('find parts of words of at least three characters', () => {
    const { store, keys } = filled({ code: 'const answer = createGuardedFetch(policy);', other: 'nothing here' });
    expect(keys('guarded')).toEqual([]);
    store.reindex('trigram');
    for (const query of ['guarded', 'dFetch(pol', 'GUARD', 'what is ("guarded")?'])
      expect(keys(query)).toEqual(['code']);
    expect(keys('ed')).toEqual([]);
    expect(keys('ed guarded')).toEqual(['code']);
  });
});

describe('K9: what a query says is no syntax', () => {
  const hostile = [
    '"',
    '""',
    '" OR 1',
    'NEAR(',
    'NEAR(a b, 2)',
    '*',
    'cat*',
    '^cat',
    'title: cat',
    'title:cat',
    '{title text}: cat',
    '- title : cat',
    'cat AND',
    'AND',
    'OR OR OR',
    'NOT cat',
    'cat NOT dog',
    '(cat',
    'cat)',
    "'; DROP TABLE item; --",
    'cat\0dog',
    '\uD800',
    '\u202Ecat',
    '%_',
    '+cat + dog',
    ' ',
    '',
  ];

  test.each(hostile.flatMap((query) => (['porter', 'trigram'] as const).map((tokenizer) => ({ query, tokenizer }))))(
    '$tokenizer: $query',
    ({ query, tokenizer }) => {
      const { store } = filled({ a: 'the cat sat', b: 'the dog sat' });
      store.reindex(tokenizer);
      for (const keywordMode of ['and', 'or', 'auto'] as const)
        expect(store.search(asked(query, { keywordMode })).length).toBeLessThanOrEqual(2);
      expect(store.stats().items).toBe(2);
    },
  );

  test('operators are words', () => {
    const { keys } = filled({ a: 'cat and dog', b: 'cat near dog', c: 'cat', d: 'bird', e: 'fish' });
    expect(keys('cat AND dog', { keywordMode: 'and' })).toEqual(['a']);
    expect(keys('NEAR', { keywordMode: 'and' })).toEqual(['b']);
    expect(keys('cat*', { keywordMode: 'and' }).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('a query has at most 64 words, each once', () => {
    const words = Array.from({ length: 1_000 }, (_, at) => `w${at}`);
    expect(parseQueryTerms(words.join(' '), 'porter')).toHaveLength(64);
    expect(parseQueryTerms('cat Cat CAT "cat"', 'porter')).toEqual(['"cat"']);
    expect(parseQueryTerms('a"b', 'trigram')).toEqual(['"a""b"']);
    expect(parseQueryTerms('x'.repeat(1_000_000), 'porter')).toEqual([`"${'x'.repeat(8_192)}"`]);
  });
});

test('letters beyond the first 65,536 are words: Adlam, Deseret, and mathematical ones', () => {
  const texts = { adlam: '𞤀𞤣𞤤𞤢𞤥 one', deseret: '𐐨𐐩𐐪 two', bold: '𝐁𝐨𝐥𝐝 three' };
  const { keys, store } = filled(texts);
  for (const tokenizer of ['porter', 'trigram'] as const) {
    while (!store.reindex(tokenizer));
    for (const [query, key] of [
      ['𞤀𞤣𞤤𞤢𞤥', 'adlam'],
      ['𐐨𐐩𐐪', 'deseret'],
      ['bold', 'bold'],
    ] as const)
      expect(keys(query)).toEqual([key]);
  }
});
