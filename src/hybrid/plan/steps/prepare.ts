import { APIGEECTL, byHand, oldFile, oldRing, run } from '../commands.ts';
import { factsScript } from './facts-script.ts';
import type { PlanContext } from '../context.ts';
import type { Platform } from '../plan.ts';
import { sh } from '../shell.ts';
import { probes } from './probes.ts';
import type { StepContent } from './step.ts';

const PLATFORM_CHECKS: Readonly<Record<Platform, string>> = {
  managed: 'The server is 1.15 or later.',
  'multi-cloud': 'The Anthos version in ANTHOS_VERSION is 1.5 (gkectl version tells it).',
  attached: 'The server is 1.16 or later.',
};

export const versions = (context: PlanContext): StepContent => ({
  id: 'versions',
  title: 'Look at the versions and gather the facts',
  why: `Everything later relies on them. This plan uses --dry-run=${context.dryRun}, as kubectl ${context.options.kubectl} needs it: true up to 1.17, client from 1.18. With another kubectl make a new plan.`,
  commands: [
    run(
      'kubectl version -o json',
      `The client must be the kubectl of this plan. ${PLATFORM_CHECKS[context.options.platform]}`,
    ),
    run(sh`${APIGEECTL} version`, 'Must be 1.2.x: an older one is first upgraded to 1.2.'),
    run(
      factsScript(context),
      'Writes facts.json. It reads only, and leaves out what it cannot see. Run it again after any step.',
    ),
  ],
  check: {
    commands: [run('sightline hybrid verify facts.json')],
    expect:
      'The lines of steps 0 and 1 on versions, nodes and the ring hold. Lines of later steps fail until those are done; unknown means that nobody has looked, not that it is well.',
  },
  undo: [run('rm -f facts.json facts.json.new', 'Nothing was changed but these files.')],
});

export const backups = (context: PlanContext): StepContent => ({
  id: 'backups',
  title: 'Make backups',
  why: 'After the clean-up (step 12) they are the only way back. Until then they are the way back when an undo fails.',
  commands: [
    run('tar -czf "${APIGEECTL_HOME}-1.2-backup.tar.gz" -C "$APIGEECTL_HOME" .', 'The tools of 1.2.'),
    run(sh`cp -- ${oldFile(context)} ${oldFile(context)}.1.2-backup`, 'The overrides file of 1.2.'),
    byHand(
      'Back up Cassandra as cassandra.backup of your installation does (its CronJob, or a run by hand), wait until the job is complete, and set CASSANDRA_BACKUP to the place of the backup. Know how to restore it: try it elsewhere if you never have.',
    ),
    run(
      sh`kubectl get all,configmaps,pvc,hpa -n ${context.namespace} -o yaml > apigee-1.2-resources.yaml`,
      'What 1.2 consists of now, for comparison. Secrets are not in it.',
    ),
    byHand('Write down what each host name answers now: later steps compare with it.'),
    ...context.environments.flatMap((name) => probes(context, name)),
  ],
  check: {
    commands: [
      run('tar -tzf "${APIGEECTL_HOME}-1.2-backup.tar.gz" > /dev/null'),
      run(sh`cmp -- ${oldFile(context)} ${oldFile(context)}.1.2-backup`),
      run('[ -n "$CASSANDRA_BACKUP" ] && echo "$CASSANDRA_BACKUP"'),
      ...oldRing(context),
    ],
    expect:
      'No error; the backup of Cassandra is of today and complete; every node of the ring is UN. Do not start with a ring that is not.',
  },
  undo: [byHand('Nothing to undo. Keep the backups until long after step 12.')],
});
