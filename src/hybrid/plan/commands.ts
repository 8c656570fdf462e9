import type { PlanContext } from './context.ts';
import type { Command } from './plan.ts';
import { fileWord, script, sh, type Script } from './shell.ts';

/** Something to run. `text` says what it does where the command does not. */
export const run = (command: string, text?: string): Command => (text === undefined ? { command } : { command, text });

/** Something that no command of ours can do. */
export const byHand = (text: string): Command => ({ text });

/** curl as the operator who is logged in to gcloud; fails on an error of the service. */
export const CURL = script('curl -fsS -H "Authorization: Bearer $(gcloud auth print-access-token)"');
export const SEND_JSON = script("-H 'Content-Type: application/json' --data-binary @-");
export const APIGEECTL = script('"$APIGEECTL_HOME/apigeectl"');
/** Where step 7 puts the folder of 1.2. */
export const OLD_APIGEECTL_HOME = script('"${APIGEECTL_HOME}-1.2"');
export const OLD_APIGEECTL = script('"${APIGEECTL_HOME}-1.2/apigeectl"');

const NODETOOL = 'nodetool -u "$CASSANDRA_USER" -pw "$CASSANDRA_PASSWORD"';
const OLD_POD = 'apigee-cassandra-0';
export const NEW_POD = 'apigee-cassandra-default-0';

/** Runs a command again until it succeeds; after the last try the whole fails. */
export const waitFor = (command: string, tries: number, seconds: number): string =>
  `tries=0
until ${command}; do
  tries=$((tries + 1))
  [ "$tries" -lt ${tries} ] || break
  sleep ${seconds}
done
[ "$tries" -lt ${tries} ] || { echo 'Not ready: look before you go on.' >&2; false; }`;

const READY_TRIES = 90;
const READY_SECONDS = 10;

/** Waits for all containers, 15 minutes at most. */
export const waitReady = (file: Script): string =>
  waitFor(sh`${APIGEECTL} check-ready -f ${file}`, READY_TRIES, READY_SECONDS);

/** A subcommand of nodetool in a pod of the datastore. The pod is ours to name, not a value of the file. */
export const nodetool = ({ namespace }: PlanContext, pod: string, subcommand: string): string =>
  sh`kubectl exec -n ${namespace} ${script(pod)} -- ${script(NODETOOL)} ${script(subcommand)}`;

/** Succeeds when the ring has exactly so many nodes, all of them up and normal. `nodes` is a number or shell arithmetic. */
export const ringHas = (context: PlanContext, pod: string, nodes: string): string =>
  `${nodetool(context, pod, 'status')} | awk -v nodes="${nodes}" '
  /^[UD?][NLJM?] / { all++ }
  /^UN / { up++ }
  END { print up + 0, "of", all + 0, "nodes are UN,", nodes, "are needed"; exit !(up == nodes && all == nodes) }'`;

/** The nodes of 1.2, seen from one of them. */
export const oldRing = (context: PlanContext): readonly Command[] => [
  run(ringHas(context, OLD_POD, String(context.cassandraReplicas))),
];

/** The nodes of both versions, seen from one of 1.3. */
export const joinedRing = (context: PlanContext): readonly Command[] => [
  run(nodetool(context, NEW_POD, 'status')),
  run(ringHas(context, NEW_POD, String(2 * context.cassandraReplicas))),
];

/** `apply` of one scope: dry run, the real run, the wait. */
export function applied({ dryRun }: PlanContext, scope: Script, file: Script): readonly Command[] {
  return [
    run(sh`${APIGEECTL} apply -f ${file} ${scope} --dry-run=${dryRun}`, 'A dry run. Stop on any error.'),
    run(sh`${APIGEECTL} apply -f ${file} ${scope}`),
    run(waitReady(file)),
  ];
}

export const oldFile = ({ options }: PlanContext): Script => fileWord(options.fileName);
export const newFile = ({ options }: PlanContext): Script => fileWord(options.newFileName);
export const seedFile = (context: PlanContext): Script => fileWord(context.seedFileName);
