import { type Aim, atLeast, atMost } from '../aims.ts';
import { type ListCost, measureLists } from './lists.ts';
import { measureShards, type ShardResults } from './shards.ts';
import { withStores } from './side.ts';
import type { Kind } from './workload.ts';
import { measureWrites, type Written } from './writes.ts';

export type EntriesResults = {
  aims: readonly Aim[];
  writes: readonly Written[];
  shards: ShardResults;
  lists: readonly ListCost[];
};

const KINDS: readonly Kind[] = ['lines', 'requests'];

/** What writing log entries costs against bare inserts of their rows, and what listing a million of them does. */
export async function measureEntries(say: (line: string) => void): Promise<EntriesResults> {
  const writes = await withStores(async (stores) => {
    const results: Written[] = [];
    for (const kind of KINDS) {
      const written = await measureWrites(kind, stores);
      results.push(written);
      say(lineOf(written));
    }
    return results;
  });
  const { aims, ...shards } = await measureShards(say);
  const lists = await withStores((stores) => measureLists(stores, say));
  return { aims: [...writes.map(writeAim), ...aims, ...listAims(lists)], writes, shards, lists };
}

const writeAim = ({ kind, cpuRatio }: Written): Aim =>
  atLeast(`entries:write of 1,000 ${kind}, raw inserts against ours, by CPU`, cpuRatio, 0.5, 'x');

function listAims(lists: readonly ListCost[]): readonly Aim[] {
  const selective = lists.filter(({ isSelective }) => isSelective);
  const worst = (costs: readonly ListCost[], of: (cost: ListCost) => number): number => Math.max(...costs.map(of));
  const [rows, cpu] = [({ rowsPerEntry }: ListCost) => rowsPerEntry, ({ cpuMs }: ListCost) => cpuMs];
  return [
    atMost('entries:list of 1,000,000, selective filters, rows read by rows returned', worst(selective, rows), 10, 'x'),
    atMost('entries:list of 1,000,000, selective filters, CPU of a call', worst(selective, cpu), 100, 'ms'),
    atMost('entries:list of 1,000,000, any filter, CPU of a call', worst(lists, cpu), 100, 'ms'),
  ];
}

function lineOf({ kind, ours, raw, floor, cpuRatio, wallRatio, rounds, bytesPerRow }: Written): string {
  const shown = ({ cpuMs, wallMs }: { cpuMs: number; wallMs: number }): string =>
    `${cpuMs.toFixed(2)} ms CPU (${wallMs.toFixed(2)} ms wall)`;
  const cpuOf = (side: 'ours' | 'raw'): string => rounds[side].map(({ cpuMs }) => cpuMs.toFixed(1)).join(', ');
  return (
    `entries:write, 1,000 ${kind} a batch, ${bytesPerRow.toFixed(0)} bytes a row: ours ${shown(ours)}, raw ${shown(raw)}, asking alone ${shown(floor)}:` +
    ` ${cpuRatio.toFixed(2)} x CPU, ${wallRatio.toFixed(2)} x wall (rounds ours ${cpuOf('ours')}; raw ${cpuOf('raw')})`
  );
}
