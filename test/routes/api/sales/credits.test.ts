import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CreditAccount } from '../../../../durable-objects/credit-account.ts';
import { PaymentLedger } from '../../../../durable-objects/payment-ledger.ts';
import { catalog } from '../../../../src/capabilities/catalog.ts';
import { creditPacks } from '../../../../src/capabilities/credit-packs.ts';
import { accountOf, balanceOf, postPack, provenFor, provenPack, removeWallet, signedPack } from './credit-world.ts';
import { settleOnChain, transferOnChain } from './settling-chain.ts';
import { decode, emptyChain, get, PAYER, post, problemOf, type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const OTHER = privateKeyToAccount(`0x${'d4'.repeat(32)}`);

describe('a credit pack', () => {
  test.each([
    [5, '5000000', '5.000000'],
    [20, '20000000', '20.000000'],
    [100, '100000000', '100.000000'],
  ])(
    'P6: of %i USD by signed payload is credited to the account of the paying address',
    async (dollars, amount, usd) => {
      const answer = await postPack(dollars, { credential: await signedPack(dollars) });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        credited: usd,
        balance: usd,
        note: expect.stringContaining('account of the paying address') as string,
        payment: { method: 'x402', payer: PAYER, amount, amount_usd: usd },
      });
      expect(await balanceOf()).toBe(Number(amount));
      expect(await balanceOf(OTHER.address)).toBe(0);
      expect(seen.calls.settle).toHaveLength(1);
    },
  );

  test('costs its price and says so before anything is paid, with the proof that a transfer needs', async () => {
    const answer = await postPack(5);
    expect(answer.status).toBe(402);
    expect(decode(answer.headers.get('payment-required') ?? '')).toMatchObject({
      resource: { url: `${env.BASE_URL}/api/credits/5` },
      accepts: [{ amount: '5000000', payTo: env.PAY_TO }],
      extensions: {
        'direct-transfer': { info: { proofRequired: true, bareHash: 'refused', proof: { capability: 'credits_5' } } },
      },
    });
  });

  test.each([
    ['no body and no type', { body: '', headers: { 'content-type': '' } }],
    ['an empty object', { body: '{}' }],
  ])('is bought by a request with %s', async (_name, sent) => {
    expect((await postPack(5, { ...sent, credential: await signedPack(5) })).status).toBe(200);
  });

  test.each([
    ['another field', '{"account":"0123"}', 'application/json', { status: 422, code: 'invalid_body' }],
    ['no JSON', 'five', 'application/json', { status: 400, code: 'invalid_json' }],
    ['another type', '{}', 'text/plain', { status: 415, code: 'unsupported_media_type' }],
  ])('is not sold for a body with %s, and nothing is claimed', async (_name, body, type, problem) => {
    const credential = await signedPack(5);
    const headers = { 'content-type': type };
    expect(await problemOf(await postPack(5, { credential, body, headers }))).toEqual(problem);
    expect(seen.calls.verify).toEqual([]);
  });

  test.each([
    '/api/credits/6',
    '/api/credits/05',
    '/api/credits/5.0',
    '/api/credits/credits_5',
    '/api/agent/credits_5',
  ])('%s is none', async (path) => {
    expect((await post({ path })).status).toBe(404);
  });

  test('is known to the ledger by its name, which keeps what was sold as one for a month', () => {
    expect(creditPacks.map(({ name }) => name)).toEqual(['credits_5', 'credits_20', 'credits_100']);
    expect(catalog.filter(({ name }) => name.startsWith('credits_'))).toEqual([]);
  });

  test('answers other methods 405', async () => {
    const answer = await get('/api/credits/5');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('P13: is not bought by the payment for another pack', async () => {
    const answer = await postPack(20, { credential: await signedPack(5, { top: { resource: undefined } }) });
    expect(await problemOf(answer)).toEqual({ status: 402, code: 'wrong_amount' });
    expect(await balanceOf()).toBe(0);
  });

  test('P28: its report says nothing about buyer and balance', async () => {
    const answer = await postPack(5, { credential: await signedPack(5) });
    const { report_id: id } = (await answer.json()) as { report_id: string };
    const report = await get(`/reports/${id}.json`);
    expect(Object.keys((await report.json()) as object).toSorted()).toEqual([
      'capability',
      'credited',
      'note',
      'report_id',
      'statement',
      'warnings',
    ]);
  });
});

describe('P6: a wallet that was removed from its account', () => {
  test('buys no credits: nothing is claimed, verified or settled, and the account gets nothing', async () => {
    const { object } = await accountOf(PAYER);
    const credential = await signedPack(5);
    await removeWallet();
    expect(await problemOf(await postPack(5, { credential }))).toEqual({ status: 409, code: 'wallet_removed' });
    expect([seen.calls.verify, seen.calls.settle]).toEqual([[], []]);
    expect(await object.view()).toMatchObject({ balanceMicroUsdc: 0, pendingMicroUsdc: 0 });
  });

  test('buys none by a transfer either, whose hash stays good for when the account has it again', async () => {
    const { id } = await accountOf(PAYER);
    const hash = transferOnChain(seen, 5_000_000);
    await removeWallet();
    const refused = await postPack(5, { credential: await provenPack(5, hash) });
    expect(await problemOf(refused)).toEqual({ status: 409, code: 'wallet_removed' });
    const store = env.AUTHORIZATION_STORE.getByName('authorization');
    const way = { kind: 'wallet', id: PAYER, addedAtMs: 0 } as const;
    expect(await store.addWay(`session of ${PAYER}`, way)).toEqual({ ok: true });
    expect((await postPack(5, { credential: await provenPack(5, hash) })).status).toBe(200);
    expect([(await accountOf(PAYER)).id, await balanceOf()]).toEqual([id, 5_000_000]);
  });

  test('while it pays: what is not settled yet is not settled', async () => {
    const { object } = await accountOf(PAYER);
    const pledge = vi.spyOn(CreditAccount.prototype, 'pledge').mockImplementationOnce(async () => {
      await removeWallet();
      return true;
    });
    const answer = await postPack(5, { credential: await signedPack(5) });
    expect(pledge).toHaveBeenCalledOnce();
    expect(await problemOf(answer)).toEqual({ status: 409, code: 'wallet_removed' });
    expect(seen.calls.settle).toEqual([]);
    expect((await object.view()).balanceMicroUsdc).toBe(0);
  });

  test('still gets again what it bought before', async () => {
    const credential = await signedPack(5);
    expect((await postPack(5, { credential })).status).toBe(200);
    await removeWallet();
    const again = await postPack(5, { credential });
    expect([again.status, await again.json()]).toEqual([200, expect.not.objectContaining({ balance: '5.000000' })]);
    expect(seen.calls.settle).toHaveLength(1);
  });
});

describe('P6: a credit pack by the hash of a transfer', () => {
  test('is refused for a bare hash, and the hash stays good', async () => {
    const hash = transferOnChain(seen, 5_000_000);
    expect(await problemOf(await postPack(5, { credential: hash }))).toEqual({
      status: 402,
      code: 'payer_proof_required',
    });
    expect((await postPack(5, { credential: await provenPack(5, hash) })).status).toBe(200);
  });

  test.each(['/api/agent/check_health', '/api/agent/full_report', '/api/agent/visibility_vs_competitor'])(
    'P9: of 100 USD cannot be spent by an onlooker at %s before its payer proves it',
    async (path) => {
      const hash = transferOnChain(seen, 100_000_000);
      const body = path.includes('visibility')
        ? '{"brand":"Acme","niche":"shoes","competitor_brand":"Rival"}'
        : '{"url":"https://shop.example/"}';
      expect(await problemOf(await post({ path, body, credential: hash }))).toEqual({
        status: 402,
        code: 'payer_proof_required',
      });
      expect((await postPack(100, { credential: await provenPack(100, hash) })).status).toBe(200);
      expect(await balanceOf()).toBe(100_000_000);
    },
  );

  test.each([
    [4_999_999, 200],
    [5_000_000, 402],
  ])('P9: the hash of %i micro-USDC is answered %i at a cheap row', async (microUsdc, status) => {
    const order = { path: '/api/agent/check_health', body: '{"url":"https://shop.example/"}' };
    const answer = await post({ ...order, credential: transferOnChain(seen, microUsdc) });
    expect(answer.status).toBe(status);
  });

  test('with a proof by its payer is credited to the payer, once', async () => {
    const hash = transferOnChain(seen, 5_000_000);
    const answer = await postPack(5, { credential: await provenPack(5, hash) });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ credited: '5.000000', balance: '5.000000', payment: { payer: PAYER } });
    const again = await postPack(5, { credential: await provenPack(5, hash) });
    expect(again.status).toBe(200);
    expect(await again.json()).not.toHaveProperty('balance');
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('with a proof by somebody else is refused, and nobody is credited', async () => {
    const hash = transferOnChain(seen, 5_000_000);
    const answer = await postPack(5, { credential: await provenPack(5, hash, OTHER) });
    expect(await problemOf(answer)).toEqual({ status: 400, code: 'payer_proof_invalid' });
    expect([await balanceOf(), await balanceOf(OTHER.address)]).toEqual([0, 0]);
  });

  test('of a payment that buys something else in the end credits nothing', async () => {
    const hash = transferOnChain(seen, 5_000_000);
    const store = vi
      .spyOn(Object.getPrototypeOf(env.REPORTS) as R2Bucket, 'put')
      .mockRejectedValueOnce(new Error('down'));
    expect((await problemOf(await postPack(5, { credential: await provenPack(5, hash) }))).code).toBe(
      'store_unavailable',
    );
    store.mockRestore();
    const order = {
      capability: 'full_report',
      path: '/api/agent/full_report',
      body: '{"url":"https://shop.example/"}',
    };
    expect((await post({ ...order, credential: await provenFor(order, hash) })).status).toBe(200);
    expect(await (await accountOf(PAYER)).object.view()).toMatchObject({ balanceMicroUsdc: 0, pendingMicroUsdc: 0 });
  });
});

describe('P6: a credit pack is credited once, and only when its payment is settled', () => {
  test('presented twice, it is answered twice and credited once', async () => {
    const credential = await signedPack(5);
    const first = await postPack(5, { credential });
    const again = await postPack(5, { credential });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(await first.json()).toMatchObject({ credited: '5.000000', balance: '5.000000' });
    // Who presents it again may be somebody who saw it: the balance of today is not for them.
    const repeated = await again.json();
    expect(repeated).toMatchObject({ credited: '5.000000' });
    expect(repeated).not.toHaveProperty('balance');
    expect(await balanceOf()).toBe(5_000_000);
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('presented twice at once, it is credited once', async () => {
    const credential = await signedPack(5);
    const answers = await Promise.all([postPack(5, { credential }), postPack(5, { credential })]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('two payments are two credits', async () => {
    await postPack(5, { credential: await signedPack(5) });
    const answer = await postPack(20, { credential: await signedPack(20) });
    expect(await answer.json()).toMatchObject({ credited: '20.000000', balance: '25.000000' });
  });

  test('a Worker that dies between settlement and credit loses nothing: the next call on the account finds it', async () => {
    const dead = vi.spyOn(CreditAccount.prototype, 'view').mockRejectedValue(new Error('gone'));
    const answer = await postPack(5, { credential: await signedPack(5) });
    expect(await answer.json()).toMatchObject({ credited: '5.000000', balance: null });
    dead.mockRestore();
    const { object } = await accountOf(PAYER);
    expect(await object.reserve(anyCall)).toMatchObject({ outcome: 'reserved' }); // A look at the balance, without `view`.
    await object.release('call', 1, false);
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('nobody needs to come back for it', async () => {
    const dead = vi.spyOn(CreditAccount.prototype, 'view').mockRejectedValue(new Error('gone'));
    await postPack(5, { credential: await signedPack(5) });
    dead.mockRestore();
    const { object } = await accountOf(PAYER);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    const asked = vi.spyOn(PaymentLedger.prototype, 'soldAs');
    expect(await balanceOf()).toBe(5_000_000);
    expect(asked).not.toHaveBeenCalled(); // The alarm had done it.
  });

  test('a settlement of unknown outcome credits nothing until the chain has decided', async () => {
    const { settle, rpc } = seen;
    seen.settle = () => new Response('busy', { status: 503 });
    seen.rpc = emptyChain;
    const credential = await signedPack(5);
    expect(await problemOf(await postPack(5, { credential }))).toEqual({ status: 503, code: 'settlement_unknown' });
    expect(await (await accountOf(PAYER)).object.view()).toMatchObject({
      balanceMicroUsdc: 0,
      pendingMicroUsdc: 5_000_000,
    });
    seen.settle = settle;
    seen.rpc = rpc;
    const realNow = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(realNow + 36_000);
    const answer = await postPack(5, { credential });
    expect(answer.status).toBe(200);
    expect(await answer.json()).not.toHaveProperty('balance');
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('a refused settlement credits nothing', async () => {
    seen.settle = { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453' };
    seen.rpc = emptyChain;
    const answer = await postPack(5, { credential: await signedPack(5) });
    expect(await problemOf(answer)).toEqual({ status: 402, code: 'settlement_refused' });
    expect(await balanceOf()).toBe(0);
  });

  test('P31: an account that cannot be reached is 503 before anything is settled', async () => {
    vi.spyOn(CreditAccount.prototype, 'pledge').mockRejectedValue(new Error('gone'));
    const answer = await postPack(5, { credential: await signedPack(5) });
    expect(await problemOf(answer)).toEqual({ status: 503, code: 'ledger_unavailable' });
    expect(seen.calls.settle).toEqual([]);
  });
});

const anyCall = {
  id: 'call',
  fingerprint: 'f',
  capability: 'check_health',
  clientId: 'client-1',
  authorizedAtMs: 0,
  amountMicroUsdc: 60_000,
  capMicroUsdc: 5_000_000,
};
