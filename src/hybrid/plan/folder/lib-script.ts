import { CURL } from '../commands.ts';

/** What a command of the plan calls, in place of the whole of `CURL`. */
export const API_FUNCTION = 'call_api';

const HEAD = `# Shared by the scripts in steps/ and undo/. It is read by them, not run by itself.
# usage of each script: sh SCRIPT [--from NUMBER]    all commands, or those from a number on; then the checks
#                       sh SCRIPT --check            the checks alone
PLAN_DIR=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 2
PLAN_SCRIPT=$0 PLAN_FROM=1 PLAN_ONLY='' PLAN_NUMBER=0 PLAN_FAILED=0
case "\${1-}" in
  '') ;;
  --check) PLAN_ONLY=check ;;
  --from) PLAN_FROM=\${2:?a number} ;;
  *) echo "usage: sh $0 [--from NUMBER | --check]" >&2 && exit 2 ;;
esac`;

const FUNCTIONS = `# Calls the management API as the operator who is logged in to gcloud.
${API_FUNCTION}() { ${CURL.script} "$@"; }

# say LINE...: what the next command does.
say() { printf '\\n' && printf '# %s\\n' "$@"; }

# at NUMBER LINE...: whether the command of this number is to be run.
at() {
  PLAN_NUMBER=$1 && shift
  [ -z "$PLAN_ONLY" ] && [ "$PLAN_NUMBER" -ge "$PLAN_FROM" ] || return 1
  [ $# -gt 0 ] || set -- ''
  printf '\\n# [%s] %s\\n' "$PLAN_NUMBER" "$1"
  shift
  [ $# -eq 0 ] || printf '#     %s\\n' "$@"
}

# passed STATUS: goes on, or stops and says how to go on.
passed() {
  [ "$1" -eq 0 ] && return 0
  echo "Command $PLAN_NUMBER of $PLAN_SCRIPT failed with status $1. Look before you go on." >&2
  echo "Again: sh $PLAN_SCRIPT --from $PLAN_NUMBER    Without it: sh $PLAN_SCRIPT --from $((PLAN_NUMBER + 1))" >&2
  exit 1
}

# by_hand: something that no command can do. NAME=VALUE sets a variable for the rest of the script.
by_hand() {
  [ "\${PLAN_YES-}" = yes ] && return 0
  while printf 'By hand. Enter when it is done, NAME=VALUE to set a variable: ' && read -r answer </dev/tty; do
    case $answer in
      '') return 0 ;;
      [A-Z]*=*) case \${answer%%=*} in *[!A-Z0-9_]*) ;; *) export "\${answer%%=*}=\${answer#*=}" ;; esac ;;
    esac
  done
  echo 'There is no terminal to ask on. PLAN_YES=yes says that everything by hand is done.' >&2
  exit 1
}

# checked STATUS: remembers a check that failed, and goes on to the next.
checked() {
  [ "$1" -eq 0 ] || { PLAN_FAILED=$((PLAN_FAILED + 1)) && echo "NOT AS IT MUST BE (status $1)" >&2; }
}

# copy_script NAME: puts a script of the plan where the commands look for it.
copy_script() { [ "$PLAN_DIR" = "$(pwd -P)" ] || cat -- "$PLAN_DIR/$1" > "$1"; }

# finish LINE...: the end of the checks.
finish() {
  say 'Must be seen:' "$@"
  [ "$PLAN_FAILED" -eq 0 ] || echo "$PLAN_FAILED check(s) failed." >&2
  [ "$PLAN_FAILED" -eq 0 ]
  exit
}`;

/** What all scripts share. @param setup the commands that belong at the beginning of every shell */
export const formatLibScript = (setup: readonly string[]): string =>
  `${[HEAD, FUNCTIONS, '# Every variable of the plan must be set: see plan.md.', ...setup.map((command) => `${command} || exit 2`)].join('\n\n')}\n`;
