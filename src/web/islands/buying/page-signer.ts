import { Field, invert } from '@noble/curves/abstract/modular';
import { weierstrassPoints } from '@noble/curves/abstract/weierstrass';
import { computeAddress, type Keccak } from '../../../lib/ethereum.ts';
import { computeResidue, CURVE_ORDER, parseSignature } from '../../../lib/recover-key.ts';

/** @see https://www.secg.org/sec2-v2.pdf section 2.4.1 */
const FIELD = Field(2n ** 256n - 2n ** 32n - 977n);
const B = 7n;
/** The points of secp256k1 alone: what signs and derives keys would be half of the script. */
const { ProjectivePoint } = weierstrassPoints({
  Fp: FIELD,
  a: 0n,
  b: B,
  n: CURVE_ORDER,
  h: 1n,
  Gx: 0x79be667e_f9dcbbac_55a06295_ce870b07_029bfcdb_2dce28d9_59f2815b_16f81798n,
  Gy: 0x483ada77_26a3c465_5da4fbfc_0e1108a8_fd17b448_a6855419_9c47d08f_fb10d4b8n,
});

/**
 * The lower-case address whose key signed a digest; undefined where no key did. It says what `recoverSigner` of the service
 * says, in half of its bytes: a page checks one signature, so that its time does not matter. All is public here.
 */
export function recoverSignerInPage(digest: string, signature: string, keccak: Keccak): string | undefined {
  const parts = parseSignature(signature);
  if (parts === undefined) return undefined;
  const { r, s, isOdd } = parts;
  try {
    const inverse = invert(r, CURVE_ORDER);
    const ofBase = ProjectivePoint.BASE.multiplyUnsafe(computeResidue(-BigInt(digest) * inverse, CURVE_ORDER));
    const key = ofBase.add(findPoint(r, isOdd).multiplyUnsafe(computeResidue(s * inverse, CURVE_ORDER)));
    key.assertValidity(); // Throws for the point at infinity too.
    return computeAddress(keccak, key.toHex());
  } catch {
    return undefined; // No point of the curve: no one's signature.
  }
}

/** The point of an x. @throws Error where the curve has none */
function findPoint(x: bigint, isOdd: boolean): InstanceType<typeof ProjectivePoint> {
  const y = FIELD.sqrt(FIELD.add(FIELD.pow(x, 3n), B));
  return ProjectivePoint.fromAffine({ x, y: ((y & 1n) === 1n) === isOdd ? y : FIELD.neg(y) });
}
