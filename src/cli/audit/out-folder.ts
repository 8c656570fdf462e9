import { closeSync, constants, lstatSync, openSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { createFolder } from '../core/create-folder.ts';
import type { CommandFailure } from '../core/failure.ts';
import { EXIT } from '../core/usage.ts';
import { formatSafeLine } from '../core/terminal.ts';

/** Files that one call writes. */
export const MAX_FILES = 1000;

type OutFile = { path: string; content: string };

/** Why a file is not written: it would leave the folder, go through a link, or replace something. */
export type OutRefusal =
  | 'outside_folder'
  | 'symbolic_link'
  | 'exists'
  | 'not_a_file'
  | 'too_many_files'
  | 'file_and_folder';

export type WrittenFolder = { ok: true; paths: readonly string[] } | { ok: false; failure: CommandFailure };

/**
 * Writes files below `folder`. Nothing is written when one of them is refused (rule X2): a path that is absolute or leaves
 * the folder, a symbolic link on the way, a file that exists without `force`. The check of links is made again at the
 * moment of opening.
 */
export function writeFiles(folder: string, files: readonly OutFile[], { force }: { force: boolean }): WrittenFolder {
  createFolder(folder);
  const root = realpathSync(folder);
  const refused = files.flatMap(({ path }) => {
    const reason = findListRefusal(files, path) ?? findOutFolderRefusal(root, path, force);
    return reason === undefined ? [] : [{ path, reason }];
  });
  if (refused.length > 0) return { ok: false, failure: refuseFiles(folder, refused) };
  for (const { path, content } of files) writeOne(root, path, content, force);
  return { ok: true, paths: files.map(({ path }) => join(folder, path)) };
}

/** Refused files that are named. */
const MAX_NAMED = 5;

function refuseFiles(folder: string, refused: readonly { path: string; reason: OutRefusal }[]): CommandFailure {
  const exist = refused.filter(({ reason }) => reason === 'exists').length;
  const named = refused.slice(0, MAX_NAMED).map(({ path, reason }) => `${formatSafeLine(path)}: ${reason}`);
  const more = refused.length > MAX_NAMED ? [`and ${refused.length - MAX_NAMED} more`] : [];
  return {
    reason: exist > 0 ? 'exists' : 'path_refused',
    message: `Nothing was written to ${formatSafeLine(folder)}${exist > 0 ? `: ${exist} of the files are there already` : ''}.`,
    detail: [...named, ...more],
    next:
      exist > 0 ? 'Use --force to replace them, or name another folder with --out.' : 'Name another folder with --out.',
    exit: EXIT.usage,
  };
}

/** What is wrong with the list itself: too long, or the same name for a file and for a folder. */
function findListRefusal(files: readonly OutFile[], path: string): OutRefusal | undefined {
  if (files.length > MAX_FILES) return 'too_many_files';
  return files.some((other) => other.path.startsWith(`${path}/`)) ? 'file_and_folder' : undefined;
}

/** Segments of a relative path inside the folder; undefined when it is absolute, empty or climbs out. */
function splitSafePath(root: string, path: string): readonly string[] | undefined {
  if (path === '' || isAbsolute(path) || path.includes('\0') || path.includes('\\') || /^[a-z]:/i.test(path))
    return undefined;
  const segments = path.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return undefined;
  const inside = relative(root, join(root, ...segments));
  return inside.startsWith('..') || isAbsolute(inside) ? undefined : inside.split(sep);
}

export function findOutFolderRefusal(root: string, path: string, force: boolean): OutRefusal | undefined {
  const segments = splitSafePath(root, path);
  if (!segments) return 'outside_folder';
  let at = root;
  for (const [index, segment] of segments.entries()) {
    at = join(at, segment);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (!found) return undefined;
    if (found.isSymbolicLink()) return 'symbolic_link';
    const last = index === segments.length - 1;
    if (!last && !found.isDirectory()) return 'not_a_file';
    if (last && !found.isFile()) return 'not_a_file';
    if (last && !force) return 'exists';
  }
  return undefined;
}

function writeOne(root: string, path: string, content: string, force: boolean): void {
  const target = join(root, path);
  createFolder(dirname(target));
  const mode = force ? constants.O_TRUNC : constants.O_EXCL;
  const file = openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | mode, 0o644);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
}
