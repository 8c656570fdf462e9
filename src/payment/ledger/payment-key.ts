import type { SignedAuthorization } from '../terms/authorization.ts';
import { toHex, computeHmacSha256, computeSha256Hex } from '../../lib/digest.ts';
import { BASE, type PaymentNetwork } from '../terms/networks-data.ts';

/** What makes a payment unique on chain: the nonce of an authorization, or one log of a transaction. */
export type PaymentId =
  | { method: 'x402'; from: string; nonce: string }
  | { method: 'transfer'; hash: string; logIndex: number };

/**
 * The ledger key of a payment: `eip3009:eip155:8453:<asset>:<from>:<nonce>` or `tx:eip155:8453:<hash>:<log index>`;
 * the network is that of the payment.
 * The one place where keys are made: every spelling of the same payment (letter case, zero padding) gives one key
 * (rule P21).
 * @throws TypeError for values that no parser of ours lets through.
 */
export function formatPaymentKey(id: PaymentId, network: PaymentNetwork = BASE): string {
  if (id.method === 'x402') {
    return `eip3009:${network.id}:${network.usdcLower}:${formatFixedHex(id.from, 20)}:${formatFixedHex(id.nonce, 32)}`;
  }
  return `tx:${network.id}:${formatFixedHex(id.hash, 32)}:${BigInt(id.logIndex)}`;
}

/** What the keys of all signed payments of a payer begin with, and no other key does. */
export const formatPayerPrefix = (from: string, network?: PaymentNetwork): string =>
  formatPaymentKey({ method: 'x402', from, nonce: '0x0' }, network).slice(0, -NONCE_CHARS);

/** `0x` and 32 bytes, at the end of a key. */
const NONCE_CHARS = 66;

function formatFixedHex(value: string, bytes: number): string {
  if (!/^0x[0-9a-f]+$/i.test(value)) throw new TypeError('a payment key is made of hexadecimal values');
  const digits = BigInt(value.toLowerCase())
    .toString(16)
    .padStart(bytes * 2, '0');
  if (digits.length > bytes * 2) throw new TypeError(`a value of a payment key is longer than ${bytes} bytes`);
  return `0x${digits}`;
}

/** A transaction as the ledger spells it: a hash in lower case, a signature of Solana as it is. */
export const formatTransaction = (text: string): string => (text.startsWith('0x') ? text.toLowerCase() : text);

/** The network that a key names (CAIP-2): the chain of that one alone says what became of its payment. */
export const readKeyNetwork = (key: string): string => key.split(':', 3).slice(1).join(':');

/** SHA-256 (hex) of everything the payer signed: two authorizations under one nonce differ in it (rule P24). */
export function computeAuthorizationDigest(terms: SignedAuthorization): Promise<string> {
  const { from, to, value, validAfter, validBefore, nonce } = terms;
  return computeSha256Hex([from, to, value, validAfter, validBefore, nonce].join(':').toLowerCase());
}

/** SHA-256 (hex) of what was mined: the log a transfer is redeemed by. */
export function computeTransferDigest(hash: string, logIndex: number, payer: string, value: bigint): Promise<string> {
  return computeSha256Hex([hash, logIndex, payer, value].join(':').toLowerCase());
}

/** Names of shards that an isolate remembers: buyers come again. */
const MAX_SHARD_NAMES = 4_096;
const shardNames = new Map<string, string>();
let shardNamesSecret = '';

/**
 * The ledger shard of a payer (signed payloads) or a transaction hash (transfers): `00` to `ff`. Keyed by a secret,
 * so that no one can aim payments at one shard (rule P12).
 */
export async function computeShardName(secret: string, text: string): Promise<string> {
  const canonical = text.toLowerCase();
  const known = secret === shardNamesSecret ? shardNames.get(canonical) : undefined;
  if (known !== undefined) return known;
  const name = toHex((await computeHmacSha256(secret, canonical)).subarray(0, 1));
  if (secret !== shardNamesSecret) shardNames.clear();
  shardNamesSecret = secret;
  shardNames.set(canonical, name);
  const [oldest] = shardNames.keys();
  if (shardNames.size > MAX_SHARD_NAMES && oldest !== undefined) shardNames.delete(oldest);
  return name;
}
