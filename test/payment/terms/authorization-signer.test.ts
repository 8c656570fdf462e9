import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import {
  computeAuthorizationHash,
  recoverAuthorizationSigner,
} from '../../../src/payment/terms/authorization-signer.ts';
import { AUTHORIZATION_TYPES, CHAIN_ID, USDC, USDC_DOMAIN } from '../../../src/payment/terms/constants.ts';
import type { SignedAuthorization } from '../../../src/payment/terms/authorization.ts';

const domain = { ...USDC_DOMAIN, chainId: CHAIN_ID, verifyingContract: USDC } as const;
const primaryType = 'TransferWithAuthorization';

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => `0x${Buffer.from(value).toString('hex')}` as const);
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const terms = fc.record({
  from: hex(20),
  to: hex(20),
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: hex(32),
});

describe('the hash of an authorization', () => {
  test('is the one that wallets sign, whatever its terms are', async () => {
    await fc.assert(
      fc.asyncProperty(terms, async (message) => {
        const signed = hashTypedData({ domain, types: AUTHORIZATION_TYPES, primaryType, message });
        expect(await computeAuthorizationHash(message)).toBe(signed);
      }),
      { numRuns: 300 },
    );
  });

  test('P24: changes with each of its terms', async () => {
    const one: SignedAuthorization = {
      from: `0x${'a1'.repeat(20)}`,
      to: `0x${'b2'.repeat(20)}`,
      value: 1n,
      validAfter: 2n,
      validBefore: 3n,
      nonce: `0x${'c3'.repeat(32)}`,
    };
    const changes: Partial<SignedAuthorization>[] = [
      { from: `0x${'a1'.repeat(19)}a2` },
      { to: `0x${'b2'.repeat(19)}b3` },
      { value: 2n },
      { validAfter: 3n },
      { validBefore: 4n },
      { nonce: `0x${'c3'.repeat(31)}c4` },
    ];
    const hashes = await Promise.all([{}, ...changes].map((change) => computeAuthorizationHash({ ...one, ...change })));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('leads from a signature back to its signer', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const from = account.address.toLowerCase() as `0x${string}`;
    const message = {
      from,
      to: `0x${'b2'.repeat(20)}`,
      value: 60_000n,
      validAfter: 0n,
      validBefore: 2_000_000_000n,
      nonce: `0x${'00'.repeat(31)}01`,
    } as const;
    const signature = await account.signTypedData({ domain, types: AUTHORIZATION_TYPES, primaryType, message });
    expect(await recoverAuthorizationSigner(message, signature)).toBe(from);
    expect(await recoverAuthorizationSigner({ ...message, value: 60_001n }, signature)).not.toBe(from);
  });
});
