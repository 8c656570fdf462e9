import { x402Client, x402HTTPClient } from '@x402/core/client';
import type { Network, PaymentRequired, PaymentRequirements, SchemeNetworkClient } from '@x402/core/types';
import { isRecord, type WireAnswer } from './answer.ts';
import { formatDollars } from './budget.ts';
import { SightlineError } from './errors.ts';
import { tokens } from './networks.generated.ts';

/** What is signed: EIP-712 typed data. */
export type TypedData = {
  domain: { name: string; version: string; chainId: number; verifyingContract: `0x${string}` };
  types: Record<string, { name: string; type: string }[]>;
  primaryType: 'TransferWithAuthorization';
  message: Record<string, unknown>;
};

/** The port of whatever holds the key: an account of viem is one as it is. */
export type Wallet = { address: string; signTypedData: (data: TypedData) => Promise<string> };

export type PaymentChain = keyof typeof tokens;

/** Longest life of an authorization, in seconds: what a lost signature can be misused for ends with it. */
const MAX_AUTHORIZATION_S = 600;
/** Clocks differ: an authorization begins a little earlier. */
const CLOCK_SKEW_S = 600;
const NONCE_BYTES = 32;

const authorizationTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

/** What may be signed for one order: where the money goes, and the most that is expected. */
export type ExpectedTerms = { chain: PaymentChain; payTo: string; maxMicroUsd: number };

const isSameAddress = (a: unknown, b: string): boolean => typeof a === 'string' && a.toLowerCase() === b.toLowerCase();

/** The terms of a 402 that may be paid. @throws SightlineError `terms_refused`: nothing was signed */
export function selectTerms(answer: WireAnswer, expected: ExpectedTerms): OpenTerms {
  const required = decodeTerms(answer);
  const { accepts } = required;
  const terms = accepts.find((one) => describeFault(one, expected) === undefined);
  if (terms !== undefined) return { required, terms, microUsd: Number(terms.amount) };
  if (accepts.length === 0) throw refuseTerms('it accepts no payment');
  const own = accepts.find(({ network }) => network === expected.chain);
  throw own === undefined
    ? refuseChain(
        expected.chain,
        accepts.map(({ network }) => network),
      )
    : refuseTerms(describeFault(own, expected) ?? '');
}

/** Networks that a refusal names. */
const MAX_NAMED = 8;
/** CAIP-2: what a service calls a network is a text of its own until it has this form. */
const NETWORK = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;

/** The service is paid elsewhere. It names each network once; those that can be an option are what to do next. */
export function refuseChain(chain: PaymentChain, named: readonly unknown[]): SightlineError {
  const offered = [
    ...new Set(named.filter((one): one is string => typeof one === 'string' && NETWORK.test(one))),
  ].slice(0, MAX_NAMED);
  const payable = offered.filter((one) => Object.hasOwn(tokens, one));
  return new SightlineError({
    code: 'terms_refused',
    setting: 'chain',
    detail: `The service is paid on ${offered.join(', ') || 'no network that it names'}, and the option chain is ${chain}. Nothing was signed.`,
    ...(payable.length === 0
      ? {}
      : { next: `If your USDC is there, pass chain to sightline(): '${payable.join("' or '")}'.` }),
  });
}

/** Terms that were judged, and their price. */
export type OpenTerms = { required: PaymentRequired; terms: PaymentRequirements; microUsd: number };

const refuseTerms = (why: string): SightlineError =>
  new SightlineError({
    code: 'terms_refused',
    detail: `The 402 is not what is paid here: ${why}. Nothing was signed.`,
  });

function decodeTerms({ headers, body }: WireAnswer): PaymentRequired {
  try {
    const required = new x402HTTPClient(new x402Client()).getPaymentRequiredResponse((name) => headers.get(name), body);
    if (required.x402Version === 2 && Array.isArray(required.accepts) && required.accepts.every(isRecord))
      return required;
  } catch {
    // Neither header nor body holds terms that the official reader knows.
  }
  throw refuseTerms('it has no terms of x402 version 2');
}

