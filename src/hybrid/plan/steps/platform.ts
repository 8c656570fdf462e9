import {
  APIGEECTL,
  buildManualCommand,
  getOldAppliedFile,
  guardExistingFile,
  run,
  buildVerifyCommand,
} from '../commands.ts';
import type { PlanContext } from '../context.ts';
import type { Command, StepContent } from '../plan.ts';
import { sh } from '../shell.ts';
import { buildHandshakeCheck } from './probes.ts';

const CERT_MANAGER = 'https://github.com/jetstack/cert-manager/releases/download/v0.14.2/cert-manager.yaml';
const CERT_MANAGER_FILE = 'cert-manager-v0.14.2.yaml';
const CERT_MANAGER_GOES =
  'kubectl delete deployment -n cert-manager --ignore-not-found cert-manager cert-manager-cainjector cert-manager-webhook';
/** What left the file because mesh and certificate manager are installed apart. */
const MOVED = /^(?:ingress|istio|certmanager)/;

export const buildMeshStep = (context: PlanContext): StepContent => ({
  id: 'mesh',
  title: 'Upgrade the service mesh and cert-manager',
  why: '1.3 no longer installs them: it needs Anthos Service Mesh 1.5.7 or later instead of Istio 1.4.6, and cert-manager v0.14.2. Traffic of 1.2 passes this mesh, so two replicas of everything come first.',
  commands: [
    run(
      `${guardExistingFile(
        'istio-1.4.6-resources.yaml',
        `kubectl get all,hpa,configmaps -n istio-system -o yaml > istio-1.4.6-resources.yaml.new &&
    mv -- istio-1.4.6-resources.yaml.new istio-1.4.6-resources.yaml`,
      )} &&
kubectl get services -n istio-system -o wide`,
      'What the mesh was before. Write down the addresses of the load balancers.',
    ),
    ...buildReplicaCommands(),
    ...buildMovedNotes(context),
    buildManualCommand(
      'Install Anthos Service Mesh 1.5.7 or later by its own manual for your platform. Put the load balancer addresses of before into its manifest, or clients lose the way.',
    ),
    run(
      guardExistingFile(
        CERT_MANAGER_FILE,
        sh`curl -fsSL -o ${CERT_MANAGER_FILE}.new ${CERT_MANAGER} && mv -- ${CERT_MANAGER_FILE}.new ${CERT_MANAGER_FILE}`,
      ),
      'The manifest of cert-manager, before anything of the old one goes.',
    ),
    run(
      `[ -s ${CERT_MANAGER_FILE} ] && ${CERT_MANAGER_GOES}`,
      'The labels of its deployments differ between versions, and cannot be changed in place. Certificates stay: they are secrets.',
    ),
    run(
      `kubectl apply --validate=false -f ${CERT_MANAGER_FILE}`,
      'Its manual asks for --validate=false with Kubernetes up to 1.15.4; later ones do not mind it.',
    ),
  ],
  check: {
    commands: [
      run('kubectl get pods -n istio-system && kubectl get pods -n cert-manager'),
      run('kubectl wait --for=condition=Available deployment --all -n istio-system --timeout=300s'),
      run('kubectl wait --for=condition=Available deployment --all -n cert-manager --timeout=300s'),
      buildHandshakeCheck(context),
      buildVerifyCommand(context, 6),
    ],
    expect:
      'Every pod is Running and ready, every deployment meets its condition, and for every host name the certificate that you know is shown, with a date in the future. verify ends with 0: the mesh is 1.5.7 or later and cert-manager v0.14.2.',
  },
  undo: [
    run(CERT_MANAGER_GOES, 'Those of v0.14.2, for the same reason as before.'),
    run(
      sh`${APIGEECTL} init -f ${getOldAppliedFile(context)}`,
      'With the tools of 1.2 (undo step 7 first): installs Istio 1.4.6 and the cert-manager of 1.2 again.',
    ),
    buildManualCommand(
      'Remove what the mesh installer added, by its manual, and compare with istio-1.4.6-resources.yaml. Do the handshakes of the check again.',
    ),
  ],
});

/** A command for everything of a kind that has one replica only; fails where the list or one of the commands does. */
const formatNameLoop = (kind: string, count: string, command: string): string => `failed=
names=$(kubectl get ${kind} -n istio-system -o json |
  jq -nr 'input.items[] | select((${count} // 1) < 2) | .metadata.name') || failed=yes
for name in $names; do
  ${command} || failed=yes
done
[ -z "$failed" ]`;

/** Autoscalers first: they would take a replica away again. */
const buildReplicaCommands = (): readonly Command[] => [
  run(
    formatNameLoop(
      'hpa',
      '.spec.minReplicas',
      `kubectl patch hpa "$name" -n istio-system --type=merge -p '{"spec":{"minReplicas":2}}' </dev/null`,
    ),
    'Autoscalers of the old mesh: two replicas at least.',
  ),
  run(
    formatNameLoop(
      'deployments',
      '.spec.replicas',
      'kubectl scale deployment "$name" -n istio-system --replicas=2 </dev/null',
    ),
    'Deployments of the old mesh: two replicas.',
  ),
  run('kubectl wait --for=condition=Available deployment --all -n istio-system --timeout=300s'),
  run(
    `kubectl get deployments,hpa -n istio-system -o json |
  jq -ne '[input.items[] | {name: .metadata.name, count: ((if .kind == "Deployment" then .spec.replicas else .spec.minReplicas end) // 1)}] |
    (.[] | select(.count < 2) | .name), (length > 0 and all(.[]; .count >= 2))'`,
    'Must print true and no name before the new mesh is installed.',
  ),
];

const buildMovedNotes = ({ migrated, options }: PlanContext): readonly Command[] =>
  migrated.notes
    .filter(({ key }) => MOVED.test(key))
    .map(({ line, key, message }) =>
      buildManualCommand(`Carry over from line ${line} of ${options.fileName} (${key}): ${message}`),
    );
