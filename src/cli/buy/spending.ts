import type { PaymentRequirements } from '@x402/core/types';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Address, Hex, LocalAccount } from 'viem';
import * as z from 'zod';
import { PAYMENT_NETWORKS } from '../../payment/terms/networks-data.ts';
import { createFolder } from '../core/create-folder.ts';
import { isOwned, replaceOwned, runUnderLock } from '../core/file-lock.ts';
import { describeNotOffered, listOffered, type PaymentNetwork } from './network.ts';

/** Longest life of an authorization we sign, in seconds: what a lost signature can be misused for ends with it. */
export const MAX_AUTHORIZATION_SECONDS = 300;

/** What may be signed for one purchase, on the network that its buyer chose. `maxMicroUsdc` is the lowest of the caller's cap and the catalogue price. */
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
  | 'counter_unavailable'
  | 'orders_unavailable';

/** Nothing is signed, for this reason. */
export type SpendingRefusal = {
  ok: false;
  reason: SpendingReason;
  detail: string;
  /** Of `wrong_network`: where the service is paid instead, in CAIP-2. */
  offered?: readonly string[];
};
export type SpendingVerdict = { ok: true } | SpendingRefusal;

export const refuseSpending = (reason: SpendingReason, detail: string): SpendingRefusal => ({
  ok: false,
  reason,
  detail,
});

/** @param named the networks that a service names instead of the chosen one */
export function refuseNetwork(chosen: PaymentNetwork, named: readonly string[]): SpendingRefusal {
  const offered = listOffered(named).filter((id) => id !== chosen);
  return { ...refuseSpending('wrong_network', describeNotOffered(chosen, offered)), offered };
}

const termsShape = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
});

/** One entry of a 402's `accepts`: what all of them have. Whether it may be paid is judged by `judgeTerms`. */
export const paymentTermsSchema = z.custom<PaymentRequirements>((value) => termsShape.safeParse(value).success);

/** Judges one entry of `accepts` before anything is signed (rule A9). Does not judge how long it would be valid: the signer does. */
export function judgeTerms(terms: PaymentRequirements, allowance: Allowance): SpendingVerdict {
  const { usdc: asset } = PAYMENT_NETWORKS[allowance.network];
  if (terms.scheme !== 'exact') return refuseSpending('wrong_scheme', `scheme ${terms.scheme}, we pay only "exact"`);
  const transferMethod: unknown = terms.extra?.['assetTransferMethod'] ?? 'eip3009';
  if (transferMethod !== 'eip3009')
    return refuseSpending('wrong_scheme', `asset transfer method ${String(transferMethod)}`);
  if (terms.network !== allowance.network)
    return refuseSpending('wrong_network', `network ${terms.network}, we pay only on ${allowance.network}`);
  if (!isSameAddress(terms.asset, asset))
    return refuseSpending('wrong_asset', `asset ${terms.asset} is not USDC (${asset})`);
  if (!isSameAddress(terms.payTo, allowance.payTo)) {
    return refuseSpending('wrong_payee', `payee ${terms.payTo}, the catalogue names ${allowance.payTo}`);
  }
  return /^[1-9]\d*$/.test(terms.amount)
    ? judgeAmount(BigInt(terms.amount), allowance)
    : refuseSpending('amount_invalid', `amount ${terms.amount} is not a whole number of micro-USDC`);
}

function judgeAmount(microUsdc: bigint, { catalogueMicroUsdc, maxMicroUsdc }: Allowance): SpendingVerdict {
  if (microUsdc > catalogueMicroUsdc) {
    return refuseSpending(
      'amount_above_catalogue',
      `${formatUsdc(microUsdc)} asked, the catalogue says ${formatUsdc(catalogueMicroUsdc)}`,
    );
  }
  if (microUsdc > maxMicroUsdc)
    return refuseSpending(
      'amount_above_cap',
      `${formatUsdc(microUsdc)} asked, your limit is ${formatUsdc(maxMicroUsdc)}`,
    );
  return { ok: true };
}

/** A message to sign, as the official client hands it over. */
export type SigningRequest = {
  domain: Record<string, unknown>;
  types: Record<string, unknown>;
  primaryType: string;
  message: Record<string, unknown>;
};

/** A message that may be signed and the amount it moves, or why it may not. */
export type MessageVerdict = { ok: true; microUsdc: bigint } | SpendingRefusal;

