import type { Revenue } from '../../console-api/operations.ts';
import { formatPercent } from '../../lib/numbers.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { CreditUse } from '../../payment/credits/credit-usage.ts';
import type { PayerTotal } from '../../payment/ledger/books.ts';
import type { DayTotal } from '../../payment/ledger/totals.ts';
import { formatCsv } from './tables.tsx';

const format = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** `0.06`: six digits at most, as USDC has them. */
export const formatMicroUsdc = (micro: number): string => format.format(micro / 1_000_000);

/** What came, what of it a later look at the chain missed, and what failed. `netMicroUsdc` is revenue. */
export type Sums = {
  sales: number;
  netMicroUsdc: number;
  lost: number;
  lostMicroUsdc: number;
  failures: number;
  /** Good payments that were given back uncharged. */
  givenBack: number;
};

const NOTHING: Sums = { sales: 0, netMicroUsdc: 0, lost: 0, lostMicroUsdc: 0, failures: 0, givenBack: 0 };

export function sumRevenue(lines: readonly DayTotal[]): Sums {
  const sums = { ...NOTHING };
  for (const { kind, count, microUsdc } of lines) {
    if (kind === 'sale') {
      sums.sales += count;
      sums.netMicroUsdc += microUsdc;
    } else if (kind === 'lost') {
      sums.lost += count;
      sums.lostMicroUsdc += microUsdc;
      sums.netMicroUsdc -= microUsdc;
    } else if (kind === 'failure') {
      sums.failures += count;
    } else {
      sums.givenBack += count;
    }
  }
  return sums;
}

export type RevenueGroup = Sums & { name: string };

/** Sums by what `nameOf` says of each line, in the order in which the names come. */
export function groupRevenue(lines: readonly DayTotal[], nameOf: (line: DayTotal) => string): RevenueGroup[] {
  const groups = Map.groupBy(lines, nameOf);
  return Array.from(groups, ([name, group]) => ({ name, ...sumRevenue(group) }));
}

/** Every day of the range, oldest first: a day without a line is a day without sales. */
export function listRevenueDays({ firstDay, days, lines }: Revenue): RevenueGroup[] {
  const known = new Map(groupRevenue(lines, ({ day }) => day).map((group) => [group.name, group]));
  const start = Date.parse(firstDay);
  return Array.from({ length: days }, (_, index) => {
    const name = new Date(start + index * DAY_MS).toISOString().slice(0, 10);
    return known.get(name) ?? { name, ...NOTHING };
  });
}

/** Revenue by capability, most first. */
export const listRevenueCapabilities = (lines: readonly DayTotal[]): RevenueGroup[] =>
  groupRevenue(lines, ({ capability }) => capability).toSorted((a, b) => b.netMicroUsdc - a.netMicroUsdc);

/** Lines that money came by, or went from. */
export const isMoney = ({ kind }: DayTotal): boolean => kind === 'sale' || kind === 'lost';

/** Revenue of one capability on one day, by how it was paid. */
export type RevenueLine = Sums & { day: string; capability: string; method: string };

/** Revenue by day, capability and method, newest first. */
export const listRevenueLines = (lines: readonly DayTotal[]): RevenueLine[] => {
  const groups = Map.groupBy(lines.filter(isMoney), ({ day, capability, method }) => `${day} ${capability} ${method}`);
  return Array.from(groups.values(), (group) => {
    const [{ day, capability, method } = { day: '', capability: '', method: '' }] = group;
    return { day, capability, method, ...sumRevenue(group) };
  });
};

/** Settlements that failed for one reason, and the last day on which one did. */
export type FailedSettlements = { reason: string; count: number; lastDay: string };

export const listFailures = (lines: readonly DayTotal[]): FailedSettlements[] => {
  const failed = lines.filter(({ kind }) => kind === 'failure');
  return Array.from(
    Map.groupBy(failed, ({ reason }) => reason),
    ([reason, group]) => ({
      reason,
      count: sumRevenue(group).failures,
      lastDay: group.reduce((last, { day }) => (day > last ? day : last), ''),
    }),
  ).toSorted((a, b) => b.count - a.count);
};

/** Calls that credits paid for, of one capability. */
export type CapabilityUses = { capability: string; calls: number; microUsdc: number };

