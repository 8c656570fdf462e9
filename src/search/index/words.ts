import {
  type Tokenizer,
  hasRoom,
  dropMeta,
  insertRows,
  makeWords,
  findMetaValue,
  setMeta,
  getSearchTokenizer,
  WORDS,
} from './tables.ts';
import type { Sql } from '../../lib/sqlite.ts';
import type { Bound } from './filter-sql.ts';

/** Of one query. */
const MAX_TERMS = 64;
/** Of one query, in characters: what is behind is not read. */
const MAX_QUERY_CHARS = 8_192;
/** Shorter words are in no index of trigrams. */
const TRIGRAM = 3;

/** Scripts that write words without spaces, or, like Korean, with endings grown on. With the marks behind a letter. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const IS_SPACELESS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** What the tokenizer takes for words. */
const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Accents that have no letter of their own with them, points of Hebrew, vowels of Arabic: few write them in a query. */
const MARKS = /[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u064B-\u065F\u0670]/g;

/** A text as SQLite gives it back: bytes in UTF-8 stay as many. */
export const normaliseStoredText = (text: string): string => text.toWellFormed().replaceAll('\0', ' ');

/** A text as its words are indexed: NFKC, with letters of scripts without spaces apart. */
export function tokeniseText(text: string, tokenizer: Tokenizer): string {
  const plain = foldCase(normaliseStoredText(text));
  // Two spaces: one letter is a trigram then.
  return plain.replaceAll(SPACELESS, tokenizer === 'porter' ? ' $& ' : '$&  ');
}

/**
 * The words of a query, each once, as strings of FTS5: nothing in them is its syntax. Runs of letters without spaces
 * become pairs, which match where they are adjacent.
 */
export function parseQueryTerms(query: string, tokenizer: Tokenizer): readonly string[] {
  const plain = foldCase(normaliseStoredText(query.slice(0, MAX_QUERY_CHARS)));
  const words = tokenizer === 'porter' ? (plain.match(WORD) ?? []) : plain.split(' ').map(trimWord);
  const terms = new Map<string, string>();
  for (const term of words.flatMap((word) => splitWord(word, tokenizer))) {
    const same = term.toLowerCase();
    if (terms.size === MAX_TERMS) break;
    if (!terms.has(same)) terms.set(same, `"${term.replaceAll('"', '""')}"`);
  }
  return [...terms.values()];
}

const foldCase = (text: string): string => text.normalize('NFKC').replaceAll(MARKS, '').replaceAll(/\s/g, ' ');

/** A word without the characters around it: in `(a.b)?` it is `a.b`. */
function trimWord(word: string): string {
  const within = [...word.matchAll(WORD)];
  const [first, last] = [within[0], within.at(-1)];
  return first === undefined || last === undefined ? '' : word.slice(first.index, last.index + last[0].length);
}

function splitWord(word: string, tokenizer: Tokenizer): readonly string[] {
  const parts: string[] = [];
  let run: string[] = [];
  for (const part of word.replaceAll(SPACELESS, ' $& ').split(' ')) {
    if (part === '') continue;
    if (IS_SPACELESS.test(part)) {
      run.push(part);
      continue;
    }
    parts.push(...buildCharacterPairs(run, tokenizer), ...(isWord(part, tokenizer) ? [part] : []));
    run = [];
  }
  return [...parts, ...buildCharacterPairs(run, tokenizer)];
}

const isWord = (part: string, tokenizer: Tokenizer): boolean =>
  tokenizer === 'porter' || Array.from(part).length >= TRIGRAM;

function buildCharacterPairs(run: readonly string[], tokenizer: Tokenizer): readonly string[] {
  const joined = (letters: readonly string[]): string =>
    tokenizer === 'porter' ? letters.join(' ') : letters.map((letter) => `${letter}  `).join('');
  if (run.length < 2) return run.length === 0 ? [] : [joined(run)];
  return run.slice(1).map((letter, at) => joined([run[at] ?? '', letter]));
}

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
