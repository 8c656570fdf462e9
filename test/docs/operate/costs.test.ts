import { describe, expect, test } from 'vitest';
import { billedUnits, prices, PRICES_GOOD_DAYS, PRICES_READ } from '../../../scripts/docs/costs-data.ts';
import { buildCostRows, computeCostUsd, formatCosts, type Use } from '../../../scripts/docs/parts/costs-part.ts';
import { panels } from '../../../src/capabilities/panels.ts';
import { listMigrations } from '../../../scripts/docs/parts/migrations-part.ts';

const DAY_MS = 86_400_000;
const nothing = Object.fromEntries(billedUnits.map((unit) => [unit, 0])) as Use;

describe('the table of costs', () => {
  test.each(billedUnits)('a million, or one, of %s costs its list price', (unit) => {
    expect(computeCostUsd({ ...nothing, [unit]: prices[unit].per })).toBeCloseTo(prices[unit].usd, 10);
  });

  test('has its rows, each with a use and a price', () => {
    const rows = buildCostRows();
    expect(rows.map(({ what }) => what)).toEqual([
      '1,000 unpaid requests',
      '1,000 audits',
      '1,000 measurements',
      '1,000 panels of 2 engines',
      '1,000 panels of 4 engines',
      '1,000,000 log entries',
    ]);
    for (const { use } of rows) expect(computeCostUsd(use)).toBeGreaterThan(0);
    expect(formatCosts().split('\n')[2]).toMatch(/^\| 1,000 unpaid requests \| 1,000 \|/);
  });

  test.each(panels)(
    'a panel costs less than its engines one by one, and each engine has its prompts: $name',
    (panel) => {
      const rows = buildCostRows();
      const find = (wanted: string): Use => rows.find(({ what }) => what === wanted)?.use ?? nothing;
      const one = find('1,000 measurements');
      const all = find(`1,000 panels of ${panel.engineCount} engines`);
      for (const unit of ['cpuMs', 'queueOperations', 'bucketGb'] as const)
        expect(all[unit]).toBeCloseTo(panel.engineCount * one[unit], 5);
      expect(all.requests).toBe(one.requests);
      for (const unit of ['objectRequests', 'objectGbS', 'rowsWritten', 'bucketWrites'] as const) {
        expect(all[unit]).toBeGreaterThan(one[unit]);
        expect(all[unit]).toBeLessThan(panel.engineCount * one[unit]);
      }
    },
  );

  test('its prices were read lately: read the pages that it links, then change the date', () => {
    const ageDays = (Date.now() - Date.parse(PRICES_READ)) / DAY_MS;
    expect(ageDays).toBeLessThan(PRICES_GOOD_DAYS);
    expect(ageDays).toBeGreaterThan(-2);
  });
});

test('migrations are those of the configuration itself, in their order', () => {
  const toml =
    '[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["A", "B"]\n\n[[env.staging.migrations]]\ntag = "x"\nnew_sqlite_classes = ["C"]\n\n[[migrations]]\ntag = "v2"\nnew_sqlite_classes = ["D"]\n';
  expect(listMigrations(toml)).toEqual([
    { tag: 'v1', classes: ['A', 'B'] },
    { tag: 'v2', classes: ['D'] },
  ]);
});
