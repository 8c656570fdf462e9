import { isTrial, type PlanContext } from './context.ts';
import type { Command } from './plan.ts';
import { quoteFileName, toScript, sh, type Script } from './shell.ts';
import type { MigrateOptions } from '../core/options.ts';

/** Something to run. `text` says what it does where the command does not. */
export const run = (command: string, text?: string): Command => (text === undefined ? { command } : { command, text });

/** Something that no command of ours can do. */
export const buildManualCommand = (text: string): Command => ({ text });

/** curl as the operator who is logged in to gcloud; fails on an error of the service. */
export const CURL = toScript('curl -fsS -H "Authorization: Bearer $(gcloud auth print-access-token)"');
export const SEND_JSON = toScript("-H 'Content-Type: application/json' --data-binary @-");
export const APIGEECTL = toScript('"$APIGEECTL_HOME/apigeectl"');
/** Where step 7 puts the folder of 1.2. */
export const OLD_APIGEECTL_HOME = toScript('"${APIGEECTL_HOME}-1.2"');
export const OLD_APIGEECTL = toScript('"${APIGEECTL_HOME}-1.2/apigeectl"');

/** Runs a command again until it succeeds; after the last try the whole fails. */
export const waitFor = (command: string, tries: number, seconds: number): string =>
  `tries=0
until ${command}; do
  tries=$((tries + 1))
  [ "$tries" -lt ${tries} ] || break
  sleep ${seconds}
done
[ "$tries" -lt ${tries} ] || { echo 'Not ready: look before you go on.' >&2; false; }`;

const READY_TRIES = 90;
const READY_SECONDS = 10;

/** Waits for all containers, 15 minutes at most. */
export const waitReady = (file: Script): string =>
  waitFor(sh`${APIGEECTL} check-ready -f ${file}`, READY_TRIES, READY_SECONDS);

/** Writes a script that later steps run. No value has a line feed, so none can end it. */
export const buildScriptFile = (name: string, lines: string, text: string): Command =>
  run(`cat > ${name} <<'END_OF_SCRIPT'\n#!/bin/sh\n${lines}\nEND_OF_SCRIPT`, text);

const SCRIPT_FILE = /^cat > (\S+) <<'END_OF_SCRIPT'\n([\s\S]*\n)END_OF_SCRIPT$/;

/** The script that such a command writes; undefined for any other. */
export function parseScriptFile(command: string): { name: string; content: string } | undefined {
  const [, name, content] = SCRIPT_FILE.exec(command) ?? [];
  return name === undefined || content === undefined ? undefined : { name, content };
}

/** Makes a file or folder, unless it is there already: an outcome of before is never written over. */
export const guardExistingFile = (file: string, command: string): string => `if [ -e ${file} ]; then
  echo 'There is one already, and it stays as it is:' >&2
  ls -ld -- ${file} >&2
else
  ${command}
fi`;

/** How a command begins that removes something of 1.2: it does nothing by itself. */
export const IF_REMOVAL_ALLOWED = 'if [ "${CLEAN_UP-}" = yes ]; then';

/** From here on the groups of the old file are in the organization. */
const FIRST_STEP_WITH_GROUPS = 4;

/** Gathers the facts again and judges all conditions up to a step. */
export function buildVerifyCommand(context: PlanContext, step: number): Command {
  const { migrateOptions } = context;
  const production = isTrial(context) ? false : migrateOptions.production;
  const given =
    step < FIRST_STEP_WITH_GROUPS
      ? formatMigrateFlags(production === undefined ? {} : { production })
      : toScript(
          sh` --overrides ${getOldAppliedFile(context)}${formatMigrateFlags(production === undefined ? migrateOptions : { ...migrateOptions, production })}`,
        );
  return run(sh`sh facts.sh && sightline hybrid verify facts.json --step ${String(step)}${given}`);
}

/** `apply` of one scope: dry run, the real run, the wait. */
export function buildApplyCommands({ dryRun }: PlanContext, scope: Script, file: Script): readonly Command[] {
  return [
    run(sh`${APIGEECTL} apply -f ${file} ${scope} --dry-run=${dryRun}`, 'A dry run. Stop on any error.'),
    run(sh`${APIGEECTL} apply -f ${file} ${scope}`),
    run(waitReady(file)),
  ];
}

/** The files as they are written and kept, variables in them. */
export const getOldFile = ({ options }: PlanContext): Script => quoteFileName(options.fileName);
export const getNewFile = ({ options }: PlanContext): Script => quoteFileName(options.newFileName);
/** The files that apigeectl gets. */
export const getOldAppliedFile = (context: PlanContext): Script => quoteFileName(context.oldApplied);
export const getNewAppliedFile = (context: PlanContext): Script => quoteFileName(context.newApplied);
export const formatSeedFileName = (context: PlanContext): Script => quoteFileName(context.seedFileName);

/** The flags that give the options of a migration again, each after a space. */
export function formatMigrateFlags(options: MigrateOptions): Script {
  const valued = [
    ...Object.entries(options.groups ?? {}).map(([old, name]) => ['--group', `${old}=${name}`] as const),
    ['--instance-id', options.instanceId] as const,
    ['--region', options.region] as const,
    ['--connect-agent-sa', options.connectAgentServiceAccountPath] as const,
    ['--metrics-sa', options.metricsServiceAccountPath] as const,
    ['--watcher-sa', options.watcherServiceAccountPath] as const,
  ];
  const words = valued.flatMap(([flag, value]) => (value === undefined ? [] : [formatFlag(flag, value)]));
  if (options.enableConnect === true) words.push('--enable-connect');
  if (options.production !== undefined) words.push(options.production ? '--production' : '--no-production');
  return toScript(words.map((word) => ` ${word}`).join(''));
}

/** A value that looks like an option itself is joined to its flag. */
const formatFlag = (flag: string, value: string): string =>
  value.startsWith('-') ? sh`${`${flag}=${value}`}` : sh`${toScript(flag)} ${value}`;
