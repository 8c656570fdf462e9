import { formatPayersCsv, formatRevenueCsv } from '../../../src/web/console/money-numbers.ts';
import {
  formatMoneyCsv,
  formatMoneyFileName,
  formatMoneyFilePath,
  MONEY_FILES,
  type MoneyTable,
} from '../../../src/web/console/money-files.ts';
import { RANGES, renderMoney } from '../../../src/web/console/money.tsx';
import {
  CSV_TYPE,
  type ConsoleContext,
  type ConsoleDownload,
  type ConsolePage,
  type NothingToShow,
} from './console-request.ts';
import { moneySignals, serviceSignals } from './pulse.ts';

const DEFAULT_DAYS = 30;
/** Payers that the page shows, and that its file holds. */
const SHOWN_PAYERS = 10;
const MAX_PAYERS = 100;

/** `/console/money?days=30`: revenue per capability and day, where buyers stop, who pays, and what engines cost. */
export const moneyPage: ConsolePage = {
  path: '/console/money',
  title: 'Money',
  scripts: ['/web/revenue.js'],
  show: async (c) => {
    const days = parseDays(c);
    if (days === undefined) return NO_SUCH_RANGE;
    const { OPERATIONS } = c.env;
    const [revenue, payers] = await Promise.all([
      OPERATIONS.revenue({ days }),
      OPERATIONS.payers({ limit: SHOWN_PAYERS }),
    ]);
    return renderMoney({ revenue, payers: payers.read ? payers.payers : undefined });
  },
  signals: [...serviceSignals, ...moneySignals],
  downloads: [
    { path: '/console/money.csv', read: readRevenueFile },
    { path: '/console/payers.csv', read: readPayersFile },
    ...(Object.keys(MONEY_FILES) as MoneyTable[]).map(defineTableFile),
  ],
};

/** The file of one table, of the range of the page. */
function defineTableFile(table: MoneyTable): ConsoleDownload {
  return {
    path: formatMoneyFilePath(table),
    read: async (c) => {
      const days = parseDays(c);
      if (days === undefined) return NO_SUCH_RANGE;
      const revenue = await c.env.OPERATIONS.revenue({ days });
      const text = formatMoneyCsv(table, revenue);
      if (text === undefined) throw new Error('A part of the money could not be read');
      return { name: formatMoneyFileName(table, revenue), type: CSV_TYPE, text };
    },
  };
}

async function readRevenueFile(c: ConsoleContext) {
  const days = parseDays(c);
  if (days === undefined) return NO_SUCH_RANGE;
  const text = formatRevenueCsv(await c.env.OPERATIONS.revenue({ days }));
  return { name: `revenue-${days}-days.csv`, type: CSV_TYPE, text };
}

async function readPayersFile(c: ConsoleContext) {
  const found = await c.env.OPERATIONS.payers({ limit: MAX_PAYERS });
  if (!found.read) throw new Error('The payers could not be read');
  return { name: 'payers-2-days.csv', type: CSV_TYPE, text: formatPayersCsv(found.payers) };
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
