import { type FileDraft, writeNew } from './files.ts';
import { formatSafePath } from './print.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be too large',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
  EIO: 'the device failed',
};

/**
 * Why the system refused to read or write `path`, as a sentence for a terminal.
 * @throws what is no refusal of the system: a bug of ours
 */
export function describeFileFault(error: unknown, verb: 'read' | 'written', path: string): string {
  const code = error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined;
  if (code === undefined) throw error;
  return `${formatSafePath(path)} cannot be ${verb}: ${REASONS[code] ?? code}.`;
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
