import { beforeEach, describe, expect, test } from 'vitest';
import type {
  ConsoleCreditOrder,
  CustomerPage,
  ServiceActsPort,
  ServiceFactsPort,
} from '../../../../../src/console-api/service.ts';
import { decodeEntities, saidAfter, serviceWorld } from './world.ts';

let tenants = 0;
let own: Record<string, unknown> = {};
beforeEach(() => {
  tenants += 1;
  own = { OPERATOR_TENANT: `C000customers${tenants}`, OPERATOR_PROJECT: `customers-${tenants}` };
});

const ADDRESS = `0x${'1a'.repeat(20)}`;
const OTHER = `0x${'2b'.repeat(20)}`;
const ACCOUNT = 'c'.repeat(32);
const HOSTILE = '<img src=x onerror=alert(1)>';
const credits = {
  read: true,
  balanceMicroUsdc: 4_940_000,
  reservedMicroUsdc: 0,
  pendingMicroUsdc: 0,
  clients: [],
} as const;
const customer: CustomerPage = {
  account: ACCOUNT,
  address: ADDRESS,
  createdAtMs: Date.UTC(2026, 10, 1),
  credits,
  entries: {
    read: true,
    entries: [
      {
        kind: 'grant',
        atMs: Date.UTC(2026, 10, 3),
        amountMicroUsdc: 1_000_000,
        by: 'b'.repeat(32),
        reason: HOSTILE,
        balanceMicroUsdc: 4_940_000,
      },
      {
        kind: 'call',
        atMs: Date.UTC(2026, 10, 2),
        amountMicroUsdc: -60_000,
        capability: 'check_health',
        callId: `call ${HOSTILE}`,
        balanceMicroUsdc: 3_940_000,
        isRefunded: false,
      },
    ],
  },
};
const facts: Partial<ServiceFactsPort> = {
  customers: async () => ({ customers: [{ ...customer }], next: ADDRESS }),
  customer: async (asked) => ('address' in asked && asked.address === ADDRESS ? customer : null),
};

/** An account that adds what it is told to, and remembers the forms. */
function acting() {
  const orders: ConsoleCreditOrder[] = [];
  const adjustCredits: ServiceActsPort['adjustCredits'] = async (_session, order) => {
    const isRepeat = orders.some(({ nonce }) => nonce === order.nonce);
    orders.push(order);
    const amountMicroUsdc = order.kind === 'grant' ? order.amountMicroUsdc : 60_000;
    const about = { by: 'b'.repeat(32), atMs: 1, balanceMicroUsdc: 4_940_000 + amountMicroUsdc, amountMicroUsdc };
    const { nonce, kind, reason } = order;
    return { ok: true, isRepeat, adjustment: { id: `grant:${nonce}`, nonce, kind, reason, ...about } };
  };
  return { orders, adjustCredits };
}

