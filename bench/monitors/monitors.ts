import { type Aim, atMost, round } from '../aims.ts';
import { runNode } from '../children.ts';
import type { PassTimes } from './pass-times.ts';

export type MonitorsResults = { passes: readonly PassTimes[]; aims: readonly Aim[] };

const PASS_CPU_MS = 100;
/** Of ten times as many monitors. */
const GROWTH = 12;

/** What one pass of the schedule takes of a shard with 1,000 and with 10,000 monitors, all of them due and none. */
export async function measureMonitors(say: (line: string) => void): Promise<MonitorsResults> {
  const child = new URL('pass-times.ts', import.meta.url).pathname;
  const passes = JSON.parse(await runNode([child])) as PassTimes[]; // The child is ours.
  for (const { monitors, allDueMs, noneDueMs, passes: alarms } of passes)
    say(
      `monitors: ${monitors} in a shard: ${round(allDueMs)} ms with all due (${alarms} alarms), ${round(noneDueMs)} ms with none`,
    );
  const [few, many] = passes;
  if (few === undefined || many === undefined) throw new Error('the child measured nothing');
  return {
    passes,
    aims: [
      atMost('monitors, pass over 10,000 in a shard, all due', many.allDueMs, PASS_CPU_MS, 'ms CPU'),
      atMost('monitors, pass over 10,000 in a shard, none due', many.noneDueMs, PASS_CPU_MS, 'ms CPU'),
      atMost('monitors, pass over 10,000 against 1,000, all due', many.allDueMs / few.allDueMs, GROWTH, 'x'),
    ],
  };
}
