import { GLYPH_GRID, glyphs } from './glyphs-data.ts';

/** A picture of one ink: how much of it each pixel has, 0 to 255, row by row from the top. */
export type Canvas = { width: number; height: number; ink: Uint8Array<ArrayBuffer> };

const FULL = 255;

/** @param width, height in pixels */
export const createCanvas = (width: number, height: number): Canvas => ({
  width,
  height,
  ink: new Uint8Array(width * height),
});

type Box = { x: number; y: number; width: number; height: number };

/** A bar of an even ink; what lies outside of the canvas is not drawn. */
export function fillBox(canvas: Canvas, { x, y, width, height }: Box, ink: number): void {
  const [left, right] = [Math.max(0, Math.round(x)), Math.min(canvas.width, Math.round(x + width))];
  for (let row = Math.max(0, Math.round(y)); row < Math.min(canvas.height, Math.round(y + height)); row += 1)
    if (left < right) canvas.ink.fill(ink, row * canvas.width + left, row * canvas.width + right);
}

/** Drawn in place of a letter that the table lacks. */
const UNKNOWN = '_';
const findGlyph = (letter: string): readonly [number, string] => glyphs[letter] ?? glyphs[UNKNOWN] ?? [0, ''];

/** Width of a text in pixels. @param size of a letter's square, in pixels */
export const measureText = (text: string, size: number): number =>
  Array.from(text).reduce((sum, letter) => sum + findGlyph(letter)[0], 0) * (size / GLYPH_GRID);

type TextPlace = {
  x: number;
  /** Of the line that the letters are on. */
  y: number;
  size: number;
  ink?: number;
};

/** One line of text, its letters smoothed. */
export function drawText(canvas: Canvas, text: string, { x, y, size, ink = FULL }: TextPlace): void {
  const scale = size / GLYPH_GRID;
  let left = x;
  for (const letter of text) {
    const [advance, outline] = findGlyph(letter);
    const start = left;
    const place = ({ x: right, y: up, on }: OutlinePoint): OutlinePoint => ({
      x: start + right * scale,
      y: y - up * scale,
      on,
    });
    const edges = readContours(outline).flatMap((contour) => listEdges(contour.map(place)));
    fillEdges(canvas, edges, ink);
    left += advance * scale;
  }
}

type Point = { x: number; y: number };
type OutlinePoint = Point & { on: boolean };
type Edge = readonly [Point, Point];

const readContours = (outline: string): readonly (readonly OutlinePoint[])[] =>
  outline === '' ? [] : outline.split(';').map((contour) => contour.split(',').map(readPoint));

function readPoint(text: string): OutlinePoint {
  const on = !text.startsWith('~');
  const [x = '0', y = '0'] = (on ? text : text.slice(1)).split(' ');
  return { x: Number(x), y: Number(y), on };
}

const computeMiddle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

/** Straight pieces of one curve: at 200 pixels they are shorter than the eye sees. */
const CURVE_STEPS = 6;

/** The straight edges of a closed contour. Two bends in a row have a point of the outline between them. */
function listEdges(contour: readonly OutlinePoint[]): readonly Edge[] {
  const points = contour.flatMap((point, index): readonly OutlinePoint[] => {
    const next = contour[(index + 1) % contour.length] ?? point;
    return point.on || next.on ? [point] : [point, { ...computeMiddle(point, next), on: true }];
  });
  const first = points.findIndex(({ on }) => on);
  const turned = [...points.slice(first), ...points.slice(0, first + 1)];
  const edges: Edge[] = [];
  let from = turned[0];
  for (let index = 1; index < turned.length && from; index += 1) {
    const point = turned[index];
    if (!point) break;
    const end = point.on ? point : (turned[++index] ?? point);
    edges.push(...(point.on ? [[from, end] as const] : splitCurve(from, point, end)));
    from = end;
  }
  return edges;
}

function splitCurve(from: Point, bend: Point, to: Point): readonly Edge[] {
  const at = (share: number): Point => {
    const [one, two] = [mergePoints(from, bend, share), mergePoints(bend, to, share)];
    return mergePoints(one, two, share);
  };
  return Array.from({ length: CURVE_STEPS }, (_, step) => [at(step / CURVE_STEPS), at((step + 1) / CURVE_STEPS)]);
}

const mergePoints = (one: Point, other: Point, share: number): Point => ({
  x: one.x + (other.x - one.x) * share,
  y: one.y + (other.y - one.y) * share,
});

/** Lines of each pixel row that are looked at, and so the steps of grey in the vertical. */
const SAMPLES = 5;

/** Fills what the edges enclose by the rule of winding, with as much ink as a pixel is covered. */
function fillEdges(canvas: Canvas, edges: readonly Edge[], ink: number): void {
  const points = edges.flat();
  const heights = points.map(({ y }) => y);
  const widths = points.map(({ x }) => x);
  const left = Math.max(0, Math.floor(Math.min(...widths)));
  const right = Math.min(canvas.width, Math.ceil(Math.max(...widths)));
  const bottom = Math.min(canvas.height, Math.ceil(Math.max(...heights)));
  const cover = new Float32Array(Math.max(0, right - left));
  for (let row = Math.max(0, Math.floor(Math.min(...heights))); row < bottom; row += 1) {
    cover.fill(0);
    for (let sample = 0; sample < SAMPLES; sample += 1) coverLine(cover, left, edges, row + (sample + 0.5) / SAMPLES);
    for (let column = 0; column < cover.length; column += 1) {
      const at = row * canvas.width + left + column;
      const share = Math.round(ink * Math.min(1, cover[column] ?? 0));
      if (share > (canvas.ink[at] ?? 0)) canvas.ink[at] = share;
    }
  }
}

/** Adds what one line through the shape covers of each pixel. */
function coverLine(cover: Float32Array, left: number, edges: readonly Edge[], y: number): void {
  const crossings = edges
    .filter(([one, other]) => one.y <= y !== other.y <= y)
    .map(([one, other]) => ({
      x: one.x + ((y - one.y) * (other.x - one.x)) / (other.y - one.y),
      turn: one.y < other.y ? 1 : -1,
    }))
    .toSorted((one, other) => one.x - other.x);
  let winding = 0;
  for (const [index, { x, turn }] of crossings.entries()) {
    winding += turn;
    const next = crossings[index + 1];
    if (winding !== 0 && next) coverSpan(cover, x - left, next.x - left);
  }
}

function coverSpan(cover: Float32Array, from: number, to: number): void {
  const last = Math.min(cover.length - 1, Math.floor(to));
  for (let column = Math.max(0, Math.floor(from)); column <= last; column += 1) {
    const part = Math.min(to, column + 1) - Math.max(from, column);
    if (part > 0) cover[column] = (cover[column] ?? 0) + part / SAMPLES;
  }
}
