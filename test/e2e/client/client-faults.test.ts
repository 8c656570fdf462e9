import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { type FaultFacilitator, startFaultFacilitator } from '../../support/stack/fault-facilitator.ts';
import { type FaultyProxy, type ProxyFault, startFaultyProxy } from '../../support/stack/faulty-proxy.ts';
import { type InstalledClient, installPackedClient } from './packed-client.ts';

const PRICE = 60_000n;

let stack: Stack;
let facilitator: FaultFacilitator;
let proxy: FaultyProxy;
let installed: InstalledClient;
let module: Awaited<ReturnType<InstalledClient['load']>>;

beforeAll(async () => {
  installed = installPackedClient();
  module = await installed.load();
  stack = await startStack({
    facilitatorFor: async (url) => {
      facilitator = await startFaultFacilitator(url);
      return facilitator.url;
    },
  });
  proxy = await startFaultyProxy(stack.api.url);
});
afterAll(async () => {
  await proxy.stop();
  await stack.stop();
  await facilitator.stop();
  installed.remove();
});

const account = () => privateKeyToAccount(stack.file.buyer.privateKey);
const body = () => ({ url: `${stack.sites.good}/` });

/** What the demo buyer paid while `work` ran. */
async function spentBy<T>(work: () => Promise<T>): Promise<{ spent: bigint; outcome: T }> {
  const before = await stack.chain.balance(stack.buyer.address);
  const outcome = await work();
  return { spent: before - (await stack.chain.balance(stack.buyer.address)), outcome };
}

const createClient = (options: object = {}) =>
  module.sightline({ wallet: account(), baseUrl: proxy.url, budget: { perCall: 2, perDay: 50 }, ...options });

const failureOf = async (work: Promise<unknown>): Promise<InstanceType<typeof module.SightlineError>> => {
  const outcome = await work.catch((error: unknown) => error);
  if (outcome instanceof module.SightlineError) return outcome;
  throw new Error(`no refusal of the client: ${JSON.stringify(outcome)}`);
};

describe('an answer that does not come', () => {
  test.each<[ProxyFault[]]>([
    [['reset_before']],
    [['reset_after']],
    [['cut_after']],
    [['bad_gateway_after']],
    [['in_progress', 'busy']],
    [['reset_after', 'busy', 'cut_after', 'in_progress']],
  ])('%j: the same payment goes again, and the result is paid for once', async (planned) => {
    proxy.plan(...planned);
    const { spent, outcome } = await spentBy(() => createClient().buy('check_health', body()));
    expect(outcome).toMatchObject({ capability: 'check_health' });
    expect(proxy.payments()).toHaveLength(planned.length + 1);
    expect(new Set(proxy.payments()).size).toBe(1);
    expect(spent).toBe(PRICE);
  });

  test('a stream that breaks off gives way to the stored result', async () => {
    proxy.plan('cut_after');
    const heard: unknown[] = [];
    const buying = { onProgress: (counts: unknown) => heard.push(counts) };
    const { spent, outcome } = await spentBy(() => createClient().buy('check_schema', body(), buying));
    expect(outcome).toMatchObject({ capability: 'check_schema' });
    expect(heard.length).toBeGreaterThan(0);
    expect(new Set(proxy.payments()).size).toBe(1);
    expect(spent).toBe(70_000n);
  });

  test('a time limit is a lost answer too', async () => {
    proxy.plan('hang_after');
    const { spent } = await spentBy(() => createClient({ timeoutMs: 3_000 }).buy('check_health', body()));
    expect(new Set(proxy.payments()).size).toBe(1);
    expect(spent).toBe(PRICE);
  });

  test.each(['reset_after', 'bad_json_after', '500_json_after'] as const)(
    'a settlement with unknown outcome (%s) is asked about, not paid again',
    async (fault) => {
      proxy.plan();
      facilitator.set('settle', fault);
      const { spent } = await spentBy(() => createClient().buy('check_health', body()));
      facilitator.set('settle', 'none');
      expect(new Set(proxy.payments()).size).toBe(1);
      expect(spent).toBe(PRICE);
    },
  );

  test('attempts have a limit, and the error says that the payment is open', async () => {
    proxy.plan('busy', 'busy', 'busy', 'busy');
    const client = createClient({ maxAttempts: 3 });
    const { spent } = await spentBy(async () => {
      expect(await failureOf(client.buy('check_health', body()))).toMatchObject({
        code: 'service_busy',
        status: 503,
        payment: 'open',
      });
      expect(proxy.payments()).toHaveLength(3);
      await client.buy('check_health', body());
    });
    expect(new Set(proxy.payments()).size).toBe(1);
    expect(spent).toBe(PRICE);
  });

  test('a long Retry-After is the caller’s to wait for', async () => {
    proxy.plan('come_back_tomorrow');
    expect(await failureOf(createClient().buy('check_health', body()))).toMatchObject({
      code: 'transfers_only',
      retryAfterMs: 86_400_000,
      payment: 'open',
    });
    expect(proxy.payments()).toHaveLength(1);
  });
});

