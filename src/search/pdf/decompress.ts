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

const [CLEAR, END, FIRST_FREE] = [256, 257, 258];
const [MIN_BITS, MAX_BITS] = [9, 12];
const CODES = 2 ** MAX_BITS;

/**
 * The bytes of a stream of LZW (ISO 32000-1, 7.4.4), as far as it can be read and up to a limit.
 * @param early codes grow one code early, as they do by default
 */
export function decodeLzw(data: Uint8Array, early: boolean, limit: number): PdfBytes {
  const made = new PdfBytes(limit);
  const [before, last, lengths] = [new Uint16Array(CODES), new Uint8Array(CODES), new Uint16Array(CODES)];
  for (let byte = 0; byte < CLEAR; byte += 1) [last[byte], lengths[byte]] = [byte, 1];
  const codes = createCodeReader(data);
  let [bits, free, previous] = [MIN_BITS, FIRST_FREE, -1];
  for (;;) {
    const code = codes(bits);
    if (code === undefined || code === END || made.isCut) return made;
    if (code === CLEAR) {
      [bits, free, previous] = [MIN_BITS, FIRST_FREE, -1];
      continue;
    }
    const isKnown = code < free;
    if (code > free || (!isKnown && previous === -1)) made.giveUp(); // Nothing replaces it, and readers go on.
    if (made.isCut) return made;
    const length = isKnown ? (lengths[code] ?? 0) : (lengths[previous] ?? 0) + 1;
    const room = made.next(length);
    let at = isKnown ? code : previous;
    for (let place = isKnown ? length - 1 : length - 2; place >= 0; place -= 1) {
      if (place < room.length) room[place] = last[at] ?? 0;
      at = before[at] ?? 0;
    }
    const first = room[0] ?? 0;
    if (!isKnown && length - 1 < room.length) room[length - 1] = first;
    if (previous !== -1 && free < CODES) {
      [before[free], last[free], lengths[free]] = [previous, first, (lengths[previous] ?? 0) + 1];
      free += 1;
      if (free + (early ? 1 : 0) >= 2 ** bits) bits = Math.min(bits + 1, MAX_BITS);
    }
    previous = isKnown ? code : free - 1;
  }
}

/** Reads codes of so many bits, the highest first; undefined at the end. */
function createCodeReader(data: Uint8Array): (bits: number) => number | undefined {
  let [at, held, count] = [0, 0, 0];
  return (bits) => {
    while (count < bits) {
      const byte = data[at];
      if (byte === undefined) return undefined;
      [at, held, count] = [at + 1, ((held << 8) | byte) & 0xff_ff_ff, count + 8];
    }
    count -= bits;
    return (held >> count) & (2 ** bits - 1);
  };
}

const FIRST_BYTES = 4_096;

/** Bytes that a decoder makes, one after the other, up to a limit. */
export class PdfBytes {
  readonly #limit: number;
  #bytes = new Uint8Array(FIRST_BYTES);
  #size = 0;
  #isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** More was made than the limit: the rest is lost. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Ends what is made: readers differ in what comes now. */
  giveUp(): void {
    this.#isCut = true;
  }

  /** Room for so many more bytes, to be written at once; shorter where the limit is near. */
  next(count: number): Uint8Array<ArrayBuffer> {
    const taken = Math.min(count, this.#limit - this.#size);
    if (taken < count) this.#isCut = true;
    const end = this.#size + taken;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.min(this.#limit, Math.max(end, 2 * this.#bytes.length)));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    const room = this.#bytes.subarray(this.#size, end);
    this.#size = end;
    return room;
  }

  made(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size);
  }
}
