import type { Revenue } from '../../console-api/operations.ts';
import { listFunnel } from './funnel-lines.ts';
import {
  formatSixDecimals,
  isMoney,
  listCreditUses,
  listEngineDays,
  listFailures,
  listRevenueCapabilities,
  listRevenueDays,
  listRevenueLines,
} from './money-numbers.ts';
import { formatRangeQuery } from './money-range.ts';
import { formatCsv } from './tables.tsx';

/** Cents as dollars. */
export const formatCents = (cents: number): string => (cents / 100).toFixed(2);

type Cells = readonly (string | number)[];

/** A table of the money page as a file. `rows` is undefined where what it shows could not be read. */
export type MoneyFile = {
  /** Of the path, and of the file that is saved. */
  name: string;
  columns: readonly string[];
  rows: (revenue: Revenue) => readonly Cells[] | undefined;
};

/** A file for each table of `/console/money`, with the columns of that table. */
export const MONEY_FILES = {
  days: {
    name: 'revenue-by-day',
    columns: ['day', 'revenue_usdc', 'sales', 'not_found_later', 'failed'],
    rows: (revenue) =>
      listRevenueDays(revenue)
        .toReversed()
        .map(({ name, netMicroUsdc, sales, lost, failures }) => [
          name,
          formatSixDecimals(netMicroUsdc),
          sales,
          lost,
          failures,
        ]),
  },
  capabilities: {
    name: 'revenue-by-capability',
    columns: ['capability', 'revenue_usdc', 'sales', 'not_found_later'],
    rows: ({ lines }) =>
      listRevenueCapabilities(lines.filter(isMoney)).map(({ name, netMicroUsdc, sales, lost }) => [
        name,
        formatSixDecimals(netMicroUsdc),
        sales,
        lost,
      ]),
  },
  funnel: {
    name: 'price-to-delivery',
    columns: [
      'capability',
      'price_asked',
      'paid',
      'delivered',
      'on_credits',
      'given_back',
      'not_settled',
      'lost_later',
    ],
    rows: (revenue) =>
      listFunnel(revenue).map(({ capability, asked, begun, delivered, onCredits, givenBack, failed, lost }) => [
        capability,
        asked ?? '',
        begun,
        delivered,
        onCredits ?? '',
        givenBack,
        failed,
        lost,
      ]),
  },
  engines: {
    name: 'engine-costs',
    columns: ['day', 'measurements', 'engines_usd_estimated', 'revenue_usdc'],
    rows: (revenue) =>
      revenue.engine.read
        ? listEngineDays(revenue).map(({ day, measurements, costMicroUsd, netMicroUsdc }) => [
            day,
            measurements,
            formatSixDecimals(costMicroUsd),
            formatSixDecimals(netMicroUsdc),
          ])
        : undefined,
  },
  lines: {
    name: 'revenue-by-capability-and-day',
    columns: ['day', 'capability', 'paid_by', 'revenue_usdc', 'sales', 'not_found_later'],
    rows: ({ lines }) =>
      listRevenueLines(lines).map(({ day, capability, method, netMicroUsdc, sales, lost }) => [
        day,
        capability,
        method,
        formatSixDecimals(netMicroUsdc),
        sales,
        lost,
      ]),
  },
  failures: {
    name: 'failed-settlements',
    columns: ['reason', 'settlements', 'last_day'],
    rows: ({ lines }) => listFailures(lines).map(({ reason, count, lastDay }) => [reason, count, lastDay]),
  },
  cards: {
    name: 'paid-by-card',
    columns: ['day', 'pack', 'what', 'count', 'usd'],
    rows: ({ cards }) =>
      cards === undefined || cards.read
        ? (cards?.days ?? []).map(({ day, pack, kind, count, cents }) => [day, pack, kind, count, formatCents(cents)])
        : undefined,
  },
  credits: {
    name: 'calls-on-credits',
    columns: ['capability', 'calls', 'credits_used_usdc'],
    rows: ({ creditUses }) =>
      creditUses.read
        ? listCreditUses(creditUses.uses).map(({ capability, calls, microUsdc }) => [
            capability,
            calls,
            formatSixDecimals(microUsdc),
          ])
        : undefined,
  },
} as const satisfies Readonly<Record<string, MoneyFile>>;

export type MoneyTable = keyof typeof MONEY_FILES;

/** Path of the file of a table. */
export const formatMoneyFilePath = (table: MoneyTable): `/console/${string}` => `/console/money/${table}.csv`;

/** The same with the range of the page. */
export const formatMoneyFileHref = (table: MoneyTable, range: Pick<Revenue, 'days' | 'firstDay'>): string =>
  `${formatMoneyFilePath(table)}?${formatRangeQuery(range)}`;

/** The rows of a table as CSV (rule X8); undefined where they could not be read. */
export function formatMoneyCsv(table: MoneyTable, revenue: Revenue): string | undefined {
  const { columns, rows }: MoneyFile = MONEY_FILES[table];
  const found = rows(revenue);
  return found && formatCsv([columns, ...found]);
}

/** A file that lacks what a part of the ledger holds says so in its name. */
export const formatMoneyFileName = (table: MoneyTable, { days, firstDay, unread, shards }: Revenue): string =>
  `${MONEY_FILES[table].name}-${days === 1 ? firstDay : `${days}-days`}${unread === 0 ? '' : `-without-${unread}-of-${shards}-shards`}.csv`;
