import { newNameOf } from './hybrid-names.ts';
import { safePath, shellWord } from './hybrid-print.ts';
import type { Target, Written } from './hybrid-write.ts';

/** Which files were written. */
export function writtenLines(target: Target, { file, groupsFile, backup, groupsBackup }: Written): string {
  const lines = [
    ...(backup === undefined ? [] : [`The old file is kept as ${safePath(backup)}.`]),
    ...(groupsBackup === undefined ? [] : [`Other groups were there: they are kept as ${safePath(groupsBackup)}.`]),
    ...(file === undefined ? [] : [`Wrote ${safePath(file)}.`]),
    ...(groupsFile === undefined ? [] : [`Wrote ${safePath(groupsFile)}.`]),
    ...(target.kind === 'file' && file === undefined ? [`${safePath(target.path)} has this content already.`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** What to do after a migration, as commands to copy. */
export function nextLines(file: string, target: Target, { backup = file }: Written): string {
  if (target.kind === 'show') {
    const name = shellWord(file);
    return `Nothing was written. Next:\n  sightline hybrid migrate ${name} -o ${shellWord(newNameOf(file))}\n  ${planLine(file)}\n`;
  }
  const made = target.kind === 'file' ? target.path : file;
  const old = target.kind === 'file' ? file : backup;
  return `Next:\n  sightline hybrid check ${shellWord(made)}\n  ${planLine(old, made)}\n`;
}

const planLine = (file: string, made?: string): string =>
  `sightline hybrid plan ${shellWord(file)} --kubectl VERSION${made === undefined ? '' : ` --out-name ${shellWord(made)}`}` +
  '   # with the same flags';
