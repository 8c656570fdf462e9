import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeBase58, encodeBase58 } from '../../../src/payment/terms/base58.ts';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import { createSvmReader, type SvmReader, type SvmTransaction } from '../../../src/payment/chain/svm-chain.ts';
import { createFacilitator } from '../../../src/payment/facilitator/facilitator.ts';
import { readKeyNetwork } from '../../../src/payment/ledger/payment-key.ts';
import type { AuthorizedPayment, OpenSettlement } from '../../../src/payment/rails/rail.ts';
import { deriveTokenAccount } from '../../../src/payment/rails/x402-svm/token-account.ts';
import { x402Carrier } from '../../../src/payment/rails/x402-carrier.ts';
import { bodyText } from '../terms/offer-cases.ts';
import { SOLANA } from '../../../src/payment/terms/networks-data.ts';
import { buildRequirements, type PricedOffer } from '../../../src/payment/terms/terms.ts';

type Made = { payer: string; payload: { accepted: Record<string, unknown>; payload: { transaction: string } } };
const { messages } = JSON.parse(readFileSync(new URL('../../data/svm/messages.json', import.meta.url), 'utf8')) as {
  messages: Record<string, Made>;
};

const PAY_TO = '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj';
const FEE_PAYER = '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4';
const NOW_S = 1_795_910_000;
const CLOCK = { nowMs: NOW_S * 1000, worstCaseS: 60 };
const SIGNATURE = encodeBase58(Uint8Array.from({ length: 64 }, (_, at) => at + 1));
const OFFER: PricedOffer = {
  name: 'check_health',
  description: 'd',
  url: 'https://sightline.test/api/agent/check_health',
  payTo: PAY_TO,
  network: SOLANA,
  feePayer: FEE_PAYER,
  amountMicroUsdc: 60_000,
};

const made = (name: string): Made => {
  const found = messages[name];
  if (found === undefined) throw new TypeError(`no message ${name}`);
  return found;
};
const encode = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64');
/** The same payload with other parts. */
const changed = (name: string, transaction: string, accepted: object = {}): string => {
  const { payload } = made(name);
  return encode({ ...payload, accepted: { ...payload.accepted, ...accepted }, payload: { transaction } });
};

async function present(text: string): Promise<AuthorizedPayment> {
  const parsed = await x402Carrier.parse(text);
  if (!parsed.ok) throw new Error(parsed.detail);
  if (parsed.payment.flow !== 'authorization') throw new TypeError('a transfer');
  return parsed.payment;
}
const presentMade = (name: string) => present(encode(made(name).payload));
const wireOf = (name: string): Buffer => Buffer.from(made(name).payload.payload.transaction, 'base64');
/** Where the message begins: after two signatures. */
const MESSAGE_AT = 1 + 2 * 64;

/** A transaction with another address in place of one. */
const swap = (name: string, from: string, to: string): string => {
  const [old, next] = [decodeBase58(from, 32), decodeBase58(to, 32)];
  const hex = wireOf(name)
    .toString('hex')
    .replace(Buffer.from(old ?? []).toString('hex'), Buffer.from(next ?? []).toString('hex'));
  return Buffer.from(hex, 'hex').toString('base64');
};

