import { invert } from '@noble/curves/abstract/modular';
import { secp256k1 } from '@noble/curves/secp256k1';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recoverSigner } from '../../src/lib/ethereum.ts';
import { CURVE_ORDER, parseSignature, recoverKeyPoint } from '../../src/lib/recover-key.ts';

const { n } = secp256k1.CURVE;
const scalar = fc.bigInt({ min: 1n, max: n - 1n });
const digest = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.constantFrom(0n, 1n, n - 1n, n, n + 1n));

const formatWord = (value: bigint): string => value.toString(16).padStart(64, '0');

type Signed = { r: bigint; s: bigint; isOdd: boolean };

const ours = ({ r, s, isOdd }: Signed, hash: bigint): string | undefined => {
  try {
    return recoverKeyPoint({ secp256k1, invert }, { r, s, isOdd }, hash).toHex();
  } catch {
    return undefined;
  }
};

const librarys = ({ r, s, isOdd }: Signed, hash: bigint): string | undefined => {
  try {
    return new secp256k1.Signature(r, s)
      .addRecoveryBit(isOdd ? 1 : 0)
      .recoverPublicKey(formatWord(hash))
      .toHex();
  } catch {
    return undefined;
  }
};

/** The x of a multiple of the base point as r, which is what a signer with that nonce has. */
function signWith(nonce: bigint, s: bigint): Signed {
  const { x, y } = secp256k1.ProjectivePoint.BASE.multiply(nonce).toAffine();
  return { r: x % n, s, isOdd: (y & 1n) === 1n };
}

describe('the parts of a signature', () => {
  const text = (r: bigint, s: bigint, v: string): string => `0x${formatWord(r)}${formatWord(s)}${v}`;

  test.each([
    ['00', false],
    ['01', true],
    ['1b', false],
    ['1C', true],
  ])('v of %s', (v, isOdd) => {
    expect(parseSignature(text(1n, n - 1n, v))).toEqual({ r: 1n, s: n - 1n, isOdd });
  });

  test.each([
    ['another v', text(1n, 1n, '02')],
    ['r of zero', text(0n, 1n, '1b')],
    ['s of zero', text(1n, 0n, '1b')],
    ['r of the order', text(n, 1n, '1b')],
    ['s of the order', text(1n, n, '1b')],
    ['a short one', text(1n, 1n, '1b').slice(0, -1)],
    ['a long one', `${text(1n, 1n, '1b')}00`],
    ['no hexadecimal digits', text(1n, 1n, '1b').replace('1', 'g')],
    ['no prefix', text(1n, 1n, '1b').slice(2)],
  ])('%s is no signature', (_what, given) => {
    expect(parseSignature(given)).toBeUndefined();
  });

  test('the order is that of the curve', () => {
    expect(CURVE_ORDER).toBe(n);
  });
});

describe('the key behind a signature', () => {
  test('is the one that the library finds, whatever is signed', () => {
    fc.assert(
      fc.property(scalar, scalar, digest, (nonce, s, hash) => {
        const signed = signWith(nonce, s);
        expect(ours(signed, hash)).toBe(librarys(signed, hash));
        expect(ours({ ...signed, isOdd: !signed.isOdd }, hash)).toBe(
          librarys({ ...signed, isOdd: !signed.isOdd }, hash),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('is missing where the library finds none: r may be the x of no point', () => {
    const found = { none: 0, some: 0 };
    fc.assert(
      fc.property(scalar, scalar, digest, fc.boolean(), (r, s, hash, isOdd) => {
        const key = ours({ r, s, isOdd }, hash);
        found[key === undefined ? 'none' : 'some'] += 1;
        expect(key).toBe(librarys({ r, s, isOdd }, hash));
      }),
      { numRuns: 100 },
    );
    expect(found.none).toBeGreaterThan(10);
    expect(found.some).toBeGreaterThan(10);
  });

  test.each([1n, 2n, 3n, 15n, 16n, 17n, 31n, n - 1n, n - 2n, (n - 1n) / 2n, 2n ** 128n, 2n ** 128n - 1n])(
    'is found for the nonce %s and scalars at the edges',
    (nonce) => {
      for (const s of [1n, 2n, 15n, 16n, n - 1n, n / 2n, 2n ** 128n, 2n ** 128n + 1n]) {
        for (const hash of [0n, 1n, nonce, n - nonce, n]) {
          expect(ours(signWith(nonce, s), hash)).toBe(librarys(signWith(nonce, s), hash));
        }
      }
    },
  );

  test('is no point at infinity: a signature that says so has no signer', async () => {
    const nonce = 12_345n;
    const hash = 999n;
    const signed = signWith(nonce, (hash * invert(nonce, n)) % n);
    expect(ours(signed, hash)).toBeUndefined();
    const text = `0x${formatWord(signed.r)}${formatWord(signed.s)}${signed.isOdd ? '1c' : '1b'}` as const;
    expect(await recoverSigner(`0x${formatWord(hash)}`, text)).toBeUndefined();
  });
});
