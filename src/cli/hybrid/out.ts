import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp, sentenceOf } from './fault.ts';
import { type Draft, type FileStats, isFileOf, type Standing, standingAt } from './files.ts';
import { STDIN } from './input.ts';
import { safePath } from './print.ts';
import { writeAll } from './write-all.ts';

/** `stats` of the file that was read; `hint` is what to do where an output would replace it. */
type Conditions = { stats: FileStats | undefined; force: boolean; hint: string };

export type Kept = { ok: true; paths: readonly string[] } | { ok: false; detail: string };
export type Wrote = { ok: true; paths: readonly string[]; kept: readonly string[] } | { ok: false; detail: string };

const BACKUP = /\.bak(?:\.\d{1,3})?$/;

/** What is wrong with the name of an output. */
export function outRefusal(path: string | undefined): string | undefined {
  if (path === '') return 'The name of a file to write is empty.';
  if (path !== undefined && BACKUP.test(path)) return 'Names that end in .bak are those of backups: name another file.';
  return path === STDIN ? 'Files cannot be written to -: name a file.' : undefined;
}

/** Says why the files cannot be written, all reasons at once; undefined when nothing stands in their way. */
export function refusalOf(drafts: readonly Draft[], conditions: Conditions): string | undefined {
  const names = drafts.map(({ path }) => resolve(path));
  const reasons = drafts.flatMap((draft, index) =>
    names.indexOf(names[index] ?? '') < index
      ? [`${safePath(draft.path)} is named twice.`]
      : reasonFor(draft, conditions),
  );
  return reasons.length === 0 ? undefined : `Nothing was written.\n${reasons.map((line) => `  ${line}`).join('\n')}`;
}

/**
 * Writes the files that are not there with this content already, all or none.
 * @returns the paths of those that were written
 */
export function writeOut(drafts: readonly Draft[], conditions: Conditions): Wrote {
  const refusal = refusalOf(drafts, conditions);
  if (refusal !== undefined) return { ok: false, detail: refusal };
  const wanted = unlike(drafts);
  const kept = keepReplaced(wanted, conditions.force);
  if (!kept.ok) return { ok: false, detail: `Nothing was written.\n  ${kept.detail}` };
  const wrote = writeAll(wanted);
  if (wrote.ok) return { ok: true, paths: wanted.map(({ path }) => path), kept: kept.paths };
  for (const path of kept.paths) rmSync(path, { force: true });
  return wrote;
}

/** Drafts whose content does not stand there already. */
export const unlike = (drafts: readonly Draft[]): readonly Draft[] =>
  drafts.filter((draft) => standingAt(draft) !== 'same');

/** Keeps what drafts replace that say so; with `force` nothing is kept. All or none. */
export function keepReplaced(drafts: readonly Draft[], force: boolean): Kept {
  const paths: string[] = [];
  for (const draft of force ? [] : drafts) {
    const kept = draft.isKept === true && standingAt(draft) === 'other' ? keepOne(draft.path) : undefined;
    if (kept?.ok === false) {
      for (const path of paths) rmSync(path, { force: true });
      return kept;
    }
    if (kept) paths.push(kept.path);
  }
  return { ok: true, paths };
}

/** With its own permissions. */
function keepOne(path: string): ReturnType<typeof backUp> {
  try {
    const like = lstatSync(path, { bigint: true });
    return backUp({ path, content: readFileSync(path), like }, '.bak');
  } catch (error) {
    return { ok: false, detail: sentenceOf(error, 'read', path) };
  }
}

function reasonFor(draft: Draft, { stats, force, hint }: Conditions): readonly string[] {
  const path = safePath(draft.path);
  try {
    if (isFileOf(stats, draft.path)) return [`${path} is the file that is read. ${hint}`];
    const reason = (force || draft.isKept === true ? FORCED : REASONS)[standingAt(draft)];
    return reason === undefined ? [] : [`${path} ${reason}`];
  } catch (error) {
    return [sentenceOf(error, 'written', draft.path)];
  }
}

const FORCED: Readonly<Partial<Record<Standing, string>>> = {
  link: 'is a symbolic link: name the file itself.',
  not_a_file: 'is no regular file.',
};
const REASONS: typeof FORCED = { ...FORCED, other: 'exists and has other content: --force replaces it.' };
