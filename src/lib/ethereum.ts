import { loadOnce } from './concurrency.ts';
import { recoverKeyPoint } from './recover-key.ts';

type ViemUtils = Pick<
  typeof import('viem/utils'),
  'getAddress' | 'hashMessage' | 'hashTypedData' | 'isAddress' | 'isErc6492Signature'
>;

/** viem's addresses and hashing of typed data and messages, loaded with their first use. Pure: pages that never call it leave it out. */
export const loadViemUtils: () => Promise<ViemUtils> = /* @__PURE__ */ loadOnce(() => import('viem/utils'));

type Hex = `0x${string}`;
type Tools = {
  secp256k1: typeof import('@noble/curves/secp256k1').secp256k1;
  invert: typeof import('@noble/curves/abstract/modular').invert;
  keccak: typeof import('@noble/hashes/sha3').keccak_256;
  bytesToHex: typeof import('@noble/hashes/utils').bytesToHex;
  hexToBytes: typeof import('@noble/hashes/utils').hexToBytes;
};

/** `0x`, r and s of 32 bytes each, and v. */
const ECDSA_CHARS = 2 + 65 * 2;
const V_AT = 2 + 64 * 2;
/** v as signers write it, and the recovery bit that it encodes. */
const RECOVERY_BITS: ReadonlyMap<number, 0 | 1> = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);
const ADDRESS_BYTES = 20;

/** The curve: with the first signature, so that it costs no start-up time. Pure: pages that never call it leave it out. */
const load = /* @__PURE__ */ loadOnce(async (): Promise<Tools> => {
  const [{ secp256k1 }, { invert }, { keccak_256: keccak }, { bytesToHex, hexToBytes }] = await Promise.all([
    import('@noble/curves/secp256k1'),
    import('@noble/curves/abstract/modular'),
    import('@noble/hashes/sha3'),
    import('@noble/hashes/utils'),
  ]);
  return { secp256k1, invert, keccak, bytesToHex, hexToBytes };
});

/** Keccak-256 in hexadecimal, without prefix: of bytes that are written so too, and of the UTF-8 bytes of a text. */
export const loadKeccak: () => Promise<Record<'hashHex' | 'hashText', (given: string) => string>> =
  /* @__PURE__ */ loadOnce(async () => {
    const { keccak, bytesToHex, hexToBytes } = await load();
    return {
      hashHex: (hex: string) => bytesToHex(keccak(hexToBytes(hex))),
      hashText: (text: string) => bytesToHex(keccak(text)),
    };
  });

/**
 * The lower-case address of the key that made an ECDSA signature of 65 bytes over a digest of 32; undefined when the text
 * is not such a signature. About 0.4 ms of CPU.
 */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<string | undefined> {
  const bit =
    signature.length === ECDSA_CHARS ? RECOVERY_BITS.get(Number.parseInt(signature.slice(V_AT), 16)) : undefined;
  if (bit === undefined) return undefined;
  const { secp256k1, invert, keccak, bytesToHex } = await load();
  try {
    const { r, s } = secp256k1.Signature.fromCompact(signature.slice(2, V_AT));
    const point = recoverKeyPoint({ secp256k1, invert }, { r, s, isOdd: bit === 1 }, BigInt(digest)).toRawBytes(false);
    return `0x${bytesToHex(keccak(point.subarray(1)).subarray(-ADDRESS_BYTES))}`;
  } catch {
    return undefined; // No point of the curve: no one's signature.
  }
}
