import { describe, expect, test } from 'vitest';
import type { SearchQuery } from '../../../src/search/order.ts';
import { scoreSingleList, applyBoosts, fuseRankings, joinPieces } from '../../../src/search/index/search.ts';
import { computeCosine, quantiseVector, normaliseVector } from '../../../src/search/index/vectors.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';
import { filled, testStore } from './support.ts';

const of = (...pairs: readonly [number, number][]) => pairs.map(([chunk, score]) => ({ chunk, score }));

describe('fusion', () => {
  test('rrf: the first of both is 1, the first of one alone is half', () => {
    expect(fuseRankings(of([7, 0.9]), of([7, 0.8]), 'rrf')).toEqual([
      { chunk: 7, score: 1, keyword: { score: 0.9, rank: 1 }, vector: { score: 0.8, rank: 1 } },
    ]);
    expect(fuseRankings(of([7, 0.9]), [], 'rrf')).toEqual([{ chunk: 7, score: 0.5, keyword: { score: 0.9, rank: 1 } }]);
  });

  test('rrf: ranks alone count', () => {
    const list = fuseRankings(of([1, 0.9], [2, 0.1]), of([2, 0.5], [3, 0.4]), 'rrf');
    expect(list.map(({ chunk }) => chunk)).toEqual([2, 1, 3]);
    // (1/62 + 1/61) / (2/61), 1/61 / (2/61), 1/62 / (2/61)
    const expected = [0.991_935_483_870_968, 0.5, 0.491_935_483_870_968];
    for (const [at, { score }] of list.entries()) expect(score).toBeCloseTo(expected[at] ?? 0, 12);
  });

  test('max: the higher score counts', () => {
    const list = fuseRankings(of([1, 0.9], [2, 0.1]), of([2, 0.5], [3, 0.4]), 'max');
    expect(list.map(({ chunk, score }) => [chunk, score])).toEqual([
      [1, 0.9],
      [2, 0.5],
      [3, 0.4],
    ]);
  });

  test('boosts are added to the scores, and both brought back to 0 to 1', () => {
    const list = scoreSingleList(of([1, 0.9], [2, 0.8], [3, 0.5]), 'keyword');
    expect(applyBoosts(list, [])).toBe(list);
    const given = new Map([
      [2, 1],
      [3, 1],
    ]);
    const [first, second, third] = applyBoosts(list, [(chunk) => given.get(chunk) ?? 0]);
    expect([first?.chunk, second?.chunk, third?.chunk]).toEqual([2, 1, 3]);
    // (0.8 + 0.3) / 1.3, 0.9 / 1.3, (0.5 + 0.3) / 1.3
    expect(first?.score).toBeCloseTo(0.846_153_846_153_846, 12);
    expect(second?.score).toBeCloseTo(0.692_307_692_307_692, 12);
    expect(third?.score).toBeCloseTo(0.615_384_615_384_615, 12);
    expect(first?.keyword).toEqual({ score: 0.8, rank: 2 });
    expect(applyBoosts(list, [() => 1, () => 1])[0]?.score).toBeCloseTo(1.2 / 1.3, 12);
  });
});

