import type { Sql } from '../../lib/sqlite.ts';
import { dropMeta, setMeta } from './tables.ts';
import { readWordTables } from './word-tables.ts';

/**
 * Words that are forgotten only get a mark beside them: FTS5 drops both when it writes a table anew. That is done when so
 * large a part of its chunks was forgotten, which takes a tenth of the time that it took to write their words.
 */
const FORGOTTEN_SHARE = 1 / 4;
/** In a small table there is hardly anything to gain. */
const MIN_FORGOTTEN_CHUNKS = 100;
/** Where there is no room left, a smaller part is worth it. */
const FORGOTTEN_SHARE_IF_FULL = 1 / 16;

/** In `meta`: chunks whose words were forgotten since the table was written anew. */
const FORGOTTEN = 'forgotten_chunks';
const COUNTS = 'SELECT chunks, (SELECT value FROM meta WHERE name = ?) AS forgotten FROM total';

/**
 * Gives back what forgotten words take, where they are many; all of it where no chunk is left. `total` must be right.
 * @param chunks how many chunks have just been forgotten
 */
export function pruneWords(sql: Sql, chunks: number): void {
  if (chunks === 0) return;
  const [counts = {}] = sql.exec(COUNTS, FORGOTTEN).toArray();
  const forgotten = Number(counts['forgotten'] ?? 0) + chunks;
  const left = Number(counts['chunks']);
  if (left === 0 || (forgotten >= MIN_FORGOTTEN_CHUNKS && forgotten >= left * FORGOTTEN_SHARE))
    rewriteTables(sql, left);
  else setMeta(sql, FORGOTTEN, String(forgotten));
}

/** The same where there is no room left. @returns whether anything was given back */
export function pruneWordsIfFull(sql: Sql): boolean {
  const [counts = {}] = sql.exec(COUNTS, FORGOTTEN).toArray();
  const [left, forgotten] = [Number(counts['chunks']), Number(counts['forgotten'] ?? 0)];
  if (forgotten === 0 || forgotten < left * FORGOTTEN_SHARE_IF_FULL) return false;
  rewriteTables(sql, left);
  return true;
}

function rewriteTables(sql: Sql, chunks: number): void {
  const command = chunks === 0 ? 'delete-all' : 'optimize';
  for (const { name, isFormer } of Object.values(readWordTables(sql)))
    if (!isFormer) sql.exec(`INSERT INTO ${name} (${name}) VALUES (?)`, command);
  dropMeta(sql, FORGOTTEN);
}
