import { loadOnce } from './concurrency.ts';

type ViemUtils = Pick<
  typeof import('viem/utils'),
  'getAddress' | 'hashMessage' | 'hashTypedData' | 'isAddress' | 'isErc6492Signature'
>;

/** viem's addresses and hashing of typed data and messages, loaded with their first use. Pure: pages that never call it leave it out. */
export const loadViemUtils: () => Promise<ViemUtils> = /* @__PURE__ */ loadOnce(() => import('viem/utils'));

type Hex = `0x${string}`;
type Tools = {
  secp256k1: typeof import('@noble/curves/secp256k1').secp256k1;
  keccak: typeof import('@noble/hashes/sha3').keccak_256;
  bytesToHex: typeof import('@noble/hashes/utils').bytesToHex;
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
  const [{ secp256k1 }, { keccak_256: keccak }, { bytesToHex }] = await Promise.all([
    import('@noble/curves/secp256k1'),
    import('@noble/hashes/sha3'),
    import('@noble/hashes/utils'),
  ]);
  return { secp256k1, keccak, bytesToHex };
});

/**
 * The lower-case address of the key that made an ECDSA signature of 65 bytes over a digest of 32; undefined when the text
 * is not such a signature. About 2 ms of CPU.
 */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<string | undefined> {
  const bit =
    signature.length === ECDSA_CHARS ? RECOVERY_BITS.get(Number.parseInt(signature.slice(V_AT), 16)) : undefined;
  if (bit === undefined) return undefined;
  const { secp256k1, keccak, bytesToHex } = await load();
  try {
    const point = secp256k1.Signature.fromCompact(signature.slice(2, V_AT))
      .addRecoveryBit(bit)
      .recoverPublicKey(digest.slice(2))
      .toRawBytes(false);
    return `0x${bytesToHex(keccak(point.subarray(1)).subarray(-ADDRESS_BYTES))}`;
  } catch {
    return undefined; // No point of the curve: no one's signature.
  }
}
