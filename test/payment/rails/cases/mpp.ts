import { createHash } from 'node:crypto';
import { mppCarrier } from '../../../../src/payment/rails/mpp/carrier.ts';
import { createChallenges, type PaymentChallenge } from '../../../../src/payment/rails/mpp/challenge.ts';
import { encodeJson } from '../../../../src/payment/rails/mpp/encoding.ts';
import { computeChallengeNonce } from '../../../../src/payment/rails/mpp/terms.ts';
import { buildProofTypedData } from '../../../../src/payment/rails/transfer/payer-proof.ts';
import { formatPaymentKey } from '../../../../src/payment/ledger/payment-key.ts';
import { BASE, POLYGON, requireEvm } from '../../../../src/payment/terms/networks-data.ts';
import { type Payer, SALT } from '../../../sales/model/money.ts';
import { asHex, type Json, PAY_TO } from '../../terms/offer-cases.ts';
import type { Paid, PayTerms, RailCase } from '../support/rail-case.ts';
import { buildUrl, CHALLENGE_SECRET, type Order, ORDER, REALM, type Shown, type World } from '../support/world.ts';
import { buildForeign, signAuthorization } from './x402-evm.ts';

const PROOF_S = 600;

/** What each payment of these tests was made of, by its text. */
const made = new Map<string, { json: Json; nonce: string; payer: Payer }>();
/** Challenges that several payments answer, by the nonce that a test chose. */
const shared = new Map<string, PaymentChallenge>();

export const write = (json: unknown): Shown => ({
  carrier: mppCarrier,
  text: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)).toString('base64url'),
});

async function issue(world: World, order: Order, terms: PayTerms): Promise<PaymentChallenge> {
  const known = terms.nonce === undefined ? undefined : shared.get(`${world.name} ${terms.nonce}`);
  if (known !== undefined) return known;
  const { id, usdc: currency } = terms.network ?? world.network;
  const asked = {
    realm: REALM,
    chainId: Number(id.slice('eip155:'.length)), // What is said of the network, whatever is signed.
    currency,
    recipient: terms.payTo ?? PAY_TO,
    amountMicroUsdc: terms.microUsdc ?? order.microUsdc,
  };
  const url = terms.resource ?? buildUrl(order.capability);
  const issued = await createChallenges([CHALLENGE_SECRET], url, [asked]).issue(world.now());
  const [challenge] = issued.fresh().list;
  if (challenge === undefined) throw new Error('no challenge');
  if (terms.nonce !== undefined) shared.set(`${world.name} ${terms.nonce}`, challenge);
  return challenge;
}

export type ProofTerms = { signer: Payer; salt?: string; lifeS?: number };

/** The header by which a payer proves a repeat, for exactly this order. */
export async function proveRepeat(
  world: World,
  nonce: string,
  order: Partial<Order>,
  { signer, salt = SALT, lifeS = PROOF_S }: ProofTerms,
): Promise<string> {
  const { capability, body } = { ...ORDER, ...order };
  const times = { issuedAtS: world.nowS(), expiresAtS: world.nowS() + lifeS };
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const signature = await signer.account.signTypedData(
    buildProofTypedData(
      { transaction: nonce, capability, bodySha256, ...times },
      salt,
      requireEvm(world.network).chainId,
    ),
  );
  return encodeJson({ signature, issuedAt: times.issuedAtS, expiresAt: times.expiresAtS });
}

async function pay(world: World, order: Partial<Order> = {}, terms: PayTerms = {}): Promise<Paid> {
  const bought = { ...ORDER, ...order };
  const challenge = await issue(world, bought, terms);
  const nonce = asHex(await computeChallengeNonce(challenge.id, challenge.realm));
  const { payer, network, authorization, signature } = await signAuthorization(world, bought, { ...terms, nonce });
  const json = {
    challenge: { ...challenge, request: encodeJson(challenge.request) },
    payload: { type: 'authorization', ...authorization, signature },
    source: `did:pkh:${network.id}:${payer.address}`,
  };
  const shown = write(json);
  made.set(shown.text, { json, nonce, payer });
  const key = formatPaymentKey({ method: 'x402', from: payer.address, nonce }, network);
  const proof = terms.isSecretless === true ? {} : { proof: await proveRepeat(world, nonce, order, { signer: payer }) };
  return { ...shown, ...proof, payer, place: () => ({ text: payer.address, key }) };
}

export function find({ text }: Shown): { json: Json; nonce: string; payer: Payer } {
  const found = made.get(text);
  if (found === undefined) throw new RangeError('this payment was not made here');
  return found;
}

const upper = (value: unknown): string => `0x${String(value).slice(2).toUpperCase()}`;

/** The scheme `Payment` with an EIP-3009 authorization: its challenge is no secret, and its payer's proof is what others lack. */
export const mpp: RailCase = {
  id: 'mpp',
  flow: 'authorization',
  network: BASE,
  foreign: buildForeign(BASE),
  wordOfPoor: 'insufficient_funds',
  wordOfUnsent: 'transaction_failed',
  wordOfEnded: 'authorization_expired',
  pay,
  rebuild: async (_world, { carrier, text }) => ({ carrier, text }),
  async showAgain(world, paid, order = {}) {
    const { nonce, payer } = find(paid);
    return { ...paid, proof: await proveRepeat(world, nonce, order, { signer: payer }) };
  },
  respell(paid) {
    const { json } = find(paid);
    const payload: Json = Object(json['payload']);
    const { from, nonce, to } = payload;
    const loud = { ...payload, from: upper(from), nonce: upper(nonce), to: upper(to) };
    const { source: _left, ...nameless } = json;
    return [write({ ...json, payload: loud }), write(JSON.stringify(json, null, 2)), write(nameless)];
  },
  garbage(paid) {
    const { json } = find(paid);
    const challenge: Json = Object(json['challenge']);
    const payload: Json = Object(json['payload']);
    return [
      { carrier: mppCarrier, text: '' },
      { carrier: mppCarrier, text: 'not base64url!' },
      write('not JSON'),
      write('[]'),
      write({ ...json, more: 1 }),
      write({ ...json, challenge: { ...challenge, opaque: 'e30' } }),
      write({ ...json, payload: { ...payload, value: `0${String(payload['value'])}` } }),
      write({ ...json, payload: { ...payload, signature: `0x${'ab'.repeat(4_000)}` } }),
      write({ ...json, payload: { ...payload, permit: {} } }),
      { carrier: mppCarrier, text: 'A'.repeat(100_000) },
    ];
  },
};

/** The same rail on another network than the first one of its deployment. */
export const mppOnPolygon: RailCase = { ...mpp, network: POLYGON, foreign: buildForeign(POLYGON) };
