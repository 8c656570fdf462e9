import type { Sql } from '../../lib/sqlite.ts';
import type { Bound } from './filter-sql.ts';
import { dropMeta, findMetaValue, insertRows, setMeta } from './tables.ts';
import { type Tokenizer, tokeniseText } from './words.ts';

/**
 * A table of words. Contentless: it keeps no text of its own, which `chunk` has already. A row is deleted by the values that
 * it was inserted with: only so does FTS5 take it out of the totals that BM25 reads. A former one (`isFormer`) deletes by
 * number, and counts what is gone for ever; it is only there until a new one takes its place.
 */
export type WordTable = { name: string; tokenizer: Tokenizer; isFormer: boolean };

const NAMES = { porter: 'word_porter', trigram: 'word_trigram' } as const satisfies Record<Tokenizer, string>;
/** Of databases whose version is 1. */
const FORMER_NAMES = { porter: 'words_porter', trigram: 'words_trigram' } as const satisfies Record<Tokenizer, string>;
/** Of the words in a database. What `tokeniseText` makes of a text may only change with it. */
const VERSION = '2';

/** Marks belong to words: without them those of Thai and Hindi fall to pieces. */
const TOKENIZE = {
  porter: `"porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"`,
  trigram: `"trigram case_sensitive 0 remove_diacritics 1"`,
} as const satisfies Record<Tokenizer, string>;

/** What an index takes for each byte of text. Measured with English prose. */
const GROWTH = { porter: 0.6, trigram: 3.2 } as const satisfies Record<Tokenizer, number>;
/** Chunks whose words are forgotten at once: all their texts are read for it. */
const FORGET_CHUNKS = 1_000;
/** Characters of one statement's values: a bound value has at most 2 MB, and a character at most six bytes in JSON. */
const FORGET_CHARS = 300_000;
/** Characters without a meaning yet: a later Unicode gives them one, and the same text has other words then. */
const UNASSIGNED = /\p{Cn}/u;

export type WordedChunk = { id: number; title: string; text: string };

const TITLE = "item.title || ' ' || chunk.heading AS title";
const NEXT = `SELECT chunk.id AS id, ${TITLE}, chunk.text AS text
  FROM chunk JOIN item ON item.n = chunk.id / 1000000 WHERE chunk.id > ? ORDER BY chunk.id LIMIT ?`;
const NAMED = `SELECT chunk.id AS id, ${TITLE}, chunk.text AS text
  FROM json_each(?) AS one JOIN chunk ON chunk.id = one.value JOIN item ON item.n = chunk.id / 1000000`;

/** Makes the table that is searched where it is missing. One of a former version is there, and what grew beside it goes. */
export function openWordTables(sql: Sql): void {
  const searched = getSearchTable(sql);
  if (!searched.isFormer) makeWordTable(sql, searched.tokenizer);
  else if (findMetaValue(sql, 'growing') !== undefined) {
    for (const name of Object.values(FORMER_NAMES))
      if (name !== searched.name) sql.exec(`DROP TABLE IF EXISTS ${name}`);
    dropMeta(sql, 'growing');
  }
}

/** Drops all tables of words, and makes the one that an empty index has. */
export function clearWordTables(sql: Sql): void {
  for (const name of [...Object.values(NAMES), ...Object.values(FORMER_NAMES)])
    sql.exec(`DROP TABLE IF EXISTS ${name}`);
  openWordTables(sql);
}

/** A table that is being made, up to a chunk; it takes the place of the other one when it has all. */
type GrowingTable = WordTable & { upTo: number };

/** The tables that are written: the one that is searched, and one that is being made. */
export function readWordTables(sql: Sql): { searched: WordTable; growing?: GrowingTable } {
  const rows = sql.exec("SELECT name, value FROM meta WHERE name IN ('tokenizer', 'version', 'grown')").toArray();
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const tokenizer = values.get('tokenizer') === 'trigram' ? 'trigram' : 'porter';
  const isFormer = values.get('version') !== VERSION;
  const searched = { name: (isFormer ? FORMER_NAMES : NAMES)[tokenizer], tokenizer, isFormer } as const;
  const grown = values.get('grown');
  return typeof grown === 'string' ? { searched, growing: readGrowingTable(grown) } : { searched };
}

function readGrowingTable(text: string): GrowingTable {
  const { tokenizer, upTo } = JSON.parse(text) as { tokenizer: Tokenizer; upTo: number }; // As `setGrowingTable` wrote it.
  return { name: NAMES[tokenizer], tokenizer, isFormer: false, upTo };
}

export const getSearchTable = (sql: Sql): WordTable => readWordTables(sql).searched;
export const findGrowingTable = (sql: Sql): GrowingTable | undefined => readWordTables(sql).growing;

export const setGrowingTable = (sql: Sql, tokenizer: Tokenizer, upTo: number): void =>
  setMeta(sql, 'grown', JSON.stringify({ tokenizer, upTo }));

/** A table takes the place of the one that was searched. */
export function replaceSearchTable(sql: Sql, tokenizer: Tokenizer): void {
  dropWordTable(sql, getSearchTable(sql).name);
  setMeta(sql, 'tokenizer', tokenizer);
  setMeta(sql, 'version', VERSION);
  dropMeta(sql, 'grown');
}