function describeFault(terms: PaymentRequirements, { chain, payTo, maxMicroUsd }: ExpectedTerms): string | undefined {
  const { asset } = tokens[chain];
  if (terms.scheme !== 'exact') return `scheme ${terms.scheme}, and only "exact" is paid`;
  if ((terms.extra?.['assetTransferMethod'] ?? 'eip3009') !== 'eip3009') return 'not a transfer by EIP-3009';
  if (terms.network !== chain) return `network ${terms.network}`;
  if (!isSameAddress(terms.asset, asset)) return `asset ${terms.asset}, and USDC is ${asset}`;
  if (!isSameAddress(terms.payTo, payTo)) return `payee ${terms.payTo}, and ${payTo} was expected`;
  if (!/^[1-9]\d{0,12}$/.test(terms.amount)) return `amount ${terms.amount}`;
  const microUsd = Number(terms.amount);
  if (microUsd > maxMicroUsd) return `${formatDollars(microUsd)}, and the catalogue says ${formatDollars(maxMicroUsd)}`;
  const { maxTimeoutSeconds: seconds } = terms;
  return seconds > 0 && seconds <= MAX_AUTHORIZATION_S ? undefined : `a payment that is valid for ${seconds} s`;
}

/**
 * Signs judged terms by the official client, and returns the PAYMENT-SIGNATURE header. Its spend control, 1 USD unless it is
 * set, is set to the price that the budget has allowed.
 */
export async function signTerms(
  { required, terms, microUsd }: OpenTerms,
  wallet: Wallet,
  chain: PaymentChain,
): Promise<string> {
  const client = new x402Client()
    .register(chain, createScheme(wallet, chain))
    .setSpendControls({ maxAmountPerPayment: `$${(microUsd / 1_000_000).toFixed(6)}` })
    .registerPolicy(() => [terms]);
  try {
    const payload = await client.createPaymentPayload(required);
    const headers = new x402HTTPClient(client).encodePaymentSignatureHeader(payload);
    return Object.values(headers)[0] ?? '';
  } catch (error) {
    const detail = `The wallet did not sign: ${error instanceof Error ? error.message : String(error)}`;
    throw new SightlineError({ code: 'signing_failed', detail, cause: error });
  }
}

/** The scheme `exact` of x402 by EIP-3009, for a wallet that signs typed data. It needs no library of a chain. */
function createScheme(wallet: Wallet, chain: PaymentChain): SchemeNetworkClient {
  const { chainId, asset, domain } = tokens[chain];
  return {
    scheme: 'exact',
    findDefaultAsset: (given: string, network: Network) =>
      network === chain && isSameAddress(given, asset) ? { asset, decimals: 6, symbol: 'USDC' } : undefined,
    createPaymentPayload: async (x402Version, { payTo, amount, maxTimeoutSeconds }) => {
      const nowS = Math.floor(Date.now() / 1_000);
      const nonce = [...crypto.getRandomValues(new Uint8Array(NONCE_BYTES))];
      const authorization = {
        from: wallet.address,
        to: payTo,
        value: amount,
        validAfter: String(nowS - CLOCK_SKEW_S),
        validBefore: String(nowS + maxTimeoutSeconds),
        nonce: `0x${nonce.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
      };
      const { value, validAfter, validBefore } = authorization;
      const signature = await wallet.signTypedData({
        domain: { ...domain, chainId, verifyingContract: asset },
        types: authorizationTypes,
        primaryType: 'TransferWithAuthorization',
        message: {
          ...authorization,
          value: BigInt(value),
          validAfter: BigInt(validAfter),
          validBefore: BigInt(validBefore),
        },
      });
      return { x402Version, payload: { signature, authorization } };
    },
  };
}
