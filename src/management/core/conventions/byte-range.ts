/** The part of some content that is asked for, both ends of it in it. */
export type ByteRange = { first: number; last: number };

/** One range of bytes: from a byte, between two, or so many at the end. Fifteen digits are exact. */
const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * What `Range` asks for of content of a size (RFC 9110, section 14.1.2). Undefined is all of it, as for several ranges and
 * what is no range: an answer may ignore both.
 */
export function readByteRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to, atEnd] = ONE_RANGE.exec(header?.trim() ?? '') ?? [];
  if (atEnd !== undefined)
    return cutRange(Math.max(0, size - Number(atEnd)), Number(atEnd) === 0 ? -1 : size - 1, size);
  if (from === undefined) return undefined;
  const last = to === undefined || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  const isBackwards = to !== undefined && to !== '' && Number(to) < Number(from);
  return isBackwards ? undefined : cutRange(Number(from), last, size);
}

const cutRange = (first: number, last: number, size: number): ByteRange | 'unsatisfiable' =>
  first < size && first <= last ? { first, last } : 'unsatisfiable';
