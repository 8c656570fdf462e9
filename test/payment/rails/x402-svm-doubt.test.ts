import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFacilitator } from '../../../src/payment/facilitator/facilitator.ts';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import type { LedgerRow } from '../../../src/payment/ledger/row.ts';
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

const rowOf = (): LedgerRow =>
  ({
    payer: payment.payer,
    firstClaimedAtMs: CLAIMED_S * 1000,
    instrument: { method: 'x402', nonce: payment.nonce, validBeforeS: ENDS_S },
  }) as LedgerRow;
const ports = () => ({ svm: node.reader, chain: {} as never, facilitator: {} as never });
const lookPorts = () => ({ svm: node.reader, chain: {} as never, payTo: '', safeBlock: undefined as never });
const reconcile = () => svmLooks.reconcile(rowOf(), lookPorts());

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
    expect(await reconcile()).toEqual({ outcome: 'undecided' });
    expect(node.count('getTransaction')).toBe(ALARM_LOOK.transactions);
    node.transactions = [...flood(10_001, CLAIMED_S + 60, OTHER), LANDED];
    expect(await reconcile()).toEqual({ outcome: 'undecided' });
    expect(await svmLooks.seeElsewhere(rowOf(), lookPorts())).toEqual({ outcome: 'undecided' });
  });

  test('takes it for unused when all that it could be was read', async () => {
    node.transactions = [...flood(1_500, ENDS_S + 3_600, OTHER), ...flood(ALARM_LOOK.transactions, CLAIMED_S, OTHER)];
    expect(await reconcile()).toEqual({ outcome: 'expired_unused' });
  });

  test('does not take it for unused while a listed transaction cannot be read', async () => {
    node.transactions = [{ signature: 'hidden', blockTime: CLAIMED_S + 20 }];
    await expect(reconcile()).rejects.toBeInstanceOf(ChainUnreachable);
  });

  test('reads the final block before the list, and the list of a node that has that block', async () => {
    expect(await reconcile()).toEqual({ outcome: 'expired_unused' });
    expect(node.asked).toEqual(['getSlot', 'getBlockTime', 'getSignaturesForAddress']);
    // Another node behind the same address that is behind.
    node.meanwhile = (method) => {
      if (method === 'getSlot') node.finalSlot -= 500;
    };
    await expect(reconcile()).rejects.toBeInstanceOf(ChainUnreachable);
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
