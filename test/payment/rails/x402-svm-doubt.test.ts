import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFacilitator } from '../../../src/payment/facilitator/facilitator.ts';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import type { LedgerRow } from '../../../src/payment/ledger/row.ts';
import type { SearchState } from '../../../src/payment/ledger/search.ts';
import type { AuthorizedPayment, OpenSettlement } from '../../../src/payment/rails/rail.ts';
import { x402Carrier } from '../../../src/payment/rails/x402-carrier.ts';
import { svmLooks } from '../../../src/payment/rails/x402-svm/looks.ts';
import { ALARM_LOOK, REQUEST_LOOK } from '../../../src/payment/rails/x402-svm/settlement.ts';
import { SOLANA } from '../../../src/payment/terms/networks-data.ts';
import { buildRequirements } from '../../../src/payment/terms/terms.ts';
import { flood, type NodeTransaction, SvmNode } from '../chain/svm-node.ts';

type Made = { payload: { payload: { transaction: string } } };
const { messages } = JSON.parse(readFileSync(new URL('../../data/svm/messages.json', import.meta.url), 'utf8')) as {
  messages: Record<'good' | 'again', Made>;
};
const wireOf = (name: 'good' | 'again'): string => messages[name].payload.payload.transaction;
const OTHER = wireOf('again');

const CLAIMED_S = 1_795_910_000;
const ENDS_S = CLAIMED_S + 300;
const LANDED: NodeTransaction = { signature: 'ours', blockTime: CLAIMED_S + 20, wire: wireOf('good') };

let payment: AuthorizedPayment;
let node: SvmNode;
beforeEach(async () => {
  const parsed = await x402Carrier.parse(Buffer.from(JSON.stringify(messages.good.payload)).toString('base64'));
  if (!parsed.ok || parsed.payment.flow !== 'authorization') throw new Error('no payment');
  payment = parsed.payment;
  node = new SvmNode();
});

const rowOf = (kept: { named?: string; search?: SearchState } = {}): LedgerRow =>
  ({
    payer: payment.payer,
    firstClaimedAtMs: CLAIMED_S * 1000,
    instrument: { method: 'x402', nonce: payment.nonce, validBeforeS: ENDS_S, blockhash: payment.blockhash },
    phase: { state: 'unknown', ...kept },
  }) as LedgerRow;
const ports = () => ({ svm: node.reader, chain: {} as never, facilitator: {} as never });
const lookPorts = () => ({ svm: node.reader, chain: {} as never, payTo: '', safeBlock: undefined as never });
const reconcile = (kept?: Parameters<typeof rowOf>[0]) => svmLooks.reconcile(rowOf(kept), lookPorts());

/** Looks as the alarm does, each from where the last one ended. */
async function reconcileToTheEnd() {
  let search: SearchState | undefined;
  for (let looks = 1; ; looks += 1) {
    const verdict = await reconcile(search && { search });
    if (verdict.outcome !== 'undecided') return { verdict, looks };
    if (looks > 300 || verdict.search === undefined) throw new Error('the search does not end');
    search = verdict.search;
  }
}