describe('a message of the official client', () => {
  test('is a payment of its signer, on its network, and fits the offer', async () => {
    const payment = await presentMade('good');
    expect([payment.rail, payment.payer, payment.networkId, payment.amountMicroUsdc]).toEqual([
      'x402-svm',
      made('good').payer,
      SOLANA.id,
      60_000,
    ]);
    expect(await payment.checkTerms(OFFER, CLOCK)).toEqual({
      ok: true,
      amountMicroUsdc: 60_000,
      validBeforeS: NOW_S + 300,
      requirements: buildRequirements(OFFER, 60_000, '00112233445566778899aabbccddeeff'),
      late: undefined,
    });
    expect(await payment.isPayersKey(SOLANA)).toBe(true);
    expect(payment.hasSecret).toBe(true);
  });

  test('P21: has one key, whatever is in the place of the fee payer’s signature', async () => {
    const payment = await presentMade('good');
    const key = payment.formatKey(SOLANA);
    expect(key).toMatch(/^svm:solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:[0-9a-f]{64}$/);
    expect(readKeyNetwork(key)).toBe(SOLANA.id);
    const filled = wireOf('good');
    filled.fill(9, 1, 65);
    expect((await present(changed('good', filled.toString('base64')))).formatKey(SOLANA)).toBe(key);
    expect((await presentMade('again')).formatKey(SOLANA)).not.toBe(key);
  });

  test.each([
    ['amount_1', 'wrong_amount'],
    ['to_another_payee', 'wrong_recipient'],
    ['with_another_fee_payer', 'wrong_terms'],
  ])('%s is refused', async (name, reason) => {
    expect(await (await presentMade(name)).checkTerms(OFFER, CLOCK)).toMatchObject({ ok: false, reason });
    // What it says it accepts is not signed: the transaction itself is judged.
    const posing = await present(changed(name, made(name).payload.payload.transaction, made('good').payload.accepted));
    expect(await posing.checkTerms(OFFER, CLOCK)).toMatchObject({ ok: false, reason });
  });

  test('of a row that is not sold on Solana, or of another network, is refused', async () => {
    const payment = await presentMade('good');
    const { feePayer: _none, ...notSold } = OFFER;
    expect(await payment.checkTerms(notSold, CLOCK)).toMatchObject({ ok: false, reason: 'wrong_terms' });
    const accepted = { network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' };
    const elsewhere = await present(changed('good', made('good').payload.payload.transaction, accepted));
    expect(await elsewhere.checkTerms(OFFER, CLOCK)).toMatchObject({ ok: false, reason: 'wrong_terms' });
  });

  test('that moves another token is refused, whatever it says', async () => {
    const devnet = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
    const payment = await present(changed('good', swap('good', SOLANA.usdc, devnet)));
    expect(await payment.checkTerms(OFFER, CLOCK)).toMatchObject({ ok: false, reason: 'wrong_terms' });
  });

  test('that was changed after it was signed has another signer', async () => {
    const wire = wireOf('good');
    const at = wire.length - 3; // In the memo.
    wire[at] = (wire[at] ?? 0) ^ 1;
    const payment = await present(changed('good', wire.toString('base64')));
    expect(await payment.isPayersKey(SOLANA)).toBe(false);
    expect([await payment.isWrapped(), await payment.isWallets({} as never, SOLANA)]).toEqual([false, false]);
  });
});

describe('bad input', () => {
  const legacy = (): string => {
    const wire = wireOf('good');
    wire[MESSAGE_AT] = 0x81;
    return wire.toString('base64');
  };
  test.each<[string, string, RegExp]>([
    ['nothing', '', /is not standard base64/],
    ['no base64', 'a-b_c', /is not standard base64/],
    ['base64 that is cut', 'AAAAA', /is not/],
    ['garbage', Buffer.from('no transaction at all').toString('base64'), /is not one of Solana/],
    ['a transaction that is cut', wireOf('good').subarray(0, 200).toString('base64'), /is not one of Solana/],
    ['one of a later version', legacy(), /version|is not one of Solana/],
    ['a huge one', 'A'.repeat(1_648), /payload.transaction/],
    [
      'another program in place of the memo',
      swap('good', 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', '11111111111111111111111111111112'),
      /does more than a transfer/,
    ],
    [
      'another program in place of the budget',
      swap('good', 'ComputeBudget111111111111111111111111111111', '11111111111111111111111111111112'),
      /does more than a transfer/,
    ],
    [
      'another program of tokens',
      swap('good', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
      /does more than a transfer/,
    ],
  ])('%s is refused in our words', async (_what, transaction, detail) => {
    const parsed = await x402Carrier.parse(changed('good', transaction));
    expect(parsed).toMatchObject({ ok: false, reason: 'invalid_payload', detail: expect.stringMatching(detail) });
  });

  test('a payload with members of another rail is refused', async () => {
    const { payload } = made('good');
    const both = { ...payload, payload: { ...payload.payload, signature: '0x12' } };
    expect(await x402Carrier.parse(encode(both))).toMatchObject({ ok: false, reason: 'invalid_payload' });
  });
});

test('token accounts are derived as the official client derives them', async () => {
  const payment = await presentMade('good');
  expect(await deriveTokenAccount(PAY_TO, SOLANA.usdc)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  expect(await payment.checkTerms(OFFER, CLOCK)).toMatchObject({ ok: true }); // Its destination is that account.
});

test('base58 is one spelling of bytes', () => {
  const bytes = Uint8Array.from([0, 0, 1, 2, 255]);
  expect(decodeBase58(encodeBase58(bytes), 5)).toEqual(bytes);
  for (const [text, length] of [
    ['0', 1],
    ['l', 1],
    ['', 1],
    ['2'.repeat(200), 4],
    ['5Q', 1],
    ['11', 1],
  ] as const)
    expect([text, decodeBase58(text, length)]).toEqual([text, text === '5Q' ? Uint8Array.of(255) : undefined]);
});

/** A chain in memory. */
function chainOf(
  parts: { found?: Partial<SvmTransaction>; isFinal?: boolean; finalS?: number; isDown?: boolean } = {},
): SvmReader {
  const answer = async <T>(value: T): Promise<T> => {
    if (parts.isDown === true) throw new ChainUnreachable('down');
    return value;
  };
  const wire = wireOf('good').toString('base64');
  const found = { signature: SIGNATURE, wire, isGood: true, ...parts.found };
  return {
    isGenuine: () => answer(true),
    tokenBalance: () => answer(5n),
    transaction: () => answer(parts.found === undefined ? undefined : found),
    hasFailed: () => answer(!found.isGood && parts.isFinal !== false),
    signaturesOf: () => answer({ signatures: parts.found === undefined ? [] : [SIGNATURE], isWhole: true }),
    isBlockKnown: () => answer({ isKnown: false, slot: 1 }),
    finalBlock: () => answer({ slot: 1, timeS: parts.finalS ?? NOW_S }),
  };
}

describe('what became of a message', () => {
  const OPEN: OpenSettlement = {
    payTo: PAY_TO,
    amountMicroUsdc: 60_000,
    sinceS: NOW_S - 3_600,
    nowS: NOW_S,
    wasTried: false,
  };
  const portsOf = (svm?: SvmReader) => ({ svm, chain: {} as never, facilitator: {} as never });

  test.each<[string, Parameters<typeof chainOf>[0], object, object]>([
    [
      'carried out',
      { found: {} },
      { outcome: 'settled', transaction: SIGNATURE },
      { outcome: 'settled', transaction: SIGNATURE },
    ],
    ['failed for good', { found: { isGood: false } }, { outcome: 'cancelled' }, { outcome: 'refused' }],
    [
      'failed, and not final',
      { found: { isGood: false }, isFinal: false },
      { outcome: 'undecided' },
      { outcome: 'undecided' },
    ],
    ['not there', {}, { outcome: 'undecided' }, { outcome: 'refused' }],
    [
      'another one of the same payer',
      { found: { wire: wireOf('again').toString('base64') } },
      { outcome: 'undecided' },
      { outcome: 'refused' },
    ],
  ])('%s', async (_what, parts, reconciled, refusal) => {
    const payment = await presentMade('good');
    expect(await payment.reconcile(portsOf(chainOf(parts)), OPEN)).toEqual(reconciled);
    expect(await payment.judgeRefusal(portsOf(chainOf(parts)), OPEN)).toEqual(refusal);
  });

  test('is doubt where the node is down, or none is configured', async () => {
    const payment = await presentMade('good');
    for (const svm of [chainOf({ isDown: true }), undefined])
      await expect((async () => payment.reconcile(portsOf(svm), OPEN))()).rejects.toBeInstanceOf(ChainUnreachable);
  });
});

describe('the node', () => {
  const ask = (answers: Record<string, unknown>, status = 200) => {
    const asked: { method: string; params: unknown[] }[] = [];
    const reader = createSvmReader({
      rpcUrl: 'https://rpc.test/secret-key',
      network: SOLANA,
      timeoutMs: 1_000,
      fetch: async (_url, init) => {
        const { method, params } = JSON.parse(bodyText(init)) as { method: string; params: unknown[] };
        asked.push({ method, params });
        const answer = answers[method];
        const body = typeof answer === 'object' && answer !== null && 'error' in answer ? answer : { result: answer };
        return Response.json({ jsonrpc: '2.0', id: 1, ...body }, { status });
      },
    });
    return { reader, asked };
  };

  test('P8: is Solana by its first block', async () => {
    const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
    expect(await ask({ getGenesisHash: genesis }).reader.isGenuine()).toBe(true);
    expect(await ask({ getGenesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' }).reader.isGenuine()).toBe(
      false,
    );
  });

  test('shows a transaction by its bytes', async () => {
    const wire = wireOf('good').toString('base64');
    const { reader, asked } = ask({
      getTransaction: { slot: 8, transaction: [wire, 'base64'], meta: { err: null, fee: 10_000 } },
    });
    expect(await reader.transaction(SIGNATURE)).toEqual({ signature: SIGNATURE, wire, isGood: true });
    expect(asked.map(({ method }) => method)).toEqual(['getTransaction']);
    expect(asked[0]?.params).toEqual([
      SIGNATURE,
      { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
    ]);
    expect(await ask({ getTransaction: null }).reader.transaction(SIGNATURE)).toBeUndefined();
  });

  test.each([
    [[{ confirmationStatus: 'finalized', err: { InstructionError: [2, 'x'] } }], true],
    [[{ confirmationStatus: 'confirmed', err: { InstructionError: [2, 'x'] } }], false],
    [[{ confirmationStatus: 'finalized', err: null }], false],
    [[null], false],
  ])('says by the status %j whether a transaction has failed for good: %s', async (value, hasFailed) => {
    const { reader, asked } = ask({ getSignatureStatuses: { context: { slot: 9 }, value } });
    expect(await reader.hasFailed(SIGNATURE)).toBe(hasFailed);
    expect(asked[0]?.params).toEqual([[SIGNATURE], { searchTransactionHistory: true }]);
  });

  test('shows a failed one, the newest of an address, balances and times', async () => {
    const wire = wireOf('good').toString('base64');
    const { reader } = ask({
      getTransaction: { transaction: [wire, 'base64'], meta: { err: { InstructionError: [2, 'x'] } } },
      getSignaturesForAddress: [
        { signature: 'new', blockTime: NOW_S },
        { signature: 'young', blockTime: null },
        { signature: 'old', blockTime: NOW_S - 601 },
      ],
      getTokenAccountBalance: { value: { amount: '1500000', decimals: 6 } },
      getSlot: 7,
      getBlockTime: NOW_S,
    });
    expect(await reader.transaction(SIGNATURE)).toMatchObject({ isGood: false });
    expect(await reader.signaturesOf('payer', { sinceS: NOW_S - 600, pages: 1 })).toEqual({
      signatures: ['new', 'young'],
      isWhole: true,
    });
    expect([await reader.tokenBalance('account'), await reader.finalBlock()]).toEqual([
      1_500_000n,
      { slot: 7, timeS: NOW_S },
    ]);
    const none = ask({ getTokenAccountBalance: { error: { code: -32_602, message: 'could not find account' } } });
    expect(await none.reader.tokenBalance('account')).toBe(0n);
  });

  test.each([
    ['an error', { getSlot: { error: { code: -32_005, message: 'node is behind' } } }],
    ['another shape', { getSlot: 'seven' }],
    ['nothing', {}],
  ])('is in doubt by %s, and its address is in no message', async (_what, answers) => {
    const { reader } = ask(answers);
    const failure = await reader.finalBlock().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ChainUnreachable);
    expect(String(failure)).not.toContain('secret');
  });
});

describe('the facilitator', () => {
  const reply = (json: object, status = 200) => {
    const sent: { path: string; body: Record<string, unknown> }[] = [];
    const facilitator = createFacilitator({
      url: 'https://facilitator.test',
      fetch: async (url, init) => {
        sent.push({ path: new URL(url).pathname, body: JSON.parse(bodyText(init)) as Record<string, unknown> });
        return Response.json(json, { status });
      },
    });
    return { ports: { facilitator, chain: {} as never, svm: undefined }, sent };
  };
  const requirements = buildRequirements(OFFER, 60_000, 'q');
  const payer = made('good').payer;

  test('P7: gets our requirements and the transaction as it was signed', async () => {
    const { ports, sent } = reply({ isValid: true, payer });
    const payment = await presentMade('good');
    expect(await payment.verify(ports, requirements)).toEqual({ kind: 'valid', payer });
    expect(sent).toMatchObject([
      {
        path: '/verify',
        body: {
          paymentRequirements: requirements,
          paymentPayload: { accepted: requirements, payload: made('good').payload.payload },
        },
      },
    ]);
  });

  test.each<[string, object, number, object]>([
    [
      'settles',
      { success: true, transaction: SIGNATURE, network: SOLANA.id, payer },
      200,
      { kind: 'settled', transaction: SIGNATURE },
    ],
    [
      'names another payer',
      { success: true, transaction: SIGNATURE, network: SOLANA.id, payer: payer.toLowerCase() },
      200,
      { kind: 'unknown' },
    ],
    [
      'names another network',
      { success: true, transaction: SIGNATURE, network: 'eip155:8453', payer },
      200,
      { kind: 'unknown' },
    ],
    ['names no signature', { success: true, transaction: 'abc', network: SOLANA.id, payer }, 200, { kind: 'unknown' }],
    [
      'refuses',
      { success: false, errorReason: 'invalid_exact_svm_transaction_simulation_failed' },
      200,
      { kind: 'refused' },
    ],
    [
      'may have sent it',
      { success: false, errorReason: 'invalid_exact_svm_transaction_failed' },
      200,
      { kind: 'unknown' },
    ],
    ['has it under way', { success: false, errorReason: 'duplicate_settlement' }, 200, { kind: 'unknown' }],
    ['is in trouble', { success: false, errorReason: 'busy' }, 503, { kind: 'unknown' }],
  ])('%s', async (_what, json, status, outcome) => {
    const { ports } = reply(json, status);
    expect(await (await presentMade('good')).settle(ports, requirements)).toMatchObject(outcome);
  });
});
