const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = 58n;
/** Longest text that is read: the reading takes the square of its length. A signature of 64 bytes has 88 at most. */
const MAX_CHARS = 128;

/** Bytes in base58, as Bitcoin and Solana write them: each leading zero byte is a `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  let number = 0n;
  for (const byte of bytes) number = number * 256n + BigInt(byte);
  let digits = '';
  for (; number > 0n; number /= BASE) digits = (ALPHABET[Number(number % BASE)] ?? '') + digits;
  const first = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(first === -1 ? bytes.length : first) + digits;
}

/** The bytes of a base58 text; undefined where it is none, or has not so many. */
export function decodeBase58(text: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > MAX_CHARS) return undefined;
  let number = 0n;
  for (const char of text) {
    const digit = ALPHABET.indexOf(char);
    if (digit === -1) return undefined;
    number = number * BASE + BigInt(digit);
  }
  const bytes = new Uint8Array(length);
  for (let at = length - 1; at >= 0; at -= 1, number /= 256n) bytes[at] = Number(number % 256n);
  return number === 0n && encodeBase58(bytes) === text ? bytes : undefined;
}
