import { DAY_MS, formatIsoDay } from '../../lib/time.ts';
import { getShownMethod, type PaidBy } from '../rails/rail-ids.ts';
import { isSettled, isUndecided, type LedgerRow } from './row.ts';

/**
 * What is counted: money that came, money that a later look at the chain did not find, settlements that came to nothing, and
 * good payments that were given back uncharged because their work was not delivered. Nothing that is paid on a chain is given
 * back: what operators give back is credits (`credits/given-back.ts`), or goes to a card (`cards`).
 */
export type TotalKind = 'sale' | 'lost' | 'failure' | 'released';

/** One line of the books: a day (UTC, `2026-11-22`), what was sold, how it was paid, and why it failed. */
export type DayTotal = {
  day: string;
  kind: TotalKind;
  capability: string;
  method: PaidBy;
  /** Of `lost` and `failure`; empty for sales. */
  reason: string;
  count: number;
  microUsdc: number;
};

/** Days that the books go back. */
export const TOTALS_DAYS = 400;
/** Represents reasons that are no word, and for those beyond the most that one day may have. */
export const OTHER_REASON = 'other';
const REASON = /^[a-z0-9_]{1,64}$/;

export const formatDay = formatIsoDay;

/** The first of the `days` days that end with today. */
export const computeFirstDay = (days: number, nowMs: number): string => formatDay(nowMs - (days - 1) * DAY_MS);

/**
 * What the change of one row adds to the books. `after` is undefined for a settlement that the chain has ended unpaid,
 * for `endedBy`. A failure belongs to the day on which its settlement began, a loss to that of its sale: so that what
 * is taken back later is taken from the line it is in.
 */
export function listBookings(before: LedgerRow, after: LedgerRow | undefined, endedBy = OTHER_REASON): DayTotal[] {
  if (after === undefined)
    return isUndecided(before) && before.phase.state !== 'refused' ? [bookFailed(before, endedBy)] : [];
  if (isSettled(after)) return bookSettled(before, after);
  const { phase } = after;
  if (phase.state === 'released' && before.phase.state === 'claimed') return [bookReleased(before)];
  return phase.state === 'refused' && before.phase.state !== 'refused' ? [bookFailed(after, phase.reason)] : [];
}

function bookSettled(before: LedgerRow, after: LedgerRow): DayTotal[] {
  if (!isSettled(after)) return [];
  const day = formatDay(after.phase.settledAtMs);
  if (isSettled(before)) {
    const lost = Number(after.phase.seen === 'missing') - Number(before.phase.seen === 'missing');
    const reason = after.instrument.method === 'x402' ? 'settlement_mismatch' : 'payment_reorged';
    if (lost === 0) return [];
    return [
      { ...selectLineMembers(after), day, kind: 'lost', reason, count: lost, microUsdc: lost * after.amountMicroUsdc },
    ];
  }
  const sale: DayTotal = { ...selectLineMembers(after), day, kind: 'sale', reason: '' };
  if (before.phase.state !== 'refused') return [sale];
  // The facilitator broadcast what it had refused: the refusal was none (rule P4).
  const { day: failedOn, reason } = bookFailed(before, before.phase.reason);
  return [sale, { ...sale, day: failedOn, kind: 'failure', reason, count: -1, microUsdc: -sale.microUsdc }];
}

const bookReleased = (row: LedgerRow): DayTotal => ({
  ...selectLineMembers(row),
  day: formatDay(row.claimedAtMs),
  kind: 'released',
  reason: '',
});

function bookFailed(row: LedgerRow, reason: string): DayTotal {
  const beganAtMs = isUndecided(row) ? row.phase.beganAtMs : row.claimedAtMs;
  return {
    ...selectLineMembers(row),
    day: formatDay(beganAtMs),
    kind: 'failure',
    reason: sanitiseBookedReason(reason),
  };
}

const selectLineMembers = ({ capability, instrument, rail, amountMicroUsdc }: LedgerRow) => ({
  capability,
  method: getShownMethod(instrument.method, rail),
  count: 1,
  microUsdc: amountMicroUsdc,
});

/** Reasons come from a facilitator. */
const sanitiseBookedReason = (reason: string): string => (REASON.test(reason) ? reason : OTHER_REASON);
