import type { RunStatement } from '../../lib/sqlite.ts';
import { formatIsoWeek } from '../../lib/time.ts';
import { computeFirstDay, TOTALS_DAYS } from './totals.ts';

/** Upper limit of the first class, in milliseconds; each further one is a fourth of a doubling wider. */
const FIRST_CLASS_MS = 50;
const CLASSES_A_DOUBLING = 4;
/** The last class has no upper limit of its own: it begins beyond two hours. */
const LAST_CLASS = 69;

/** Sales of one week and capability whose delivery took a time of one class. */
export type DeliveryTime = { week: string; capability: string; timeClass: number; count: number };

/** The class of a time from claim to settlement. Times are stored by class, and no single one is. */
export const classifyDeliveryMs = (ms: number): number =>
  Math.min(LAST_CLASS, Math.max(0, Math.ceil(CLASSES_A_DOUBLING * Math.log2(Math.max(1, ms) / FIRST_CLASS_MS))));

/** The longest time of a class, in milliseconds. */
export const computeClassMs = (timeClass: number): number =>
  Math.round(FIRST_CLASS_MS * 2 ** (timeClass / CLASSES_A_DOUBLING));

/**
 * A sale as its payer's line carries it on the way to the books: what was sold, and how long that took. Lines of earlier
 * versions are empty there.
 */
export const formatSoldIn = (capability: string, ms: number): string => `${capability} ${classifyDeliveryMs(ms)}`;

const SOLD_IN = /^([a-z0-9_]{1,64}) (\d{1,2})$/;

export const TIMES_SCHEMA = `CREATE TABLE IF NOT EXISTS book_times (
   week TEXT NOT NULL, capability TEXT NOT NULL, class INTEGER NOT NULL, count INTEGER NOT NULL,
   PRIMARY KEY (week, capability, class)) WITHOUT ROWID`;

/** Lines that one answer may hold: a quarter of a year of every capability has fewer. */
const READ_TIMES = 20_000;

const getWeek = (day: string): string => formatIsoWeek(Date.parse(day));

/** Times of delivery in a table of the books. */
export const openDeliveryTimes = (run: RunStatement) => ({
  add(soldIn: string, day: string, count: number): void {
    const [, capability, timeClass] = SOLD_IN.exec(soldIn) ?? [];
    if (capability === undefined) return;
    run(
      `INSERT INTO book_times VALUES (?, ?, ?, ?) ON CONFLICT (week, capability, class)
       DO UPDATE SET count = count + excluded.count`,
      getWeek(day),
      capability,
      Number(timeClass),
      count,
    );
  },
  since: (day: string): DeliveryTime[] =>
    run('SELECT * FROM book_times WHERE week >= ? LIMIT ?', getWeek(day), READ_TIMES).map((found) => ({
      week: String(found['week']),
      capability: String(found['capability']),
      timeClass: Number(found['class']),
      count: Number(found['count']),
    })),
  sweep: (nowMs: number): void => {
    run('DELETE FROM book_times WHERE week < ?', getWeek(computeFirstDay(TOTALS_DAYS, nowMs)));
  },
});
