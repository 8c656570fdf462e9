import type { Sql } from '../../../src/lib/sqlite.ts';
import { FORMER_SCHEMA, FORMER_WORDS } from './former-data.ts';

type Tokenizer = keyof typeof FORMER_WORDS;

/**
 * Writes what version 1 left of texts by their keys, each an item of one chunk, after each was indexed several times.
 * @param growing a table of another tokenizer was begun
 */
export const writeFormerStore =
  (texts: Readonly<Record<string, string>>, tokenizer: Tokenizer = 'porter', growing?: Tokenizer) =>
  ({ sql }: { sql: Sql }): void => {
    for (const statement of FORMER_SCHEMA) sql.exec(statement);
    for (const one of [tokenizer, ...(growing ? [growing] : [])]) sql.exec(FORMER_WORDS[one]);
    sql.exec("INSERT INTO meta VALUES ('version', '1'), ('tokenizer', ?)", tokenizer);
    if (growing)
      sql.exec("INSERT INTO meta VALUES ('growing', ?)", JSON.stringify({ tokenizer: growing, upTo: 1_000_000 }));
    for (const [at, [key, text]] of Object.entries(texts).entries()) {
      const [n, id] = [at + 1, (at + 1).toString(16).padStart(32, '0')];
      sql.exec(
        `INSERT INTO item VALUES (?, ?, 'builtin', ?, ?, '', 'completed', ?, 0, 'text/markdown', '', '{}', 1, 1, 1, 1, 0,
          NULL, NULL)`,
        n,
        id,
        key,
        key,
        `sum of ${key}`,
      );
      sql.exec("INSERT INTO chunk VALUES (?, 0, ?, '', ?)", n * 1_000_000, new TextEncoder().encode(text).length, text);
      const words = `words_${tokenizer}`;
      for (let time = 0; time < 5; time += 1) {
        sql.exec(`DELETE FROM ${words} WHERE rowid = ?`, n * 1_000_000);
        sql.exec(`INSERT INTO ${words} (rowid, title, text) VALUES (?, ' ', ?)`, n * 1_000_000, text);
      }
    }
    sql.exec('UPDATE total SET (items, chunks) = (SELECT count(*), count(*) FROM item)');
  };
