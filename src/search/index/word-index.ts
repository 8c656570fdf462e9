import type { Sql } from '../../lib/sqlite.ts';
import type { Bound } from './filter-sql.ts';
import { hasRoom } from './database-quota.ts';
import {
  dropMeta,
  insertRows,
  makeWords,
  findMetaValue,
  setMeta,
  getSearchTokenizer,
  WORDS,
  type Tokenizer,
} from './tables.ts';
import { tokeniseText } from './words.ts';

/** What an index takes for each byte of text. Measured with English prose. */
const GROWTH = { porter: 0.6, trigram: 3.2 } as const satisfies Record<Tokenizer, number>;

type Worded = { id: number; title: string; text: string };

type RoomTools = { sql: Sql; databaseBytes: () => number };

/** The value that says which tokenizer stayed because the other one had no room. */
const KEPT = 'kept_tokenizer';
/** Chunks that one step of a new index reads. */
const STEP_CHUNKS = 500;
const STEP = `SELECT chunk.id AS id, item.title || ' ' || chunk.heading AS title, chunk.text AS text
  FROM chunk JOIN item ON item.n = chunk.id / 1000000 WHERE chunk.id > ? ORDER BY chunk.id LIMIT ?`;

/** A table of words that is being made, up to a chunk; it takes the place of the other one when it has all. */
type Growing = { tokenizer: Tokenizer; upTo: number };

/** Writes words of chunks that are new. */
export function writeWords(sql: Sql, chunks: readonly Worded[]): void {
  insertWords(sql, getSearchTokenizer(sql), chunks);
  const growing = findGrowingIndex(sql);
  if (growing === undefined) return;
  // The rest it comes upon by itself.
  const passed = chunks.filter(({ id }) => id <= growing.upTo);
  insertWords(sql, growing.tokenizer, passed);
}

/** Forgets words of chunks that are about to be deleted. @param chunks a query for their numbers */
export function forgetWords(sql: Sql, chunks: Bound): void {
  for (const tokenizer of listWrittenTokenizers(sql))
    sql.exec(`DELETE FROM ${WORDS[tokenizer]} WHERE rowid IN (${chunks.text})`, ...chunks.bindings);
}

/** What words of so many bytes of text take, in all tables that are written. */
export const estimateWordBytes = (sql: Sql, textBytes: number): number =>
  listWrittenTokenizers(sql).reduce((sum, tokenizer) => sum + textBytes * GROWTH[tokenizer], 0);

function listWrittenTokenizers(sql: Sql): readonly Tokenizer[] {
  const growing = findGrowingIndex(sql);
  return [getSearchTokenizer(sql), ...(growing === undefined ? [] : [growing.tokenizer])];
}

/**
 * Takes one step towards another tokenizer: until it is done, searches go by the former one. Where there is no room for both
 * the former one stays, and `hasFormerTokenizer` says so until the next try.
 * @returns whether there is nothing more to do
 */
export function reindexStep({ sql, databaseBytes }: RoomTools, tokenizer: Tokenizer): boolean {
  dropMeta(sql, KEPT);
  const growing = findGrowingIndex(sql);
  if (growing !== undefined && growing.tokenizer !== tokenizer) abandonTokenizer(sql, growing.tokenizer);
  if (getSearchTokenizer(sql) === tokenizer) return true;
  makeWords(sql, tokenizer);
  const upTo = growing?.tokenizer === tokenizer ? growing.upTo : -1;
  const rows = sql.exec(STEP, upTo, STEP_CHUNKS).toArray();
  const chunks = rows.map(({ id, title, text }) => ({ id: Number(id), title: String(title), text: String(text) }));
  const bytes = chunks.reduce((sum, { text }) => sum + 2 * text.length, 0); // Hardly any text has more than two a character.
  if (!hasRoom(databaseBytes, bytes * GROWTH[tokenizer])) {
    abandonTokenizer(sql, tokenizer);
    setMeta(sql, KEPT, getSearchTokenizer(sql));
    return true;
  }
  insertWords(sql, tokenizer, chunks);
  const last = chunks.at(-1);
  if (last !== undefined && chunks.length === STEP_CHUNKS) {
    setMeta(sql, 'growing', JSON.stringify({ tokenizer, upTo: last.id }));
    return false;
  }
  sql.exec(`DROP TABLE ${WORDS[getSearchTokenizer(sql)]}`);
  setMeta(sql, 'tokenizer', tokenizer);
  dropMeta(sql, 'growing');
  return true;
}

/** Whether the former tokenizer stayed because there was no room for another. */
export const hasFormerTokenizer = (sql: Sql): boolean => findMetaValue(sql, KEPT) !== undefined;

function abandonTokenizer(sql: Sql, tokenizer: Tokenizer): void {
  sql.exec(`DROP TABLE IF EXISTS ${WORDS[tokenizer]}`);
  dropMeta(sql, 'growing');
}

function findGrowingIndex(sql: Sql): Growing | undefined {
  const text = findMetaValue(sql, 'growing');
  return text === undefined ? undefined : (JSON.parse(text) as Growing); // As `reindexStep` wrote it.
}

function insertWords(sql: Sql, tokenizer: Tokenizer, chunks: readonly Worded[]): void {
  const rows = chunks.map(({ id, title, text }) => [id, tokeniseText(title, tokenizer), tokeniseText(text, tokenizer)]);
  insertRows(sql, WORDS[tokenizer], ['rowid', 'title', 'text'], rows);
}
