import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { drawReportCard } from '../../../src/capabilities/published/card.ts';
import type { FourScores } from '../../../src/capabilities/published/history.ts';

const WIDTH = 1200;
const HEIGHT = 630;
const MAX_BYTES = 100_000;
/** The row in the middle of the bars, and where each column begins. */
const BAR_ROW = 557;
const COLUMNS = [90, 350, 610, 870];

const score = (value: number) => ({ score: value, grade: 'C' as const });
const scores: FourScores = { aeo: score(91), geo: score(69), agent: score(0), mcp: score(100) };
const atMs = Date.UTC(2026, 10, 27);

/** The shades of a picture by row. */
async function draw(host: string, shown: FourScores): Promise<(row: number) => Buffer> {
  const png = Buffer.from(await drawReportCard(host, { scores: shown, atMs }));
  expect(png.length).toBeLessThan(MAX_BYTES);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([WIDTH, HEIGHT]);
  const at = png.indexOf('IDAT');
  const flat = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  return (row) => flat.subarray(row * (WIDTH + 1) + 1, (row + 1) * (WIDTH + 1));
}

const lengthOf = (row: Buffer, from: number): number => {
  const end = row.findIndex((ink, at) => at >= from && ink !== 255);
  return (end === -1 ? WIDTH : end) - from;
};

test('has a bar as long as each score, and none for a score that does not apply', async () => {
  const row = (await draw('shop.example', scores))(BAR_ROW);
  expect(COLUMNS.map((from) => lengthOf(row, from))).toEqual([182, 138, 0, 200]);
  const three = await draw('shop.example', { ...scores, geo: { score: 0, grade: 'F', applies: false } });
  expect(COLUMNS.map((from) => lengthOf(three(BAR_ROW), from))).toEqual([182, 0, 200, 0]);
  expect(three(BAR_ROW)[COLUMNS[3] ?? 0]).toBe(0);
});

test.each([
  ['an ordinary host', 'shop.example'],
  ['the longest host of the DNS', `${'a'.repeat(63)}.${'b'.repeat(63)}.${'w'.repeat(63)}.${'m'.repeat(55)}.example`],
  ['an address with a port', '[2001:db8:ffff:ffff:ffff:ffff:ffff:ffff]:65535'],
  ['a name in another script, as the DNS has it', 'xn--fiqs8s.xn--p1ai'],
])('%s stays inside of the margins', async (_what, host) => {
  const rowOf = await draw(host, scores);
  let inked = 0;
  for (let row = 180; row < 280; row += 1) {
    const ink = rowOf(row);
    inked += ink.filter((one) => one > 0).length;
    expect(ink.subarray(0, 80).every((one) => one === 0)).toBe(true);
    expect(ink.subarray(WIDTH - 80).every((one) => one === 0)).toBe(true);
  }
  expect(inked).toBeGreaterThan(1000);
});

test('is another picture for another host or another score, and the same for the same', async () => {
  const pictures = await Promise.all([
    drawReportCard('shop.example', { scores, atMs }),
    drawReportCard('shop.example', { scores, atMs }),
    drawReportCard('shop.test', { scores, atMs }),
    drawReportCard('shop.example', { scores: { ...scores, aeo: score(92) }, atMs }),
  ]);
  const [one, same, ...others] = pictures.map((bytes) => Buffer.from(bytes).toString('base64'));
  expect(same).toBe(one);
  for (const other of others) expect(other).not.toBe(one);
});