export const listCreditUses = (uses: readonly CreditUse[]): CapabilityUses[] =>
  Array.from(
    Map.groupBy(uses, ({ capability }) => capability),
    ([capability, group]) => ({
      capability,
      calls: group.reduce((sum, { count }) => sum + count, 0),
      microUsdc: group.reduce((sum, { microUsdc }) => sum + microUsdc, 0),
    }),
  );

/** What engines are said to have cost on a day, against what came in. */
export type EngineDay = { day: string; measurements: number; costMicroUsd: number; netMicroUsdc: number };

type EngineRuns = Extract<Revenue['engine'], { read: true }>['runs'][number];

/** What the prompts of these runs cost. Runs of before that was recorded count at what a run costs as a rule. */
export const computeEngineMicroUsd = (
  { runs, pricedRuns = 0, microUsd = 0 }: EngineRuns,
  microUsdPerRun: number,
): number => microUsd + (runs - pricedRuns) * microUsdPerRun;

/** Days on which a measurement ended, newest first; none where the measurements could not be read. */
export function listEngineDays(revenue: Revenue): EngineDay[] {
  const { engine } = revenue;
  if (!engine.read) return [];
  const byDay = Map.groupBy(engine.runs, ({ day }) => day);
  return listRevenueDays(revenue)
    .toReversed()
    .flatMap(({ name: day, netMicroUsdc }) => {
      const ended = byDay.get(day);
      if (ended === undefined) return [];
      const measurements = ended.reduce((sum, { runs }) => sum + runs, 0);
      const costMicroUsd = ended.reduce((sum, run) => sum + computeEngineMicroUsd(run, engine.microUsdPerRun), 0);
      return [{ day, measurements, costMicroUsd, netMicroUsdc }];
    });
}

const WORDS = {
  sale: 'sale',
  lost: 'not_found_later',
  failure: 'failed_settlement',
  released: 'given_back_uncharged',
} as const;

export const formatPayments = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`;

/** A change as people say it: `+12 %`. Undefined where there was nothing before. */
export function formatChange(now: number, before: number): string | undefined {
  if (before <= 0) return undefined;
  const share = (now - before) / before;
  return `${share < 0 ? '−' : '+'}${formatPercent(Math.abs(share))}`;
}

export const formatPayersCsv = (payers: readonly PayerTotal[]): string =>
  formatCsv([
    ['payer', 'sales', 'usdc'],
    ...payers.map(({ payer, count, microUsdc }) => [payer, count, formatSixDecimals(microUsdc)]),
  ]);

/** Everything of the range, one line of the books a row. What could not be read has a row that says so. */
export function formatRevenueCsv({ lines, creditUses, unpaid, engine, shards, unread }: Revenue): string {
  const uses = creditUses.read ? creditUses.uses : [];
  const asked = unpaid.read ? unpaid.counts : [];
  const runs = engine.read
    ? engine.runs.map((run) => ({ ...run, cost: computeEngineMicroUsd(run, engine.microUsdPerRun) }))
    : [];
  return formatCsv([
    ['day', 'kind', 'capability', 'method', 'reason', 'count', 'usdc'],
    ...lines.map((line) => [
      line.day,
      WORDS[line.kind],
      line.capability,
      line.method,
      line.reason,
      line.count,
      formatSixDecimals(line.microUsdc),
    ]),
    ...uses.map((use) => [
      use.day,
      'credit_use',
      use.capability,
      'credits',
      '',
      use.count,
      formatSixDecimals(use.microUsdc),
    ]),
    ...asked.map(({ day, capability, count }) => [day, 'price_asked', capability, '', '', count, '']),
    ...runs.map(({ day, capability, runs: count, cost }) => [
      day,
      'engine_cost_estimated',
      capability,
      '',
      '',
      count,
      formatSixDecimals(cost),
    ]),
    ...(unread === 0 ? [] : [['', 'could_not_look', '', '', `${unread} of ${shards} ledger shards`, '', '']]),
    ...(creditUses.read
      ? []
      : [
          [
            '',
            'could_not_look',
            '',
            'credits',
            'the registers of calls on credits, prices asked and measurements',
            '',
            '',
          ],
        ]),
  ]);
}

export const formatSixDecimals = (micro: number): string => (micro / 1_000_000).toFixed(6);
