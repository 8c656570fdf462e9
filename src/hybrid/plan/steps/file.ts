import {
  buildManualCommand,
  getNewAppliedFile,
  getNewFile,
  getOldAppliedFile,
  getOldFile,
  run,
  formatMigrateFlags,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command, StepContent } from '../plan.ts';
import { quoteFileName, toScript, sh, type Script } from '../shell.ts';

export const buildOverridesStep = (context: PlanContext): StepContent => ({
  id: 'overrides',
  title: 'Write the new overrides file',
  why: 'The steps from 8 on apply this file. It is made from the old one, which stays as it is; with the same flags it is always the same.',
  commands: [
    run(
      sh`sightline hybrid migrate ${getOldFile(context)} -o ${getNewFile(context)}${formatMigrateFlags(context.migrateOptions)}`,
    ),
    ...buildFillCommands(context, getNewFile(context), getNewAppliedFile(context)),
  ],
  check: {
    commands: [
      run(sh`sightline hybrid check ${getNewFile(context)}${formatCheckFlags(context)}`),
      run(
        sh`cmp -- ${getOldFile(context)} ${getOldFile(context)}.1.2-backup`,
        'The old file is still that of step 1. If you changed it, undo the steps and make a new plan.',
      ),
      run(sh`diff -u ${getOldFile(context)} ${getNewFile(context)} || [ $? -eq 1 ]`),
      ...buildFillChecks(context, getNewAppliedFile(context)),
      ...runIfFilled(context, sh`sightline hybrid check ${getNewAppliedFile(context)}${formatCheckFlags(context)}`),
    ],
    expect:
      'No error from check. Read the whole diff: nothing but what you expect has changed. diff may end with 1, because the files differ. Commit the old and the new file, no filled one.',
  },
  undo: [
    run(
      sh`put_aside() {
  [ -e "$1" ] || return 0
  number=1 aside=$1.undone
  while [ -e "$aside" ]; do number=$((number + 1)) && aside=$1.undone-$number; done
  mv -- "$1" "$aside"
}
put_aside ${getNewFile(context)} && put_aside ${getGroupsFile(context)}${formatFilledRemoval(context)}`,
      'They may have been edited, so they are put aside, under a name that is free, and not deleted.',
    ),
  ],
});

/** Of the flags only the one that a new file is judged by. */
const formatCheckFlags = ({ migrateOptions: { production } }: PlanContext): Script =>
  formatMigrateFlags(production === undefined ? {} : { production });

/** Beside the new file, as the migration writes it. */
const getGroupsFile = ({ options: { newFileName } }: PlanContext): Script =>
  quoteFileName(`${newFileName.slice(0, newFileName.lastIndexOf('/') + 1)}environment-groups.json`);

const formatFilledRemoval = (context: PlanContext): Script =>
  toScript(context.fileVariables.length === 0 ? '' : sh` &&\n  rm -f -- ${getNewAppliedFile(context)}`);

const runIfFilled = ({ fileVariables }: PlanContext, command: string): readonly Command[] =>
  fileVariables.length === 0 ? [] : [run(command)];

/** Fills the variables of a file into a copy that only its owner reads; none of a file that has none. */
export function buildFillCommands({ fileVariables: names }: PlanContext, from: Script, to: Script): readonly Command[] {
  if (names.length === 0) return [];
  const set = names.map((name) => `"\${${name}?}"`).join(' ');
  const format = names.map((name) => `$${name}`).join(' ');
  return [
    run(
      sh`: ${toScript(set)} && export ${toScript(names.join(' '))} && rm -f -- ${to} &&
  (umask 077 && envsubst ${toScript(`'${format}'`)} < ${from} > ${to})`,
      'apigeectl gets a copy in which the variables are filled: as far as is known it does not fill them itself. envsubst (of gettext) fills these and no others. Whatever is no variable but a part of a text, such as a $ in a password, leave out of the three lists here and the two of the check. The copy may hold secrets: keep it out of version control.',
    ),
  ];
}

/** That every variable of a filled copy is. */
export function buildFillChecks({ fileVariables: names }: PlanContext, file: Script): readonly Command[] {
  if (names.length === 0) return [];
  const either = names.join('|');
  return [
    run(
      sh`[ -s ${file} ] && ! grep -nE ${toScript(`'[$](${either})([^A-Za-z0-9_]|$)|[$][{](${either})[}]'`)} ${file}`,
      'Every variable is filled: nothing may be printed.',
    ),
  ];
}

/** That the filled copy of the old file can be migrated. Nothing is written. */
export const buildOldFileChecks = (context: PlanContext): readonly Command[] => [
  ...buildFillChecks(context, getOldAppliedFile(context)),
  ...runIfFilled(
    context,
    sh`sightline hybrid migrate ${getOldAppliedFile(context)}${formatMigrateFlags(context.migrateOptions)} > /dev/null`,
  ),
];

export const buildFilledCopiesNote = ({ fileVariables }: PlanContext): readonly Command[] =>
  fileVariables.length === 0 ? [] : [buildManualCommand('Delete the filled copies when nothing needs them any more.')];
