import type { Revenue } from '../../console-api/operations.ts';
import { DAY_MS, formatIsoDay, isCalendarDay } from '../../lib/time.ts';

/** Ranges that the page offers, in days, today among them. */
export const RANGES = [7, 30, 90, 400] as const;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;
/** Names of single days, by how many days ago they are. */
const NAMED_DAYS = { today: 0, yesterday: 1 } as const;
type NamedDay = keyof typeof NAMED_DAYS;

/** What is asked of the books: so many days, of which `day` alone is wanted where there is one. */
export type MoneyRange = { days: number; day?: string };

/**
 * The range that a query names: `days=7`, or one UTC day as `day=yesterday`, `day=today` or `day=2026-11-22`. Undefined
 * for any other.
 */
export function parseMoneyRange(query: URLSearchParams, nowMs: number): MoneyRange | undefined {
  const day = query.get('day');
  if (day !== null) return parseDay(day, nowMs);
  const given = query.get('days') ?? String(DEFAULT_DAYS);
  const days = RANGES.find((range) => String(range) === given);
  return days === undefined ? undefined : { days };
}

function parseDay(text: string, nowMs: number): MoneyRange | undefined {
  const day = isNamedDay(text) ? formatNamedDay(text, nowMs) : text;
  const today = formatIsoDay(nowMs);
  if (!isCalendarDay(day) || day > today) return undefined;
  const days = (Date.parse(today) - Date.parse(day)) / DAY_MS + 1;
  return days > MAX_DAYS ? undefined : { days, day };
}

const isNamedDay = (text: string): text is NamedDay => Object.hasOwn(NAMED_DAYS, text);

/** The day of that name, by UTC: `2026-11-22`. */
export const formatNamedDay = (name: NamedDay, nowMs: number): string =>
  formatIsoDay(nowMs - NAMED_DAYS[name] * DAY_MS);

/** One day of the books, as a range of its own. */
export function selectRevenueDay(revenue: Revenue, day: string): Revenue {
  const { lines, creditUses, unpaid, engine, cards } = revenue;
  const isWanted = (line: { day: string }): boolean => line.day === day;
  return {
    ...revenue,
    days: 1,
    firstDay: day,
    lines: lines.filter(isWanted),
    creditUses: creditUses.read ? { read: true, uses: creditUses.uses.filter(isWanted) } : creditUses,
    unpaid: unpaid.read ? { read: true, counts: unpaid.counts.filter(isWanted) } : unpaid,
    engine: engine.read ? { ...engine, runs: engine.runs.filter(isWanted) } : engine,
    ...(cards?.read === true ? { cards: { read: true as const, days: cards.days.filter(isWanted) } } : {}),
  };
}

/** The query of the range that was read, for its files. */
export const formatRangeQuery = ({ days, firstDay }: Pick<Revenue, 'days' | 'firstDay'>): string =>
  days === 1 ? `day=${firstDay}` : `days=${days}`;
