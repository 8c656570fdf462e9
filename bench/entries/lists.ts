import type { Stores } from './side.ts';
import { BATCH, idOf, type Listed, logOf, timeOf, traceOf } from './workload.ts';

/** One call of `entries:list`: rows that SQLite read by entries that it gave, and CPU in milliseconds. */
export type ListCost = {
  filter: string;
  pageSize: number;
  entries: number;
  rowsRead: number;
  rowsPerEntry: number;
  cpuMs: number;
  isSelective: boolean;
};

export const ENTRIES = 1_000_000;
/** Batches that are ready at a time, while it is filled. */
const READY = 20;
const CALLS = 20;
const WARM_UP = 3;
const OBJECT = 'lists';
/** In the middle of all. */
const MIDDLE = ENTRIES / 2;
const LOG = `logName="${logOf(3)}"`;
const AN_HOUR = `timestamp>="${timeOf(MIDDLE)}" timestamp<"${timeOf(MIDDLE + 36_000)}"`;

/** What is found by log name, severity, time and their combinations, by id and by trace. */
const SELECTIVE: readonly string[] = [
  LOG,
  'severity=CRITICAL',
  'severity>=WARNING',
  AN_HOUR,
  `${LOG} severity>=ERROR`,
  `${LOG} ${AN_HOUR}`,
  `severity=CRITICAL ${AN_HOUR}`,
  `${LOG} severity=ERROR ${AN_HOUR}`,
  `log_id("service-3") severity>=WARNING timestamp>="${timeOf(ENTRIES - 10_000)}"`,
  `trace="${traceOf(MIDDLE)}"`,
];
/** One entry in the midst of all streams; and what only a look at each entry tells: a page ends when it has looked at as many as one call may. */
const UNSELECTIVE: readonly string[] = [
  `timestamp="${timeOf(MIDDLE)}"`,
  'jsonPayload.message="never said"',
  '"never said"',
  'jsonPayload.message=~"(a|b|c)*never (x+x+)+said"',
  'SEARCH("never said")',
  `insertId="${idOf(MIDDLE)}"`,
  'labels.version=~"(?:[0-9]|[.])*1(?:[0-9]|[.]){20}x"',
  'httpRequest.requestUrl=~"(?:[a-z0-9:/.])*s(?:[a-z0-9:/.]){20}X"',
];

/** Fills an object with a million entries, and lists them. */
export async function measureLists({ ask, cpuMs }: Stores, say: (line: string) => void): Promise<readonly ListCost[]> {
  const startedMs = performance.now();
  for (let from = 0; from < ENTRIES; from += READY * BATCH) {
    await ask(OBJECT, 'ours.prepare', from, READY, 'requests');
    for (let batch = 0; batch < READY; batch += 1) await ask(OBJECT, 'ours.writeNext');
  }
  const { rows, bytes } = await ask<{ rows: number; bytes: number }>(OBJECT, 'ours.count');
  if (rows !== ENTRIES) throw new Error(`${rows} entries are kept`);
  const tookS = ((performance.now() - startedMs) / 1_000).toFixed(0);
  say(`entries:list over ${rows} entries in one object, ${(bytes / 2 ** 20).toFixed(0)} MiB, filled in ${tookS} s`);
  const costs: ListCost[] = [];
  for (const [filters, isSelective] of [
    [SELECTIVE, true],
    [UNSELECTIVE, false],
  ] as const)
    for (const filter of filters)
      for (const orderBy of ['timestamp asc', 'timestamp desc'])
        for (const pageSize of isSelective ? [50, 1_000] : [50]) {
          const cost = await costOf({ filter, orderBy, pageSize });
          costs.push({ ...cost, isSelective });
          const { entries, rowsRead, cpuMs: cpu } = cost;
          say(
            `  ${filter}, ${orderBy}, ${pageSize}: ${entries} entries, ${rowsRead} rows read, ${cpu.toFixed(1)} ms CPU`,
          );
        }
  return costs;

  async function costOf(body: { filter: string; orderBy: string; pageSize: number }) {
    const list = (): Promise<Listed> => ask(OBJECT, 'ours.list', body);
    const { entries, rowsRead } = await list();
    for (let call = 0; call < WARM_UP; call += 1) await list();
    const before = cpuMs();
    for (let call = 0; call < CALLS; call += 1) await list();
    return {
      filter: `${body.filter} ${body.orderBy}`,
      pageSize: body.pageSize,
      entries,
      rowsRead,
      rowsPerEntry: rowsRead / Math.max(1, entries),
      cpuMs: (cpuMs() - before) / CALLS,
    };
  }
}
