import { PdfBytes } from './bytes.ts';

const END = 128;

/** The bytes of a stream of run lengths (ISO 32000-1, 7.4.5), up to a limit. */
export function runLengthsDecoded(data: Uint8Array, limit: number): PdfBytes {
  const made = new PdfBytes(limit);
  for (let at = 0; at < data.length && !made.isCut;) {
    const length = data[at] ?? END;
    if (length === END) break;
    if (length < END) {
      const copied = data.subarray(at + 1, at + 2 + length);
      const room = made.next(copied.length);
      room.set(copied.subarray(0, room.length));
      at += 2 + length;
    } else {
      made.next(257 - length).fill(data[at + 1] ?? 0);
      at += 2;
    }
  }
  return made;
}