describe('vectors', () => {
  test('a quantised vector is within a hundredth of its cosine', () => {
    const a = Float32Array.from({ length: 256 }, (_, at) => Math.sin(at));
    const b = Float32Array.from({ length: 256 }, (_, at) => Math.sin(at + 0.5) * 9);
    const dot = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
    const exact = dot / Math.hypot(...a) / Math.hypot(...b);
    expect(Math.abs(computeCosine(normaliseVector(a), quantiseVector(b)) - exact)).toBeLessThan(0.01);
    expect(computeCosine(normaliseVector(a), quantiseVector(a))).toBeCloseTo(1, 3);
    expect(quantiseVector(a)).toHaveLength(260);
  });

  test.each([[new Float32Array(4)], [Float32Array.of(Number.NaN, 1, 1, 1)], [Float32Array.of(1e38, 1e38, 1e38, 1e38)]])(
    'one without a length is like none: %s',
    (vector) => {
      expect(computeCosine(normaliseVector(Float32Array.of(1, 0, 0, 0)), quantiseVector(vector))).toBeLessThanOrEqual(
        0.5,
      );
      expect(computeCosine(normaliseVector(vector), quantiseVector(Float32Array.of(1, 0, 0, 0)))).toBeLessThanOrEqual(
        0.5,
      );
    },
  );

  test('one of another length is like none', () => {
    expect(computeCosine(Float32Array.of(1, 0), quantiseVector(Float32Array.of(1, 0, 0)))).toBe(0);
  });

  const near = (x: number, y: number) => Float32Array.of(x, y);
  const three = () => {
    const { store } = testStore();
    store.putItem(itemOf('east', { metadata: { side: 'e' } }), chunksOf('east wind'), [near(1, 0)]);
    store.putItem(itemOf('north', { metadata: { side: 'n' } }), chunksOf('north wind'), [near(0, 1)]);
    store.putItem(itemOf('both', { metadata: { side: 'n' } }), chunksOf('both of them'), [near(1, 1)]);
    return store;
  };

  test('are ranked by their cosine, and left out below the threshold', () => {
    const store = three();
    const found = store.search(asked('', { type: 'vector', threshold: 0.4 }), near(5, 0));
    expect(found.map(({ item }) => item.key)).toEqual(['east', 'both']);
    expect(found[0]?.score).toBeCloseTo(1, 5);
    expect(found[1]?.score).toBeCloseTo(Math.SQRT1_2, 2);
    expect(found[1]?.scoring).toEqual({ vector_score: found[1]?.score, vector_rank: 2 });
    expect(store.search(asked('', { type: 'vector', threshold: 0.9 }), near(5, 0))).toHaveLength(1);
  });

  test('a filter comes before the ranks', () => {
    const filter = { match: 'all', conditions: [{ field: 'side', type: 'text', op: 'eq', value: 'n' }] } as const;
    const [first] = three().search(asked('', { type: 'vector', threshold: 0, filter }), near(1, 0));
    expect(first).toMatchObject({ item: { key: 'both' }, scoring: { vector_rank: 1 } });
  });

  test('hybrid tells both parts and how they were fused', () => {
    const found = three().search(asked('wind', { type: 'hybrid' }), near(0, 1));
    expect(found[0]).toMatchObject({
      item: { key: 'north' },
      scoring: { keyword_rank: 2, vector_rank: 1, fusion_method: 'rrf' },
    });
    const max = three().search(asked('wind', { type: 'hybrid', fusion: 'max' }), near(0, 1));
    expect(max[0]).toMatchObject({ item: { key: 'north' }, scoring: { fusion_method: 'max' } });
    expect(max[0]?.score).toBeCloseTo(1, 5);
  });

  test('hybrid without a vector of the query goes by words alone', () => {
    const found = three().search(asked('north', { type: 'hybrid', threshold: 0.99 }));
    expect(found).toHaveLength(1);
    expect(found[0]?.scoring).toEqual({ keyword_score: found[0]?.score, keyword_rank: 1 });
  });

  test('the threshold leaves out nothing that is found by words', () => {
    const store = three();
    for (const threshold of [0, 0.3, 0.4, 0.41, 1]) {
      const keys = (type: SearchQuery['type'], vector?: Float32Array) =>
        store.search(asked('how windy is the wind', { type, threshold }), vector).map(({ item }) => item.key);
      expect(keys('keyword')).toEqual(['east', 'north']);
      expect(keys('hybrid')).toEqual(['east', 'north']);
      expect(keys('hybrid', near(-1, -1))).toEqual(['east', 'north']);
    }
  });

  test('a search by vector without one is a bug', () => {
    expect(() => three().search(asked('', { type: 'vector' }))).toThrow('needs one of the query');
  });

  test('they may come later, and all go for another model', () => {
    const { store } = testStore();
    store.putItem(itemOf('a', { title: 'Title' }), chunksOf('one', 'two'));
    const waiting = store.chunksWithoutVectors(10);
    expect(waiting.map(({ text }) => text)).toEqual(['Title\none', 'Title\ntwo']);
    const vectors = waiting.map((chunk) => ({ ...chunk, vector: near(1, 0) }));
    store.setVectors(vectors.slice(0, 1));
    expect(store.chunksWithoutVectors(10)).toEqual(waiting.slice(1));
    store.setVectors([...vectors, { number: 99_000_000, text: 'one', vector: near(1, 0) }]);
    expect(store.chunksWithoutVectors(10)).toEqual([]);
    expect(store.stats().vectors).toBe(2);
    expect(store.itemByKey('builtin', 'a')?.vectors).toBe(2);
    store.dropVectors();
    expect(store.stats().vectors).toBe(0);
    expect(store.chunksWithoutVectors(10)).toEqual(waiting);
  });

  test('there are as many as chunks', () => {
    const { store } = testStore();
    expect(() => store.putItem(itemOf('a'), chunksOf('one', 'two'), [near(1, 0)])).toThrow('not as many');
  });
});

