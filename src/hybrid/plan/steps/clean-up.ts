import {
  byHand,
  NEW_POD,
  newFile,
  OLD_APIGEECTL,
  OLD_APIGEECTL_HOME,
  oldFile,
  ringHas,
  run,
  waitReady,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import { script, sh } from '../shell.ts';
import { oldNodesLeave } from './datastore.ts';
import { probes } from './probes.ts';
import type { StepContent } from './step.ts';

/** Of the tool of 1.2 (`-c`), without cassandra: its nodes leave the ring first. */
const OLD_COMPONENTS = 'runtime,synchronizer,udca,mart,metrics,logger';

/** A pasted removal does nothing by itself. */
const confirmed = (command: string): string => `if [ "\${CLEAN_UP-}" = yes ]; then
${command}
else
  echo 'CLEAN_UP is not yes: nothing is removed.' >&2
fi`;

export const cleanUp = (context: PlanContext): StepContent => ({
  id: 'clean-up',
  title: 'Remove 1.2',
  why: 'The point of no return: up to here every step can be undone, after it only a backup can be restored. Wait until 1.3 has carried all traffic for days, with a peak among them, and until someone who may decide it has said yes.',
  commands: [
    byHand('The removals below do nothing until you set CLEAN_UP=yes in this shell.'),
    run(
      confirmed(sh`${OLD_APIGEECTL} delete -f ${oldFile(context)} -c ${OLD_COMPONENTS}`),
      'The stateless parts of 1.2. Never delete --all: it takes the foundations of 1.3 as well.',
    ),
    ...context.environments.flatMap((name) => probes(context, name)),
    run(
      confirmed(oldNodesLeave(context)),
      'The old Cassandra nodes hand their data over and leave, one at a time; it stops when the ring is not as it must be.',
    ),
    run(
      confirmed(sh`${script(ringHas(context, NEW_POD, String(context.cassandraReplicas)))} &&
  ${OLD_APIGEECTL} delete -f ${oldFile(context)} -c cassandra`),
      'Deletes the old nodes only after they have left. If the count is not right yet, look at the ring and try again.',
    ),
    run(
      sh`kubectl get pvc -n ${context.namespace}`,
      'Delete the claims whose names end in apigee-cassandra- and a number, by name; those with apigee-cassandra-default- hold the data of 1.3.',
    ),
    run(
      `kubectl get deployments -n istio-system -o json |
  jq -r '.items[] | select(any(.spec.template.spec.containers[]; .image | test(":1\\\\.4\\\\.6"))) | .metadata.name'`,
      'What is left of mesh 1.4.6. Remove each with its service and autoscaler, by the manual of the new mesh.',
    ),
  ],
  check: {
    commands: [
      run(waitReady(newFile(context))),
      run(ringHas(context, NEW_POD, String(context.cassandraReplicas))),
      run(sh`kubectl get pods,statefulsets,pvc -n ${context.namespace}`),
      ...context.environments.flatMap((name) => probes(context, name)),
    ],
    expect: `All containers are ready, the number of nodes in the ring is ${context.cassandraReplicas}, the new ones, all UN, nothing of 1.2 is listed, and every probe is answered as before.`,
  },
  undo: [
    byHand(
      'There is no undo. What remains is to restore: the tools and overrides file of step 1, an installation of 1.2 with them, and the backup of Cassandra in CASSANDRA_BACKUP. What was written since that backup is lost.',
    ),
    run(
      sh`mkdir -p ${OLD_APIGEECTL_HOME} && tar -xzf "\${APIGEECTL_HOME}-1.2-backup.tar.gz" -C ${OLD_APIGEECTL_HOME}`,
      'The tools of 1.2 from the backup.',
    ),
  ],
});
