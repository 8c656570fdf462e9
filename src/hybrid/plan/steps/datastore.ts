import {
  buildApplyCommands,
  buildManualCommand,
  getNewAppliedFile,
  run,
  formatSeedFileName,
  waitReady,
  APIGEECTL,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { NEW_POD, formatNodetoolCommand, OLD_POD, formatRingCheck } from '../ring.ts';
import { toScript, sh } from '../shell.ts';
import { buildJoinStopCommands, formatNewNodesDecommission } from './leaving.ts';
import type { StepContent } from './step.ts';

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
    run(
      sh`kubectl get pvc -n ${context.namespace}`,
      'Delete the claims whose names end in apigee-cassandra-default- and a number, by name. Never by label: the old nodes have the same.',
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
  ],
  check: {
    commands: [...buildJoinedRingChecks(context), run(sh`rm -f -- ${formatSeedFileName(context)}`)],
    expect: `Still ${describeNodeCount(context)}, all UN, after the restart of the new ones. Then the temporary copy is deleted.`,
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
