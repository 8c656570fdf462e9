import {
  APIGEECTL,
  applied,
  byHand,
  joinedRing,
  NEW_POD,
  newFile,
  nodetool,
  oldRing,
  ringHas,
  run,
  seedFile,
  waitFor,
  waitReady,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { script, sh } from '../shell.ts';
import type { StepContent } from './step.ts';

const DATASTORE = script('--datastore');

export const datastore = (context: PlanContext): StepContent => ({
  id: 'datastore',
  title: 'Let new Cassandra nodes join the ring of 1.2',
  why: 'With the address of an old node as external seed the new nodes join its ring and take over its data. The address is set in a temporary copy, never in the new overrides file itself.',
  commands: [
    ...oldRing(context),
    run(
      sh`OLD_CASSANDRA_IP=$(kubectl get pod apigee-cassandra-0 -n ${context.namespace} -o jsonpath='{.status.podIP}')
echo "\${OLD_CASSANDRA_IP:?}"`,
      'The address of a node of 1.2. If that pod restarts before step 11 it has another: take it again and repeat from here.',
    ),
    run(sh`sightline hybrid seed-host ${newFile(context)} --set "\${OLD_CASSANDRA_IP:?}" -o ${seedFile(context)}`),
    ...applied(context, DATASTORE, seedFile(context)),
  ],
  check: {
    commands: joinedRing(context),
    expect: `One data center with ${2 * context.cassandraReplicas} nodes, old and new, all UN. A node in state UJ is still joining: wait, with much data for hours. Go on only when no node joins any more.`,
  },
  undo: newNodesLeave(context),
});

export const ring = (context: PlanContext): StepContent => ({
  id: 'ring',
  title: 'Take the external seed away again',
  why: 'A seed that points to a node of 1.2 would keep new nodes from starting once that node is gone.',
  commands: [
    run(
      sh`! grep -n externalSeedHost ${newFile(context)}`,
      'The new overrides file never had it: nothing may be printed.',
    ),
    ...applied(context, DATASTORE, newFile(context)),
  ],
  check: {
    commands: [...joinedRing(context), run(sh`rm -f -- ${seedFile(context)}`)],
    expect: `Still ${2 * context.cassandraReplicas} nodes, all UN, after the restart of the new ones. Then the temporary copy is deleted.`,
  },
  undo: [
    run(
      sh`sightline hybrid seed-host ${newFile(context)} --set "\${OLD_CASSANDRA_IP:?}" -o ${seedFile(context)} &&
  ${APIGEECTL} apply -f ${seedFile(context)} --datastore`,
      'The state of step 9 again.',
    ),
    run(waitReady(seedFile(context))),
  ],
});

/** From the last to the first, as a StatefulSet is scaled down; stops at the first that fails. */
function newNodesLeave(context: PlanContext): readonly Command[] {
  const { namespace, cassandraReplicas: replicas } = context;
  return [
    byHand('Only while all traffic is on 1.2. One node at a time, and only while all the others are UN.'),
    run(nodesLeave(context, 'apigee-cassandra-default-', 'apigee-cassandra-0', replicas)),
    run(
      sh`${script(ringHas(context, 'apigee-cassandra-0', String(replicas)))} &&
  ${APIGEECTL} delete -f ${seedFile(context)} --datastore`,
      'Deletes the new nodes only after they have left.',
    ),
    run(
      sh`kubectl get pvc -n ${namespace}`,
      'Delete the claims whose names end in apigee-cassandra-default- and a number, by name. Never by label: the old nodes have the same.',
    ),
    ...oldRing(context),
  ];
}

/** A node that has left stays in the list for a moment. */
const LEFT_TRIES = 30;
const LEFT_SECONDS = 10;

/**
 * Decommissions the pods of one version, the last first. Before each the ring must be whole; it stops where it is not.
 * @param stay nodes that are in the ring when all have left
 */
const nodesLeave = (context: PlanContext, pods: string, seenFrom: string, stay: number): string =>
  `node=$((${context.cassandraReplicas} - 1))
while [ "$node" -ge 0 ]; do
  ${waitFor(ringHas(context, seenFrom, `$((${stay} + node + 1))`), LEFT_TRIES, LEFT_SECONDS)} || break
  ${nodetool(context, `"${pods}$node"`, 'decommission')} </dev/null || break
  node=$((node - 1))
done
[ "$node" -lt 0 ] || { echo "Stopped at node $node: look before you go on." >&2; false; }`;

export const oldNodesLeave = (context: PlanContext): string =>
  nodesLeave(context, 'apigee-cassandra-', NEW_POD, context.cassandraReplicas);
