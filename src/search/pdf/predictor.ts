import { PdfBytes } from './decompress.ts';

/** How the rows of a stream were written before it was compressed (ISO 32000-1, 7.4.4.4). Sizes in bytes. */
export type Predictor = {
  kind: 'png' | 'tiff';
  rowBytes: number;
  /** Of one pixel: so far back is the value that a byte is compared with. */
  pixelBytes: number;
};

/** The bytes that rows with a predictor encode. */
export const undoPredictor = (data: Uint8Array, predictor: Predictor): Uint8Array<ArrayBuffer> =>
  predictor.kind === 'png' ? fromPng(data, predictor) : fromTiff(data, predictor);

/** Each row has a byte before it that says by which of five ways its bytes were written. */
function fromPng(data: Uint8Array, { rowBytes, pixelBytes }: Predictor): Uint8Array<ArrayBuffer> {
  const rows = Math.ceil(data.length / (rowBytes + 1));
  const made = new PdfBytes(rows * rowBytes);
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let at = 0; at < data.length; at += rowBytes + 1) {
    const predict = WAYS[data[at] ?? 0];
    if (predict === undefined) break; // No reader goes on.
    const row = made.next(rowBytes);
    const there = Math.min(rowBytes, data.length - at - 1); // Behind the end of the last row nothing is predicted.
    for (let place = 0; place < there; place += 1) {
      const left = row[place - pixelBytes] ?? 0;
      const up = above[place] ?? 0;
      row[place] = (data[at + 1 + place] ?? 0) + predict(left, up, above[place - pixelBytes] ?? 0);
    }
    above = row.slice();
  }
  return made.made();
}

type Way = (left: number, up: number, upLeft: number) => number;
const WAYS: readonly Way[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, upLeft) => {
    const guess = left + up - upLeft;
    const [byLeft, byUp, byBoth] = [left, up, upLeft].map((value) => Math.abs(guess - value)) as [
      number,
      number,
      number,
    ];
    if (byLeft <= byUp && byLeft <= byBoth) return left;
    return byUp <= byBoth ? up : upLeft;
  },
];

/** Each byte is the difference to the same one of the pixel before it. */
function fromTiff(data: Uint8Array, { rowBytes, pixelBytes }: Predictor): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(data);
  for (let start = 0; start < made.length; start += rowBytes) {
    const row = made.subarray(start, start + rowBytes);
    for (let place = pixelBytes; place < row.length; place += 1)
      row[place] = (row[place] ?? 0) + (row[place - pixelBytes] ?? 0);
  }
  return made;
}
