import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Filter, FilterCondition, FilterOperator, Scalar } from '../../../src/search/order.ts';
import type { Metadata } from '../../../src/search/index/item.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';
import { filled, testStore } from './support.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const where = (
  field: string,
  type: FilterCondition['type'],
  op: FilterOperator,
  value: FilterCondition['value'],
): Filter => ({ match: 'all', conditions: [{ field, type, op, value }] });

describe('filters', () => {
  const metadata: Record<string, Metadata> = {
    'docs/a.md': { year: 2020, lang: 'de', isDraft: true },
    'docs/sub/b.md': { year: 2022, lang: 'en', isDraft: false },
    'c.md': { year: '2023', lang: 'fr', 'a.b $x': 1 },
    'docs/d.md': {},
  };
  const modified: Record<string, number> = {
    'docs/a.md': 1_795_346_167_999,
    'docs/sub/b.md': 1_795_346_168_000,
    'c.md': 1_795_346_168_212,
    'docs/d.md': 1_795_346_169_000,
  };
  const texts = Object.fromEntries(Object.keys(metadata).map((key) => [key, 'word']));
  const { keys, store } = filled(texts, (key) => ({
    metadata: metadata[key] ?? {},
    modifiedMs: modified[key] ?? 0,
  }));
  const [a, b, c, d] = ['docs/a.md', 'docs/sub/b.md', 'c.md', 'docs/d.md'];
  const SECOND = 1_795_346_168_000;

  test.each([
    ['year', 'number', 'eq', 2022, [b]],
    ['year', 'number', 'eq', 2023, [c]],
    ['year', 'text', 'eq', '2022', [b]],
    ['year', 'text', 'eq', 'x', []],
    ['year', 'number', 'ne', 2022, [a, c, d]],
    ['year', 'number', 'lt', 2022, [a]],
    ['year', 'number', 'lte', 2022, [a, b]],
    ['year', 'number', 'gt', 2020, [b, c]],
    ['year', 'number', 'gte', 2020, [a, b, c]],
    ['year', 'text', 'gt', '2021', [b, c]],
    ['year', 'text', 'lt', '9', [a, b, c]],
    ['year', 'boolean', 'gt', true, []],
    ['year', 'number', 'in', [2020, 2023], [a, c]],
    ['year', 'number', 'nin', [2020, 2023], [b, d]],
    ['year', 'number', 'in', [], []],
    ['year', 'number', 'nin', [], [a, b, c, d]],
    ['lang', 'text', 'eq', 'de', [a]],
    ['lang', 'text', 'eq', 'DE', []],
    ['lang', 'text', 'ne', 'de', [b, c, d]],
    ['lang', 'text', 'gte', 'en', [b, c]],
    ['lang', 'text', 'lt', 'fr', [a, b]],
    ['lang', 'number', 'gt', 5, []],
    ['isDraft', 'boolean', 'eq', true, [a]],
    ['isDraft', 'number', 'eq', 1, []],
    ['isDraft', 'text', 'eq', 'true', [a]],
    ['isDraft', 'boolean', 'ne', true, [b, c, d]],
    ['isDraft', 'boolean', 'in', [true, false], [a, b]],
    ['isDraft', 'number', 'lt', 5, []],
    ['missing', 'text', 'eq', 'x', []],
    ['missing', 'text', 'eq', '', []],
    ['missing', 'text', 'ne', 'x', [a, b, c, d]],
    ['missing', 'text', 'nin', ['x'], [a, b, c, d]],
    ['missing', 'number', 'lt', 5, []],
    ['a.b $x', 'number', 'eq', 1, [c]],
    ['quo"te', 'number', 'eq', 1, []],
    ["'; DROP TABLE item; --", 'number', 'ne', 1, [a, b, c, d]],
    ['filename', 'text', 'eq', 'b.md', [b]],
    ['filename', 'text', 'eq', 'docs/sub/b.md', [b]],
    ['filename', 'text', 'eq', 'sub/b.md', []],
    ['filename', 'text', 'ne', 'b.md', [a, c, d]],
    ['filename', 'text', 'ne', 'docs/sub/b.md', [a, c, d]],
    ['filename', 'text', 'in', ['docs/a.md', 'c.md'], [a, c]],
    ['filename', 'text', 'nin', ['a.md', 'docs/sub/b.md'], [c, d]],
    ['filename', 'text', 'gte', 'd', [a, b, d]],
    ['folder', 'text', 'eq', 'docs/', [a, d]],
    ['folder', 'text', 'eq', 'docs', []],
    ['folder', 'text', 'eq', '', [c]],
    ['folder', 'text', 'gte', 'docs/', [a, b, d]],
    ['folder', 'number', 'eq', 5, []],
    ['timestamp', 'datetime', 'eq', SECOND, [b, c]],
    ['timestamp', 'datetime', 'eq', SECOND + 999, [b, c]],
    ['timestamp', 'datetime', 'ne', SECOND, [a, d]],
    ['timestamp', 'datetime', 'in', [SECOND, 5], [b, c]],
    ['timestamp', 'datetime', 'nin', [SECOND], [a, d]],
    ['timestamp', 'datetime', 'gt', SECOND, [d]],
    ['timestamp', 'datetime', 'gte', SECOND + 1, [b, c, d]],
    ['timestamp', 'datetime', 'lt', SECOND, [a]],
    ['timestamp', 'datetime', 'lte', SECOND, [a, b, c]],
    ['timestamp', 'text', 'eq', `${SECOND}`, []],
    ['timestamp', 'text', 'ne', `${SECOND}`, [a, b, c, d]],
  ] as const)('%s as %s %s %j', (field, type, op, value, expected) => {
    const filter = where(field, type, op, value);
    expect(keys('word', { filter }).toSorted()).toEqual([...expected].toSorted());
    const listed = store.listItems({ page: 1, perPage: 10, sortBy: 'status', filter });
    expect(listed.items.map(({ key }) => key).toSorted()).toEqual([...expected].toSorted());
  });

  const JAN_1 = 1_735_689_600_000;
  test.each([
    ['number', '7', 7],
    ['number', '+7.50', 7.5],
    ['number', -7, -7],
    ['number', '7 days', undefined],
    ['number', '', undefined],
    ['number', true, undefined],
    ['text', 7, '7'],
    ['text', 2.5, '2.5'],
    ['text', false, 'false'],
    ['boolean', 'YES', true],
    ['boolean', 1, true],
    ['boolean', '0', false],
    ['boolean', 'maybe', undefined],
    ['boolean', 2, undefined],
    ['datetime', '2025-01-01', JAN_1],
    ['datetime', '2025-01-01T01:00:00.5+01:00', JAN_1],
    ['datetime', '2025-01-01T00:00:00Z', JAN_1],
    ['datetime', 1_735_689_600, JAN_1],
    ['datetime', JAN_1 + 500, JAN_1],
    ['datetime', '1735689600', JAN_1],
    ['datetime', 'now', undefined],
    ['datetime', '2025-13-41', undefined],
    ['datetime', true, undefined],
  ] as const)('a field that is %s now and was stored as %j is %j', (type, stored, cast) => {
    const { keys: found } = filled({ a: 'word' }, () => ({ metadata: { level: stored } }));
    const any = { text: '', number: 0, boolean: true, datetime: 0 }[type];
    expect(found('word', { filter: where('level', type, 'eq', cast ?? any) })).toEqual(cast === undefined ? [] : ['a']);
    if (cast === undefined || type === 'boolean') return;
    expect(found('word', { filter: where('level', type, 'gte', cast) })).toEqual(['a']);
    expect(found('word', { filter: where('level', type, 'gt', cast) })).toEqual([]);
  });

  test('one and the same name of a file is in all ranges', () => {
    const range = (low: string, high: string): Filter => ({
      match: 'all',
      conditions: [
        { field: 'filename', type: 'text', op: 'gte', value: low },
        { field: 'filename', type: 'text', op: 'lt', value: high },
      ],
    });
    expect(keys('word', { filter: range('docs/', 'docs0') }).toSorted()).toEqual([a, d, b]);
    expect(keys('word', { filter: range('b', 'c') })).toEqual([b]);
    // `a.md` is below `b`, and `docs/a.md` above `c`: none of the names is between.
    expect(keys('word', { filter: range('d.', 'docs') })).toEqual([d]);
    // In any of two ranges are those that either one has, by whichever name.
    expect(keys('word', { filter: { ...range('z', 'b'), match: 'any' } })).toEqual([a]);
  });

  test('prefixes of folders: from the prefix to the one behind it', () => {
    const filter: Filter = {
      match: 'all',
      conditions: [
        { field: 'folder', type: 'text', op: 'gte', value: 'docs/' },
        { field: 'folder', type: 'text', op: 'lt', value: 'docs0' },
      ],
    };
    expect(keys('word', { filter }).toSorted()).toEqual([a, d, b]);
  });

  test('all or any of the conditions; of none, all fit all and none fits any', () => {
    const conditions = [
      { field: 'lang', type: 'text', op: 'eq', value: 'de' },
      { field: 'year', type: 'number', op: 'eq', value: 2022 },
    ] as const;
    expect(keys('word', { filter: { match: 'all', conditions } })).toEqual([]);
    expect(keys('word', { filter: { match: 'any', conditions } }).toSorted()).toEqual([a, b]);
    expect(keys('word', { filter: { match: 'all', conditions: [] } })).toHaveLength(4);
    expect(keys('word', { filter: { match: 'any', conditions: [] } })).toEqual([]);
  });

  test('texts are compared by their first 64 bytes', () => {
    const { keys: found } = filled({ a: 'word' }, () => ({ metadata: { text: `${'ä'.repeat(31)}xy-and-more` } }));
    expect(found('word', { filter: where('text', 'text', 'eq', `${'ä'.repeat(31)}xy-and-others`) })).toEqual(['a']);
    expect(found('word', { filter: where('text', 'text', 'eq', `${'ä'.repeat(31)}xz`) })).toEqual([]);
    expect(found('word', { filter: where('text', 'text', 'eq', `${'ä'.repeat(31)}x`) })).toEqual([]);
  });

  test('K9: more conditions or fields than a statement may bind are refused', () => {
    const many = (count: number, of: (at: number) => string): Filter => ({
      match: 'all',
      conditions: Array.from({ length: count }, (_, at) => ({ field: of(at), type: 'number', op: 'ne', value: at })),
    });
    expect(keys('word', { filter: many(40, (at) => `f${at % 12}`) })).toHaveLength(4);
    expect(() => keys('word', { filter: many(41, () => 'f') })).toThrow(RangeError);
    expect(() => keys('word', { filter: many(13, (at) => `f${at}`) })).toThrow(RangeError);
  });

  test('come before the ranks are cut', () => {
    const { store: other } = testStore();
    for (let at = 0; at < 300; at += 1) other.putItem(itemOf(`k${at}`), chunksOf('word word word'));
    other.putItem(itemOf('last', { metadata: { tag: 'x' } }), chunksOf('one word among many others'));
    const found = other.search(asked('word', { filter: where('tag', 'text', 'eq', 'x') }));
    expect(found.map(({ item }) => item.key)).toEqual(['last']);
    expect(found[0]?.scoring.keyword_rank).toBe(1);
  });
});

