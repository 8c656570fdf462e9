import { APIGEECTL, CURL, getOldFile } from '../commands.ts';
import { buildApigeeUrl, type PlanContext, withWholePage } from '../context.ts';
import { NEW_POD, formatNodetoolCommand, OLD_POD } from '../ring.ts';
import { quoteFileName, toScript, sh, extractVariables, type Script } from '../shell.ts';

/**
 * Each run begins with no facts. What a tool does not say, or does not say as JSON, is no fact: it is unknown to `verify`,
 * neither right nor wrong, and nothing of a run before stays.
 */
const FACT = `rm -f facts.json
echo '{}' > facts.json.new
fact() {
  cat > facts.value
  jq --slurpfile value facts.value 'if ($value | length) == 1 then .'"$1"' = $value[0] else . end' \\
    facts.json.new > facts.json.next 2>/dev/null && mv facts.json.next facts.json.new
}`;
const END = `rm -f facts.value facts.json.next
mv facts.json.new facts.json`;

/** A script that writes `facts.json` for `sightline hybrid verify`. It only reads from the cluster and the project. */
export const formatFactsScript = (context: PlanContext): string =>
  [
    ...formatRequiredVariables(context),
    FACT,
    ...formatVersionFacts(context),
    ...formatAccountFacts(context),
    MESH,
    formatGroupFacts(context),
    ...formatDatastoreFacts(context),
    END,
  ].join('\n');

/** Without these names the tools would be asked about something else. */
const formatRequiredVariables = ({ org, projectId, namespace }: PlanContext): readonly string[] =>
  [...new Set([org, projectId, namespace].flatMap(extractVariables))].map((name) => `: "\${${name}:?}"`);

const formatVersionFacts = ({ options, namespace }: PlanContext): readonly string[] => [
  `kubectl version -o json 2>/dev/null |
  jq '{clientVersion, serverVersion} | map_values(select(. != null) |
    {major, minor, gitVersion} | map_values(select(. != null) | tostring))' 2>/dev/null | fact kubectl`,
  sh`jq -n --arg platform ${options.platform} '$platform' | fact platform`,
  ...(options.platform === 'multi-cloud'
    ? [`[ -z "\${ANTHOS_VERSION-}" ] || jq -n --arg version "$ANTHOS_VERSION" '$version' | fact platformVersion`]
    : []),
  sh`${APIGEECTL} version 2>/dev/null | head -c 900 | jq -Rs . | fact apigeectl`,
  sh`kubectl get pods -n ${namespace} -l app=apigee-runtime -o json 2>/dev/null |
  jq '[.items[].spec.containers[].image | select(test("apigee-runtime")) | split(":") | last] | unique |
    select(length > 0) | join(", ")' 2>/dev/null | fact hybridVersion`,
  `kubectl get deployment cert-manager -n cert-manager -o json 2>/dev/null |
  jq '[.spec.template.spec.containers[].image | split(":") | last][0]' 2>/dev/null | fact certManager`,
];

/** The e-mail address of the account of MART, as a word; empty where the key cannot be read. */
export const formatMartEmail = ({ martKeyPath }: PlanContext): Script =>
  martKeyPath === undefined ? toScript('"${MART_ACCOUNT-}"') : formatKeyEmail(martKeyPath);

/** That of the account which the Connect agent runs with: the file may name another than MART's. */
export function formatConnectEmail(context: PlanContext): Script {
  const { connectKeyPath, isConnectMarts } = context;
  if (isConnectMarts) return formatMartEmail(context);
  return connectKeyPath === undefined ? toScript('"${CONNECT_ACCOUNT-}"') : formatKeyEmail(connectKeyPath);
}

const formatKeyEmail = (path: string): Script =>
  toScript(sh`"$(jq -r '.client_email // empty' ${quoteFileName(path)} 2>/dev/null)"`);

/** The account that the plan makes for the watcher. */
export const formatWatcherEmail = ({ projectId }: PlanContext): string =>
  `apigee-watcher@${projectId}.iam.gserviceaccount.com`;

/** The e-mail address of the account of the watcher, as a word. */
const selectWatcherEmail = (context: PlanContext): Script =>
  context.isMartsAccount ? formatMartEmail(context) : toScript(sh`${formatWatcherEmail(context)}`);

