const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const MAX_HASH = 0xffffffff;

/**
 * Whether a value (of a field that differs from entry to entry, `insertId`) is in a sample: the same answer for the same
 * value and fraction, every time.
 * @param fraction more than 0, at most 1
 */
export const sample = (value: string, fraction: number): boolean => hash(value) / MAX_HASH <= fraction;

/** FNV-1a over UTF-16 units, then the last steps of MurmurHash3, so that ids that differ in one character are far apart. */
function hash(value: string): number {
  let state = OFFSET;
  for (let at = 0; at < value.length; at += 1) state = Math.imul(state ^ value.charCodeAt(at), PRIME);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
