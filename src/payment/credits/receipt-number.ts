import { computeSha256Hex } from '../../lib/digest.ts';
import { formatIsoDay } from '../../lib/time.ts';
import type { CreditLine } from './credit-line.ts';

const DIGITS = 10;
const NUMBER = /^(\d{4}-\d{2}-\d{2})-([0-9A-F]{10})$/;

/** The number of a receipt: its day, and a digest of account and line. It is the same each time, and stored nowhere. */
export async function formatReceiptNumber(
  account: string,
  { id, atMs }: Pick<CreditLine, 'id' | 'atMs'>,
): Promise<string> {
  const digest = await computeSha256Hex(`${account} ${id}`);
  return `${formatIsoDay(atMs)}-${digest.slice(0, DIGITS).toUpperCase()}`;
}

/** The day of a number, as it may be typed; undefined for what is none. */
export function parseReceiptNumber(text: string): { number: string; day: string } | undefined {
  const number = text.trim().toUpperCase();
  const [, day] = NUMBER.exec(number) ?? [];
  return day === undefined || Number.isNaN(Date.parse(day)) ? undefined : { number, day };
}
