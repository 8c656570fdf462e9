import { createTables, type Sql } from '../../lib/sqlite.ts';
import type { ClaimContext } from './claim.ts';
import type { ClaimRequest } from './protocol.ts';
import { PAYMENT_NETWORKS } from '../terms/networks-data.ts';
import { formatPayerPrefix, readKeyNetwork } from './payment-key.ts';
import { openPurchases, PURCHASES_SCHEMA, toPurchase } from './purchases.ts';
import { computeDueAtMs, isInFlight, isSettled, LEASE_TOTAL_MS, type LedgerRow } from './row.ts';
import { buildPayerChange, type LedgerOutbox, openOutbox } from './outbox.ts';
import { openTotals, TOTALS_SCHEMA } from './totals-rows.ts';
import { type DayTotal, listBookings } from './totals.ts';
import { findLeast, openUpkeep, UPKEEP_SCHEMA } from './upkeep-rows.ts';

/** Open rows that are kept in memory too: a sale changes its row twice more within seconds. */
const MAX_OPEN_ROWS = 256;

/**
 * Columns beside `row` only serve the indexes; the row itself is JSON, so that a new field needs no migration.
 * `in_flight` marks rows that count against their payer (rule P5), 1 while claimed and 2 while being settled.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS payments (
     key TEXT PRIMARY KEY, payer TEXT NOT NULL, in_flight INTEGER NOT NULL, engine_backed INTEGER NOT NULL,
     amount INTEGER NOT NULL, due_at_ms INTEGER NOT NULL, row TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS payments_due ON payments (due_at_ms)',
  // Of earlier versions: each step of a payment wrote it anew, and what is in flight is found by when it falls due.
  'DROP INDEX IF EXISTS payments_in_flight',
  `CREATE TABLE IF NOT EXISTS identifiers (
     payer TEXT NOT NULL, identifier TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (payer, identifier)) WITHOUT ROWID`,
  ...UPKEEP_SCHEMA,
  'CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID',
  TOTALS_SCHEMA,
  PURCHASES_SCHEMA,
];

/** Whether the tables are there. Asking makes none, so that a shard which was never used stays empty. */
export const hasLedgerRows = (sql: Sql): boolean =>
  sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'payments'").toArray().length > 0;

export type LedgerRows = ReturnType<typeof openLedgerRows>;

/**
 * The tables of one ledger shard, created where missing. Every method is synchronous, so that what a caller does
 * between two awaits is one step for everyone else; nothing here decides anything.
 */
