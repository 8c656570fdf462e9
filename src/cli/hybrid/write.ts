import { lstatSync, readFileSync, rmSync, accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import {
  createBackup,
  describeFileFault,
  type FileDraft,
  type FileStats,
  isFileOf,
  type ExistingFile,
  inspectExisting,
  isUntouched,
} from './files.ts';
import { STDIN, type Input } from './input.ts';
import { formatSafePath } from './print.ts';
import { writeAll } from './write-all.ts';

/** `stats` of the file that was read; `hint` is what to do where an output would replace it. */
type Conditions = { stats: FileStats | undefined; force: boolean; hint: string };

export type StoredOutput = { ok: true; paths: readonly string[] } | { ok: false; detail: string };
export type WriteResult =
  | { ok: true; paths: readonly string[]; kept: readonly string[] }
  | { ok: false; detail: string };

const BACKUP = /\.bak(?:\.\d{1,3})?$/;

/** What is wrong with the name of an output. */
export function findOutNameFault(path: string | undefined): string | undefined {
  if (path === '') return 'The name of a file to write is empty.';
  if (path !== undefined && BACKUP.test(path)) return 'Names that end in .bak are those of backups: name another file.';
  return path === STDIN ? 'Files cannot be written to -: name a file.' : undefined;
}

/** Says why the files cannot be written, all reasons at once; undefined when nothing is in their way. */
export function findOutRefusal(drafts: readonly FileDraft[], conditions: Conditions): string | undefined {
  const names = drafts.map(({ path }) => resolve(path));
  const reasons = drafts.flatMap((draft, index) =>
    names.indexOf(names[index] ?? '') < index
      ? [`${formatSafePath(draft.path)} is named twice.`]
      : listReasons(draft, conditions),
  );
  return reasons.length === 0 ? undefined : `Nothing was written.\n${reasons.map((line) => `  ${line}`).join('\n')}`;
}

/**
 * Writes the files that are not there with this content already, all or none.
 * @returns the paths of those that were written
 */
export function writeOut(drafts: readonly FileDraft[], conditions: Conditions): WriteResult {
  const refusal = findOutRefusal(drafts, conditions);
  if (refusal !== undefined) return { ok: false, detail: refusal };
  const wanted = filterChanged(drafts);
  const kept = keepReplaced(wanted, conditions.force);
  if (!kept.ok) return { ok: false, detail: `Nothing was written.\n  ${kept.detail}` };
  const wrote = writeAll(wanted);
  if (wrote.ok) return { ok: true, paths: wanted.map(({ path }) => path), kept: kept.paths };
  for (const path of kept.paths) rmSync(path, { force: true });
  return wrote;
}

/** Drafts whose content is not there already. */
export const filterChanged = (drafts: readonly FileDraft[]): readonly FileDraft[] =>
  drafts.filter((draft) => inspectExisting(draft) !== 'same');

/** Keeps what drafts replace that say so; with `force` nothing is kept. All or none. */
export function keepReplaced(drafts: readonly FileDraft[], force: boolean): StoredOutput {
  const paths: string[] = [];
  for (const draft of force ? [] : drafts) {
    const kept = draft.isKept === true && inspectExisting(draft) === 'other' ? keepOne(draft.path) : undefined;
    if (kept?.ok === false) {
      for (const path of paths) rmSync(path, { force: true });
      return kept;
    }
    if (kept) paths.push(kept.path);
  }
  return { ok: true, paths };
}

/** With its own permissions. */
function keepOne(path: string): ReturnType<typeof createBackup> {
  try {
    const like = lstatSync(path, { bigint: true });
    return createBackup({ path, content: readFileSync(path), like }, '.bak');
  } catch (error) {
    return { ok: false, detail: describeFileFault(error, 'read', path) };
  }
}

function listReasons(draft: FileDraft, { stats, force, hint }: Conditions): readonly string[] {
  const path = formatSafePath(draft.path);
  try {
    if (isFileOf(stats, draft.path)) return [`${path} is the file that is read. ${hint}`];
    const reason = (force || draft.isKept === true ? FORCED : REASONS)[inspectExisting(draft)];
    return reason === undefined ? [] : [`${path} ${reason}`];
  } catch (error) {
    return [describeFileFault(error, 'written', draft.path)];
  }
}

const FORCED: Readonly<Partial<Record<ExistingFile, string>>> = {
  link: 'is a symbolic link: name the file itself.',
  not_a_file: 'is no regular file.',
};
const REASONS: typeof FORCED = { ...FORCED, other: 'exists and has other content: --force replaces it.' };

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
