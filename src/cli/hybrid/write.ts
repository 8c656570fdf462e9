import { dirname, join } from 'node:path';
import type { EnvironmentGroup, Migrated } from '../../hybrid/core/migration.ts';
import type { FileDraft } from './files.ts';
import { writeInPlace, type InPlaceResult } from './in-place.ts';
import type { Input } from './input.ts';
import { writeOut } from './out.ts';

type Writing = { force: boolean; groupsFile: string | undefined };
/** Where the migrated file goes: to `stdout` with no groups beside it, unless a file for them is named. */
export type MigrationTarget =
  | { kind: 'show' }
  | ({ kind: 'stdout' } & Writing)
  | ({ kind: 'file'; path: string } & Writing)
  | ({ kind: 'in_place' } & Writing);
type Work = { file: string; input: Input; migrated: Migrated };

const GROUPS_FILE = 'environment-groups.json';
const HINT = 'To change it in place, use --write.';

/** Writes what the target says, or nothing: every reason against it is found before. */
export function writeMigrated(target: MigrationTarget, work: Work): InPlaceResult {
  if (target.kind === 'show') return { ok: true, written: {} };
  const { file, input, migrated } = work;
  if (target.kind === 'in_place') {
    const { changed, text } = migrated;
    return writeInPlace({ file, input, text, changed, groups: draftGroups(target, file, work), force: target.force });
  }
  const path = target.kind === 'file' ? target.path : undefined;
  const groups = path === undefined && target.groupsFile === undefined ? [] : draftGroups(target, path ?? '', work);
  // What was named comes first: it is what a refusal names.
  const drafts = [...(path === undefined ? [] : [{ path, content: migrated.text, like: input.stats }]), ...groups];
  const wrote = writeOut(drafts, { stats: input.stats, force: target.force, hint: HINT });
  if (!wrote.ok) return wrote;
  const own = path !== undefined && wrote.paths.includes(path) ? { file: path } : {};
  const [groupsFile] = groups.flatMap((draft) => (wrote.paths.includes(draft.path) ? [draft.path] : []));
  const [groupsBackup] = wrote.kept;
  const kept = groupsBackup === undefined ? {} : { groupsBackup };
  return { ok: true, written: { ...own, ...(groupsFile === undefined ? {} : { groupsFile }), ...kept } };
}

function draftGroups({ groupsFile }: Writing, file: string, { input, migrated }: Work): readonly FileDraft[] {
  if (migrated.groups.length === 0) return [];
  const path = groupsFile ?? join(dirname(file), GROUPS_FILE);
  return [{ path, content: formatGroups(migrated.groups), like: input.stats, isKept: true }];
}

const formatGroups = (groups: readonly EnvironmentGroup[]): string =>
  `${JSON.stringify(
    groups.map(({ group, hostnames, environments, basePaths }) => ({ group, hostnames, environments, basePaths })),
    null,
    2,
  )}\n`;
