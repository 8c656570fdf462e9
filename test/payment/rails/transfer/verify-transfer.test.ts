import { describe, expect, test } from 'vitest';
import type { BlockRef, Receipt, UsdcEvent } from '../../../../src/payment/chain/chain.ts';
import type { PricedOffer } from '../../../../src/payment/terms/terms.ts';
import { createSightings } from '../../../../src/payment/chain/chain-memory.ts';
import { type TransferQuestion, verifyTransfer } from '../../../../src/payment/rails/transfer/verify-transfer.ts';
import { authorizationUsed, blockAt, fakeChain, hashOfBlock, transfer } from '../../chain/fake-chain.ts';
import { NOW_S, OFFER, PAY_TO } from '../../terms/offer-cases.ts';

const HASH = `0x${'5e'.repeat(32)}`;
const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const ZERO = `0x${'00'.repeat(20)}`;
const MINED = 1_000n;
const MINED_AT_S = NOW_S - 20;
const DEAR: PricedOffer = { ...OFFER, name: 'full_report', amountMicroUsdc: 1_550_000 };
const POLICY = {
  confirmations: { small: 2, large: 'safe' },
  sinceS: NOW_S - 7 * 86_400,
  maxAgeS: 86_400,
  proofFromMicroUsdc: undefined,
} as const;

const paid = (...events: UsdcEvent[]): Receipt => ({
  hash: HASH,
  status: 'success',
  blockNumber: MINED,
  blockHash: hashOfBlock(MINED),
  events,
});

/** A chain ten blocks past the transaction, whose safe block is one before it. */
function chainWith(receipt: Receipt | 'pending' | undefined, minedAtS = MINED_AT_S) {
  const chain = fakeChain({ latest: blockAt(MINED + 10n, NOW_S), safe: blockAt(MINED - 1n, MINED_AT_S - 2) });
  if (receipt) chain.state.receipts.set(HASH, receipt);
  chain.state.blocks.set(MINED, blockAt(MINED, minedAtS));
  return chain;
}

const question = (parts: Partial<TransferQuestion> = {}): TransferQuestion => ({
  hash: HASH,
  offer: OFFER,
  policy: POLICY,
  nowS: NOW_S,
  sightings: createSightings(),
  ...parts,
});

const withLarge = (large: number) => ({ ...POLICY, confirmations: { small: 1, large } });
const minedAt = (minedAtS: number) =>
  verifyTransfer(chainWith(paid(transfer(ALICE, PAY_TO, 60_000n)), minedAtS), question());

const is =
  (...payers: string[]) =>
  async (payer: string) =>
    payers.includes(payer);

test('a confirmed transfer of the price is verified with all that the ledger keeps of it', async () => {
  expect(await verifyTransfer(chainWith(paid(transfer(ALICE, PAY_TO, 60_000n, 7))), question())).toEqual({
    ok: true,
    transfer: {
      logIndex: 7,
      payer: ALICE,
      amountMicroUsdc: 60_000,
      blockNumber: MINED,
      blockHash: hashOfBlock(MINED),
      blockTimeS: MINED_AT_S,
      stale: false,
      others: [],
    },
  });
});

test.each([
  ['more than the price (P15)', [transfer(ALICE, PAY_TO, 75_000n, 2)], {}, { amountMicroUsdc: 75_000 }],
  [
    'transfers to others beside ours',
    [transfer(ALICE, BOB, 60_000n, 0), transfer(BOB, PAY_TO, 60_000n, 1)],
    {},
    { payer: BOB, logIndex: 1 },
  ],
  [
    'one transfer that is too small beside ours',
    [transfer(BOB, PAY_TO, 1n, 0), transfer(ALICE, PAY_TO, 60_000n, 1)],
    {},
    { payer: ALICE },
  ],
  [
    'a log that was removed beside ours',
    [transfer(BOB, PAY_TO, 60_000n, 0, true), transfer(ALICE, PAY_TO, 60_000n, 1)],
    {},
    { payer: ALICE },
  ],
  [
    'an authorization of somebody else in the bundle (P20)',
    [authorizationUsed(BOB, '0x1', 0), transfer(BOB, ALICE, 5n, 1), transfer(ALICE, PAY_TO, 60_000n, 2)],
    {},
    { payer: ALICE },
  ],
  [
    'a payee in another letter case (P21)',
    [transfer(ALICE, PAY_TO, 60_000n)],
    { offer: { ...OFFER, payTo: PAY_TO.toUpperCase().replace('X', 'x') } },
    {},
  ],
  ['a block a minute ahead of our clock (P19)', [transfer(ALICE, PAY_TO, 60_000n)], { nowS: MINED_AT_S - 60 }, {}],
])('verified: %s', async (_what, events, parts, found) => {
  expect(await verifyTransfer(chainWith(paid(...events)), question(parts))).toMatchObject({
    ok: true,
    transfer: found,
  });
});

