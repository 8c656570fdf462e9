import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Filter, FilterCondition, FilterOperator, Scalar } from '../../../src/management/aisearch/order.ts';
import type { Metadata } from '../../../src/search/index/item.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';
import { filled, testStore } from './support.ts';

const where = (field: string, op: FilterOperator, value: FilterCondition['value']): Filter => ({
  match: 'all',
  conditions: [{ field, op, value }],
});

describe('filters', () => {
  const metadata: Record<string, Metadata> = {
    'docs/a.md': { year: 2020, lang: 'de', isDraft: true },
    'docs/sub/b.md': { year: 2022, lang: 'en', isDraft: false },
    'c.md': { year: '2022', lang: 'fr', 'a.b $x': 1 },
    'docs/d.md': {},
  };
  const modified: Record<string, number> = { 'docs/a.md': 100, 'docs/sub/b.md': 200, 'c.md': 300, 'docs/d.md': 400 };
  const texts = Object.fromEntries(Object.keys(metadata).map((key) => [key, 'word']));
  const { keys, store } = filled(texts, (key) => ({
    metadata: metadata[key] ?? {},
    modifiedMs: modified[key] ?? 0,
  }));
  const [a, b, c, d] = ['docs/a.md', 'docs/sub/b.md', 'c.md', 'docs/d.md'];

  test.each([
    ['year', 'eq', 2022, [b]],
    ['year', 'eq', '2022', [c]],
    ['year', 'eq', 'x', []],
    ['year', 'ne', 2022, [a, c, d]],
    ['year', 'lt', 2022, [a]],
    ['year', 'lte', 2022, [a, b]],
    ['year', 'gt', 2020, [b]],
    ['year', 'gte', 2020, [a, b]],
    ['year', 'gt', '2021', [c]],
    ['year', 'lt', '9', [c]],
    ['year', 'gt', true, []],
    ['year', 'in', [2020, '2022'], [a, c]],
    ['year', 'nin', [2020, '2022'], [b, d]],
    ['year', 'in', [], []],
    ['year', 'nin', [], [a, b, c, d]],
    ['lang', 'eq', 'de', [a]],
    ['lang', 'eq', 'DE', []],
    ['lang', 'ne', 'de', [b, c, d]],
    ['lang', 'gte', 'en', [b, c]],
    ['lang', 'lt', 'fr', [a, b]],
    ['lang', 'gt', 5, []],
    ['isDraft', 'eq', true, [a]],
    ['isDraft', 'eq', 1, []],
    ['isDraft', 'eq', 'true', []],
    ['isDraft', 'ne', true, [b, c, d]],
    ['isDraft', 'in', [true, false], [a, b]],
    ['isDraft', 'lt', 'zzz', []],
    ['isDraft', 'lt', 5, []],
    ['missing', 'eq', 'x', []],
    ['missing', 'ne', 'x', [a, b, c, d]],
    ['missing', 'nin', ['x'], [a, b, c, d]],
    ['missing', 'lt', 5, []],
    ['a.b $x', 'eq', 1, [c]],
    ['quo"te', 'eq', 1, []],
    ["'; DROP TABLE item; --", 'ne', 1, [a, b, c, d]],
    ['filename', 'eq', 'b.md', [b]],
    ['filename', 'in', ['a.md', 'c.md'], [a, c]],
    ['folder', 'eq', 'docs/', [a, d]],
    ['folder', 'eq', 'docs', []],
    ['folder', 'eq', '', [c]],
    ['folder', 'gte', 'docs/', [a, b, d]],
    ['folder', 'eq', 5, []],
    ['timestamp', 'gte', 300, [c, d]],
    ['timestamp', 'lt', 200, [a]],
    ['timestamp', 'eq', '200', []],
    ['timestamp', 'ne', '200', [a, b, c, d]],
  ] as const)('%s %s %j', (field, op, value, expected) => {
    const filter = where(field, op, value);
    expect(keys('word', { filter }).toSorted()).toEqual([...expected].toSorted());
    const listed = store.listItems({ page: 1, perPage: 10, sortBy: 'status', filter });
    expect(listed.items.map(({ key }) => key).toSorted()).toEqual([...expected].toSorted());
  });

  test('prefixes of folders: from the prefix to the one behind it', () => {
    const filter: Filter = {
      match: 'all',
      conditions: [
        { field: 'folder', op: 'gte', value: 'docs/' },
        { field: 'folder', op: 'lt', value: 'docs0' },
      ],
    };
    expect(keys('word', { filter }).toSorted()).toEqual([a, d, b]);
  });

  test('all or any of the conditions; of none, all fit all and none fits any', () => {
    const conditions = [
      { field: 'lang', op: 'eq', value: 'de' },
      { field: 'year', op: 'eq', value: 2022 },
    ] as const;
    expect(keys('word', { filter: { match: 'all', conditions } })).toEqual([]);
    expect(keys('word', { filter: { match: 'any', conditions } }).toSorted()).toEqual([a, b]);
    expect(keys('word', { filter: { match: 'all', conditions: [] } })).toHaveLength(4);
    expect(keys('word', { filter: { match: 'any', conditions: [] } })).toEqual([]);
  });

  test('texts are compared by their first 64 bytes', () => {
    const { keys: found } = filled({ a: 'word' }, () => ({ metadata: { text: `${'ä'.repeat(31)}xy-and-more` } }));
    expect(found('word', { filter: where('text', 'eq', `${'ä'.repeat(31)}xy-and-others`) })).toEqual(['a']);
    expect(found('word', { filter: where('text', 'eq', `${'ä'.repeat(31)}xz`) })).toEqual([]);
    expect(found('word', { filter: where('text', 'eq', `${'ä'.repeat(31)}x`) })).toEqual([]);
  });

  test('K9: more conditions or fields than a statement may bind are refused', () => {
    const many = (count: number, of: (at: number) => string): Filter => ({
      match: 'all',
      conditions: Array.from({ length: count }, (_, at) => ({ field: of(at), op: 'ne', value: at })),
    });
    expect(keys('word', { filter: many(40, (at) => `f${at % 12}`) })).toHaveLength(4);
    expect(() => keys('word', { filter: many(41, () => 'f') })).toThrow(RangeError);
    expect(() => keys('word', { filter: many(13, (at) => `f${at}`) })).toThrow(RangeError);
  });

  test('come before the ranks are cut', () => {
    const { store: other } = testStore();
    for (let at = 0; at < 300; at += 1) other.putItem(itemOf(`k${at}`), chunksOf('word word word'));
    other.putItem(itemOf('last', { metadata: { tag: 'x' } }), chunksOf('one word among many others'));
    const found = other.search(asked('word', { filter: where('tag', 'eq', 'x') }));
    expect(found.map(({ item }) => item.key)).toEqual(['last']);
    expect(found[0]?.scoring.keyword_rank).toBe(1);
  });
});

