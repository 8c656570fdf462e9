/** 32-bit words of an address; an IPv4 address is the last one. */
export const ADDRESS_WORDS = 4;

/** Longer text is no address: `0000:0000:0000:0000:0000:ffff:255.255.255.255`. */
const MAX_ADDRESS_CHARS = 45;
const MAX_GROUPS = 8;
const DOT = 46;
const COLON = 58;
const ZERO = 48;

/** Groups of the IPv6 address that is being read; reading never waits, so that one serves all. */
const groups = new Uint16Array(MAX_GROUPS);

/**
 * Reads an IP address into `words` without allocating: log files have hundreds of thousands a second. IPv4 is four
 * decimal numbers without leading zeros; IPv6 is any text form of RFC 4291, without brackets or a zone.
 * @returns the family, or 0 where the text is no address; the words are then undefined.
 */
export function readAddressWords(text: string, words: Uint32Array): 0 | 4 | 6 {
  if (text.length > MAX_ADDRESS_CHARS) return 0;
  const value = readDotted(text, 0);
  if (value >= 0) {
    words.fill(0, 0, ADDRESS_WORDS - 1);
    words[ADDRESS_WORDS - 1] = value;
    return 4;
  }
  if (!readGroups(text)) return 0;
  for (let word = 0; word < ADDRESS_WORDS; word += 1)
    words[word] = (groups[word * 2] ?? 0) * 0x1_0000 + (groups[word * 2 + 1] ?? 0);
  return 6;
}

/** The value of four decimal numbers from `start` to the end of the text, or -1. */
function readDotted(text: string, start: number): number {
  let value = 0;
  let number = -1;
  let parts = 1;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === DOT) {
      if (number < 0 || parts === 4) return -1;
      value = value * 256 + number;
      number = -1;
      parts += 1;
      continue;
    }
    const digit = code - ZERO;
    if (digit < 0 || digit > 9 || number === 0) return -1;
    number = number < 0 ? digit : number * 10 + digit;
    if (number > 255) return -1;
  }
  return number < 0 || parts !== 4 ? -1 : value * 256 + number;
}

/** Reads an IPv6 address into `groups`; false where it is none. */
function readGroups(text: string): boolean {
  let count = 0;
  let gap = -1;
  let index = 0;
  if (text.startsWith('::')) {
    gap = 0;
    index = 2;
  }
  while (index < text.length) {
    const start = index;
    let group = 0;
    let digit = readHexDigit(text.charCodeAt(index));
    while (digit >= 0 && index - start < 4) {
      group = group * 16 + digit;
      index += 1;
      digit = index < text.length ? readHexDigit(text.charCodeAt(index)) : -1;
    }
    if (index < text.length && text.charCodeAt(index) === DOT) {
      const tail = readDotted(text, start);
      if (tail < 0 || count > MAX_GROUPS - 2) return false;
      groups[count] = tail >>> 16;
      groups[count + 1] = tail & 0xffff;
      return placeGap(count + 2, gap);
    }
    if (index === start || count === MAX_GROUPS) return false;
    groups[count] = group;
    count += 1;
    if (index === text.length) break;
    if (text.charCodeAt(index) !== COLON) return false;
    index += 1;
    if (index === text.length) return false;
    if (text.charCodeAt(index) !== COLON) continue;
    if (gap >= 0) return false;
    gap = count;
    index += 1;
  }
  return placeGap(count, gap);
}

/** Moves what follows `::` to the end and fills the gap; `::` is at least one group. */
function placeGap(count: number, gap: number): boolean {
  if (gap < 0) return count === MAX_GROUPS;
  if (count >= MAX_GROUPS) return false;
  groups.copyWithin(MAX_GROUPS - (count - gap), gap, count);
  groups.fill(0, gap, MAX_GROUPS - (count - gap));
  return true;
}

function readHexDigit(code: number): number {
  if (code >= ZERO && code <= 57) return code - ZERO;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** An address as one number, for tables that are made once. */
export const joinAddressWords = (words: Uint32Array): bigint =>
  words.reduce((value, word) => (value << 32n) | BigInt(word), 0n);

/** The name under which DNS has the names of an address (RFC 1035, section 3.5, and RFC 3596, section 2.5); undefined for other text. */
export function formatReverseName(address: string): string | undefined {
  const words = new Uint32Array(ADDRESS_WORDS);
  const family = readAddressWords(address, words);
  if (family === 0) return undefined;
  if (family === 4) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
  const digits = joinAddressWords(words).toString(16).padStart(32, '0');
  return `${digits.split('').toReversed().join('.')}.ip6.arpa`;
}
