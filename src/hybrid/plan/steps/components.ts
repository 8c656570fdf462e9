import {
  APIGEECTL,
  buildApplyCommands,
  buildManualCommand,
  getNewAppliedFile,
  OLD_APIGEECTL,
  getOldAppliedFile,
  run,
  waitReady,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command, StepContent } from '../plan.ts';
import { toScript, sh } from '../shell.ts';
import { buildAllProbes, buildEnvironmentProbes } from './probes.ts';

export const buildComponentsStep = (context: PlanContext): StepContent => ({
  id: 'components',
  title: 'Install telemetry, the organization and the environments, and move the traffic',
  why: 'In this order: what an environment needs is there before it. The pods of 1.2 stay; each part is ready, and each host name probed, before the next. A probe that 1.2 still answers proves nothing of 1.3, so the log of the ingress must show that requests reach its pods.',
  commands: [
    ...buildApplyCommands(context, toScript('--telemetry'), getNewAppliedFile(context)),
    ...buildApplyCommands(context, toScript('--org'), getNewAppliedFile(context)),
    ...buildEnvironmentCommands(context),
    ...buildTrafficCommands(context),
  ],
  check: {
    commands: [
      run(waitReady(getNewAppliedFile(context))),
      buildAllProbes(),
      run(
        'sh probes.sh dns',
        'The same as clients go: by DNS. A host name made for a wildcard may need an entry, or another name in probes.sh.',
      ),
      run(
        formatTrafficCheck(context),
        'Lines of the ingress log with the address of a runtime pod of 1.3, within a minute of the probes: one at least for every host name. Not known here is whether the mesh writes an access log (meshConfig.accessLogFile), whether its pods have the label app=istio-ingressgateway, and whether your images have the names of the vendor. Where one of these is not so, see it in the log of the pods of 1.3, or in a debug session of a proxy.',
      ),
    ],
    expect:
      'All containers are ready, every request is answered with the status of probes-before.txt, and the log shows that 1.3 answered. The organization shows a deployment of each proxy on the new runtime.',
  },
  undo: [
    run(
      sh`${OLD_APIGEECTL} apply -f ${getOldAppliedFile(context)} && ${OLD_APIGEECTL} check-ready -f ${getOldAppliedFile(context)}`,
      'Everything of 1.2 again as its overrides file says, before anything of 1.3 goes.',
    ),
    buildManualCommand(
      'Point DNS or the load balancer back to the ingress of 1.2, put its routes back, set INGRESS_IP to its address, and see by its log that requests arrive there.',
    ),
    buildAllProbes(),
    run(
      sh`${APIGEECTL} delete -f ${getNewAppliedFile(context)} --all-envs && ${APIGEECTL} delete -f ${getNewAppliedFile(context)} --org && ${APIGEECTL} delete -f ${getNewAppliedFile(context)} --telemetry`,
      'Only these scopes, never --all: the datastore holds the data of both, and step 9 undoes it.',
    ),
    buildAllProbes(),
  ],
});

const buildEnvironmentCommands = (context: PlanContext): readonly Command[] =>
  context.options.envsOneByOne
    ? context.environments.flatMap((name) => [
        ...buildApplyCommands(context, toScript(sh`--env ${name}`), getNewAppliedFile(context)),
        buildEnvironmentProbes(name),
      ])
    : [...buildApplyCommands(context, toScript('--all-envs'), getNewAppliedFile(context)), buildAllProbes()];

const buildTrafficCommands = ({ namespace }: PlanContext): readonly Command[] => [
  run(
    sh`kubectl get services -n istio-system -o wide
kubectl get gateways.networking.istio.io,virtualservices.networking.istio.io --all-namespaces -o wide
kubectl get pods -n ${namespace} -l app=apigee-runtime -o wide`,
    'Where requests go now: the addresses of the ingress, the routes of each host name, and the runtime pods of both versions. Each host name must have a route that 1.3 made.',
  ),
  buildManualCommand(
    'Move the traffic, one host name after the other: where 1.3 has an ingress address of its own, point DNS or the load balancer to it, and set INGRESS_IP to it. Where both versions have one address, the routes decide: which of two routes for one host name the mesh takes is not known here, so go by the log below, and if 1.2 still answers, take its route of that host name away (keep a copy: kubectl get virtualservice NAME -o yaml). Wait as long as the DNS entries live before you judge.',
  ),
];

/** Fails unless a line has the address of a pod of 1.3. */
const formatTrafficCheck = ({ namespace }: PlanContext): string =>
  sh`addresses=$(kubectl get pods -n ${namespace} -l app=apigee-runtime -o json |
  jq -nr 'input.items[] | select(any(.spec.containers[]; .image | test("apigee-runtime:v?1[.]3[.]"))) |
    .status.podIP // empty') && [ -n "$addresses" ] &&
  kubectl logs -n istio-system -l app=istio-ingressgateway --all-containers --since=1m --tail=-1 | grep -wF -e "$addresses"`;
