import type { Sql } from '../../lib/sqlite.ts';
import { dropMeta, findMetaValue, hasRoom, setMeta } from './tables.ts';
import {
  abandonGrowingTable,
  estimateTableBytes,
  findGrowingTable,
  getSearchTable,
  insertWords,
  listWordedChunks,
  makeWordTable,
  replaceSearchTable,
  setGrowingTable,
} from './word-tables.ts';
import type { Tokenizer } from './words.ts';

type RoomTools = { sql: Sql; databaseBytes: () => number };

/** The value that says which tokenizer stayed because the other one had no room. */
const KEPT = 'kept_tokenizer';
/** Chunks that one step of a new index reads. */
const STEP_CHUNKS = 500;

/**
 * Takes one step towards another table of words: of another tokenizer, or of this version where a former one is searched.
 * Until it is done, searches go by the former one. Where there is no room for another tokenizer the former one stays, and
 * `hasFormerTokenizer` says so until the next try; a former version goes even then.
 * @param asked the tokenizer that was set; undefined where only a former version is to go
 * @returns whether there is nothing more to do
 */
export function reindexStep({ sql, databaseBytes }: RoomTools, asked?: Tokenizer): boolean {
  if (asked !== undefined) dropMeta(sql, KEPT);
  const tokenizer = asked ?? getSearchTable(sql).tokenizer;
  const growing = findGrowingTable(sql);
  if (growing !== undefined && growing.tokenizer !== tokenizer) abandonGrowingTable(sql, growing.tokenizer);
  const searched = getSearchTable(sql);
  if (searched.tokenizer === tokenizer && !searched.isFormer) return true;
  const made = makeWordTable(sql, tokenizer);
  const upTo = growing?.tokenizer === tokenizer ? growing.upTo : -1;
  const chunks = listWordedChunks(sql, upTo, STEP_CHUNKS);
  const bytes = chunks.reduce((sum, { text }) => sum + 2 * text.length, 0); // Hardly any text has more than two a character.
  if (searched.tokenizer !== tokenizer && !hasRoom(databaseBytes, estimateTableBytes(tokenizer, bytes))) {
    abandonGrowingTable(sql, tokenizer);
    setMeta(sql, KEPT, searched.tokenizer);
    return true;
  }
  setGrowingTable(sql, tokenizer, chunks.at(-1)?.id ?? upTo);
  insertWords(sql, made, chunks);
  if (chunks.length === STEP_CHUNKS) return false;
  replaceSearchTable(sql, tokenizer);
  return true;
}

/** The tokenizer of a table of a former version, which is to be made anew; undefined where there is none. */
export function findFormerTable(sql: Sql): Tokenizer | undefined {
  const { isFormer, tokenizer } = getSearchTable(sql);
  return isFormer ? tokenizer : undefined;
}

/** Whether the former tokenizer stayed because there was no room for another. */
export const hasFormerTokenizer = (sql: Sql): boolean => findMetaValue(sql, KEPT) !== undefined;