describe('the alarm of the ledger', () => {
  beforeEach(() => {
    node.finalTimeS = ENDS_S + 1;
  });

  test('finds a payment below any number of newer transactions that name its payer', async () => {
    node.transactions = [...flood(3_000, CLAIMED_S + 60, OTHER), LANDED];
    expect(await reconcile()).toEqual({ outcome: 'settled', transaction: 'ours' });
    expect(node.count('getTransaction')).toBe(1);
  });

  test('finds it below what its payer did long after', async () => {
    node.transactions = [...flood(2_000, ENDS_S + 3_600, OTHER), LANDED, ...flood(50, CLAIMED_S - 10, OTHER)];
    expect(await reconcile()).toEqual({ outcome: 'settled', transaction: 'ours' });
  });

  test('never takes a payment for unused that it has not looked for to the end', async () => {
    node.transactions = [LANDED, ...flood(ALARM_LOOK.transactions, CLAIMED_S - 10, OTHER)];
    expect(await reconcile()).toMatchObject({ outcome: 'undecided' });
    expect(node.count('getTransaction')).toBe(ALARM_LOOK.transactions);
    node.transactions = [...flood(10_001, CLAIMED_S + 60, OTHER), LANDED];
    expect(await reconcile()).toMatchObject({ outcome: 'undecided' });
    expect(await svmLooks.seeElsewhere(rowOf(), lookPorts())).toEqual({ outcome: 'undecided' });
  });

  test('takes it for unused when all that it could be was read', async () => {
    node.transactions = [...flood(1_500, ENDS_S + 3_600, OTHER), ...flood(ALARM_LOOK.transactions, CLAIMED_S, OTHER)];
    expect(await reconcile()).toEqual({ outcome: 'expired_unused' });
  });

  test.each([
    [100, 1],
    [101, 2],
    [1_050, 11],
  ])('reads a history of %d in %d looks, each from where the last one ended', async (count, looks) => {
    node.transactions = [
      ...flood(1_500, ENDS_S + 3_600, OTHER),
      ...flood(count, CLAIMED_S, OTHER),
      ...flood(50, CLAIMED_S - 601, OTHER),
    ];
    expect(await reconcileToTheEnd()).toEqual({ verdict: { outcome: 'expired_unused' }, looks });
    expect(node.count('getTransaction')).toBe(count);
  });

  test.each([
    ['among 250', 1, [100, 149]],
    ['the oldest of 12,000', 60, [11_999, 0]],
    ['the newest of 10,500', 60, [0, 10_499]],
    ['below 25,000 that came later', 10, [0, 10]],
  ] as const)('finds a payment %s', async (what, most, [above, below]) => {
    node.transactions = [
      ...flood(what.startsWith('below') ? 25_000 : 0, ENDS_S + 3_600, OTHER),
      ...flood(above, CLAIMED_S + 60, OTHER),
      LANDED,
      ...flood(below, CLAIMED_S - 10, OTHER),
    ];
    const { verdict, looks } = await reconcileToTheEnd();
    expect(verdict).toEqual({ outcome: 'settled', transaction: 'ours' });
    expect(looks).toBeLessThanOrEqual(most + 1);
  });

  test('goes on where it ended although the payer did more meanwhile', async () => {
    node.transactions = flood(150, CLAIMED_S, OTHER);
    const first = await reconcile();
    if (first.outcome !== 'undecided' || first.search === undefined) throw new Error(first.outcome);
    node.finalTimeS = ENDS_S + 3_700;
    node.transactions.unshift(...flood(2_000, ENDS_S + 3_600, OTHER));
    expect(await reconcile({ search: first.search })).toEqual({ outcome: 'expired_unused' });
    expect(node.count('getTransaction')).toBe(150);
  });

  test('does not take it for unused while a listed transaction cannot be read', async () => {
    const hidden = { signature: 'hidden', blockTime: CLAIMED_S + 20 };
    node.transactions = [...flood(100, CLAIMED_S + 60, OTHER), hidden];
    const first = await reconcile();
    expect(first).toMatchObject({ outcome: 'undecided', search: { hasUnread: true, looks: 1, idleLooks: 0 } });
    if (first.outcome !== 'undecided' || first.search === undefined) throw new Error('no search');
    // It was the last one: the search begins again, and waits longer.
    const second = await reconcile({ search: first.search });
    const { untilS } = first.search;
    expect(second).toEqual({ outcome: 'undecided', search: { untilS, looks: 2, idleLooks: 1 } });
    node.transactions = [...flood(100, CLAIMED_S + 60, OTHER), { ...hidden, wire: LANDED.wire ?? '' }];
    expect(await reconcile({ search: { looks: 2, idleLooks: 1 } })).toMatchObject({ outcome: 'settled' });
  });

  test('is not misled by transactions whose answers are large, or of another version', async () => {
    node.transactions = [
      { signature: 'large', blockTime: CLAIMED_S + 60, wire: OTHER, didChars: 400_000 },
      { signature: 'new', blockTime: CLAIMED_S + 60, error: -32_015 },
    ];
    expect(await reconcile()).toEqual({ outcome: 'expired_unused' });
    node.transactions.push(LANDED);
    expect(await reconcile()).toMatchObject({ outcome: 'settled' });
  });

  test('looks first at the transaction that the facilitator named, and believes it only where it is the payment', async () => {
    node.transactions = [LANDED, ...flood(300, CLAIMED_S - 10, OTHER)];
    expect(await reconcile({ named: 'ours' })).toEqual({ outcome: 'settled', transaction: 'ours' });
    expect(node.count('getTransaction')).toBe(1);
    for (const named of ['flood-1795909990-0', 'unknown']) {
      node.transactions = flood(3, CLAIMED_S - 10, OTHER);
      expect(await reconcile({ named })).toEqual({ outcome: 'expired_unused' });
      node.transactions.push(LANDED);
      expect(await reconcile({ named })).toEqual({ outcome: 'settled', transaction: 'ours' });
    }
  });

  test('reads the final block before the list, and the list of a node that has that block', async () => {
    expect(await reconcile()).toEqual({ outcome: 'expired_unused' });
    expect(node.asked).toEqual(['getSlot', 'getBlockTime', 'isBlockhashValid', 'getSignaturesForAddress']);
    // Another node behind the same address that is behind.
    node.meanwhile = (method) => {
      if (method === 'getSlot') node.finalSlot -= 500;
    };
    await expect(reconcile()).rejects.toBeInstanceOf(ChainUnreachable);
  });

  test('drops nothing while the chain knows the recent block of the message, whatever the time: the chain had halted', async () => {
    node.finalTimeS = ENDS_S + 36_000;
    node.knownBlocks = new Set([payment.blockhash ?? '']);
    expect(await reconcile()).toEqual({ outcome: 'undecided' });
    node.knownBlocks = new Set();
    node.transactions = [{ ...LANDED, blockTime: ENDS_S + 35_990 }];
    expect(await reconcile()).toEqual({ outcome: 'settled', transaction: 'ours' });
    node.transactions = [];
    expect(await reconcile()).toEqual({ outcome: 'expired_unused' });
  });

  test('goes by the time alone for a row of an earlier version, which has no recent block', async () => {
    const { instrument, ...row } = rowOf();
    if (instrument.method !== 'x402') throw new Error(instrument.method);
    const { blockhash: _, ...before } = instrument;
    expect(await svmLooks.reconcile({ ...row, instrument: before }, lookPorts())).toEqual({
      outcome: 'expired_unused',
    });
    expect(node.asked).not.toContain('isBlockhashValid');
  });

  test('believes what is confirmed only, as long as it arrived', async () => {
    node.transactions = [{ ...LANDED, isYoung: true }];
    node.finalTimeS = ENDS_S;
    expect(await reconcile()).toEqual({ outcome: 'settled', transaction: 'ours' });
    node.transactions = [{ ...LANDED, isYoung: true, isFailed: true }];
    expect(await reconcile()).toEqual({ outcome: 'undecided' });
    node.transactions = [];
    expect(await reconcile()).toEqual({ outcome: 'undecided' });
  });
});

