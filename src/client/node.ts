import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SpendingStore } from './budget.ts';
import type { OpenOrders } from './orders.ts';

const OWNER_ONLY = 0o600;
const FOLDER_MODE = 0o700;
const DRAFT_BYTES = 8;
/** Another process may delete an order between a look and the next. */
const MAX_ADD_TRIES = 3;
/** A lock is held for milliseconds; one that a killed process left is broken after this. */
const STALE_LOCK_MS = 10_000;
const LOCK_POLL_MS = 20;
const MAX_LOCK_POLLS = 1_000;

/** Open payments as files that only their owner reads: they outlive a crash, and processes share them. */
export function createFileOrders(folder: string): OpenOrders {
  const locate = (key: string): string => join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  return {
    get: (key) => readIfThere(locate(key)),
    add: async (key, payment) => {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      for (let tries = 0; tries < MAX_ADD_TRIES; tries += 1) {
        if (await createWhole(locate(key), payment)) return payment;
        const first = await readIfThere(locate(key));
        if (first !== undefined) return first;
      }
      throw new Error(`${locate(key)} comes and goes`);
    },
    delete: (key, payment) =>
      runLocked(locate(key), async () => {
        if ((await readIfThere(locate(key))) === payment) await rm(locate(key), { force: true });
      }),
  };
}

/** What was signed for today (UTC), in a file that processes share. */
export function createFileSpending(path: string): SpendingStore {
  const change = (day: string, by: number, limit: number): Promise<boolean> =>
    runLocked(path, async () => {
      const text = await readIfThere(path);
      // A count that cannot be read must not read as zero.
      const saved = text === undefined ? { day, microUsd: 0 } : (JSON.parse(text) as { day: string; microUsd: number });
      // What is given back after midnight was counted on a day that is over, and a clock that goes back changes no later day.
      if (by < 0 && saved.day !== day) return true;
      if (saved.day > day) return false;
      const sum = (saved.day === day ? saved.microUsd : 0) + by;
      if (!Number.isSafeInteger(sum)) throw new Error(`${path} holds no sum`);
      if (sum > limit) return false;
      await writeWhole(path, JSON.stringify({ day, microUsd: Math.max(sum, 0) }));
      return true;
    });
  return {
    reserve: change,
    release: async (day, microUsd) => {
      await change(day, -microUsd, Number.MAX_SAFE_INTEGER);
    },
  };
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function writeDraft(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomBytes(DRAFT_BYTES).toString('hex')}`;
  const file = await open(draft, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

/** Creates a file whole or not at all. @returns false when it is there already */
async function createWhole(path: string, text: string): Promise<boolean> {
  const draft = await writeDraft(path, text);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  await rename(await writeDraft(path, text), path);
}

/** Runs `work` while no other process changes the file. */
async function runLocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  for (let polls = 0; !(await takeLock(lock)); polls += 1) {
    if (polls >= MAX_LOCK_POLLS) throw new Error(`${lock} is held by another process`);
    await sleep(LOCK_POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { flag: 'wx', mode: OWNER_ONLY });
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const held = await stat(lock).catch(() => undefined); // Released meanwhile.
    if (held !== undefined && Date.now() - held.mtimeMs > STALE_LOCK_MS) await rm(lock, { force: true });
    return false;
  }
}
