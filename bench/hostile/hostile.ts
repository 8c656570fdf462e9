import type { Aim } from '../aims.ts';
import { versions } from '../machine.ts';
import { bombAims, type DoorGrowth, measureBombs } from './bomb-memory.ts';
import { type Latency, latencyAims, measureLatency } from './latency.ts';
import { heapAims, measurePageHeaps, type ShapeHeap } from './page-heap.ts';
import { measureStrangers, strangerAims, type Strangers } from './strangers.ts';

export type HostileResults = {
  aims: readonly Aim[];
  versions: Readonly<Record<string, string>>;
  bombs: readonly DoorGrowth[];
  heaps: readonly ShapeHeap[];
  strangers: Strangers;
  latency: Latency;
};

/** What hostile input costs, and who waits for whom under load. */
export async function measureHostile(say: (line: string) => void): Promise<HostileResults> {
  const heaps = await measurePageHeaps(say);
  const bombs = await measureBombs(say);
  const strangers = await measureStrangers(say);
  const latency = await measureLatency(say);
  const aims = [...heapAims(heaps), ...bombAims(bombs), ...strangerAims(strangers), ...latencyAims(latency)];
  return { aims, versions: versions(), bombs, heaps, strangers, latency };
}