describe('a request, whose buyer waits', () => {
  const NOW_S = CLAIMED_S;
  const OPEN: OpenSettlement = {
    payTo: '',
    amountMicroUsdc: 60_000,
    sinceS: NOW_S - 3_600,
    nowS: NOW_S,
    wasTried: false,
  };
  const questions = () =>
    [
      () => payment.isUsed(ports(), OPEN),
      () => payment.reconcile(ports(), OPEN),
      () => payment.judgeRefusal(ports(), OPEN),
    ] as const;

  test('looks back ten minutes, and not to the beginning of time', async () => {
    node.transactions = [{ ...LANDED, blockTime: NOW_S }, ...flood(100, NOW_S - 601, OTHER)];
    expect(await payment.isUsed(ports(), OPEN)).toBe(true);
    node.transactions = flood(100, NOW_S - 601, OTHER);
    node.asked.length = 0;
    expect(await payment.isUsed(ports(), OPEN)).toBe(false);
    expect(node.asked).toEqual(['getSignaturesForAddress']);
  });

  test('reads few transactions, and what it could not look through is doubt', async () => {
    node.transactions = flood(REQUEST_LOOK.transactions + 1, NOW_S - 5, OTHER);
    for (const question of questions()) {
      node.asked.length = 0;
      await expect(question()).rejects.toBeInstanceOf(ChainUnreachable);
      expect(node.count('getTransaction')).toBe(REQUEST_LOOK.transactions);
    }
    node.transactions = [{ ...LANDED, blockTime: NOW_S }, ...flood(5_000, NOW_S - 5, OTHER)];
    expect(await Promise.all(questions().map((question) => question()))).toEqual([
      true,
      { outcome: 'settled', transaction: 'ours' },
      { outcome: 'settled', transaction: 'ours' },
    ]);
  });
});

describe('a settlement that the facilitator refuses', () => {
  const requirements = buildRequirements(
    {
      name: 'check_health',
      description: 'd',
      url: 'https://sightline.test/api/agent/check_health',
      payTo: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
      network: SOLANA,
      feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
      amountMicroUsdc: 60_000,
    },
    60_000,
    'q',
  );
  const settle = (errorReason: string) => {
    const facilitator = createFacilitator({
      url: 'https://facilitator.test',
      fetch: async () => Response.json({ success: false, errorReason, transaction: '', network: SOLANA.id }),
    });
    return payment.settle({ ...ports(), facilitator }, requirements);
  };

  test.each([
    'transaction_failed',
    'invalid_exact_svm_transaction_failed',
    'settle_exact_svm_block_height_exceeded',
    'settle_exact_svm_transaction_confirmation_timed_out',
    'invalid_transaction_state',
    'insufficient_funds',
    'something_else',
    '',
  ])('by the word "%s" may have been sent: that is doubt', async (word) => {
    expect(await settle(word)).toMatchObject({ kind: 'unknown' });
  });

  test.each([
    'invalid_exact_svm_transaction_simulation_failed',
    'invalid_exact_svm_payload_amount_mismatch',
    'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
    'invalid_exact_svm_verification_failed',
  ])('by the word %s was not sent', async (word) => {
    expect(await settle(word)).toEqual({ kind: 'refused', reason: word.slice(0, 64) });
  });

  test('after another was tried is doubt until the message has ended, whatever the word', async () => {
    const open = { payTo: '', amountMicroUsdc: 60_000, sinceS: CLAIMED_S - 3_600, nowS: CLAIMED_S };
    expect(await payment.judgeRefusal(ports(), { ...open, wasTried: false })).toEqual({ outcome: 'refused' });
    expect(await payment.judgeRefusal(ports(), { ...open, wasTried: true })).toEqual({ outcome: 'undecided' });
    node.transactions = [{ ...LANDED, blockTime: CLAIMED_S }];
    expect(await payment.judgeRefusal(ports(), { ...open, wasTried: true })).toMatchObject({ outcome: 'settled' });
  });
});