const text = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'A', '1', 'true', 'é', '\uFFFD', '😀', 'f/', '0.md', 'f/0.md', '1.md'),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const number = fc.oneof(fc.constantFrom(0, 1, -1, 1.5, 5), fc.double({ noNaN: true, noDefaultInfinity: true }));
const time = fc.constantFrom(0, 1, 999, 1_000, 1_999, 2_000);
const VALUES = { text, number, boolean: fc.boolean(), datetime: time } as const;

/** Names with the type that their values have. */
const FIELDS = [
  ['x', 'number'],
  ['y', 'text'],
  ['z', 'boolean'],
  ['filename', 'text'],
  ['folder', 'text'],
  ['timestamp', 'datetime'],
] as const;
const condition: fc.Arbitrary<FilterCondition> = fc.constantFrom(...FIELDS).chain(([field, type]) => {
  const value: fc.Arbitrary<Scalar> = VALUES[type];
  return fc.oneof(
    fc.record({
      field: fc.constant(field),
      type: fc.constant(type),
      op: fc.constantFrom<FilterOperator>('eq', 'ne', 'lt', 'lte', 'gt', 'gte'),
      value,
    }),
    fc.record({
      field: fc.constant(field),
      type: fc.constant(type),
      op: fc.constantFrom<FilterOperator>('in', 'nin'),
      value: fc.array(value, { maxLength: 4 }),
    }),
  );
});

