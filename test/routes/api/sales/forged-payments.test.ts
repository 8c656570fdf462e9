import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KEEP_WITHOUT_CODE_MS } from '../../../../src/payment/chain/chain-memory.ts';
import { movableClock } from '../../../durable-objects/ledger-shard.ts';
import { provenFor } from './credit-world.ts';
import { settleOnChain, transferOnChain } from './settling-chain.ts';
import {
  account,
  decode,
  emptyChain,
  encode,
  ledgerRows,
  PAYER,
  post,
  problemOf,
  signatureOf,
  signedCredential,
  type World,
  world,
} from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const STRANGER = privateKeyToAccount(generatePrivateKey());
const NEIGHBOUR = { 'cf-connecting-ip': '203.0.113.77' };

let wallets = 0;
/** An address that no other test names. */
const freshAddress = (): string => `0xfee1${(wallets += 1).toString(16).padStart(36, '0')}`;

/** The payload of an honest client, signed by a key that is not its payer's. */
async function forged(changes: Record<string, unknown> = {}, capability = 'check_health'): Promise<string> {
  const made = decode(await signedCredential(capability)) as { payload: { authorization: Record<string, unknown> } };
  const authorization = { ...made.payload.authorization, ...changes };
  return encode({ ...made, payload: { authorization, signature: await signatureOf(authorization, STRANGER) } });
}

const MAGIC = `0x1626ba7e${'0'.repeat(56)}`;

/** A chain where these accounts are contract wallets, which take what is signed in their name unless `refuses` says so. */
const contracts =
  (addresses: readonly string[], refuses: (to: string, data: string) => boolean = () => false): World['rpc'] =>
  (method, params) => {
    if (method === 'eth_getCode' && addresses.includes(String(params[0]))) return '0x60';
    const [call] = params as { to?: string; data?: string }[];
    const { to = '', data = '' } = call ?? {};
    if (method !== 'eth_call' || !addresses.includes(to)) return emptyChain(method, params);
    return refuses(to, data) ? `0x${'f'.repeat(64)}` : MAGIC;
  };

/** A chain that cannot be asked about accounts. */
const silentChain: World['rpc'] = (method, params) => {
  if (method === 'eth_getCode') throw new Error('down');
  return emptyChain(method, params);
};

const codeCalls = (): number => seen.calls.rpc.filter((method) => method === 'eth_getCode').length;

/** Facilitator answers that wait until they are let go. */
function heldVerdicts(verdict: object): { letGo: () => void } {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  seen.verify = async () => {
    await held;
    return Response.json(verdict);
  };
  return { letGo: () => letGo() };
}

describe('B5: a payload that its payer did not sign', () => {
  test('is refused before ledger and facilitator', async () => {
    expect(await problemOf(await post({ credential: await forged() }))).toEqual({
      status: 402,
      code: 'invalid_signature',
    });
    expect(seen.calls.verify).toEqual([]);
    expect(await ledgerRows()).toBe(0);
  });

  test('is refused for credit packs alike', async () => {
    const made = decode(await signedCredential('', { path: '/api/credits/5' })) as {
      payload: { authorization: Record<string, unknown> };
    };
    const signature = await signatureOf(made.payload.authorization, STRANGER);
    const credential = encode({ ...made, payload: { ...made.payload, signature } });
    expect(await problemOf(await post({ path: '/api/credits/5', body: '{}', credential }))).toEqual({
      status: 402,
      code: 'invalid_signature',
    });
    expect(seen.calls.verify).toEqual([]);
    expect(await ledgerRows()).toBe(0);
  });

  test('asks the chain once in a while whether an account has code', async () => {
    const from = freshAddress();
    for (let count = 0; count < 5; count += 1) {
      expect((await problemOf(await post({ credential: await forged({ from }) }))).code).toBe('invalid_signature');
    }
    expect(codeCalls()).toBe(1);
  });

  test('in the name of many accounts costs an address ten questions a minute, and no payer that signs', async () => {
    for (let count = 0; count < 10; count += 1) {
      const credential = await forged({ from: freshAddress() });
      expect((await problemOf(await post({ credential, headers: NEIGHBOUR }))).code).toBe('invalid_signature');
    }
    const asked = codeCalls();
    const locked = await post({ credential: await forged({ from: freshAddress() }), headers: NEIGHBOUR });
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await problemOf(locked)).toEqual({ status: 429, code: 'too_many_failed_payments' });
    expect(codeCalls()).toBe(asked);
    expect((await post({ credential: await signedCredential(), headers: NEIGHBOUR })).status).toBe(200);
  });

  test('takes no place from its payer: who signs buys while strangers name it', async () => {
    const { letGo } = heldVerdicts({ isValid: true, payer: PAYER });
    const strangers = await Promise.all(
      Array.from({ length: 8 }, async () => post({ credential: await forged({}, 'check_health') })),
    );
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([402]));
    letGo();
    expect((await post({ credential: await signedCredential() })).status).toBe(200);
  });
});