const FIELDS = ['x', 'y', 'filename', 'folder', 'timestamp'];
const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.constantFrom<Scalar>(
    0,
    1,
    -1,
    1.5,
    '',
    'a',
    'b',
    'A',
    '1',
    'true',
    'é',
    '\uFFFD',
    '😀',
    true,
    false,
    'f/',
    5,
    'k.md',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const condition: fc.Arbitrary<FilterCondition> = fc.oneof(
  fc.record({
    field: fc.constantFrom(...FIELDS),
    op: fc.constantFrom<FilterOperator>('eq', 'ne', 'lt', 'lte', 'gt', 'gte'),
    value: scalar,
  }),
  fc.record({
    field: fc.constantFrom(...FIELDS),
    op: fc.constantFrom<FilterOperator>('in', 'nin'),
    value: fc.array(scalar, { maxLength: 4 }),
  }),
);

/** The same, judged one value at a time. */
function fits(value: Scalar | undefined, { op, value: wanted }: FilterCondition): boolean {
  const same = (other: Scalar): boolean =>
    value !== undefined && typeof value === typeof other && order(value, other) === 0;
  if (typeof wanted === 'object') return wanted.some(same) === (op === 'in');
  if (op === 'eq' || op === 'ne') return same(wanted) === (op === 'eq');
  if (typeof value !== typeof wanted || typeof wanted === 'boolean' || value === undefined) return false;
  const sign = order(value, wanted);
  return { lt: sign < 0, lte: sign <= 0, gt: sign > 0, gte: sign >= 0, in: false, nin: false }[op];
}

const order = (a: Scalar, b: Scalar): number =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a).subarray(0, 64), Buffer.from(b).subarray(0, 64))
    : Number(a) - Number(b);

test('any filter lets through what a plain evaluation does', () => {
  const anItem = fc.record({
    metadata: fc.dictionary(fc.constantFrom('x', 'y'), scalar, { noNullPrototype: true }),
    folder: fc.constantFrom('', 'f/', 'f/g/', 'é/'),
    modifiedMs: fc.constantFrom(0, 1, 5, 1_000),
  });
  fc.assert(
    fc.property(
      fc.array(anItem, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('all', 'any'),
      fc.array(condition, { maxLength: 4 }),
      (items, match, conditions) => {
        const { store } = testStore();
        for (const [at, { metadata, folder, modifiedMs }] of items.entries())
          store.putItem(itemOf(`${folder}${at}.md`, { metadata, modifiedMs }), []);
        const expected = items.flatMap(({ metadata, folder, modifiedMs }, at) => {
          const values: Metadata = { ...metadata, filename: `${at}.md`, folder, timestamp: modifiedMs };
          const judged = conditions.map((each) => fits(values[each.field], each));
          const isIn = match === 'all' ? judged.every(Boolean) : judged.some(Boolean);
          return isIn ? [`${folder}${at}.md`] : [];
        });
        const listed = store.listItems({ page: 1, perPage: 100, sortBy: 'status', filter: { match, conditions } });
        expect(listed.items.map(({ key }) => key).toSorted()).toEqual(expected.toSorted());
      },
    ),
    { numRuns: 300 },
  );
});
