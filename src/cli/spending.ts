import type { PaymentRequirements } from '@x402/core/types';
import type { Address, Hex, LocalAccount } from 'viem';
import type { SpendCounter } from './spend-counter.ts';

/** The only tokens a wallet of ours signs for, by network. Testnet USDC counts only where it was asked for. */
export const paymentAssets = {
  'eip155:8453': { chainId: 8453, asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
  'eip155:84532': { chainId: 84_532, asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
} as const satisfies Record<string, { chainId: number; asset: Address }>;
export type PaymentNetwork = keyof typeof paymentAssets;

/** Longest life of an authorization we sign, in seconds: what a lost signature can be misused for ends with it. */
export const MAX_AUTHORIZATION_SECONDS = 300;

/** What may be signed for one purchase. `maxMicroUsdc` is the lowest of the caller's cap and the catalogue price. */
export type Allowance = {
  network: PaymentNetwork;
  payTo: Address;
  catalogueMicroUsdc: bigint;
  maxMicroUsdc: bigint;
  maxMicroUsdcPerDay: bigint;
};

export type SpendingReason =
  | 'terms_unreadable'
  | 'wrong_scheme'
  | 'wrong_network'
  | 'wrong_asset'
  | 'wrong_payee'
  | 'amount_invalid'
  | 'amount_above_catalogue'
  | 'amount_above_cap'
  | 'authorization_too_long'
  | 'unexpected_message'
  | 'daily_limit_reached'
  | 'counter_unavailable';

/** Nothing is signed, for this reason. */
export type SpendingRefusal = { ok: false; reason: SpendingReason; detail: string };
export type SpendingVerdict = { ok: true } | SpendingRefusal;

export const refuse = (reason: SpendingReason, detail: string): SpendingRefusal => ({ ok: false, reason, detail });

/** Judges one entry of `accepts` before anything is signed (rule A9). Does not judge how long it would be valid: the signer does. */
export function judgeTerms(terms: PaymentRequirements, allowance: Allowance): SpendingVerdict {
  const { asset } = paymentAssets[allowance.network];
  if (terms.scheme !== 'exact') return refuse('wrong_scheme', `scheme ${terms.scheme}, we pay only "exact"`);
  const transferMethod: unknown = terms.extra?.['assetTransferMethod'] ?? 'eip3009';
  if (transferMethod !== 'eip3009') return refuse('wrong_scheme', `asset transfer method ${String(transferMethod)}`);
  if (terms.network !== allowance.network)
    return refuse('wrong_network', `network ${terms.network}, we pay only on ${allowance.network}`);
  if (!sameAddress(terms.asset, asset)) return refuse('wrong_asset', `asset ${terms.asset} is not USDC (${asset})`);
  if (!sameAddress(terms.payTo, allowance.payTo)) {
    return refuse('wrong_payee', `payee ${terms.payTo}, the catalogue names ${allowance.payTo}`);
  }
  return /^[1-9]\d*$/.test(terms.amount)
    ? judgeAmount(BigInt(terms.amount), allowance)
    : refuse('amount_invalid', `amount ${terms.amount} is not a whole number of micro-USDC`);
}

function judgeAmount(microUsdc: bigint, { catalogueMicroUsdc, maxMicroUsdc }: Allowance): SpendingVerdict {
  if (microUsdc > catalogueMicroUsdc) {
    return refuse('amount_above_catalogue', `${usd(microUsdc)} asked, the catalogue says ${usd(catalogueMicroUsdc)}`);
  }
  if (microUsdc > maxMicroUsdc)
    return refuse('amount_above_cap', `${usd(microUsdc)} asked, your limit is ${usd(maxMicroUsdc)}`);
  return { ok: true };
}

/** A message to sign, as the official client hands it over. */
export type TypedData = {
  domain: Record<string, unknown>;
  types: Record<string, unknown>;
  primaryType: string;
  message: Record<string, unknown>;
};

/** A message that may be signed and the amount it moves, or why it may not. */
export type MessageVerdict = { ok: true; microUsdc: bigint } | SpendingRefusal;

/** Judges the very message that is about to be signed, whatever the terms said (rule A9). `nowS` is Unix seconds. */
export function judgeMessage(
  { domain, primaryType, message }: TypedData,
  allowance: Allowance,
  nowS: number,
): MessageVerdict {
  const { chainId, asset } = paymentAssets[allowance.network];
  if (primaryType !== 'TransferWithAuthorization')
    return refuse('unexpected_message', `asked to sign a ${primaryType}`);
  if (Number(domain['chainId']) !== chainId)
    return refuse('wrong_network', `asked to sign for chain ${String(domain['chainId'])}`);
  if (!sameAddress(domain['verifyingContract'], asset)) {
    return refuse('wrong_asset', `asked to sign for contract ${String(domain['verifyingContract'])}`);
  }
  if (!sameAddress(message['to'], allowance.payTo))
    return refuse('wrong_payee', `asked to pay ${String(message['to'])}`);
  const { value, validBefore } = message;
  if (typeof value !== 'bigint' || value <= 0n)
    return refuse('amount_invalid', `asked to sign the amount ${String(value)}`);
  if (typeof validBefore !== 'bigint' || validBefore > BigInt(nowS + MAX_AUTHORIZATION_SECONDS)) {
    return refuse(
      'authorization_too_long',
      `asked to sign until ${String(validBefore)}, over ${MAX_AUTHORIZATION_SECONDS} s from now`,
    );
  }
  const verdict = judgeAmount(value, allowance);
  return verdict.ok ? { ok: true, microUsdc: value } : verdict;
}

/** A signer for the official client that signs one payment within the allowance, counts it first, and nothing else. */
export type GuardedSigner = {
  address: Address;
  signTypedData: (typed: TypedData) => Promise<Hex>;
  /** Why it refused, if it did. */
  refusal: () => SpendingRefusal | undefined;
  /** Whether a signature was given. */
  signed: () => boolean;
};

/** What the guarded signer throws; the official client passes it on as text. */
export class SpendingRefused extends Error {
  override name = 'SpendingRefused';
}

export function guardSigner(
  account: LocalAccount,
  allowance: Allowance,
  counter: SpendCounter,
  nowMs: () => number,
): GuardedSigner {
  let refusal: SpendingRefusal | undefined;
  let signed = false;
  const stop = (verdict: SpendingRefusal): never => {
    refusal = verdict;
    throw new SpendingRefused(verdict.detail);
  };
  return {
    address: account.address,
    refusal: () => refusal,
    signed: () => signed,
    signTypedData: async (typed) => {
      if (signed) stop(refuse('unexpected_message', 'asked for a second signature for one purchase'));
      const verdict = judgeMessage(typed, allowance, Math.floor(nowMs() / 1000));
      if (!verdict.ok) return stop(verdict);
      signed = true; // Before the wait: two requests at once must not give two signatures.
      const counted = await counter.reserve(verdict.microUsdc, allowance.maxMicroUsdcPerDay, nowMs());
      if (!counted.ok) {
        signed = false;
        return stop(counted);
      }
      return account.signTypedData(typed);
    },
  };
}

function sameAddress(a: unknown, b: string): boolean {
  return typeof a === 'string' && a.toLowerCase() === b.toLowerCase();
}

/** `60000n` as `0.060000 USDC`. */
export function usd(microUsdc: bigint): string {
  const digits = microUsdc.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)} USDC`;
}
