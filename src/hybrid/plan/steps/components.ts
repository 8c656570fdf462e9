import { APIGEECTL, applied, byHand, newFile, OLD_APIGEECTL, oldFile, run, waitReady } from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command } from '../plan.ts';
import { script, sh } from '../shell.ts';
import { probes } from './probes.ts';
import type { StepContent } from './step.ts';

export const components = (context: PlanContext): StepContent => ({
  id: 'components',
  title: 'Install telemetry, the organization and the environments',
  why: 'In this order: what an environment needs is there before it. The pods of 1.2 stay; each part is ready, and each host name probed, before the next.',
  commands: [
    ...applied(context, script('--telemetry'), newFile(context)),
    ...applied(context, script('--org'), newFile(context)),
    ...environments(context),
  ],
  check: {
    commands: [run(waitReady(newFile(context))), ...context.environments.flatMap((name) => probes(context, name))],
    expect:
      'All containers are ready, and every request is answered by its proxy with the status that it had under 1.2: not 404 from the ingress, not 503. The organization shows a deployment of each proxy on the new runtime.',
  },
  undo: [
    byHand('Point DNS or the load balancer back to the ingress of 1.2, and see by its log that requests arrive there.'),
    run(
      sh`${APIGEECTL} delete -f ${newFile(context)} --all-envs && ${APIGEECTL} delete -f ${newFile(context)} --org && ${APIGEECTL} delete -f ${newFile(context)} --telemetry`,
      'Only these scopes, never --all: the datastore holds the data of both, and step 9 undoes it.',
    ),
    run(
      sh`${OLD_APIGEECTL} apply -f ${oldFile(context)} && ${OLD_APIGEECTL} check-ready -f ${oldFile(context)}`,
      'Everything of 1.2 again as its overrides file says.',
    ),
    ...context.environments.flatMap((name) => probes(context, name)),
  ],
});

const environments = (context: PlanContext): readonly Command[] =>
  context.options.envsOneByOne
    ? context.environments.flatMap((name) => [
        ...applied(context, script(sh`--env ${name}`), newFile(context)),
        ...probes(context, name),
      ])
    : [
        ...applied(context, script('--all-envs'), newFile(context)),
        ...context.environments.flatMap((name) => probes(context, name)),
      ];
