import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareFirstParty, MAX_COMPARED_LINES, MIN_COMPARED } from '../../../src/visibility/imports/compare.ts';
import type { FirstPartyImport } from '../../../src/visibility/imports/first-party.ts';
import { createPromptFinder } from '../../../src/visibility/imports/near-prompt.ts';
import { type OwnMeasurement, readOwnMeasurement } from '../../../src/visibility/imports/own-measurement.ts';
import { computePageKey } from '../../../src/visibility/imports/page-key.ts';
import { computeRankCorrelation } from '../../../src/visibility/imports/rank-correlation.ts';

const own = (path: number | string): string => `https://acme.example/${path}`;
const other = (path: number): string => `https://rival.example/${path}`;

const imported = (parts: Partial<FirstPartyImport>): FirstPartyImport => ({
  source: 'bing-ai-performance',
  title: 'Bing Webmaster Tools, AI Performance',
  version: '2026-09-05',
  known: 'public-code',
  counts: 'citations',
  from: null,
  to: null,
  pages: null,
  queries: null,
  days: null,
  countries: null,
  devices: null,
  total: null,
  total_of: null,
  not_read: [],
  notes: [],
  files: [],
  ...parts,
});

const measured = (parts: Partial<OwnMeasurement>): OwnMeasurement => ({
  brand: 'Acme',
  engines: ['openai-compatible (a-model)'],
  answers: 30,
  mention_rate: { value: 0.5, low: 0.33, high: 0.67, n: 30 },
  prompts: [],
  cited: null,
  hidden: 0,
  ...parts,
});

/** The comparison of one import. */
function compareOne(one: FirstPartyImport, measurement: OwnMeasurement) {
  const [compared] = compareFirstParty([one], measurement);
  if (compared === undefined) throw new Error('nothing was compared');
  return compared;
}

const pagesOf = (counts: readonly number[]) => counts.map((count, at) => ({ page: own(at), count, share: null }));
/** Answers that name page `at` so many times. */
const citing = (counts: readonly number[], page = own): readonly (readonly string[])[] =>
  Array.from({ length: Math.max(...counts) }, (_, answer) =>
    counts.flatMap((count, at) => (answer < count ? [page(at)] : [])),
  );

