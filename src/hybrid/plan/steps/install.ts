import {
  APIGEECTL,
  buildManualCommand,
  getNewAppliedFile,
  OLD_APIGEECTL,
  OLD_APIGEECTL_HOME,
  getOldAppliedFile,
  guardExistingFile,
  run,
  waitReady,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import { toScript, sh } from '../shell.ts';
import type { StepContent } from '../plan.ts';

const DOWNLOADS = 'https://storage.googleapis.com/apigee-release/hybrid/apigee-hybrid-setup/1.3.6';
const ARCHIVE = 'apigeectl-1.3.6.tar.gz';
const NEW_HOME = toScript('"${APIGEECTL_HOME}-1.3.6"');
const UNPACKED = toScript('"${APIGEECTL_HOME:?}-1.3.6.new"');

/** Fails unless the tool of that folder says this version. */
const formatVersionTest = (apigeectl: string, version: string): string =>
  `${apigeectl} version 2>/dev/null | grep -E '(^|[^0-9.])${version}'`;
const IS_1_2 = '1[.]2[.][0-9]';
const IS_1_3_6 = '1[.]3[.]6';

export const buildApigeectlStep = (): StepContent => ({
  id: 'apigeectl',
  title: 'Install apigeectl 1.3.6 beside that of 1.2',
  why: 'Each version of the tool can handle its own resources only. The old folder is needed until step 12, under another name.',
  commands: [
    run(
      guardExistingFile(
        ARCHIVE,
        sh`case $(uname -s) in Darwin) system=mac_64 ;; *) system=linux_64 ;; esac
  curl -fL -o ${ARCHIVE}.new ${DOWNLOADS}/apigeectl_"$system".tar.gz && mv -- ${ARCHIVE}.new ${ARCHIVE}`,
      ),
    ),
    run(
      sh`if [ -d ${NEW_HOME} ] || [ -d ${OLD_APIGEECTL_HOME} ]; then
  echo 'It is unpacked already.'
else
  rm -rf -- ${UNPACKED} && (umask 022 && mkdir ${UNPACKED} && tar -xzf ${ARCHIVE} -C ${UNPACKED} --strip-components=1) &&
    mv -- ${UNPACKED} ${NEW_HOME}
fi`,
      'Under its last name only when it is whole.',
    ),
    run(
      sh`if [ -d ${OLD_APIGEECTL_HOME} ] && [ -d "$APIGEECTL_HOME" ]; then
  ${toScript(formatVersionTest(APIGEECTL.script, IS_1_3_6))}
else
  ${toScript(formatVersionTest('"${APIGEECTL_HOME}-1.3.6/apigeectl"', IS_1_3_6))} &&
    { [ -d ${OLD_APIGEECTL_HOME} ] || mv -- "$APIGEECTL_HOME" ${OLD_APIGEECTL_HOME}; } && mv -- ${NEW_HOME} "$APIGEECTL_HOME"
fi`,
      'Goes on where an earlier run was cut off. Refuses when there is an old folder of that name beside another version than 1.3.6.',
    ),
    buildManualCommand(
      'If overrides files or keys lie inside the old folder, name them by paths that are still right.',
    ),
  ],
  check: {
    commands: [
      run(formatVersionTest(APIGEECTL.script, IS_1_3_6)),
      run(formatVersionTest(OLD_APIGEECTL.script, IS_1_2)),
    ],
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
    run(formatVersionTest(APIGEECTL.script, IS_1_2), 'Must be 1.2.x again.'),
    run(
      sh`rm -rf -- "\${APIGEECTL_HOME:?}-1.3.6" ${UNPACKED} ${ARCHIVE} ${ARCHIVE}.new`,
      'Only then: what was installed or left half.',
    ),
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
      'The foundations do no harm to 1.2 and may stay. Never use delete --all for them: it takes what 1.2 needs as well. Set REPAIR_OLD=yes only if a pod of 1.2 is not as before, and only where the undo of step 6 follows.',
    ),
    run(
      sh`if [ "\${REPAIR_OLD-}" = yes ]; then
  ${OLD_APIGEECTL} init -f ${getOldAppliedFile(context)} && ${OLD_APIGEECTL} check-ready -f ${getOldAppliedFile(context)}
else
  echo 'REPAIR_OLD is not yes: the foundations of 1.2 stay as they are.' >&2
fi`,
      'The foundations of 1.2 again. This also installs Istio 1.4.6 and the old cert-manager, over the mesh of step 6.',
    ),
  ],
});
