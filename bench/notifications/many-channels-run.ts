/**
 * 100,000 channels in a process of its own: `many-channels-run.ts <folder>`. Half live 6 hours and are renewed 54 minutes
 * before their end, half live 12 and are renewed 108 minutes before. Prints one JSON line: see `ManyChannels`.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { median, peakMiBOf } from '../process-usage.ts';
import { fill, hours, newWorld, type World } from './many-channels.ts';

export type ManyChannels = {
  channels: number;
  databaseMiB: number;
  peakMiB: number;
  /** CPU of passes that renewed 500 channels and stopped as many old ones as they might, in milliseconds. */
  passCpuMs: { median: number; least: number; most: number; passes: number };
  outage: {
    /** Channels of each life that ended before a successor was granted. */
    lapsedShort: number;
    lapsedLong: number;
    /** Lapsed ones whose customer was not ordered to be read again. */
    withoutResync: number;
    failedCalls: number;
    /** Watches that failed in the outage and have no successor an hour after it. */
    notCaughtUp: number;
    /** Simulated minutes from the end of the outage until all that failed were renewed. */
    caughtUpAfterMin: number;
  };
};

const HALF = 50_000;
const SHORT_S = 6 * 3_600;
const LONG_S = 12 * 3_600;
const SPREAD_MS = hours(5);
const PASS = 500;
const MEASURED_PASSES = 20;
/** In this time a little more than a pass becomes due: 5.6 renewals a second. */
const PASS_STEP_MS = 95_000;
const MAX_STEPS = 400;
/** As the object's alarm does, but no closer: a second. */
const STEP_MS = 1_000;
const MINUTE_MS = 60_000;

const folder = process.argv[2] ?? '';
const file = join(folder, 'registry.sqlite');
const world = newWorld(file);
// The long ones first, so that both kinds come due at the same time of day.
const long = new Set(await fill(world, { count: HALF, first: 0, ttlS: LONG_S, spreadMs: SPREAD_MS }));
await fill(world, { count: HALF, first: HALF, ttlS: SHORT_S, spreadMs: SPREAD_MS });
world.filled();
const databaseMiB = Math.round(statSync(file).size / 1024 / 1024);
const passCpuMs = await measurePasses(world);
const outage = await goThroughOutage(world);
const result: ManyChannels = {
  channels: 2 * HALF,
  databaseMiB,
  peakMiB: Math.round(peakMiBOf(process.pid)),
  passCpuMs,
  outage,
};
console.log(JSON.stringify(result));

async function measurePasses({ passAt, now, takeCalls, lastPassMs }: World): Promise<ManyChannels['passCpuMs']> {
  const times: number[] = [];
  takeCalls();
  for (let step = 0; step < MAX_STEPS && times.length <= MEASURED_PASSES; step += 1) {
    await passAt(now() + PASS_STEP_MS);
    if (takeCalls().granted >= PASS) times.push(lastPassMs());
  }
  const counted = times.slice(1); // The first warms up.
  return {
    median: median(counted),
    least: Math.min(...counted),
    most: Math.max(...counted),
    passes: counted.length,
  };
}

async function goThroughOutage(seen: World): Promise<ManyChannels['outage']> {
  const { now, takeCalls, lapsed, failing, resynced, setOut, customerOf } = seen;
  await runUntil(seen, now() + 5 * MINUTE_MS); // Nothing is left over of the measured passes.
  takeCalls();
  resynced.clear();
  if (lapsed.size > 0) throw new Error(`${lapsed.size} channels lapsed before the outage`);
  setOut(true);
  await runUntil(seen, now() + hours(1));
  const failedCalls = takeCalls().failed;
  setOut(false);
  const endedMs = now();
  let caughtUpMs = Number.NaN;
  await runUntil(seen, endedMs + hours(1), () => {
    if (failing.size === 0 && Number.isNaN(caughtUpMs)) caughtUpMs = now();
  });
  const lapsedLong = [...lapsed].filter((watch) => long.has(watch)).length;
  return {
    lapsedShort: lapsed.size - lapsedLong,
    lapsedLong,
    withoutResync: [...lapsed].filter((watch) => !resynced.has(customerOf(watch))).length,
    failedCalls,
    notCaughtUp: failing.size,
    caughtUpAfterMin: (caughtUpMs - endedMs) / MINUTE_MS,
  };
}

/** As the object's alarm does: comes back when something is due. */
async function runUntil({ registry, passAt, now }: World, untilMs: number, after?: () => void): Promise<void> {
  while (now() < untilMs) {
    const dueMs = Math.max(registry.nextDueMs() ?? untilMs, now() + STEP_MS);
    await passAt(Math.min(dueMs, untilMs));
    after?.();
  }
}
