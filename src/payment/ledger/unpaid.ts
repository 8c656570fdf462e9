import type { Sql } from '../../lib/sqlite.ts';

/** How often the price of a capability was asked for without a payment on one day (UTC): answers with status 402. */
export type UnpaidCount = { day: string; capability: string; count: number };

/** Lines that one answer may hold: 400 days of every capability are fewer. */
const READ_LINES = 20_000;

/** Counts unpaid answers in a table of its own, created where missing. */
export function openUnpaid(sql: Sql) {
  sql.exec(
    `CREATE TABLE IF NOT EXISTS unpaid (
       day TEXT NOT NULL, capability TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (day, capability)) WITHOUT ROWID`,
  );
  return {
    /** @param oldestDay what is older is forgotten */
    add(day: string, counts: readonly { capability: string; count: number }[], oldestDay: string): void {
      for (const { capability, count } of counts)
        sql.exec(
          'INSERT INTO unpaid VALUES (?, ?, ?) ON CONFLICT (day, capability) DO UPDATE SET count = count + excluded.count',
          day,
          capability,
          count,
        );
      sql.exec('DELETE FROM unpaid WHERE day < ?', oldestDay);
    },
    since: (day: string): UnpaidCount[] =>
      sql
        .exec('SELECT * FROM unpaid WHERE day >= ? ORDER BY day DESC, capability LIMIT ?', day, READ_LINES)
        .toArray()
        .map((found) => ({
          day: String(found['day']),
          capability: String(found['capability']),
          count: Number(found['count']),
        })),
  };
}

/** An isolate sends its counts no more often than this. */
const SEND_EVERY_MS = 10_000;

/**
 * Counts in memory and sends now and then what came together: an unpaid answer waits for nothing and costs no call. What
 * an isolate has not sent when it ends is lost, so that the figure is a lower bound.
 * @param send never fails
 */
export function createUnpaidCounter(now: () => number) {
  let counts = new Map<string, number>();
  let sentMs = -Infinity;
  return {
    /** @param capability a row of the catalogue; @returns what is to be sent now */
    count(capability: string): { capability: string; count: number }[] | undefined {
      const nowMs = now();
      counts.set(capability, (counts.get(capability) ?? 0) + 1);
      if (nowMs >= sentMs && nowMs - sentMs < SEND_EVERY_MS) return undefined;
      sentMs = nowMs;
      const taken = Array.from(counts, ([name, count]) => ({ capability: name, count }));
      counts = new Map();
      return taken;
    },
  };
}
