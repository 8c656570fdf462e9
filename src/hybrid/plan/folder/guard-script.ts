/** What must hold before a script does anything: the right cluster, the right order, the right tools, and no other run. */
export const GUARDS = `refuse() {
  printf '%s\\n' "$@" >&2
  exit 2
}

# begin KIND STEP COMMANDS TOOL: step or undo; how many commands it has; the apigeectl that they need (1.2, 1.3.6 or any).
begin() {
  PLAN_KIND=$1 PLAN_STEP=$2
  [ "$PLAN_FROM" -le $(($3 + 1)) ] || refuse "$PLAN_SCRIPT has $3 command(s): there is no command $PLAN_FROM."
  [ "$1" = step ] || [ -z "$PLAN_ONLY" ] || refuse "An undo has no $PLAN_ONLY: sh $PLAN_SCRIPT [--from NUMBER]"
  [ ! -e "$PLAN_JOURNAL" ] || [ -r "$PLAN_JOURNAL" ] || refuse "The journal $PLAN_JOURNAL cannot be read: work as the user who wrote it."
  guard_kubectl
  guard_cluster
  take_answers
  if [ "$PLAN_ONLY" = check ]; then
    PLAN_SEEN=$(read_journal)
    return 0
  fi
  take_lock
  guard_clean_up
  [ "$1" = step ] || guard_undo
  # The undo of step 0 clears the cluster, which all other undos need: it comes after them in any case.
  if [ "\${PLAN_ANYWAY-}" = yes ] && [ "$1-$2" != "undo-$PLAN_FIRST" ]; then
    echo 'PLAN_ANYWAY is yes: the order of the steps is not checked.' >&2
  else
    "guard_$1_order"
  fi
  [ "$PLAN_ONLY" = 'done' ] || guard_tool "$4"
  [ "$1-$2" != "undo-$PLAN_TRAFFIC" ] || guard_ingress
  bind_cluster
  if [ "$PLAN_ONLY" = 'done' ]; then
    note 'done'
    echo "Step $PLAN_STEP is taken for done."
    exit 0
  fi
  if [ "$1" = step ]; then
    note_ingress
    note begun
    # What --from leaves out of the removals may have been done by hand.
    [ "$2" != "$PLAN_LAST" ] || [ "$PLAN_FROM" = 1 ] || note_removal
  else
    note undoing
    [ "$2" != "$PLAN_TRAFFIC" ] || [ -z "\${OLD_INGRESS_IP-}" ] || note answer "INGRESS_IP=$INGRESS_IP"
  fi
}

# What --dry-run takes differs between versions, and a wrong word makes a dry run a real one or none.
guard_kubectl() {
  minor=$(kubectl version --client -o json 2> /dev/null < /dev/null | jq -nr 'input.clientVersion.minor | gsub("[^0-9]"; "")') ||
    refuse 'kubectl does not say its version.'
  if [ "\${minor:-0}" -ge "$PLAN_FIRST_CLIENT" ]; then dry_run=client; else dry_run=true; fi
  [ "$dry_run" = "$PLAN_DRY_RUN" ] ||
    refuse "This is kubectl 1.$minor, and the plan has --dry-run=$PLAN_DRY_RUN: make a new plan with --kubectl 1.$minor."
}

# Another shell may change the context at any time: checked before each command.
guard_context() {
  context=$(kubectl config current-context 2> /dev/null < /dev/null)
  [ "$context" = "$KUBE_CONTEXT" ] ||
    refuse "kubectl is not at $KUBE_CONTEXT but at \${context:-no context}. Nothing is done there."
}

# A context is a name only; a cluster has a UID.
guard_cluster() {
  guard_context
  cluster=$(kubectl get namespace kube-system -o 'jsonpath={.metadata.uid}' < /dev/null) || cluster=''
  [ -n "$cluster" ] ||
    refuse "The cluster of $KUBE_CONTEXT does not answer, so nothing says that it is the right one. Nothing was done."
  known=$(bound_cluster)
  if [ -n "$known" ]; then
    [ "$cluster" = "$known" ] ||
      refuse "The context $KUBE_CONTEXT leads to another cluster ($cluster) than at step 0 ($known). Nothing was done." \\
        "If that of step 0 was the wrong one: undo the steps there, the last one first, down to $(script_of undo "$PLAN_FIRST")"
  elif [ "$PLAN_STEP" != "$PLAN_FIRST" ] || { [ "$PLAN_KIND" = undo ] && [ "$(state_of "$PLAN_STEP")" != undone ]; }; then
    refuse "$PLAN_JOURNAL does not say which cluster this plan is for: work in the folder of step 0, or begin with step 0."
  fi
}

# Step 0 writes down which cluster the plan is for.
bind_cluster() {
  known=$(bound_cluster)
  [ "$cluster" != "$known" ] && [ "$PLAN_KIND" = step ] || return 0
  [ -z "$known" ] || refuse "Step 0 was run at another cluster just now ($known). Nothing was done."
  echo "The cluster of this plan is from now on that of the context $KUBE_CONTEXT: $cluster." >&2
  note cluster "$cluster"
}

# The last step is the point of no return. Its checks alone remove nothing.
guard_clean_up() {
  [ "$PLAN_KIND-$PLAN_STEP" != "step-$PLAN_LAST" ] || [ "\${CLEAN_UP-}" = yes ] ||
    refuse "Step $PLAN_LAST removes 1.2, and after it there is no way back but the backups. Nothing was done." \\
      "If the one who may decide it has agreed: CLEAN_UP=yes sh $PLAN_SCRIPT"
}

# What must hold of an undo in any order. Without 1.2 it takes away what serves now. Its first commands bring 1.2 back, or
# prove that it serves, before later ones take 1.3 away.
guard_undo() {
  [ "$PLAN_STEP" = "$PLAN_LAST" ] || ! is_removal_begun ||
    refuse "The removal of 1.2 was begun (step $PLAN_LAST): without 1.2 this undo would take away what serves now." \\
      'Only the backups help from here on.'
  case $PLAN_FROM-$(state_of "$PLAN_STEP") in
    1-* | *-undoing) ;;
    *) refuse "The undo of step $PLAN_STEP was not begun: run it without --from." ;;
  esac
}

# A step comes after all before it are done, and before any after it is begun.
guard_step_order() {
  order=before
  for number in $PLAN_STEPS; do
    state=$(state_of "$number")
    if [ "$number" = "$PLAN_STEP" ]; then
      order=after
      [ "$state" != undoing ] || refuse "The undo of step $number was begun: end it first. $(script_of undo "$number")"
      case $PLAN_FROM-$state in 1-* | *-begun | *-ran | *-done) ;; *) refuse "Step $number was not begun: run it without --from." ;; esac
    elif [ "$order" = before ]; then
      [ "$state" = 'done' ] || refuse "Step $number comes before and is not done (\${state:-not begun})." \\
        "Run it: $(script_of steps "$number")    Or, if you know that it is done: $(script_of steps "$number") --done"
    else
      case $state in '' | undone) ;; *) refuse "Step $number comes later ($state): undo it first. $(script_of undo "$number")" ;; esac
    fi
  done
}

# An undo comes after all later steps are undone.
guard_undo_order() {
  order=before
  for number in $PLAN_STEPS; do
    state=$(state_of "$number")
    if [ "$number" = "$PLAN_STEP" ]; then
      order=after
      case $state in
        '' | undone)
          # A run that was cut off at once left the cluster alone.
          [ "$number" = "$PLAN_FIRST" ] && [ -n "$known" ] || {
            echo "Step $number is \${state:-not begun}: there is nothing to undo."
            exit 0
          } ;;
      esac
    elif [ "$order" = after ]; then
      case $state in '' | undone) ;; *) refuse "Step $number comes later ($state): undo it first. $(script_of undo "$number")" ;; esac
    fi
  done
}

# Each version of apigeectl can handle its own resources only.
guard_tool() {
  case $1 in
    any) return 0 ;;
    1.2) pattern='1[.]2[.][0-9]' ;;
    *) pattern='1[.]3[.]6' ;;
  esac
  "$APIGEECTL_HOME/apigeectl" version 2> /dev/null < /dev/null | grep -qE "(^|[^0-9.])$pattern" ||
    refuse "$APIGEECTL_HOME/apigeectl does not say that it is version $1. Nothing was done."
}`;
