import {
  APIGEECTL,
  buildManualCommand,
  getOldAppliedFile,
  getOldFile,
  run,
  buildScriptFile,
  guardExistingFile,
  buildVerifyCommand,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command, Platform, StepContent } from '../plan.ts';
import { OLD_POD, formatRingCheck, buildRingScript } from '../ring.ts';
import { sh } from '../shell.ts';
import { isNeededFirst, listPlanVariables } from '../variables.ts';
import { formatFactsScript } from './facts-script.ts';
import { buildFillCommands, buildFilledCopiesNote, buildOldFileChecks } from './file.ts';
import { probeScript } from './probes.ts';

const PLATFORM_CHECKS: Readonly<Record<Platform, string>> = {
  managed: 'The server is 1.15 or later.',
  'multi-cloud': 'The Anthos version in ANTHOS_VERSION is 1.5 (gkectl version shows it).',
  attached: 'The server is 1.16 or later.',
};

export const buildVersionsStep = (context: PlanContext): StepContent => ({
  id: 'versions',
  title: 'Look at the versions and gather the facts',
  why: `Everything later relies on them. This plan uses --dry-run=${context.dryRun}, as kubectl ${context.options.kubectl} needs it: true up to 1.17, client from 1.18. With another kubectl make a new plan.`,
  commands: [
    ...buildShellSetup(context),
    run(
      'kubectl version -o json',
      `The client must be the kubectl of this plan. ${PLATFORM_CHECKS[context.options.platform]}`,
    ),
    run(sh`${APIGEECTL} version`, 'Must be 1.2.x: an older one is first upgraded to 1.2.'),
    buildScriptFile(
      'facts.sh',
      formatFactsScript(context),
      'Writes facts.sh, which later steps run. It changes nothing in the cluster and replaces facts.json on each run; what it cannot see is left out.',
    ),
  ],
  check: {
    commands: [buildVerifyCommand(context, 0)],
    expect:
      'Every condition of step 0 holds, and verify ends with 0. Conditions of later steps are shown and not counted; unknown means that a condition could not be checked, not that it holds.',
  },
  undo: [run('rm -f facts.sh facts.json', 'Nothing was changed but these files.')],
});

/** The first commands of the first step: every shell begins with them. */
export const SHELL_SETUP_COMMANDS = 4;

const TOOLS = ['sightline', 'kubectl', 'gcloud', 'jq', 'curl', 'openssl', 'tar', 'awk'] as const;

/** Days and shells pass during an upgrade. */
function buildShellSetup(context: PlanContext): readonly Command[] {
  const variables = listPlanVariables(context).map(({ name }) => name);
  const ofFile = new Set(context.fileVariables);
  const needed = variables.filter(isNeededFirst).map((name) => `"\${${name}${ofFile.has(name) ? '' : ':'}?}"`);
  return [
    run(
      `: ${needed.join(' ')} &&
  APIGEECTL_HOME=\${APIGEECTL_HOME%/} &&
  export ${variables.join(' ')}`,
      'First in every shell in which you work on this plan: says which variable is missing, and hands all to the scripts of this plan. Work in one folder, and in another for each organization: the plan keeps files in it.',
    ),
    run(
      `missing=
for tool in ${TOOLS.join(' ')}${ofFile.size > 0 ? ' envsubst' : ''}; do
  command -v "$tool" > /dev/null || missing="$missing $tool"
done
[ -z "$missing" ] || { echo "Not on the path:$missing." >&2; false; }`,
      'The same: the tools that later commands call.',
    ),
    run(
      sh`[ -f ${getOldFile(context)} ] || { echo 'The overrides file is not here: work in the folder in which the plan was made.' >&2; false; }`,
      'The same: names of files are relative to the folder in which the plan was made.',
    ),
    run(
      `[ "$(kubectl config current-context)" = "$KUBE_CONTEXT" ] || { echo "kubectl is not at $KUBE_CONTEXT but at $(kubectl config current-context)." >&2; false; }`,
      'The same, and again after each pause: kubectl and apigeectl act on the cluster of the current context.',
    ),
  ];
}

