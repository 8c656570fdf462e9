import { PdfBytes, type Budget, inflateData, decodeLzw } from './decompress.ts';
import type { Chain, FilterStep } from './filters.ts';
import { undoPredictor } from './predictor.ts';

const [ZERO, NINE, LOWER_A, LOWER_F, BANG, LETTER_U, LETTER_Z] = [0x30, 0x39, 0x61, 0x66, 0x21, 0x75, 0x7a];
/** Marks the end of the one; the other has it as a pair of hexadecimal digits would never be. */
const [GREATER, TILDE] = [0x3e, 0x7e];

function parseHexDigit(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const lower = byte | 0x20;
  return lower >= LOWER_A && lower <= LOWER_F ? lower - LOWER_A + 10 : -1;
}

/** The bytes of a stream that is written in hexadecimal (ISO 32000-1, 7.4.2). */
function fromHex(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil(text.length / 2));
  let digits = 0;
  for (const byte of text) {
    if (byte === GREATER) break;
    const digit = parseHexDigit(byte);
    if (digit < 0) continue;
    bytes[digits >> 1] = (bytes[digits >> 1] ?? 0) | (digits % 2 === 0 ? digit << 4 : digit);
    digits += 1;
  }
  return bytes.subarray(0, Math.ceil(digits / 2));
}

const BLANKS = new Set([9, 10, 13, 0x20]);

/** The bytes of a stream that is written in base 85 (ISO 32000-1, 7.4.3). Undefined for bytes that readers take for other digits. */
function from85(text: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(4 * text.length + 4);
  const view = new DataView(bytes.buffer);
  let [end, value, digits] = [0, 0, 0];
  for (const byte of text) {
    if (byte === TILDE) break;
    if (BLANKS.has(byte)) continue;
    const isZeros = byte === LETTER_Z && digits === 0;
    if (!isZeros && (byte < BANG || byte > LETTER_U)) return undefined;
    if (isZeros) {
      end += 4;
      continue;
    }
    value = value * 85 + byte - BANG;
    digits += 1;
    if (digits < 5) continue;
    view.setUint32(end, value >>> 0);
    [end, value, digits] = [end + 4, 0, 0];
  }
  if (digits < 2) return bytes.subarray(0, end);
  for (let missing = digits; missing < 5; missing += 1) value = value * 85 + 84;
  view.setUint32(end, value >>> 0);
  return bytes.subarray(0, end + digits - 1);
}

const END = 128;

/** The bytes of a stream of run lengths (ISO 32000-1, 7.4.5), up to a limit. */
function runLengthsDecoded(data: Uint8Array, limit: number): PdfBytes {
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

/**
 * What the filters of a stream make of its data. All that they make on the way is taken from the budget.
 * @param known what the data inflates to, if that was found out already
 * @returns undefined where it comes to more than the budget
 */
export async function decodeStreamData(
  data: Uint8Array<ArrayBuffer>,
  chain: Chain,
  budget: Budget,
  known: Uint8Array<ArrayBuffer> | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let made = data;
  for (const [index, step] of chain.entries()) {
    made = index === 0 && step.does === 'inflate' && known ? known : await applyFilterStep(made, step, budget);
    if (budget.left < 0) return undefined;
  }
  return made;
}

async function applyFilterStep(
  data: Uint8Array<ArrayBuffer>,
  step: FilterStep,
  budget: Budget,
): Promise<Uint8Array<ArrayBuffer>> {
  switch (step.does) {
    case 'inflate':
      return (await inflateData(data, data.length, budget)) ?? new Uint8Array(); // A reader takes nothing else.
    case 'lzw':
      return checkBudget(decodeLzw(data, step.early, Math.max(0, budget.left)), budget);
    case 'run-lengths':
      return checkBudget(runLengthsDecoded(data, Math.max(0, budget.left)), budget);
    case 'hex':
      return countDecoded(fromHex(data), budget);
    case 'base-85':
      return countDecoded(from85(data), budget);
    case 'predict':
      return countDecoded(undoPredictor(data, step.predictor), budget);
    case 'picture':
      throw new TypeError('pictures are not decoded');
  }
}

function checkBudget(made: PdfBytes, budget: Budget): Uint8Array<ArrayBuffer> {
  const bytes = countDecoded(made.made(), budget);
  if (made.isCut) budget.left = -1;
  return bytes;
}

function countDecoded(bytes: Uint8Array<ArrayBuffer> | undefined, budget: Budget): Uint8Array<ArrayBuffer> {
  budget.left = bytes === undefined ? -1 : budget.left - bytes.length;
  return bytes ?? new Uint8Array();
}
