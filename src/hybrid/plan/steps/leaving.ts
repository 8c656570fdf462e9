import { run, waitFor } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { NEW_POD, formatNodetoolCommand, OLD_POD, formatRingCheck } from '../ring.ts';
import { toScript, sh } from '../shell.ts';

/** A node that has left stays in the list for a moment. */
const LEFT_TRIES = 30;
const LEFT_SECONDS = 10;

/**
 * The pods of one version leave the ring, the last first, as ring.sh lists them. Only the ring says how far it is: a node
 * that has left is passed over, so it can be run again after a dropped connection; before each, all others must be UN.
 */
const formatNodesDecommission = (context: PlanContext, kind: 'old' | 'new', seenFrom: string): string => {
  const mayLeave = `${formatRingCheck(`${kind}-may-leave`, seenFrom)} </dev/null`;
  return `failed=
nodes=$(${mayLeave}) || failed='the ring: look at the line with NO'
printf '%s\\n' "$nodes"
printf '%s\\n' "$nodes" | {
  left=0
  while read -r version pod address found; do
    [ -z "$failed" ] && [ "$version" = ${kind} ] || continue
    if [ "$found" = - ]; then
      echo "$pod is not in the ring."
      continue
    fi
    failed=$pod
    left=$((left + 1))
    ${waitFor(`${mayLeave} > /dev/null`, LEFT_TRIES, LEFT_SECONDS)} && {
      echo "$pod leaves."
      ${formatNodetoolCommand(context, '"$pod"', 'decommission')} </dev/null || echo 'The command was cut off: the ring says whether the node leaves.' >&2
      ${waitFor(`sh ring.sh ${seenFrom} gone "$address" </dev/null > /dev/null`, LEFT_TRIES, LEFT_SECONDS)} && failed=
    }
  done
  if [ -n "$failed" ]; then
    echo "Stopped at $failed. Look; when all nodes are UN again, run this again." >&2
    false
  elif [ "$left" = 0 ]; then
    echo 'None of these pods is in the ring: nothing had to leave.'
  fi
}`;
};

export const formatOldNodesDecommission = (context: PlanContext): string =>
  formatNodesDecommission(context, 'old', NEW_POD);
export const formatNewNodesDecommission = (context: PlanContext): string =>
  formatNodesDecommission(context, 'new', OLD_POD);

/** A node that is still joining is no member yet and cannot be decommissioned: its pod is taken away. */
export const buildJoinStopCommands = ({ namespace }: PlanContext): readonly Command[] => [
  run(
    sh`if [ -z "\${STOP_JOINING-}" ]; then
  echo 'STOP_JOINING is not set: no pod is stopped.'
elif sh ring.sh ${toScript(OLD_POD)} joining "$STOP_JOINING"; then
  kubectl scale statefulset apigee-cassandra-default -n ${namespace} --replicas="\${STOP_JOINING##*-}" && {
    ${toScript(waitFor(formatRingCheck('up', OLD_POD), LEFT_TRIES, LEFT_SECONDS))}
  }
else
  echo "$STOP_JOINING is not the last new pod, or not UJ: nothing is stopped." >&2
  false
fi`,
    'Only if the look shows a new pod as UJ and you do not want to wait for it: set STOP_JOINING to its name, such as apigee-cassandra-default-1. It must be the last of the new pods. It has no data that others lack. Whether the controller of 1.3 sets the number of replicas back is not known: look again after a minute, and if the pod is back, scale the controller (kubectl get deployments -n apigee-system) to 0 before, and up again before the deletion below. Unset STOP_JOINING afterwards.',
  ),
];