describe('a 402 after a payment', () => {
  test('that says the payment was not taken is paid again, within the budget', async () => {
    proxy.plan('expired');
    const { spent } = await spentBy(() => createClient().buy('check_health', body()));
    expect(new Set(proxy.payments()).size).toBe(2);
    expect(spent).toBe(PRICE);
  });

  test('is not paid again where the budget does not allow it', async () => {
    proxy.plan('expired');
    const client = createClient({ budget: { perCall: 1, perDay: 0.1 } });
    const { spent } = await spentBy(async () => {
      expect(await failureOf(client.buy('check_health', body()))).toMatchObject({
        code: 'budget_exceeded',
        setting: 'budget.perDay',
      });
    });
    expect(proxy.payments()).toHaveLength(1);
    expect(spent).toBe(0n);
  });

  test('is paid again once, not for ever', async () => {
    proxy.plan('expired', 'expired', 'expired');
    expect(await failureOf(createClient().buy('check_health', body()))).toMatchObject({
      code: 'authorization_expired',
      status: 402,
      payment: 'none',
    });
    expect(proxy.payments()).toHaveLength(2);
  });

  test('that only says "pay" is not paid again: something on the way took the header off', async () => {
    proxy.plan('header_lost');
    const client = createClient();
    const { spent } = await spentBy(async () => {
      expect(await failureOf(client.buy('check_health', body()))).toMatchObject({
        code: 'payment_required',
        payment: 'open',
      });
      await client.buy('check_health', body());
    });
    expect(new Set(proxy.payments()).size).toBe(1);
    expect(spent).toBe(PRICE);
  });
});

describe('calls that are made again', () => {
  test('two at once share one payment and one result', async () => {
    proxy.plan();
    const client = createClient();
    const { spent, outcome } = await spentBy(() =>
      Promise.all([client.buy('check_health', body()), client.buy('check_health', body())]),
    );
    const [first, second] = outcome;
    expect(first.report_id).toBe(second.report_id);
    expect(new Set(proxy.payments()).size).toBe(1);
    expect(spent).toBe(PRICE);
  });

  test('one whose caller goes away leaves the other its payment', async () => {
    proxy.plan();
    const client = createClient();
    const { spent } = await spentBy(async () => {
      const gone = client.buy('check_health', body(), { signal: AbortSignal.abort() });
      const other = client.buy('check_health', body());
      expect(await failureOf(gone)).toMatchObject({ code: 'aborted' });
      expect((await other).report_id).toMatch(/^[0-9a-f]{32}$/);
    });
    expect(spent).toBe(PRICE);
  });

  test('a call that was aborted is repeated with the same payment', async () => {
    proxy.plan('hang_after');
    const client = createClient();
    const stopping = new AbortController();
    const { spent } = await spentBy(async () => {
      const call = client.buy('check_health', body(), { signal: stopping.signal });
      await proxy.whenPaid();
      stopping.abort();
      expect(await failureOf(call)).toMatchObject({ code: 'aborted', payment: 'open' });
      await client.buy('check_health', body());
    });
    expect(new Set(proxy.payments()).size).toBe(1);
    expect(spent).toBe(PRICE);
  });

  test('a named order is one purchase: its result comes again, free', async () => {
    proxy.plan();
    const client = createClient();
    const { spent, outcome } = await spentBy(async () => {
      const first = await client.buy('check_health', body(), { order: 'job-1' });
      const again = await client.buy('check_health', body(), { order: 'job-1' });
      return [first.report_id, again.report_id];
    });
    expect(outcome[0]).toBe(outcome[1]);
    expect(spent).toBe(PRICE);
    expect((await spentBy(() => client.buy('check_health', body(), { order: 'job-2' }))).spent).toBe(PRICE);
  });
});