describe('B5: the payload of a contract wallet', () => {
  const payload = (from: string): Promise<string> => forged({ from });

  test('is sold when the wallet finds its signature good', async () => {
    const from = freshAddress();
    seen.rpc = contracts([from]);
    seen.verify = { isValid: true, payer: from };
    seen.settle = { success: true, transaction: `0x${'6c'.repeat(32)}`, network: 'eip155:8453', payer: from };
    expect((await post({ credential: await payload(from) })).status).toBe(200);
    expect(seen.calls.verify).toHaveLength(1);
    expect(await ledgerRows()).toBe(1);
  });

  /** Payloads of eight callers under one nonce, with terms and signatures of strangers. */
  const forgeries = (honest: object): Promise<string[]> =>
    Promise.all(
      Array.from({ length: 8 }, async (_none, at) => {
        const { payload: inner } = honest as { payload: { authorization: Record<string, unknown> } };
        const validBefore = String(Math.floor(Date.now() / 1000) + 200 + at);
        const authorization = { ...inner.authorization, validBefore };
        return encode({ ...honest, payload: { authorization, signature: await signatureOf(authorization, STRANGER) } });
      }),
    );
  const codesOf = async (answers: readonly Promise<Response>[]): Promise<Set<string>> =>
    new Set(await Promise.all(answers.map(async (answer) => (await problemOf(await answer)).code)));

  test('is refused where the wallet says no: the facilitator is not asked, and nothing is kept', async () => {
    const from = freshAddress();
    const honest = decode(await payload(from)) as { payload: { signature: string } };
    const own = honest.payload.signature.slice(2);
    seen.rpc = contracts([from], (_to, data) => !data.includes(own));
    const strangers = (await forgeries(honest)).map(async (credential) => post({ credential }));
    expect(await codesOf(strangers)).toEqual(new Set(['invalid_signature']));
    expect(seen.calls.verify).toEqual([]);
    expect(await ledgerRows()).toBe(0);
    seen.verify = { isValid: true, payer: from };
    seen.settle = { success: true, transaction: `0x${'6f'.repeat(32)}`, network: 'eip155:8453', payer: from };
    expect((await post({ credential: encode(honest) })).status).toBe(200);
  });

  test('is kept nowhere while it is verified by no one, so a stranger takes no place and no nonce', async () => {
    const from = freshAddress();
    seen.rpc = silentChain;
    const { letGo } = heldVerdicts({ isValid: false, invalidReason: 'invalid_exact_evm_signature', payer: from });
    const honest = decode(await payload(from)) as object;
    // All wait for the facilitator, since the chain does not answer.
    const strangers = (await forgeries(honest)).map(async (credential) => post({ credential }));
    await vi.waitFor(() => expect(seen.calls.verify).toHaveLength(8));
    expect(await ledgerRows()).toBe(0);
    seen.verify = { isValid: true, payer: from };
    seen.settle = { success: true, transaction: `0x${'6d'.repeat(32)}`, network: 'eip155:8453', payer: from };
    expect((await post({ credential: encode(honest) })).status).toBe(200);
    letGo();
    expect(await codesOf(strangers)).toEqual(new Set(['invalid_signature']));
    expect(await ledgerRows()).toBe(1);
  });

  test('stays unverified when the chain cannot be asked about the account', async () => {
    const from = freshAddress();
    seen.rpc = silentChain;
    seen.verify = { isValid: false, invalidReason: 'invalid_exact_evm_signature', payer: from };
    expect((await problemOf(await post({ credential: await payload(from) }))).code).toBe('invalid_signature');
    expect(seen.calls.verify).toHaveLength(1);
    expect(await ledgerRows()).toBe(0);
  });

  test('of one caller is verified four at a time', async () => {
    const from = freshAddress();
    seen.rpc = silentChain;
    const { letGo } = heldVerdicts({ isValid: false, invalidReason: 'invalid_exact_evm_signature', payer: from });
    const headers = { 'cf-connecting-ip': '203.0.113.90' };
    const four = await Promise.all(Array.from({ length: 4 }, async () => payload(from)));
    const running = four.map((credential) => post({ credential, headers }));
    await vi.waitFor(() => expect(seen.calls.verify).toHaveLength(4));
    const again = await post({ credential: four[0] ?? '', headers: { 'cf-connecting-ip': '203.0.113.91' } });
    expect(await problemOf(again)).toEqual({ status: 409, code: 'payment_in_progress' });
    const fifth = await post({ credential: await payload(from), headers });
    expect(await problemOf(fifth)).toEqual({ status: 429, code: 'too_many_in_flight' });
    letGo();
    await Promise.all(running);
    expect(seen.calls.verify).toHaveLength(4);
  });
});

