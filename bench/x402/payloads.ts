/** Signs payments for the benchmark in a process of its own: `payloads.ts <count> <payers> <payTo> <file>`. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { hashTypedData } from 'viem';
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts';
import { CHAIN_ID, MAX_VALID_AHEAD_S, USDC, USDC_DOMAIN } from '../../src/payment/terms/constants.ts';
import { findCapability } from '../../src/capabilities/catalog.ts';

/** A signed EIP-3009 payment of check_health; what is sent beside it depends on the server. */
export type SignedPayload = {
  authorization: { from: string; to: string; value: string; validAfter: string; validBefore: string; nonce: string };
  signature: string;
};

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;
/** Left of the hour that the ledger admits, so that signing itself may take a while. */
const AHEAD_S = MAX_VALID_AHEAD_S - 60;

if (import.meta.main) {
  const [count = '', payers = '', payTo = '', file = ''] = process.argv.slice(2);
  const keys = Array.from({ length: Number(payers) }, generatePrivateKey);
  writeFileSync(file, JSON.stringify(await signMany(Number(count), keys.map(signerOf), payTo as `0x${string}`)));
}

/** Who is named as payer, and the key that signs for it; a forger has another key than the payer's. */
export type Signer = { key: `0x${string}`; from: `0x${string}` };

export function signerOf(key: `0x${string}`): Signer {
  return { key, from: privateKeyToAccount(key).address };
}

/** Neighbours in the list have different payers: a payer may only have a few payments in flight. */
export async function signMany(
  count: number,
  signers: readonly Signer[],
  payTo: `0x${string}`,
  capability = 'check_health',
  nonceOf: (index: number) => `0x${string}` = () => `0x${randomBytes(32).toString('hex')}`,
): Promise<SignedPayload[]> {
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + AHEAD_S);
  const value = BigInt(findCapability(capability)?.priceMicroUsdc ?? 0);
  const signed: SignedPayload[] = [];
  for (let index = 0; index < count; index += 1) {
    const signer = signers[index % signers.length];
    if (!signer) throw new RangeError('at least one payer is needed');
    const { key, from } = signer;
    const nonce = nonceOf(index);
    const message = { from, to: payTo, value, validAfter: 0n, validBefore, nonce };
    const domain = { ...USDC_DOMAIN, chainId: CHAIN_ID, verifyingContract: USDC } as const;
    const hash = hashTypedData({ domain, types: TYPES, primaryType: 'TransferWithAuthorization', message });
    const signature = await sign({ hash, privateKey: key, to: 'hex' });
    const numbers = { value: String(value), validAfter: '0', validBefore: String(validBefore) };
    signed.push({ authorization: { from, to: payTo, ...numbers, nonce }, signature });
  }
  return signed;
}
