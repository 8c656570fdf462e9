import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildHoldingPattern,
  createHoldingSource,
  createRangeSource,
  MAX_SORTED_PLACES,
} from '../../../../src/management/core/engine/narrowed-source.ts';
import type { ListCursor, NewRow, RowSortOrder } from '../../../../src/management/core/engine/stored-row.ts';
import { testTenant } from '../../../support/management/management.ts';
import { memorySqlite } from '../../../support/management/sqlite.ts';
import { budgetFor } from '../../../support/runner/budget.ts';

const collection = 'directory.users';
const NAMES = ['z', '\u{FF21}', '\u{1F600}', 'a', '\u{1F600}b', ''];

const rowOf = (n: number, s2: string, suspended: boolean): NewRow => ({
  collection,
  parent: '',
  id: String(n).padStart(6, '0'),
  s1: `u${n}`,
  s2,
  body: { suspended, words: 'needle in it' },
});

/** All ids of a source, read in pages of one. */
function idsOf(source: ReturnType<typeof createHoldingSource>): string[] {
  const ids: string[] = [];
  for (let after: ListCursor | undefined; ;) {
    const [found] = source?.(after, 1) ?? [];
    if (found === undefined) return ids;
    ids.push(found.row.id);
    after = found.cursor;
  }
}

describe('rows that few of a collection are', () => {
  test.each([true, false])('come in the order that the whole collection has, descending: %s', (descending) => {
    const tenant = testTenant();
    const { store } = tenant.engine;
    store.insertMany(
      NAMES.map((name, n) => rowOf(n, name, true)),
      [],
    );
    const context = tenant.context('directory.users.list');
    for (const by of ['s1', 's2'] as const satisfies RowSortOrder['by'][]) {
      const order = { by, descending };
      const all = store.list({ collection, parent: '', order, limit: 99 }).map(({ row }) => row.id);
      const list = { collection, order };
      expect(idsOf(createRangeSource(list, [{ by: 'state', value: '1000000' }], context))).toEqual(all);
      expect(idsOf(createHoldingSource(list, ['%needle%'], context))).toEqual(all);
    }
  });

  test('are given up where they are many: there the collection is read in order', () => {
    const tenant = testTenant();
    const rows = Array.from({ length: MAX_SORTED_PLACES + 1 }, (_, n) => rowOf(n, 'same', true));
    tenant.engine.store.insertMany(rows, []);
    const context = tenant.context('directory.users.list');
    const range = [{ by: 'state', value: '1000000' } as const];
    const byName = { collection, order: { by: 's2', descending: false } as const };
    const byAddress = { collection, order: { by: 's1', descending: false } as const };
    expect(createHoldingSource(byName, ['%needle%'], context)).toBeUndefined();
    expect(createRangeSource(byName, range, context)).toBeUndefined();
    expect(createRangeSource(byAddress, range, context)?.(undefined, 2)).toHaveLength(2);
    tenant.engine.store.remove(rowOf(0, '', true));
    expect(createRangeSource(byName, range, context)?.(undefined, 9)).toHaveLength(9);
  });
});

describe('the pattern of a text', () => {
  test.each([
    ['Smith', undefined, '%sm_th%'],
    ["o'brien co", undefined, '%br_en%'],
    ['Kiel', 'organizations', '%"organizations"%__el%'],
    ['x', 'a"b', '%x%'],
    ['ÄÖ', undefined, undefined],
    ['', undefined, undefined],
    ['a'.repeat(60), 'organizations', `%"organizations"%${'a'.repeat(24)}%`],
  ])('%s in %s is %s', (text, member, pattern) => {
    expect(buildHoldingPattern(text, member)).toBe(pattern);
  });

  test('matches every body that has the text in any case, and is no longer than SQLite allows', () => {
    const { sql } = memorySqlite();
    const letter = fc.constantFrom(
      'a',
      'k',
      'K',
      '\u{212A}',
      'i',
      'I',
      'İ',
      'ß',
      'é',
      '1',
      ' ',
      '"',
      '\\',
      '%',
      '_',
      'Z',
    );
    const word = fc.array(letter, { minLength: 1, maxLength: 12 }).map((letters) => letters.join(''));
    const check = fc.property(word, word, word, (before, value, after) => {
      const pattern = buildHoldingPattern(value, 'words');
      if (pattern === undefined) return;
      expect(new TextEncoder().encode(pattern).length).toBeLessThanOrEqual(50);
      for (const cased of [value, value.toUpperCase(), value.toLowerCase(), value.replaceAll(/k/gi, '\u{212A}')]) {
        if (!cased.toLowerCase().includes(value.toLowerCase())) continue;
        const json = JSON.stringify({ other: after, words: [{ value: before + cased + after }] });
        expect(sql.exec('SELECT ? LIKE ? AS holds', json, pattern).toArray()).toEqual([{ holds: 1 }]);
      }
    });
    fc.assert(check, { numRuns: budgetFor(300, 5_000) });
  });
});