describe('B8: what shares an address with an honest buyer', () => {
  test('garbage is 400 as often as it comes, and locks nobody out', async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.60' };
    for (let count = 0; count < 25; count += 1) {
      expect(await problemOf(await post({ credential: 'AAAA', headers }))).toEqual({
        status: 400,
        code: 'invalid_payload',
      });
    }
    expect((await post({ credential: await signedCredential(), headers })).status).toBe(200);
    expect((await post({ credential: transferOnChain(seen, 60_000), headers })).status).toBe(200);
  });

  test('unknown hashes lock out bare hashes for as long as Retry-After says, and no payment that somebody signed', async () => {
    settleOnChain(seen);
    const headers = { 'cf-connecting-ip': '203.0.113.61' };
    const bought = transferOnChain(seen, 60_000);
    const good = seen.site;
    seen.site = () => Promise.reject(new TypeError('no such host'));
    expect((await problemOf(await post({ credential: bought, headers }))).code).toBe('target_unreachable');
    for (let count = 0; count < 60; count += 1) {
      const credential = `0x9a${count.toString(16).padStart(62, '0')}`;
      expect((await problemOf(await post({ credential, headers }))).code).toBe('payment_pending');
    }
    const locked = await post({ credential: `0x9b${'0'.repeat(62)}`, headers });
    const waitS = Number(locked.headers.get('retry-after'));
    expect((await problemOf(locked)).code).toBe('too_many_failed_payments');
    const known = await post({ credential: `0x9a${'0'.repeat(62)}`, headers });
    expect((await problemOf(known)).code).toBe('payment_pending'); // Nobody is asked about it again so soon.

    seen.site = good;
    expect((await post({ credential: await signedCredential(), headers })).status).toBe(200);
    expect((await post({ credential: bought, headers })).status).toBe(200); // It was good before.
    const proven = transferOnChain(seen, 60_000);
    const order = { path: '/api/agent/check_health', body: '{"url":"https://shop.example/"}' };
    const credential = await provenFor({ ...order, capability: 'check_health' }, proven, account);
    expect((await post({ ...order, credential, headers })).status).toBe(200);

    const later = Date.now() + waitS * 1000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    expect((await post({ credential: transferOnChain(seen, 60_000), headers })).status).toBe(200);
  });

  test('refused payloads of one payer make no other payer wait', async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.62' };
    seen.verify = { isValid: false, invalidReason: 'invalid_exact_evm_insufficient_balance', payer: PAYER };
    const poor = { from: STRANGER.address.toLowerCase() };
    for (let count = 0; count < 10; count += 1) {
      expect((await problemOf(await post({ credential: await forged(poor), headers }))).code).toBe(
        'insufficient_funds',
      );
    }
    expect((await problemOf(await post({ credential: await forged(poor) }))).code).toBe('too_many_failed_payments');
    seen.verify = { isValid: true, payer: PAYER };
    expect((await post({ credential: await signedCredential(), headers })).status).toBe(200);
  });

  test('failures of bare hashes count on each hash', async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.63' };
    const good = seen.site;
    seen.site = () => Promise.reject(new TypeError('no such host'));
    for (let count = 0; count < 21; count += 1) {
      const credential = transferOnChain(seen, 60_000);
      expect((await problemOf(await post({ credential, headers }))).code).toBe('target_unreachable');
    }
    seen.site = good;
    expect((await post({ credential: transferOnChain(seen, 60_000), headers })).status).toBe(200);
  });
});

