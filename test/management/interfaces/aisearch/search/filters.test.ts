import { describe, expect, test } from 'vitest';
import { parseFilters, parseLegacyFilters } from '../../../../../src/management/interfaces/aisearch/search/filters.ts';
import type { MetadataField } from '../../../../../src/search/order.ts';
import { Refusal } from '../../../../../src/lib/refusal.ts';

const FIELDS: readonly MetadataField[] = [
  { name: 'category', type: 'text' },
  { name: 'version', type: 'number' },
  { name: 'public', type: 'boolean' },
  { name: 'published', type: 'datetime' },
];

function refusedBy(parse: typeof parseFilters, value: unknown): string {
  try {
    parse(value, FIELDS);
  } catch (error) {
    if (error instanceof Refusal) return `${error.data.status} ${error.data.reason}: ${error.data.message}`;
    throw error;
  }
  throw new Error('not refused');
}

describe('newer filters', () => {
  test.each<[unknown, unknown]>([
    [undefined, undefined],
    [{}, undefined],
    [{ folder: 'docs/' }, [{ field: 'folder', type: 'text', op: 'eq', value: 'docs/' }]],
    [{ Category: { $ne: 'blog' } }, [{ field: 'category', type: 'text', op: 'ne', value: 'blog' }]],
    [{ category: { $in: ['a', 'b'] } }, [{ field: 'category', type: 'text', op: 'in', value: ['a', 'b'] }]],
    [{ public: { $nin: [true] } }, [{ field: 'public', type: 'boolean', op: 'nin', value: [true] }]],
    [
      { version: { $gt: 1, $lte: 2.5 }, filename: 'a.md' },
      [
        { field: 'version', type: 'number', op: 'gt', value: 1 },
        { field: 'version', type: 'number', op: 'lte', value: 2.5 },
        { field: 'filename', type: 'text', op: 'eq', value: 'a.md' },
      ],
    ],
    [
      { folder: { $gte: 'docs/', $lt: 'docs0' } },
      [
        { field: 'folder', type: 'text', op: 'gte', value: 'docs/' },
        { field: 'folder', type: 'text', op: 'lt', value: 'docs0' },
      ],
    ],
    [
      { timestamp: { $gte: 1_735_689_600 } },
      [{ field: 'timestamp', type: 'datetime', op: 'gte', value: 1_735_689_600_000 }],
    ],
    [
      { timestamp: { $gte: 1_735_689_600_000 } },
      [{ field: 'timestamp', type: 'datetime', op: 'gte', value: 1_735_689_600_000 }],
    ],
    [{ timestamp: '1735689600' }, [{ field: 'timestamp', type: 'datetime', op: 'eq', value: 1_735_689_600_000 }]],
    [{ timestamp: '2025-01-01' }, [{ field: 'timestamp', type: 'datetime', op: 'eq', value: 1_735_689_600_000 }]],
    [
      { published: '2025-01-01T01:00:00+01:00' },
      [{ field: 'published', type: 'datetime', op: 'eq', value: 1_735_689_600_000 }],
    ],
    [
      { published: '2025-01-01T00:00:00' },
      [{ field: 'published', type: 'datetime', op: 'eq', value: 1_735_689_600_000 }],
    ],
  ])('%j is read', (value, conditions) => {
    expect(parseFilters(value, FIELDS)).toEqual(conditions === undefined ? undefined : { match: 'all', conditions });
  });

  test.each<[string, unknown]>([
    ['a text', 'folder'],
    ['a list', [{ folder: 'a' }]],
    ['null', null],
    ['an unknown field', { author: 'x' }],
    ['a name that every object has', { constructor: 'x' }],
    ['an unknown operator', { version: { $regex: 'x' } }],
    ['an operator of the older syntax', { version: { gte: 1 } }],
    ['$or at the top', { $or: [{ version: 1 }] }],
    ['$and at the top', { $and: [{ version: 1 }] }],
    ['$not inside a field', { version: { $not: { $eq: 1 } } }],
    ['a field inside a field', { category: { name: 'x' } }],
    ['no operator at all', { version: {} }],
    ['a list where one value is wanted', { version: { $eq: [1] } }],
    ['a list in place of an operator', { version: [1] }],
    ['one value where a list is wanted', { version: { $in: 1 } }],
    ['an empty list', { version: { $in: [] } }],
    ['a list of lists', { version: { $in: [[1]] } }],
    ['a text for a number', { version: '1' }],
    ['a number for a text', { folder: 1 }],
    ['a text for a boolean', { public: 'true' }],
    ['an order of booleans', { public: { $gt: false } }],
    ['null for a value', { category: null }],
    ['a text of more than 500 characters', { category: 'x'.repeat(501) }],
    ['half a character', { category: '\ud800' }],
    ['more than 50 values', { version: { $in: Array.from({ length: 51 }, (_, n) => n) } }],
    [
      'more than 50 values in all',
      {
        version: { $in: Array.from({ length: 26 }, (_, n) => n), $nin: Array.from({ length: 25 }, (_, n) => n) },
      },
    ],
    [
      'more than 10 conditions',
      {
        version: { $eq: 1, $ne: 1, $gt: 1, $gte: 1, $lt: 1, $lte: 1 },
        category: { $eq: 'a', $ne: 'a', $gt: 'a', $gte: 'a', $lt: 'a' },
      },
    ],
  ])('%s is refused', (_name, value) => {
    expect(refusedBy(parseFilters, value)).toMatch(/^400 invalid: invalid_metadata_filter: /);
  });

  test.each(['yesterday', '2025-13-40', -1, true, ['2025-01-01'], '2025-01-01T99:00:00Z', 1e300])(
    '%j is no time',
    (value) => {
      expect(refusedBy(parseFilters, { timestamp: value })).toBe('400 invalid: invalid_datetime_filter_value');
    },
  );
});

