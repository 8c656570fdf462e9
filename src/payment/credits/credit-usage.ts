import type { Sql } from '../../lib/sqlite.ts';

/** Lines that one answer may hold: 400 days of every capability are fewer. */
const READ_LINES = 20_000;

/** Calls of one capability and day (UTC) that prepaid credits paid for: use, and no revenue, which the pack was when it was sold. */
export type CreditUse = { day: string; capability: string; count: number; microUsdc: number };

/** Counts calls on credits in a table of its own, created where missing. */
export function openCreditUses(sql: Sql) {
  sql.exec(
    `CREATE TABLE IF NOT EXISTS credit_uses (
       day TEXT NOT NULL, capability TEXT NOT NULL, count INTEGER NOT NULL, micro_usdc INTEGER NOT NULL,
       PRIMARY KEY (day, capability)) WITHOUT ROWID`,
  );
  return {
    /** @param oldestDay what is older is forgotten */
    add({ day, capability, count, microUsdc }: CreditUse, oldestDay: string): void {
      sql.exec(
        `INSERT INTO credit_uses VALUES (?, ?, ?, ?) ON CONFLICT (day, capability)
         DO UPDATE SET count = count + excluded.count, micro_usdc = micro_usdc + excluded.micro_usdc`,
        day,
        capability,
        count,
        microUsdc,
      );
      sql.exec('DELETE FROM credit_uses WHERE day < ?', oldestDay);
    },
    since: (day: string): CreditUse[] =>
      sql
        .exec('SELECT * FROM credit_uses WHERE day >= ? ORDER BY day DESC, capability LIMIT ?', day, READ_LINES)
        .toArray()
        .map((found) => ({
          day: String(found['day']),
          capability: String(found['capability']),
          count: Number(found['count']),
          microUsdc: Number(found['micro_usdc']),
        })),
  };
}

/** Uses of several tables as of one: newest day first, then by capability. */
export function mergeCreditUses(found: readonly (readonly CreditUse[])[]): CreditUse[] {
  const merged = new Map<string, CreditUse>();
  for (const use of found.flat()) {
    const key = `${use.day} ${use.capability}`;
    const { count, microUsdc } = merged.get(key) ?? { count: 0, microUsdc: 0 };
    merged.set(key, { ...use, count: count + use.count, microUsdc: microUsdc + use.microUsdc });
  }
  return [...merged.values()].toSorted((left, right) =>
    left.day === right.day ? (left.capability < right.capability ? -1 : 1) : left.day < right.day ? 1 : -1,
  );
}
