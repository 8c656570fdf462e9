import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** 16 hex digits of the SHA-256 of a text. */
export const hashText = (text: string): string => bytesToHex(sha256(utf8ToBytes(text))).slice(0, 16);

const ROUND_1 = 2_654_435_761;
const ROUND_2 = 1_597_334_677;
/** Of 53 bits, the lower word takes 32. */
const WORD = 4_294_967_296;
const HIGH_BITS = 2_097_151;

/**
 * A 53-bit number that distinguishes texts: two multiplicative hashes side by side, as in MurmurHash3. For entity tags,
 * where SHA-256 would cost more than they are worth; no protection against forgery.
 */
export function hashNumber(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, ROUND_1);
    low = Math.imul(low ^ code, ROUND_2);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (high & HIGH_BITS) * WORD + (low >>> 0);
}
