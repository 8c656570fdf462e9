import { x402Carrier } from '../../../../src/payment/rails/x402-carrier.ts';
import { formatPaymentKey } from '../../../../src/payment/ledger/payment-key.ts';
import { AUTHORIZATION_TYPES } from '../../../../src/payment/terms/constants.ts';
import {
  BASE,
  BASE_SEPOLIA,
  type PaymentNetwork,
  POLYGON,
  requireEvm,
} from '../../../../src/payment/terms/networks-data.ts';
import { type Payer, word } from '../../../sales/model/money.ts';
import { asHex, base64, type Json, PAY_TO } from '../../terms/offer-cases.ts';
import type { Paid, PayTerms, RailCase } from '../support/rail-case.ts';
import { type Order, ORDER, type Shown, type World } from '../support/world.ts';

const QUOTE = '0123456789abcdef0123456789abcdef';
const LIFE_S = 300;
let payments = 0;

type Signed = { authorization: Json; accepted: Json; extensions: Json; signature: `0x${string}`; resource: Json };

/** What each payment of these tests was made of, by its text. */
const made = new Map<string, Signed>();

const show = (text: string): Shown => ({ carrier: x402Carrier, text });

/** The requirements as a client of x402 sends them back. */
export const buildAccepted = (
  { microUsdc, payTo = PAY_TO, network = BASE }: { microUsdc: number; payTo?: string; network?: PaymentNetwork },
  extra: Json = {},
): Json => ({
  scheme: 'exact',
  network: network.id,
  amount: String(microUsdc),
  asset: network.usdc,
  payTo,
  maxTimeoutSeconds: 300,
  extra: { ...network.domain, ...extra },
});

const write = ({ authorization, accepted, extensions, signature, resource }: Signed): string =>
  base64({ x402Version: 2, ...resource, accepted, payload: { signature, authorization }, ...extensions });

async function sign(payer: Payer, authorization: Json, network: PaymentNetwork): Promise<`0x${string}`> {
  const own = await payer.account.signTypedData({
    domain: { ...network.domain, chainId: network.chainId, verifyingContract: asHex(network.usdc) },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: asHex(String(authorization['from'])),
      to: asHex(String(authorization['to'])),
      nonce: asHex(String(authorization['nonce'])),
      value: BigInt(String(authorization['value'])),
      validAfter: BigInt(String(authorization['validAfter'])),
      validBefore: BigInt(String(authorization['validBefore'])),
    },
  });
  return payer.isContract ? `${own}00` : own; // A contract wallet's is in a form of its own, which no key recovers to.
}

/** An authorization as its payer signs it for an order. */
export async function signAuthorization(world: World, order: Partial<Order>, terms: PayTerms) {
  payments += 1;
  const payer = terms.payer ?? world.newPayer(`payer ${payments}`);
  const network = requireEvm(terms.network ?? world.network);
  const microUsdc = terms.microUsdc ?? order.microUsdc ?? ORDER.microUsdc;
  const payTo = terms.payTo ?? PAY_TO;
  const authorization = {
    from: payer.address,
    to: payTo,
    value: String(microUsdc),
    validAfter: '0',
    validBefore: String(world.nowS() + (terms.lifeS ?? LIFE_S)),
    nonce: terms.nonce ?? word(`${world.name} nonce ${payments}`),
  };
  const signature = await sign(terms.signer ?? payer, authorization, network);
  return { payer, network, microUsdc, payTo, authorization, signature };
}

async function pay(world: World, order: Partial<Order> = {}, terms: PayTerms = {}): Promise<Paid> {
  const { payer, network, microUsdc, payTo, authorization, signature } = await signAuthorization(world, order, terms);
  const quote = terms.isSecretless === true ? {} : { quote: QUOTE };
  const extra = { ...quote, ...terms.extra };
  const signed: Signed = {
    authorization,
    signature,
    accepted: buildAccepted({ microUsdc, payTo, network }, extra),
    resource: terms.resource === undefined ? {} : { resource: { url: terms.resource } },
    extensions:
      terms.identifier === undefined
        ? {}
        : { extensions: { 'payment-identifier': { info: { required: false, id: terms.identifier } } } },
  };
  const text = write(signed);
  made.set(text, signed);
  const key = formatPaymentKey({ method: 'x402', from: payer.address, nonce: authorization.nonce }, network);
  return { ...show(text), payer, place: () => ({ text: payer.address, key }) };
}

function find({ text }: Shown): Signed {
  const signed = made.get(text);
  if (signed === undefined) throw new RangeError('this payment was not made here');
  return signed;
}

const upper = (value: unknown): string => `0x${String(value).slice(2).toUpperCase()}`;

/** What is none of ours on an EVM network: signed for the test network; and signed for ours, but sent as if for the test network. */
export const buildForeign = (network: PaymentNetwork): RailCase['foreign'] => ({
  networks: [BASE_SEPOLIA, { ...network, id: BASE_SEPOLIA.id } as unknown as PaymentNetwork],
  payTo: `0x${'5e'.repeat(20)}`,
  transaction: `0x${'1e'.repeat(32)}`,
});

/** x402 `exact` with an EIP-3009 authorization. */
export const x402Evm: RailCase = {
  id: 'x402-evm',
  flow: 'authorization',
  network: BASE,
  foreign: buildForeign(BASE),
  wordOfPoor: 'insufficient_funds',
  wordOfUnsent: 'transaction_failed',
  wordOfEnded: 'authorization_expired',
  pay,
  async rebuild(_world, paid) {
    const { extra: _secret, ...accepted } = find(paid).accepted;
    return show(write({ ...find(paid), accepted, resource: {}, extensions: {} }));
  },
  showAgain: async (_world, paid) => paid,
  respell(paid) {
    const signed = find(paid);
    const { from, nonce, to } = signed.authorization;
    const authorization = { ...signed.authorization, from: upper(from), nonce: upper(nonce), to: upper(to) };
    const loud = write({ ...signed, authorization });
    return [show(loud), show(base64(JSON.stringify(JSON.parse(atob(paid.text)), null, 2)))];
  },
  garbage(paid) {
    const signed = find(paid);
    const json = JSON.parse(atob(paid.text)) as Json;
    const permit2 = { signature: signed.signature, permit2Authorization: signed.authorization };
    const padded = { ...signed.authorization, value: `0${String(signed.authorization['value'])}` };
    return [
      '',
      'not base64!',
      base64('not JSON'),
      base64({ ...json, x402Version: 1 }),
      base64({ ...json, payload: permit2 }),
      base64({ ...json, accepted: { ...signed.accepted, extra: { paymentFlow: 'upfront' } } }),
      base64({ ...json, accepted: { ...signed.accepted, extra: { assetTransferMethod: 'permit2' } } }),
      write({ ...signed, authorization: padded }),
      write({ ...signed, signature: `0x${'ab'.repeat(4_000)}` }),
      'A'.repeat(100_000),
    ].map(show);
  },
};

/** The same rail on another network than the first one of its deployment. */
export const x402OnPolygon: RailCase = { ...x402Evm, network: POLYGON, foreign: buildForeign(POLYGON) };