test.each([
  ['transaction_reverted', 'a reverted transaction', { ...paid(), status: 'reverted' as const }],
  ['no_matching_transfer', 'a transaction without USDC events (a fake token emits none of USDC)', paid()],
  ['no_matching_transfer', 'a transfer to somebody else', paid(transfer(ALICE, BOB, 60_000n))],
  ['transfer_source_refused', 'P20: freshly minted USDC', paid(transfer(ZERO, PAY_TO, 60_000n))],
  ['transfer_source_refused', 'P20: the payee paying itself', paid(transfer(PAY_TO, PAY_TO, 60_000n))],
  [
    'transfer_is_settlement',
    'P20: the settlement of an authorization',
    paid(authorizationUsed(ALICE, '0x1', 0), transfer(ALICE, PAY_TO, 60_000n, 1)),
  ],
  [
    'transfer_is_settlement',
    'P20: another transfer of the authorizer in that settlement',
    paid(transfer(ALICE, PAY_TO, 60_000n, 0), authorizationUsed(ALICE, '0x1', 1), transfer(ALICE, BOB, 1n, 2)),
  ],
  ['transfer_too_small', 'less than the price', paid(transfer(ALICE, PAY_TO, 59_999n))],
  [
    'transfer_too_small',
    'the price in parts',
    paid(transfer(ALICE, PAY_TO, 30_000n, 0), transfer(ALICE, PAY_TO, 30_000n, 1)),
  ],
  ['transfer_too_small', 'nothing', paid(transfer(ALICE, PAY_TO, 0n))],
])('refused as %s: %s', async (reason, _what, receipt) => {
  expect(await verifyTransfer(chainWith(receipt), question())).toEqual({ ok: false, class: 'refused', reason });
});

describe('age', () => {
  test('P16: a transfer from before PAYMENTS_SINCE is too old', async () => {
    const chain = chainWith(paid(transfer(ALICE, PAY_TO, 60_000n)));
    const since = (sinceS: number) => verifyTransfer(chain, question({ policy: { ...POLICY, sinceS } }));
    expect(await since(MINED_AT_S + 1)).toEqual({ ok: false, class: 'refused', reason: 'transfer_too_old' });
    expect(await since(MINED_AT_S)).toMatchObject({ ok: true });
  });

  test('P15: a transfer past the acceptance window is stale, which the ledger judges', async () => {
    expect(await minedAt(NOW_S - 86_401)).toMatchObject({ ok: true, transfer: { stale: true } });
    expect(await minedAt(NOW_S - 86_400)).toMatchObject({ ok: true, transfer: { stale: false } });
  });

  test('P19: a block more than a minute ahead of our clock is doubt', async () => {
    const verdict = await verifyTransfer(
      chainWith(paid(transfer(ALICE, PAY_TO, 60_000n))),
      question({ nowS: MINED_AT_S - 61 }),
    );
    expect(verdict).toEqual({ ok: false, class: 'unverifiable', reason: 'payment_unverifiable' });
  });

  test.each([
    [MINED_AT_S - 3_600, true],
    [MINED_AT_S - 3_601, false],
    [MINED_AT_S + 10, true],
  ])('P14: the old price counts by the time of the block (price changed at %i: %s)', async (changedAtS, ok) => {
    const raised = {
      ...OFFER,
      amountMicroUsdc: 90_000,
      previous: { amountMicroUsdc: 60_000, changedAtMs: changedAtS * 1000 },
    };
    expect(
      (await verifyTransfer(chainWith(paid(transfer(ALICE, PAY_TO, 60_000n))), question({ offer: raised }))).ok,
    ).toBe(ok);
  });
});

