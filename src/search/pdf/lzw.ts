import { PdfBytes } from './bytes.ts';

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