describe('by page', () => {
  test('pages both see, only the source sees, and only our answers see', () => {
    const compared = compareOne(
      imported({ pages: pagesOf([9, 8, 7]) }),
      measured({ cited: [[own(0), other(1)], [own(0), own('new')], []] }),
    );
    expect(compared.own_domains).toEqual(['acme.example']);
    expect(compared.pages).toEqual({
      both: [{ page: own(0), count: 9, answers: 2 }],
      only_source: [
        { page: own(1), count: 8 },
        { page: own(2), count: 7 },
      ],
      only_panel: [{ page: own('new'), answers: 1 }],
      of: { both: 1, only_source: 2, only_panel: 1 },
    });
  });

  test('an engine without sources, and a source without pages, are not compared by page', () => {
    const silent = compareOne(imported({ pages: pagesOf([9, 8, 7, 6, 5, 4]) }), measured({ cited: null }));
    expect(silent.pages).toBeNull();
    expect(silent.disagreement).toEqual({
      order: { kind: 'not_given' },
      overlap: { kind: 'not_given' },
      own_share: { kind: 'not_given' },
    });
    expect(compareOne(imported({}), measured({ cited: [[own(0)]] })).pages).toBeNull();
  });

  test('the same order is 1, the opposite one -1, and p says what chance gives', () => {
    const counts = [60, 50, 40, 30, 20, 10];
    const same = compareOne(imported({ pages: pagesOf(counts) }), measured({ cited: citing([6, 5, 4, 3, 2, 1]) }));
    expect(same.disagreement.order).toEqual({ kind: 'figure', value: 1, p: 0.0028, p_by: 'every_order', n: 6 });
    const turned = compareOne(imported({ pages: pagesOf(counts) }), measured({ cited: citing([1, 2, 3, 4, 5, 6]) }));
    expect(turned.disagreement.order).toMatchObject({ value: -1, p: 0.0028 });
  });

  test(`below ${MIN_COMPARED} pages it says too few, never a number`, () => {
    const few = compareOne(imported({ pages: pagesOf([5, 4, 3]) }), measured({ cited: citing([3, 2, 1]) }));
    expect(few.disagreement).toMatchObject({
      order: { kind: 'too_few', n: 3, needs: MIN_COMPARED },
      overlap: { kind: 'too_few', n: 3, needs: MIN_COMPARED },
    });
  });

  test('the overlap has an interval, also where all pages are seen by both', () => {
    const half = compareOne(
      imported({ pages: pagesOf([8, 7, 6, 5, 4, 3, 2, 1]) }),
      measured({ cited: citing([1, 1, 1, 1]) }),
    );
    expect(half.disagreement.overlap).toMatchObject({ kind: 'figure', value: 0.5, n: 8 });
    const all = compareOne(
      imported({ pages: pagesOf([6, 5, 4, 3, 2, 1]) }),
      measured({ cited: citing([1, 1, 1, 1, 1, 1]) }),
    );
    expect(all.disagreement.overlap).toMatchObject({ value: 1, high: 1, n: 6 });
    if (all.disagreement.overlap.kind !== 'figure') throw new Error('no figure');
    expect(all.disagreement.overlap.low).toBeLessThan(0.75);
  });

  test('the own share of the source is of all citations of its queries', () => {
    const queries = Array.from({ length: 6 }, (_, at) => ({ query: `q ${at}`, count: 10, share: 0.5 }));
    const cited = Array.from({ length: 6 }, () => [own(0), other(0), other(1), other(2)]);
    const compared = compareOne(imported({ pages: pagesOf([9]), queries }), measured({ cited }));
    expect(compared.disagreement.own_share).toMatchObject({ kind: 'figure', source: 0.5, difference: 0.25 });
    const few = compareOne(imported({ pages: pagesOf([9]), queries: queries.slice(0, 2) }), measured({ cited }));
    expect(few.disagreement.own_share).toEqual({ kind: 'too_few', n: 2, needs: MIN_COMPARED });
  });

  test('lists are cut, and say of how many', () => {
    const counts = Array.from({ length: MAX_COMPARED_LINES + 50 }, (_, at) => 1000 - at);
    const compared = compareOne(imported({ pages: pagesOf(counts) }), measured({ cited: [[own(0)]] }));
    expect(compared.pages?.only_source).toHaveLength(MAX_COMPARED_LINES);
    expect(compared.pages?.of.only_source).toBe(counts.length - 1);
  });

  test('the same arguments give the same bytes', () => {
    const counts = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3];
    const run = () =>
      JSON.stringify(
        compareOne(imported({ pages: pagesOf(counts) }), measured({ cited: citing([1, 4, 2, 3, 5, 2, 1, 1, 3, 2]) })),
      );
    expect(run()).toBe(run());
  });
});

describe('by query', () => {
  const find = createPromptFinder([
    'What is the best help desk software?',
    'おすすめのヘルプデスクソフトは?',
    'Wer ist Acme?',
  ]);
  test.each([
    ['what is the BEST help-desk software', 'same', 0],
    ['best help desk software', 'similar', 0],
    ['おすすめのヘルプデスクソフト', 'similar', 1],
  ])('%s', (query, match, at) => {
    expect(find(query)).toMatchObject({
      match,
      prompt: ['What is the best help desk software?', 'おすすめのヘルプデスクソフトは?'][at],
    });
  });
  test.each(['refund policy', '', '???', 'ticketing tools for support teams'])('%j is near to none', (query) => {
    expect(find(query)).toBeNull();
  });

  test('each query has its nearest prompt or none', () => {
    const compared = compareOne(
      imported({
        queries: [
          { query: 'best help desk software', count: 9, share: null },
          { query: 'refunds', count: 3, share: null },
        ],
      }),
      measured({ prompts: ['Best help desk software?'] }),
    );
    const unknown = measured({ prompts: null });
    const queries = [{ query: 'refunds', count: 3, share: null }];
    expect(compareOne(imported({ queries }), unknown).queries).toMatchObject({ near: null, of: 1 });
    expect(compared.queries).toEqual({
      rows: [
        {
          query: 'best help desk software',
          count: 9,
          near: { prompt: 'Best help desk software?', match: 'same', overlap: 1 },
        },
        { query: 'refunds', count: 3, near: null },
      ],
      near: 1,
      of: 2,
    });
  });
});

