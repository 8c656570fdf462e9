import { buildScriptFile } from './commands.ts';
import type { PlanContext } from './context.ts';
import type { Command } from './plan.ts';
import { toScript, sh, type Script } from './shell.ts';

export const OLD_POD = 'apigee-cassandra-0';
export const NEW_POD = 'apigee-cassandra-default-0';

const NODETOOL = 'nodetool -u "$CASSANDRA_USER" -pw "$CASSANDRA_PASSWORD"';

/** A subcommand of nodetool in a pod of the datastore. The pod is ours to name, not a value of the file. */
export const formatNodetoolCommand = ({ namespace }: PlanContext, pod: string, subcommand: string): string =>
  sh`kubectl exec -n ${namespace} ${toScript(pod)} -- ${toScript(NODETOOL)} ${toScript(subcommand)}`;

/**
 * What must hold of the ring. `up`: all nodes are UN, in one data center; `old`, `new`, `both`: and they are all pods of
 * these versions and no others; `old-may-leave`, `new-may-leave`: and all pods of the version that stays are among them.
 */
export type RingCondition = 'up' | 'old' | 'new' | 'both' | 'old-may-leave' | 'new-may-leave';

/** Succeeds when the ring is so, seen from a pod that is to stay in it. */
export const formatRingCheck = (condition: RingCondition, pod: string): string => `sh ring.sh ${pod} ${condition}`;

const PODS = `'
  def kind: if test("^apigee-cassandra-default") then "new" else "old" end;
  ([.items[] | select(.kind == "Pod") | .metadata.name as $name |
      select($name | test("^apigee-cassandra-(default-)?[0-9]+$")) |
      {name: $name, number: ($name | split("-") | last | tonumber), address: (.status.podIP // "none")}] |
    sort_by(-.number)[] | "POD \\(.name | kind) \\(.name) \\(.address)"),
  (.items[] | select(.kind == "StatefulSet") |
    select(.metadata.name == "apigee-cassandra" or .metadata.name == "apigee-cassandra-default") |
    "WANTED \\(.metadata.name | kind) \\(.spec.replicas // 1)")'`;

const JUDGE = `'
  $1 == "POD" { kind[++pods] = $2; name[pods] = $3; at[pods] = $4; next }
  $1 == "WANTED" { wanted[$2] = $3 + 0; next }
  /^Datacenter:/ { centers++ }
  /^[UD?][NLJM?] / { all++; node[$2] = $1; if ($1 == "UN") up++ }
  END {
    for (i = 1; i <= pods; i++) {
      found = (at[i] in node) ? node[at[i]] : "-"
      print kind[i], name[i], at[i], found
      if (found != "-") { joined[kind[i]]++; known[at[i]] = 1 }
      if (kind[i] == "new" && last == "") { last = name[i]; last_found = found }
    }
    for (address in node) if (!(address in known)) { others++; print "other", "-", address, node[address] }
    whole = all > 0 && up == all && centers == 1
    old = joined["old"] > 0 && joined["old"] == wanted["old"]
    new = joined["new"] > 0 && joined["new"] == wanted["new"]
    if (condition == "up") holds = whole
    if (condition == "old") holds = whole && old && !joined["new"] && !others
    if (condition == "new") holds = whole && new && !joined["old"] && !others
    if (condition == "both") holds = whole && old && new && joined["new"] >= joined["old"] && !others
    if (condition == "old-may-leave") holds = whole && new && wanted["new"] >= wanted["old"]
    if (condition == "new-may-leave") holds = whole && old
    if (condition == "gone") holds = all > 0 && !(value in node)
    if (condition == "joining") holds = last == value && last_found == "UJ"
    print "#", up + 0, "of", all + 0, "nodes are UN,", centers + 0, "data center(s);", condition ":", (holds ? "yes" : "NO")
    exit !holds
  }'`;

const formatRingScript = ({ namespace }: PlanContext): Script =>
  toScript(sh`# sh ring.sh POD [CONDITION [VALUE]]: which pod of Cassandra is which node of the ring, as that pod sees it.
# It only reads. It ends with 0 if the condition holds: up, old, new, both, old-may-leave, new-may-leave, gone, joining.
items=$(kubectl get pods,statefulsets -n ${namespace} -o json) &&
  nodes=$(kubectl exec -n ${namespace} "$1" -- ${toScript(NODETOOL)} status </dev/null) || exit 1
{
  printf '%s\\n' "$items" | jq -r ${toScript(PODS)}
  printf '%s\\n' "$nodes"
} | awk -v condition="\${2:-up}" -v value="\${3-}" ${toScript(JUDGE)}`);

/** Numbers of nodes are those of the StatefulSets: the cluster says how many there must be, not the file. */
export const buildRingScript = (context: PlanContext): Command =>
  buildScriptFile(
    'ring.sh',
    formatRingScript(context).script,
    'Writes ring.sh, which later steps run: it says which pod of Cassandra is which node of the ring, and judges the ring. It only reads.',
  );