const formatAccountFacts = (context: PlanContext): readonly string[] => [
  sh`gcloud services list --enabled --project ${context.projectId} --format=json 2>/dev/null |
  jq 'any(.[]; (.config.name // .name // "") | endswith("apigeeconnect.googleapis.com"))' 2>/dev/null |
  fact connect.apiEnabled`,
  sh`jq -n --arg email ${formatConnectEmail(context)} '$email | select(. != "")' | fact connect.agentAccount`,
  formatRoleFact(context, formatConnectEmail(context), 'roles/apigeeconnect.Agent', 'connect.agentHasRole'),
  sh`${CURL} ${buildApigeeUrl('organizations', context.org)} 2>/dev/null |
  jq '[.properties.property[]? | {key: .name, value: .value}] | from_entries' 2>/dev/null | fact connect.properties`,
  sh`gcloud iam service-accounts list --project ${context.projectId} --format=json 2>/dev/null |
  jq --arg email ${selectWatcherEmail(context)} 'any(.[]; .email == $email)' 2>/dev/null | fact watcher.accountExists`,
  formatRoleFact(context, selectWatcherEmail(context), 'roles/apigee.runtimeAgent', 'watcher.hasRole'),
];

const formatRoleFact = ({ projectId }: PlanContext, email: Script, role: string, name: string): string =>
  sh`email=${email}
[ -z "$email" ] || gcloud projects get-iam-policy ${projectId} --format=json 2>/dev/null |
  jq --arg email "$email" --arg role ${role} '
    any(.bindings[]? | select(.role == $role) | .members[]; . == "serviceAccount:" + $email)' 2>/dev/null |
  fact ${name}`;

/** Both the control plane of 1.4 (istio-pilot) and of 1.5 (istiod) are deployments with the version as image tag. */
const MESH = `kubectl get deployments,hpa -n istio-system -o json 2>/dev/null |
  jq '(.items | map(select(.kind == "HorizontalPodAutoscaler"))) as $scalers | {
    deployments: [.items[] | select(.kind == "Deployment") | .metadata.name as $name |
      {name: $name, replicas: (.spec.replicas // 1)} +
      ([$scalers[] | select(.spec.scaleTargetRef.name == $name) | {minReplicas: (.spec.minReplicas // 1)}][0] // {}) +
      ([select($name | test("^(istiod|istio-pilot)")) | .spec.template.spec.containers[].image |
        select(test("pilot")) | {version: (split(":") | last)}][0] // {})]
  }' 2>/dev/null | fact mesh`;

const formatGroupFacts = ({ org }: PlanContext): string =>
  sh`groups=$(${CURL} ${withWholePage(buildApigeeUrl('organizations', org, 'envgroups'))} 2>/dev/null) &&
  printf '%s' "$groups" | jq -r '.environmentGroups[]?.name' 2>/dev/null | while read -r name; do
    ${CURL} ${buildApigeeUrl('organizations', org, 'envgroups')}/"$name"/'attachments?pageSize=1000' 2>/dev/null </dev/null |
      jq --arg name "$name" 'select((.nextPageToken // "") == "") |
        {key: $name, value: [.environmentGroupAttachments[]?.environment]}'
  done 2>/dev/null | jq -s --argjson groups "$groups" 'from_entries as $attachments | select(($groups.nextPageToken // "") == "") |
    [$groups.environmentGroups[]? | {name, hostnames, environments: $attachments[.name]}]' 2>/dev/null | fact groups`;

/** The ring is seen from a node of 1.3 where there is one: those of 1.2 leave in the end. */
const formatDatastoreFacts = (context: PlanContext): readonly string[] => [
  sh`kubectl get statefulset apigee-cassandra -n ${context.namespace} -o json 2>/dev/null |
  jq .spec.replicas 2>/dev/null | fact cassandra.replicas`,
  `ring=$(${formatNodetoolCommand(context, NEW_POD, 'status')} 2>/dev/null </dev/null ||
  ${formatNodetoolCommand(context, OLD_POD, 'status')} 2>/dev/null </dev/null) && printf '%s' "$ring" | jq -Rs . | fact cassandra.ring`,
  sh`[ -s "\${APIGEECTL_HOME}-1.2-backup.tar.gz" ] && echo true | fact backups.apigeectl`,
  sh`[ -s ${getOldFile(context)}.1.2-backup ] && echo true | fact backups.overrides`,
  `[ -n "\${CASSANDRA_BACKUP-}" ] && jq -n --arg place "$CASSANDRA_BACKUP" '$place' | fact backups.cassandra`,
];