describe('rank correlation', () => {
  /** Spearman's rho of values without ties, by the textbook's formula. */
  const byFormula = (pairs: readonly (readonly [number, number])[]): number => {
    const rank = (values: readonly number[], value: number): number => values.filter((one) => one < value).length + 1;
    const [left, right] = [pairs.map(([one]) => one), pairs.map(([, one]) => one)];
    const squares = pairs.reduce((total, [one, two]) => total + (rank(left, one) - rank(right, two)) ** 2, 0);
    return 1 - (6 * squares) / (pairs.length * (pairs.length ** 2 - 1));
  };

  test('is that of the formula where no values are equal', () => {
    const distinct = fc.uniqueArray(fc.integer({ min: 0, max: 10_000 }), { minLength: 6, maxLength: 30 });
    fc.assert(
      fc.property(distinct, distinct, (one, two) => {
        const pairs = one.slice(0, Math.min(one.length, two.length)).map((value, at) => [value, two[at] ?? 0] as const);
        const found = computeRankCorrelation(pairs, 'seed');
        expect(found?.value).toBeCloseTo(byFormula(pairs), 9);
        expect(found?.p).toBeGreaterThan(0);
        expect(found?.p).toBeLessThanOrEqual(1);
      }),
      { numRuns: 30 },
    );
  });

  test('equal values have the average of their ranks', () => {
    const pairs = [
      [1, 1],
      [2, 2],
      [2, 3],
      [4, 4],
    ] as const;
    expect(computeRankCorrelation(pairs, 'seed')?.value).toBeCloseTo(0.9487, 4);
  });

  test('is undefined where one side is all equal', () => {
    const pairs = [1, 2, 3, 4, 5, 6].map((value) => [value, 7] as const);
    expect(computeRankCorrelation(pairs, 'seed')).toBeUndefined();
  });

  test('unrelated ranks are called in about one of twenty cases', () => {
    let called = 0;
    const runs = 200;
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 7, maxLength: 7 }), (order) => {
        const p =
          computeRankCorrelation(
            order.map((value, at) => [at, value] as const),
            'seed',
          )?.p ?? 0;
        if (p <= 0.05) called += 1;
      }),
      { numRuns: runs, seed: 7 },
    );
    expect(called / runs).toBeLessThan(0.1);
  });
});

