import { describe, expect, test } from 'vitest';
import type { Receipt, UsdcEvent } from '../../../src/payment/chain/chain.ts';
import { judgeRefusal, reconcileAuthorization } from '../../../src/payment/ledger/reconcile.ts';
import { authorizationUsed, blockAt, fakeChain, hashOfBlock, transfer } from '../chain/fake-chain.ts';
import { NOW_S, PAY_TO } from '../terms/offer-cases.ts';

const ALICE = `0x${'a1'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const NONCE = `0x${'0e'.repeat(32)}`;
const OTHER_NONCE = `0x${'0f'.repeat(32)}`;
const SETTLEMENT = `0x${'77'.repeat(32)}`;
const OPEN = {
  from: ALICE,
  nonce: NONCE,
  payTo: PAY_TO,
  amountMicroUsdc: 60_000,
  validBeforeS: NOW_S,
  sinceS: NOW_S - 300,
};

/** Head at 1000, safe at 990; the safe block's time is ten seconds before the end of the authorization. */
function chainWith(events?: UsdcEvent[], parts: Partial<Receipt> = {}) {
  const chain = fakeChain({ latest: blockAt(1_000n, NOW_S + 10), safe: blockAt(990n, NOW_S - 10) });
  if (events) {
    chain.state.authorizations.set(NONCE, SETTLEMENT);
    chain.state.nonces.set(NONCE, 985n);
    chain.state.receipts.set(SETTLEMENT, {
      hash: SETTLEMENT,
      status: 'success',
      blockNumber: 985n,
      blockHash: hashOfBlock(985n),
      events,
      ...parts,
    });
  }
  return chain;
}

const used = (index = 0) => authorizationUsed(ALICE, NONCE, index);
const toUs = (index = 1, value = 60_000n) => transfer(ALICE, PAY_TO, value, index);

describe('an authorization that was used', () => {
  test('is settled when its transaction carries our transfer', async () => {
    expect(await reconcileAuthorization(chainWith([used(), toUs()]), OPEN)).toEqual({
      outcome: 'settled',
      transaction: SETTLEMENT,
    });
  });

  test('is settled at once, although its block is not safe yet', async () => {
    expect(await reconcileAuthorization(chainWith([used(), toUs()], { blockNumber: 1_000n }), OPEN)).toMatchObject({
      outcome: 'settled',
    });
  });

  test('is found in a batch by the transfer that follows its own nonce', async () => {
    const batch = [authorizationUsed(ALICE, OTHER_NONCE, 0), transfer(ALICE, BOB, 60_000n, 1), used(2), toUs(3)];
    expect(await reconcileAuthorization(chainWith(batch), OPEN)).toMatchObject({ outcome: 'settled' });
  });

  test.each([
    ['to somebody else', [used(), transfer(ALICE, BOB, 60_000n, 1)]],
    ['of another amount', [used(), toUs(1, 1n)]],
    ['of another payer', [used(), transfer(BOB, PAY_TO, 60_000n, 1)]],
    [
      'of another authorization in the batch',
      [used(), transfer(ALICE, BOB, 60_000n, 1), authorizationUsed(ALICE, OTHER_NONCE, 2), toUs(3)],
    ],
    ['that stands before the nonce was used', [toUs(0), used(1), transfer(ALICE, BOB, 1n, 2)]],
    ['that was removed', [used(), { ...toUs(), removed: true }]],
  ])('P4: by a transfer %s is gone without money for us', async (_what, events) => {
    expect(await reconcileAuthorization(chainWith(events), OPEN)).toEqual({ outcome: 'cancelled' });
  });

  test('P18: elsewhere in a block that is not safe yet may still come to us', async () => {
    const chain = chainWith([used(), transfer(ALICE, BOB, 60_000n, 1)], { blockNumber: 991n });
    expect(await reconcileAuthorization(chain, OPEN)).toEqual({ outcome: 'undecided' });
  });

  test('is undecided while the node has the log and not the receipt', async () => {
    const chain = chainWith([used(), toUs()]);
    chain.state.receipts.delete(SETTLEMENT);
    expect(await reconcileAuthorization(chain, OPEN)).toEqual({ outcome: 'undecided' });
  });
});

describe('an authorization that no log names', () => {
  test('P18: is undecided until a safe block is past its end, whatever our clock says', async () => {
    const chain = chainWith();
    expect(await reconcileAuthorization(chain, OPEN)).toEqual({ outcome: 'undecided' });
    chain.state.safe = blockAt(991n, NOW_S);
    expect(await reconcileAuthorization(chain, OPEN)).toEqual({ outcome: 'undecided' });
    chain.state.safe = blockAt(992n, NOW_S + 1);
    expect(await reconcileAuthorization(chain, OPEN)).toEqual({ outcome: 'expired_unused' });
  });

  test('is cancelled when its nonce is gone at a safe block and a log says that it was cancelled', async () => {
    const chain = chainWith();
    chain.state.nonces.set(NONCE, 990n);
    chain.state.cancelled.add(NONCE);
    expect(await reconcileAuthorization(chain, OPEN)).toEqual({ outcome: 'cancelled' });
  });

  test.each([
    ['before its end', blockAt(990n, NOW_S - 10)],
    ['after its end', blockAt(990n, NOW_S + 1)],
  ])('P18: is undecided %s when its nonce is gone and the node lacks every log of it', async (_when, safe) => {
    const chain = chainWith();
    chain.state.safe = safe;
    chain.state.nonces.set(NONCE, 985n);
    expect(await reconcileAuthorization(chain, OPEN)).toEqual({ outcome: 'undecided' });
    expect(await judgeRefusal(chain, OPEN, false)).toEqual({ outcome: 'undecided' });
  });

  test('P18: is undecided when its nonce is gone only after the safe block', async () => {
    const chain = chainWith();
    chain.state.nonces.set(NONCE, 991n);
    chain.state.cancelled.add(NONCE);
    expect(await reconcileAuthorization(chain, OPEN)).toEqual({ outcome: 'undecided' });
  });

  test('a chain that cannot be read decides nothing', async () => {
    const chain = chainWith();
    chain.state.down = true;
    await expect(reconcileAuthorization(chain, OPEN)).rejects.toThrow('fake');
  });
});

describe("P4: a facilitator's refusal", () => {
  test('is believed when the nonce is unused after it', async () => {
    expect(await judgeRefusal(chainWith(), OPEN, false)).toEqual({ outcome: 'refused' });
  });

  test('is our settlement when the money arrived nevertheless', async () => {
    expect(await judgeRefusal(chainWith([used(), toUs()]), OPEN, false)).toEqual({
      outcome: 'settled',
      transaction: SETTLEMENT,
    });
  });

  test('is believed when the nonce went elsewhere for good', async () => {
    expect(await judgeRefusal(chainWith([used(), transfer(ALICE, BOB, 60_000n, 1)]), OPEN, false)).toEqual({
      outcome: 'refused',
    });
  });

  test('is believed when the payer cancelled the nonce', async () => {
    const chain = chainWith();
    chain.state.nonces.set(NONCE, 990n);
    chain.state.cancelled.add(NONCE);
    expect(await judgeRefusal(chain, OPEN, false)).toEqual({ outcome: 'refused' });
  });

  test('is undecided when the nonce is used and nobody knows how yet', async () => {
    const chain = chainWith();
    chain.state.nonces.set(NONCE, 999n);
    expect(await judgeRefusal(chain, OPEN, false)).toEqual({ outcome: 'undecided' });
  });
});

describe("P4: a facilitator's refusal after another settlement was tried", () => {
  const judge = (chain: ReturnType<typeof chainWith>) => judgeRefusal(chain, OPEN, true);
  const richChain = (...given: Parameters<typeof chainWith>) => {
    const chain = chainWith(...given);
    chain.state.balance = 60_000n;
    return chain;
  };

  test('is doubt while the nonce is unused: the transaction of the other may be on its way', async () => {
    const chain = richChain();
    expect(await judge(chain)).toEqual({ outcome: 'undecided' });
    chain.state.latest = blockAt(1_001n, NOW_S + 60);
    chain.state.safe = blockAt(991n, NOW_S);
    expect(await judge(chain)).toEqual({ outcome: 'undecided' });
  });

  test('is believed when a safe block is past the end of the authorization and the nonce unused there', async () => {
    const chain = richChain();
    chain.state.safe = blockAt(992n, NOW_S + 1);
    expect(await judge(chain)).toEqual({ outcome: 'refused' });
  });

  test('is our settlement when the other one arrived', async () => {
    expect(await judge(richChain([used(), toUs()]))).toEqual({ outcome: 'settled', transaction: SETTLEMENT });
  });

  test('is believed when the nonce went elsewhere for good, and is doubt before that is safe', async () => {
    const elsewhere = [used(), transfer(ALICE, BOB, 60_000n, 1)];
    expect(await judge(richChain(elsewhere))).toEqual({ outcome: 'refused' });
    expect(await judge(richChain(elsewhere, { blockNumber: 991n }))).toEqual({ outcome: 'undecided' });
  });

  test('is believed when the balance no longer covers it, read with the nonce at one block', async () => {
    const poor = chainWith();
    poor.state.balance = 59_999n;
    expect(await judge(poor)).toEqual({ outcome: 'refused' });
    // It was paid in the newest block, which the node that is asked for the balance has and the others lack.
    const paid = {
      ...richChain(),
      balanceOf: async (_address: string, at?: unknown) => (at === 1_000n ? 60_000n : 0n),
    };
    expect(await judge(paid)).toEqual({ outcome: 'undecided' });
    const gone = chainWith();
    gone.state.nonces.set(NONCE, 1_000n);
    expect(await judge(gone)).toEqual({ outcome: 'undecided' });
  });

  test('a chain that cannot be read decides nothing', async () => {
    const chain = richChain();
    chain.state.down = true;
    await expect(judge(chain)).rejects.toThrow('fake');
  });
});
