import { describe, expect, test } from 'vitest';
import { parseMetadata } from '../../../src/search/metadata.ts';
import type { Filter, FilterOperator } from '../../../src/search/order.ts';
import type { Metadata } from '../../../src/search/index/item.ts';
import { filled } from './support.ts';

const where = (op: FilterOperator, date: string): Filter => ({
  match: 'all',
  conditions: [{ field: 'at', type: 'datetime', op, value: Date.parse(date) }],
});
const boosts = (direction: 'asc' | 'desc') => [{ field: 'at', type: 'datetime', direction }] as const;

/** Metadata as it is stored from an upload. */
const uploaded = (at: string | number): Metadata =>
  parseMetadata({ at }, [{ name: 'at', type: 'datetime' }]).metadata as Metadata; // It keeps nothing but values.

describe('times of any year', () => {
  const dates = ['1950-01-01', '1969-07-20', '1971-05-01', '1973-03-03', '2024-01-01'];
  const { keys } = filled(Object.fromEntries(dates.map((date) => [date, 'word'])), (date) => ({
    metadata: uploaded(date),
  }));
  const fitting = (op: FilterOperator, date: string) => keys('word', { filter: where(op, date) }).toSorted();

  test.each(dates.map((date, at) => [date, at] as const))(
    '%s is equal to itself, and between its neighbours',
    (date, at) => {
      expect(fitting('eq', date)).toEqual([date]);
      expect(fitting('ne', date)).toEqual(dates.toSpliced(at, 1));
      expect(fitting('lt', date)).toEqual(dates.slice(0, at));
      expect(fitting('gt', date)).toEqual(dates.slice(at + 1));
    },
  );

  test('have their place in a boost', () => {
    expect(keys('word', { boosts: boosts('asc') })).toEqual(dates);
    expect(keys('word', { boosts: boosts('desc') })).toEqual(dates.toReversed());
  });
});

describe('a number', () => {
  test('that is a time when it is uploaded is kept as one, of seconds or milliseconds', () => {
    expect(uploaded(1_735_689_600)).toEqual({ at: '2025-01-01T00:00:00.000Z' });
    expect(uploaded(1_735_689_600_000)).toEqual({ at: '2025-01-01T00:00:00.000Z' });
  });

  test('that was stored while the field had no type, and is below 0, is no time', () => {
    const { keys } = filled({ before: 'word', later: 'word' }, (key) => ({
      metadata: { at: key === 'before' ? -86_400 : 86_400 },
    }));
    expect(keys('word', { filter: where('lt', '2024-01-01') })).toEqual(['later']);
    expect(keys('word', { boosts: boosts('asc') })).toEqual(['later', 'before']);
  });
});
