import { formatRevenueCsv, sumRevenue, formatMicroUsdc } from '../../../src/web/console/money-numbers.ts';
import { renderMoney, RANGES } from '../../../src/web/console/money.tsx';
import type { Revenue } from '../../../src/console-api/operations.ts';
import type { ConsoleContext, ConsoleDownload, ConsolePage, NothingToShow, Tile } from './console-request.ts';

const DEFAULT_DAYS = 30;

/** `/console/money?days=30`: revenue per capability and day, failed settlements, and what credits were used for. */
export const moneyPage: ConsolePage = {
  path: '/console/money',
  title: 'Money',
  scripts: ['/web/revenue.js'],
  show: async (c) => {
    const days = parseDays(c);
    return days === undefined ? NO_SUCH_RANGE : renderMoney(await c.env.OPERATIONS.revenue({ days }));
  },
  tile: buildRevenueTile,
};

/** The same as a file. */
export const moneyCsv: ConsoleDownload = {
  path: '/console/money.csv',
  read: async (c) => {
    const days = parseDays(c);
    if (days === undefined) return NO_SUCH_RANGE;
    return {
      name: `revenue-${days}-days.csv`,
      type: 'text/csv; charset=utf-8; header=present',
      text: formatRevenueCsv(await c.env.OPERATIONS.revenue({ days })),
    };
  },
};

async function buildRevenueTile(c: ConsoleContext): Promise<Tile> {
  const { lines, unread, shards, facilitator } = await c.env.OPERATIONS.revenue({ days: 1 });
  const { netMicroUsdc, sales, failures } = sumRevenue(lines);
  const unseen = unread === 0 ? '' : `; could not look at ${unread} of ${shards} shards`;
  return {
    title: 'Revenue today',
    value: `${formatMicroUsdc(netMicroUsdc)} USDC`,
    note: `${sales} sales, ${failures} failed settlements, by UTC${unseen}${formatTrustNote(facilitator)}`,
  };
}

/** Nothing to say while the facilitator is believed. */
function formatTrustNote(facilitator: Revenue['facilitator']): string {
  if (!facilitator.read) return '; could not look at whether the facilitator is believed';
  return facilitator.distrustedAtMs === null ? '' : '; the facilitator is not believed';
}

function parseDays({ query }: ConsoleContext): number | undefined {
  const given = query.get('days') ?? String(DEFAULT_DAYS);
  return RANGES.find((range) => String(range) === given);
}

const NO_SUCH_RANGE: NothingToShow = {
  status: 400,
  title: 'There is no such range',
  detail: `Ask for ${RANGES.join(', ')} days.`,
};
