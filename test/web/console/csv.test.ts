import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Revenue } from '../../../src/console-api/operations.ts';
import { formatCsv } from '../../../src/web/console/tables.tsx';
import {
  listRevenueDays,
  formatRevenueCsv,
  sumRevenue,
  formatMicroUsdc,
} from '../../../src/web/console/money-numbers.ts';
import { formatPaymentsCsv } from '../../../src/web/console/payments.tsx';
import { paymentBecause } from '../../support/pages/fixed-people-pages.ts';
import { naughty } from '../../support/audit/hostile-text.ts';

/** Cells of a CSV file by RFC 4180. */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < csv.length; at += 1) {
    const sign = csv[at] ?? '';
    if (quoted && sign === '"' && csv[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === ',') {
      row.push(cell);
      cell = '';
    } else if (!quoted && sign === '\r' && csv[at + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      at += 1;
    } else cell += sign;
  }
  return rows;
}

describe('X8: a CSV cell', () => {
  test.each(['=HYPERLINK("https://evil.example","x")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
    'X8: that a spreadsheet would run (%j) begins with an apostrophe',
    (cell) => {
      expect(cellsOf(formatCsv([[cell, 'next']]))).toEqual([[`'${cell}`, 'next']]);
    },
  );

  test('X8: comes back as it was otherwise, whatever it holds', () => {
    const sign = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', "'", ',', ' ', 'a', 'é');
    const rows = fc.array(fc.array(fc.string({ unit: sign }), { minLength: 1, maxLength: 4 }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(rows, (given) => {
        const expected = given.map((row) => row.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)));
        expect(cellsOf(formatCsv(given))).toEqual(expected);
      }),
    );
  });

  test('X8: no naughty string becomes a formula', () => {
    const cells = cellsOf(formatCsv(naughty.map((text) => [text]))).flat();
    expect(cells).toHaveLength(naughty.length);
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  });
});

const seen: Revenue = {
  days: 3,
  firstDay: '2026-11-20',
  shards: 256,
  unread: 2,
  creditUses: { read: false },
  unpaid: { read: false },
  engine: { read: false },
  updatedAtMs: null,
  facilitator: { read: true, distrustedAtMs: null },
  lines: [
    line('2026-11-22', 'sale', 2, 120_000),
    line('2026-11-22', 'lost', 1, 60_000),
    line('2026-11-20', 'sale', 1, 5),
    line('2026-11-20', 'failure', 3, 180_000),
  ],
};

function line(day: string, kind: 'sale' | 'lost' | 'failure', count: number, microUsdc: number) {
  const reason = kind === 'sale' ? '' : '=cmd|calc';
  return { day, kind, capability: 'check_health', method: 'x402' as const, reason, count, microUsdc };
}

test('revenue is what was sold without what was not found later, and failures are no money', () => {
  expect(sumRevenue(seen.lines)).toEqual({
    sales: 3,
    netMicroUsdc: 60_005,
    lost: 1,
    lostMicroUsdc: 60_000,
    failures: 3,
    givenBack: 0,
  });
  expect(formatMicroUsdc(60_005)).toBe('0.060005');
  expect(formatMicroUsdc(1_234_500_000)).toBe('1,234.50');
});

test('a day without a line is a day of the chart', () => {
  expect(listRevenueDays(seen).map(({ name, netMicroUsdc }) => [name, netMicroUsdc])).toEqual([
    ['2026-11-20', 5],
    ['2026-11-21', 0],
    ['2026-11-22', 60_000],
  ]);
});

test('X8: the file of the revenue has every line, and says what it lacks', () => {
  const [head, ...rows] = cellsOf(formatRevenueCsv(seen));
  expect(head).toEqual(['day', 'kind', 'capability', 'method', 'reason', 'count', 'usdc']);
  expect(rows[1]).toEqual(['2026-11-22', 'not_found_later', 'check_health', 'x402', "'=cmd|calc", '1', '0.060000']);
  expect(rows.slice(-2).map((row) => row.slice(0, 5))).toEqual([
    ['', 'could_not_look', '', '', '2 of 256 ledger shards'],
    ['', 'could_not_look', '', 'credits', 'the registers of calls on credits, prices asked and measurements'],
  ]);
});

test('the file of payments says in its last column how each was made', () => {
  const payments = (['x402', 'mpp', 'transfer'] as const).map((method, at) => ({
    ...paymentBecause(undefined, at),
    method,
  }));
  const [head, ...rows] = cellsOf(formatPaymentsCsv({ payments }));
  expect(head?.at(-1)).toBe('paid_by');
  expect(rows.map((row) => row.at(-1))).toEqual(['x402', 'mpp', 'transfer']);
});
