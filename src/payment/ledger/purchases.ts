import type { Sql } from '../../lib/sqlite.ts';
import { DAY_MS } from '../../lib/time.ts';
import { getShownMethod, PAID_BY, type PaidBy } from '../rails/rail-ids.ts';
import { isSettled, isTopUp, type LedgerRow } from './row.ts';

/** A purchase is listed this long: a day more than its report can be read. */
const LISTED_MS = 31 * DAY_MS;
/** Outdated lines that one sweep drops; a payer who buys often drops their own. */
const SWEEP_LINES = 5_000;
/** Purchases that one answer may hold. */
export const MAX_PURCHASES_READ = 100;

/** A report that a payer bought. No one but that payer is shown it (rule A6). */
export type PurchaseLine = {
  payer: string;
  reportId: string;
  capability: string;
  amountMicroUsdc: number;
  method: PaidBy;
  settledAtMs: number;
};

/** Where a list goes on: after this purchase. */
export type PurchasePlace = Pick<PurchaseLine, 'settledAtMs' | 'reportId'>;

/** Purchases settled since a time, newest first, from the place where a list before ended. */
export type PurchaseQuery = { payer: string; sinceMs: number; after?: PurchasePlace | undefined; limit: number };

/** The list of purchases in the shard of their payer, as the account page calls it over RPC. */
export interface PurchaseReader {
  purchases(query: PurchaseQuery): Promise<PurchaseLine[]>;
  /** Whether the payer bought this report. */
  hasPurchase(payer: string, reportId: string): Promise<boolean>;
  /** Drops the list. The payments stay: they are the ledger. */
  forgetPurchases(payer: string): Promise<void>;
}

export const PURCHASES_SCHEMA = `CREATE TABLE IF NOT EXISTS purchases (
   payer TEXT NOT NULL, settled_at_ms INTEGER NOT NULL, report_id TEXT NOT NULL, capability TEXT NOT NULL,
   amount INTEGER NOT NULL, method TEXT NOT NULL, PRIMARY KEY (payer, settled_at_ms, report_id)) WITHOUT ROWID`;

/**
 * The line of a sale. None for a transfer that its presenter did not prove to have made: its hash is public, so its
 * buyer may be anyone. None for credits, which make no report, and none for a contract wallet on a network where no one
 * signs in: its address may have another owner there.
 */
export function toPurchase(row: LedgerRow): PurchaseLine | undefined {
  if (!isSettled(row) || isTopUp(row) || row.isUnlisted || (row.instrument.method === 'transfer' && !row.proven))
    return undefined;
  const { payer, capability, amountMicroUsdc, instrument, rail, phase } = row;
  const { reportId, settledAtMs } = phase;
  return { payer, reportId, capability, amountMicroUsdc, method: getShownMethod(instrument.method, rail), settledAtMs };
}

/** The lists of a shard's payers. A transfer is in the shard of its hash, which hands its line on to the payer's. */
export function openPurchases(sql: Sql) {
  let sweptUpToMs = 0;
  const hasAny = (): boolean => sql.exec('SELECT 1 FROM purchases LIMIT 1').toArray().length > 0;
  let isFilled = hasAny();
  return {
    /** The same line again changes nothing. */
    add({ payer, settledAtMs, reportId, capability, amountMicroUsdc, method }: PurchaseLine): void {
      sql.exec('DELETE FROM purchases WHERE payer = ? AND settled_at_ms < ?', payer, settledAtMs - LISTED_MS);
      sql.exec(
        'INSERT OR IGNORE INTO purchases VALUES (?, ?, ?, ?, ?, ?)',
        payer,
        settledAtMs,
        reportId,
        capability,
        amountMicroUsdc,
        method,
      );
      isFilled = true;
    },
    list: ({ payer, sinceMs, after, limit }: PurchaseQuery): PurchaseLine[] =>
      sql
        .exec(
          `SELECT * FROM purchases WHERE payer = ? AND settled_at_ms >= ? AND (settled_at_ms, report_id) < (?, ?)
           ORDER BY settled_at_ms DESC, report_id DESC LIMIT ?`,
          payer,
          sinceMs,
          after?.settledAtMs ?? Number.MAX_SAFE_INTEGER,
          after?.reportId ?? '',
          Math.min(limit, MAX_PURCHASES_READ),
        )
        .toArray()
        .map(readPurchase),
    has: (payer: string, reportId: string): boolean =>
      sql.exec('SELECT 1 FROM purchases WHERE payer = ? AND report_id = ? LIMIT 1', payer, reportId).toArray().length >
      0,
    forget: (payer: string): void => void sql.exec('DELETE FROM purchases WHERE payer = ?', payer),
    /** Once each day (UTC). */
    sweep(nowMs: number): void {
      if (nowMs < sweptUpToMs) return;
      sweptUpToMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
      sql.exec(
        `DELETE FROM purchases WHERE (payer, settled_at_ms, report_id) IN
           (SELECT payer, settled_at_ms, report_id FROM purchases WHERE settled_at_ms < ? LIMIT ?)`,
        nowMs - LISTED_MS,
        SWEEP_LINES,
      );
      isFilled = hasAny();
    },
    /** When lines are looked through next: the next day (UTC) begins. Undefined where there are none. */
    sweepDueAtMs: (nowMs: number): number | undefined =>
      isFilled ? (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS : undefined,
    forgetSweep: (): void => {
      sweptUpToMs = 0;
      isFilled = hasAny();
    },
  };
}

/** Written by `add` alone. */
const readPurchase = (found: Record<string, unknown>): PurchaseLine => ({
  payer: String(found['payer']),
  reportId: String(found['report_id']),
  capability: String(found['capability']),
  amountMicroUsdc: Number(found['amount']),
  method: PAID_BY.find((one) => one === found['method']) ?? 'x402',
  settledAtMs: Number(found['settled_at_ms']),
});
