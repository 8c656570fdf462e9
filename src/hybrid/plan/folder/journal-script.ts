/** What was begun, done and undone, in the folder of work: days, shells and people pass during an upgrade. */
export const JOURNAL = `# The journal has one line for each event: its time, the step, and one of
#   begun, ran (all its commands), done (its checks too), undoing, undone,
#   removed (by the last step, before it removes anything), cluster UID, answer NAME=VALUE.

# note EVENT [VALUE]: adds a line.
note() {
  printf '%s %s %s\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$PLAN_STEP" "$*" >> "$PLAN_JOURNAL" ||
    refuse "The journal $PLAN_JOURNAL cannot be written."
}

# read_journal: all of it, or nothing where there is none yet.
read_journal() { [ ! -e "$PLAN_JOURNAL" ] || cat -- "$PLAN_JOURNAL"; }

# state_of STEP: begun, ran, done, undoing, undone or nothing.
state_of() { read_journal | sed -nE "s/^[^ ]* $1 (begun|ran|done|undoing|undone)\\$/\\\\1/p" | tail -n 1; }

# The cluster that step 0 wrote down, unless it was undone since.
bound_cluster() {
  read_journal | awk -v first="$PLAN_FIRST" '
    NF == 3 && $2 == first && $3 == "undone" { uid = "" }
    NF == 4 && $3 == "cluster" { uid = $4 }
    END { print uid }'
}

# last_answer NAME [UNDO [UNDONE]]: what was answered last. With the number of a step: in its undo that is under way, and
# no other. With that of a step that may be undone: since then.
last_answer() {
  read_journal | awk -v start="answer $1=" -v undo="\${2-}" -v undone="\${3-}" '
    NF == 3 && $2 == undo && $3 == "undoing" && !within { within = 1; value = "" }
    NF == 3 && $2 == undo && $3 != "undoing" { within = 0 }
    NF == 3 && $2 == undone && $3 == "undone" { value = "" }
    { sub(/^[^ ]* [^ ]* /, "") }
    index($0, start) == 1 { value = substr($0, length(start) + 1) }
    END { if (undo == "" || within) print value }'
}

is_removal_begun() { read_journal | grep -q "^[^ ]* $PLAN_LAST removed\\$"; }

# Comes right before a command that removes something of 1.2.
note_removal() { is_removal_begun || note removed; }

# What was answered by hand in an earlier script holds on. But before traffic goes back, the address is that of 1.3, whose
# answers prove nothing of 1.2. And once it went back, steps begin with the environment again.
take_answers() {
  for name in INGRESS_IP CASSANDRA_BACKUP; do
    case $name-$PLAN_KIND-$PLAN_STEP in
      "INGRESS_IP-undo-$PLAN_TRAFFIC")
        answer=$(last_answer "$name" "$PLAN_STEP")
        [ -n "$answer" ] ||
          echo "INGRESS_IP=$INGRESS_IP, from the environment and not from earlier answers: it must be the ingress of 1.2." >&2 ;;
      INGRESS_IP-step-*) answer=$(last_answer "$name" '' "$PLAN_TRAFFIC") ;;
      *) answer=$(last_answer "$name") ;;
    esac
    [ -n "$answer" ] || continue
    export "$name=$answer"
    echo "$name=$answer, as answered before (in $PLAN_JOURNAL)." >&2
  done
}

# Two runs at a time would not see each other.
take_lock() {
  (set -C && echo "$$" > "$PLAN_JOURNAL.lock") 2> /dev/null ||
    refuse "Another script of this plan runs here (process $(cat "$PLAN_JOURNAL.lock"))." \\
      "If it does not run any more, because it was killed: rm $PLAN_JOURNAL.lock"
  trap 'rm -f -- "$PLAN_JOURNAL.lock"' EXIT
  trap 'exit 130' HUP INT TERM
}

# script_of KIND STEP: its path, as a command would have it.
script_of() { for file in "$PLAN_DIR/$1/$2"-*.sh; do printf "sh '%s'" "$file"; done; }`;
