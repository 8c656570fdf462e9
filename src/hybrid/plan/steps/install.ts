import {
  APIGEECTL,
  buildManualCommand,
  getNewAppliedFile,
  OLD_APIGEECTL,
  OLD_APIGEECTL_HOME,
  getOldAppliedFile,
  run,
  waitReady,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import { sh } from '../shell.ts';
import type { StepContent } from '../plan.ts';

const DOWNLOAD =
  'https://storage.googleapis.com/apigee-release/hybrid/apigee-hybrid-setup/1.3.6/apigeectl_linux_64.tar.gz';

export const buildApigeectlStep = (): StepContent => ({
  id: 'apigeectl',
  title: 'Install apigeectl 1.3.6 beside that of 1.2',
  why: 'Each version of the tool can handle its own resources only. The old folder is needed until step 12, under another name.',
  commands: [
    run(sh`curl -fL -o apigeectl-1.3.6.tar.gz ${DOWNLOAD}`, 'On a Mac: apigeectl_mac_64.tar.gz.'),
    run(`mkdir "\${APIGEECTL_HOME}-1.3.6" &&
  tar -xzf apigeectl-1.3.6.tar.gz -C "\${APIGEECTL_HOME}-1.3.6" --strip-components=1`),
    run(
      sh`[ -x "\${APIGEECTL_HOME}-1.3.6/apigeectl" ] && [ ! -e ${OLD_APIGEECTL_HOME} ] &&
  mv "$APIGEECTL_HOME" ${OLD_APIGEECTL_HOME} && mv "\${APIGEECTL_HOME}-1.3.6" "$APIGEECTL_HOME"`,
      'Refuses when there is an old folder of that name already, and when 1.3.6 is not there.',
    ),
    buildManualCommand(
      'If overrides files or keys lie inside the old folder, name them by paths that are still right.',
    ),
  ],
  check: {
    commands: [run(sh`${APIGEECTL} version`), run(sh`${OLD_APIGEECTL} version`)],
    expect: '1.3.6, then 1.2.x.',
  },
  undo: [
    run(
      sh`if [ -d ${OLD_APIGEECTL_HOME} ] && [ -d "$APIGEECTL_HOME" ] && [ ! -e "\${APIGEECTL_HOME}-1.3.6" ]; then
  mv "$APIGEECTL_HOME" "\${APIGEECTL_HOME}-1.3.6" && mv ${OLD_APIGEECTL_HOME} "$APIGEECTL_HOME"
elif [ -d ${OLD_APIGEECTL_HOME} ] && [ ! -e "$APIGEECTL_HOME" ]; then
  mv ${OLD_APIGEECTL_HOME} "$APIGEECTL_HOME"
elif [ -d ${OLD_APIGEECTL_HOME} ]; then
  echo 'Both versions and a third folder are there: look which is which.' >&2
  false
else
  echo 'The tools of 1.2 are where they were.'
fi`,
    ),
    run(sh`${APIGEECTL} version`, 'Must be 1.2.x again.'),
    run('rm -rf -- "${APIGEECTL_HOME:?}-1.3.6" apigeectl-1.3.6.tar.gz', 'Only then: what was installed or left half.'),
  ],
});

export const buildInitStep = (context: PlanContext): StepContent => ({
  id: 'init',
  title: 'Install the foundations of 1.3',
  why: 'Custom resources and the controller that all later steps need. The pods of 1.2 run on.',
  commands: [
    run(
      sh`${APIGEECTL} init -f ${getNewAppliedFile(context)} --dry-run=${context.dryRun}`,
      'A dry run. Stop on any error.',
    ),
    run(sh`${APIGEECTL} init -f ${getNewAppliedFile(context)}`),
  ],
  check: {
    commands: [
      run(waitReady(getNewAppliedFile(context))),
      run(sh`kubectl get pods -n ${context.namespace} && kubectl get pods -n apigee-system`),
    ],
    expect: 'All containers are ready; the pods of 1.2 are as before.',
  },
  undo: [
    buildManualCommand(
      'The foundations do no harm to 1.2 and may stay. Never use delete --all for them: it takes what 1.2 needs as well.',
    ),
    run(
      sh`${OLD_APIGEECTL} init -f ${getOldAppliedFile(context)} && ${OLD_APIGEECTL} check-ready -f ${getOldAppliedFile(context)}`,
      'If a pod of 1.2 is not as before: its own foundations again.',
    ),
  ],
});
