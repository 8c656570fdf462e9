import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { hashTypedData, serializeErc6492Signature } from 'viem/utils';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  checkProofTimes,
  computePayerProofSalt,
  type ProofTerms,
  buildProofTypedData,
  verifyPayerProof,
} from '../../../../src/payment/rails/transfer/payer-proof.ts';
import { blockAt, fakeChain } from '../../chain/fake-chain.ts';
import { buyer, BUYER, NOW_S } from '../../terms/offer-cases.ts';

const TERMS: ProofTerms = {
  transaction: `0x${'c0'.repeat(32)}`,
  capability: 'full_audit',
  bodySha256: createHash('sha256').update('{"url":"https://example.com"}').digest('hex'),
  issuedAtS: NOW_S,
  expiresAtS: NOW_S + 600,
};
const SALT = await computePayerProofSalt('https://sightline.test');
const EXPECTED = { hash: TERMS.transaction, capability: TERMS.capability, bodySha256: TERMS.bodySha256, salt: SALT };

const emptyChain = () => fakeChain({ latest: blockAt(100n, NOW_S), safe: blockAt(90n, NOW_S - 20) });
const signed = async (terms = TERMS, salt: string = SALT) => ({
  signature: await buyer.signTypedData(buildProofTypedData(terms, salt)),
  issuedAtS: terms.issuedAtS,
  expiresAtS: terms.expiresAtS,
});

test('the salt is the SHA-256 of the base URL', () => {
  expect(SALT).toBe(`0x${createHash('sha256').update('https://sightline.test').digest('hex')}`);
});

test('P10: the digest is the EIP-712 hash of the agreed domain and type', () => {
  expect(hashTypedData(buildProofTypedData(TERMS, SALT))).toBe(
    hashTypedData({
      domain: { name: 'Sightline payment proof', version: '1', chainId: 8453n, salt: SALT },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'salt', type: 'bytes32' },
        ],
        Proof: [
          { name: 'transaction', type: 'bytes32' },
          { name: 'capability', type: 'string' },
          { name: 'bodySha256', type: 'bytes32' },
          { name: 'issuedAt', type: 'uint256' },
          { name: 'expiresAt', type: 'uint256' },
        ],
      },
      primaryType: 'Proof',
      message: {
        transaction: `0x${'c0'.repeat(32)}`,
        capability: 'full_audit',
        bodySha256: `0x${TERMS.bodySha256}`,
        issuedAt: BigInt(NOW_S),
        expiresAt: BigInt(NOW_S + 600),
      },
    }),
  );
});

test('P9: the payer of the transfer proves it by signing, in any letter case, without a question to the chain', async () => {
  const chain = emptyChain();
  expect(await verifyPayerProof(chain, await signed(), EXPECTED, BUYER)).toBe(true);
  expect(
    await verifyPayerProof(
      chain,
      await signed(),
      { ...EXPECTED, bodySha256: `0x${TERMS.bodySha256.toUpperCase()}` },
      buyer.address,
    ),
  ).toBe(true);
  expect(chain.state.calls).toEqual([]);
});

test.each([
  ['for another transaction', { hash: `0x${'c1'.repeat(32)}` }],
  ['for another capability', { capability: 'full_report' }],
  ['for another body', { bodySha256: '00'.repeat(32) }],
  ['for another deployment', { salt: await computePayerProofSalt('https://other.test') }],
])('P10: a proof %s is none', async (_what, change) => {
  expect(await verifyPayerProof(emptyChain(), await signed(), { ...EXPECTED, ...change }, BUYER)).toBe(false);
});

test('P10: a proof by somebody else, with moved times or as a plain message is none', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey()).address.toLowerCase();
  const chain = emptyChain();
  const proof = await signed();
  expect(await verifyPayerProof(chain, proof, EXPECTED, stranger)).toBe(false);
  expect(await verifyPayerProof(chain, { ...proof, expiresAtS: NOW_S + 601 }, EXPECTED, BUYER)).toBe(false);
  const message = await buyer.signMessage({ message: { raw: hashTypedData(buildProofTypedData(TERMS, SALT)) } });
  expect(await verifyPayerProof(chain, { ...proof, signature: message }, EXPECTED, BUYER)).toBe(false);
  expect(await verifyPayerProof(chain, { ...proof, signature: `0x${'ff'.repeat(65)}` }, EXPECTED, BUYER)).toBe(false);
});

describe('a contract wallet', () => {
  const WALLET = `0x${'cc'.repeat(20)}`;
  const walletProof = { signature: `0x${'0a'.repeat(300)}` as const, issuedAtS: NOW_S, expiresAtS: NOW_S + 600 };
  const chainWith = (accepts: (digest: string, signature: string) => boolean) => {
    const chain = emptyChain();
    chain.state.contracts.set(WALLET, accepts);
    return chain;
  };

  test('P10: proves by ERC-1271 over the same digest', async () => {
    const digest = hashTypedData(buildProofTypedData(TERMS, SALT));
    const chain = chainWith((asked, signature) => asked === digest && signature === walletProof.signature);
    expect(await verifyPayerProof(chain, walletProof, EXPECTED, WALLET)).toBe(true);
    expect(await verifyPayerProof(chain, walletProof, { ...EXPECTED, capability: 'compare' }, WALLET)).toBe(false);
  });

  test('P10: an account without code proves nothing by such a signature', async () => {
    const chain = emptyChain();
    expect(await verifyPayerProof(chain, walletProof, EXPECTED, WALLET)).toBe(false);
    expect(chain.state.calls).toEqual(['hasCode']);
  });

  test('P10: an ERC-6492 wrapper is refused before anything is asked of the chain', async () => {
    const chain = chainWith(() => true);
    const signature = serializeErc6492Signature({
      address: '0xcA11bde05977b3631167028862bE2a173976CA11',
      data: '0x1234',
      signature: walletProof.signature,
    });
    expect(await verifyPayerProof(chain, { ...walletProof, signature }, EXPECTED, WALLET)).toBe(false);
    expect(chain.state.calls).toEqual([]);
  });

  test('a chain that cannot be read is doubt, not a refusal', async () => {
    const chain = chainWith(() => true);
    chain.state.down = true;
    await expect(verifyPayerProof(chain, walletProof, EXPECTED, WALLET)).rejects.toThrow('fake');
  });
});

test.each([
  ['of ten minutes', NOW_S, NOW_S + 600, true],
  ['issued by a clock a minute ahead', NOW_S + 60, NOW_S + 600, true],
  ['in its last second', NOW_S - 599, NOW_S + 1, true],
  ['that has just expired', NOW_S - 600, NOW_S, false],
  ['issued too far ahead', NOW_S + 61, NOW_S + 300, false],
  ['of more than ten minutes', NOW_S, NOW_S + 601, false],
])('P10: a proof %s', (_what, issuedAtS, expiresAtS, ok) => {
  expect(checkProofTimes({ signature: '0x00', issuedAtS, expiresAtS }, NOW_S).ok).toBe(ok);
});
