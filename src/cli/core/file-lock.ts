import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const LOCK_WAIT_MS = 20;
const OWNER_ONLY = 0o600;

/** How long to wait for a lock, and the age at which it was left by a process that died. */
export type LockTimes = { waitMs: number; staleMs: number };

/** Runs `work` while no other process holds the file `lock`. @throws when it stays held. */
export async function runUnderLock<T>(
  lock: string,
  { waitMs, staleMs }: LockTimes,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < waitMs / LOCK_WAIT_MS; attempt += 1) {
    const file = await tryLock(lock, staleMs);
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

/** Replaces a file that only its owner may read: anyone who reads it meanwhile gets the old text or the new one. */
export async function replaceOwned(path: string, text: string | Uint8Array): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** Whether the file is there. @throws when others may read or write it, where files have such modes (Windows has none). */
export async function isOwned(path: string): Promise<boolean> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0 && process.platform !== 'win32')
      throw new Error('others may read or write it; run chmod 600 on it');
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function tryLock(lock: string, staleMs: number): Promise<FileHandle | undefined> {
  const file = await createIfAbsent(lock);
  if (file === undefined && (await isStale(lock, staleMs))) await removeStale(lock, staleMs);
  return file;
}

async function createIfAbsent(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'wx', OWNER_ONLY);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return undefined;
    throw error;
  }
}

/**
 * Removes a lock whose process died. One process at a time does, and looks again: what another one judged a moment ago
 * may be the lock of its next holder by now. Whose removal was itself cut off holds up no one for longer than `staleMs`.
 */
async function removeStale(lock: string, staleMs: number): Promise<void> {
  const turn = `${lock}.stale`;
  const file = await createIfAbsent(turn);
  if (file === undefined) {
    if (await isStale(turn, staleMs)) await rm(turn, { force: true });
    return;
  }
  try {
    if (await isStale(lock, staleMs)) await rm(lock, { force: true });
  } finally {
    await file.close();
    await rm(turn, { force: true });
  }
}

async function isStale(path: string, staleMs: number): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > staleMs;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false; // Gone meanwhile: its owner finished.
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
