import { describe, expect, test } from 'vitest';
import { joined } from '../../../src/search/index/expansion.ts';
import { alone, boosted, fused } from '../../../src/search/index/fusion.ts';
import { cosine, quantised, unit } from '../../../src/search/index/quantised.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';
import { filled, testStore } from './support.ts';

const of = (...pairs: readonly [number, number][]) => pairs.map(([chunk, score]) => ({ chunk, score }));

describe('fusion', () => {
  test('rrf: the first of both is 1, the first of one alone is half', () => {
    expect(fused(of([7, 0.9]), of([7, 0.8]), 'rrf')).toEqual([
      { chunk: 7, score: 1, keyword: { score: 0.9, rank: 1 }, vector: { score: 0.8, rank: 1 } },
    ]);
    expect(fused(of([7, 0.9]), [], 'rrf')).toEqual([{ chunk: 7, score: 0.5, keyword: { score: 0.9, rank: 1 } }]);
  });

  test('rrf: ranks alone count', () => {
    const list = fused(of([1, 0.9], [2, 0.1]), of([2, 0.5], [3, 0.4]), 'rrf');
    expect(list.map(({ chunk }) => chunk)).toEqual([2, 1, 3]);
    // (1/62 + 1/61) / (2/61), 1/61 / (2/61), 1/62 / (2/61)
    const expected = [0.991_935_483_870_968, 0.5, 0.491_935_483_870_968];
    for (const [at, { score }] of list.entries()) expect(score).toBeCloseTo(expected[at] ?? 0, 12);
  });

  test('max: the higher score counts', () => {
    const list = fused(of([1, 0.9], [2, 0.1]), of([2, 0.5], [3, 0.4]), 'max');
    expect(list.map(({ chunk, score }) => [chunk, score])).toEqual([
      [1, 0.9],
      [2, 0.5],
      [3, 0.4],
    ]);
  });

  test('a boost is a further list of half the weight', () => {
    const list = alone(of([1, 0.9], [2, 0.8], [3, 0.7]), 'keyword');
    expect(boosted(list, [])).toBe(list);
    const ranks = new Map([
      [2, 1],
      [1, 2],
    ]);
    const [first, second, third] = boosted(list, [(chunk) => ranks.get(chunk)]);
    expect([first?.chunk, second?.chunk, third?.chunk]).toEqual([1, 2, 3]);
    // (1/61 + 0.5/62) / (1.5/61), (1/62 + 0.5/61) / (1.5/61), 1/63 / (1.5/61)
    expect(first?.score).toBeCloseTo(0.994_623_655_913_978, 12);
    expect(second?.score).toBeCloseTo(0.989_247_311_827_957, 12);
    expect(third?.score).toBeCloseTo(0.645_502_645_502_646, 12);
    expect(first?.keyword).toEqual({ score: 0.9, rank: 1 });
  });
});

describe('vectors', () => {
  test('a quantised vector is within a hundredth of its cosine', () => {
    const a = Float32Array.from({ length: 256 }, (_, at) => Math.sin(at));
    const b = Float32Array.from({ length: 256 }, (_, at) => Math.sin(at + 0.5) * 9);
    const dot = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
    const exact = dot / Math.hypot(...a) / Math.hypot(...b);
    expect(Math.abs(cosine(unit(a), quantised(b)) - exact)).toBeLessThan(0.01);
    expect(cosine(unit(a), quantised(a))).toBeCloseTo(1, 3);
    expect(quantised(a)).toHaveLength(260);
  });

  test.each([[new Float32Array(4)], [Float32Array.of(Number.NaN, 1, 1, 1)], [Float32Array.of(1e38, 1e38, 1e38, 1e38)]])(
    'one without a length is like none: %s',
    (vector) => {
      expect(cosine(unit(Float32Array.of(1, 0, 0, 0)), quantised(vector))).toBeLessThanOrEqual(0.5);
      expect(cosine(unit(vector), quantised(Float32Array.of(1, 0, 0, 0)))).toBeLessThanOrEqual(0.5);
    },
  );

  test('one of another length is like none', () => {
    expect(cosine(Float32Array.of(1, 0), quantised(Float32Array.of(1, 0, 0)))).toBe(0);
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
    const filter = { match: 'all', conditions: [{ field: 'side', op: 'eq', value: 'n' }] } as const;
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

  test('a search by vector without one is a bug', () => {
    expect(() => three().search(asked('', { type: 'vector' }))).toThrow('needs one of the query');
  });

  test('they may come later, and all go for another model', () => {
    const { store } = testStore();
    store.putItem(itemOf('a', { title: 'Title' }), chunksOf('one', 'two'));
    const waiting = store.chunksWithoutVectors(10);
    expect(waiting.map(({ text }) => text)).toEqual(['Title\none', 'Title\ntwo']);
    const vectors = waiting.map(({ number }) => ({ number, vector: near(1, 0) }));
    store.setVectors(vectors.slice(0, 1));
    expect(store.chunksWithoutVectors(10)).toEqual(waiting.slice(1));
    store.setVectors([...vectors, { number: 99_000_000, vector: near(1, 0) }]);
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

describe('threshold', () => {
  test('of words: only where they are asked for alone with another than the default', () => {
    const { keys } = filled({ a: 'one of two', b: 'one two three four five six seven', c: 'nothing else' });
    expect(keys('one unicorn horse', { threshold: 0.4 })).toHaveLength(2);
    expect(keys('one unicorn horse', { threshold: 0.99 })).toEqual([]);
    expect(keys('one unicorn horse', { threshold: 0 })).toHaveLength(2);
  });
});

describe('boosts', () => {
  const store = filled({ a: 'same text', b: 'same text', c: 'same text', d: 'same text' }, (key) => ({
    modifiedMs: { a: 10, b: 40, c: 20, d: 30 }[key] ?? 0,
    metadata: { a: { rank: 3 }, b: {}, c: { rank: 1, tag: 'x' }, d: { rank: 'high' } }[key] ?? {},
  }));

  test.each([
    ['timestamp', 'desc', ['b', 'd', 'c', 'a']],
    ['timestamp', 'asc', ['a', 'c', 'd', 'b']],
    ['rank', 'asc', ['c', 'a', 'b', 'd']],
    ['rank', 'desc', ['a', 'c', 'b', 'd']],
    ['tag', 'exists', ['c', 'a', 'b', 'd']],
    ['rank', 'not_exists', ['b', 'a', 'c', 'd']],
    ['toString', 'exists', ['a', 'b', 'c', 'd']],
  ] as const)('%s %s', (field, direction, expected) => {
    expect(store.keys('same', { boosts: [{ field, direction }] })).toEqual(expected);
  });
});

describe('expansion', () => {
  test('neighbours are joined, and what they share is there once', () => {
    expect(
      joined([
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
