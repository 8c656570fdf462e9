import type { Sql } from '../../lib/sqlite.ts';
import { formatIsoDay } from '../../lib/time.ts';
import type { CreditUse } from './credit-usage.ts';

/** Lines that one answer may hold: 400 days of every capability are fewer. */
const READ_LINES = 20_000;

/** A purchase that was paid and that an operator gave back as credits. `id`: the same one counts once. */
export type GivenBack = { id: string; capability: string; microUsdc: number; atMs: number };

/** What was given back, in a table of its own, created where missing. */
export function openGivenBack(sql: Sql) {
  sql.exec(
    `CREATE TABLE IF NOT EXISTS given_back (
       id TEXT PRIMARY KEY, day TEXT NOT NULL, capability TEXT NOT NULL, micro_usdc INTEGER NOT NULL) WITHOUT ROWID`,
  );
  sql.exec('CREATE INDEX IF NOT EXISTS given_back_day ON given_back (day)');
  return {
    /** @param oldestDay what is older is forgotten */
    add({ id, capability, microUsdc, atMs }: GivenBack, oldestDay: string): void {
      sql.exec('INSERT OR IGNORE INTO given_back VALUES (?, ?, ?, ?)', id, formatIsoDay(atMs), capability, microUsdc);
      sql.exec('DELETE FROM given_back WHERE day < ?', oldestDay);
    },
    /** By day and capability. */
    since: (day: string): CreditUse[] =>
      sql
        .exec(
          `SELECT day, capability, count(*) AS n, sum(micro_usdc) AS micro FROM given_back WHERE day >= ?
           GROUP BY day, capability ORDER BY day DESC, capability LIMIT ?`,
          day,
          READ_LINES,
        )
        .toArray()
        .map((found) => ({
          day: String(found['day']),
          capability: String(found['capability']),
          count: Number(found['n']),
          microUsdc: Number(found['micro']),
        })),
  };
}