describe('finality', () => {
  const receipt = paid(transfer(ALICE, PAY_TO, 2_000_000n));
  const pending = { ok: false, class: 'pending', reason: 'payment_pending' };

  test.each([
    [MINED, 2, false],
    [MINED + 1n, 2, true],
    [MINED, 1, true],
    [MINED - 1n, 1, false],
  ])('P13: head %i with %i confirmations asked for', async (head, small, ok) => {
    const chain = chainWith(receipt);
    chain.state.latest = blockAt(head, NOW_S);
    const verdict = await verifyTransfer(
      chain,
      question({ policy: { ...POLICY, confirmations: { small, large: 'safe' } } }),
    );
    expect(ok ? verdict.ok : verdict).toEqual(ok ? true : pending);
  });

  test('P25: from 1 USD on the block must be safe', async () => {
    const chain = chainWith(receipt);
    expect(await verifyTransfer(chain, question({ offer: DEAR }))).toEqual(pending);
    chain.state.safe = blockAt(MINED, MINED_AT_S);
    expect(await verifyTransfer(chain, question({ offer: DEAR }))).toMatchObject({ ok: true });
  });

  test('P25: or have the number of confirmations that the operator asks for', async () => {
    expect(await verifyTransfer(chainWith(receipt), question({ offer: DEAR, policy: withLarge(12) }))).toEqual(pending);
    expect(await verifyTransfer(chainWith(receipt), question({ offer: DEAR, policy: withLarge(11) }))).toMatchObject({
      ok: true,
    });
  });

  test('a reorganised block is pending: the transaction may be mined again', async () => {
    const chain = chainWith(receipt);
    chain.state.blocks.set(MINED, { ...blockAt(MINED, MINED_AT_S), hash: hashOfBlock(77n) });
    expect(await verifyTransfer(chain, question())).toEqual(pending);
    expect(await verifyTransfer(chainWith(paid(transfer(ALICE, PAY_TO, 60_000n, 0, true))), question())).toEqual(
      pending,
    );
  });

  test('a transaction that is not mined yet is pending', async () => {
    expect(await verifyTransfer(chainWith('pending'), question())).toEqual(pending);
  });

  test('P13: a chain that cannot be read is doubt at every step', async () => {
    const down = chainWith(receipt);
    down.state.down = true;
    expect(await verifyTransfer(down, question())).toEqual({
      ok: false,
      class: 'unverifiable',
      reason: 'payment_unverifiable',
    });
    const half = { ...chainWith(receipt), block: (ref: BlockRef) => down.block(ref) };
    expect(await verifyTransfer(half, question())).toEqual({
      ok: false,
      class: 'unverifiable',
      reason: 'payment_unverifiable',
    });
  });

  test('a bug is not taken for an unreadable chain', async () => {
    const broken = { ...chainWith(receipt), block: async () => Promise.reject(new TypeError('bug')) };
    await expect(verifyTransfer(broken, question())).rejects.toThrow(TypeError);
  });
});

describe('P20: several transfers to the payee in one transaction', () => {
  const bundle = paid(
    transfer(ALICE, PAY_TO, 60_000n, 3),
    transfer(BOB, PAY_TO, 60_000n, 9),
    transfer(ALICE, PAY_TO, 70_000n, 5),
  );

  test('are ambiguous for a bare hash', async () => {
    expect(await verifyTransfer(chainWith(bundle), question())).toEqual({
      ok: false,
      class: 'ambiguous',
      reason: 'ambiguous_transfer',
    });
  });

  test('are told apart by a payer proof', async () => {
    const verdict = await verifyTransfer(chainWith(bundle), question({ isPayer: is(BOB) }));
    expect(verdict).toMatchObject({ ok: true, transfer: { payer: BOB, logIndex: 9, others: [] } });
  });

  test('of one payer are each a payment: the first, and the others beside it', async () => {
    const verdict = await verifyTransfer(chainWith(bundle), question({ isPayer: is(ALICE) }));
    expect(verdict).toMatchObject({
      ok: true,
      transfer: {
        payer: ALICE,
        logIndex: 3,
        amountMicroUsdc: 60_000,
        others: [{ logIndex: 5, amountMicroUsdc: 70_000 }],
      },
    });
  });

  test('are not ambiguous when only one is enough for the price', async () => {
    const verdict = await verifyTransfer(chainWith(bundle), question({ offer: { ...OFFER, amountMicroUsdc: 65_000 } }));
    expect(verdict).toMatchObject({ ok: true, transfer: { logIndex: 5 } });
  });

  test('cost a bounded number of proof checks', async () => {
    const many = paid(
      ...Array.from({ length: 40 }, (_, index) =>
        transfer(`0x${(index + 1).toString(16).padStart(40, '0')}`, PAY_TO, 60_000n, index),
      ),
    );
    let asked = 0;
    const isPayer = async () => (asked++, false);
    expect(await verifyTransfer(chainWith(many), question({ isPayer }))).toMatchObject({
      reason: 'payer_proof_invalid',
    });
    expect(asked).toBe(10);
  });
});

