import { expect, test } from 'vitest';
import type { OperationsPort } from '../../../../src/console-api/operations.ts';
import { MONEY_FILES, formatMoneyFilePath, type MoneyTable } from '../../../../src/web/console/money-files.ts';
import { emptyRevenue, operationsWith } from '../../../support/workers/test-operations.ts';
import { consoleWorld } from './world.ts';

const line = { day: '2026-11-22', capability: 'check_health', method: 'x402' as const, reason: '' };
const revenue: OperationsPort['revenue'] = async ({ days }) => ({
  ...emptyRevenue(days),
  firstDay: '2026-11-16',
  lines: [
    { ...line, kind: 'sale', count: 3, microUsdc: 180_000 },
    { ...line, kind: 'lost', reason: 'payment_reorged', count: 1, microUsdc: 60_000 },
    { ...line, kind: 'released', count: 1, microUsdc: 60_000 },
    { ...line, kind: 'failure', reason: '=insufficient_funds', count: 2, microUsdc: 120_000 },
    { ...line, day: '2026-11-20', kind: 'failure', reason: '=insufficient_funds', count: 1, microUsdc: 60_000 },
  ],
  unpaid: { read: true, counts: [{ day: '2026-11-22', capability: 'check_health', count: 40 }] },
  creditUses: {
    read: true,
    uses: [
      { day: '2026-11-22', capability: 'full_audit', count: 4, microUsdc: 1_400_000 },
      { day: '2026-11-21', capability: 'full_audit', count: 1, microUsdc: 350_000 },
    ],
  },
  cards: { read: true, days: [{ day: '2026-11-22', kind: 'paid', pack: 'credits_5', count: 2, cents: 1_000 }] },
  engine: {
    read: true,
    runs: [{ day: '2026-11-22', capability: 'visibility_check', runs: 2, incomplete: 0 }],
    microUsdPerRun: 200_000,
  },
});

async function signedIn(change: Partial<Awaited<ReturnType<OperationsPort['revenue']>>> = {}) {
  const answers = { revenue: async (asked: { days: number }) => ({ ...(await revenue(asked)), ...change }) };
  const world = consoleWorld({ bindings: { OPERATIONS: operationsWith(answers) } });
  await world.signIn();
  return world;
}

const TABLES = Object.keys(MONEY_FILES) as MoneyTable[];
const LAST_ROWS: Readonly<Record<MoneyTable, string>> = {
  days: '2026-11-16,0.000000,0,0,0',
  capabilities: 'check_health,0.120000,3,1',
  funnel: 'full_audit,0,0,0,5,0,0,0',
  engines: '2026-11-22,2,0.400000,0.120000',
  lines: '2026-11-22,check_health,x402,0.120000,3,1',
  failures: "'=insufficient_funds,3,2026-11-22",
  cards: '2026-11-22,credits_5,paid,2,10.00',
  credits: 'full_audit,5,1.750000',
};

test.each(TABLES)('the table %s has a file of its own, with its own columns, and leads to it', async (table) => {
  const world = await signedIn();
  const path = `${formatMoneyFilePath(table)}?days=7`;
  expect(await (await world.get('/console/money?days=7')).text()).toContain(`href="${path}"`);
  const answer = await world.get(path);
  const { name, columns } = MONEY_FILES[table];
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}-7-days.csv"`);
  const [head, ...rows] = (await answer.text()).trimEnd().split('\r\n');
  expect(head).toBe(columns.join(','));
  expect(rows.at(-1)).toBe(LAST_ROWS[table]);
  for (const row of rows) expect(row.split(',')).toHaveLength(columns.length);
});

test('the funnel counts each step of a capability', async () => {
  const file = await (await (await signedIn()).get('/console/money/funnel.csv?days=7')).text();
  expect(file).toContain('check_health,40,7,3,0,1,3,1');
});

test('no two tables have the same columns', () => {
  expect(new Set(TABLES.map((table) => MONEY_FILES[table].columns.join())).size).toBe(TABLES.length);
});

test('a file without a part of the ledger says so in its name, and one of what could not be read is no empty file', async () => {
  const part = await (await signedIn({ unread: 3 })).get('/console/money/days.csv?days=7');
  expect(part.headers.get('content-disposition')).toContain('revenue-by-day-7-days-without-3-of-256-shards.csv');
  const unread = await signedIn({ creditUses: { read: false }, engine: { read: false } });
  for (const table of ['credits', 'engines'] as const)
    expect((await unread.get(`${formatMoneyFilePath(table)}?days=7`)).status).toBe(503);
  expect((await unread.get('/console/money/days.csv?days=8')).status).toBe(400);
});
