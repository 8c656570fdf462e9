import { accessSync, constants, lstatSync, rmSync } from 'node:fs';
import { createBackup, describeFileFault } from './fault.ts';
import { type FileDraft, type FileStats, isUntouched } from './files.ts';
import type { Input } from './input.ts';
import { keepReplaced, findOutRefusal, filterChanged } from './out.ts';
import { formatSafePath } from './print.ts';
import { writeAll } from './write-all.ts';

type Work = {
  file: string;
  input: Input;
  /** What the file becomes. */
  text: string;
  changed: boolean;
  groups: readonly FileDraft[];
  force: boolean;
};

const refuseWriting = (detail: string): InPlaceResult => ({ ok: false, detail: `Nothing was written.\n  ${detail}` });

/** Changes the file itself after a backup. A file that needs no change gets none. */
export function writeInPlace({ file, input, text, changed, groups, force }: Work): InPlaceResult {
  const { stats } = input;
  if (!stats) return refuseWriting('Standard input cannot be changed in place.');
  const reason = findReasonAgainst(file, stats);
  if (reason !== undefined) return refuseWriting(reason);
  if (!changed) return { ok: true, written: {} };
  const refusal = findOutRefusal(groups, { stats, force, hint: 'Name another file with --groups-file.' });
  if (refusal !== undefined) return { ok: false, detail: refusal };
  const wanted = filterChanged(groups);
  const kept = createBackup({ path: file, content: input.bytes, like: stats }, '.1.2.bak');
  if (!kept.ok) return refuseWriting(kept.detail);
  const replaced = keepReplaced(wanted, force);
  const drafts = [...wanted, { path: file, content: text, like: stats }];
  const failure = replaced.ok ? replace(file, stats, drafts) : replaced;
  if (!replaced.ok || failure) {
    for (const path of [kept.path, ...(replaced.ok ? replaced.paths : [])]) rmSync(path, { force: true });
    return refuseWriting(failure?.detail ?? '');
  }
  const [groupsFile] = wanted.map(({ path }) => path);
  const [groupsBackup] = replaced.paths;
  const of = {
    ...(groupsFile === undefined ? {} : { groupsFile }),
    ...(groupsBackup === undefined ? {} : { groupsBackup }),
  };
  return { ok: true, written: { file, backup: kept.path, ...of } };
}

/** @returns what went wrong */
function replace(file: string, stats: FileStats, drafts: readonly FileDraft[]): { detail: string } | undefined {
  if (!isUntouched(stats, file)) return { detail: `${formatSafePath(file)} was changed by another program meanwhile.` };
  const wrote = writeAll(drafts);
  return wrote.ok ? undefined : wrote;
}

function findReasonAgainst(file: string, stats: FileStats): string | undefined {
  try {
    if (lstatSync(file).isSymbolicLink())
      return `${formatSafePath(file)} is a symbolic link: name the file that it leads to, or use -o.`;
    if (!stats.isFile()) return `${formatSafePath(file)} is no regular file: use -o.`;
    accessSync(file, constants.W_OK);
    return undefined;
  } catch (error) {
    return describeFileFault(error, 'written', file);
  }
}

export type InPlaceResult = { ok: true; written: WrittenFiles } | { ok: false; detail: string };

/** The files that were written; those that had the content already are not among them. */
export type WrittenFiles = { file?: string; groupsFile?: string; backup?: string; groupsBackup?: string };