describe('customers', () => {
  test('are listed by address with what they can spend, and lead to their page', async () => {
    const world = await serviceWorld({ facts });
    const page = await world.text('/console/customers');
    expect(page).toContain(`href="/console/customers/account?address=${ADDRESS}"`);
    expect(page).toContain('4.94');
    expect(page).toContain(`after=${ADDRESS}`);
    const file = await world.get('/console/customers.csv?search=0x1a');
    expect(await file.text()).toMatch(/^address,.*\r\n0x1a1a.*,4\.940000,/);
  });

  test('are listed by what they paid, which the heading says, with an account or without one', async () => {
    const asked: unknown[] = [];
    const paying: ServiceFactsPort['payingCustomers'] = async (order) => {
      asked.push(order);
      const total = { count: 3, microUsdc: 5_410_000, lastDay: '2026-11-27' };
      const { account, createdAtMs } = customer;
      return {
        customers: [
          { payer: ADDRESS, ...total, customer: { account, createdAtMs, credits } },
          { payer: OTHER, ...total, count: 1, microUsdc: 60_000 },
        ],
        hasNext: true,
      };
    };
    const world = await serviceWorld({ facts: { ...facts, payingCustomers: paying } });
    const page = await world.text('/console/customers');
    expect(page).toContain('Customers by what they paid, most first');
    expect(page.indexOf(ADDRESS)).toBeLessThan(page.indexOf(OTHER));
    expect(page).toContain(`href="/console/customers/account?address=${ADDRESS}"`);
    expect(page).toContain(`href="/console/payments?payer=${OTHER}"`);
    expect(page).toMatch(/5\.41<\/td>.*>3<\/td>.*2026-11-27.*4\.94/s);
    expect(page).toContain('no account');
    expect(page).toContain(`href="/console/customers?after=60000.${OTHER}"`);
    await world.get(`/console/customers?after=60000.${OTHER}`);
    expect(asked.at(-1)).toEqual({ limit: 20, after: { payer: OTHER, microUsdc: 60_000 } });
    expect(await world.text('/console/customers.csv')).toBe(
      'address,paid_usdc,purchases,last_purchase,balance_usdc,since,account\r\n' +
        `${ADDRESS},5.410000,3,2026-11-27,4.940000,2026-11-01T00:00:00.000Z,${ACCOUNT}\r\n` +
        `${OTHER},0.060000,1,2026-11-27,,,\r\n`,
    );
    expect(await world.text('/console/customers?order=address')).toContain('by address</caption>');
    expect(await world.text('/console/customers?search=0x1a')).toContain('by address</caption>');
    expect((await world.get('/console/customers?after=7.0x1')).status).toBe(400);
  });

  test('whose account does not answer are not shown as having nothing', async () => {
    const unread = async () => ({ customers: [{ ...customer, credits: { read: false } as const }] });
    const world = await serviceWorld({ facts: { customers: unread } });
    expect(await world.text('/console/customers')).toContain('could not read');
  });

  test.each(['search=0xZZ', 'search=hello', 'after=1'])('are not searched by %s', async (query) => {
    const world = await serviceWorld({ facts });
    expect((await world.get(`/console/customers?${query}`)).status).toBe(400);
  });

  test('are found by e-mail address, account, card payment and receipt number', async () => {
    const asked: string[] = [];
    const findCustomer: ServiceFactsPort['findCustomer'] = async ({ text }) => {
      asked.push(text);
      if (text === 'gone@mail.example') return null;
      const ways = ['email', 'passkey'] as const;
      const person = { account: ACCOUNT, customer: { email: 'ada@mail.example', ways, createdAtMs: 1 } };
      if (text.startsWith('pi_')) return { account: ACCOUNT, purchase: 'd'.repeat(32) };
      return text.startsWith('2026') ? { ...person, purchase: 'd'.repeat(32) } : person;
    };
    const world = await serviceWorld({ facts: { ...facts, findCustomer } });
    const search = (text: string) => world.text(`/console/customers?${new URLSearchParams({ search: text })}`);
    const href = `href="/console/customers/account?account=${ACCOUNT}"`;
    for (const text of ['ada@mail.example', ACCOUNT]) expect(await search(text)).toContain(href);
    expect(await search('ada@mail.example')).toContain('e-mail link, passkey');
    const byReceipt = await search('2026-11-29-ABCDEF0123');
    expect(byReceipt).toContain(href);
    expect(byReceipt).toContain(`href="/console/cards/purchase?id=${'d'.repeat(32)}"`);
    expect(await search('pi_3Abc')).toContain('which was deleted');
    expect(await search('gone@mail.example')).toContain('No customer was found');
    expect(asked).toContain('pi_3Abc');
    const older = await serviceWorld({ facts });
    expect(await older.text('/console/customers?search=ada%40mail.example')).toContain('cannot say');
  });

  test('are nothing that an earlier api Worker can say, which is no error and no empty list', async () => {
    const older = await serviceWorld();
    const paths = ['/console/customers', `/console/customers/account?address=${ADDRESS}`, '/console/published'];
    for (const path of [...paths, '/console/clients', '/console/operators']) {
      const answer = await older.get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(await answer.text()).toContain('This version of the api Worker cannot say');
    }
  });

  test('are nothing that an older version can say over a service binding either', async () => {
    const customers = async () => {
      throw new TypeError('The RPC receiver does not implement the method "customers".');
    };
    const world = await serviceWorld({ facts: { customers } });
    expect(await world.text('/console/customers')).toContain('This version of the api Worker cannot say');
    const broken = await serviceWorld({ facts: { customers: async () => Promise.reject(new TypeError('broken')) } });
    expect((await broken.get('/console/customers')).status).toBe(503);
  });
});