describe('a program that is killed', () => {
  test('and run again sends the payment that it saved, and forgets it when the result is there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sightline-orders-'));
    const orders = {
      key: stack.file.buyer.privateKey,
      folder,
      baseUrl: proxy.url,
      budget: { perCall: 1, perDay: 0.1 },
      calls: [{ capability: 'check_health', body: body() }],
    };
    proxy.plan('hang_after');
    const { spent, outcome } = await spentBy(async () => {
      const program = installed.start('buy-each.mjs', orders);
      await proxy.whenPaid();
      await program.kill();
      expect(readdirSync(join(folder, 'orders'))).toHaveLength(1);
      return installed.run('buy-each.mjs', orders);
    });
    expect(outcome).toEqual([expect.objectContaining({ capability: 'check_health' })]);
    expect(proxy.payments()).toHaveLength(2);
    expect(new Set(proxy.payments()).size).toBe(1);
    expect(spent).toBe(PRICE);
    expect(readdirSync(join(folder, 'orders'))).toEqual([]);
    // The next run is a new purchase, and the day's budget is spent: the file remembers.
    expect(await installed.run('buy-each.mjs', orders)).toEqual([
      expect.objectContaining({ code: 'budget_exceeded', setting: 'budget.perDay' }),
    ]);
    rmSync(folder, { recursive: true });
  });
});

describe('the budget', () => {
  test('refuses a price above it before anything is signed, and names the setting', async () => {
    proxy.plan();
    let signatures = 0;
    const wallet = { ...account(), signTypedData: () => Promise.reject(new Error(String((signatures += 1)))) };
    const client = createClient({ wallet, budget: { perCall: 1.54, perDay: 50 } });
    const brand = { brand: 'Example Desk', niche: 'help desk software' };
    const refused = await failureOf(
      client.buy('full_report', { ...body(), ...brand, competitor: 'x.example' } as never),
    );
    expect(refused).toMatchObject({ code: 'budget_exceeded', setting: 'budget.perCall', payment: 'none' });
    expect(refused.message).toContain('budget.perCall');
    expect(signatures).toBe(0);
    expect(proxy.payments()).toEqual([]);
  });

  test('gives a reservation back when the wallet does not sign', async () => {
    const wallet = { ...account(), signTypedData: () => Promise.reject(new Error('the person said no')) };
    const spending = module.createMemorySpending();
    const shared = { spending, budget: { perCall: 1, perDay: 0.06 } };
    const [no, yes] = [createClient({ ...shared, wallet }), createClient(shared)];
    expect(await failureOf(no.buy('check_health', body()))).toMatchObject({ code: 'signing_failed', payment: 'none' });
    expect((await yes.buy('check_health', body())).capability).toBe('check_health');
  });

  test('without a wallet, what is free works', async () => {
    const client = module.sightline({ baseUrl: proxy.url });
    expect(Object.keys((await client.catalogue()).capabilities)).toHaveLength(19);
    expect(await failureOf(client.audit('example.com'))).toMatchObject({ code: 'wallet_missing', setting: 'wallet' });
  });
});
