import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createFacilitator } from '../../src/payment/facilitator/facilitator.ts';
import { x402Carrier } from '../../src/payment/rails/x402-carrier.ts';
import { encodeBase58 } from '../../src/payment/terms/base58.ts';
import { SOLANA } from '../../src/payment/terms/networks-data.ts';
import { buildRequirements } from '../../src/payment/terms/terms.ts';
import { settlePurchase } from '../../src/sales/settle.ts';
import { flood, SvmNode } from '../payment/chain/svm-node.ts';

type Made = { payload: { payload: { transaction: string } } };
const { messages } = JSON.parse(readFileSync(new URL('../data/svm/messages.json', import.meta.url), 'utf8')) as {
  messages: Record<'good' | 'again', Made>;
};
const wireOf = (name: 'good' | 'again'): string => messages[name].payload.payload.transaction;
const NOW_S = 1_795_910_000;
const SIGNATURE = encodeBase58(Uint8Array.from({ length: 64 }, (_, at) => at + 1));
/** Of `full_report`: from 1 USD on the chain is read before delivery. */
const AMOUNT_MICRO_USDC = 1_550_000;

/** Settles a payment of Solana whose facilitator answers so; twenty newer transactions name its payer. */
async function settle(node: SvmNode, said: object) {
  const parsed = await x402Carrier.parse(Buffer.from(JSON.stringify(messages.good.payload)).toString('base64'));
  if (!parsed.ok || parsed.payment.flow !== 'authorization') throw new Error('no payment');
  const { payment: signed } = parsed;
  const offer = { name: 'full_report', description: 'd', url: 'https://s.test/', payTo: 'p', feePayer: 'f' };
  const requirements = buildRequirements(
    { ...offer, network: SOLANA, amountMicroUsdc: AMOUNT_MICRO_USDC },
    AMOUNT_MICRO_USDC,
    'q',
  );
  const facilitator = createFacilitator({
    url: 'https://facilitator.test',
    fetch: async () => Response.json({ network: SOLANA.id, payer: signed.payer, transaction: SIGNATURE, ...said }),
  });
  const heard: unknown[] = [];
  const ledger = {
    doubt: async (...given: unknown[]) => (heard.push(['doubt', ...given]), true),
    settled: async (...given: unknown[]) => (heard.push(['settled', ...given]), false),
  };
  const tools = {
    seller: { paymentsSinceS: 0 },
    svm: node.reader,
    facilitator,
    chain: {},
    now: () => NOW_S * 1000,
    log: () => undefined,
    waitUntil: () => undefined,
    trust: {},
  };
  const payment = { signed, network: SOLANA, requirements, amountMicroUsdc: AMOUNT_MICRO_USDC };
  await settlePurchase(
    tools as never,
    { owned: { ledger, key: 'k', attempt: 1, shard: 's' }, payment, json: '{}', isRepeat: false } as never,
  );
  return heard;
}

const nodeOf = (wire: string | undefined): SvmNode => {
  const node = new SvmNode();
  const named = wire === undefined ? [] : [{ signature: SIGNATURE, blockTime: NOW_S, wire }];
  node.transactions = [...flood(21, NOW_S + 1, wireOf('again')), ...named];
  return node;
};

describe.each([
  ['settled', { success: true }],
  ['pending', { success: false, errorReason: 'settlement_pending' }],
  ['not confirmed in time', { success: false, errorReason: 'settle_exact_svm_transaction_confirmation_timed_out' }],
])('a transaction that the facilitator names and calls %s', (_what, said) => {
  test('is looked at first, below any number of others that name the payer', async () => {
    const node = nodeOf(wireOf('good'));
    expect(await settle(node, said)).toEqual([['settled', 'k', 1, SIGNATURE]]);
    expect(node.asked).toEqual(['getTransaction']);
  });

  test.each([
    ['another payment', wireOf('again')],
    ['not there yet', undefined],
  ])('is no proof where it is %s, and is looked at again by the ledger', async (_which, wire) => {
    expect(await settle(nodeOf(wire), said)).toEqual([['doubt', 'k', 1, SIGNATURE]]);
  });
});
