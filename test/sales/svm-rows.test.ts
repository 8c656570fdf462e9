import { readFileSync } from 'node:fs';
import { ed25519 } from '@noble/curves/ed25519';
import { describe, expect, test } from 'vitest';
import { creditPacks, type SoldRow } from '../../src/capabilities/credit-packs.ts';
import { soldRoutes } from '../../src/capabilities/sold-routes.ts';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import { findPresented } from '../../src/payment/rails/presented.ts';
import { decodeBase58 } from '../../src/payment/terms/base58.ts';
import { SOLANA } from '../../src/payment/terms/networks-data.ts';
import { handlePurchase } from '../../src/sales/purchase.ts';
import { isSoldBySvm } from '../../src/payment/terms/sold-on.ts';
import { getSeller } from '../../src/sales/seller.ts';
import { apiWorkerSettingsSchema } from '../../src/sales/settings.ts';
import type { PaymentTools } from '../../src/sales/tools.ts';
import { PAY_TO } from '../payment/terms/offer-cases.ts';

type Payload = { accepted: Record<string, unknown>; payload: { transaction: string } };
const { messages } = JSON.parse(readFileSync(new URL('../data/svm/messages.json', import.meta.url), 'utf8')) as {
  messages: { good: { payer: string; payload: Payload } };
};
const { good } = messages;

const settings = apiWorkerSettingsSchema.parse({
  BASE_URL: 'https://sightline.test',
  PAY_TO,
  RPC_URL: 'https://rpc.test',
  FACILITATOR_URL: 'https://facilitator.test',
  PAYMENTS_SINCE: '1700000000',
  LEDGER_SECRET: 'test-ledger-secret-of-32-bytes-or-more',
  PAYMENT_NETWORKS: JSON.stringify([
    {
      network: SOLANA.id,
      rpc_url: 'https://rpc.solana.test',
      pay_to: '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj',
      fee_payer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
    },
  ]),
});
const first = await getSeller(settings, false);
const seller = first?.on.get(SOLANA.id);
if (seller === undefined) throw new Error('the settings of the test sell nothing on Solana');

/** A key of this test, and where a message has its signer's signature: after the number of signatures and one of them. */
const SECRET = new Uint8Array(32).fill(7);
const [SIGNATURE_AT, MESSAGE_AT] = [1 + 64, 1 + 2 * 64];
const TRANSFER = Buffer.from([12]);

/** What a buyer can make by hand: a good message of its own key, for any amount. */
function signFor(amount: number): string {
  const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const payer = decodeBase58(good.payer, 32) ?? new Uint8Array();
  const written = Buffer.alloc(8);
  written.writeBigUInt64LE(BigInt(amount));
  const before = Buffer.alloc(8);
  before.writeBigUInt64LE(60_000n);
  const hex = Buffer.from(good.payload.payload.transaction, 'base64')
    .toString('hex')
    .replace(hexOf(payer), hexOf(ed25519.getPublicKey(SECRET)))
    .replace(hexOf(TRANSFER) + hexOf(before), hexOf(TRANSFER) + hexOf(written));
  const wire = Buffer.from(hex, 'hex');
  wire.set(ed25519.sign(wire.subarray(MESSAGE_AT), SECRET), SIGNATURE_AT);
  const payload: Payload = {
    ...good.payload,
    accepted: { ...good.payload.accepted, amount: String(amount) },
    payload: { transaction: wire.toString('base64') },
  };
  return Buffer.from(JSON.stringify({ ...payload, resource: undefined })).toString('base64');
}

async function present(row: SoldRow) {
  const credential = signFor(row.priceMicroUsdc);
  const presented = findPresented((name) => (name.toLowerCase() === 'payment-signature' ? credential : undefined));
  if (presented.kind !== 'credential') throw new Error(presented.kind);
  const parsed = await presented.carrier.parse(presented.text);
  const offer = seller?.offers.get(row.name)?.offer;
  if (!parsed.ok || parsed.payment.flow !== 'authorization' || offer === undefined) throw new Error('no payment');
  return { presented, parsed, payment: parsed.payment, offer };
}

/** Buys a row; the ledger is where the test ends. */
async function buy(row: SoldRow) {
  const { presented, parsed, offer } = await present(row);
  const asked: string[] = [];
  const tools = {
    seller,
    now: () => Date.now(),
    timed: (_step: string, work: () => unknown) => work(),
    room: { isFree: () => true },
    guard: { address: { id: 'test' }, countOn: () => undefined },
    log: () => undefined,
    isShutOut: async () => false,
    // It knows of no sale; `peek` changes nothing.
    shardOf: async () => ({
      shard: '00',
      ledger: new Proxy(
        {},
        { get: (_ledger, method) => async () => (asked.push(String(method)), { outcome: 'unverified' }) },
      ),
    }),
  } as unknown as PaymentTools;
  const request = new Request(offer.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const answer = await handlePurchase(tools, request, {
    row,
    offer,
    presented,
    parsed,
    policy: allowPublicOnly({ alternatePorts: true }),
    engines: () => ({ ok: false, detail: 'none' }),
  }).catch((error: unknown) => String(error));
  return { answer, asked };
}

describe.each(soldRoutes.map(({ row }) => [row.name, row] as const))('a payment on Solana for %s', (_name, row) => {
  test('fits its terms exactly where the row is offered there', async () => {
    const { payment, offer } = await present(row);
    expect(await payment.isPayersKey(SOLANA)).toBe(true);
    const terms = await payment.checkTerms(offer, { nowMs: Date.now(), worstCaseS: row.worstCaseS });
    const offered = JSON.stringify(seller?.offers.get(row.name)?.openWithout(new Set())?.terms.fresh().body).includes(
      SOLANA.id,
    );
    expect([offered, terms.ok]).toEqual([isSoldBySvm(row), isSoldBySvm(row)]);
    if (!terms.ok) expect(terms.reason).toBe('wrong_terms');
  });
});

test.each(creditPacks.map((row) => [row.name, row] as const))(
  '%s are not sold on Solana, and nothing is claimed',
  async (_name, row) => {
    expect(await buy(row)).toMatchObject({ answer: { kind: 'pay_anew', reason: 'wrong_terms' }, asked: ['peek'] });
  },
);
