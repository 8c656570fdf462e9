import type { Sql } from '../../lib/sqlite.ts';
import { type DayTotal, OTHER_REASON, TOTALS_DAYS, computeFirstDay } from './totals.ts';

/** Reasons that one day of a shard may tell apart: they come from outside, and each takes a line. */
const REASONS_A_DAY = 50;
/** Outdated lines that one sweep drops. */
const SWEEP_LINES = 500;
/** Lines that one answer may hold: 400 days of every capability by every method are fewer. */
const READ_LINES = 40_000;

export const TOTALS_SCHEMA = `CREATE TABLE IF NOT EXISTS day_totals (
   day TEXT NOT NULL, kind TEXT NOT NULL, capability TEXT NOT NULL, method TEXT NOT NULL, reason TEXT NOT NULL,
   count INTEGER NOT NULL, micro_usdc INTEGER NOT NULL,
   PRIMARY KEY (day, kind, capability, method, reason)) WITHOUT ROWID`;

/** The books of one shard: kept in the transaction of the change that they tell, and long after its row is pruned. */
export function openTotals(sql: Sql) {
  let sweptFrom = '';
  return {
    /** @returns the lines as they were booked */
    book: (lines: readonly DayTotal[]): DayTotal[] => lines.map((line) => bookLine(sql, line)),
    totals: (sinceDay: string): DayTotal[] =>
      sql
        .exec('SELECT * FROM day_totals WHERE day >= ? ORDER BY day DESC LIMIT ?', sinceDay, READ_LINES)
        .toArray()
        .map(readTotalLine),
    forgetSweep: (): void => {
      sweptFrom = '';
    },
    /** Once a day: only whole days go. */
    sweepTotals(nowMs: number): void {
      const firstDay = computeFirstDay(TOTALS_DAYS, nowMs);
      if (firstDay === sweptFrom) return;
      sweptFrom = firstDay;
      sql.exec(
        `DELETE FROM day_totals WHERE (day, kind, capability, method, reason) IN
           (SELECT day, kind, capability, method, reason FROM day_totals WHERE day < ? LIMIT ?)`,
        firstDay,
        SWEEP_LINES,
      );
    },
  };
}

function bookLine(sql: Sql, line: DayTotal): DayTotal {
  const { day, kind, capability, method, count, microUsdc } = line;
  const reason = kind === 'failure' ? selectStoredReason(sql, line) : line.reason;
  // What is taken back from a day that is forgotten makes no line.
  if (count < 0) {
    sql.exec(
      `UPDATE day_totals SET count = count + ?, micro_usdc = micro_usdc + ?
       WHERE day = ? AND kind = ? AND capability = ? AND method = ? AND reason = ?`,
      count,
      microUsdc,
      day,
      kind,
      capability,
      method,
      reason,
    );
    return { ...line, reason };
  }
  sql.exec(
    `INSERT INTO day_totals VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, kind, capability, method, reason)
     DO UPDATE SET count = count + excluded.count, micro_usdc = micro_usdc + excluded.micro_usdc`,
    day,
    kind,
    capability,
    method,
    reason,
    count,
    microUsdc,
  );
  return { ...line, reason };
}

/** Lines stay for their day even at zero, so a reason that found no place once never gets one that day. */
function selectStoredReason(sql: Sql, { day, reason }: DayTotal): string {
  const known = sql
    .exec(`SELECT DISTINCT reason FROM day_totals WHERE day = ? AND kind = 'failure' LIMIT ?`, day, REASONS_A_DAY + 1)
    .toArray()
    .map((found) => String(found['reason']));
  return known.includes(reason) || known.length < REASONS_A_DAY ? reason : OTHER_REASON;
}

/** Written above, so its words are known. */
function readTotalLine(found: Record<string, unknown>): DayTotal {
  const { day, kind, capability, method, reason, count, micro_usdc: microUsdc } = found;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return { day, kind, capability, method, reason, count: Number(count), microUsdc: Number(microUsdc) } as DayTotal;
}