describe('P9: proofs', () => {
  const receipt = paid(transfer(ALICE, PAY_TO, 60_000n));
  const strict = { ...POLICY, proofFromMicroUsdc: 60_000 };

  test('a bare hash is refused before the chain is asked when a proof is required', async () => {
    const chain = chainWith(receipt);
    const verdict = await verifyTransfer(chain, question({ policy: strict }));
    expect(verdict).toEqual({ ok: false, class: 'refused', reason: 'payer_proof_required' });
    expect(chain.state.calls).toEqual([]);
  });

  test('below that price a bare hash is enough, and a proof always is', async () => {
    expect(
      await verifyTransfer(chainWith(receipt), question({ policy: { ...strict, proofFromMicroUsdc: 60_001 } })),
    ).toMatchObject({ ok: true });
    expect(await verifyTransfer(chainWith(receipt), question({ policy: strict, isPayer: is(ALICE) }))).toMatchObject({
      ok: true,
    });
  });

  test.each([
    ['a dear transfer on a cheap row', [transfer(ALICE, PAY_TO, 100_000_000n)], 'payer_proof_required'],
    ['exactly as much', [transfer(ALICE, PAY_TO, 5_000_000n)], 'payer_proof_required'],
    [
      'a dear transfer beside a small one',
      [transfer(BOB, PAY_TO, 60_000n, 1), transfer(ALICE, PAY_TO, 5_000_000n, 2)],
      'payer_proof_required',
    ],
  ])('P6: %s needs a proof by what was transferred, not by the price', async (_what, events, reason) => {
    const policy = { ...POLICY, proofFromMicroUsdc: 5_000_000 };
    expect(await verifyTransfer(chainWith(paid(...events)), question({ policy }))).toEqual({
      ok: false,
      class: 'refused',
      reason,
    });
    expect(await verifyTransfer(chainWith(paid(...events)), question({ policy, isPayer: is(ALICE) }))).toMatchObject({
      ok: true,
      transfer: { payer: ALICE },
    });
  });

  test('P9: one micro-dollar less is taken by its hash alone', async () => {
    const policy = { ...POLICY, proofFromMicroUsdc: 5_000_000 };
    const chain = chainWith(paid(transfer(ALICE, PAY_TO, 4_999_999n)));
    expect(await verifyTransfer(chain, question({ policy }))).toMatchObject({ ok: true });
  });

  test("somebody else's proof is no proof", async () => {
    const verdict = await verifyTransfer(chainWith(receipt), question({ isPayer: is(BOB) }));
    expect(verdict).toEqual({ ok: false, class: 'refused', reason: 'payer_proof_invalid' });
  });
});

describe('a hash that the chain does not know', () => {
  test('P13: is pending for a minute and then not found', async () => {
    const chain = chainWith(undefined);
    const sightings = createSightings();
    const at = async (seconds: number) => {
      const verdict = await verifyTransfer(chain, question({ sightings, nowS: NOW_S + seconds }));
      return verdict.ok ? 'ok' : `${verdict.class} ${verdict.reason}`;
    };
    expect(await at(0)).toBe('pending payment_pending');
    expect(await at(60)).toBe('pending payment_pending');
    expect(await at(61)).toBe('refused transaction_not_found');
  });

  test('P12: is asked of the chain once in five seconds', async () => {
    const chain = chainWith(undefined);
    const sightings = createSightings();
    for (const seconds of [0, 1, 4, 5]) await verifyTransfer(chain, question({ sightings, nowS: NOW_S + seconds }));
    expect(chain.state.calls).toEqual(['receipt', 'receipt']);
  });

  test('is verified when it turns up after having been missing', async () => {
    const chain = chainWith(undefined);
    const sightings = createSightings();
    await verifyTransfer(chain, question({ sightings, nowS: NOW_S - 10 }));
    chain.state.receipts.set(HASH, paid(transfer(ALICE, PAY_TO, 60_000n)));
    expect(await verifyTransfer(chain, question({ sightings }))).toMatchObject({ ok: true });
  });

  test('is pending anew when a reorganisation made it unknown after it was known', async () => {
    const chain = chainWith(undefined);
    const sightings = createSightings();
    const at = (nowS: number) => verifyTransfer(chain, question({ sightings, nowS }));
    await at(NOW_S - 120);
    chain.state.receipts.set(HASH, paid(transfer(ALICE, PAY_TO, 60_000n)));
    expect(await at(NOW_S - 10)).toMatchObject({ ok: true });
    chain.state.receipts.delete(HASH);
    expect(await at(NOW_S)).toMatchObject({ class: 'pending', reason: 'payment_pending' });
  });

  test('is forgotten first when a flood of hashes fills the memory, and then pending again', () => {
    const sightings = createSightings(2);
    sightings.missing('0x1', 0);
    sightings.missing('0x2', 0);
    sightings.missing('0x3', 0);
    expect(sightings.recall('0x1', 1)).toBeUndefined();
    expect(sightings.recall('0x3', 1)).toEqual({ forS: 1 });
    expect(sightings.missing('0x1', 100)).toEqual({ forS: 0 });
    expect(sightings.missing('0x3', 100)).toEqual({ forS: 100 });
  });
});
