import type { Sql } from '../../lib/sqlite.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Adjustment } from './adjustments.ts';
import { type CreditCall, getCapturedCall } from './credits.ts';
import type { CardHolding, CardMove } from './card-credits.ts';
import { type CreditLineQuery, type CreditLines, formatPledgeId, type Pledge } from './protocol.ts';
import { CREDIT_LINE_KINDS, type CreditLine } from './credit-line.ts';

/** Lines are kept as long as the books of the service. */
const LINES_KEPT_MS = 400 * DAY_MS;
/** Lines that one answer may hold. */
export const MAX_LINES_READ = 1_000;
/** Months that are named: as many as there can be lines of. */
const MAX_MONTHS = 15;

const SCHEMA = `CREATE TABLE IF NOT EXISTS credit_lines (
   at_ms INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, line TEXT NOT NULL,
   PRIMARY KEY (at_ms, id)) WITHOUT ROWID`;

/** Months are four digits, a hyphen and two. */
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** The first millisecond of a month and of the next; undefined for a text that is no month. */
function computeMonthBounds(month: string): { fromMs: number; toMs: number } | undefined {
  if (!MONTH.test(month)) return undefined;
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { fromMs: Date.UTC(year, number - 1), toMs: Date.UTC(year, number) };
}

/** Whether a text names a month as lists do. */
export const isCreditMonth = (text: string): boolean => computeMonthBounds(text) !== undefined;

/**
 * The movements of an account, in a table of its own.
 * @param listEarlier what an account of before there were lines has of them: read once, when the table is made
 */
export function openCreditLines(sql: Sql, listEarlier: () => readonly CreditLine[]) {
  const prune = (nowMs: number): void =>
    void sql.exec(`DELETE FROM credit_lines WHERE at_ms < ?`, nowMs - LINES_KEPT_MS);
  const add = ({ atMs, id, kind, ...rest }: CreditLine): void => {
    prune(atMs);
    sql.exec(`INSERT OR IGNORE INTO credit_lines VALUES (?, ?, ?, ?)`, atMs, id, kind, JSON.stringify(rest));
  };
  const exists =
    sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'credit_lines'").toArray().length > 0;
  if (!exists) {
    sql.exec(SCHEMA);
    for (const line of listEarlier()) add(line);
  }
  return {
    add,
    list: ({ month, after, limit }: CreditLineQuery): CreditLines => {
      const { fromMs, toMs } = (month === undefined ? undefined : computeMonthBounds(month)) ?? {
        fromMs: 0,
        toMs: Number.MAX_SAFE_INTEGER,
      };
      const found = sql
        .exec(
          `SELECT * FROM credit_lines WHERE at_ms >= ? AND at_ms < ? AND (at_ms, id) < (?, ?)
           ORDER BY at_ms DESC, id DESC LIMIT ?`,
          fromMs,
          toMs,
          after?.atMs ?? Number.MAX_SAFE_INTEGER,
          after?.id ?? '',
          Math.min(limit, MAX_LINES_READ),
        )
        .toArray();
      const months = sql
        .exec(
          `SELECT DISTINCT strftime('%Y-%m', at_ms / 1000, 'unixepoch') AS month FROM credit_lines
           ORDER BY month DESC LIMIT ?`,
          MAX_MONTHS,
        )
        .toArray();
      return { lines: found.map(readLine), months: months.map((row) => String(row['month'])) };
    },
    line: (atMs: number, id: string): CreditLine | undefined =>
      sql.exec('SELECT * FROM credit_lines WHERE at_ms = ? AND id = ?', atMs, id).toArray().map(readLine)[0],
    prune,
    clear: (): void => void sql.exec(`DELETE FROM credit_lines`),
  };
}

/** The line of a call that was paid; none for another, nor for one that cost nothing: it moved no balance. */
export function toCallLine(call: CreditCall): readonly CreditLine[] {
  const paid = getCapturedCall(call);
  if (paid === undefined || paid.amountMicroUsdc === 0) return [];
  const { capability, amountMicroUsdc, balanceMicroUsdc, reportId, capturedAtMs: atMs } = paid;
  const { id, clientId } = call;
  return [{ atMs, id, kind: 'call', capability, amountMicroUsdc, balanceMicroUsdc, reportId, clientId }];
}

/** The line of a top-up that was credited. */
export const toTopUpLine = (
  pledge: Pledge,
  credited: Pick<CreditLine, 'atMs' | 'amountMicroUsdc' | 'balanceMicroUsdc'>,
): CreditLine => ({ ...credited, id: formatPledgeId(pledge), kind: 'top_up', capability: pledge.capability });

/** The line of what an operator added. */
export const toAddedLine = ({
  id,
  atMs,
  amountMicroUsdc,
  balanceMicroUsdc,
  capability = '',
}: Adjustment): CreditLine => ({
  atMs,
  id,
  kind: 'added',
  capability,
  amountMicroUsdc,
  balanceMicroUsdc,
});

/** Names the line of a movement by a purchase by card. */
export const formatCardLineId = (
  { purchase, version }: Pick<CardHolding, 'purchase' | 'version'>,
  kind: CardMove['kind'],
): string => `card:${purchase}:${version}:${kind}`;

/** The line of a movement by a purchase by card. */
export const toCardLine = (holding: CardHolding, move: CardMove, atMs: number): CreditLine => ({
  ...move,
  atMs,
  id: formatCardLineId(holding, move.kind),
  capability: holding.pack,
});

function readLine(row: Record<string, unknown>): CreditLine {
  const rest = JSON.parse(String(row['line'])) as Omit<CreditLine, 'atMs' | 'id' | 'kind'>; // Written by `add` alone.
  return {
    atMs: Number(row['at_ms']),
    id: String(row['id']),
    kind: CREDIT_LINE_KINDS.find((kind) => kind === row['kind']) ?? 'call',
    ...rest,
  };
}
