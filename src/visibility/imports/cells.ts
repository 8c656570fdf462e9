import { DAY_MS, formatIsoDay, isCalendarDay } from '../../lib/time.ts';
import { ImportStopped, quoteCell } from './refusal.ts';

/** None of the vendors had such a report before this day: an earlier one is a misread date. */
const EARLIEST_DAY = '2025-01-01';

const PLAIN_COUNT = /^\d{1,15}$/;
/** Groups of three by a comma, a dot, an apostrophe or a space: a count has no decimals, so the sign can only group. */
const GROUPED_COUNT = /^\d{1,3}(?:([,.'’ \u00a0\u202f])\d{3})(?:\1\d{3}){0,3}$/;

/** A count as exports write it. @throws ImportStopped */
export function readCount(cell: string, row: number): number {
  const text = cell.trim();
  if (PLAIN_COUNT.test(text)) return Number(text);
  if (GROUPED_COUNT.test(text)) return Number(text.replaceAll(/\D/g, ''));
  throw new ImportStopped('wrong_number', `Row ${row}: ${quoteCell(cell)} is no count.`);
}

const PERCENT = /^(\d{1,3}(?:[.,]\d{1,6})?)[ \u00a0\u202f]?%$/;

/**
 * A share from 0 to 1; null for an empty cell, undefined for a number without a percent sign: whether 0.5 is a half or
 * half a percent is not known. @throws ImportStopped
 */
export function readShare(cell: string, row: number): number | null | undefined {
  const text = cell.trim();
  if (text === '' || text === '-') return null;
  const [, digits] = PERCENT.exec(text) ?? [];
  if (digits === undefined) {
    if (/^\d+(?:[.,]\d+)?$/.test(text)) return undefined;
    throw new ImportStopped('wrong_number', `Row ${row}: ${quoteCell(cell)} is no share.`);
  }
  const percent = Number(digits.replace(',', '.'));
  if (percent > 100) throw new ImportStopped('wrong_number', `Row ${row}: ${quoteCell(cell)} is more than 100 %.`);
  return percent / 100;
}

/**
 * A day as `YYYY-MM-DD`. Dots put the day first, slashes the month first (as Bing writes them, with or without a time).
 * @param where what the cell is in, for the refusal
 * @throws ImportStopped for what is no day, or one that cannot be
 */
export function readDay(cell: string, where: string, nowMs: number): string {
  const day = spellDay(cell.trim());
  if (day === undefined || !isCalendarDay(day))
    throw new ImportStopped('wrong_date', `${where}: ${quoteCell(cell)} is no date that is understood.`);
  if (!isPossibleDay(day, nowMs))
    throw new ImportStopped('wrong_date', `${where}: ${day} is no day that this report can have.`);
  return day;
}

const isPossibleDay = (day: string, nowMs: number): boolean =>
  day >= EARLIEST_DAY && day <= formatIsoDay(nowMs + DAY_MS);

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]00:00(?::00)?)?$/;
const COMPACT_DAY = /^(\d{4})(\d{2})(\d{2})$/;
const DOTTED_DAY = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const SLASHED_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: \d{1,2}:\d{2}(?::\d{2})? ?(?:AM|PM)?)?$/i;

function spellDay(text: string): string | undefined {
  const [, year, month, day] = ISO_DAY.exec(text) ?? COMPACT_DAY.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month}-${day}`;
  const [, first, second, last] = DOTTED_DAY.exec(text) ?? [];
  if (last !== undefined) return joinDay(last, second, first);
  const [, month2, day2, year2] = SLASHED_DAY.exec(text) ?? [];
  return year2 === undefined ? undefined : joinDay(year2, month2, day2);
}

const joinDay = (year: string, month = '', day = ''): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const RANGE = /^([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}) ?[-–] ?([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4})$/;

/**
 * `Aug 28, 2026-Sep 3, 2026`, as Search Console writes the time of an export; undefined for "Last 3 months" and the like.
 * @throws ImportStopped for days that cannot be
 */
export function readRange(cell: string, nowMs: number): { from: string; to: string } | undefined {
  const [, month1 = '', day1, year1 = '', month2 = '', day2, year2 = ''] = RANGE.exec(cell.trim()) ?? [];
  const [from, to] = [spellMonthDay(year1, month1, day1), spellMonthDay(year2, month2, day2)];
  if (!isCalendarDay(from) || !isCalendarDay(to)) return undefined;
  if (from > to || !isPossibleDay(from, nowMs) || !isPossibleDay(to, nowMs))
    throw new ImportStopped('wrong_date', `${quoteCell(cell)} is no time that this report can have.`);
  return { from, to };
}

const spellMonthDay = (year: string, month: string, day: string | undefined): string =>
  joinDay(year, String(MONTHS.indexOf(month.toLowerCase()) + 1), day);
