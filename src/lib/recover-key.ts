import type { ProjPointType } from '@noble/curves/abstract/weierstrass';
import type { secp256k1 as Curve } from '@noble/curves/secp256k1';

type Point = ProjPointType<bigint>;
type Invert = typeof import('@noble/curves/abstract/modular').invert;

/** `0x`, r and s of 32 bytes each, and v. */
const SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{2})$/i;
/** v as signers write it, and whether the y of the point of r is odd. */
const ODD_BY_V: ReadonlyMap<number, boolean> = new Map([
  [0, false],
  [1, true],
  [27, false],
  [28, true],
]);

/** How many points secp256k1 has. */
export const CURVE_ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;

/** An ECDSA signature in its parts; r and s are above zero and below the order of the curve. */
export type SignatureParts = { r: bigint; s: bigint; isOdd: boolean };

/** The parts of a signature of 65 bytes in hexadecimal; undefined for a text that is none. */
export function parseSignature(signature: string): SignatureParts | undefined {
  const [, first, second, v = ''] = SIGNATURE.exec(signature) ?? [];
  const isOdd = ODD_BY_V.get(Number.parseInt(v, 16));
  if (isOdd === undefined) return undefined;
  const [r, s] = [BigInt(`0x${first}`), BigInt(`0x${second}`)];
  return isScalar(r) && isScalar(s) ? { r, s, isOdd } : undefined;
}

const isScalar = (value: bigint): boolean => value > 0n && value < CURVE_ORDER;

/** Bits of a digit, its sign included: the table of a point holds its odd multiples up to 15. */
const DIGIT_BITS = 5;
const DIGIT_SPAN = 1n << BigInt(DIGIT_BITS);
const TABLE_POINTS = 1 << (DIGIT_BITS - 2);

/**
 * The point whose private key made an ECDSA signature over a digest: `s/r R - digest/r G`. What `recoverPublicKey` of the
 * library returns, from the library's own points, in two thirds of its time: both halves of the scalar of R share their
 * doublings, and few of their digits are not zero. Everything here is public, so time may depend on it.
 * @throws Error when there is no such point
 */
export function recoverKeyPoint(
  { secp256k1, invert }: { secp256k1: typeof Curve; invert: Invert },
  { r, s, isOdd }: SignatureParts,
  digest: bigint,
): Point {
  const { n } = secp256k1.CURVE;
  const point = secp256k1.ProjectivePoint.fromHex(`${isOdd ? '03' : '02'}${r.toString(16).padStart(64, '0')}`);
  const inverse = invert(r, n);
  const ofBase = computeBaseMultiple(secp256k1, computeResidue(-digest * inverse, n));
  const key = ofBase.add(computeMultiple(secp256k1, point, computeResidue(s * inverse, n)));
  key.assertValidity(); // Throws for the point at infinity too.
  return key;
}

export const computeResidue = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

type Half = { scalar: bigint; isNegative: boolean };

/** A scalar as two of half its length: the second for the point that `mapPoint` makes at the price of one product. */
function splitScalar({ CURVE }: typeof Curve, scalar: bigint): [Half, Half] {
  const { endo } = CURVE;
  if (endo === undefined) throw new TypeError('secp256k1 has an endomorphism');
  const { k1, k1neg, k2, k2neg } = endo.splitScalar(scalar);
  return [
    { scalar: k1, isNegative: k1neg },
    { scalar: k2, isNegative: k2neg },
  ];
}

const mapPoint = ({ CURVE, ProjectivePoint }: typeof Curve, { px, py, pz }: Point): Point =>
  new ProjectivePoint(computeResidue(px * (CURVE.endo?.beta ?? 0n), CURVE.Fp.ORDER), py, pz);

const applySign = (point: Point, isNegative: boolean): Point => (isNegative ? point.negate() : point);

/** The library keeps a table of the base point, long enough for half a scalar. */
function computeBaseMultiple(curve: typeof Curve, scalar: bigint): Point {
  const { BASE } = curve.ProjectivePoint;
  const [first, second] = splitScalar(curve, scalar);
  return applySign(BASE.multiplyUnsafe(first.scalar), first.isNegative).add(
    applySign(mapPoint(curve, BASE.multiplyUnsafe(second.scalar)), second.isNegative),
  );
}

function computeMultiple(curve: typeof Curve, point: Point, scalar: bigint): Point {
  const [first, second] = splitScalar(curve, scalar);
  const odd = listOddMultiples(point);
  const lanes = [
    { digits: listDigits(first), multiples: odd },
    { digits: listDigits(second), multiples: odd.map((one) => mapPoint(curve, one)) },
  ];
  let sum = curve.ProjectivePoint.ZERO;
  for (let at = Math.max(...lanes.map(({ digits }) => digits.length)) - 1; at >= 0; at -= 1) {
    sum = sum.double();
    for (const { digits, multiples } of lanes) {
      const digit = digits[at] ?? 0;
      const multiple = multiples[(Math.abs(digit) - 1) / 2];
      if (multiple !== undefined) sum = sum.add(applySign(multiple, digit < 0));
    }
  }
  return sum;
}

function listOddMultiples(point: Point): Point[] {
  const twice = point.double();
  const multiples = [point];
  for (let last = point; multiples.length < TABLE_POINTS; multiples.push(last)) last = last.add(twice);
  return multiples;
}

/** Digits of base 2, least first: zero or odd, at least four zeros between two that are odd. */
function listDigits({ scalar, isNegative }: Half): number[] {
  const digits: number[] = [];
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    let digit = 0n;
    if ((rest & 1n) === 1n) {
      const low = rest & (DIGIT_SPAN - 1n);
      digit = low >= DIGIT_SPAN / 2n ? low - DIGIT_SPAN : low;
      rest -= digit;
    }
    digits.push(isNegative ? -Number(digit) : Number(digit));
  }
  return digits;
}
