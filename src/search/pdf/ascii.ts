const [ZERO, NINE, LOWER_A, LOWER_F, BANG, LETTER_U, LETTER_Z] = [0x30, 0x39, 0x61, 0x66, 0x21, 0x75, 0x7a];
/** Marks the end of the one; the other has it as a pair of hexadecimal digits would never be. */
const [GREATER, TILDE] = [0x3e, 0x7e];

function digitOf(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const lower = byte | 0x20;
  return lower >= LOWER_A && lower <= LOWER_F ? lower - LOWER_A + 10 : -1;
}

/** The bytes of a stream that is written in hexadecimal (ISO 32000-1, 7.4.2). */
export function fromHex(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil(text.length / 2));
  let digits = 0;
  for (const byte of text) {
    if (byte === GREATER) break;
    const digit = digitOf(byte);
    if (digit < 0) continue;
    bytes[digits >> 1] = (bytes[digits >> 1] ?? 0) | (digits % 2 === 0 ? digit << 4 : digit);
    digits += 1;
  }
  return bytes.subarray(0, Math.ceil(digits / 2));
}

const BLANKS = new Set([9, 10, 13, 0x20]);

/** The bytes of a stream that is written in base 85 (ISO 32000-1, 7.4.3). Undefined for bytes that readers take for other digits. */
export function from85(text: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
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
