import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PLAN_FOLDERS, type PlanFile } from '../../hybrid/plan/folder/plan-folder.ts';
import { createFolder } from '../core/create-folder.ts';
import { describeFileFault, type FileStats } from './files.ts';
import { formatSafePath, formatShellWord } from './print.ts';
import { type WriteResult, writeOut } from './write.ts';

/**
 * Writes the files of a plan below `folder`, all or none. A folder that has anything in it is refused without `force`;
 * a folder of ours that is a link is refused always.
 * @param stats of the overrides file: the plan is readable by those who read it
 */
export function writePlanFolder(
  folder: string,
  files: readonly PlanFile[],
  stats: FileStats | undefined,
  force: boolean,
): WriteResult {
  const paths = [folder, ...PLAN_FOLDERS.map((name) => join(folder, name))];
  try {
    const refusal = findFolderRefusal(paths, force);
    if (refusal !== undefined) return { ok: false, detail: `Nothing was written.\n  ${refusal}` };
    for (const path of paths) createFolder(path);
  } catch (error) {
    return { ok: false, detail: describeFileFault(error, 'written', folder) };
  }
  const drafts = files.map(({ path, content }) => ({ path: join(folder, path), content, like: stats }));
  return writeOut(drafts, { stats, force, hint: 'Name another folder with --out.' });
}

function findFolderRefusal([folder = '', ...inside]: readonly string[], force: boolean): string | undefined {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() === true) return `${formatSafePath(folder)} is a symbolic link: name the folder itself.`;
  if (found && !found.isDirectory()) return `${formatSafePath(folder)} is no folder.`;
  if (found && !force && readdirSync(folder).length > 0)
    return `${formatSafePath(folder)} is not empty: name another folder, or replace the plan in it with --force.`;
  const wrong = inside.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false);
  return wrong === undefined ? undefined : `${formatSafePath(wrong)} is no folder.`;
}

/** What to do with the folder. */
export const formatWrittenPlan = (folder: string): string =>
  `${formatSafePath(join(folder, 'plan.md'))} says what is done, in which order, and how to go back.
Review it and the scripts in steps/ and undo/. Then, with the variables that plan.md lists, in this folder:
  sh ${formatShellWord(join(folder, 'steps', '00-versions.sh'))}
`;
