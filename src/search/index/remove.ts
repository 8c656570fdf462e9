import type { Sql } from '../../lib/sqlite.ts';
import { pruneWords } from './forgotten-words.ts';
import { CHUNK_NUMBERS } from './tables.ts';
import { forgetWords } from './word-tables.ts';

/** Deletes an item with all that it had. @returns whether there was one */
export function removeItem({ sql, transaction }: IndexTools, id: string): boolean {
  return transaction(() => {
    const [row] = sql.exec('SELECT n FROM item WHERE id = ?', id).toArray();
    if (row === undefined) return false;
    const forgotten = forgetContent(sql, Number(row['n']));
    sql.exec('DELETE FROM item WHERE id = ?', id);
    sql.exec('DELETE FROM log WHERE owner = ?', id);
    sql.exec('UPDATE total SET items = items - 1');
    pruneWords(sql, forgotten);
    return true;
  });
}

/** Items that one step of `removeSource` deletes, in a few statements. */
const STEP_ITEMS = 500;
const SOME = 'SELECT n FROM item WHERE source = ? ORDER BY n LIMIT ?';

/** Deletes all items of a source, with all that they had. */
export function removeSource({ sql, transaction }: IndexTools, source: string): void {
  transaction(() => {
    let forgotten = 0;
    for (;;) {
      const numbers = sql.exec(SOME, source, STEP_ITEMS).toArray();
      if (numbers.length === 0) break;
      forgotten += removeNumbered(sql, JSON.stringify(numbers.map(({ n }) => n)));
    }
    pruneWords(sql, forgotten);
  });
}

/** @param numbers of items, as JSON @returns of how many chunks words were forgotten */
function removeNumbered(sql: Sql, numbers: string): number {
  const within = (table: string, column: string): string => `SELECT ${table}.${column} FROM json_each(?) AS one
    JOIN ${table} ON ${table}.${column} BETWEEN one.value * ${CHUNK_NUMBERS}
      AND one.value * ${CHUNK_NUMBERS} + ${CHUNK_NUMBERS - 1}`;
  const forgotten = forgetWords(sql, { text: within('chunk', 'id'), bindings: [numbers] });
  sql.exec(`DELETE FROM chunk WHERE id IN (${within('chunk', 'id')})`, numbers);
  sql.exec(`DELETE FROM vector WHERE chunk IN (${within('vector', 'chunk')})`, numbers);
  sql.exec(`DELETE FROM piece WHERE id IN (${within('piece', 'id')})`, numbers);
  sql.exec('DELETE FROM log WHERE owner IN (SELECT id FROM item WHERE n IN (SELECT value FROM json_each(?)))', numbers);
  sql.exec(
    `UPDATE total SET (items, chunks, vectors, bytes) = (SELECT total.items - count(*), total.chunks - sum(item.chunks),
       total.vectors - sum(item.vectors), total.bytes - sum(item.size)
       FROM item WHERE n IN (SELECT value FROM json_each(?)))`,
    numbers,
  );
  sql.exec('DELETE FROM item WHERE n IN (SELECT value FROM json_each(?))', numbers);
  return forgotten;
}

/**
 * Deletes what an item has beside its row. `total` is right again once the row is written anew or deleted.
 * @returns of how many chunks words were forgotten
 */
export function forgetContent(sql: Sql, n: number): number {
  const range = computeChunkRange(n);
  const forgotten = forgetWords(sql, { text: 'SELECT id FROM chunk WHERE id BETWEEN ? AND ?', bindings: range });
  sql.exec('DELETE FROM chunk WHERE id BETWEEN ? AND ?', ...range);
  sql.exec('DELETE FROM vector WHERE chunk BETWEEN ? AND ?', ...range);
  sql.exec(
    `UPDATE total SET (chunks, vectors) = (SELECT total.chunks - item.chunks, total.vectors - item.vectors
       FROM item WHERE n = ?)`,
    n,
  );
  forgetBytes(sql, n);
  return forgotten;
}

/** Deletes the content of an item as it came, and nothing of what is found of it. `total`: as above. */
export function forgetBytes(sql: Sql, n: number): void {
  sql.exec('DELETE FROM piece WHERE id BETWEEN ? AND ?', ...computeChunkRange(n));
  sql.exec('UPDATE total SET bytes = bytes - (SELECT size FROM item WHERE n = ?)', n);
}

const computeChunkRange = (n: number): readonly [number, number] => [n * CHUNK_NUMBERS, (n + 1) * CHUNK_NUMBERS - 1];

/** What a store of an instance works with. */
export type IndexTools = {
  sql: Sql;
  /** Runs it all or not at all: what it throws rolls back. */
  transaction: <T>(work: () => T) => T;
  /** Unix milliseconds. */
  now: () => number;
  /** Random bytes, in hexadecimal. */
  random: (bytes: number) => string;
  /** Bytes that the database takes, without pages that are free. */
  databaseBytes: () => number;
  /** Up to so many chunks an index counts as small (`keyword.ts`). */
  smallChunks?: number;
};