const TOOLS_BACKUP = '"${APIGEECTL_HOME}-1.2-backup.tar.gz"';
const IS_1_2 = `grep -E '(^|[^0-9.])1[.]2[.][0-9]'`;

export const buildBackupsStep = (context: PlanContext): StepContent => ({
  id: 'backups',
  title: 'Make backups',
  why: 'After the clean-up (step 12) they are the only way back. Until then they are the way back when an undo fails. A backup that is there is never written over, so this step can be run again.',
  commands: [
    run(
      guardExistingFile(
        TOOLS_BACKUP,
        sh`${APIGEECTL} version 2>/dev/null | ${{ script: IS_1_2 }} &&
    tar -czf ${{ script: `${TOOLS_BACKUP}.new` }} -C "$APIGEECTL_HOME" . && mv -- ${{ script: `${TOOLS_BACKUP}.new ${TOOLS_BACKUP}` }}`,
      ),
      'The tools, if they are those of 1.2. What an earlier attempt left stays: delete what is too old, and run this again.',
    ),
    run(
      guardExistingFile(
        sh`${getOldFile(context)}.1.2-backup`,
        sh`cp -- ${getOldFile(context)} ${getOldFile(context)}.1.2-backup.new && mv -- ${getOldFile(context)}.1.2-backup.new ${getOldFile(context)}.1.2-backup`,
      ),
      'The overrides file of 1.2.',
    ),
    ...buildFillCommands(context, getOldFile(context), getOldAppliedFile(context)),
    buildManualCommand(
      'Back up Cassandra as cassandra.backup of your installation does (its CronJob, or a run by hand), wait until the job is complete, and set CASSANDRA_BACKUP to the place of the backup. Know how to restore it: try it elsewhere if you never have.',
    ),
    run(
      guardExistingFile(
        'apigee-1.2-resources.yaml',
        sh`kubectl get all,configmaps,pvc,hpa -n ${context.namespace} -o yaml > apigee-1.2-resources.yaml.new &&
    mv -- apigee-1.2-resources.yaml.new apigee-1.2-resources.yaml`,
      ),
      'What 1.2 consists of now, for comparison. Secrets are not in it.',
    ),
    buildRingScript(context),
    probeScript(context),
    run(
      guardExistingFile(
        'probes-before.txt',
        'sh probes.sh write > probes-before.new && mv probes-before.new probes-before.txt && cat probes-before.txt',
      ),
      'What each host name answers under 1.2: later steps compare with it. It is not written while one gives no answer (000) or an error of the server (5xx).',
    ),
  ],
  check: {
    commands: [
      run(
        `(folder=$(mktemp -d) && trap 'rm -rf -- "$folder"' EXIT &&
  tar -xzf ${TOOLS_BACKUP} -C "$folder" && "$folder/apigeectl" version 2>/dev/null | ${IS_1_2})`,
        'The tool in the backup says its version: 1.2.x.',
      ),
      run(sh`cmp -- ${getOldFile(context)} ${getOldFile(context)}.1.2-backup`),
      ...buildOldFileChecks(context),
      run('[ -n "$CASSANDRA_BACKUP" ] && echo "$CASSANDRA_BACKUP"'),
      run(formatRingCheck('old', OLD_POD)),
      run('[ -s probes-before.txt ]'),
      buildVerifyCommand(context, 1),
    ],
    expect:
      'No error; the backup of Cassandra is of today and complete; every node of the ring is UN. Do not start with a ring that is not. For a trial with fewer than three nodes verify takes --no-production.',
  },
  undo: [
    buildManualCommand('Nothing to undo. Keep the backups until long after step 12.'),
    ...buildFilledCopiesNote(context),
  ],
});
