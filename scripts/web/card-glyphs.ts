/**
 * Writes the outlines of the letters on pictures of reports from a TrueType font with quadratic outlines:
 * `node scripts/web/card-glyphs.ts node_modules/dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -.,:/[]_%…';
/** Units of a letter's square in the table: fine enough for letters of 200 pixels. */
const GRID = 1024;
const OUT = join(import.meta.dirname, '..', '..', 'src', 'report', 'picture', 'glyphs-data.ts');

const bytes = readFileSync(process.argv[2] ?? '');
const font = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const tables = new Map<string, number>();
for (let at = 12; at < 12 + 16 * font.getUint16(4); at += 16)
  tables.set(bytes.toString('latin1', at, at + 4), font.getUint32(at + 8));
const find = (name: string): number => {
  const at = tables.get(name);
  if (at === undefined) throw new Error(`the font has no table ${name}`);
  return at;
};

const unitsPerEm = font.getUint16(find('head') + 18);
const hasLongOffsets = font.getInt16(find('head') + 50) === 1;
const advances = font.getUint16(find('hhea') + 34);
const scale = (units: number): number => Math.round((units * GRID) / unitsPerEm);

/** The glyph of a character by the table of format 4. */
function findGlyph(code: number): number {
  const cmap = find('cmap');
  for (let at = cmap + 4; at < cmap + 4 + 8 * font.getUint16(cmap + 2); at += 8) {
    const table = cmap + font.getUint32(at + 4);
    if (font.getUint16(table) !== 4) continue;
    const doubled = font.getUint16(table + 6);
    for (let segment = 0; segment < doubled; segment += 2) {
      if (code > font.getUint16(table + 14 + segment)) continue;
      const starts = table + 16 + doubled + segment;
      if (code < font.getUint16(starts)) return 0;
      const ranges = starts + 2 * doubled;
      const range = font.getUint16(ranges);
      const delta = font.getUint16(starts + doubled);
      if (range === 0) return (code + delta) & 0xffff;
      const glyph = font.getUint16(ranges + range + 2 * (code - font.getUint16(starts)));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
  }
  throw new Error('the font has no table of characters of format 4');
}

type Point = { x: number; y: number; on: boolean };

const locate = (glyph: number): number =>
  hasLongOffsets ? font.getUint32(find('loca') + 4 * glyph) : 2 * font.getUint16(find('loca') + 2 * glyph);

function readContours(glyph: number): Point[][] {
  const from = find('glyf') + locate(glyph);
  if (locate(glyph) === locate(glyph + 1)) return [];
  const count = font.getInt16(from);
  if (count < 0) return readComposite(from + 10);
  const ends = Array.from({ length: count }, (_, index) => font.getUint16(from + 10 + 2 * index));
  const points = (ends.at(-1) ?? -1) + 1;
  let at = from + 10 + 2 * count;
  at += 2 + font.getUint16(at);
  const flags: number[] = [];
  while (flags.length < points) {
    const flag = font.getUint8(at++);
    const times = (flag & 8) === 0 ? 1 : 1 + font.getUint8(at++);
    for (let time = 0; time < times; time += 1) flags.push(flag);
  }
  const readAxis = (short: number, same: number): number[] => {
    let value = 0;
    return flags.map((flag) => {
      if ((flag & short) !== 0) value += (flag & same) === 0 ? -font.getUint8(at++) : font.getUint8(at++);
      else if ((flag & same) === 0) {
        value += font.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = readAxis(2, 16);
  const ys = readAxis(4, 32);
  const all = flags.map((flag, index) => ({ x: xs[index] ?? 0, y: ys[index] ?? 0, on: (flag & 1) === 1 }));
  return ends.map((end, index) => all.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end + 1));
}

/** Glyphs that others make up, moved and not turned. */
function readComposite(start: number): Point[][] {
  const contours: Point[][] = [];
  let at = start;
  for (;;) {
    const flags = font.getUint16(at);
    const glyph = font.getUint16(at + 2);
    const isWide = (flags & 1) !== 0;
    const dx = isWide ? font.getInt16(at + 4) : font.getInt8(at + 4);
    const dy = isWide ? font.getInt16(at + 6) : font.getInt8(at + 5);
    for (const contour of readContours(glyph))
      contours.push(contour.map(({ x, y, on }) => ({ x: x + dx, y: y + dy, on })));
    at += isWide ? 8 : 6;
    if ((flags & 32) === 0) return contours;
  }
}

const rows = [...new Set(LETTERS)].map((letter) => {
  const glyph = findGlyph(letter.codePointAt(0) ?? 0);
  const advance = scale(font.getUint16(find('hmtx') + 4 * Math.min(glyph, advances - 1)));
  const contours = readContours(glyph).map((contour) =>
    contour.map(({ x, y, on }) => `${on ? '' : '~'}${scale(x)} ${scale(y)}`).join(','),
  );
  const name = letter === "'" ? `"'"` : `'${letter}'`;
  return `  ${/^[A-Za-z_]$/.test(letter) ? letter : name}: [${advance}, '${contours.join(';')}'],`;
});

writeFileSync(
  OUT,
  `/**
 * Letters of DejaVu Sans Bold, ${GRID} units to a letter's square: how far the next one is, and the outline. Contours are
 * parted by \`;\`, points by \`,\`; those with \`~\` bend a curve (quadratic). Written by \`scripts/web/card-glyphs.ts\`.
 *
 * The outlines are from Bitstream Vera, Copyright (c) 2003 by Bitstream, Inc. All Rights Reserved, whose licence allows
 * embedding; changes of DejaVu are in the public domain.
 */
export const GLYPH_GRID = ${GRID};
export const glyphs: Readonly<Record<string, readonly [advance: number, outline: string]>> = {
${rows.join('\n')}
};
`,
);
