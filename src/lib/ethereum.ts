import { loadOnce } from './concurrency.ts';
import { parseSignature, recoverKeyPoint } from './recover-key.ts';

type ViemUtils = typeof import('./on-use/viem-utils.ts');

/** viem's addresses and hashing of typed data and messages, loaded with their first use. Pure: pages that never call it leave it out. */
export const loadViemUtils: () => Promise<ViemUtils> = /* @__PURE__ */ loadOnce(() => import('./on-use/viem-utils.ts'));

type Hex = `0x${string}`;
type Curve = {
  secp256k1: typeof import('@noble/curves/secp256k1').secp256k1;
  invert: typeof import('@noble/curves/abstract/modular').invert;
};

const ADDRESS_DIGITS = 40;

/** The curve: with the first signature, so that it costs no start-up time. Pure: pages that never call it leave it out. */
const loadCurve = /* @__PURE__ */ loadOnce(async (): Promise<Curve> => {
  const { invert, secp256k1 } = await import('./on-use/curves.ts');
  return { secp256k1, invert };
});

/** Keccak-256 in hexadecimal, without prefix: of bytes that are written so too, and of the UTF-8 bytes of a text. */
export type Keccak = Record<'hashHex' | 'hashText', (given: string) => string>;

export const loadKeccak: () => Promise<Keccak> = /* @__PURE__ */ loadOnce(async () => {
  const { bytesToHex, hexToBytes, keccak } = await import('./on-use/keccak.ts');
  return {
    hashHex: (hex: string) => bytesToHex(keccak(hexToBytes(hex))),
    hashText: (text: string) => bytesToHex(keccak(text)),
  };
});

/** The lower-case address of a key, of its point in hexadecimal: `04`, x and y. */
export const computeAddress = (keccak: Keccak, pointHex: string): string =>
  `0x${keccak.hashHex(pointHex.slice(2)).slice(-ADDRESS_DIGITS)}`;

/**
 * The lower-case address of the key that made an ECDSA signature of 65 bytes over a digest of 32; undefined when the text
 * is not such a signature. About 0.4 ms of CPU.
 */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<string | undefined> {
  const parts = parseSignature(signature);
  if (parts === undefined) return undefined;
  const [{ secp256k1, invert }, keccak] = await Promise.all([loadCurve(), loadKeccak()]);
  try {
    const point = recoverKeyPoint({ secp256k1, invert }, parts, BigInt(digest));
    return computeAddress(keccak, point.toHex(false));
  } catch {
    return undefined; // No point of the curve: no one's signature.
  }
}
