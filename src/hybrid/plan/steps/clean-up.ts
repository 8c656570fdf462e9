import {
  buildManualCommand,
  IF_REMOVAL_ALLOWED,
  getNewAppliedFile,
  OLD_APIGEECTL,
  OLD_APIGEECTL_HOME,
  getOldAppliedFile,
  run,
  guardExistingFile,
  waitReady,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import { NEW_POD, formatRingCheck } from '../ring.ts';
import { toScript, sh, type Script } from '../shell.ts';
import { buildFilledCopiesNote } from './file.ts';
import { formatOldNodesDecommission } from './datastore.ts';
import { buildAllProbes } from './probes.ts';
import type { StepContent } from '../plan.ts';

/** Of the tool of 1.2 (`-c`), without cassandra: its nodes leave the ring first. */
const OLD_COMPONENTS = 'runtime,synchronizer,udca,mart,metrics,logger';

const UNPACKED = toScript('"${APIGEECTL_HOME:?}-1.2.new"');

/** A pasted removal does nothing by itself. */
const guardRemoval = (command: string): string => `${IF_REMOVAL_ALLOWED}
${command}
else
  echo 'CLEAN_UP is not yes: nothing is removed.' >&2
  false
fi`;

/** Prints what has an image of 1.2. */
const formatLeftoverQuery = ({ namespace }: PlanContext): Script =>
  toScript(sh`kubectl get deployments,statefulsets,daemonsets,cronjobs -n ${namespace} -o json |
  jq -nr 'input.items[] | select([.. | .image? | strings] | any(test("apigee[^:]*:v?1[.]2[.][0-9]"))) | "\\(.kind) \\(.metadata.name)"'`);

export const cleanUp = (context: PlanContext): StepContent => ({
  id: 'clean-up',
  title: 'Remove 1.2',
  why: 'The point of no return: up to here every step can be undone, after it only a backup can be restored. Wait until 1.3 has carried all traffic for days, with a peak among them, and until someone who may decide it has said yes.',
  commands: [
    buildManualCommand(
      'The removals below do nothing until you set CLEAN_UP=yes in this shell; without it, do none by hand either. Set it nowhere else and not before, after the one who may decide it has agreed.',
    ),
    run(
      guardRemoval(sh`${OLD_APIGEECTL} delete -f ${getOldAppliedFile(context)} -c ${OLD_COMPONENTS}`),
      'The stateless parts of 1.2. Never delete --all: it takes the foundations of 1.3 as well.',
    ),
    buildAllProbes(),
    run(
      guardRemoval(formatOldNodesDecommission(context)),
      'The old Cassandra nodes hand their data over and leave, one at a time; it stops when the ring is not as it must be. It may be run again: what has left is passed over.',
    ),
    run(
      guardRemoval(sh`${toScript(formatRingCheck('new', NEW_POD))} &&
  ${OLD_APIGEECTL} delete -f ${getOldAppliedFile(context)} -c cassandra`),
      'Deletes the old nodes only when none of them is in the ring. If the ring is not so yet, look at it and try again.',
    ),
    run(sh`kubectl get pvc -n ${context.namespace}`, 'The claims.'),
    buildManualCommand(
      'Only with CLEAN_UP=yes: delete the claims whose names end in apigee-cassandra- and a number, by name; those with apigee-cassandra-default- hold the data of 1.3.',
    ),
    run(
      formatLeftoverQuery(context).script,
      'What is left of 1.2, such as its Connect agent where the old file had connectAgent.enabled: true.',
    ),
    buildManualCommand(
      'Only with CLEAN_UP=yes: look at each of these and remove it by its name (kubectl delete KIND NAME); which name the agent has is not known here.',
    ),
    run(
      `kubectl get deployments -n istio-system -o json |
  jq -nr 'input.items[] | select(any(.spec.template.spec.containers[]; .image | test(":1\\\\.4\\\\.6"))) | .metadata.name'`,
      'What is left of mesh 1.4.6.',
    ),
    buildManualCommand(
      'Only with CLEAN_UP=yes: remove each of these with its service and autoscaler, by the manual of the new mesh.',
    ),
  ],
  check: {
    commands: [
      run(waitReady(getNewAppliedFile(context))),
      run(formatRingCheck('new', NEW_POD)),
      run(sh`kubectl get pods,statefulsets,pvc -n ${context.namespace}`),
      run(sh`old=$(${formatLeftoverQuery(context)}) && [ -z "$old" ]`, 'Nothing of 1.2 is left.'),
      buildAllProbes(),
    ],
    expect: `All containers are ready, the ring has the new nodes only, as many as their StatefulSet, all UN, nothing of 1.2 is listed, and every probe is answered as before.`,
  },
  undo: [
    buildManualCommand(
      'There is no undo. What remains is to restore: the tools and overrides file of step 1, an installation of 1.2 with them, and the backup of Cassandra in CASSANDRA_BACKUP. What was written since that backup is lost.',
    ),
    run(
      guardExistingFile(
        OLD_APIGEECTL_HOME.script,
        sh`rm -rf -- ${UNPACKED} && (umask 022 && mkdir -p ${UNPACKED} && tar -xzf "\${APIGEECTL_HOME}-1.2-backup.tar.gz" -C ${UNPACKED}) &&
    mv -- ${UNPACKED} ${OLD_APIGEECTL_HOME}`,
      ),
      'The tools of 1.2 from the backup, under their last name only when they are whole.',
    ),
    ...buildFilledCopiesNote(context),
  ],
});
