import { createHash } from 'node:crypto';
import { formatPaymentKey } from '../../../../src/payment/ledger/payment-key.ts';
import { buildProofTypedData } from '../../../../src/payment/rails/transfer/payer-proof.ts';
import { x402Carrier } from '../../../../src/payment/rails/x402-carrier.ts';
import { BASE, requireEvm } from '../../../../src/payment/terms/networks-data.ts';
import { type Payer, SALT } from '../../../sales/model/money.ts';
import { base64, type Json, PAY_TO } from '../../terms/offer-cases.ts';
import type { Paid, PayTerms, RailCase } from '../support/rail-case.ts';
import { type Order, ORDER, type Shown, type World } from '../support/world.ts';
import { buildAccepted, buildForeign } from './x402-evm.ts';

const PROOF_S = 300;
let payments = 0;

/** What each transfer of these tests was, by the text of its credential. */
const made = new Map<string, { hash: string; payer: Payer; json: Json }>();

const show = (text: string): Shown => ({ carrier: x402Carrier, text });
export const showHash = (hash: string): Shown => show(hash);

/** The JSON of a credential with a proof that a transfer is its payer's, for exactly this order. */
export async function prove(
  world: World,
  hash: string,
  order: Partial<Order>,
  { signer, terms = {}, salt = SALT }: { signer: Payer; terms?: PayTerms; salt?: string },
): Promise<Json> {
  const { capability, body, microUsdc } = { ...ORDER, ...order };
  const times = { issuedAtS: world.nowS(), expiresAtS: world.nowS() + (terms.lifeS ?? PROOF_S) };
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const network = requireEvm(terms.network ?? world.network);
  const data = buildProofTypedData({ transaction: hash, capability, bodySha256, ...times }, salt, network.chainId);
  const payload = {
    transaction: hash,
    signature: await signer.account.signTypedData(data),
    issuedAt: times.issuedAtS,
    expiresAt: times.expiresAtS,
  };
  const { payTo = PAY_TO, resource, extra = {} } = terms;
  return {
    x402Version: 2,
    ...(resource === undefined ? {} : { resource: { url: resource } }),
    accepted: buildAccepted({ microUsdc, payTo, network }, extra),
    payload,
  };
}

async function pay(world: World, order: Partial<Order> = {}, terms: PayTerms = {}): Promise<Paid> {
  payments += 1;
  const payer = terms.payer ?? world.newPayer(`payer ${payments}`);
  const microUsdc = terms.microUsdc ?? order.microUsdc ?? ORDER.microUsdc;
  const atS = world.nowS() - (terms.ageS ?? 0);
  const hash = world.chain.send(payer.address, microUsdc, { to: terms.payTo ?? PAY_TO, atS });
  const json = await prove(world, hash, order, { signer: terms.signer ?? payer, terms });
  const text = terms.isSecretless === true ? hash : base64(json);
  made.set(text, { hash, payer, json });
  const key = formatPaymentKey({ method: 'transfer', hash, logIndex: 0 }, requireEvm(world.network));
  return { ...show(text), payer, place: () => ({ text: hash, key }) };
}

export function find({ text }: Shown): { hash: string; payer: Payer; json: Json } {
  const found = made.get(text);
  if (found === undefined) throw new RangeError('this transfer was not made here');
  return found;
}

/** A USDC transfer that was made before, shown with its payer's proof. */
export const transfer: RailCase = {
  id: 'transfer',
  flow: 'made',
  network: BASE,
  foreign: buildForeign(BASE),
  wordOfPoor: 'transfer_too_small',
  wordOfUnsent: 'transaction_failed',
  wordOfEnded: 'transfer_too_old',
  pay,
  rebuild: async (_world, paid) => show(find(paid).hash),
  async showAgain(world, paid, order = {}) {
    const { hash, payer } = find(paid);
    const json = await prove(world, hash, order, { signer: payer });
    const text = base64(json);
    made.set(text, { hash, payer, json });
    return { ...paid, text };
  },
  respell(paid) {
    const { hash, json } = find(paid);
    const loud = `0x${hash.slice(2).toUpperCase()}`;
    return [
      show(loud),
      show(` ${hash} `),
      show(base64({ ...json, payload: { ...Object(json['payload']), transaction: loud } })),
    ];
  },
  garbage(paid) {
    const { hash, json } = find(paid);
    const payload: Json = Object(json['payload']);
    return [
      `${hash}00`,
      hash.slice(0, -1),
      hash.replace('0x', '0X'),
      base64({ ...json, payload: { ...payload, transaction: hash.slice(2) } }),
      base64({ ...json, payload: { ...payload, issuedAt: '1' } }),
      base64({ ...json, payload: { ...payload, more: 1 } }),
      base64({ ...json, payload: { transaction: hash } }),
      base64({ ...json, accepted: { ...Object(json['accepted']), extra: { paymentFlow: 'upfront' } } }),
      base64({ ...json, payload: { ...payload, signature: `0x${'ab'.repeat(4_000)}` } }),
      'A'.repeat(100_000),
    ].map(show);
  },
};
