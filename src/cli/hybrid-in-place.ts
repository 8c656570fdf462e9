import { accessSync, constants, lstatSync, rmSync } from 'node:fs';
import { sentenceOf } from './hybrid-fault.ts';
import { type Draft, type FileStats, isUntouched, standingAt, writeAll, writeNew } from './hybrid-files.ts';
import type { Input } from './hybrid-input.ts';
import { refusalOf } from './hybrid-out.ts';
import { safePath } from './hybrid-print.ts';
import type { Wrote } from './hybrid-write.ts';

/** Backups of one file. */
const MAX_BACKUPS = 100;

type Work = {
  file: string;
  input: Input;
  /** What the file becomes. */
  text: string;
  changed: boolean;
  groups: readonly Draft[];
  force: boolean;
};

const refused = (detail: string): Wrote => ({ ok: false, detail: `Nothing was written.\n  ${detail}` });

/** Changes the file itself after a backup. A file that needs no change gets none. */
export function writeInPlace({ file, input, text, changed, groups, force }: Work): Wrote {
  const { stats } = input;
  if (!stats) return refused('Standard input cannot be changed in place.');
  const reason = reasonAgainst(file, stats);
  if (reason !== undefined) return refused(reason);
  if (!changed) return { ok: true, written: {} };
  const refusal = refusalOf(groups, { stats, force, hint: 'Name another file with --groups-file.' });
  if (refusal !== undefined) return { ok: false, detail: refusal };
  const wanted = groups.filter((draft) => standingAt(draft) !== 'same');
  const kept = backUp(file, input.bytes, stats);
  if (!kept.ok) return refused(kept.detail);
  const wrote = isUntouched(stats, file)
    ? writeAll([...wanted, { path: file, content: text, like: stats }])
    : refused(`${safePath(file)} was changed by another program meanwhile.`);
  if (!wrote.ok) {
    rmSync(kept.path, { force: true });
    return wrote;
  }
  const groupsFile = wanted[0]?.path;
  return { ok: true, written: { file, backup: kept.path, ...(groupsFile === undefined ? {} : { groupsFile }) } };
}

function reasonAgainst(file: string, stats: FileStats): string | undefined {
  try {
    if (lstatSync(file).isSymbolicLink())
      return `${safePath(file)} is a symbolic link: name the file that it leads to, or use -o.`;
    if (!stats.isFile()) return `${safePath(file)} is no regular file: use -o.`;
    accessSync(file, constants.W_OK);
    return undefined;
  } catch (error) {
    return sentenceOf(error, 'written', file);
  }
}

/** Keeps the bytes that were read under the first free name: no other backup is touched. */
function backUp(
  file: string,
  content: Uint8Array,
  like: FileStats,
): { ok: true; path: string } | { ok: false; detail: string } {
  for (let number = 0; number < MAX_BACKUPS; number += 1) {
    const path = `${file}.1.2.bak${number === 0 ? '' : `.${number}`}`;
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
