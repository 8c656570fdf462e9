import { createTables, type Sql } from '../../lib/sqlite.ts';
import type { ClaimContext } from './claim.ts';
import type { ClaimRequest } from './protocol.ts';
import {
  computeDueAtMs,
  isInFlight,
  type LedgerRow,
  PAYER_FAILURE_WINDOW_MS,
  PAYER_FAILURES,
  PAYER_REFUSAL_WINDOW_MS,
  PAYER_REFUSALS,
  roundUp,
} from './row.ts';
import { openTotals, TOTALS_SCHEMA } from './totals-rows.ts';
import { listBookings } from './totals.ts';

/** At most this many outdated marks go in one sweep; the alarm comes again for the rest. */
const SWEEP_ROWS = 500;

/**
 * Columns beside `row` only serve the indexes; the row itself is JSON, so that a new field needs no migration.
 * `in_flight` marks rows that count against their payer (rule P5), 1 while claimed and 2 while being settled; only
 * those are indexed by payer.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS payments (
     key TEXT PRIMARY KEY, payer TEXT NOT NULL, in_flight INTEGER NOT NULL, engine_backed INTEGER NOT NULL,
     amount INTEGER NOT NULL, due_at_ms INTEGER NOT NULL, row TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS payments_due ON payments (due_at_ms)',
  'CREATE INDEX IF NOT EXISTS payments_in_flight ON payments (payer) WHERE in_flight > 0',
  `CREATE TABLE IF NOT EXISTS identifiers (
     payer TEXT NOT NULL, identifier TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (payer, identifier)) WITHOUT ROWID`,
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
  'CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID',
  TOTALS_SCHEMA,
];

/** Whether the tables are there. Asking makes none, so that a shard which was never used stays empty. */
export const hasLedgerRows = (sql: Sql): boolean =>
  sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'payments'").toArray().length > 0;

export type LedgerRows = ReturnType<typeof openLedgerRows>;

/**
 * The tables of one ledger shard, created where missing. Every method is synchronous, so that what a caller does
 * between two awaits is one step for everyone else; nothing here decides anything.
 */
export function openLedgerRows(sql: Sql, maxAgeS: number) {
  createTables(sql, SCHEMA);
  const marks = openMarks(sql);
  const totals = openTotals(sql);
  const write = (row: LedgerRow): void => writeRow(sql, row);
  const remove = (row: LedgerRow): void => {
    marks.raise('attempt_floor', row.attempt);
    removeRow(sql, row);
  };

  return {
    totals: totals.totals,
    read: (key: string): LedgerRow | undefined => {
      const [found] = sql.exec('SELECT row FROM payments WHERE key = ?', key).toArray();
      return found && parseLedgerRow(found);
    },
    write,
    /** Writes what became of a row, and books what that means, in one step for everyone else. */
    advance(before: LedgerRow, after: LedgerRow): void {
      write(after);
      totals.book(listBookings(before, after));
    },
    /** Deletes a row. Later rows of the shard start above its attempt, so a Worker that held it stays fenced off. */
    remove,
    /** Deletes a row whose settlement the chain has ended unpaid, and books the failure. */
    removeUnpaid(row: LedgerRow, reason: string): void {
      remove(row);
      totals.book(listBookings(row, undefined, reason));
    },
    /** Marks a transfer's block time as pruned: nothing mined at or before it is sold again (rule P16). */
    raisePrunedThrough: (blockTimeS: number): void => marks.raise('pruned_through', blockTimeS),
    claimContext: (request: ClaimRequest, nowMs: number): ClaimContext => ({
      hashSpent: request.transfer !== undefined && isSpent(sql, request.transfer.hash, request.payer),
      identifierKey: formatIdentifierKey(sql, request.payer, request.identifier),
      failuresAtMs: listEventTimes(sql, FAILURES, request.payer, nowMs),
      refusalsAtMs: request.method === 'x402' ? listEventTimes(sql, REFUSALS, request.payer, nowMs) : [],
      ...countInFlight(sql, request, nowMs),
      prunedThroughS: marks.read('pruned_through'),
      attemptFloor: marks.read('attempt_floor'),
      maxAgeS,
    }),
    /** Indexes the row's payment-identifier (rule P22). False when the payer's other payment got there first. */
    indexIdentifier(row: LedgerRow): boolean {
      if (row.identifier === null) return true;
      sql.exec('INSERT OR IGNORE INTO identifiers VALUES (?, ?, ?)', row.payer, row.identifier, row.key);
      return formatIdentifierKey(sql, row.payer, row.identifier) === row.key;
    },
    ...openUpkeep(sql, (nowMs) => totals.sweepTotals(nowMs)),
    /** Rows that the alarm must look at, longest due first. */
    due: (nowMs: number, limit: number): LedgerRow[] =>
      sql
        .exec('SELECT row FROM payments WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?', nowMs, limit)
        .toArray()
        .map(parseLedgerRow),
  };
}

