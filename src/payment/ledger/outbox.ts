import { createTables, type Sql } from '../../lib/sqlite.ts';
import { REPORT_LINES, REPORT_PAYMENTS, type BookedChange, type LedgerReport } from './books.ts';
import { formatSoldIn } from './delivery-times.ts';
import { toPaymentLine } from './list.ts';
import type { LedgerRow } from './row.ts';
import type { DayTotal } from './totals.ts';

/** Changed payments that are remembered one by one; beyond it all that the shard has are reported once more. */
const MAX_CHANGED = 2_000;

const OUTBOX_SCHEMA = [
  `CREATE TABLE IF NOT EXISTS outbox (
     seq INTEGER NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL, capability TEXT NOT NULL, method TEXT NOT NULL,
     reason TEXT NOT NULL, count INTEGER NOT NULL, micro_usdc INTEGER NOT NULL,
     PRIMARY KEY (seq, day, kind, capability, method, reason)) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS outbox_marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE IF NOT EXISTS outbox_removed (key TEXT PRIMARY KEY) WITHOUT ROWID',
];

/** A report, and what the outbox needs to know once it has arrived. */
type TakenReport = Omit<LedgerReport, 'shard'> & {
  sent: ReadonlyMap<string, LedgerRow>;
  until: string | undefined;
};

export type LedgerOutbox = ReturnType<typeof openOutbox>;

/**
 * What a shard has not reported yet. Lines, and the keys of payments that are gone, are stored in the transaction that
 * books them and go when their report has arrived. Of payments that are there only the mark that some have changed is
 * stored, and which ones is remembered: they can all be read again. A shard of an earlier version begins with everything
 * that it has booked.
 * @param onNews called when there is something to report
 */
export function openOutbox(sql: Sql, onNews: () => void = () => undefined) {
  const run = createTables(sql, OUTBOX_SCHEMA);
  const { readMark, setMark } = openOutboxMarks(run);
  /** Number of the report that lines are added to now. */
  let seq = readMark('seq') ?? begin(run, setMark);
  let isMarked = readMark('payments') !== undefined;
  let changed = new Map<string, LedgerRow>();
  /** While every payment is reported once more: the key up to which that is done. */
  let after: string | undefined = isMarked ? '' : undefined;

  return {
    addLines(lines: readonly BookedChange[]): void {
      for (const line of lines) addLine(run, seq, line);
      if (lines.length > 0) onNews();
    },
    /** What became of a payment. */
    notePayment(row: LedgerRow): void {
      if (!isMarked) setMark('payments', 1);
      isMarked = true;
      changed.delete(row.key);
      changed.set(row.key, row);
      if (changed.size > MAX_CHANGED) [changed, after] = [new Map(), ''];
      onNews();
    },
    /** The row of a payment is gone: nothing else could tell later that there was one. */
    noteRemoved(key: string): void {
      run('INSERT OR IGNORE INTO outbox_removed VALUES (?)', key);
      changed.delete(key);
      onNews();
    },
    hasNews: (): boolean => isMarked || hasAnyIn(run, 'outbox') || hasAnyIn(run, 'outbox_removed'),
    /** The next report; undefined where there is none. */
    take(): TakenReport | undefined {
      const lines = readFirstLines(run);
      const first = lines[0]?.seq;
      if (first === seq) {
        seq += 1;
        setMark('seq', seq);
      }
      const removed = readRemoved(run);
      if (first === undefined && !isMarked && removed.length === 0) return undefined;
      const { sent, until } = takePayments(run, changed, after);
      return {
        seq: first ?? 0,
        lines: lines.map(({ line }) => line),
        payments: Array.from(sent.values(), toPaymentLine),
        removed,
        sent,
        until,
      };
    },
    /** A report has arrived. What changed meanwhile is still to be reported. */
    drop({ seq: done, lines, removed, sent, until }: TakenReport): void {
      if (lines.length > 0) run('DELETE FROM outbox WHERE seq <= ?', done);
      for (const key of removed) run('DELETE FROM outbox_removed WHERE key = ?', key);
      for (const [key, row] of sent) if (changed.get(key) === row) changed.delete(key);
      if (after !== undefined) after = until;
      if (after !== undefined || changed.size > 0 || !isMarked) return;
      run(`DELETE FROM outbox_marks WHERE name = 'payments'`);
      isMarked = false;
    },
    /** Drops what is remembered: what a failed step did is not stored. */
    forget: (): void => {
      seq = readMark('seq') ?? seq;
      isMarked = readMark('payments') !== undefined;
      [changed, after] = [new Map(), isMarked ? '' : undefined];
    },
  };
}

type Run = ReturnType<typeof createTables>;

const openOutboxMarks = (run: Run) => ({
  readMark: (name: string): number | undefined => {
    const [found] = run('SELECT value FROM outbox_marks WHERE name = ?', name);
    return found === undefined ? undefined : Number(found['value']);
  },
  setMark: (name: string, value: number): void => {
    run('INSERT OR REPLACE INTO outbox_marks VALUES (?, ?)', name, value);
  },
});

/** The first reports of a shard: all that was booked before there was an outbox, and every payment that is stored. */
function begin(run: Run, setMark: (name: string, value: number) => void): number {
  run(
    `INSERT INTO outbox SELECT 1 + (row_number() OVER (ORDER BY day, kind, capability, method, reason) - 1) / ${REPORT_LINES},
       day, kind, capability, method, reason, count, micro_usdc FROM day_totals WHERE count <> 0`,
  );
  const [last] = run('SELECT coalesce(max(seq), 0) AS seq FROM outbox');
  const seq = Number(last?.['seq'] ?? 0) + 1;
  if (run('SELECT 1 FROM payments LIMIT 1').length > 0) setMark('payments', 1);
  setMark('seq', seq);
  return seq;
}

function addLine(run: Run, seq: number, line: BookedChange): void {
  const { day, kind, capability, method, reason, count, microUsdc } = line;
  run(
    `INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (seq, day, kind, capability, method, reason)
     DO UPDATE SET count = count + excluded.count, micro_usdc = micro_usdc + excluded.micro_usdc`,
    seq,
    day,
    kind,
    capability,
    method,
    reason,
    count,
    microUsdc,
  );
}

const hasAnyIn = (run: Run, table: 'outbox' | 'outbox_removed'): boolean =>
  run(`SELECT 1 FROM ${table} LIMIT 1`).length > 0;

/** A payment that came back under its key is not gone; its removal is still to be forgotten. */
function readRemoved(run: Run): string[] {
  run('DELETE FROM outbox_removed WHERE EXISTS (SELECT 1 FROM payments WHERE payments.key = outbox_removed.key)');
  return run('SELECT key FROM outbox_removed LIMIT ?', REPORT_PAYMENTS).map(({ key }) => String(key));
}

function readFirstLines(run: Run): { seq: number; line: BookedChange }[] {
  return run('SELECT * FROM outbox WHERE seq = (SELECT min(seq) FROM outbox)').map((found) => {
    const { seq, day, kind, capability, method, reason, count, micro_usdc: microUsdc } = found;
    const line = { day, kind, capability, method, reason, count: Number(count), microUsdc: Number(microUsdc) };
    // Written above, so its words are known.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    return { seq: Number(seq), line: line as BookedChange };
  });
}

/** `until`: where reporting all of them goes on; undefined when that is done. */
function takePayments(
  run: Run,
  changed: ReadonlyMap<string, LedgerRow>,
  after: string | undefined,
): Pick<TakenReport, 'sent' | 'until'> {
  if (after === undefined) return { sent: new Map([...changed].slice(0, REPORT_PAYMENTS)), until: undefined };
  const found = run('SELECT key, row FROM payments WHERE key > ? ORDER BY key LIMIT ?', after, REPORT_PAYMENTS);
  // Written by the ledger alone, so their shape is known.
  const sent = new Map(found.map(({ key, row }) => [String(key), JSON.parse(String(row)) as LedgerRow]));
  const last = found.at(-1);
  return { sent, until: found.length < REPORT_PAYMENTS || last === undefined ? undefined : String(last['key']) };
}

/** What a sale adds to its payer's own line, which has what was sold and how long that took as well. */
export const buildPayerChange = (
  { payer, claimedAtMs, phase }: Pick<LedgerRow, 'payer' | 'claimedAtMs' | 'phase'>,
  sale: DayTotal,
): BookedChange => ({
  ...sale,
  kind: 'payer',
  capability: payer,
  reason: phase.state === 'settled' ? formatSoldIn(sale.capability, phase.settledAtMs - claimedAtMs) : '',
});
