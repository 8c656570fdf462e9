import type { Canvas } from './canvas.ts';

/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [number, number, number];

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const SHADES = 256;
/** Eight bits a pixel, each the place of a colour in the palette; no interlacing. */
const BIT_DEPTH = 8;
const PALETTE_TYPE = 3;

/**
 * A canvas as PNG: where there is no ink it has the colour of the ground, and shades of both in between.
 * @see https://www.w3.org/TR/png-3/
 */
export async function encodePng(canvas: Canvas, ground: Colour, ink: Colour): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = canvas;
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, BIT_DEPTH);
  header.setUint8(9, PALETTE_TYPE);
  const chunks = [
    buildChunk('IHDR', new Uint8Array(header.buffer)),
    buildChunk('PLTE', buildPalette(ground, ink)),
    buildChunk('IDAT', await compress(layRows(canvas))),
    buildChunk('IEND', new Uint8Array(0)),
  ];
  return joinBytes([new Uint8Array(SIGNATURE), ...chunks]);
}

function buildPalette(ground: Colour, ink: Colour): Uint8Array<ArrayBuffer> {
  const palette = new Uint8Array(3 * SHADES);
  for (let shade = 0; shade < SHADES; shade += 1)
    for (const part of [0, 1, 2] as const)
      palette[3 * shade + part] = Math.round(ground[part] + ((ink[part] - ground[part]) * shade) / (SHADES - 1));
  return palette;
}

/** Each row begins with its filter: 0, none. */
function layRows({ width, height, ink }: Canvas): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(ink.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return rows;
}

async function compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function buildChunk(type: string, data: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const chunk = new Uint8Array(data.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(data, 8);
  view.setUint32(data.length + 8, computeCrc(chunk.subarray(4, data.length + 8)));
  return chunk;
}

const CRC_POLYNOMIAL = 0xedb88320;
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? CRC_POLYNOMIAL ^ (value >>> 1) : value >>> 1;
  return value;
});

function computeCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function joinBytes(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
