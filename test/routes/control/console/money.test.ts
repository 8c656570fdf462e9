import { afterEach, describe, expect, test, vi } from 'vitest';
import { TILE_TIMEOUT_MS } from '../../../../routes/control/console/console-pages.ts';
import type { OperationsPort } from '../../../../src/console-api/operations.ts';
import { SHARD_MS } from '../../../../src/payment/ledger/survey.ts';
import { operationsWith } from '../../../support/workers/test-operations.ts';
import { consoleWorld } from './world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function signedIn(answers: Partial<OperationsPort>) {
  const world = consoleWorld({ bindings: { OPERATIONS: operationsWith(answers) } });
  await world.signIn();
  return world;
}

const HOSTILE = '<img src=x onerror=alert(1)>';
const line = { day: '2026-11-22', capability: 'check_health', method: 'x402' as const, reason: '' };
const revenue: OperationsPort['revenue'] = async ({ days }) => ({
  days,
  firstDay: '2026-11-16',
  lines: [
    { ...line, kind: 'sale', count: 3, microUsdc: 180_000 },
    { ...line, kind: 'lost', reason: 'payment_reorged', count: 1, microUsdc: 60_000 },
    { ...line, kind: 'failure', reason: '=insufficient_funds', count: 2, microUsdc: 120_000 },
  ],
  creditUses: { read: true, uses: [{ day: '2026-11-22', capability: 'full_audit', count: 4, microUsdc: 1_000_000 }] },
  facilitator: { read: true, distrustedAtMs: null },
  shards: 256,
  unread: 0,
});
const payment = {
  id: 'abcdef012345',
  method: 'x402' as const,
  capability: 'check_health',
  amountMicroUsdc: 60_000,
  payer: HOSTILE,
  state: 'refused' as const,
  attempt: 2,
  firstClaimedAtMs: 1_795_000_000_000,
  claimedAtMs: 1_795_000_000_000,
  failures: 1,
  reason: HOSTILE,
  transaction: 'javascript:alert(1)',
  proof: { by: 'signature' as const, verified: true, provenPayer: true, validBeforeS: 1_795_000_300 },
};

describe('money', () => {
  test('shows revenue without what was not found later, failures by reason, and credits beside it', async () => {
    const world = await signedIn({ revenue });
    const answer = await world.get('/console/money?days=7');
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('<dd>0.12</dd>');
    expect(page).toContain('data-micro-usdc="0 0 0 0 0 0 120000"');
    expect(page).toContain('=insufficient_funds');
    expect(page).toMatch(/full_audit<\/th><td class="number">4<\/td><td class="number">1\.00/);
    expect(page).not.toContain('Could not read');
    expect(page).not.toContain('style=');
  });

  test('says of how many shards nothing is known, and shows no number in place of what was not read', async () => {
    const world = await signedIn({
      revenue: async (asked) => ({ ...(await revenue(asked)), unread: 3, creditUses: { read: false } }),
    });
    const page = await (await world.get('/console/money')).text();
    expect(page).toMatch(/Could not read<\/strong> 3 of 256 shards/);
    expect(page).toMatch(/Could not read<\/strong> the calls that credits paid for/);
  });

  test.each([
    [{ read: true, distrustedAtMs: Date.UTC(2026, 10, 22) } as const, /not trusted<\/strong> since 2026-11-22T00:00/],
    [{ read: false } as const, /Could not read<\/strong> whether the facilitator is trusted/],
  ])('says that the facilitator is not trusted, or that this could not be read: %o', async (facilitator, words) => {
    const world = await signedIn({ revenue: async (asked) => ({ ...(await revenue(asked)), facilitator }) });
    expect(await (await world.get('/console/money')).text()).toMatch(words);
    expect(await (await world.get('/console/')).text()).toContain('the facilitator is');
  });

  test.each([0, 3])(
    'with %i shards unread, nothing found is said to be nothing only when all were read',
    async (unread) => {
      const world = await signedIn({ revenue: async (asked) => ({ ...(await revenue(asked)), lines: [], unread }) });
      const page = await (await world.get('/console/money')).text();
      expect(page.includes('No settlement failed.')).toBe(unread === 0);
      expect(page.includes('Nothing was sold.')).toBe(unread === 0);
    },
  );

  test.each(['5', '-7', '07', 'x', '1000000'])('a range of %s days is none', async (days) => {
    const asked = vi.fn<OperationsPort['revenue']>(revenue);
    const world = await signedIn({ revenue: asked });
    for (const path of ['/console/money', '/console/money.csv'])
      expect((await world.get(`${path}?days=${days}`)).status).toBe(400);
    expect(asked).not.toHaveBeenCalled();
  });

  test('X8: its file is saved, not shown, and holds no formula', async () => {
    const world = await signedIn({ revenue });
    const answer = await world.get('/console/money.csv?days=7');
    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="revenue-7-days.csv"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toContain(
      "2026-11-22,failed_settlement,check_health,x402,'=insufficient_funds,2,0.120000",
    );
  });

  test('an api Worker that does not answer is 503 on pages and files, and no zero', async () => {
    const fail = () => Promise.reject(new Error('away'));
    const world = await signedIn({ revenue: fail, payments: fail, runs: fail, queues: fail });
    for (const path of ['/console/money', '/console/money.csv', '/console/payments', '/console/runs']) {
      const answer = await world.get(path);
      expect([path, answer.status]).toEqual([path, 503]);
      expect(await answer.text()).toContain('Could not read');
    }
  });

  test.each(['/console/money', '/console/money.csv', '/console/payments', '/console/runs'])(
    'K10: %s is for who is signed in',
    async (path) => {
      const asked = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('asked')));
      const world = consoleWorld({
        bindings: { OPERATIONS: operationsWith({ revenue: asked, payments: asked, runs: asked, queues: asked }) },
      });
      const answer = await world.get(path);
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toContain('/console/signin');
      expect(asked).not.toHaveBeenCalled();
    },
  );

  test('a tile waits longer than a shard may take: one that hangs leaves the figure of the others', () => {
    expect(SHARD_MS).toBeLessThan(TILE_TIMEOUT_MS);
  });

  test('the overview has tiles of it', async () => {
    const world = await signedIn({
      revenue,
      queues: async () => ({
        queues: [
          { name: 'prompts', read: true, messages: 12, bytes: 100 },
          { name: 'other', read: false },
        ],
        deadLetters: { read: false },
      }),
    });
    const page = await (await world.get('/console/')).text();
    expect(page).toContain('0.12 USDC');
    expect(page).toContain('could not read every queue');
  });
});

