import { inflateSync, crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { createCanvas, drawText, fillBox, measureText } from '../../../src/report/picture/canvas.ts';
import { encodePng } from '../../../src/report/picture/png.ts';

const GROUND = [10, 74, 148] as const;
const INK = [255, 255, 255] as const;

type Chunk = { type: string; data: Buffer };

/** The chunks of a PNG file, each judged by its checksum. */
function chunksOf(png: Uint8Array): Chunk[] {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  const chunks: Chunk[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, at + 8 + length);
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    at += length + 12;
  }
  return chunks;
}

/** Shades of the pixels, row by row. */
function pixelsOf(png: Uint8Array): { width: number; height: number; rows: Buffer[]; palette: Buffer } {
  const chunks = chunksOf(png);
  expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  const [header, palette, image] = chunks;
  if (!header || !palette || !image) throw new Error('three chunks');
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  expect([...header.data.subarray(8)]).toEqual([8, 3, 0, 0, 0]);
  const flat = inflateSync(image.data);
  expect(flat).toHaveLength((width + 1) * height);
  const rows = Array.from({ length: height }, (_, row) => {
    expect(flat[row * (width + 1)]).toBe(0);
    return flat.subarray(row * (width + 1) + 1, (row + 1) * (width + 1));
  });
  return { width, height, rows, palette: palette.data };
}

test('a canvas becomes a PNG whose every pixel is what was drawn', async () => {
  const canvas = createCanvas(40, 20);
  fillBox(canvas, { x: 5, y: 3, width: 10, height: 4 }, 128);
  fillBox(canvas, { x: 35, y: -5, width: 100, height: 8 }, 255);
  const { width, height, rows, palette } = pixelsOf(await encodePng(canvas, GROUND, INK));
  expect({ width, height }).toEqual({ width: 40, height: 20 });
  expect(Buffer.concat(rows).equals(Buffer.from(canvas.ink))).toBe(true);
  expect([...palette.subarray(0, 3)]).toEqual([...GROUND]);
  expect([...palette.subarray(-3)]).toEqual([...INK]);
  const drawn = rows.flatMap((row, y) => [...row].flatMap((ink, x) => (ink === 128 ? [`${x},${y}`] : [])));
  expect(drawn).toHaveLength(40);
  expect([drawn[0], drawn.at(-1)]).toEqual(['5,3', '14,6']);
  expect([...canvas.ink].filter((ink) => ink === 255)).toHaveLength(5 * 3);
});

/** How much ink is in a part of a canvas. */
const inkIn = (canvas: ReturnType<typeof createCanvas>, from: number, to: number): number =>
  [...canvas.ink]
    .filter((_, at) => at % canvas.width >= from && at % canvas.width < to)
    .reduce((sum, ink) => sum + ink, 0);

test('letters are drawn inside of their width, with holes and smooth edges; an unknown one is drawn as another', () => {
  const canvas = createCanvas(300, 120);
  drawText(canvas, '0', { x: 20, y: 100, size: 100 });
  const width = measureText('0', 100);
  expect(width).toBeGreaterThan(50);
  expect(inkIn(canvas, 0, 20) + inkIn(canvas, Math.ceil(20 + width), 300)).toBe(0);
  const middle = canvas.ink[65 * 300 + Math.round(20 + width / 2)];
  expect(middle).toBe(0);
  expect(inkIn(canvas, 20, Math.round(20 + width / 3))).toBeGreaterThan(255 * 500);
  expect([...canvas.ink].some((ink) => ink > 0 && ink < 255)).toBe(true);
  const other = createCanvas(300, 120);
  drawText(other, '漢', { x: 20, y: 80, size: 100 });
  expect(inkIn(other, 0, 300)).toBeGreaterThan(0);
  expect(measureText('', 100)).toBe(0);
});

test('what lies outside of the canvas is cut', () => {
  const canvas = createCanvas(10, 10);
  drawText(canvas, 'WWW', { x: -30, y: 40, size: 80 });
  expect(canvas.ink).toHaveLength(100);
  expect(inkIn(canvas, 0, 10)).toBeGreaterThan(0);
});