export function openLedgerRows(sql: Sql, maxAgeS: number, onNews?: () => void) {
  createTables(sql, SCHEMA);
  const outbox = openOutbox(sql, onNews);
  const marks = openMarks(sql);
  const totals = openTotals(sql);
  const purchases = openPurchases(sql);
  const upkeep = openUpkeep(sql, (nowMs) => [totals.sweepTotals(nowMs), purchases.sweep(nowMs)]);
  const open = rememberOpenRows();
  const changes = openChanges(sql, { outbox, marks, totals, purchases, open });

  return {
    /** What the books of all shards do not have yet. */
    outbox,
    totals: totals.totals,
    purchases,
    read: (key: string): LedgerRow | undefined => open.get(key) ?? readRow(sql, key),
    ...changes,
    /** Drops what is remembered of rows: what was written in a step that failed is not stored. */
    forget(): void {
      for (const forgetPart of [
        open.clear,
        upkeep.forgetEmpty,
        marks.forget,
        totals.forgetSweep,
        purchases.forgetSweep,
        outbox.forget,
      ])
        forgetPart();
    },
    /** Whether a payment of this payer was settled by this transaction: its transfer buys nothing again (rule P20). */
    hasSettled: (hash: string, payer: string): boolean =>
      Object.values(PAYMENT_NETWORKS).some((network) => hasSettled(sql, hash, formatPayerPrefix(payer, network))),
    /** Marks a transfer's block time as pruned: nothing mined at or before it is sold again (rule P16). */
    raisePrunedThrough: (blockTimeS: number): void => marks.raise('pruned_through', blockTimeS),
    claimContext: (request: ClaimRequest, nowMs: number): ClaimContext => ({
      ...readPayerContext(sql, upkeep, request, nowMs),
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
    ...upkeep,
    /** When the next thing falls due; undefined in an empty shard. */
    nextDueAtMs: (nowMs: number): number | undefined =>
      findNextDue(sql, [upkeep.upkeepDueAtMs(), purchases.sweepDueAtMs(nowMs)]),
    /** Rows that the alarm must look at, longest due first. */
    due: (nowMs: number, limit: number): LedgerRow[] => listDueRows(sql, nowMs, limit),
  };
}

function findNextDue(sql: Sql, others: readonly (number | undefined)[]): number | undefined {
  const times = [findLeast(sql, 'SELECT min(due_at_ms) AS least FROM payments'), ...others];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** What of a claim's payer decides it. */
const readPayerContext = (
  sql: Sql,
  upkeep: ReturnType<typeof openUpkeep>,
  request: ClaimRequest,
  nowMs: number,
): Omit<ClaimContext, 'prunedThroughS' | 'attemptFloor' | 'maxAgeS'> => ({
  hashSpent: request.transfer !== undefined && upkeep.isSpent(request.transfer.hash, request.payer),
  identifierKey: formatIdentifierKey(sql, request.payer, request.identifier),
  failuresAtMs: upkeep.listFailures(request.payer, nowMs),
  refusalsAtMs: request.method === 'x402' ? upkeep.listRefusals(request.payer, nowMs) : [],
  ...countInFlight(sql, request, nowMs),
});

/** Lists a sale once it is one. That of a transfer belongs into the shard of its payer, and the object hands it there. */
function listSigned(purchases: ReturnType<typeof openPurchases>, before: LedgerRow, after: LedgerRow): void {
  if (isSettled(before) || after.instrument.method === 'transfer') return;
  const purchase = toPurchase(after);
  if (purchase !== undefined) purchases.add(purchase);
}

type ChangedParts = {
  outbox: LedgerOutbox;
  marks: ReturnType<typeof openMarks>;
  totals: ReturnType<typeof openTotals>;
  purchases: ReturnType<typeof openPurchases>;
  open: ReturnType<typeof rememberOpenRows>;
};

/** Every way in which a row changes: what is stored, remembered, booked and reported of it goes together. */
function openChanges(sql: Sql, { outbox, marks, totals, purchases, open }: ChangedParts) {
  const remove = (row: LedgerRow): void => {
    marks.raise('attempt_floor', row.attempt);
    removeRow(sql, row);
    open.drop(row.key);
    outbox.noteRemoved(row.key);
  };
  const book = (row: LedgerRow, lines: readonly DayTotal[]): void => {
    const booked = totals.book(lines);
    const sale = booked.find(({ kind }) => kind === 'sale');
    outbox.addLines(sale === undefined ? booked : [...booked, buildPayerChange(row, sale)]);
  };
  return {
    write(row: LedgerRow): void {
      writeRow(sql, row);
      open.set(row);
      outbox.notePayment(row);
    },
    /** Writes what became of a row, and books what that means, in one step for everyone else. */
    advance(before: LedgerRow, after: LedgerRow): void {
      updateRow(sql, after);
      open.set(after);
      outbox.notePayment(after);
      book(after, listBookings(before, after));
      listSigned(purchases, before, after);
    },
    /** Deletes a row. Later rows of the shard start above its attempt, so a Worker that held it stays fenced off. */
    remove,
    /** Deletes a row whose settlement the chain has ended unpaid, and books the failure. */
    removeUnpaid(row: LedgerRow, reason: string): void {
      remove(row);
      book(row, listBookings(row, undefined, reason));
    },
  };
}

/** The rows of payments that are under way, by key. They are plain data that no one changes, so they can be shared. */
function rememberOpenRows() {
  const rows = new Map<string, LedgerRow>();
  return {
    get: (key: string): LedgerRow | undefined => rows.get(key),
    set(row: LedgerRow): void {
      rows.delete(row.key);
      if (!isInFlight(row)) return;
      rows.set(row.key, row);
      const [oldest] = rows.keys();
      if (rows.size > MAX_OPEN_ROWS && oldest !== undefined) rows.delete(oldest);
    },
    drop: (key: string): boolean => rows.delete(key),
    clear: (): void => rows.clear(),
  };
}

function readRow(sql: Sql, key: string): LedgerRow | undefined {
  const [found] = sql.exec('SELECT row FROM payments WHERE key = ?', key).toArray();
  return found && parseLedgerRow(found);
}

function listDueRows(sql: Sql, nowMs: number, limit: number): LedgerRow[] {
  const found = sql.exec('SELECT row FROM payments WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?', nowMs, limit);
  return found.toArray().map(parseLedgerRow);
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

/** A row that is stored. Key, payer and amount never change, so what is indexed by them stays as it is. */
function updateRow(sql: Sql, row: LedgerRow): void {
  sql.exec(
    'UPDATE payments SET in_flight = ?, engine_backed = ?, due_at_ms = ?, row = ? WHERE key = ?',
    getInFlightMark(row),
    row.engineBacked ? 1 : 0,
    computeDueAtMs(row),
    JSON.stringify(row),
    row.key,
  );
}

/** Keys begin with their payer (`prefix`), so only its own rows are looked through. */
function hasSettled(sql: Sql, hash: string, prefix: string): boolean {
  const found = sql.exec(
    "SELECT 1 FROM payments WHERE key > ? AND key < ? AND row ->> '$.phase.transaction' = ? LIMIT 1",
    prefix,
    `${prefix}~`,
    hash,
  );
  return found.toArray().length > 0;
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

/** Counters of the shard that only grow. They are kept in memory too, since every claim reads them. */
function openMarks(sql: Sql) {
  const values = new Map<string, number>();
  const load = (): void => {
    for (const { name, value } of sql.exec('SELECT name, value FROM marks').toArray()) {
      values.set(String(name), Number(value));
    }
  };
  load();
  const read = (name: 'attempt_floor' | 'pruned_through') => values.get(name) ?? 0;
  return {
    read,
    /** Reads what is stored again: a mark that a failed step raised is not. */
    forget: (): void => {
      values.clear();
      load();
    },
    raise(name: 'attempt_floor' | 'pruned_through', value: number): void {
      if (value <= read(name)) return;
      sql.exec('INSERT OR REPLACE INTO marks VALUES (?, ?)', name, value);
      values.set(name, value);
    },
  };
}

function formatIdentifierKey(sql: Sql, payer: string, identifier: string | undefined): string | undefined {
  if (identifier === undefined) return undefined;
  const [found] = sql
    .exec('SELECT key FROM identifiers WHERE payer = ? AND identifier = ?', payer, identifier)
    .toArray();
  return found && String(found['key']);
}

/**
 * A claim whose lease has ended holds no place any more, whether or not the alarm has come to it. What is in flight falls
 * due within minutes, at the end of its lease or at its next look, so that few rows of others are passed over.
 */
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
      `SELECT key, engine_backed, amount, due_at_ms FROM payments
       WHERE due_at_ms <= ? AND payer = ? AND in_flight > 0 AND key <> ? AND (in_flight = 2 OR due_at_ms > ?)`,
      nowMs + LEASE_TOTAL_MS,
      request.payer,
      request.key,
      nowMs,
    )
    .toArray();
  const network = readKeyNetwork(request.key);
  for (const { key, engine_backed: engineBacked, amount, due_at_ms: dueMs } of found) {
    const kind = engineBacked === 1 ? 'engineBacked' : 'other';
    totals[kind] += 1;
    placeDueAtMs[kind] = Math.min(placeDueAtMs[kind] ?? Number.POSITIVE_INFINITY, Number(dueMs));
    // The balance that has to cover them is that of one network.
    if (readKeyNetwork(String(key)) === network) totals.microUsdc += Number(amount);
  }
  return { inFlight: totals, placeDueAtMs };
}

function getInFlightMark(row: LedgerRow): 0 | 1 | 2 {
  if (!isInFlight(row)) return 0;
  return row.phase.state === 'claimed' ? 1 : 2;
}

/** The JSON in `row` is written by `write` alone, so its shape is known. */
function parseLedgerRow(found: Record<string, unknown>): LedgerRow {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(String(found['row'])) as LedgerRow;
}
