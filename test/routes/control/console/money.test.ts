import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ConsoleContext } from '../../../../routes/control/console/console-request.ts';
import { moneyPage } from '../../../../routes/control/console/money.ts';
import { overviewPage, SIGNAL_TIMEOUT_MS } from '../../../../routes/control/console/overview.ts';
import { paymentsPage } from '../../../../routes/control/console/payments.ts';
import { runsPage } from '../../../../routes/control/console/runs.ts';
import type { OperationsPort } from '../../../../src/console-api/operations.ts';
import { SHARDS_MS } from '../../../../src/payment/ledger/survey.ts';
import { emptyRevenue, operationsWith, quietPulse } from '../../../support/workers/test-operations.ts';
import { consoleWorld, signalIn } from './world.ts';

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
  ...emptyRevenue(days),
  firstDay: '2026-11-16',
  lines: [
    { ...line, kind: 'sale', count: 3, microUsdc: 180_000 },
    { ...line, kind: 'lost', reason: 'payment_reorged', count: 1, microUsdc: 60_000 },
    { ...line, kind: 'failure', reason: '=insufficient_funds', count: 2, microUsdc: 120_000 },
  ],
  creditUses: { read: true, uses: [{ day: '2026-11-22', capability: 'full_audit', count: 4, microUsdc: 1_000_000 }] },
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
    expect(page).toMatch(/full_audit<\/th><td class="number"[^>]*>4<\/td><td class="number"[^>]*>1\.00/);
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
    [
      { read: true, distrustedAtMs: Date.UTC(2026, 10, 22) } as const,
      /not trusted<\/strong> since <time[^>]*>2026-11-22 00:00 UTC/,
    ],
    [{ read: false } as const, /Could not read<\/strong> whether the facilitator is trusted/],
  ])('says that the facilitator is not trusted, or that this could not be read: %o', async (facilitator, words) => {
    const world = await signedIn({ revenue: async (asked) => ({ ...(await revenue(asked)), facilitator }) });
    expect(await (await world.get('/console/money')).text()).toMatch(words);
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

  test.each(['tomorrow', '2026-02-30', '2999-01-01', '2020-01-01', '', '__proto__'])(
    'a day %j is none of the books',
    async (day) => {
      const asked = vi.fn<OperationsPort['revenue']>(revenue);
      const world = await signedIn({ revenue: asked });
      expect((await world.get(`/console/money?day=${day}`)).status).toBe(400);
      expect(asked).not.toHaveBeenCalled();
    },
  );

  test('yesterday alone is what was sold on that day, by whom, and so is its file', async () => {
    const [today, yesterday] = [0, 1].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
    const payers = vi.fn<OperationsPort['payers']>(async () => ({ read: true, payers: [] }));
    const asked = vi.fn<OperationsPort['revenue']>(async ({ days }) => ({
      ...emptyRevenue(days),
      lines: [
        { ...line, day: today ?? '', kind: 'sale', count: 7, microUsdc: 700_000 },
        { ...line, day: yesterday ?? '', kind: 'sale', count: 3, microUsdc: 180_000 },
      ],
    }));
    const world = await signedIn({ revenue: asked, payers });
    const page = await (await world.get('/console/money?day=yesterday')).text();
    expect(asked).toHaveBeenCalledExactlyOnceWith({ days: 2 });
    expect(payers).toHaveBeenCalledExactlyOnceWith({ limit: 10, day: yesterday });
    expect(page).toContain('<dd>0.18</dd>');
    expect(page).not.toContain('0.70');
    expect(page).toContain('No one paid yesterday.');
    expect(page).toMatch(/href="\/console\/money\?day=yesterday" aria-current="page"/);
    expect(page).toMatch(/Site health <code class="small">check_health/);
    const file = await world.get(`/console/money.csv?day=${yesterday}`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="revenue-${yesterday}.csv"`);
    expect(await file.text()).not.toContain('0.700000');
  });

  test('each day has a row with all of it before its rows', async () => {
    const sold = { ...line, kind: 'sale' as const, count: 1 };
    const lines = [
      { ...sold, microUsdc: 60_000 },
      { ...sold, capability: 'full_audit', microUsdc: 350_000 },
      { ...sold, day: '2026-11-21', microUsdc: 60_000 },
    ];
    const world = await signedIn({ revenue: async (range) => ({ ...(await revenue(range)), lines }) });
    const page = await (await world.get('/console/money?days=7')).text();
    const sums = page.matchAll(/<tr class="sum"><th scope="row">([^<]*)<.*?data-column="Revenue, USDC">([^<]*)</gs);
    expect(Array.from(sums, ([, day, usdc]) => [day, usdc])).toEqual([
      ['2026-11-22', '0.41'],
      ['2026-11-21', '0.06'],
    ]);
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

  test('a line waits longer than shards are asked: one that hangs leaves the figure of the others', () => {
    expect(SHARDS_MS).toBeLessThan(SIGNAL_TIMEOUT_MS);
  });

  test('says how far buyers came, who paid most, and what engines cost', async () => {
    const payer = `0x${'ab'.repeat(20)}`;
    const world = await signedIn({
      revenue: async (asked) => ({
        ...(await revenue(asked)),
        lines: [
          { ...line, kind: 'sale', count: 8, microUsdc: 480_000 },
          { ...line, kind: 'released', count: 1, microUsdc: 60_000 },
          { ...line, kind: 'failure', reason: 'x', count: 1, microUsdc: 60_000 },
        ],
        unpaid: { read: true, counts: [{ day: line.day, capability: 'check_health', count: 40 }] },
        engine: {
          read: true,
          runs: [
            { day: line.day, capability: 'visibility_check', runs: 2, incomplete: 0 },
            {
              day: line.day,
              capability: 'visibility_panel_2',
              runs: 3,
              incomplete: 0,
              pricedRuns: 2,
              microUsd: 70_000,
            },
          ],
          microUsdPerRun: 200_000,
        },
      }),
      payers: async () => ({ read: true, payers: [{ payer, count: 3, microUsdc: 180_000 }] }),
    });
    const page = await (await world.get('/console/money?days=7')).text();
    const [, funnel = ''] = page.split('From the price to the delivery</caption>');
    expect(funnel).toMatch(
      /Site health<\/a><\/th><td[^>]*>40<\/td><td[^>]*>10<\/td><td[^>]*>8 \(80 %\)<\/td><td[^>]*>0<\/td><td[^>]*>1<\/td><td[^>]*>1<\/td><td[^>]*>0</,
    );
    expect(page).toContain(`/console/payments?payer=${payer}`);
    expect(page).toMatch(/Cost of engines.*2026-11-22<\/th><td[^>]*>5<\/td><td[^>]*>0\.67</s);
    const file = await (await world.get('/console/money.csv?days=7')).text();
    expect(file).toContain('2026-11-22,price_asked,check_health,,,40,');
    expect(file).toContain('2026-11-22,given_back_uncharged,check_health,x402,,1,0.060000');
    expect(file).toContain('2026-11-22,engine_cost_estimated,visibility_check,,,2,0.400000');
    expect(file).toContain('2026-11-22,engine_cost_estimated,visibility_panel_2,,,3,0.270000');
    expect(await (await world.get('/console/payers.csv')).text()).toBe(`payer,sales,usdc\r\n${payer},3,0.180000\r\n`);
  });
});

describe('the overview', () => {
  const DAY_MS = 86_400_000;
  const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  const sale = (days: number, usdc: number) => ({
    ...line,
    day: dayBefore(days),
    kind: 'sale' as const,
    count: 2,
    microUsdc: usdc * 1_000_000,
  });
  /** The lines of these pages, without a browser: requests of one address are limited. */
  const overviewWith = async (pulse: OperationsPort['pulse']): Promise<string> => {
    const pages = [moneyPage, paymentsPage, runsPage];
    const env = { OPERATIONS: operationsWith({ pulse }) };
    const context = { pages, env, requestId: 'r', now: Date.now } as unknown as ConsoleContext;
    const content = await overviewPage.show(context);
    if ('status' in content) throw new Error(content.detail);
    return content.toString();
  };
  const overview = (change: Partial<ReturnType<typeof quietPulse>>): Promise<string> =>
    overviewWith(async () => ({ ...quietPulse(), ...change }));

  test('says what was earned yesterday, today and in a week against the week before', async () => {
    const lines = [sale(0, 1), sale(1, 3), sale(2, 2), sale(7, 1), sale(8, 4), sale(14, 2)];
    const page = await overview({ revenue: { ...emptyRevenue(15), lines } });
    expect(signalIn(page, 'Yesterday')).toBe(
      'Yesterday 3.00 USD Earning 2 sales; +50 % on the day before. From Site health 3.00.',
    );
    expect(signalIn(page, 'Today so far')).toBe('Today so far 1.00 USD Earning 2 sales, by UTC.');
    expect(signalIn(page, '7 days')).toBe(
      '7 days 6.00 USD, +20 % Earning With today, against 5.00 USD in the 7 days before.',
    );
    const headlines = /<ul class="headlines">(.*?)<\/ul>/s.exec(page)?.[1] ?? '';
    expect([...headlines.matchAll(/<a href="([^"]*)">([^<]*)/g)].map(([, href, title]) => [title, href])).toEqual([
      ['Yesterday', '/console/money?day=yesterday'],
      ['Today so far', '/console/money?day=today'],
    ]);
    const fallen = await overview({ revenue: { ...emptyRevenue(15), lines: [sale(1, 1), sale(8, 4)] } });
    expect(signalIn(fallen, '7 days')).toContain('Much less');
  });

  test('says from what yesterday was earned, and whether one payer paid all of it', async () => {
    const sold = (capability: string, usdc: number) => ({ ...sale(1, usdc), capability });
    const lines = [
      sold('full_audit', 2),
      sold('check_health', 1),
      sold('credits_5', 5),
      sold('compare', 0.5),
      sold('old', 0.25),
    ];
    const payer = { payer: `0x${'ab'.repeat(20)}`, count: 10, microUsdc: 8_750_000 };
    const withPayers = (payers: (typeof payer)[]) =>
      overview({ revenue: { ...emptyRevenue(15), lines }, yesterdayPayers: { read: true, payers } });
    const from = 'From Credits of 5 USD 5.00, Full audit 2.00, Site health 1.00, 2 more 0.75';
    expect(signalIn(await withPayers([payer]), 'Yesterday')).toContain(`${from}; one payer.`);
    expect(signalIn(await withPayers([payer, payer]), 'Yesterday')).toContain(`${from}.`);
  });

  test('with nothing wrong needs no one, and what could not be read is not in order', async () => {
    expect(await overview({})).toContain('Nothing needs you now.');
    const unread = await overview({ chain: { read: false } });
    expect(signalIn(unread, 'Chain')).toMatch(/^Chain Could not read/);
    expect(unread).toContain('answers could not be read');
  });

  test.each([
    ['a node that is behind', 'Chain', { chain: { read: true, block: '7', atMs: Date.now() - 600_000 } }, 'Behind'],
    [
      'a facilitator that is not trusted',
      'Facilitator',
      { revenue: { ...emptyRevenue(15), facilitator: { read: true, distrustedAtMs: Date.UTC(2026, 10, 22) } } },
      '2026-11-22 Not trusted',
    ],
    ['a facilitator that fails', 'Facilitator', { facilitatorAnswers: { read: true, status: 503 } }, '503 Down'],
    [
      'settlements without an end',
      'Payments without an end',
      { open: { read: true, payments: [{ state: 'unknown', count: 2, oldestAtMs: Date.now() - 3_600_000 }] } },
      '2 Stuck The oldest waits for 1 h',
    ],
    [
      'work that is given back often',
      'Work given back',
      { revenue: { ...emptyRevenue(15), lines: [{ ...sale(0, 1), kind: 'released', count: 5 }, sale(0, 1)] } },
      '5 Many',
    ],
    [
      'prompts that wait for long',
      'Queues',
      {
        queues: {
          queues: [{ name: 'prompts', read: true, messages: 12, bytes: 1, oldestAtMs: Date.now() - 3_600_000 }],
          deadLetters: { read: true, days: [] },
        },
      },
      '12 Stuck Prompts that wait. The oldest waits for 1 h.',
    ],
    [
      'prompts that no one answered',
      'Undeliverable messages',
      { queues: { queues: [], deadLetters: { read: true, days: [{ day: dayBefore(0), count: 4 }] } } },
      '4 Lost',
    ],
    [
      'an engine budget that is nearly spent',
      'Engine budget',
      { engineBudget: { read: true, unpaidMicroUsd: 4_500_000, limitMicroUsd: 5_000_000 } },
      '90 % Nearly spent',
    ],
    ['sales that are closed', 'API', { isClosed: true }, 'Closed'],
  ] as [string, string, Partial<ReturnType<typeof quietPulse>>, string][])(
    'asks for a look at %s',
    async (_name, title, change, words) => {
      const page = await overview(change);
      expect(signalIn(page, title)).toContain(words);
      expect(page).toMatch(new RegExp(`<p class="lead">[^]*>${title}</a>`));
    },
  );

  test('says first that measurements are sold with answers of no AI model', async () => {
    const page = await overview({ demonstrationEngine: 'simulated' });
    expect(page).toMatch(/^<p class="warning" role="status"><strong>Answer engine:<\/strong> .*no AI model/);
    expect(page).toMatch(/<p class="lead">[^]*Answer engine<\/a>/);
    expect(await overview({})).not.toContain('class="warning"');
  });

  test('what is up leads to no page that does not explain it', async () => {
    const page = await overview({});
    expect(page).toMatch(/<span>Chain<\/span>.*<span>Facilitator<\/span>/s);
    expect(page).toContain('<a href="/console/versions">API</a>');
    expect(await overview({ isClosed: true })).toContain('<a href="/console/settings">API</a>');
  });

  test('asks the api Worker once, however many lines need it', async () => {
    const pulse = vi.fn<OperationsPort['pulse']>(async () => quietPulse());
    await overviewWith(pulse);
    expect(pulse).toHaveBeenCalledTimes(1);
  });

  test('refreshes itself only where that was asked for, and says how to stop', async () => {
    const world = await signedIn({});
    const still = await (await world.get('/console/money?days=7')).text();
    expect(still).not.toContain('http-equiv="refresh"');
    expect(still).toContain('href="/console/money?days=7&amp;refresh=30"');
    const moving = await (await world.get('/console/money?days=7&refresh=30')).text();
    expect(moving).toContain('<meta http-equiv="refresh" content="30"');
    expect(moving).toContain('href="/console/money?days=7"');
    expect(await (await world.get('/console/money?refresh=1')).text()).not.toContain('http-equiv="refresh"');
  });
});

describe('payments', () => {
  test('X8: what payers and facilitators say stands there as text, and leads nowhere', async () => {
    const world = await signedIn({
      payments: async () => ({ payments: [payment], capabilities: ['check_health'], shards: 256, unread: 0 }),
    });
    const page = await (await world.get('/console/payments')).text();
    expect(page).not.toContain('<img src=x');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toContain('href="javascript:');
    expect(page).toContain('Signed authorization');
  });

  test('are of the days that are asked for, and end with them', async () => {
    const atMs = Date.parse('2026-11-21T08:30:00Z');
    const older = { ...payment, id: 'aaaaaaaaaaaa', firstClaimedAtMs: Date.parse('2026-11-20T23:59:59Z') };
    const asked = vi.fn<OperationsPort['payments']>(async () => ({
      payments: [{ ...payment, firstClaimedAtMs: atMs }, older],
      next: `${older.firstClaimedAtMs}.3`,
      capabilities: [],
      shards: 256,
      unread: 0,
    }));
    const world = await signedIn({ payments: asked });
    const page = await (await world.get('/console/payments?from=2026-11-21&to=2026-11-21')).text();
    expect(asked).toHaveBeenCalledExactlyOnceWith({ limit: 50, cursor: `${Date.parse('2026-11-22')}.0` });
    expect(page).toContain('2026-11-21 08:30 UTC');
    expect(page).not.toContain('aaaaaaaaaaaa');
    expect(page).not.toContain('Older payments');
    expect(page).toContain('/console/payments.csv?from=2026-11-21&amp;to=2026-11-21');
    expect((await world.get('/console/payments?from=22.11.2026')).status).toBe(400);
    expect((await world.get('/console/payments?to=2026-02-30')).status).toBe(400);
  });

  test('are asked for by state, capability, payer and page, and lead to older ones', async () => {
    const asked = vi.fn<OperationsPort['payments']>(async () => ({
      payments: [payment],
      next: '17.3',
      capabilities: ['check_health'],
      shards: 256,
      unread: 1,
    }));
    const world = await signedIn({ payments: asked });
    const payer = `0x${'ab'.repeat(20)}`;
    const filter = `state=refused&capability=check_health&payer=${payer}`;
    const page = await (await world.get(`/console/payments?${filter}&cursor=20.0`)).text();
    const order = { state: 'refused', capability: 'check_health', payer };
    expect(asked).toHaveBeenCalledExactlyOnceWith({ limit: 50, ...order, cursor: '20.0' });
    expect(page).toContain(`/console/payments?${filter.replaceAll('&', '&amp;')}&amp;cursor=17.3`);
    expect(page).toContain(`/console/payments.csv?${filter.replaceAll('&', '&amp;')}`);
    expect(page).toMatch(/<option value="refused" selected/);
    expect(page).toContain('1 of 256 shards');
  });

  test.each(['state=sold', 'state=toString', 'capability=X', 'payer=0x1', `cursor=${'1'.repeat(41)}`])(
    'nothing is asked for %s',
    async (query) => {
      const asked = vi.fn<OperationsPort['payments']>(async () => null);
      const world = await signedIn({ payments: asked });
      expect((await world.get(`/console/payments?${query}`)).status).toBe(400);
      expect(asked).not.toHaveBeenCalled();
    },
  );

  test('a cursor that the ledger does not know is told', async () => {
    const world = await signedIn({ payments: async () => null });
    expect((await world.get('/console/payments?cursor=x')).status).toBe(400);
  });

  test('are a line each: long ids are whole in the text and the title, and the file holds the rows', async () => {
    const transaction = `0x${'cd'.repeat(32)}`;
    const payer = `0x${'ab'.repeat(20)}`;
    const sold = { ...payment, state: 'settled' as const, reason: '=1+1', payer, transaction };
    const world = await signedIn({
      payments: async () => ({ payments: [sold], next: '1.1', capabilities: ['check_health'], shards: 256, unread: 0 }),
    });
    const page = await (await world.get('/console/payments')).text();
    for (const id of [payer, transaction]) expect(page).toContain(`<code class="id" title="${id}">${id}</code>`);
    const file = await world.get('/console/payments.csv');
    expect(file.headers.get('content-disposition')).toContain('payments-first-1.csv');
    expect(await file.text()).toContain(`settled,check_health,0.060000,${payer},${transaction},abcdef012345,2,,'=1+1`);
  });

  test('none is not the same as none found', async () => {
    const none = async (unread: number) => {
      const world = await signedIn({
        payments: async () => ({ payments: [], capabilities: ['check_health'], shards: 256, unread }),
      });
      return (await world.get('/console/payments')).text();
    };
    expect(await none(0)).toContain('There is no such payment.');
    expect(await none(1)).not.toContain('There is no such payment.');
    const world = await signedIn({
      payments: async () => ({ payments: [], next: '1.1', capabilities: ['check_health'], shards: 256, unread: 0 }),
    });
    expect(await (await world.get('/console/payments')).text()).toContain('Go on with older ones.');
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
    runs: async () => ({ read: true, runs: [run, { ...run, state: 'lost', refused: 2 }] }),
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
  expect(page).toContain('12 answered, 2 refused, 3 failed, of 30');
  const [columns, ...rows] = (await (await world.get('/console/runs.csv')).text()).split('\r\n');
  expect(columns).toContain('answered,refused,failed,total');
  expect([rows[0], rows[1]]).toEqual([expect.stringContaining(',12,,3,30,'), expect.stringContaining(',12,2,3,30,')]);
  expect(page).toContain('Gone without an end');
  expect(page).toMatch(/prompts, undeliverable<\/th><td colspan="3">Could not read/);
  expect(page).not.toContain('<img src=x');
});

test('engines of one kind are distinguished by their rows, in the list and its file; earlier runs show their kind', async () => {
  const run = {
    runId: 'd'.repeat(32),
    capability: 'visibility_panel_2',
    engine: 'openai-compatible',
    model: 'm',
    startedAtMs: 1_795_000_000_000,
    deadlineMs: 1_795_000_120_000,
    endedAtMs: 1_795_000_060_000,
    answered: 30,
    failed: 0,
    total: 30,
    state: 'complete' as const,
  };
  const world = await signedIn({
    runs: async () => ({
      read: true,
      runs: [
        { ...run, engineName: 'one' },
        { ...run, engineName: HOSTILE },
        { ...run, engineName: 'openai-compatible' },
        run,
      ],
    }),
    queues: async () => ({ queues: [], deadLetters: { read: true, days: [] } }),
  });
  const page = await (await world.get('/console/runs')).text();
  const engines = [...page.matchAll(/data-column="Engine">([^<]*)</g)].map(([, text]) => text);
  expect(engines).toEqual([
    'one (openai-compatible)',
    expect.stringContaining('(openai-compatible)'),
    'openai-compatible',
    'openai-compatible',
  ]);
  expect(page).not.toContain('<img src=x');
  const [columns, ...rows] = (await (await world.get('/console/runs.csv')).text()).split('\r\n');
  expect(columns).toMatch(/,engine_name$/);
  expect([rows[0]?.split(',').at(-1), rows[3]?.split(',').at(-1)]).toEqual(['one', '']);
});
