import { compareTexts } from '../../lib/text.ts';
import { createTables, type RunStatement, type Sql, type SqlRow } from '../../lib/sqlite.ts';
import type {
  BookedChange,
  BookedPage,
  BookedQuery,
  BooksRead,
  CustomerTotal,
  CustomerTotalsQuery,
  LedgerReport,
  OpenPayments,
  PayerTotal,
} from './books.ts';
import { openDeliveryTimes, TIMES_SCHEMA } from './delivery-times.ts';
import { MAX_LISTED, type PaymentLine, type PaymentState } from './list.ts';
import { SHARDS } from './survey.ts';
import { computeFirstDay, type DayTotal, TOTALS_DAYS } from './totals.ts';

/** Lines that one answer may hold; of more the oldest are left out. */
export const READ_LINES = 40_000;
/** Payments that are listed; of more the oldest are left out. */
export const MAX_BOOKED = 250_000;
/** Rows that one page looks at: a search that finds little goes on from there. */
export const MAX_LOOKED_AT = 5_000;
/** Today and the day before: what a payer bought is kept no longer than its payments. */
const PAYER_DAYS = 2;
/** Payers of a day that are compared. */
const MAX_PAYERS = 100;
/** States of payments that have no end yet, or came to nothing: they have an index of their own. */
const OPEN_STATES: readonly PaymentState[] = ['claimed', 'settling', 'unknown', 'refused'];
const OPEN = OPEN_STATES.map((state) => `'${state}'`).join(', ');

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS book_shards (
     shard TEXT PRIMARY KEY, seq INTEGER NOT NULL, reported_at_ms INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS book_totals (
     day TEXT NOT NULL, kind TEXT NOT NULL, capability TEXT NOT NULL, method TEXT NOT NULL, reason TEXT NOT NULL,
     count INTEGER NOT NULL, micro_usdc INTEGER NOT NULL,
     PRIMARY KEY (day, kind, capability, method, reason)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS book_payers (
     day TEXT NOT NULL, payer TEXT NOT NULL, count INTEGER NOT NULL, micro_usdc INTEGER NOT NULL,
     PRIMARY KEY (day, payer)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS book_payers_top ON book_payers (day, micro_usdc)',
  `CREATE TABLE IF NOT EXISTS book_customers (
     payer TEXT PRIMARY KEY, count INTEGER NOT NULL, micro_usdc INTEGER NOT NULL, last_day TEXT NOT NULL) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS book_customers_top ON book_customers (micro_usdc, payer)',
  'CREATE INDEX IF NOT EXISTS book_customers_last ON book_customers (last_day)',
  // Books of before begin with the days that they have.
  `INSERT INTO book_customers SELECT payer, sum(count), sum(micro_usdc), max(day) FROM book_payers
     WHERE NOT EXISTS (SELECT 1 FROM book_customers) GROUP BY payer`,
  TIMES_SCHEMA,
  `CREATE TABLE IF NOT EXISTS book_payments (
     row INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL, payer TEXT NOT NULL,
     state TEXT NOT NULL, capability TEXT NOT NULL, line TEXT NOT NULL)`,
  'CREATE INDEX IF NOT EXISTS book_payments_time ON book_payments (at_ms, row)',
  'CREATE INDEX IF NOT EXISTS book_payments_payer ON book_payments (payer, at_ms, row)',
  `CREATE INDEX IF NOT EXISTS book_payments_open ON book_payments (at_ms, row, state) WHERE state IN (${OPEN})`,
];

/** The books of all shards in tables of their own, created where missing. Every method is one step for everyone else. */
export function openBooks(sql: Sql) {
  const run = createTables(sql, SCHEMA);
  const times = openDeliveryTimes(run);
  let booked = Number(run('SELECT count(*) AS found FROM book_payments')[0]?.['found'] ?? 0);
  let sweptFrom = '';
  return {
    /** Takes a report, once: lines of a number that was there before are not added again. */
    take({ shard, seq, lines, payments, removed }: LedgerReport, nowMs: number): void {
      const [known] = run('SELECT seq FROM book_shards WHERE shard = ?', shard);
      const last = Number(known?.['seq'] ?? 0);
      if (seq > last)
        for (const line of lines) {
          addChange(run, line);
          if (line.kind === 'payer') times.add(line.reason, line.day, line.count);
        }
      run('INSERT OR REPLACE INTO book_shards VALUES (?, ?, ?)', shard, Math.max(seq, last), nowMs);
      for (const payment of payments) booked += putPayment(run, payment);
      for (const key of removed) booked -= run('DELETE FROM book_payments WHERE key = ? RETURNING row', key).length;
      if (booked > MAX_BOOKED) booked -= dropOldest(run, booked - MAX_BOOKED);
      const firstDay = computeFirstDay(TOTALS_DAYS, nowMs);
      if (firstDay === sweptFrom) return;
      sweptFrom = firstDay;
      run('DELETE FROM book_totals WHERE day < ?', firstDay);
      run('DELETE FROM book_payers WHERE day < ?', computeFirstDay(PAYER_DAYS, nowMs));
      run('DELETE FROM book_customers WHERE last_day < ?', firstDay);
      times.sweep(nowMs);
    },
    noteEmpty(shards: readonly string[], nowMs: number): void {
      for (const shard of shards) run('INSERT OR IGNORE INTO book_shards VALUES (?, 0, ?)', shard, nowMs);
    },
    read(sinceDay: string): BooksRead {
      const found = run('SELECT shard, reported_at_ms FROM book_shards');
      const known = new Set(found.map(({ shard }) => String(shard)));
      const lines = run(
        `SELECT * FROM book_totals WHERE day >= ? AND count <> 0
         ORDER BY day DESC, kind DESC, capability DESC, method DESC, reason DESC LIMIT ?`,
        sinceDay,
        READ_LINES,
      );
      return {
        // Read against the order of the key, so that SQLite sorts nothing; the newest day first, and within it as in the key.
        lines: lines
          .toReversed()
          .map(readLine)
          .toSorted((a, b) => compareTexts(b.day, a.day)),
        missing: listShardNames().filter((name) => !known.has(name)),
        updatedAtMs: found.length === 0 ? null : Math.max(...found.map((each) => Number(each['reported_at_ms']))),
      };
    },
    deliveryTimes: times.since,
    payers: (days: readonly string[], limit: number): PayerTotal[] => readPayers(run, days, limit),
    customers: (query: CustomerTotalsQuery): CustomerTotal[] => readCustomers(run, query),
    forgetCustomer: (payer: string): void => {
      run('DELETE FROM book_customers WHERE payer = ?', payer);
    },
    openPayments: (): OpenPayments[] =>
      run(
        `SELECT state, count(*) AS found, min(at_ms) AS oldest FROM book_payments INDEXED BY book_payments_open
         WHERE state IN (${OPEN}) GROUP BY state`,
      ).map(({ state, found, oldest }) => ({
        state: state as PaymentState, // Written by `putPayment`.
        count: Number(found),
        oldestAtMs: Number(oldest),
      })),
    payments: (query: BookedQuery): BookedPage => readPage(run, query),
  };
}

/** Names of the ledger's shards, `00` to `ff`. */
export const listShardNames = (): string[] =>
  Array.from({ length: SHARDS }, (_, shard) => shard.toString(16).padStart(2, '0'));

function addChange(run: RunStatement, { day, kind, capability, method, reason, count, microUsdc }: BookedChange): void {
  if (kind === 'payer') {
    run(
      `INSERT INTO book_payers VALUES (?, ?, ?, ?) ON CONFLICT (day, payer)
       DO UPDATE SET count = count + excluded.count, micro_usdc = micro_usdc + excluded.micro_usdc`,
      day,
      capability,
      count,
      microUsdc,
    );
    run(
      `INSERT INTO book_customers VALUES (?, ?, ?, ?) ON CONFLICT (payer) DO UPDATE SET count = count + excluded.count,
       micro_usdc = micro_usdc + excluded.micro_usdc, last_day = max(last_day, excluded.last_day)`,
      capability,
      count,
      microUsdc,
      day,
    );
    return;
  }
  run(
    `INSERT INTO book_totals VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (day, kind, capability, method, reason)
     DO UPDATE SET count = count + excluded.count, micro_usdc = micro_usdc + excluded.micro_usdc`,
    day,
    kind,
    capability,
    method,
    reason,
    count,
    microUsdc,
  );
}

/** @returns how many rows there are more */
function putPayment(run: RunStatement, line: PaymentLine): number {
  const text = JSON.stringify(line);
  const changed = run(
    'UPDATE book_payments SET state = ?, capability = ?, line = ? WHERE key = ? RETURNING row',
    line.state,
    line.capability,
    text,
    line.key,
  );
  if (changed.length > 0) return 0;
  run(
    'INSERT INTO book_payments (key, at_ms, payer, state, capability, line) VALUES (?, ?, ?, ?, ?, ?)',
    line.key,
    line.firstClaimedAtMs,
    line.payer,
    line.state,
    line.capability,
    text,
  );
  return 1;
}

const dropOldest = (run: RunStatement, count: number): number =>
  run(
    'DELETE FROM book_payments WHERE row IN (SELECT row FROM book_payments ORDER BY at_ms, row LIMIT ?) RETURNING row',
    count,
  ).length;

function readPayers(run: RunStatement, days: readonly string[], limit: number): PayerTotal[] {
  const totals = new Map<string, PayerTotal>();
  for (const day of days.slice(0, PAYER_DAYS)) {
    const top = 'SELECT payer FROM book_payers WHERE day = ? ORDER BY micro_usdc DESC LIMIT ?';
    for (const { payer } of run(top, day, MAX_PAYERS))
      totals.set(String(payer), { payer: String(payer), count: 0, microUsdc: 0 });
  }
  for (const total of totals.values()) {
    for (const day of days.slice(0, PAYER_DAYS)) {
      const [found] = run('SELECT count, micro_usdc FROM book_payers WHERE day = ? AND payer = ?', day, total.payer);
      total.count += Number(found?.['count'] ?? 0);
      total.microUsdc += Number(found?.['micro_usdc'] ?? 0);
    }
  }
  return [...totals.values()].toSorted((a, b) => b.microUsdc - a.microUsdc || b.count - a.count).slice(0, limit);
}

function readCustomers(run: RunStatement, { limit, after }: CustomerTotalsQuery): CustomerTotal[] {
  const found = run(
    `SELECT * FROM book_customers INDEXED BY book_customers_top WHERE (micro_usdc, payer) < (?, ?)
     ORDER BY micro_usdc DESC, payer DESC LIMIT ?`,
    after?.microUsdc ?? Number.MAX_SAFE_INTEGER,
    after?.payer ?? '',
    Math.min(limit, MAX_LISTED) + 1,
  );
  return found.map(({ payer, count, micro_usdc: microUsdc, last_day: lastDay }) => ({
    payer: String(payer),
    count: Number(count),
    microUsdc: Number(microUsdc),
    lastDay: String(lastDay),
  }));
}

/**
 * Reads a page by the index that leads to the fewest rows: that of a payer, of the open states, or of the time. What else
 * is asked for is looked for in at most `MAX_LOOKED_AT` rows of it.
 */
function readPage(run: RunStatement, query: BookedQuery): BookedPage {
  const { states, capability, payer, before = { atMs: Number.MAX_SAFE_INTEGER, row: 0 } } = query;
  const limit = Math.min(query.limit, MAX_LISTED);
  const isOpen = states !== undefined && states.every((state) => OPEN_STATES.includes(state));
  const scope = payer !== undefined ? 'payer = ?' : isOpen ? `state IN (${OPEN})` : 'TRUE';
  const bound = payer === undefined ? [] : [payer];
  const index = payer !== undefined ? 'payer' : isOpen ? 'open' : 'time';
  const looked = `SELECT * FROM book_payments INDEXED BY book_payments_${index}
    WHERE ${scope} AND (at_ms, row) < (?, ?) ORDER BY at_ms DESC, row DESC LIMIT ${MAX_LOOKED_AT}`;
  const tests = [
    ...(states === undefined ? [] : [`state IN (${states.map(() => '?').join(', ')})`]),
    ...(capability === undefined ? [] : ['capability = ?']),
  ];
  const chosen = [...(states ?? []), ...(capability === undefined ? [] : [capability]), limit + 1];
  const found = run(
    `SELECT row, at_ms, line FROM (${looked}) WHERE ${tests.join(' AND ') || 'TRUE'} LIMIT ?`,
    ...bound,
    before.atMs,
    before.row,
    ...chosen,
  );
  const payments = found.slice(0, limit).map(({ line }) => JSON.parse(String(line)) as PaymentLine); // Written above.
  const last = found.length > limit ? found[limit - 1] : findLookedAt(run, looked, [...bound, before.atMs, before.row]);
  return last === undefined ? { payments } : { payments, next: readCursor(last) };
}

/** The last row that a search looked at, where it did not come to the end. */
const findLookedAt = (run: RunStatement, looked: string, bound: readonly (string | number)[]): SqlRow | undefined =>
  run(`SELECT row, at_ms FROM (${looked}) LIMIT 1 OFFSET ${MAX_LOOKED_AT - 1}`, ...bound)[0];

const readCursor = ({ at_ms: atMs, row }: SqlRow) => ({ atMs: Number(atMs), row: Number(row) });

/** Written above, so its words are known. */
function readLine(found: SqlRow): DayTotal {
  const { day, kind, capability, method, reason, count, micro_usdc: microUsdc } = found;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return { day, kind, capability, method, reason, count: Number(count), microUsdc: Number(microUsdc) } as DayTotal;
}
