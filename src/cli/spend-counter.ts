import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { isOwned, replaceOwned, underLock } from './file-lock.ts';
import { refuse, usd, type SpendingVerdict } from './spending.ts';

/** Remembers what was signed today (UTC), whether or not it was ever settled. */
export type SpendCounter = {
  /** Adds a signature over `microUsdc` unless the day's sum would pass `maxPerDay`. Refuses when it cannot count. */
  reserve: (microUsdc: bigint, maxPerDay: bigint, nowMs: number) => Promise<SpendingVerdict>;
};

/** The lock is held for milliseconds. */
const LOCK_TIMES = { waitMs: 2_000, staleMs: 10_000 };

const daySchema = z.strictObject({
  day: z.iso.date(),
  signatures: z.int().min(0),
  microUsdc: z.string().regex(/^\d+$/),
});
type Day = z.infer<typeof daySchema>;

/** A counter in a file with mode 0600, locked while it changes: several processes may share it. */
export function fileCounter(path: string): SpendCounter {
  return {
    reserve: async (microUsdc, maxPerDay, nowMs) => {
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        return await underLock(`${path}.lock`, LOCK_TIMES, () => add(path, microUsdc, maxPerDay, nowMs));
      } catch (error) {
        return refuse('counter_unavailable', `the spending file ${path} cannot be used: ${String(error)}`);
      }
    },
  };
}

async function add(path: string, microUsdc: bigint, maxPerDay: bigint, nowMs: number): Promise<SpendingVerdict> {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const kept = await readDay(path);
  const before: Day = kept?.day === today ? kept : { day: today, signatures: 0, microUsdc: '0' };
  const sum = BigInt(before.microUsdc) + microUsdc;
  if (sum > maxPerDay) {
    return refuse('daily_limit_reached', `${usd(sum)} would be signed for today, the limit is ${usd(maxPerDay)}`);
  }
  const after: Day = { day: today, signatures: before.signatures + 1, microUsdc: String(sum) };
  await replaceOwned(path, `${JSON.stringify(after)}\n`);
  return { ok: true };
}

/** undefined before the first signature. @throws when the file is not ours to trust: unreadable counts must not read as zero. */
async function readDay(path: string): Promise<Day | undefined> {
  if (!(await isOwned(path))) return undefined;
  return daySchema.parse(JSON.parse(await readFile(path, 'utf8')));
}