describe('payments', () => {
  test('X8: what payers and facilitators say stands there as text, and leads nowhere', async () => {
    const world = await signedIn({ payments: async () => ({ payments: [payment], shards: 256, unread: 0 }) });
    const page = await (await world.get('/console/payments')).text();
    expect(page).not.toContain('<img src=x');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toContain('href="javascript:');
    expect(page).toContain('Signed authorization');
  });

  test('are asked for by state and page, and lead to older ones', async () => {
    const asked = vi.fn<OperationsPort['payments']>(async () => ({
      payments: [payment],
      next: '17.3.1',
      shards: 256,
      unread: 1,
    }));
    const world = await signedIn({ payments: asked });
    const page = await (await world.get('/console/payments?state=refused&cursor=20.0.0')).text();
    expect(asked).toHaveBeenCalledExactlyOnceWith({ limit: 50, state: 'refused', cursor: '20.0.0' });
    expect(page).toContain('/console/payments?state=refused&amp;cursor=17.3.1');
    expect(page).toMatch(/<option value="refused" selected/);
    expect(page).toContain('1 of 256 shards');
  });

  test.each(['state=sold', 'state=toString', `cursor=${'1'.repeat(41)}`])('nothing is asked for %s', async (query) => {
    const asked = vi.fn<OperationsPort['payments']>(async () => null);
    const world = await signedIn({ payments: asked });
    expect((await world.get(`/console/payments?${query}`)).status).toBe(400);
    expect(asked).not.toHaveBeenCalled();
  });

  test('a cursor that the ledger does not know is told', async () => {
    const world = await signedIn({ payments: async () => null });
    expect((await world.get('/console/payments?cursor=x')).status).toBe(400);
  });

  test('none is not the same as none found', async () => {
    const none = async (unread: number) => {
      const world = await signedIn({ payments: async () => ({ payments: [], shards: 256, unread }) });
      return (await world.get('/console/payments')).text();
    };
    expect(await none(0)).toContain('There is no such payment.');
    expect(await none(1)).not.toContain('There is no such payment.');
  });
});

test('runs show their state and progress, and queues what waits or that nobody could look', async () => {
  const run = {
    runId: 'c'.repeat(32),
    capability: 'visibility_check',
    engine: 'simulated',
    model: HOSTILE,
    startedAtMs: 1_795_000_000_000,
    deadlineMs: 1_795_000_120_000,
    endedAtMs: null,
    answered: 12,
    failed: 3,
    total: 30,
    state: 'running' as const,
  };
  const world = await signedIn({
    runs: async () => ({ read: true, runs: [run, { ...run, state: 'lost' }] }),
    queues: async () => ({
      queues: [
        { name: 'prompts', read: true, messages: 7, bytes: 700, oldestAtMs: 1_795_000_000_000 },
        { name: 'prompts, undeliverable', read: false },
      ],
      deadLetters: { read: true, days: [{ day: '2026-11-22', count: 2 }] },
    }),
  });
  const page = await (await world.get('/console/runs')).text();
  expect(page).toContain('12 answered, 3 failed, of 30');
  expect(page).toContain('Gone without an end');
  expect(page).toMatch(/prompts, undeliverable<\/th><td colspan="3">Could not read/);
  expect(page).not.toContain('<img src=x');
});