describe('measurements of our own', () => {
  const result = {
    capability: 'visibility_check',
    brand: 'Acme',
    engine: { kind: 'openai-compatible', model: 'a-model', served_models: [], simulated: false },
    mention_rate: { value: 0.5, low: 0.3, high: 0.7, n: 30 },
    prompts: { set: 'v1', valid: 30, total: 30, asked: [{ index: 0, prompt: 'Best help desk?', status: 'answered' }] },
  };
  const recording = {
    version: 1,
    input: { brand: 'Acme', niche: 'help desks' },
    run: {
      engine: { kind: 'perplexity', model: 'sonar' },
      answers: [
        {
          index: 0,
          status: 'answered',
          citations: ['https://acme.example/a?utm_source=x', 'https://acme.example/a', 'not an address'],
        },
        {
          index: 1,
          status: 'answered',
          sources: [{ url: 'https://rival.example/' }],
          citations: ['https://old.example/'],
        },
        { index: 2, status: 'failed', reason: 'timeout' },
      ],
    },
  };

  test('a result has prompts and the mention rate, and no addresses', () => {
    expect(readOwnMeasurement(result)).toEqual({
      brand: 'Acme',
      engines: ['openai-compatible (a-model)'],
      answers: 30,
      mention_rate: { value: 0.5, low: 0.3, high: 0.7, n: 30 },
      prompts: ['Best help desk?'],
      cited: null,
      hidden: 0,
    });
  });

  test('a recording has the addresses of each answer, and both together have all', () => {
    const cited = [['https://acme.example/a'], ['https://rival.example/']];
    expect(readOwnMeasurement(recording)).toMatchObject({ brand: 'Acme', answers: 2, mention_rate: null, cited });
    expect(readOwnMeasurement(result, recording)).toMatchObject({ prompts: ['Best help desk?'], answers: 30, cited });
  });

  test('a recording of several engines has the answers of all', () => {
    const { run } = recording;
    const second = { engine: { kind: 'openai-compatible', model: 'b-model' }, answers: [run.answers[1]] };
    const panel = readOwnMeasurement({ input: recording.input, runs: [run, second] });
    expect(panel).toMatchObject({ answers: 3, engines: ['perplexity (sonar)', 'openai-compatible (b-model)'] });
    expect(panel?.cited).toHaveLength(3);
  });

  test('pages behind redirects of a vendor count where they are known; answers with one that is not are left out', () => {
    const redirect = (at: number): string => `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${at}`;
    const answers = [0, 1].map((at) => ({ index: at, status: 'answered', sources: [{ url: redirect(at) }] }));
    const kept = (resolutions: readonly object[]) => ({
      input: recording.input,
      runs: [{ engine: { kind: 'gemini', model: 'g' }, answers }],
      citations: { resolutions },
    });
    const both = [0, 1].map((at) => ({ url: redirect(at), target: `http://acme.example/${at}?utm_source=x` }));
    expect(readOwnMeasurement(kept(both))).toMatchObject({
      cited: [['https://acme.example/0'], ['https://acme.example/1']],
      hidden: 0,
    });
    const one = [...both.slice(0, 1), { url: redirect(1), reason: 'timeout' }];
    expect(readOwnMeasurement(kept(one))).toMatchObject({ cited: [['https://acme.example/0']], hidden: 1 });
    const none = readOwnMeasurement(kept([]));
    expect(none).toMatchObject({ cited: [], hidden: 2 });
    const compared = compareOne(imported({ pages: pagesOf([9, 8, 7, 6, 5, 4]) }), none ?? measured({}));
    expect(compared).toMatchObject({ hidden: 2, pages: null, disagreement: { overlap: { kind: 'not_given' } } });
  });

  test.each([
    [null],
    [[]],
    [{ input: { brand: 'A' }, runs: [] }],
    [{}],
    ['text'],
    [{ brand: 'Acme' }],
    [{ input: { brand: 'A' }, run: { answers: 3 } }],
  ])('%j is no measurement', (value) => {
    expect(readOwnMeasurement(value)).toBeUndefined();
  });
});

test('addresses that differ in spelling alone are one page', () => {
  expect(computePageKey(' HTTPS://Acme.Example:443/a/?utm_medium=x&id=3#part ')).toBe('https://acme.example/a/?id=3');
  expect(computePageKey('https://acme.example?gclid=1')).toBe('https://acme.example/');
  expect(computePageKey('http://acme.example/%7euser')).toBe('https://acme.example/~user');
  for (const text of [
    '',
    '/a',
    'mailto:a@b.example',
    'acme.example',
    'https://user:secret@acme.example/',
    'http://localhost/',
  ])
    expect(computePageKey(text)).toBeUndefined();
});