describe('a customer', () => {
  test('has entries, and hostile texts in them stay texts', async () => {
    const world = await serviceWorld({ facts });
    const page = await world.text(`/console/customers/account?address=${ADDRESS}`);
    expect(page).toContain('Paid call');
    expect(page).not.toContain('<img src=x');
    expect((await world.get(`/console/customers/account?address=0x${'2'.repeat(40)}`)).status).toBe(404);
    const file = await (await world.get(`/console/customers/account.csv?address=${ADDRESS}`)).text();
    expect(file).toContain("'-0.060000");
  });

  test('gets a grant after a confirmation, with a reason, and once for a form', async () => {
    const { orders, adjustCredits } = acting();
    const world = await serviceWorld({ facts, acts: { adjustCredits }, bindings: own });
    const nonce = 'a'.repeat(32);
    const path = `/console/customers/grant?address=${ADDRESS}&usdc=2.5&nonce=${nonce}`;
    const shown = await world.text(path);
    expect(orders).toEqual([]);
    expect(shown).toContain('Grant 2.50 USDC');
    expect(await saidAfter(world, await world.confirm(path, '  '))).toMatch(/Nothing was changed\. Say why/);
    expect(orders).toEqual([]);
    expect(await saidAfter(world, await world.confirm(path, 'The audit ran twice'))).toContain('2.50 USDC were added.');
    expect(orders).toEqual([
      {
        kind: 'grant',
        account: ACCOUNT,
        address: ADDRESS,
        nonce,
        amountMicroUsdc: 2_500_000,
        reason: 'The audit ran twice',
      },
    ]);
    expect(await saidAfter(world, await world.confirm(path, 'The audit ran twice'))).toContain('sent before');
  });

  test('without a wallet is shown and adjusted by the number of its account', async () => {
    const { orders, adjustCredits } = acting();
    const walletless = { ...customer, address: '', email: 'ada@mail.example', ways: ['email'] as const };
    const byAccount: ServiceFactsPort['customer'] = async (asked) =>
      'account' in asked && asked.account === ACCOUNT ? walletless : null;
    const world = await serviceWorld({ facts: { customer: byAccount }, acts: { adjustCredits }, bindings: own });
    const page = await world.text(`/console/customers/account?account=${ACCOUNT}`);
    expect(page).toContain('ada@mail.example');
    expect(page).not.toContain('Payments of the last day');
    const path = `/console/customers/grant?account=${ACCOUNT}&usdc=1&nonce=${'f'.repeat(32)}`;
    expect(await saidAfter(world, await world.confirm(path, 'sorry'))).toContain('1.00 USDC were added.');
    const [, href = ''] = /href="(\/console\/customers\/refund[^"]*)"/.exec(page) ?? [];
    await world.confirm(decodeEntities(href), 'It was wrong');
    expect(orders).toMatchObject([
      { kind: 'grant', account: ACCOUNT, address: '', amountMicroUsdc: 1_000_000 },
      { kind: 'refund_call', account: ACCOUNT, address: '', callId: `call ${HOSTILE}` },
    ]);
    const file = await world.get(`/console/customers/account.csv?account=${ACCOUNT}`);
    expect([file.status, await file.text()]).toEqual([200, expect.stringContaining('check_health')]);
    for (const query of ['account=x', 'address=0x1&account=' + ACCOUNT, ''])
      expect((await world.get(`/console/customers/account?${query}`)).status).toBe(400);
  });

  test.each(['', '0', '-1', '1e3', '100.000001', '1,5', '0.0000001', 'NaN'])('gets no grant of %s', async (usdc) => {
    const world = await serviceWorld({ facts });
    const query = new URLSearchParams({ address: ADDRESS, usdc, nonce: 'a'.repeat(32) });
    expect((await world.get(`/console/customers/grant?${query}`)).status).toBe(400);
  });

  test('gets a call given back by the id that its entry has', async () => {
    const { orders, adjustCredits } = acting();
    const world = await serviceWorld({ facts, acts: { adjustCredits }, bindings: own });
    const page = await world.text(`/console/customers/account?address=${ADDRESS}`);
    const [, href = ''] = /href="(\/console\/customers\/refund[^"]*)"/.exec(page) ?? [];
    await world.confirm(decodeEntities(href), 'It was wrong');
    expect(orders.at(-1)).toMatchObject({ kind: 'refund_call', callId: `call ${HOSTILE}`, account: ACCOUNT });
    const query = new URLSearchParams({ address: ADDRESS, nonce: 'd'.repeat(32), payment: 'abcdef012345' });
    const paid = await world.confirm(`/console/customers/refund?${query}`, 'It was wrong');
    expect(await saidAfter(world, paid)).toContain('0.06 USDC were added.');
    expect(orders.at(-1)).toMatchObject({ kind: 'refund_payment', payment: 'abcdef012345', account: ACCOUNT });
  });

  test('is not changed by a sign-in of before, and a refusal is said', async () => {
    const { orders } = acting();
    const refusal = async () => ({ ok: false as const, reason: 'day_limit' as const });
    const world = await serviceWorld({ facts, acts: { adjustCredits: refusal }, bindings: own });
    const path = `/console/customers/grant?address=${ADDRESS}&usdc=1&nonce=${'e'.repeat(32)}`;
    expect(await saidAfter(world, await world.confirm(path, 'why'))).toContain('24 hours');
    await world.age(16);
    expect((await world.confirm(path, 'why')).status).toBe(403);
    expect(orders).toEqual([]);
  });
});
