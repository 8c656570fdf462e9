import { formatPayersCsv, formatRevenueCsv } from '../../../src/web/console/money-numbers.ts';
import {
  formatMoneyCsv,
  formatMoneyFileName,
  formatMoneyFilePath,
  MONEY_FILES,
  type MoneyTable,
} from '../../../src/web/console/money-files.ts';
import {
  formatNamedDay,
  type MoneyRange,
  parseMoneyRange,
  RANGES,
  selectRevenueDay,
} from '../../../src/web/console/money-range.ts';
import { renderMoney } from '../../../src/web/console/money.tsx';
import {
  CSV_TYPE,
  type ConsoleContext,
  type ConsoleDownload,
  type ConsolePage,
  type NothingToShow,
} from './console-request.ts';
import { moneySignals, serviceSignals } from './pulse.ts';

/** Payers that the page shows, and that its file holds. */
const SHOWN_PAYERS = 10;
const MAX_PAYERS = 100;

/** `/console/money?days=30`, or `?day=yesterday`: revenue per capability and day, where buyers stop, who pays, and what engines cost. */
export const moneyPage: ConsolePage = {
  path: '/console/money',
  title: 'Money',
  scripts: ['/web/revenue.js'],
  show: async (c) => {
    const range = parseMoneyRange(c.query, c.now());
    if (range === undefined) return NO_SUCH_RANGE;
    const { day } = range;
    const [revenue, payers] = await Promise.all([
      readRange(c, range),
      c.env.OPERATIONS.payers({ limit: SHOWN_PAYERS, ...(day === undefined ? {} : { day }) }),
    ]);
    return renderMoney({
      revenue,
      payers: payers.read ? payers.payers : undefined,
      payersOf: describeKeptDays(day, c.now()),
      nowMs: c.now(),
    });
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
      const range = parseMoneyRange(c.query, c.now());
      if (range === undefined) return NO_SUCH_RANGE;
      const revenue = await readRange(c, range);
      const text = formatMoneyCsv(table, revenue);
      if (text === undefined) throw new Error('A part of the money could not be read');
      return { name: formatMoneyFileName(table, revenue), type: CSV_TYPE, text };
    },
  };
}

async function readRevenueFile(c: ConsoleContext) {
  const range = parseMoneyRange(c.query, c.now());
  if (range === undefined) return NO_SUCH_RANGE;
  const text = formatRevenueCsv(await readRange(c, range));
  return { name: `revenue-${range.day ?? `${range.days}-days`}.csv`, type: CSV_TYPE, text };
}

async function readPayersFile(c: ConsoleContext) {
  const found = await c.env.OPERATIONS.payers({ limit: MAX_PAYERS });
  if (!found.read) throw new Error('The payers could not be read');
  return { name: 'payers-2-days.csv', type: CSV_TYPE, text: formatPayersCsv(found.payers) };
}

async function readRange({ env }: ConsoleContext, { days, day }: MoneyRange) {
  const revenue = await env.OPERATIONS.revenue({ days });
  return day === undefined ? revenue : selectRevenueDay(revenue, day);
}

/** The days of which payers are kept, as the end of a sentence. */
function describeKeptDays(day: string | undefined, nowMs: number): string | undefined {
  if (day === undefined) return 'today and yesterday';
  return (['today', 'yesterday'] as const).find((name) => formatNamedDay(name, nowMs) === day);
}

const NO_SUCH_RANGE: NothingToShow = {
  status: 400,
  title: 'There is no such range',
  detail: `Ask for ${RANGES.join(', ')} days, or for one day of the last ${RANGES.at(-1)}.`,
};