/** The same, judged one value at a time. */
function fits(value: Scalar | undefined, { op, value: wanted }: FilterCondition): boolean {
  const same = (other: Scalar): boolean => value !== undefined && order(value, other) === 0;
  if (typeof wanted === 'object') return wanted.some(same) === (op === 'in');
  if (op === 'eq' || op === 'ne') return same(wanted) === (op === 'eq');
  if (typeof wanted === 'boolean' || value === undefined) return false;
  const sign = order(value, wanted);
  return { lt: sign < 0, lte: sign <= 0, gt: sign > 0, gte: sign >= 0, in: false, nin: false }[op];
}

const order = (a: Scalar, b: Scalar): number =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(Buffer.from(a).subarray(0, 64), Buffer.from(b).subarray(0, 64))
    : Number(a) - Number(b);

const isRange = ({ op }: FilterCondition): boolean => ['lt', 'lte', 'gt', 'gte'].includes(op);
const seconds = (value: Scalar): Scalar => Math.floor(Number(value) / 1_000);
const inSeconds = (one: FilterCondition): FilterCondition =>
  one.type === 'datetime'
    ? { ...one, value: typeof one.value === 'object' ? one.value.map(seconds) : seconds(one.value) }
    : one;

/** A file has two names: one of them fits all ranges, and none what is negated. */
function fitsAll(values: Metadata, names: readonly string[], { match, conditions }: Filter): boolean {
  const judged = conditions.map(inSeconds).map((one) => {
    if (one.field !== 'filename') return fits(values[one.field], one);
    const isNegated = one.op === 'ne' || one.op === 'nin';
    return isNegated ? names.every((name) => fits(name, one)) : names.some((name) => fits(name, one));
  });
  if (match === 'any') return judged.some(Boolean);
  const ranges = conditions.filter((one) => one.field === 'filename' && isRange(one));
  return judged.every(Boolean) && names.some((name) => ranges.every((one) => fits(name, one)));
}

