import type { Sql } from '../../lib/sqlite.ts';
import { PAYER_FAILURE_WINDOW_MS, PAYER_FAILURES, PAYER_REFUSAL_WINDOW_MS, PAYER_REFUSALS, roundUp } from './row.ts';

/** At most this many outdated marks go in one sweep; the alarm comes again for the rest. */
const SWEEP_ROWS = 500;

export const UPKEEP_SCHEMA = [
  // Marks of earlier versions: every transfer of the transaction is spent, no matter who made it.
  'CREATE TABLE IF NOT EXISTS spent (hash TEXT PRIMARY KEY, prune_at_ms INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE INDEX IF NOT EXISTS spent_due ON spent (prune_at_ms)',
  `CREATE TABLE IF NOT EXISTS settlements (
     hash TEXT NOT NULL, payer TEXT NOT NULL, prune_at_ms INTEGER NOT NULL, PRIMARY KEY (hash, payer)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS settlements_due ON settlements (prune_at_ms)',
  'CREATE TABLE IF NOT EXISTS failures (payer TEXT NOT NULL, at_ms INTEGER NOT NULL)',
  'CREATE INDEX IF NOT EXISTS failures_payer ON failures (payer, at_ms)',
  'CREATE INDEX IF NOT EXISTS failures_due ON failures (at_ms)',
  'CREATE TABLE IF NOT EXISTS refusals (payer TEXT NOT NULL, at_ms INTEGER NOT NULL)',
  'CREATE INDEX IF NOT EXISTS refusals_payer ON refusals (payer, at_ms)',
  'CREATE INDEX IF NOT EXISTS refusals_due ON refusals (at_ms)',
] as const;

const UPKEEP_TABLES = ['spent', 'settlements', 'failures', 'refusals'] as const;
type UpkeepTable = (typeof UPKEEP_TABLES)[number];

const hasAny = (sql: Sql, table: UpkeepTable): boolean =>
  sql.exec(`SELECT 1 FROM ${table} LIMIT 1`).toArray().length > 0;

/** What is counted against a payer, by time: its table, how long each counts and how many are asked for. */
type CountedEvent = { table: 'failures' | 'refusals'; windowMs: number; most: number };
const FAILURES: CountedEvent = { table: 'failures', windowMs: PAYER_FAILURE_WINDOW_MS, most: PAYER_FAILURES };
const REFUSALS: CountedEvent = { table: 'refusals', windowMs: PAYER_REFUSAL_WINDOW_MS, most: PAYER_REFUSALS };

function listEventTimes(sql: Sql, { table, windowMs, most }: CountedEvent, payer: string, nowMs: number): number[] {
  return sql
    .exec(
      `SELECT at_ms FROM ${table} WHERE payer = ? AND at_ms > ? ORDER BY at_ms DESC LIMIT ?`,
      payer,
      nowMs - windowMs,
      most,
    )
    .toArray()
    .map((found) => Number(found['at_ms']));
}

/** What a shard remembers beside its payments: spent settlements and failures, and when any of it falls due. */
export function openUpkeep(sql: Sql, sweepOthers: (nowMs: number) => unknown) {
  // Most shards have nothing in most of these: what is known to be empty is not asked.
  const filled = new Set(UPKEEP_TABLES.filter((table) => hasAny(sql, table)));
  const addEvent = ({ table }: CountedEvent, payer: string, nowMs: number): void => {
    filled.add(table);
    sql.exec(`INSERT INTO ${table} VALUES (?, ?)`, payer, nowMs);
  };
  const listTimes = (event: CountedEvent, payer: string, nowMs: number): number[] =>
    filled.has(event.table) ? listEventTimes(sql, event, payer, nowMs) : [];
  const sweepTable = (table: UpkeepTable, query: string, untilMs: number): void => {
    if (!filled.has(table)) return;
    sql.exec(query, untilMs, SWEEP_ROWS);
    if (!hasAny(sql, table)) filled.delete(table);
  };
  return {
    addFailure: (payer: string, nowMs: number): void => addEvent(FAILURES, payer, nowMs),
    addRefusal: (payer: string, nowMs: number): void => addEvent(REFUSALS, payer, nowMs),
    /** When what is counted against a payer happened, newest first. */
    listFailures: (payer: string, nowMs: number): number[] => listTimes(FAILURES, payer, nowMs),
    listRefusals: (payer: string, nowMs: number): number[] => listTimes(REFUSALS, payer, nowMs),
    isSpent: (hash: string, payer: string): boolean => isSpent(sql, hash, payer),
    /** Without a payer, as a shard of an earlier version asks, the whole transaction is spent. */
    spend(hash: string, pruneAtMs: number, payer?: string): void {
      filled.add(payer === undefined ? 'spent' : 'settlements');
      markSpent(sql, hash, roundUp(pruneAtMs), payer);
    },
    /** Drops spent hashes past their time, failures outside the window and books that are too old. */
    sweep(nowMs: number): void {
      sweepOthers(nowMs);
      sweepTable(
        'spent',
        'DELETE FROM spent WHERE hash IN (SELECT hash FROM spent WHERE prune_at_ms <= ? ORDER BY prune_at_ms LIMIT ?)',
        nowMs,
      );
      sweepTable(
        'settlements',
        `DELETE FROM settlements WHERE (hash, payer) IN
           (SELECT hash, payer FROM settlements WHERE prune_at_ms <= ? ORDER BY prune_at_ms LIMIT ?)`,
        nowMs,
      );
      for (const { table, windowMs } of [FAILURES, REFUSALS]) {
        const old = `SELECT rowid FROM ${table} WHERE at_ms <= ? ORDER BY at_ms LIMIT ?`;
        sweepTable(table, `DELETE FROM ${table} WHERE rowid IN (${old})`, nowMs - windowMs);
      }
    },
    /** Asks every table again. */
    forgetEmpty: (): void => UPKEEP_TABLES.forEach((table) => filled.add(table)),
    /** When the first of it falls due. */
    upkeepDueAtMs(): number | undefined {
      const times = [...filled]
        .map((table) => {
          const event = [FAILURES, REFUSALS].find((one) => one.table === table);
          if (event === undefined) return findLeast(sql, `SELECT min(prune_at_ms) AS least FROM ${table}`);
          const oldestMs = findLeast(sql, `SELECT min(at_ms) AS least FROM ${table}`);
          return oldestMs === undefined ? undefined : roundUp(oldestMs + event.windowMs);
        })
        .filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}

/** A mark is never shortened. */
function markSpent(sql: Sql, hash: string, pruneAtMs: number, payer: string | undefined): void {
  if (payer === undefined) {
    sql.exec(
      `INSERT INTO spent VALUES (?, ?)
       ON CONFLICT (hash) DO UPDATE SET prune_at_ms = max(prune_at_ms, excluded.prune_at_ms)`,
      hash,
      pruneAtMs,
    );
    return;
  }
  sql.exec(
    `INSERT INTO settlements VALUES (?, ?, ?)
     ON CONFLICT (hash, payer) DO UPDATE SET prune_at_ms = max(prune_at_ms, excluded.prune_at_ms)`,
    hash,
    payer,
    pruneAtMs,
  );
}

/** A bundle holds settlements and transfers of several payers: a settlement spends what its own payer moved (rule P20). */
function isSpent(sql: Sql, hash: string, payer: string): boolean {
  return (
    sql.exec('SELECT 1 FROM settlements WHERE hash = ? AND payer = ?', hash, payer).toArray().length > 0 ||
    sql.exec('SELECT 1 FROM spent WHERE hash = ?', hash).toArray().length > 0
  );
}

/** The least value of a column; undefined in an empty table. */
export function findLeast(sql: Sql, query: string): number | undefined {
  const [found] = sql.exec(query).toArray();
  return found?.['least'] === null || found === undefined ? undefined : Number(found['least']);
}