describe('boosts', () => {
  const store = filled({ a: 'same text', b: 'same text', c: 'same text', d: 'same text' }, (key) => ({
    modifiedMs: { a: 10, b: 40, c: 20, d: 30 }[key] ?? 0,
    metadata:
      {
        a: { rank: 3, level: '7', at: '2025-01-01' },
        b: { at: 1_700_000_000 },
        c: { rank: 1, tag: 'x', level: 10, at: 1_800_000_000_000 },
        d: { rank: 'high', level: '8' },
      }[key] ?? {},
  }));

  test.each([
    ['timestamp', 'datetime', 'desc', ['b', 'd', 'c', 'a']],
    ['timestamp', 'datetime', 'asc', ['a', 'c', 'd', 'b']],
    ['rank', 'number', 'asc', ['c', 'a', 'b', 'd']],
    ['rank', 'number', 'desc', ['a', 'c', 'b', 'd']],
    ['tag', 'text', 'exists', ['c', 'a', 'b', 'd']],
    ['rank', 'number', 'not_exists', ['b', 'd', 'a', 'c']],
    ['level', 'number', 'desc', ['c', 'd', 'a', 'b']],
    ['at', 'datetime', 'asc', ['b', 'a', 'c', 'd']],
    ['toString', 'text', 'exists', ['a', 'b', 'c', 'd']],
  ] as const)('%s as %s %s', (field, type, direction, expected) => {
    expect(store.keys('same', { boosts: [{ field, type, direction }] })).toEqual(expected);
  });

  test.each(['keyword', 'vector', 'hybrid'] as const)('change places of near ones: %s', (type) => {
    const { store: two } = testStore();
    const put = (key: string, priority: number, text: string, vector: Float32Array) =>
      two.putItem(itemOf(key, { metadata: { priority } }), chunksOf(text), [vector]);
    put('low', 1, 'shipping rates for parcels shipping', Float32Array.of(1, 0.1));
    put('high', 100, 'shipping rates for parcels and letters', Float32Array.of(1, 0.2));
    const keys = (boosts: SearchQuery['boosts']) =>
      two.search(asked('shipping rates', { type, boosts }), Float32Array.of(1, 0)).map(({ item }) => item.key);
    expect(keys([])).toEqual(['low', 'high']);
    expect(keys([{ field: 'priority', type: 'number', direction: 'desc' }])).toEqual(['high', 'low']);
    expect(keys([{ field: 'priority', type: 'number', direction: 'asc' }])).toEqual(['low', 'high']);
  });

  test('bring nothing before what fits far better', () => {
    const { keys } = filled({ far: 'Something else, with one word of it.', near: 'quokka quokka bush' }, (key) => ({
      metadata: { priority: key === 'far' ? 100 : 1 },
    }));
    const boosts = [{ field: 'priority', type: 'number', direction: 'desc' }] as const;
    expect(keys('quokka in the bush or else', { boosts, keywordMode: 'or' })).toEqual(['near', 'far']);
  });
});

test('without texts a chunk has an empty one, and all else', () => {
  const { store } = filled({ a: 'same text' });
  const [shown] = store.search(asked('same'));
  expect(store.search(asked('same', { showsText: false, expansion: 1 }))).toEqual([{ ...shown, text: '' }]);
});

describe('expansion', () => {
  test('neighbours are joined, and what they share is there once', () => {
    expect(
      joinPieces([
        { text: 'Äpfel und', startByte: 0, endByte: 10 },
        { text: 'und Birnen', startByte: 7, endByte: 17 },
        { text: 'nen', startByte: 14, endByte: 17 },
        { text: '.', startByte: 17, endByte: 18 },
        { text: 'Ende', startByte: 20, endByte: 24 },
      ]),
    ).toBe('Äpfel und Birnen.\nEnde');
  });

  test.each([
    [0, 'c3 '],
    [1, 'c2 c3 c4 '],
    [2, 'c1 c2 c3 c4 c5'],
    [3, 'c0 c1 c2 c3 c4 c5'],
    [100, 'c0 c1 c2 c3 c4 c5'],
  ])('%d around a chunk, never of another item', (expansion, text) => {
    const { store } = testStore();
    store.putItem(itemOf('before'), chunksOf('x0 ', 'x1 '));
    store.putItem(itemOf('a'), chunksOf('c0 ', 'c1 ', 'c2 ', 'c3 ', 'c4 ', 'c5'));
    store.putItem(itemOf('behind'), chunksOf('y0 ', 'y1 '));
    expect(store.search(asked('c3', { expansion }))[0]?.text).toBe(text);
  });
});
