import { sign } from 'node:crypto';
import { x402Carrier } from '../../../../src/payment/rails/x402-carrier.ts';
import { formatSvmKey } from '../../../../src/payment/rails/x402-svm/payment.ts';
import { deriveTokenAccount } from '../../../../src/payment/rails/x402-svm/token-account.ts';
import { SOLANA, SOLANA_DEVNET, type SvmNetwork } from '../../../../src/payment/terms/networks-data.ts';
import recorded from '../../../data/svm/messages.json' with { type: 'json' };
import { base64, type Json } from '../../terms/offer-cases.ts';
import { word } from '../../../sales/model/money.ts';
import type { Paid, PayTerms, RailCase } from '../support/rail-case.ts';
import { keyBytes } from '../support/svm-chain.ts';
import { SVM_FEE_PAYER, SVM_PAY_TO, svmKeyOf } from '../support/svm-parties.ts';
import { type Order, ORDER, type Shown, type World } from '../support/world.ts';

const QUOTE = '0123456789abcdef0123456789abcdef';
/** For so long a recent block is known. */
const LIFE_S = 90;
const MEMO_CHARS = 32;
let payments = 0;

type Made = { hash: string; wire: Buffer; json: Json };
const made = new Map<string, Made>();
const show = (text: string): Shown => ({ carrier: x402Carrier, text });

/** A message of the official client, whose payer, accounts, amount and memo become those of a test. */
const TEMPLATE = Buffer.from(recorded.messages.good.payload.payload.transaction, 'base64');
const MESSAGE_AT = 1 + 2 * 64;
const KEYS_AT = MESSAGE_AT + 5;
const AMOUNT_AT = TEMPLATE.indexOf(Buffer.from('0a0c60ea00000000000006', 'hex')) + 2;
const MEMO_AT = TEMPLATE.length - 1 - MEMO_CHARS;

const setKey = (wire: Buffer, at: number, address: string): void =>
  void keyBytes(address).copy(wire, KEYS_AT + 32 * at);

async function pay(world: World, order: Partial<Order> = {}, terms: PayTerms = {}): Promise<Paid> {
  payments += 1;
  const payer = terms.payer ?? world.newPayer(`payer ${payments}`);
  const network = (terms.network ?? SOLANA) as SvmNetwork;
  const microUsdc = terms.microUsdc ?? order.microUsdc ?? ORDER.microUsdc;
  const payTo = terms.payTo ?? SVM_PAY_TO;
  const wire = Buffer.from(TEMPLATE);
  setKey(wire, 1, payer.address);
  setKey(wire, 2, await deriveTokenAccount(payTo, network.usdc));
  setKey(wire, 3, await deriveTokenAccount(payer.address, network.usdc));
  setKey(wire, 5, network.usdc);
  wire.writeBigUInt64LE(BigInt(microUsdc), AMOUNT_AT);
  wire.write((terms.nonce ?? word(`${world.name} nonce ${payments}`)).slice(2, 2 + MEMO_CHARS), MEMO_AT, 'latin1');
  sign(null, wire.subarray(MESSAGE_AT), svmKeyOf(terms.signer ?? payer)).copy(wire, 65);
  const hash = world.svm.announce(wire, terms.lifeS ?? LIFE_S);
  const quote = terms.isSecretless === true ? {} : { quote: QUOTE };
  const json = {
    x402Version: 2,
    ...(terms.resource === undefined ? {} : { resource: { url: terms.resource } }),
    accepted: {
      scheme: 'exact',
      network: network.id,
      amount: String(microUsdc),
      asset: network.usdc,
      payTo,
      maxTimeoutSeconds: 300,
      extra: { feePayer: SVM_FEE_PAYER, ...quote, ...terms.extra },
    },
    payload: { transaction: wire.toString('base64') },
    ...(terms.identifier === undefined
      ? {}
      : { extensions: { 'payment-identifier': { info: { required: false, id: terms.identifier } } } }),
  };
  const text = base64(json);
  made.set(text, { hash, wire, json });
  return { ...show(text), payer, place: () => ({ text: payer.address, key: formatSvmKey(network.id, hash) }) };
}

export function find({ text }: Shown): Made {
  const found = made.get(text);
  if (found === undefined) throw new RangeError('this payment was not made here');
  return found;
}

/** The same credential with another transaction in it. */
export const withTransaction = ({ json }: Made, transaction: string): Shown =>
  show(base64({ ...json, payload: { transaction } }));

/** x402 `exact` on Solana: a transaction, which a facilitator signs as the payer of fees. */
export const x402Svm: RailCase = {
  id: 'x402-svm',
  flow: 'authorization',
  network: SOLANA,
  foreign: {
    networks: [SOLANA_DEVNET, { ...SOLANA, id: SOLANA_DEVNET.id } as unknown as SvmNetwork],
    payTo: '7woc3ajaGMMXczFYjxon4aQoHH3j126fMUR9c58eHRsK',
    transaction: '5'.repeat(87),
  },
  // A simulation that fails does not say why.
  wordOfPoor: 'payment_refused',
  wordOfUnsent: 'invalid_exact_svm_transaction_simulation_failed',
  wordOfEnded: 'payment_refused',
  pay,
  async rebuild(world, paid) {
    const { hash, json } = find(paid);
    const { extra: _secret, ...accepted } = Object(json['accepted']) as Json;
    const transaction = world.svm.findWire(hash) ?? Object(json['payload']).transaction;
    return show(base64({ x402Version: 2, accepted, payload: { transaction } }));
  },
  showAgain: async (_world, paid) => paid,
  respell(paid) {
    const found = find(paid);
    const filled = Buffer.from(found.wire);
    filled.fill(9, 1, 65); // In the place of the fee payer's signature, which is no part of what is signed.
    return [
      withTransaction(found, filled.toString('base64')),
      show(base64(JSON.stringify(JSON.parse(atob(paid.text)), null, 2))),
    ];
  },
  garbage(paid) {
    const found = find(paid);
    const { json, wire } = found;
    const text = wire.toString('base64');
    const later = Buffer.from(wire);
    later[MESSAGE_AT] = 0x81;
    const program = Buffer.from(wire);
    setKey(program, 4, '11111111111111111111111111111112');
    return [
      show(''),
      show('not base64!'),
      show(base64('not JSON')),
      show(base64({ ...json, x402Version: 1 })),
      show(base64({ ...json, payload: { transaction: text, signature: '0x12' } })),
      show(base64({ ...json, accepted: { ...Object(json['accepted']), extra: { paymentFlow: 'upfront' } } })),
      withTransaction(found, ''),
      withTransaction(found, text.slice(0, 200)),
      withTransaction(found, later.toString('base64')),
      withTransaction(found, program.toString('base64')),
      withTransaction(found, 'A'.repeat(1_648)),
      show('A'.repeat(100_000)),
    ];
  },
};
