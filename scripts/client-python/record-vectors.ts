/**
 * Writes `test/data/client-python/payment-vectors.json`: digests and signatures of payments made by viem, which the Python client
 * must make too. Keys and numbers are of no one: derived from their row, so that a second run writes the same file.
 */
import { writeFileSync } from 'node:fs';
import { type Hex, hashTypedData, keccak256, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { AUTHORIZATION_TYPES, CHAIN_ID, USDC, USDC_DOMAIN } from '../../src/payment/terms/constants.ts';

const ROWS = 24;
const SEPOLIA = {
  chainId: 84_532,
  verifyingContract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  name: 'USDC',
} as const;
const derive = (row: number, what: string): Hex => keccak256(toHex(`${what} of row ${row}`));
const deriveAddress = (row: number, what: string): Hex => `0x${derive(row, what).slice(-40)}`;

async function buildVector(row: number) {
  const key = derive(row, 'key');
  const account = privateKeyToAccount(key);
  const base = { ...USDC_DOMAIN, chainId: CHAIN_ID, verifyingContract: USDC } as const;
  const domain = row % 4 === 3 ? { ...base, ...SEPOLIA } : base;
  const validAfter = BigInt(derive(row, 'time')) % 2_000_000_000n;
  const message = {
    from: account.address,
    to: deriveAddress(row, 'payee'),
    value: (BigInt(derive(row, 'value')) % 5_000_000n) + 1n,
    validAfter,
    validBefore: validAfter + 900n,
    nonce: derive(row, 'nonce'),
  };
  const typed = { domain, types: AUTHORIZATION_TYPES, primaryType: 'TransferWithAuthorization', message } as const;
  return {
    key,
    domain,
    message: {
      ...message,
      value: Number(message.value),
      validAfter: Number(validAfter),
      validBefore: Number(message.validBefore),
    },
    digest: hashTypedData(typed),
    signature: await account.signTypedData(typed),
  };
}

const vectors = await Promise.all(Array.from({ length: ROWS }, (_, row) => buildVector(row)));
writeFileSync(
  new URL('../../test/data/client-python/payment-vectors.json', import.meta.url),
  `${JSON.stringify(vectors, null, 1)}\n`,
);
console.log(`wrote ${vectors.length} vectors`);
