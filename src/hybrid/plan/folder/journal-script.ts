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

# last_answer NAME [UNDO]: what was answered last. With the number of a step: in its undo that is under way, and no other.
last_answer() {
  read_journal | awk -v start="answer $1=" -v undo="\${2-}" '
    NF == 3 && $2 == undo && $3 == "undoing" && !within { within = 1; value = "" }
    NF == 3 && $2 == undo && $3 != "undoing" { within = 0 }
    { sub(/^[^ ]* [^ ]* /, "") }
    index($0, start) == 1 { value = substr($0, length(start) + 1) }
    END { if (undo == "" || within) print value }'
}

is_removal_begun() { read_journal | grep -q "^[^ ]* $PLAN_LAST removed\\$"; }

# Comes right before a command that removes something of 1.2.
note_removal() { is_removal_begun || note removed; }

# script_of KIND STEP: its path, as a command would have it.
script_of() { for file in "$PLAN_DIR/$1/$2"-*.sh; do printf "sh '%s'" "$file"; done; }`;
