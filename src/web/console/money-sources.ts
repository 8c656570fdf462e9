import type { PayerTotal } from '../../payment/ledger/books.ts';
import type { DayTotal } from '../../payment/ledger/totals.ts';
import { formatMicroUsdc, listRevenueCapabilities } from './money-numbers.ts';
import { formatSoldName } from './sold-names.ts';

/** Capabilities that are named; the rest is one sum. */
const MAX_NAMED = 3;

/**
 * From what revenue came, what brought most first: `Full audit 0.70, Site health 0.06; one payer`. Undefined when nothing
 * was sold.
 * @param payers those of the same time, two at least where there were several; undefined where they are not known
 */
export function describeSources(
  lines: readonly DayTotal[],
  payers: readonly PayerTotal[] | undefined,
): string | undefined {
  const groups = listRevenueCapabilities(lines).filter(({ sales, lost }) => sales > 0 || lost > 0);
  if (groups.length === 0) return undefined;
  const named = groups
    .slice(0, MAX_NAMED)
    .map(({ name, netMicroUsdc }) => `${formatSoldName(name)} ${formatMicroUsdc(netMicroUsdc)}`);
  const rest = groups.slice(MAX_NAMED);
  const others = rest.reduce((sum, { netMicroUsdc }) => sum + netMicroUsdc, 0);
  const more = rest.length === 0 ? [] : [`${rest.length} more ${formatMicroUsdc(others)}`];
  return `From ${[...named, ...more].join(', ')}${payers?.length === 1 ? '; one payer' : ''}.`;
}
