import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { type Rows, createSqlRows, sweepRows } from '../../../src/authorization/oauth/rows.ts';
import { openSql } from '../../support/management/sqlite.ts';
import { memoryRows } from '../../support/management/memory-rows.ts';

type World = { rows: Rows; advance: (ms: number) => void };

function world(make: (now: () => number) => Rows): World {
  let nowMs = 1_000;
  return {
    rows: make(() => nowMs),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}

const kinds: readonly [string, () => World][] = [
  ['in SQLite', () => world((now) => createSqlRows(openSql(new DatabaseSync(':memory:')), now))],
  ['in memory', () => world(memoryRows)],
];

describe.each(kinds)('rows %s', (_, make) => {
  test('keep JSON values by key, the last one written', () => {
    const { rows } = make();
    rows.put('a', { text: 'é"\u0000', list: [1, null] });
    rows.put('a', { text: 'two' });
    expect([rows.get('a'), rows.get('b')]).toEqual([{ text: 'two' }, undefined]);
    rows.put('a', 'é"\u0000');
    expect(rows.get('a')).toBe('é"\u0000');
  });

  test('forget what was deleted, and deleting nothing is nothing', () => {
    const { rows } = make();
    rows.put('a', 1);
    rows.delete('a');
    rows.delete('a');
    expect(rows.get('a')).toBeUndefined();
  });

  test('never give an expired value: not by key, not in a list, not in a count', () => {
    const { rows, advance } = make();
    rows.put('p:short', 1, 2_000);
    rows.put('p:long', 2, 3_000);
    rows.put('p:ever', 3);
    advance(999);
    expect(rows.count('p:')).toBe(3);
    advance(1);
    expect(rows.get('p:short')).toBeUndefined();
    expect(rows.list('p:', 10)).toEqual([
      { key: 'p:ever', value: 3, expiresAtMs: null },
      { key: 'p:long', value: 2, expiresAtMs: 3_000 },
    ]);
    expect(rows.count('p:')).toBe(2);
  });

  test('a row written again without an end has none', () => {
    const { rows, advance } = make();
    rows.put('a', 1, 2_000);
    rows.put('a', 2);
    advance(5_000);
    expect(rows.get('a')).toBe(2);
  });

  test('list by prefix in the order of the keys, page by page', () => {
    const { rows } = make();
    for (const key of ['p:b', 'p:a', 'p', 'p:', 'q:a', 'p:c', 'o:z', 'p;']) rows.put(key, key);
    const keysOf = (limit: number, after?: string) => rows.list('p:', limit, after).map(({ key }) => key);
    expect(keysOf(10)).toEqual(['p:', 'p:a', 'p:b', 'p:c']);
    expect(keysOf(2)).toEqual(['p:', 'p:a']);
    expect(keysOf(2, 'p:a')).toEqual(['p:b', 'p:c']);
    expect(keysOf(2, 'p:c')).toEqual([]);
    expect(rows.count('p:')).toBe(4);
  });

  test.each(['%', '_', "'; DROP TABLE rows; --", '*', '\\'])('a prefix is text, not a pattern: %s', (text) => {
    const { rows } = make();
    rows.put('plain', 1);
    rows.put(`${text}x`, 2);
    expect(rows.list(text, 10).map(({ value }) => value)).toEqual([2]);
    expect(rows.get('plain')).toBe(1);
  });
});

test('a sweep deletes the expired rows only, and no more than its limit', () => {
  const sql = openSql(new DatabaseSync(':memory:'));
  const rows = createSqlRows(sql, () => 0);
  for (let n = 0; n < 5; n += 1) rows.put(`dead:${n}`, n, 100);
  rows.put('alive', 1, 101);
  rows.put('ever', 1);
  expect([sweepRows(sql, 100, 3), sweepRows(sql, 100, 3), sweepRows(sql, 100, 3)]).toEqual([3, 2, 0]);
  expect(rows.count('')).toBe(2);
});

test('a sweep looks at expired rows alone, by an index', () => {
  const sql = openSql(new DatabaseSync(':memory:'));
  createSqlRows(sql, () => 0);
  const query = 'EXPLAIN QUERY PLAN SELECT key FROM rows WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ?';
  expect(sql.exec(query, 1, 1).toArray()).toMatchObject([
    { detail: 'SEARCH rows USING COVERING INDEX rows_by_end (expires_at>? AND expires_at<?)' },
  ]);
});
