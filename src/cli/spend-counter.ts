import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { refuse, usd, type SpendingVerdict } from './spending.ts';

/** Remembers what was signed today (UTC), whether or not it was ever settled. */
export type SpendCounter = {
  /** Adds a signature over `microUsdc` unless the day's sum would pass `maxPerDay`. Refuses when it cannot count. */
  reserve: (microUsdc: bigint, maxPerDay: bigint, nowMs: number) => Promise<SpendingVerdict>;
};

const LOCK_TRIES = 100;
const LOCK_WAIT_MS = 20;
/** A lock is held for milliseconds; one this old was left by a process that died. */
const STALE_LOCK_MS = 10_000;
const OWNER_ONLY = 0o600;

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
        return await underLock(`${path}.lock`, () => add(path, microUsdc, maxPerDay, nowMs));
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
  await writeDay(path, { day: today, signatures: before.signatures + 1, microUsdc: String(sum) });
  return { ok: true };
}

/** undefined before the first signature. @throws when the file is not ours to trust: unreadable counts must not read as zero. */
async function readDay(path: string): Promise<Day | undefined> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) throw new Error('others may read or write it; run chmod 600 on it');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  return daySchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

async function writeDay(path: string, day: Day): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(`${JSON.stringify(day)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

async function underLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < LOCK_TRIES; attempt += 1) {
    const file = await tryLock(lock);
    if (file === undefined) {
      await sleep(LOCK_WAIT_MS);
      continue;
    }
    try {
      return await work();
    } finally {
      await file.close();
      await rm(lock, { force: true });
    }
  }
  throw new Error(`another process holds ${lock}`);
}

async function tryLock(lock: string): Promise<FileHandle | undefined> {
  try {
    return await open(lock, 'wx', OWNER_ONLY);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    await removeStale(lock);
    return undefined;
  }
}

async function removeStale(lock: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(lock);
    if (Date.now() - mtimeMs > STALE_LOCK_MS) await rm(lock, { force: true });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error; // Gone meanwhile: its owner finished.
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
