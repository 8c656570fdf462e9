import type { Aim } from '../aims.ts';
import { versions } from '../machine.ts';
import { bombAims, type DoorGrowth, measureBombs } from './bomb-memory.ts';
import { type Latency, latencyAims, measureLatency } from './latency.ts';
import { stateIn } from './load.ts';
import { heapAims, measurePageHeaps, type ShapeHeap } from './page-heap.ts';
import { measureStrangers, strangerAims, type Strangers } from './strangers.ts';

export type HostileResults = {
  aims: readonly Aim[];
  versions: Readonly<Record<string, string>>;
  /** Where the stacks keep their state. */
  stateIn: typeof stateIn;
  bombs: readonly DoorGrowth[];
  heaps: readonly ShapeHeap[];
  strangers: Strangers;
  latency: Latency;
};

/** What hostile input costs, and who waits for whom under load. */
export async function measureHostile(say: (line: string) => void): Promise<HostileResults> {
  say(`the stacks keep their state ${stateIn === 'memory' ? 'in memory' : 'on the disk'}`);
  const heaps = await measurePageHeaps(say);
  const bombs = await measureBombs(say);
  const strangers = await measureStrangers(say);
  const latency = await measureLatency(say);
  const aims = [...heapAims(heaps), ...bombAims(bombs), ...strangerAims(strangers), ...latencyAims(latency)];
  return { aims, versions: versions(), stateIn, bombs, heaps, strangers, latency };
}
