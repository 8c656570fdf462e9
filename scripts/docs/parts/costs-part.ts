import { readFileSync } from 'node:fs';
import {
  AUDIT_BYTES,
  type BilledUnit,
  billedUnits,
  countedOperations,
  ENTRIES_A_CALL,
  MEASUREMENT_BYTES,
  OBJECT_GB,
  OBJECT_MS_A_REQUEST,
  prices,
  PRICES_READ,
  PROMPTS_A_MEASUREMENT,
  QUEUE_OPERATIONS_A_MESSAGE,
  RUN_HELD_S,
} from '../costs-data.ts';

/** What the table takes from `bench/results.json`: processor time as it was measured. */
type Results = {
  x402: { cases: readonly { server: string; kind: string; connections: number; best: { cpuUs: number } }[] };
  audit: { fourScores: { cpuMs: { median: number } } };
  entries: { writes: readonly { kind: string; ours: { cpuMs: number }; bytesPerRow: number }[] };
};

const RESULTS = new URL('../../../bench/results.json', import.meta.url);
const MS = 1_000;
const GB = 1_000_000_000;

export type Use = Readonly<Record<BilledUnit, number>>;
export type CostRow = { what: string; use: Use };

/** What each thousand of the page uses in a month. */
export function buildCostRows(): readonly CostRow[] {
  const results = JSON.parse(readFileSync(RESULTS, 'utf8')) as Results; // Written by bench/run.ts.
  const cpuOf = (kind: string): number => {
    const found = results.x402.cases.find(
      (one) => one.server === 'sightline' && one.kind === kind && one.connections === 32,
    );
    if (found === undefined) throw new Error(`bench/results.json has no ${kind} case`);
    return found.best.cpuUs / MS;
  };
  const written = results.entries.writes.find(({ kind }) => kind === 'lines');
  if (written === undefined) throw new Error('bench/results.json has no writes of entries');
  const unpaid = buildUse({ requests: 1, cpuMs: cpuOf('unpaid') }, countedOperations.unpaid);
  const sale = cpuOf('unpaid') + cpuOf('paid');
  const audit = buildUse(
    { requests: 2, cpuMs: sale + results.audit.fourScores.cpuMs.median, bucketGb: AUDIT_BYTES / GB },
    countedOperations.audit,
  );
  const { measurement, panel2, panel4 } = countedOperations;
  const entries = buildUse(
    { requests: 1, cpuMs: written.ours.cpuMs, objectGb: (written.bytesPerRow * ENTRIES_A_CALL) / GB },
    countedOperations.entries,
  );
  return [
    { what: '1,000 unpaid requests', use: multiply(unpaid, 1_000) },
    { what: '1,000 audits', use: multiply(audit, 1_000) },
    { what: '1,000 measurements', use: multiply(buildMeasurement(1, sale, measurement), 1_000) },
    { what: '1,000 panels of 2 engines', use: multiply(buildMeasurement(2, sale, panel2), 1_000) },
    { what: '1,000 panels of 4 engines', use: multiply(buildMeasurement(4, sale, panel4), 1_000) },
    { what: '1,000,000 log entries', use: multiply(entries, 1_000_000 / ENTRIES_A_CALL) },
  ];
}

/**
 * One purchase of a measurement by so many engines. Each has a run, with an object and prompts of its own; what a run was
 * not measured for in a panel (processor time, bytes) is that of a run alone.
 * @param saleMs processor time of one sale
 */
const buildMeasurement = (engines: number, saleMs: number, counted: Counted): Use =>
  buildUse(
    {
      requests: 2,
      cpuMs: engines * saleMs * PROMPTS_A_MEASUREMENT,
      bucketGb: (engines * MEASUREMENT_BYTES) / GB,
      queueOperations: engines * PROMPTS_A_MEASUREMENT * QUEUE_OPERATIONS_A_MESSAGE,
      objectGbS: engines * RUN_HELD_S * OBJECT_GB,
    },
    counted,
  );

type Counted = (typeof countedOperations)[keyof typeof countedOperations];

function buildUse(own: Partial<Use>, counted: Counted): Use {
  const busy = (counted.objectRequests * OBJECT_MS_A_REQUEST * OBJECT_GB) / MS;
  const all: Partial<Use> = { ...own, ...counted, objectGbS: (own.objectGbS ?? 0) + busy };
  return Object.fromEntries(billedUnits.map((unit) => [unit, all[unit] ?? 0])) as Use; // One for each unit.
}

const multiply = (use: Use, by: number): Use =>
  Object.fromEntries(billedUnits.map((unit) => [unit, use[unit] * by])) as Use; // One for each unit.

/** USD of a use by list price, with nothing included. */
export const computeCostUsd = (use: Use): number =>
  billedUnits.reduce((sum, unit) => sum + (use[unit] / prices[unit].per) * prices[unit].usd, 0);

/** The table of `docs/operate/costs.md`, its prices, and how often it fits into what the plan includes. */
export function formatCosts(): string {
  const rows = buildCostRows();
  const head: readonly BilledUnit[] = [
    'requests',
    'cpuMs',
    'objectRequests',
    'objectGbS',
    'rowsWritten',
    'bucketWrites',
    'queueOperations',
  ];
  const titles = ['A month of', ...head.map((unit) => prices[unit].unit), 'USD beyond the plan', 'In the plan'];
  const lines = rows.map(({ what, use }) =>
    [what, ...head.map((unit) => formatCount(use[unit])), computeCostUsd(use).toFixed(3), formatFit(use)].join(' | '),
  );
  const listed = billedUnits.map((unit) => {
    const { usd, per, unit: name, included, source } = prices[unit];
    const of = per === 1 ? name : `${formatCount(per)} ${name}`;
    return `| [${of}](${source}) | ${usd} USD | ${formatCount(included)} |`;
  });
  return [
    `| ${titles.join(' | ')} |`,
    `|${'---|'.repeat(titles.length)}`,
    ...lines.map((line) => `| ${line} |`),
    '',
    `List prices as read on ${PRICES_READ}:`,
    '',
    '| What | Price | Included in a month |',
    '|---|---|---|',
    ...listed,
  ].join('\n');
}

const formatCount = (count: number): string =>
  count.toLocaleString('en-US', { maximumFractionDigits: count > 0 && count < 1 ? 3 : 0 });

/** How often a row fits into the allowances of a month, and which of them ends first. */
function formatFit(use: Use): string {
  const times = billedUnits
    .filter((unit) => use[unit] > 0)
    .map((unit) => ({ unit, fits: prices[unit].included / use[unit] }))
    .toSorted((left, right) => left.fits - right.fits);
  const [first] = times;
  return first === undefined ? 'any' : `${formatCount(Math.floor(first.fits))} times, then ${prices[first.unit].unit}`;
}
