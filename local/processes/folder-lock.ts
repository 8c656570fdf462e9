import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive, readProcessStart } from './process-alive.ts';

const LOCK = '.lock';
/** The lock, drafts of it, and those that were moved away. */
const LOCK_FILE = /^\.lock(?:\.\d{1,10}\.(?:new|[0-9a-f]{1,32}\.old))?$/;
const OWNER_ONLY = 0o600;
const NONCE_BYTES = 8;
/** Each is for a lock that came or went between two looks. */
const MAX_ATTEMPTS = 100;

/** Whose a lock is: the id of a process, and when that began. An earlier version wrote the id alone. */
type Holder = { pid: number; start: string | undefined; text: string };

export const isLockFile = (name: string): boolean => LOCK_FILE.test(name);

/**
 * Takes the lock of a folder. One process at most has it: the lock is a link to a file that is whole, and a process that
 * runs holds the folder under whatever name its lock is. So a dead one's lock may be moved away by a look that was too
 * late, and nothing is lost by it.
 * @returns what releases it, or the id of the process that holds it
 */
export function takeLock(folder: string): { release: () => void } | { holder: number } {
  const nonce = randomBytes(NONCE_BYTES).toString('hex');
  const own = `${process.pid} ${readProcessStart(process.pid) ?? ''} ${nonce}\n`;
  const draft = join(folder, `${LOCK}.${process.pid}.new`);
  const release = (): void => removeLocks(folder, ({ text }) => text === own);
  writeFileSync(draft, own, { mode: OWNER_ONLY });
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const isLinked = linkLock(draft, join(folder, LOCK));
      const other = listHolders(folder).find((one) => one.text !== own && isHolding(one));
      if (other !== undefined) {
        release();
        return { holder: other.pid };
      }
      if (isLinked) {
        removeLocks(folder, (one) => one.text !== own && !isHolding(one));
        return { release };
      }
      moveAway(folder, nonce);
    }
    throw new Error(`${folder}: its lock changes all the time.`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The process that holds a folder, unless it is this one. */
export function findOtherHolder(folder: string): number | undefined {
  const start = readProcessStart(process.pid);
  const others = listHolders(folder).filter((one) => one.pid !== process.pid || one.start !== start);
  return others.find(isHolding)?.pid;
}

/** Whether it runs: its id may be another's by now, and was this process's own in a container that is gone. */
function isHolding({ pid, start }: Holder): boolean {
  if (!isProcessAlive(pid)) return false;
  const now = readProcessStart(pid);
  return start === undefined || now === undefined ? pid !== process.pid : start === now;
}

function listHolders(folder: string): readonly Holder[] {
  return listLocks(folder).flatMap((name) => readHolder(join(folder, name)) ?? []);
}

const listLocks = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => isLockFile(name) && !name.endsWith('.new')) : [];

function readHolder(file: string): Holder | undefined {
  const text = ignoreMissing(() => readFileSync(file, 'utf8'));
  if (text === undefined) return undefined;
  const [pid = '', start = ''] = text.trim().split(' ');
  return { pid: Number(pid), start: start === '' ? undefined : start, text };
}

function removeLocks(folder: string, isWanted: (holder: Holder) => boolean): void {
  for (const name of listLocks(folder)) {
    const holder = readHolder(join(folder, name));
    if (holder !== undefined && isWanted(holder)) rmSync(join(folder, name), { force: true });
  }
}

/** A name that no other process uses: what was moved there is looked at again. */
function moveAway(folder: string, nonce: string): void {
  ignoreMissing(() => renameSync(join(folder, LOCK), join(folder, `${LOCK}.${process.pid}.${nonce}.old`)));
}

function linkLock(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Undefined where another process removed the file first. */
function ignoreMissing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
