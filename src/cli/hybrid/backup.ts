import { sentenceOf } from './fault.ts';
import { type Draft, writeNew } from './files.ts';
import { safePath } from './print.ts';

/** Backups of one file. */
const MAX_BACKUPS = 100;

/** The suffix of a file that `migrate` changes, and of any other that it replaces. */
export type BackupSuffix = '.1.2.bak' | '.bak';

/** Keeps the bytes of a file under the first free name: no other backup is touched. */
export function backUp(
  { path: file, content, like }: Draft,
  suffix: BackupSuffix,
): { ok: true; path: string } | { ok: false; detail: string } {
  for (let number = 0; number < MAX_BACKUPS; number += 1) {
    const path = `${file}${suffix}${number === 0 ? '' : `.${number}`}`;
    try {
      writeNew({ path, content, like });
      return { ok: true, path };
    } catch (error) {
      if (!isTaken(error)) return { ok: false, detail: sentenceOf(error, 'written', path) };
    }
  }
  return { ok: false, detail: `${safePath(file)} has ${MAX_BACKUPS} backups already: remove some.` };
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';
