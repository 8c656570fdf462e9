import { openSchedule } from '../../../src/monitors/book/interval.ts';
import type { MonitorInterval } from '../../../src/monitors/core/monitor.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import type { SeenEnd, SeenRun, SimulatedShard } from './simulated-shard.ts';

/** A time in which a monitor was due by one interval: after its begin, up to its end. */
export type DuePeriod = { interval: MonitorInterval; fromMs: number; toMs: number };

/** A run that was due so short a time before the end may be under way. */
const UNDER_WAY_MS = HOUR_MS;

/** What is wrong with a shard in which everything has come to its end; empty where nothing is. */
export function judgeShard(shard: SimulatedShard, periods: ReadonlyMap<string, readonly DuePeriod[]>): string[] {
  const runs = shard.seenRuns();
  const ends = Map.groupBy(shard.seenEnds(), ({ id }) => id);
  const byMonitor = Map.groupBy(runs, ({ monitorId }) => monitorId);
  return [
    ...[...periods].flatMap(([id, of]) => judgeDueTimes(id, of, byMonitor.get(id) ?? [])),
    ...runs.flatMap(({ id, dueMs }) => (dueMs > shard.now() - UNDER_WAY_MS ? [] : judgeEnd(id, ends.get(id) ?? []))),
    ...judgeCharges(shard, runs, ends),
  ];
}

/** Each due time has one run, or is counted as missed by the next one. */
function judgeDueTimes(id: string, periods: readonly DuePeriod[], runs: readonly SeenRun[]): string[] {
  const dueTimes = periods.flatMap(({ interval, fromMs, toMs }) => listDueTimes(id, interval, fromMs, toMs));
  const wrong: string[] = [];
  let at = 0;
  for (const run of runs.filter(({ cause }) => cause === 'schedule')) {
    const place = dueTimes.indexOf(run.dueMs, at);
    if (place === -1) wrong.push(`${run.id} has no due time of its own`);
    else if (place - at !== run.missed) wrong.push(`${run.id} says ${run.missed} missed, and ${place - at} are`);
    at = Math.max(at, place + 1);
  }
  if (at < dueTimes.length) wrong.push(`${id}: ${dueTimes.length - at} due times have no run`);
  return wrong;
}

export function listDueTimes(id: string, interval: MonitorInterval, fromMs: number, toMs: number): number[] {
  const schedule = openSchedule(interval, id);
  const found: number[] = [];
  for (let ms = schedule.nextAfter(fromMs); ms !== undefined && ms <= toMs; ms = schedule.nextAfter(ms)) found.push(ms);
  return found;
}

const judgeEnd = (id: string, ends: readonly SeenEnd[]): string[] =>
  ends.length === 1 ? [] : [`${id} ended ${ends.length} times`];

/** Each stored run is of one charge, and each charge of a stored run. */
function judgeCharges(
  { charges }: SimulatedShard,
  runs: readonly SeenRun[],
  ends: ReadonlyMap<string, readonly SeenEnd[]>,
): string[] {
  const charged = Map.groupBy(charges.values(), ({ runId }) => runId);
  const known = new Set(runs.map(({ id }) => id));
  return [
    ...[...charged.keys()].filter((id) => !known.has(id)).map((id) => `${id} was charged and is no run`),
    ...runs.flatMap(({ id }) => {
      const of = charged.get(id) ?? [];
      const [end] = ends.get(id) ?? [];
      if (end?.state !== 'stored') return of.length === 0 ? [] : [`${id} failed and was charged`];
      return of.length === 1 && end.reportIds.join() === of[0]?.reportId ? [] : [`${id} has ${of.length} charges`];
    }),
  ];
}
