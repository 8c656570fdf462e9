import { inflateAtMost } from '../../net/inflate.ts';

/** Read at once. */
const STEP_BYTES = 4_096;
/** The same where data is likely to have ended: it shows whether it has. */
const TAIL_BYTES = 32;
/** DEFLATE makes at most so many bytes of one. */
const MOST = 1_032;

/** Whether this is a Worker. */
const FORGETS = (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent === 'Cloudflare-Workers';

/** Bytes that the streams of one file may still come to; below 0 it is too large. */
export type Budget = { left: number };

/**
 * What data inflates to, if it begins as DEFLATE's does (zlib: RFC 1950), taken from a budget.
 * @param first where it is likely to end
 * @returns undefined for other data
 */
export async function inflateData(
  data: Uint8Array<ArrayBuffer>,
  first: number,
  budget: Budget,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!isDeflated(data)) return undefined;
  const feeding = { failsWith: 0 };
  const { bytes, end } = await inflateAtMost(
    inflateInSteps(data, trimTrailingSpace(data, first), budget, feeding),
    'deflate',
    budget.left,
  );
  if (end === 'busy') throw new Error('too many inflate at once'); // This says nothing about the file: the caller may retry.
  budget.left -= bytes.length + (end === 'broken' ? feeding.failsWith * MOST : 0);
  if (end === 'cut') budget.left = -1;
  return bytes;
}

/**
 * Cuts data into steps for the decoder. A Worker forgets what a step made that fails, so one that fails with data in it counts
 * for as much as it can have made: `failsWith` is its size, 0 where data has most likely ended before it. Node forgets little,
 * and may be a step further when it says so: there, what is behind the likely end counts nothing.
 */
function* inflateInSteps(
  data: Uint8Array<ArrayBuffer>,
  first: number,
  budget: Budget,
  feeding: { failsWith: number },
): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < data.length && budget.left >= 0;) {
    const isBehind = at >= first;
    const step = at === first ? TAIL_BYTES : STEP_BYTES;
    const next = data.subarray(at, Math.min(at + step, isBehind ? data.length : first));
    if (isBehind) budget.left -= next.length; // Up to there it is counted already.
    feeding.failsWith = at === first || (isBehind && !FORGETS) ? 0 : next.length;
    yield next;
    at += next.length;
  }
  feeding.failsWith = 0;
}

/** Where data ends without trailing white space. */
function trimTrailingSpace(data: Uint8Array, end: number): number {
  let at = Math.min(end, data.length);
  while (at > 0 && (data[at - 1] ?? 0) <= 0x20) at -= 1;
  return at;
}

const isDeflated = ([method = 0, check = 0]: Uint8Array): boolean =>
  method % 16 === 8 && (method * 256 + check) % 31 === 0;