test('any filter lets through what a plain evaluation does', () => {
  const anItem = fc.record({
    metadata: fc.record({ x: number, y: text, z: fc.boolean() }, { requiredKeys: [], noNullPrototype: true }),
    folder: fc.constantFrom('', 'f/', 'f/g/', 'é/'),
    modifiedMs: time,
  });
  fc.assert(
    fc.property(
      fc.array(anItem, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('all', 'any'),
      fc.array(condition, { maxLength: 4 }),
      (items, match, conditions) => {
        const { store } = testStore();
        const filter: Filter = { match, conditions };
        for (const [at, { metadata, folder, modifiedMs }] of items.entries())
          store.putItem(itemOf(`${folder}${at}.md`, { metadata, modifiedMs }), []);
        const expected = items.flatMap(({ metadata, folder, modifiedMs }, at) => {
          const values: Metadata = { ...metadata, folder, timestamp: seconds(modifiedMs) };
          const key = `${folder}${at}.md`;
          return fitsAll(values, [`${at}.md`, key], filter) ? [key] : [];
        });
        const listed = store.listItems({ page: 1, perPage: 100, sortBy: 'status', filter });
        expect(listed.items.map(({ key }) => key).toSorted()).toEqual(expected.toSorted());
      },
    ),
    { numRuns: budgetFor(60, 300) },
  );
});
