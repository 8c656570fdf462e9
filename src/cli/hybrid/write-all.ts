import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeFileFault, type FileDraft, writeNew } from './files.ts';
import { formatSafePath } from './print.ts';

type Staged = { path: string; temporary: string };
/** A file that is replaced, under a name that keeps it until all are. */
type Aside = { path: string; kept: string };
/** What a failure takes back. */
type Undo = { temporaries: string[]; asides: Aside[]; fresh: string[] };

/**
 * Writes all files or none: each is complete on the disk under a name of its own before the first gets its name, and what
 * they replace is kept until the last one has its.
 * @returns why the system refused, as a sentence; every file is as it was then
 */
export function writeAll(drafts: readonly FileDraft[]): { ok: true } | { ok: false; detail: string } {
  const undo: Undo = { temporaries: [], asides: [], fresh: [] };
  let current = '';
  try {
    const staged: Staged[] = [];
    for (const draft of drafts) {
      current = draft.path;
      staged.push(stage(draft, undo));
    }
    for (const one of staged) {
      current = one.path;
      replace(one, undo);
    }
  } catch (error) {
    const lost = undoWrites(undo);
    return { ok: false, detail: [describeFileFault(error, 'written', current), ...lost].join(' ') };
  }
  for (const { kept } of undo.asides) rmSync(kept, { force: true });
  for (const { path } of drafts) syncFolder(dirname(path));
  return { ok: true };
}

const formatTemporaryPath = (path: string): string => join(dirname(path), `.sightline-${randomUUID()}.tmp`);

/** Writes a file under a temporary name in the same folder. What it is to replace lends it no further permissions. */
function stage(draft: FileDraft, { temporaries }: Undo): Staged {
  const { path } = draft;
  const temporary = formatTemporaryPath(path);
  writeNew({ ...draft, path: temporary }, lstatSync(path, { throwIfNoEntry: false })?.mode);
  temporaries.push(temporary);
  return { path, temporary };
}

function replace({ path, temporary }: Staged, { asides, fresh }: Undo): void {
  const isThere = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (isThere) asides.push({ path, kept: setAside(path) });
  renameSync(temporary, path);
  if (!isThere) fresh.push(path);
}

/** Gives the file a second name; where that cannot be, another name. */
function setAside(path: string): string {
  const kept = formatTemporaryPath(path);
  if (!isSticky(dirname(path))) {
    try {
      linkSync(path, kept);
      return kept;
    } catch {
      // Not every file system has links, and not every file may be linked.
    }
  }
  renameSync(path, kept);
  return kept;
}

const STICKY = 0o1000;

/** In such a folder one may be let link a file and not remove the link. */
const isSticky = (folder: string): boolean => (statSync(folder).mode & STICKY) !== 0;

/** @returns a sentence for each file that could not be put back */
function undoWrites({ temporaries, asides, fresh }: Undo): readonly string[] {
  for (const path of fresh) rmSync(path, { force: true });
  const lost = asides.toReversed().flatMap(({ path, kept }) => {
    try {
      renameSync(kept, path);
      rmSync(kept, { force: true }); // Where both were names of one file, the renaming did nothing.
      return [];
    } catch {
      return [`${formatSafePath(path)} could not be put back: it is ${formatSafePath(kept)} now.`];
    }
  });
  for (const temporary of temporaries) rmSync(temporary, { force: true });
  return lost;
}

/** So that a new name outlives a power cut. */
function syncFolder(folder: string): void {
  let opened: number | undefined;
  try {
    opened = openSync(folder, constants.O_RDONLY);
    fsyncSync(opened);
  } catch {
    // Some folders cannot be opened or synced: the file itself is on the disk.
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
