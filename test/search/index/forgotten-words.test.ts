import { describe, expect, test } from 'vitest';
import { MAX_DATABASE_BYTES } from '../../../src/search/index/item.ts';
import type { Sql } from '../../../src/lib/sqlite.ts';
import { listRankings } from './history.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';
import { testStore } from './support.ts';

const ITEMS = 150;
const CHUNKS = 4;
const KEYS = Array.from({ length: ITEMS }, (_, at) => `k${at}`);

/** Prose of a few thousand words, other in each chunk, the same in each run. */
function writeText(seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  const draw = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) ** 2 * most);
  };
  return Array.from({ length: 60 }, () => `w${draw(3_000).toString(36)}`).join(' ');
}
const content = (at: number) => chunksOf(...Array.from({ length: CHUNKS }, (_, n) => writeText(at * CHUNKS + n)));

/** What the tables of words take, in bytes. */
const measureWords = (sql: Sql, tokenizer: string): number =>
  Number(sql.exec(`SELECT sum(length(block)) AS bytes FROM word_${tokenizer}_data`).toArray()[0]?.['bytes']);

function fill(tokenizer: 'porter' | 'trigram', times = 1) {
  const made = testStore();
  made.store.reindex(tokenizer);
  for (let time = 0; time < times; time += 1)
    for (const [at, key] of KEYS.entries()) made.store.putItem(itemOf(key, { checksum: `time ${time}` }), content(at));
  return made;
}

const removeAll = ({ store }: ReturnType<typeof fill>): void => {
  for (const key of KEYS) store.removeItem(store.itemByKey('builtin', key)?.id ?? '');
};

describe.each(['porter', 'trigram'] as const)('words that are forgotten (%s)', (tokenizer) => {
  test('take no room for long: an index that was filled eight times is hardly larger than a fresh one', () => {
    const fresh = fill(tokenizer);
    const lived = fill(tokenizer, 8);
    expect(measureWords(lived.sql, tokenizer)).toBeLessThan(1.3 * measureWords(fresh.sql, tokenizer));
    expect(listRankings(lived.store, ['w1', 'wa w2', 'w7'])).toEqual(listRankings(fresh.store, ['w1', 'wa w2', 'w7']));
  });

  test.each<[string, (made: ReturnType<typeof fill>) => void]>([
    ['one by one', removeAll],
    ['with their source', ({ store }) => store.removeSource('builtin')],
  ])('take none where all items were deleted, %s', (_how, remove) => {
    const made = fill(tokenizer, 2);
    remove(made);
    const empty = testStore();
    empty.store.reindex(tokenizer);
    expect(measureWords(made.sql, tokenizer)).toBeLessThanOrEqual(measureWords(empty.sql, tokenizer) + 64);
    made.store.putItem(itemOf('new'), chunksOf('numbat'));
    expect(made.store.search(asked('numbat')).map(({ item }) => item.key)).toEqual(['new']);
  });

  test('are given back before an index that is full refuses anything', () => {
    const { store, sql, state } = fill(tokenizer);
    for (const [at, key] of KEYS.slice(0, ITEMS / 8).entries())
      store.putItem(itemOf(key, { checksum: 'changed' }), content(at));
    const before = measureWords(sql, tokenizer);
    state.databaseBytes = MAX_DATABASE_BYTES;
    expect(store.putItem(itemOf('more'), chunksOf('numbat'))).toMatchObject({ ok: false, reason: 'full' });
    expect(measureWords(sql, tokenizer)).toBeLessThan(before);
  });
});
