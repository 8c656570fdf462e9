import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { createBackup, describeFileFault } from './fault.ts';
import { type FileDraft, type FileStats, isFileOf, type ExistingFile, inspectExisting } from './files.ts';
import { STDIN } from './input.ts';
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
