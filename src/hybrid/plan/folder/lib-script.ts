import { CURL } from '../commands.ts';
import { formatPlanFileName } from '../context.ts';
import type { UpgradePlan } from '../plan.ts';
import { quoteFileName } from '../shell.ts';
import { FIRST_MINOR_WITH_CLIENT } from '../versions.ts';
import { GUARDS } from './guard-script.ts';
import { JOURNAL } from './journal-script.ts';
import { formatStepNumber } from './step-number.ts';

/** What a command of the plan calls, in place of the whole of `CURL`. */
export const API_FUNCTION = 'call_api';

/** The step that moves the traffic; its undo moves it back. */
const TRAFFIC_STEP = 'components';

const HEAD = `#!/bin/sh
# Shared by the scripts in steps/ and undo/. It is read by them, not run by itself.
# usage of each script: sh SCRIPT [--from NUMBER]    all commands, or those from a number on; then the checks
#                       sh STEP --check              the checks alone
#                       sh STEP --done               takes the step for done, after a look of your own
umask 077
PLAN_DIR=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 2
PLAN_SCRIPT=$0 PLAN_FROM=1 PLAN_ONLY='' PLAN_NUMBER=0 PLAN_FAILED=0
case $PLAN_SCRIPT in *[!A-Za-z0-9_./-]*) PLAN_SCRIPT="'$PLAN_SCRIPT'" ;; esac
case "$#-\${1-}" in
  0-) ;;
  1---check) PLAN_ONLY=check ;;
  1---done) PLAN_ONLY='done' ;;
  2---from) PLAN_FROM=$2 ;;
  *) PLAN_FROM=none ;;
esac
case $PLAN_FROM in
  '' | 0* | *[!0-9]* | ????*) echo "usage: sh $PLAN_SCRIPT [--from NUMBER | --check | --done]" >&2 && exit 2 ;;
esac`;

const FUNCTIONS = `# Calls the management API as the operator who is logged in to gcloud.
${API_FUNCTION}() { ${CURL.script} "$@"; }

# say LINE...: what the next command does.
say() { printf '\\n' && printf '# %s\\n' "$@"; }

# at NUMBER LINE...: whether the command of this number is to be run.
at() {
  PLAN_NUMBER=$1 && shift
  [ -z "$PLAN_ONLY" ] && [ "$PLAN_NUMBER" -ge "$PLAN_FROM" ] || return 1
  guard_context
  [ $# -gt 0 ] || set -- ''
  printf '\\n# [%s] %s\\n' "$PLAN_NUMBER" "$1"
  shift
  [ $# -eq 0 ] || printf '#     %s\\n' "$@"
}

# passed STATUS: goes on, or stops and says how to go on. Later commands may rely on each, so none is left out.
passed() {
  [ "$1" -eq 0 ] && return 0
  echo "Command $PLAN_NUMBER of $PLAN_SCRIPT failed with status $1. Look before you go on." >&2
  echo "Again, when its cause is gone: sh $PLAN_SCRIPT --from $PLAN_NUMBER" >&2
  [ "$PLAN_KIND-$PLAN_STEP" != "undo-$PLAN_TRAFFIC" ] ||
    echo "If $INGRESS_IP is not the ingress of 1.2: OLD_INGRESS_IP=ADDRESS sh $PLAN_SCRIPT --from $PLAN_NUMBER" >&2
  exit 1
}

# by_hand: something that no command can do. NAME=VALUE sets a variable for the rest of the script; later scripts know
# the two that they need.
by_hand() {
  [ "\${PLAN_YES-}" = yes ] && return 0
  while printf 'By hand. Enter when it is done, NAME=VALUE to set a variable: ' && read -r answer </dev/tty; do
    case $answer in
      '') return 0 ;;
      [A-Z]*=*)
        case \${answer%%=*} in
          *[!A-Z0-9_]*) ;;
          INGRESS_IP | CASSANDRA_BACKUP) note answer "$answer" && export "\${answer%%=*}=\${answer#*=}" ;;
          *) export "\${answer%%=*}=\${answer#*=}" ;;
        esac ;;
    esac
  done
  echo 'There is no terminal to ask on. PLAN_YES=yes says that everything by hand is done.' >&2
  exit 1
}

# end_commands: between the commands and the checks.
end_commands() { [ -n "$PLAN_ONLY" ] || note ran; }

# checked STATUS: remembers a check that failed, and goes on to the next.
checked() {
  [ "$1" -eq 0 ] || { PLAN_FAILED=$((PLAN_FAILED + 1)) && echo "NOT AS IT MUST BE (status $1)" >&2; }
}

# copy_script NAME: puts a script of the plan where the commands look for it.
copy_script() { [ "$PLAN_DIR" = "$(pwd -P)" ] || cat -- "$PLAN_DIR/$1" > "$1"; }

# finish LINE...: the end of the checks.
finish() {
  say 'Must be seen:' "$@"
  if [ "$PLAN_FAILED" -gt 0 ]; then
    echo "$PLAN_FAILED check(s) failed. Again: sh $PLAN_SCRIPT --check    If a look of your own says that all is well: sh $PLAN_SCRIPT --done" >&2
    exit 1
  fi
  [ "$PLAN_ONLY" != check ] || guard_promotion
  [ "$(state_of "$PLAN_STEP")" != ran ] || note 'done'
  exit 0
}

# Whether the checks alone make the step one that is done: they held, all its commands ran, and nothing happened meanwhile.
guard_promotion() {
  case $(state_of "$PLAN_STEP") in
    ran) ;;
    begun)
      echo "All is as it must be, but the commands did not run to their end, so the step is not done. Run them: sh $PLAN_SCRIPT [--from NUMBER]" >&2
      echo "If you know that they need not run: sh $PLAN_SCRIPT --done" >&2
      exit 0 ;;
    *) exit 0 ;;
  esac
  take_lock
  [ "$(read_journal)" = "$PLAN_SEEN" ] ||
    refuse "The journal has changed during the checks, so they say nothing of the step as it is now. Again: sh $PLAN_SCRIPT --check"
}

# finish_undo: the end of an undo.
finish_undo() {
  [ "$PLAN_STEP" != "$PLAN_TRAFFIC" ] || note answer "INGRESS_IP=$INGRESS_IP"
  note undone
  say "Step $PLAN_STEP is undone."
}`;

/** What all scripts share. @param setup the commands that belong at the beginning of every shell */
export function formatLibScript(plan: UpgradePlan, setup: readonly string[]): string {
  const names = plan.steps.map(({ number }) => formatStepNumber(number));
  return `${[
    HEAD,
    FUNCTIONS,
    JOURNAL,
    GUARDS,
    '# Every variable of the plan must be set: see plan.md.',
    ...setup.map((command) => `${command} || exit 2`),
    `PLAN_JOURNAL=${quoteFileName(formatPlanFileName('upgrade', plan.org, 'journal')).script} PLAN_STEPS='${names.join(' ')}' PLAN_FIRST=${names[0] ?? ''} PLAN_LAST=${names.at(-1) ?? ''} PLAN_TRAFFIC=${names[plan.steps.findIndex(({ id }) => id === TRAFFIC_STEP)] ?? ''}
PLAN_DRY_RUN=${plan.dryRun} PLAN_FIRST_CLIENT=${FIRST_MINOR_WITH_CLIENT}`,
  ].join('\n\n')}\n`;
}
