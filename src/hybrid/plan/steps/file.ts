import type { MigrateOptions } from '../../options.ts';
import { newFile, oldFile, run } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import { script, sh, type Script } from '../shell.ts';
import type { StepContent } from './step.ts';

export const overrides = (context: PlanContext): StepContent => ({
  id: 'overrides',
  title: 'Write the new overrides file',
  why: 'The steps from 8 on apply this file. It is made from the old one, which stays as it is; with the same flags it is always the same.',
  commands: [
    run(sh`sightline hybrid migrate ${oldFile(context)} -o ${newFile(context)}${flags(context.migrateOptions)}`),
  ],
  check: {
    commands: [
      run(sh`sightline hybrid check ${newFile(context)}`),
      run(sh`diff -u ${oldFile(context)} ${newFile(context)}`),
    ],
    expect: 'No error from check. Read the whole diff: nothing but what you expect has changed. Commit both files.',
  },
  undo: [run(sh`rm -f -- ${newFile(context)}`)],
});

/** The flags that give the options again. */
function flags(options: MigrateOptions): Script {
  const valued = [
    ...Object.entries(options.groups ?? {}).map(([old, name]) => ['--group', `${old}=${name}`] as const),
    ['--instance-id', options.instanceId] as const,
    ['--region', options.region] as const,
    ['--connect-agent-sa', options.connectAgentServiceAccountPath] as const,
    ['--metrics-sa', options.metricsServiceAccountPath] as const,
    ['--watcher-sa', options.watcherServiceAccountPath] as const,
  ];
  const words = valued.flatMap(([flag, value]) => (value === undefined ? [] : [sh`${flag} ${value}`]));
  if (options.enableConnect === true) words.push('--enable-connect');
  if (options.production !== undefined) words.push(options.production ? '--production' : '--no-production');
  return script(words.map((word) => ` ${word}`).join(''));
}
