import type { Sql } from '../../management/engine/sql.ts';
import { dropMeta, insertRows, makeWords, metaIn, setMeta, tokenizerIn, WORDS, type Tokenizer } from './tables.ts';
import { indexed } from './words.ts';

type Worded = { id: number; title: string; text: string };

/** Chunks that one step of a new index reads. */
const STEP_CHUNKS = 500;
const STEP = `SELECT chunk.id AS id, item.title || ' ' || chunk.heading AS title, chunk.text AS text
  FROM chunk JOIN item ON item.n = chunk.id / 1000000 WHERE chunk.id > ? ORDER BY chunk.id LIMIT ?`;

/** A table of words that is being made, up to a chunk; it takes the place of the other one when it has all. */
type Growing = { tokenizer: Tokenizer; upTo: number };

/** Writes words of chunks that are new. */
export function writeWords(sql: Sql, chunks: readonly Worded[]): void {
  insertWords(sql, tokenizerIn(sql), chunks);
  const growing = growingIn(sql);
  if (growing === undefined) return;
  // The rest it comes upon by itself.
  const passed = chunks.filter(({ id }) => id <= growing.upTo);
  insertWords(sql, growing.tokenizer, passed);
}

/** Forgets words of chunks that are about to be deleted. @param range of their numbers, inclusive */
export function forgetWords(sql: Sql, range: readonly [number, number]): void {
  const growing = growingIn(sql);
  for (const tokenizer of [tokenizerIn(sql), ...(growing === undefined ? [] : [growing.tokenizer])])
    sql.exec(
      `DELETE FROM ${WORDS[tokenizer]} WHERE rowid IN (SELECT id FROM chunk WHERE id BETWEEN ? AND ?)`,
      ...range,
    );
}

/**
 * Takes one step towards another tokenizer: until it is done, searches go by the former one.
 * @returns whether it is done
 */
export function reindexStep(sql: Sql, tokenizer: Tokenizer): boolean {
  const growing = growingIn(sql);
  if (growing !== undefined && growing.tokenizer !== tokenizer) abandon(sql, growing.tokenizer);
  if (tokenizerIn(sql) === tokenizer) return true;
  makeWords(sql, tokenizer);
  const upTo = growing?.tokenizer === tokenizer ? growing.upTo : -1;
  const rows = sql.exec(STEP, upTo, STEP_CHUNKS).toArray();
  const chunks = rows.map(({ id, title, text }) => ({ id: Number(id), title: String(title), text: String(text) }));
  insertWords(sql, tokenizer, chunks);
  const last = chunks.at(-1);
  if (last !== undefined && chunks.length === STEP_CHUNKS) {
    setMeta(sql, 'growing', JSON.stringify({ tokenizer, upTo: last.id }));
    return false;
  }
  sql.exec(`DROP TABLE ${WORDS[tokenizerIn(sql)]}`);
  setMeta(sql, 'tokenizer', tokenizer);
  dropMeta(sql, 'growing');
  return true;
}

function abandon(sql: Sql, tokenizer: Tokenizer): void {
  sql.exec(`DROP TABLE IF EXISTS ${WORDS[tokenizer]}`);
  dropMeta(sql, 'growing');
}

function growingIn(sql: Sql): Growing | undefined {
  const text = metaIn(sql, 'growing');
  return text === undefined ? undefined : (JSON.parse(text) as Growing); // As `reindexStep` wrote it.
}

function insertWords(sql: Sql, tokenizer: Tokenizer, chunks: readonly Worded[]): void {
  const rows = chunks.map(({ id, title, text }) => [id, indexed(title, tokenizer), indexed(text, tokenizer)]);
  insertRows(sql, WORDS[tokenizer], ['rowid', 'title', 'text'], rows);
}
