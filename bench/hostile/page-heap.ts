import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Aim, atMost } from '../aims.ts';
import { allShapes } from './pages.ts';

/** The least old space in MiB, of those tried, that a page can be read and judged with; undefined: the largest was too small. */
export type ShapeHeap = { shape: string; mib: number | undefined };

const SIZES_MIB = [24, 32, 48, 64, 80, 96, 128, 192, 256, 512] as const;
const LIMIT_MIB = 96;
const TIMEOUT_MS = 120_000;
const child = new URL('heap-child.ts', import.meta.url).pathname;
const run = promisify(execFile);

/** Tries each page in processes with less and less heap: V8 ends one that needs more. */
export async function measurePageHeaps(say: (line: string) => void): Promise<readonly ShapeHeap[]> {
  const heaps: ShapeHeap[] = [];
  for (const shape of allShapes) {
    const mib = await leastHeap(shape);
    heaps.push({ shape, mib });
    say(`heap for a page of ${shape}: ${mib ?? `more than ${SIZES_MIB.at(-1)}`} MiB`);
  }
  return heaps;
}

async function leastHeap(shape: string): Promise<number | undefined> {
  let low = 0;
  let high: number = SIZES_MIB.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await suffices(shape, SIZES_MIB[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return SIZES_MIB[low];
}

async function suffices(shape: string, mib: number): Promise<boolean> {
  try {
    await run(process.execPath, [`--max-old-space-size=${mib}`, child, shape], { timeout: TIMEOUT_MS });
    return true;
  } catch (error) {
    // V8 aborts when its heap is full; anything else is a fault of the figure.
    const isAborted = error instanceof Error && 'signal' in error && error.signal === 'SIGABRT';
    const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    if (isAborted || text.includes('heap out of memory') || text.includes('heap limit')) return false;
    throw error;
  }
}

export function heapAims(heaps: readonly ShapeHeap[]): Aim[] {
  const beyond = (SIZES_MIB.at(-1) ?? 0) * 2;
  const worst = heaps.toSorted((a, b) => (b.mib ?? beyond) - (a.mib ?? beyond))[0];
  return worst === undefined
    ? []
    : [atMost(`heap for the worst page of 5 MiB (${worst.shape})`, worst.mib ?? beyond, LIMIT_MIB, 'MiB')];
}
