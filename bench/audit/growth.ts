import { type Aim, atMost, round } from '../aims.ts';
import { hostilePages } from './hostile-pages.ts';
import { judge, onePage, ORIGIN, record, timed } from './in-memory.ts';
import { mixedPage } from './mixed-page.ts';

/** CPU of the whole engine (reading from memory and judging), the least of its runs: what a machine adds is never negative. */
type SizeMs = { bytes: number; ms: number };
type ShapeMs = { shape: string; bytes: number; ms: number; msPer100Kb: number };
export type Growth = { sizes: readonly SizeMs[]; exponent: number; shapes: readonly ShapeMs[] };

const SIZES = [
  { bytes: 10_000, runs: 20 },
  { bytes: 100_000, runs: 20 },
  { bytes: 1_000_000, runs: 6 },
  { bytes: 5_000_000, runs: 4 },
] as const;
/** Below this the same for every page weighs more than the page. */
const EXPONENT_FROM_BYTES = 100_000;
const MAX_EXPONENT = 1.15;
const SHAPE_RUNS = 2;

export async function measureGrowth(): Promise<Growth> {
  const sizes: SizeMs[] = [];
  for (const { bytes, runs } of SIZES) sizes.push({ bytes, ms: await leastCpuMs(mixedPage(ORIGIN, bytes), runs) });
  const shapes: ShapeMs[] = [];
  for (const { shape, html } of hostilePages) {
    const body = html();
    const bytes = Buffer.byteLength(body);
    const ms = await leastCpuMs(body, SHAPE_RUNS);
    shapes.push({ shape, bytes, ms, msPer100Kb: (ms * 100_000) / bytes });
  }
  return { sizes, exponent: slope(sizes.filter(({ bytes }) => bytes >= EXPONENT_FROM_BYTES)), shapes };
}

export function growthLines({ sizes, exponent, shapes }: Growth): string[] {
  const worst = shapes.toSorted((a, b) => b.msPer100Kb - a.msPer100Kb);
  return [
    `growth, reading and judging, CPU: ${sizes.map(({ bytes, ms }) => `${bytes / 1000} KB ${round(ms)} ms`).join(', ')}; exponent ${round(exponent)}`,
    `hostile shapes, CPU per 100 KB: ${worst.map(({ shape, msPer100Kb, ms }) => `${shape} ${round(msPer100Kb)} ms (${round(ms)} in all)`).join(', ')}`,
  ];
}

export const growthAims = ({ exponent }: Growth): Aim[] => [
  atMost('growth of CPU with the size of a page, exponent from 100 KB to 5 MB', exponent, MAX_EXPONENT, ''),
];

async function leastCpuMs(body: string, runs: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const site = onePage(`${body}<!-- ${run} -->`); // Bytes that were not seen before: nothing is reused.
    times.push((await timed(async () => judge(await record(site)))).cpuMs);
  }
  return Math.min(...times);
}

/** Slope of the least-squares line through the logarithms: 1 when time grows as size does, 2 when by its square. */
function slope(points: readonly SizeMs[]): number {
  const logs = points.map(({ bytes, ms }) => ({ x: Math.log(bytes), y: Math.log(ms) }));
  const mean = (of: (log: { x: number; y: number }) => number): number =>
    logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
  const [x, y] = [mean((log) => log.x), mean((log) => log.y)];
  return mean((log) => (log.x - x) * (log.y - y)) / mean((log) => (log.x - x) ** 2);
}
