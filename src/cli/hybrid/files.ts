import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileFaults } from '../core/file-faults-data.ts';
import { formatSafePath } from './print.ts';

/** What the system says of a file that was read. */
export type FileStats = Readonly<Record<'dev' | 'ino' | 'mode' | 'uid' | 'gid' | 'size' | 'mtimeNs', bigint>> & {
  isFile: () => boolean;
};

/** A file to write, with the permissions of `like` and none more: it may hold keys. `isKept`: what it replaces is kept. */
export type FileDraft = { path: string; content: string | Uint8Array; like: FileStats | undefined; isKept?: boolean };

/** What exists where a file is to be written. */
export type ExistingFile = 'absent' | 'same' | 'other' | 'link' | 'not_a_file';

const PERMISSIONS = 0o777;
const OF_THE_OWNER = 0o700;
const OWNER_ONLY = 0o600;
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** @throws what the system says when it cannot be looked at */
export function inspectExisting({ path, content }: Pick<FileDraft, 'path' | 'content'>): ExistingFile {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 'absent';
  if (found.isSymbolicLink()) return 'link';
  if (!found.isFile()) return 'not_a_file';
  const wanted = Buffer.from(content);
  return found.size === wanted.byteLength && readFileSync(path).equals(wanted) ? 'same' : 'other';
}

/** Whether `path` leads to the file that was read, by whatever name. */
export function isFileOf(stats: FileStats | undefined, path: string): boolean {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && found !== undefined && found.ino === stats.ino && found.dev === stats.dev;
}

/** Whether the file at `path` is still, untouched, the one that was read. */
export function isUntouched(stats: FileStats, path: string): boolean {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return isFileOf(stats, path) && found?.mtimeNs === stats.mtimeNs && found.size === stats.size;
}

/**
 * Writes a file that must not be there.
 * @param most permissions that it may have at most
 * @throws what the system says; a file that was begun is removed
 */
export function writeNew({ path, content, like }: FileDraft, most = PERMISSIONS): void {
  const file = openSync(path, NEW, OWNER_ONLY);
  try {
    writeFileSync(file, content);
    if (like) allowAs(file, like, most);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Owner and permissions of `like`. Where the group cannot be kept, the file is for the owner alone: others may read what the
 * old group may not.
 */
function allowAs(file: number, like: FileStats, most: number): void {
  const own = fstatSync(file, { bigint: true });
  const isGiven = (own.uid === like.uid && own.gid === like.gid) || hasOwner(file, like);
  const mode = Number(like.mode) & PERMISSIONS & most;
  fchmodSync(file, isGiven || own.gid === like.gid ? mode : mode & OF_THE_OWNER);
}

function hasOwner(file: number, { uid, gid }: FileStats): boolean {
  try {
    fchownSync(file, Number(uid), Number(gid));
    return true;
  } catch {
    return false; // Only root may give files away.
  }
}

/**
 * Why the system refused to read or write `path`, as a sentence for a terminal.
 * @throws what is no refusal of the system: a bug of ours
 */
export function describeFileFault(error: unknown, verb: 'read' | 'written', path: string): string {
  const code = error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined;
  if (code === undefined) throw error;
  return `${formatSafePath(path)} cannot be ${verb}: ${fileFaults[code] ?? code}.`;
}

/** Backups of one file. */
const MAX_BACKUPS = 100;

/** The suffix of a file that `migrate` changes, and of any other that it replaces. */
type BackupSuffix = '.1.2.bak' | '.bak';

/** Keeps the bytes of a file under the first free name: no other backup is touched. */
export function createBackup(
  { path: file, content, like }: FileDraft,
  suffix: BackupSuffix,
): { ok: true; path: string } | { ok: false; detail: string } {
  for (let number = 0; number < MAX_BACKUPS; number += 1) {
    const path = `${file}${suffix}${number === 0 ? '' : `.${number}`}`;
    try {
      writeNew({ path, content, like });
      return { ok: true, path };
    } catch (error) {
      if (!isTaken(error)) return { ok: false, detail: describeFileFault(error, 'written', path) };
    }
  }
  return { ok: false, detail: `${formatSafePath(file)} has ${MAX_BACKUPS} backups already: remove some.` };
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';
