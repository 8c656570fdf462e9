import { deflateSync } from 'node:zlib';

/** A way to write a stream: its filter, the parameters of that, and the data that the filter makes the text of. */
export type Encoded = { data: Buffer; parameters: string };
export type Encoder = { names: readonly string[]; encode: (data: Buffer, random: () => number) => Encoded };

const COLUMNS = 40;
const [CLEAR, END, FIRST_FREE] = [256, 257, 258];
const [MIN_BITS, MAX_BITS] = [9, 12];

/** Every filter that text can be written with. Each encoder is the simplest one that makes full use of its filter. */
export const encoders: Readonly<Record<string, Encoder>> = {
  flate: { names: ['FlateDecode', 'Fl'], encode: (data) => ({ data: deflateSync(data), parameters: '' }) },
  'flate with rows of PNG': {
    names: ['FlateDecode', 'Fl'],
    encode: (data, random) => ({ data: deflateSync(pngRows(data, random)), parameters: PNG }),
  },
  'flate with rows of TIFF': {
    names: ['FlateDecode', 'Fl'],
    encode: (data) => ({ data: deflateSync(tiffRows(data)), parameters: `/Predictor 2 /Columns ${COLUMNS}` }),
  },
  lzw: { names: ['LZWDecode', 'LZW'], encode: (data) => ({ data: lzw(data, true), parameters: '' }) },
  'lzw without early change': {
    names: ['LZWDecode', 'LZW'],
    encode: (data) => ({ data: lzw(data, false), parameters: '/EarlyChange 0' }),
  },
  'lzw with rows of PNG': {
    names: ['LZWDecode', 'LZW'],
    encode: (data, random) => ({ data: lzw(pngRows(data, random), true), parameters: PNG }),
  },
  'run lengths': { names: ['RunLengthDecode', 'RL'], encode: (data) => ({ data: runLengths(data), parameters: '' }) },
  hex: {
    names: ['ASCIIHexDecode', 'AHx'],
    encode: (data) => ({ data: Buffer.from(`${data.toString('hex')}>`), parameters: '' }),
  },
  'base 85': { names: ['ASCII85Decode', 'A85'], encode: (data) => ({ data: base85(data), parameters: '' }) },
};

const PNG = `/Predictor 12 /Columns ${COLUMNS}`;

/** The last row is filled up with blanks, as the text of a page may be. */
function rowsOf(data: Buffer): Buffer[] {
  const whole = Buffer.concat([data, Buffer.alloc((COLUMNS - (data.length % COLUMNS)) % COLUMNS, ' ')]);
  return Array.from({ length: whole.length / COLUMNS }, (_, row) => whole.subarray(row * COLUMNS, (row + 1) * COLUMNS));
}

function pngRows(data: Buffer, random: () => number): Buffer {
  let above: Buffer = Buffer.alloc(COLUMNS);
  return Buffer.concat(
    rowsOf(data).map((row) => {
      const way = Math.floor(random() * 5);
      const written = Buffer.alloc(COLUMNS + 1, way);
      for (let at = 0; at < COLUMNS; at += 1) {
        const [left, up, upLeft] = [row[at - 1] ?? 0, above[at] ?? 0, above[at - 1] ?? 0];
        const guesses = [0, left, up, Math.floor((left + up) / 2), paeth(left, up, upLeft)];
        written[at + 1] = (row[at] ?? 0) - (guesses[way] ?? 0);
      }
      above = row;
      return written;
    }),
  );
}

function paeth(left: number, up: number, upLeft: number): number {
  const nearest = [left, up, upLeft].map((value) => Math.abs(left + up - upLeft - value));
  return [left, up, upLeft][nearest.indexOf(Math.min(...nearest))] ?? 0;
}

const tiffRows = (data: Buffer): Buffer =>
  Buffer.concat(rowsOf(data).map((row) => Buffer.from(row.map((byte, at) => byte - (row[at - 1] ?? 0)))));

function lzw(data: Buffer, early: boolean): Buffer {
  let written = '';
  const put = (code: number, bits: number): void => void (written += code.toString(2).padStart(bits, '0'));
  let table = new Map<string, number>();
  let bits = MIN_BITS;
  put(CLEAR, bits);
  let known = '';
  const codeOf = (text: string): number => (text.length === 1 ? text.charCodeAt(0) : (table.get(text) ?? -1));
  for (const char of data.toString('latin1')) {
    if (known === '' || table.has(known + char)) {
      known += char;
      continue;
    }
    put(codeOf(known), bits);
    table.set(known + char, FIRST_FREE + table.size);
    const free = FIRST_FREE + table.size - 1; // The reader is one behind.
    if (free + (early ? 1 : 0) >= 2 ** bits) bits += 1;
    known = char;
    if (bits <= MAX_BITS && free < 2 ** MAX_BITS - 3) continue;
    put(codeOf(known), Math.min(bits, MAX_BITS));
    known = '';
    put(CLEAR, Math.min(bits, MAX_BITS));
    [table, bits] = [new Map(), MIN_BITS];
  }
  if (known !== '') put(codeOf(known), bits);
  const free = FIRST_FREE + table.size;
  if (known !== '' && free + (early ? 1 : 0) >= 2 ** bits) bits += 1;
  put(END, bits);
  return fromBits(written);
}

function fromBits(bits: string): Buffer {
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

/** LZW that makes as much as it can of little: blanks, more than 7 million for each of so many tables. */
export function lzwOfBlanks(tables: number): Buffer {
  let written = '';
  for (let table = 0; table < tables; table += 1) {
    let bits = MIN_BITS;
    const put = (code: number): void => void (written += code.toString(2).padStart(bits, '0'));
    if (table > 0) bits = MAX_BITS;
    put(CLEAR);
    bits = MIN_BITS;
    put(' '.charCodeAt(0));
    // Each code is the one that it makes itself: what came last and its first byte once more.
    for (let code = FIRST_FREE; code < 2 ** MAX_BITS - 2; code += 1) {
      put(code);
      if (code + 2 >= 2 ** bits) bits = Math.min(bits + 1, MAX_BITS);
    }
  }
  return fromBits(written);
}

function runLengths(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length;) {
    let run = 1;
    while (run < 128 && data[at + run] === data[at]) run += 1;
    if (run > 1) parts.push(Buffer.of(257 - run, data[at] ?? 0));
    else parts.push(Buffer.of(0, data[at] ?? 0));
    at += run;
  }
  return Buffer.concat([...parts, Buffer.of(128)]);
}

function base85(data: Buffer): Buffer {
  let written = '';
  for (let at = 0; at < data.length; at += 4) {
    const group = data.subarray(at, at + 4);
    let value = Buffer.concat([group, Buffer.alloc(4 - group.length)]).readUInt32BE();
    let digits = '';
    for (let digit = 0; digit < 5; digit += 1) {
      digits = String.fromCharCode(33 + (value % 85)) + digits;
      value = Math.floor(value / 85);
    }
    written += digits.slice(0, group.length + 1);
  }
  return Buffer.from(`${written}~>`);
}