describe('older filters', () => {
  test.each<[unknown, unknown]>([
    [undefined, undefined],
    [{}, undefined],
    [
      { type: 'gte', key: 'timestamp', value: '1735689600' },
      { match: 'all', conditions: [{ field: 'timestamp', type: 'datetime', op: 'gte', value: 1_735_689_600_000 }] },
    ],
    [
      {
        type: 'and',
        filters: [
          { type: 'gt', key: 'folder', value: 'docs/' },
          { type: 'lte', key: 'folder', value: 'docs/z' },
        ],
      },
      {
        match: 'all',
        conditions: [
          { field: 'folder', type: 'text', op: 'gt', value: 'docs/' },
          { field: 'folder', type: 'text', op: 'lte', value: 'docs/z' },
        ],
      },
    ],
    [
      {
        type: 'or',
        filters: [
          { type: 'eq', key: 'folder', value: 'a/' },
          { type: 'eq', key: 'folder', value: 'b/' },
        ],
      },
      {
        match: 'any',
        conditions: [
          { field: 'folder', type: 'text', op: 'eq', value: 'a/' },
          { field: 'folder', type: 'text', op: 'eq', value: 'b/' },
        ],
      },
    ],
  ])('%j is read', (value, filter) => {
    expect(parseLegacyFilters(value, FIELDS)).toEqual(filter);
  });

  const one = { type: 'eq', key: 'folder', value: 'a/' };
  test.each<[string, unknown]>([
    ['a text', 'x'],
    ['a list', [one]],
    ['the newer syntax', { folder: 'a/' }],
    ['an operator of the newer syntax', { type: '$eq', key: 'folder', value: 'a/' }],
    ['an unknown type', { type: 'in', key: 'folder', value: ['a/'] }],
    ['no key', { type: 'eq', value: 'a/' }],
    ['no value', { type: 'eq', key: 'folder' }],
    ['an unknown key', { type: 'eq', key: 'author', value: 'x' }],
    ['a member too many', { ...one, filters: [] }],
    ['no filters', { type: 'and', filters: [] }],
    ['filters that are no list', { type: 'and', filters: one }],
    ['and inside and', { type: 'and', filters: [{ type: 'and', filters: [one] }] }],
    ['or inside and', { type: 'and', filters: [{ type: 'or', filters: [one] }] }],
    ['more than 10 conditions', { type: 'or', filters: Array.from({ length: 11 }, () => one) }],
  ])('%s is refused', (_name, value) => {
    expect(refusedBy(parseLegacyFilters, value)).toMatch(/^400 invalid: invalid_metadata_filter: /);
  });

  test('or takes eq only, on one key', () => {
    expect(refusedBy(parseLegacyFilters, { type: 'or', filters: [one, { ...one, type: 'ne' }] })).toBe(
      '400 invalid: filter_or_operator_only_supports_eq_filters',
    );
    expect(refusedBy(parseLegacyFilters, { type: 'or', filters: [one, { ...one, key: 'filename' }] })).toBe(
      '400 invalid: filter_or_operator_does_not_support_different_keys',
    );
  });
});
