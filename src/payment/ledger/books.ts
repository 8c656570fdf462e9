import type { DeliveryTime } from './delivery-times.ts';
import type { PaymentLine, PaymentState } from './list.ts';
import type { DayTotal, TotalKind } from './totals.ts';

/** The one object that holds the books of all shards together: an operations register under this name. */
export const BOOKS_OBJECT = 'ledger-books';
/** Lines and payments that one report may hold; the rest follows in the next. */
export const REPORT_LINES = 1_000;
export const REPORT_PAYMENTS = 500;

/** What changed one line of the books, or what one payer bought on a day: then `capability` is the payer's address and `reason` what was sold, and how fast. */
export type BookedChange = Omit<DayTotal, 'kind'> & { kind: TotalKind | 'payer' };

/**
 * What happened in a shard since its report before. A report with lines has the number after the one before it with
 * lines, so that one which comes twice counts once. Payments are as they are now: twice is the same as once.
 */
export type LedgerReport = {
  shard: string;
  seq: number;
  lines: readonly BookedChange[];
  payments: readonly PaymentLine[];
  /** Keys of payments that the shard has dropped. */
  removed: readonly string[];
};

/** The books, as a shard reports to them over RPC. */
export interface LedgerBooks {
  takeReport(report: LedgerReport): Promise<void>;
}

/** What one payer bought on the days asked about. */
export type PayerTotal = { payer: string; count: number; microUsdc: number };

/** What an address has paid in all, and the day (UTC) of its last purchase. */
export type CustomerTotal = PayerTotal & { lastDay: string };

/** Addresses by what they paid, most first. `after`: the last of the page before. */
export type CustomerTotalsQuery = { limit: number; after?: Pick<CustomerTotal, 'payer' | 'microUsdc'> };

/** Payments that want an end: how many of a state, and since when the oldest of them waits. */
export type OpenPayments = { state: PaymentState; count: number; oldestAtMs: number };

/** `missing`: shards of which nothing was ever reported. `updatedAtMs`: of the newest report, null before the first. */
export type BooksRead = { lines: DayTotal[]; missing: string[]; updatedAtMs: number | null };

/** A page of payments: all that is set must hold. `before`: the cursor of the page before. */
export type BookedQuery = {
  states?: readonly PaymentState[] | undefined;
  capability?: string | undefined;
  payer?: string | undefined;
  limit: number;
  before?: BookedCursor | undefined;
};

/** Where a page ends: a time, and the number of the last row of that time. */
export type BookedCursor = { atMs: number; row: number };

/** `next` with fewer payments than asked for: so many rows were looked at, and older ones were not. */
export type BookedPage = { payments: PaymentLine[]; next?: BookedCursor };

/** What pages ask the books. */
export interface BooksReader {
  readBooks(sinceDay: string): Promise<BooksRead>;
  /** How long deliveries took, since the week of a day. */
  readDeliveryTimes(sinceDay: string): Promise<DeliveryTime[]>;
  readPayers(days: readonly string[], limit: number): Promise<PayerTotal[]>;
  /** One row more than asked for where there are further ones. */
  readCustomerTotals(query: CustomerTotalsQuery): Promise<CustomerTotal[]>;
  /** Whose account is deleted has no total any more. */
  forgetCustomer(payer: string): Promise<void>;
  readOpenPayments(): Promise<OpenPayments[]>;
  readPayments(query: BookedQuery): Promise<BookedPage>;
  /** Shards that were asked and have never held anything. */
  noteEmptyShards(shards: readonly string[]): Promise<void>;
}

const CURSOR = /^(\d{1,15})\.(\d{1,15})$/;

/** Undefined for what is no cursor of ours. */
export function parseBookedCursor(text: string): BookedCursor | undefined {
  const [, atMs, row] = (CURSOR.exec(text) ?? []).map(Number);
  return atMs === undefined || row === undefined ? undefined : { atMs, row };
}

export const formatBookedCursor = ({ atMs, row }: BookedCursor): string => `${atMs}.${row}`;