function writeRow(sql: Sql, row: LedgerRow): void {
  sql.exec(
    'INSERT OR REPLACE INTO payments VALUES (?, ?, ?, ?, ?, ?, ?)',
    row.key,
    row.payer,
    getInFlightMark(row),
    row.engineBacked ? 1 : 0,
    row.amountMicroUsdc,
    computeDueAtMs(row),
    JSON.stringify(row),
  );
}

function removeRow(sql: Sql, row: LedgerRow): void {
  sql.exec('DELETE FROM payments WHERE key = ?', row.key);
  if (row.identifier === null) return;
  sql.exec(
    'DELETE FROM identifiers WHERE payer = ? AND identifier = ? AND key = ?',
    row.payer,
    row.identifier,
    row.key,
  );
}

/** What a shard remembers beside its payments: spent settlements and failures, and when any of it falls due. */
function openUpkeep(sql: Sql, sweepTotals: (nowMs: number) => void) {
  return {
    addFailure(payer: string, nowMs: number): void {
      sql.exec('INSERT INTO failures VALUES (?, ?)', payer, nowMs);
    },
    addRefusal(payer: string, nowMs: number): void {
      sql.exec('INSERT INTO refusals VALUES (?, ?)', payer, nowMs);
    },
    /** Without a payer, as a shard of an earlier version asks, the whole transaction is spent. */
    spend(hash: string, pruneAtMs: number, payer?: string): void {
      if (payer === undefined) {
        sql.exec(
          `INSERT INTO spent VALUES (?, ?)
           ON CONFLICT (hash) DO UPDATE SET prune_at_ms = max(prune_at_ms, excluded.prune_at_ms)`,
          hash,
          roundUp(pruneAtMs),
        );
        return;
      }
      sql.exec(
        `INSERT INTO settlements VALUES (?, ?, ?)
         ON CONFLICT (hash, payer) DO UPDATE SET prune_at_ms = max(prune_at_ms, excluded.prune_at_ms)`,
        hash,
        payer,
        roundUp(pruneAtMs),
      );
    },
    /** Drops spent hashes past their time, failures outside the window and books that are too old. */
    sweep(nowMs: number): void {
      sweepTotals(nowMs);
      sql.exec(
        'DELETE FROM spent WHERE hash IN (SELECT hash FROM spent WHERE prune_at_ms <= ? ORDER BY prune_at_ms LIMIT ?)',
        nowMs,
        SWEEP_ROWS,
      );
      sql.exec(
        `DELETE FROM settlements WHERE (hash, payer) IN
           (SELECT hash, payer FROM settlements WHERE prune_at_ms <= ? ORDER BY prune_at_ms LIMIT ?)`,
        nowMs,
        SWEEP_ROWS,
      );
      for (const { table, windowMs } of [FAILURES, REFUSALS]) {
        sql.exec(
          `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE at_ms <= ? ORDER BY at_ms LIMIT ?)`,
          nowMs - windowMs,
          SWEEP_ROWS,
        );
      }
    },
    /** When the next thing falls due; undefined in an empty shard. */
    nextDueAtMs(): number | undefined {
      const times = [
        findLeast(sql, 'SELECT min(due_at_ms) AS least FROM payments'),
        findLeast(sql, 'SELECT min(prune_at_ms) AS least FROM spent'),
        findLeast(sql, 'SELECT min(prune_at_ms) AS least FROM settlements'),
        computeOutdatedAtMs(FAILURES, findLeast(sql, 'SELECT min(at_ms) AS least FROM failures')),
        computeOutdatedAtMs(REFUSALS, findLeast(sql, 'SELECT min(at_ms) AS least FROM refusals')),
      ].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}

/** Counters of the shard that only grow. They are kept in memory too, since every claim reads them. */
function openMarks(sql: Sql) {
  const values = new Map<string, number>();
  for (const { name, value } of sql.exec('SELECT name, value FROM marks').toArray()) {
    values.set(String(name), Number(value));
  }
  const read = (name: 'attempt_floor' | 'pruned_through') => values.get(name) ?? 0;
  return {
    read,
    raise(name: 'attempt_floor' | 'pruned_through', value: number): void {
      if (value <= read(name)) return;
      sql.exec('INSERT OR REPLACE INTO marks VALUES (?, ?)', name, value);
      values.set(name, value);
    },
  };
}

/** A bundle holds settlements and transfers of several payers: a settlement spends what its own payer moved (rule P20). */
function isSpent(sql: Sql, hash: string, payer: string): boolean {
  return (
    sql.exec('SELECT 1 FROM settlements WHERE hash = ? AND payer = ?', hash, payer).toArray().length > 0 ||
    sql.exec('SELECT 1 FROM spent WHERE hash = ?', hash).toArray().length > 0
  );
}

function formatIdentifierKey(sql: Sql, payer: string, identifier: string | undefined): string | undefined {
  if (identifier === undefined) return undefined;
  const [found] = sql
    .exec('SELECT key FROM identifiers WHERE payer = ? AND identifier = ?', payer, identifier)
    .toArray();
  return found && String(found['key']);
}

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

/** A claim whose lease has ended holds no place any more, whether or not the alarm has come to it. */
function countInFlight(
  sql: Sql,
  request: ClaimRequest,
  nowMs: number,
): Pick<ClaimContext, 'inFlight' | 'placeDueAtMs'> {
  const totals = { engineBacked: 0, other: 0, microUsdc: 0 };
  const placeDueAtMs: NonNullable<ClaimContext['placeDueAtMs']> = {};
  if (request.method === 'transfer') return { inFlight: totals };
  const found = sql
    .exec(
      `SELECT engine_backed, amount, due_at_ms FROM payments
       WHERE payer = ? AND in_flight > 0 AND key <> ? AND (in_flight = 2 OR due_at_ms > ?)`,
      request.payer,
      request.key,
      nowMs,
    )
    .toArray();
  for (const { engine_backed: engineBacked, amount, due_at_ms: dueMs } of found) {
    const kind = engineBacked === 1 ? 'engineBacked' : 'other';
    totals[kind] += 1;
    placeDueAtMs[kind] = Math.min(placeDueAtMs[kind] ?? Number.POSITIVE_INFINITY, Number(dueMs));
    totals.microUsdc += Number(amount);
  }
  return { inFlight: totals, placeDueAtMs };
}

function getInFlightMark(row: LedgerRow): 0 | 1 | 2 {
  if (!isInFlight(row)) return 0;
  return row.phase.state === 'claimed' ? 1 : 2;
}

function computeOutdatedAtMs({ windowMs }: CountedEvent, oldestAtMs: number | undefined): number | undefined {
  return oldestAtMs === undefined ? undefined : roundUp(oldestAtMs + windowMs);
}

function findLeast(sql: Sql, query: string): number | undefined {
  const [found] = sql.exec(query).toArray();
  return found?.['least'] === null || found === undefined ? undefined : Number(found['least']);
}

/** The JSON in `row` is written by `write` alone, so its shape is known. */
function parseLedgerRow(found: Record<string, unknown>): LedgerRow {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(String(found['row'])) as LedgerRow;
}
