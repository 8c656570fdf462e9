/** What was begun, done and undone, in the folder of work: days, shells and people pass during an upgrade. */
export const JOURNAL = `# The journal has one line for each event: its time, the step, and one of
#   begun, ran (all its commands), done (its checks too), undoing, undone,
#   removed (by the last step, before it removes anything), cluster UID, answer NAME=VALUE,
#   ingress ADDRESS (by the step that moves the traffic, before it is begun: the INGRESS_IP that 1.2 has).

# note EVENT [VALUE]: adds a line.
note() {
  printf '%s %s %s\\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$PLAN_STEP" "$*" >> "$PLAN_JOURNAL" ||
    refuse "The journal $PLAN_JOURNAL cannot be written."
}

# read_journal: all of it, or nothing where there is none yet.
read_journal() { [ ! -e "$PLAN_JOURNAL" ] || cat -- "$PLAN_JOURNAL"; }

# state_of STEP: begun, ran, done, undoing, undone or nothing.
state_of() { read_journal | sed -nE "s/^[^ ]* $1 (begun|ran|done|undoing|undone)\\$/\\\\1/p" | tail -n 1; }

# The cluster that step 0 wrote down, unless that was undone since, and all later steps with it.
bound_cluster() {
  read_journal | awk -v first="$PLAN_FIRST" '
    NF == 3 && $2 != first && $3 != "removed" { at[$2] = $3 }
    NF == 3 && $2 == first && $3 == "undone" {
      left = 0
      for (step in at) if (at[step] != "undone") left++
      if (!left) uid = ""
    }
    NF == 4 && $3 == "cluster" { uid = $4 }
    END { print uid }'
}

# last_answer NAME [STEP]: what was answered last. With the number of a step: since that was undone, and not in its undo.
last_answer() {
  read_journal | awk -v start="answer $1=" -v step="\${2-}" '
    NF == 3 && $2 == step { undoing = ($3 == "undoing") }
    NF == 3 && $2 == step && $3 == "undone" { value = "" }
    undoing && $2 == step { next }
    { sub(/^[^ ]* [^ ]* /, "") }
    index($0, start) == 1 { value = substr($0, length(start) + 1) }
    END { print value }'
}

# find_ingress WHICH: the address of the ingress by the journal, of this attempt of the step that moves the traffic:
#   old (of before it), new (answered in it) or undo (answered in its undo that is under way).
find_ingress() {
  read_journal | awk -v which="$1" -v step="$PLAN_TRAFFIC" -v start='answer INGRESS_IP=' '
    NF == 3 && $2 == step {
      if ($3 == "undone") { moving = 0; value["old"] = value["new"] = "" } else moving = 1
      if ($3 != "undoing" || !undoing) value["undo"] = ""
      undoing = ($3 == "undoing")
    }
    { own = ($2 == step); sub(/^[^ ]* [^ ]* /, "") }
    own && index($0, "ingress ") == 1 { value["old"] = substr($0, 9) }
    index($0, start) == 1 { value[moving ? (undoing && own ? "undo" : "new") : "old"] = substr($0, length(start) + 1) }
    END { print value[which] }'
}

# A last step that ran to its end removed 1.2, by its commands or by hand.
is_removal_begun() { read_journal | grep -qE "^[^ ]* $PLAN_LAST (removed|ran|done)\\$"; }

# Comes right before a command that removes something of 1.2.
note_removal() { is_removal_begun || note removed; }

# What was answered by hand in an earlier script holds on. Once traffic went back, steps begin with the environment again.
take_answers() {
  for name in INGRESS_IP CASSANDRA_BACKUP; do
    case $name-$PLAN_KIND-$PLAN_STEP in
      "INGRESS_IP-undo-$PLAN_TRAFFIC")
        take_old_ingress
        continue ;;
      INGRESS_IP-step-*) answer=$(last_answer "$name" "$PLAN_TRAFFIC") ;;
      *) answer=$(last_answer "$name") ;;
    esac
    [ -n "$answer" ] || continue
    export "$name=$answer"
    echo "$name=$answer, as answered before (in $PLAN_JOURNAL)." >&2
  done
}

# Before traffic goes back, the address in use is that of 1.3, in the environment too, and its answers prove nothing of 1.2.
take_old_ingress() {
  if [ -n "\${OLD_INGRESS_IP-}" ]; then
    answer=$OLD_INGRESS_IP source='from OLD_INGRESS_IP'
  elif answer=$(find_ingress undo) && [ -n "$answer" ]; then
    source="as answered in this undo (in $PLAN_JOURNAL)"
  else
    answer=$(find_ingress old) source="as before step $PLAN_STEP (in $PLAN_JOURNAL)"
  fi
  [ -n "$answer" ] || return 0
  export "INGRESS_IP=$answer"
  echo "INGRESS_IP=$answer, $source: it must be the ingress of 1.2. Another one: OLD_INGRESS_IP=ADDRESS sh $PLAN_SCRIPT" >&2
}

# That both versions have one address, only the operator can say.
guard_ingress() {
  [ -z "\${OLD_INGRESS_IP-}$(find_ingress undo)" ] || return 0
  old=$(find_ingress old)
  [ -n "$old" ] ||
    refuse "The journal has no INGRESS_IP of before step $PLAN_STEP, and that of now may be the ingress of 1.3. Nothing was done." \\
      "Name the ingress of 1.2: OLD_INGRESS_IP=ADDRESS sh $PLAN_SCRIPT"
  [ "$old" != "$(find_ingress new)" ] ||
    refuse "Step $PLAN_STEP moved the traffic to $old, which was INGRESS_IP before it too: probes of it may prove nothing of 1.2. Nothing was done." \\
      "Name the ingress of 1.2, also if both versions have this address: OLD_INGRESS_IP=ADDRESS sh $PLAN_SCRIPT"
}

# Comes before the step that moves the traffic is begun: its undo takes this address.
note_ingress() {
  [ "$PLAN_STEP-$PLAN_FROM" = "$PLAN_TRAFFIC-1" ] || return 0
  case $(state_of "$PLAN_STEP") in '' | undone) note ingress "$INGRESS_IP" ;; esac
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
