import { compareTexts } from '../../lib/text.ts';
import { computeWeekStart, DAY_MS, formatIsoDay, formatIsoWeek } from '../../lib/time.ts';
import type { CardDay } from '../cards/rows.ts';
import type { CreditUse } from '../credits/credit-usage.ts';
import { computeClassMs, type DeliveryTime } from './delivery-times.ts';
import type { DayTotal } from './totals.ts';

/** Weeks that the figures go back, this one included. */
export const DELIVERY_WEEKS = 12;

/** What became of the purchases of one capability in one ISO week (UTC). */
export type DeliveryFigure = {
  week: string;
  capability: string;
  /** Paid, and the result delivered. */
  delivered: number;
  /** The same by how it was paid. */
  by_rail: Record<string, number>;
  /** Good payments without a result: nothing was charged. */
  refused: number;
  /** Charged, and given back: to the card, or as credits by an operator. */
  refunded: number;
  /** Half of the deliveries, and 95 % of them, took at most so long from claim to settlement; null where no time is known. */
  p50_ms: number | null;
  p95_ms: number | null;
  /** Deliveries whose time is known. */
  timed: number;
};

export type DeliverySources = {
  lines: readonly DayTotal[];
  creditUses: readonly CreditUse[];
  /** Calls and payments that operators gave back as credits, by the day of that. */
  givenBack: readonly CreditUse[];
  /** Packs that were bought by card, and refunds to cards. */
  cards: readonly CardDay[];
  times: readonly DeliveryTime[];
};

/** The first day that the figures have. */
export const computeDeliveryStart = (nowMs: number): string =>
  formatIsoDay(computeWeekStart(nowMs) - (DELIVERY_WEEKS - 1) * 7 * DAY_MS);

/** Figures by week and capability, newest week first. */
export function summariseDelivery({ lines, creditUses, givenBack, cards, times }: DeliverySources): DeliveryFigure[] {
  const rows = new Map<string, DeliveryFigure>();
  const rowOf = (day: string, capability: string): DeliveryFigure => {
    const week = formatIsoWeek(Date.parse(day));
    const key = `${week} ${capability}`;
    const known = rows.get(key) ?? createRow(week, capability);
    rows.set(key, known);
    return known;
  };
  const deliver = (row: DeliveryFigure, rail: string, count: number): void => {
    row.delivered += count;
    row.by_rail[rail] = (row.by_rail[rail] ?? 0) + count;
  };
  for (const { day, kind, capability, method, count } of lines) {
    const row = rowOf(day, capability);
    if (kind === 'sale') deliver(row, method, count);
    else if (kind === 'released' || kind === 'failure') row.refused += count;
  }
  for (const { day, capability, count } of creditUses) deliver(rowOf(day, capability), 'credits', count);
  for (const { day, capability, count } of givenBack) rowOf(day, capability).refunded += count;
  for (const { day, kind, pack, count } of cards) {
    if (kind === 'paid') deliver(rowOf(day, pack), 'card', count);
    else if (kind === 'refund') rowOf(day, pack).refunded += count;
  }
  for (const [key, found] of Map.groupBy(times, ({ week, capability }) => `${week} ${capability}`)) {
    const row = rows.get(key);
    if (row) Object.assign(row, readTimes(found));
  }
  return [...rows.values()].toSorted(
    (a, b) => compareTexts(b.week, a.week) || compareTexts(a.capability, b.capability),
  );
}

const createRow = (week: string, capability: string): DeliveryFigure => ({
  week,
  capability,
  delivered: 0,
  by_rail: {},
  refused: 0,
  refunded: 0,
  p50_ms: null,
  p95_ms: null,
  timed: 0,
});

function readTimes(found: readonly DeliveryTime[]): Pick<DeliveryFigure, 'p50_ms' | 'p95_ms' | 'timed'> {
  const sorted = found.toSorted((a, b) => a.timeClass - b.timeClass);
  const timed = sorted.reduce((sum, { count }) => sum + count, 0);
  const percentile = (share: number): number | null => {
    let seen = 0;
    const at = sorted.find(({ count }) => (seen += count) >= Math.ceil(share * timed));
    return at === undefined || timed === 0 ? null : computeClassMs(at.timeClass);
  };
  return { p50_ms: percentile(0.5), p95_ms: percentile(0.95), timed };
}