describe('B8: what one address can cost', () => {
  /** A payload of a key that was made a moment ago and holds nothing. */
  async function fresh(): Promise<string> {
    const key = privateKeyToAccount(generatePrivateKey());
    const made = decode(await signedCredential()) as { payload: { authorization: Record<string, unknown> } };
    const authorization = { ...made.payload.authorization, from: key.address.toLowerCase() };
    return encode({ ...made, payload: { authorization, signature: await signatureOf(authorization, key) } });
  }

  test('keys without money: the facilitator hears of twenty a minute, and nobody is locked out', async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.64' };
    seen.verify = { isValid: false, invalidReason: 'insufficient_funds', payer: PAYER };
    const rich = seen.rpc;
    seen.rpc = (method, params) => (method === 'eth_call' ? `0x${'0'.repeat(64)}` : rich(method, params));
    const clock = movableClock();
    for (let count = 0; count < 25; count += 1) {
      clock.advance(100); // Past half of its budget of a second, the facilitator is asked about nobody without funds.
      expect((await problemOf(await post({ credential: await fresh(), headers }))).code).toBe('insufficient_funds');
    }
    expect(seen.calls.verify).toHaveLength(20);
    seen.rpc = rich;
    seen.verify = { isValid: true, payer: PAYER };
    expect((await post({ credential: await signedCredential(), headers })).status).toBe(200);
  });

  test('forgeries lock out no contract wallet that paid well from there before', async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.65' };
    const [wallet, foreign] = [freshAddress(), freshAddress()];
    seen.rpc = contracts([wallet, foreign], (to) => to === foreign);
    seen.verify = { isValid: true, payer: wallet };
    seen.settle = { success: true, transaction: `0x${'6e'.repeat(32)}`, network: 'eip155:8453', payer: wallet };
    const buy = async () => post({ credential: await forged({ from: wallet }), headers });
    expect((await buy()).status).toBe(200);
    for (let count = 0; count < 10; count += 1) await post({ credential: await forged({ from: foreign }), headers });
    const locked = await post({ credential: await forged({ from: foreign }), headers });
    expect((await problemOf(locked)).code).toBe('too_many_failed_payments');
    expect((await buy()).status).toBe(200);
  });

  test('a wallet that is deployed pays within seconds, although a stranger named its address before', async () => {
    const from = freshAddress();
    expect((await problemOf(await post({ credential: await forged({ from }) }))).code).toBe('invalid_signature');
    seen.rpc = contracts([from]);
    seen.verify = { isValid: true, payer: from };
    seen.settle = { success: true, transaction: `0x${'71'.repeat(32)}`, network: 'eip155:8453', payer: from };
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + KEEP_WITHOUT_CODE_MS);
    expect((await post({ credential: await forged({ from }) })).status).toBe(200);
  });
});

describe('B11.1: a transfer that was sold', () => {
  test.each(['bare', 'proven'])('and comes %s for something dearer is 409', async (how) => {
    const hash = transferOnChain(seen, 60_000);
    expect((await post({ credential: hash })).status).toBe(200);
    const dear = { path: '/api/agent/fix_pack', body: '{"url":"https://shop.example/"}' };
    const credential = how === 'bare' ? hash : await provenFor({ ...dear, capability: 'fix_pack' }, hash);
    expect(await problemOf(await post({ ...dear, credential }))).toEqual({ status: 409, code: 'payment_already_used' });
  });

  test('is too small only while it bought nothing', async () => {
    const dear = { path: '/api/agent/fix_pack', body: '{"url":"https://shop.example/"}' };
    expect(await problemOf(await post({ ...dear, credential: transferOnChain(seen, 60_000) }))).toEqual({
      status: 402,
      code: 'transfer_too_small',
    });
  });
});

describe('B11.6: spellings of one URL', () => {
  test.each([
    'https://shop.example',
    'https://shop.example/#x',
    'HTTPS://SHOP.example:443/?',
    'https://shop.example./',
  ])('a payment repeated with %s gets what it bought', async (url) => {
    const credential = await signedCredential();
    const first = await post({ credential, body: '{"url":"https://shop.example/"}' });
    const again = await post({ credential, body: JSON.stringify({ url }) });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(await again.text()).toBe(await first.text());
  });

  test('another path is another request', async () => {
    const credential = await signedCredential();
    expect((await post({ credential, body: '{"url":"https://shop.example/"}' })).status).toBe(200);
    const other = await post({ credential, body: '{"url":"https://shop.example/a"}' });
    expect(await problemOf(other)).toEqual({ status: 409, code: 'payment_already_used' });
  });
});