/** Judges the very message that is about to be signed, whatever the terms said (rule A9). `nowS` is Unix seconds. */
export function judgeMessage(
  { domain, primaryType, message }: SigningRequest,
  allowance: Allowance,
  nowS: number,
): MessageVerdict {
  const { chainId, usdc: asset } = PAYMENT_NETWORKS[allowance.network];
  if (primaryType !== 'TransferWithAuthorization')
    return refuseSpending('unexpected_message', `asked to sign a ${primaryType}`);
  if (Number(domain['chainId']) !== chainId)
    return refuseSpending('wrong_network', `asked to sign for chain ${String(domain['chainId'])}`);
  if (!isSameAddress(domain['verifyingContract'], asset)) {
    return refuseSpending('wrong_asset', `asked to sign for contract ${String(domain['verifyingContract'])}`);
  }
  if (!isSameAddress(message['to'], allowance.payTo))
    return refuseSpending('wrong_payee', `asked to pay ${String(message['to'])}`);
  const { value, validBefore } = message;
  if (typeof value !== 'bigint' || value <= 0n)
    return refuseSpending('amount_invalid', `asked to sign the amount ${String(value)}`);
  if (typeof validBefore !== 'bigint' || validBefore > BigInt(nowS + MAX_AUTHORIZATION_SECONDS)) {
    return refuseSpending(
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
  signTypedData: (typed: SigningRequest) => Promise<Hex>;
  /** Why it refused, if it did. */
  refusal: () => SpendingRefusal | undefined;
  /** Whether a signature was given. */
  signed: () => boolean;
};

/** What the guarded signer throws; the official client passes it on as text. */
export class SpendingRefused extends Error {
  override name = 'SpendingRefused';
}

/**
 * The signer of one purchase. The domain of the token is that of our table: whatever name, version or salt the 402 gave
 * the official client, a signature is good for USDC of the chosen network and for nothing else.
 */
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
      if (signed) stop(refuseSpending('unexpected_message', 'asked for a second signature for one purchase'));
      const verdict = judgeMessage(typed, allowance, Math.floor(nowMs() / 1000));
      if (!verdict.ok) return stop(verdict);
      signed = true; // Before the wait: two requests at once must not give two signatures.
      const counted = await counter.reserve(verdict.microUsdc, allowance.maxMicroUsdcPerDay, nowMs());
      if (!counted.ok) {
        signed = false;
        return stop(counted);
      }
      const { domain, chainId, usdc } = PAYMENT_NETWORKS[allowance.network];
      return account.signTypedData({ ...typed, domain: { ...domain, chainId, verifyingContract: usdc } });
    },
  };
}

function isSameAddress(a: unknown, b: string): boolean {
  return typeof a === 'string' && a.toLowerCase() === b.toLowerCase();
}

/** `60000n` as `0.060000 USDC`. */
export function formatUsdc(microUsdc: bigint): string {
  const digits = microUsdc.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)} USDC`;
}

/** Remembers what was signed today (UTC), whether or not it was ever settled. */
export type SpendCounter = {
  /** Adds a signature over `microUsdc` unless the day's sum would pass `maxPerDay`. Refuses when it cannot count. */
  reserve: (microUsdc: bigint, maxPerDay: bigint, nowMs: number) => Promise<SpendingVerdict>;
};

/** The lock is held for milliseconds. */
const LOCK_TIMES = { waitMs: 2_000, staleMs: 10_000 };

const daySchema = z.strictObject({
  day: z.iso.date(),
  signatures: z.int().min(0),
  microUsdc: z.string().regex(/^\d+$/),
});
type Day = z.infer<typeof daySchema>;

/** A counter in a file with mode 0600, locked while it changes: several processes may share it. */
export function createFileCounter(path: string): SpendCounter {
  return {
    reserve: async (microUsdc, maxPerDay, nowMs) => {
      try {
        createFolder(dirname(path), 0o700);
        return await runUnderLock(`${path}.lock`, LOCK_TIMES, () => add(path, microUsdc, maxPerDay, nowMs));
      } catch (error) {
        return refuseSpending('counter_unavailable', `the spending file ${path} cannot be used: ${String(error)}`);
      }
    },
  };
}

async function add(path: string, microUsdc: bigint, maxPerDay: bigint, nowMs: number): Promise<SpendingVerdict> {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const kept = await readDay(path);
  const before: Day = kept?.day === today ? kept : { day: today, signatures: 0, microUsdc: '0' };
  const sum = BigInt(before.microUsdc) + microUsdc;
  if (sum > maxPerDay) {
    return refuseSpending(
      'daily_limit_reached',
      `${formatUsdc(sum)} would be signed for today, the limit is ${formatUsdc(maxPerDay)}`,
    );
  }
  const after: Day = { day: today, signatures: before.signatures + 1, microUsdc: String(sum) };
  await replaceOwned(path, `${JSON.stringify(after)}\n`);
  return { ok: true };
}

/** undefined before the first signature. @throws when the file is not ours to trust: unreadable counts must not read as zero. */
async function readDay(path: string): Promise<Day | undefined> {
  if (!(await isOwned(path))) return undefined;
  return daySchema.parse(JSON.parse(await readFile(path, 'utf8')));
}
