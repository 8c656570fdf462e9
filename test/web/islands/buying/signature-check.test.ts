import { invert } from '@noble/curves/abstract/modular';
import { secp256k1 } from '@noble/curves/secp256k1';
import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { loadKeccak, recoverSigner } from '../../../../src/lib/ethereum.ts';
import { CURVE_ORDER } from '../../../../src/lib/recover-key.ts';
import { recoverSignerInPage } from '../../../../src/web/islands/buying/page-signer.ts';
import {
  buildAuthorization,
  buildAuthorizationTypedData,
  type SignableTypedData,
} from '../../../../src/web/islands/buying/payment-signing.ts';
import { buildTransferProofTypedData } from '../../../../src/web/islands/buying/transfer-proof.ts';
import { checkSignature } from '../../../../src/web/islands/buying/signature-check.ts';
import { hashFlatTypedData } from '../../../../src/web/islands/buying/typed-data-hash.ts';
import { recoverTypedDataSigner } from '../../../../src/web/islands/signing.ts';

const account = privateKeyToAccount(generatePrivateKey());
const other = privateKeyToAccount(generatePrivateKey());
const TERMS = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '60000',
  asset: `0x${'83'.repeat(20)}`,
  payTo: `0x${'7a'.repeat(20)}`,
  maxTimeoutSeconds: 300,
};
const payment = buildAuthorizationTypedData(buildAuthorization(TERMS, account.address, 1_790_000_000));
const proof = await buildTransferProofTypedData({
  origin: 'https://sightline.test',
  transaction: `0x${'a1'.repeat(32)}`,
  capability: 'full_audit',
  bodyText: '{"url":"https://example.com/"}',
  nowS: 1_790_000_000,
});

/** viem makes the domain's own type itself. */
function toViem({ types, ...typed }: SignableTypedData): Parameters<typeof account.signTypedData>[0] {
  const { EIP712Domain: _own, ...rest } = types;
  return { ...typed, types: rest };
}
const no = async (): Promise<boolean> => false;
const yes = async (): Promise<boolean> => true;

test.each([
  ['a payment', payment],
  ['a payer proof', proof],
])('the digest of %s is that of viem', async (_what, typed) => {
  expect(hashFlatTypedData(typed, await loadKeccak())).toBe(hashTypedData(toViem(typed)));
});

test('what is not flat is not hashed', async () => {
  const keccak = await loadKeccak();
  const nested = { ...proof, types: { ...proof.types, Proof: [{ name: 'transaction', type: 'Other' }] } };
  expect(() => hashFlatTypedData(nested, keccak)).toThrow(RangeError);
});

test('a page finds the signer that the service finds, whatever is signed and however', async () => {
  const keccak = await loadKeccak();
  const found = { none: 0, some: 0 };
  const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
  const v = fc.constantFrom('00', '01', '1b', '1c', '1d');
  const edge = fc.constantFrom(0n, 1n, CURVE_ORDER - 1n, CURVE_ORDER, 2n ** 256n - 1n);
  await fc.assert(
    fc.asyncProperty(word, fc.oneof(word, word, edge), fc.oneof(word, word, edge), v, async (digest, r, s, last) => {
      const [hash, one, two] = [digest, r, s].map((each) => each.toString(16).padStart(64, '0'));
      const signature = `0x${one}${two}${last}` as const;
      const signer = recoverSignerInPage(`0x${hash}`, signature, keccak);
      expect(signer).toBe(await recoverSigner(`0x${hash}`, signature));
      found[signer === undefined ? 'none' : 'some'] += 1;
    }),
    { numRuns: 150 },
  );
  expect(found.none).toBeGreaterThan(10);
  expect(found.some).toBeGreaterThan(10);
});

test('a page finds no signer in a signature of the point at infinity', async () => {
  const { x, y } = secp256k1.ProjectivePoint.BASE.multiply(12_345n).toAffine();
  const s = (999n * invert(12_345n, CURVE_ORDER)) % CURVE_ORDER;
  const [hash, one, two] = [999n, x, s].map((each) => each.toString(16).padStart(64, '0'));
  const signature = `0x${one}${two}${(y & 1n) === 1n ? '1c' : '1b'}`;
  expect(recoverSignerInPage(`0x${hash}`, signature, await loadKeccak())).toBeUndefined();
});

describe('a signature', () => {
  const judge = (signature: string, isContract = no, typed = payment) =>
    checkSignature(recoverTypedDataSigner, { typed, signature, account: account.address }, isContract);

  test('of the account over exactly this is its own', async () => {
    expect(await judge(await account.signTypedData(toViem(payment)))).toBe('own');
    expect(await judge(await account.signTypedData(toViem(proof)), no, proof)).toBe('own');
  });

  test.each<[string, () => Promise<string>]>([
    ['another account', () => other.signTypedData(toViem(payment))],
    ['another network', () => account.signTypedData(toViem({ ...payment, domain: { ...payment.domain, chainId: 1 } }))],
    [
      'another token',
      () =>
        account.signTypedData(toViem({ ...payment, domain: { ...payment.domain, verifyingContract: TERMS.payTo } })),
    ],
    [
      'another amount',
      () => account.signTypedData(toViem({ ...payment, message: { ...payment.message, value: '60000000' } })),
    ],
    ['another text', () => account.signMessage({ message: 'hello' })],
    ['nothing at all', async () => `0x${'ff'.repeat(65)}`],
    ['zeros', async () => `0x${'00'.repeat(65)}`],
  ])('of %s is foreign', async (_what, sign) => {
    expect(await judge(await sign())).toBe('foreign');
  });

  test('of a contract wallet is left to the chain', async () => {
    expect(await judge(`0x${'ab'.repeat(65)}`, yes)).toBe('open');
    expect(await judge(`0x${'ab'.repeat(200)}`)).toBe('open');
  });
});