/** Gives up a table that is being made. */
export function abandonGrowingTable(sql: Sql, tokenizer: Tokenizer): void {
  dropWordTable(sql, NAMES[tokenizer]);
  dropMeta(sql, 'grown');
}

export function makeWordTable(sql: Sql, tokenizer: Tokenizer): WordTable {
  const name = NAMES[tokenizer];
  sql.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${name} USING fts5 (title, text, content='', tokenize=${TOKENIZE[tokenizer]})`,
  );
  return { name, tokenizer, isFormer: false };
}

function dropWordTable(sql: Sql, name: string): void {
  sql.exec(`DROP TABLE IF EXISTS ${name}`);
  sql.exec('DELETE FROM unsettled_word WHERE words = ?', name);
}

/** What words of so many bytes of text take by a tokenizer. */
export const estimateTableBytes = (tokenizer: Tokenizer, textBytes: number): number => textBytes * GROWTH[tokenizer];

/** What words of so many bytes of text take, in all tables that are written. */
export const estimateWordBytes = (sql: Sql, textBytes: number): number =>
  Object.values(readWordTables(sql)).reduce((sum, { tokenizer }) => sum + estimateTableBytes(tokenizer, textBytes), 0);

/** Chunks in their order, with what their words are made of. @param after the number of the last one before them */
export const listWordedChunks = (sql: Sql, after: number, limit: number): readonly WordedChunk[] =>
  sql.exec(NEXT, after, limit).toArray().map(readWordedChunk);

const readWordedChunk = ({ id, title, text }: Record<string, unknown>): WordedChunk => ({
  id: Number(id),
  title: String(title),
  text: String(text),
});

/** Writes words of chunks that are new. */
export function writeWords(sql: Sql, chunks: readonly WordedChunk[]): void {
  const { searched, growing } = readWordTables(sql);
  insertWords(sql, searched, chunks);
  if (growing === undefined) return;
  // The rest it comes upon by itself.
  insertWords(
    sql,
    growing,
    chunks.filter(({ id }) => id <= growing.upTo),
  );
}

export function insertWords(sql: Sql, { name, tokenizer }: WordTable, chunks: readonly WordedChunk[]): void {
  const rows = chunks.map(({ id, title, text }) => [id, tokeniseText(title, tokenizer), tokeniseText(text, tokenizer)]);
  insertRows(sql, name, ['rowid', 'title', 'text'], rows);
  const unsettled = rows.filter((_, at) => UNASSIGNED.test(`${chunks[at]?.title}${chunks[at]?.text}`));
  if (unsettled.length === 0) return;
  const columns = ['words', 'chunk', 'title', 'text'];
  insertRows(
    sql,
    'unsettled_word',
    columns,
    unsettled.map((row) => [name, ...row]),
  );
}

/**
 * Forgets words of chunks that are about to be deleted, with the titles of their items as they are.
 * @param chunks a query for their numbers, as `id`
 * @returns of how many chunks a table keeps marks that their words are gone
 */
export function forgetWords(sql: Sql, chunks: Bound): number {
  const { searched, growing } = readWordTables(sql);
  if (searched.isFormer) sql.exec(`DELETE FROM ${searched.name} WHERE rowid IN (${chunks.text})`, ...chunks.bindings);
  if (searched.isFormer && growing === undefined) return 0;
  const numbers = sql
    .exec(chunks.text, ...chunks.bindings)
    .toArray()
    .map(({ id }) => Number(id));
  for (let start = 0; start < numbers.length; start += FORGET_CHUNKS) {
    const some = JSON.stringify(numbers.slice(start, start + FORGET_CHUNKS));
    const worded = sql.exec(NAMED, some).toArray().map(readWordedChunk);
    if (!searched.isFormer) removeWords(sql, searched, worded);
    // What it has not come upon it does not have: what is deleted must be there.
    if (growing !== undefined)
      removeWords(
        sql,
        growing,
        worded.filter(({ id }) => id <= growing.upTo),
      );
  }
  return numbers.length;
}

/** Takes rows out of a table, by the very values that they were inserted with. */
function removeWords(sql: Sql, { name, tokenizer }: WordTable, chunks: readonly WordedChunk[]): void {
  if (chunks.length === 0) return;
  const numbers = JSON.stringify(chunks.map(({ id }) => id));
  const among = 'words = ? AND chunk IN (SELECT value FROM json_each(?))';
  const unsettled = sql.exec(`SELECT chunk, title, text FROM unsettled_word WHERE ${among}`, name, numbers).toArray();
  const kept = new Map(unsettled.map((row) => [Number(row['chunk']), [String(row['title']), String(row['text'])]]));
  const remove = `INSERT INTO ${name} (${name}, rowid, title, text)
    SELECT 'delete', value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`;
  let rows: unknown[] = [];
  let chars = 0;
  const flush = (): void => {
    if (rows.length > 0) sql.exec(remove, JSON.stringify(rows));
    [rows, chars] = [[], 0];
  };
  for (const { id, title, text } of chunks) {
    const [words = '', more = ''] = kept.get(id) ?? [tokeniseText(title, tokenizer), tokeniseText(text, tokenizer)];
    if (chars + words.length + more.length > FORGET_CHARS) flush();
    rows.push([id, words, more]);
    chars += words.length + more.length;
  }
  flush();
  if (kept.size > 0) sql.exec(`DELETE FROM unsettled_word WHERE ${among}`, name, numbers);
}
