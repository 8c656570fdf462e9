import { APIGEECTL, CURL, nodetool, oldFile } from '../commands.ts';
import { apiUrl, type PlanContext } from '../context.ts';
import { fileWord, script, sh, type Script } from '../shell.ts';

/** Adds one fact; what a tool could not say stays out of the file, and is unknown to `verify`, not wrong. */
const FACT = `[ -s facts.json ] || echo '{}' > facts.json
fact() {
  value=$(cat)
  jq --argjson value "\${value:-null}" ".$1 = \\$value" facts.json > facts.json.new && mv facts.json.new facts.json
}`;

/** A script that writes `facts.json` for `sightline hybrid verify`. It only reads from the cluster and the project. */
export const factsScript = (context: PlanContext): string =>
  [FACT, ...versions(context), ...account(context), ...mesh(), groups(context), ...datastore(context)].join('\n');

const versions = ({ options, namespace }: PlanContext): readonly string[] => [
  'kubectl version -o json 2>/dev/null | fact kubectl',
  sh`jq -n --arg platform ${options.platform} '$platform' | fact platform`,
  ...(options.platform === 'multi-cloud'
    ? [`jq -n --arg version "$ANTHOS_VERSION" '$version' | fact platformVersion`]
    : []),
  sh`${APIGEECTL} version 2>&1 | jq -Rs . | fact apigeectl`,
  sh`kubectl get pods -n ${namespace} -l app=apigee-runtime -o json 2>/dev/null |
  jq '[.items[].spec.containers[].image | select(test("apigee-runtime")) | split(":") | last][0]' | fact hybridVersion`,
  `kubectl get deployment cert-manager -n cert-manager -o json 2>/dev/null |
  jq '[.spec.template.spec.containers[].image | split(":") | last][0]' | fact certManager`,
];

/** The e-mail address of the account of MART, as a word. */
export const martAccount = ({ martKeyPath }: PlanContext): Script =>
  script(martKeyPath === undefined ? '"$MART_ACCOUNT"' : sh`"$(jq -r .client_email ${fileWord(martKeyPath)})"`);

export const watcherAccount = ({ projectId }: PlanContext): string =>
  `apigee-watcher@${projectId}.iam.gserviceaccount.com`;

const account = (context: PlanContext): readonly string[] => [
  sh`gcloud services list --enabled --project ${context.projectId} --format=json 2>/dev/null |
  jq 'any(.[]; (.config.name // .name // "") | endswith("apigeeconnect.googleapis.com"))' | fact connect.apiEnabled`,
  hasRole(context, martAccount(context), 'roles/apigeeconnect.Agent', 'connect.martHasAgentRole'),
  sh`${CURL} ${apiUrl('organizations', context.org)} 2>/dev/null |
  jq '[.properties.property[]? | {key: .name, value: .value}] | from_entries' | fact connect.properties`,
  sh`gcloud iam service-accounts list --project ${context.projectId} --format=json 2>/dev/null |
  jq --arg email ${watcherAccount(context)} 'any(.[]; .email == $email)' | fact watcher.accountExists`,
  hasRole(context, script(sh`${watcherAccount(context)}`), 'roles/apigee.runtimeAgent', 'watcher.hasRole'),
];

const hasRole = ({ projectId }: PlanContext, email: Script, role: string, name: string): string =>
  sh`gcloud projects get-iam-policy ${projectId} --format=json 2>/dev/null |
  jq --arg email ${email} --arg role ${role} '
    any(.bindings[]? | select(.role == $role) | .members[]; . == "serviceAccount:" + $email)' | fact ${name}`;

/** Both the control plane of 1.4 (istio-pilot) and of 1.5 (istiod) are deployments with the version as image tag. */
const mesh = (): readonly string[] => [
  `kubectl get deployments,hpa -n istio-system -o json 2>/dev/null |
  jq '(.items | map(select(.kind == "HorizontalPodAutoscaler"))) as $scalers | {
    version: [.items[] | select(.metadata.name | test("^(istiod|istio-pilot)")) |
      .spec.template.spec.containers[].image | select(test("pilot")) | split(":") | last][0],
    deployments: [.items[] | select(.kind == "Deployment") | .metadata.name as $name |
      {name: $name, replicas: (.spec.replicas // 1)} +
      ([$scalers[] | select(.spec.scaleTargetRef.name == $name) | {minReplicas: (.spec.minReplicas // 1)}][0] // {})]
  }' | fact mesh`,
];

const groups = ({ org }: PlanContext): string =>
  sh`groups=$(${CURL} ${apiUrl('organizations', org, 'envgroups')} 2>/dev/null) &&
  printf '%s' "$groups" | jq -r '.environmentGroups[]?.name' | while read -r name; do
    ${CURL} ${apiUrl('organizations', org, 'envgroups')}/"$name"/attachments 2>/dev/null </dev/null |
      jq --arg name "$name" '{key: $name, value: [.environmentGroupAttachments[]?.environment]}'
  done | jq -s --argjson groups "$groups" 'from_entries as $attachments |
    [$groups.environmentGroups[]? | {name, hostnames, environments: $attachments[.name]}]' | fact groups`;

const datastore = (context: PlanContext): readonly string[] => [
  sh`kubectl get statefulset apigee-cassandra -n ${context.namespace} -o json 2>/dev/null |
  jq .spec.replicas | fact cassandra.replicas`,
  `${nodetool(context, 'apigee-cassandra-0', 'status')} 2>/dev/null | jq -Rs . | fact cassandra.ring`,
  sh`[ -s "\${APIGEECTL_HOME}-1.2-backup.tar.gz" ] && echo true | fact backups.apigeectl`,
  sh`[ -s ${oldFile(context)}.1.2-backup ] && echo true | fact backups.overrides`,
  `[ -n "\${CASSANDRA_BACKUP-}" ] && jq -n --arg place "$CASSANDRA_BACKUP" '$place' | fact backups.cassandra`,
];
