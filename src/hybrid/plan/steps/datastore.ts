import {
  buildApplyCommands,
  buildManualCommand,
  getNewAppliedFile,
  run,
  formatSeedFileName,
  waitReady,
  APIGEECTL,
  waitFor,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command, StepContent } from '../plan.ts';
import { NEW_POD, formatNodetoolCommand, OLD_POD, formatRingCheck } from '../ring.ts';
import { toScript, sh } from '../shell.ts';

const DATASTORE = toScript('--datastore');

const describeNodeCount = ({ cassandraReplicas }: PlanContext): string =>
  cassandraReplicas === undefined
    ? 'twice as many nodes as 1.2 has'
    : `${2 * cassandraReplicas} nodes, as the file says`;

/** The nodes of both versions, seen from one of 1.3. */
const buildJoinedRingChecks = (context: PlanContext): readonly Command[] => [
  run(formatNodetoolCommand(context, NEW_POD, 'status')),
  run(formatRingCheck('both', NEW_POD)),
];

/** Fresh each time: a pod that restarts has another address. What an earlier run wrote is not left to be applied. */
const formatSeedHostCommand = (context: PlanContext): string =>
  sh`rm -f -- ${formatSeedFileName(context)} &&
  OLD_CASSANDRA_IP=$(kubectl get pod ${toScript(OLD_POD)} -n ${context.namespace} -o jsonpath='{.status.podIP}') &&
  echo "\${OLD_CASSANDRA_IP:?}" &&
  sightline hybrid seed-host ${getNewAppliedFile(context)} --set "\${OLD_CASSANDRA_IP:?}" -o ${formatSeedFileName(context)} --force`;

export const buildDatastoreStep = (context: PlanContext): StepContent => ({
  id: 'datastore',
  title: 'Let new Cassandra nodes join the ring of 1.2',
  why: 'With the address of an old node as external seed the new nodes join its ring and take over its data. The address is set in a temporary copy, never in the new overrides file itself.',
  commands: [
    run(formatRingCheck('up', OLD_POD), 'Every node of the ring must be UN, in one data center.'),
    run(
      formatSeedHostCommand(context),
      'The address of a node of 1.2, and a copy of the new file with it. If that pod restarts before step 11 it has another address: repeat from here.',
    ),
    ...buildApplyCommands(context, DATASTORE, formatSeedFileName(context)),
  ],
  check: {
    commands: buildJoinedRingChecks(context),
    expect: `One data center with ${describeNodeCount(context)}, old and new, all UN. A node in state UJ is still joining: wait, with much data for hours. Go on only when no node joins any more.`,
  },
  undo: [
    buildManualCommand('Only while all traffic is on 1.2. One node at a time, and only while all the others are UN.'),
    run(
      sh`sh ring.sh ${toScript(OLD_POD)}; kubectl get pods,statefulsets -n ${context.namespace}`,
      'Look first. UN: the node has joined, and leaves below. UJ: it is still joining. A new pod with - is not in the ring.',
    ),
    ...buildJoinStopCommands(context),
    run(
      formatNewNodesDecommission(context),
      'Nodes of 1.3 leave the ring, the last pod first. It may be run again: what has left is passed over, and if none has joined it says so.',
    ),
    run(
      sh`if [ -n "\${LOST_HOST_ID-}" ]; then
  ${toScript(formatNodetoolCommand(context, OLD_POD, 'removenode "$LOST_HOST_ID"'))}
else
  echo 'LOST_HOST_ID is not set: no lost node is removed.' >&2
fi`,
      'Only for a new node that is DN and whose pod cannot come back: set LOST_HOST_ID to its Host ID in nodetool status, while all others are UN, then let the others leave as above.',
    ),
    run(
      sh`${toScript(formatRingCheck('old', OLD_POD))} &&
  ${APIGEECTL} delete -f ${getNewAppliedFile(context)} --datastore`,
      'Deletes the new nodes only when none of them is in the ring.',
    ),
    run(sh`kubectl get pvc -n ${context.namespace}`, 'The claims.'),
    buildManualCommand(
      'Delete the claims whose names end in apigee-cassandra-default- and a number, by name. Never by label: the old nodes have the same. A new node that finds such a claim again cannot join the ring a second time.',
    ),
    run(formatRingCheck('old', OLD_POD)),
    run(sh`rm -f -- ${formatSeedFileName(context)}`),
  ],
});

/** The key itself, also in braces or quotes; not in a comment. */
const SEED_KEY = toScript(`'^([^#]*[{,])?[[:space:]]*["'\\'']?externalSeedHost["'\\'']?[[:space:]]*:'`);

export const buildRingStep = (context: PlanContext): StepContent => ({
  id: 'ring',
  title: 'Take the external seed away again',
  why: 'A seed that points to a node of 1.2 would keep new nodes from starting once that node is gone.',
  commands: [
    run(
      sh`! grep -nE ${SEED_KEY} ${getNewAppliedFile(context)}`,
      'The new overrides file never had it: nothing may be printed.',
    ),
    ...buildApplyCommands(context, DATASTORE, getNewAppliedFile(context)),
    run(sh`rm -f -- ${formatSeedFileName(context)}`, 'The temporary copy. The undo makes a new one.'),
  ],
  check: {
    commands: buildJoinedRingChecks(context),
    expect: `Still ${describeNodeCount(context)}, all UN, after the restart of the new ones.`,
  },
  undo: [
    run(
      sh`${toScript(formatSeedHostCommand(context))} &&
  ${APIGEECTL} apply -f ${formatSeedFileName(context)} --datastore`,
      'The state of step 9 again.',
    ),
    run(waitReady(formatSeedFileName(context))),
  ],
});

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
