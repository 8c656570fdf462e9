import { listVariableNames, type PlanContext } from './context.ts';
import type { UpgradePlan } from './plan.ts';

type Variable = UpgradePlan['variables'][number];

/** The name of the cluster in the file is nothing that kubectl knows: the operator compares it with the context. */
const describeContext = ({ migrated: { values } }: PlanContext): Variable => ({
  name: 'KUBE_CONTEXT',
  meaning: `The context of kubectl for the cluster that 1.2 runs on${values.clusterName === undefined ? '' : `, which the file names ${values.clusterName}`} (kubectl config get-contexts).`,
  example: 'gke_project_us-central1_cluster',
});

const always: readonly Variable[] = [
  {
    name: 'APIGEECTL_HOME',
    meaning: 'The folder of apigeectl 1.2; from step 7 on that of 1.3.6.',
    example: '/opt/apigeectl',
  },
  {
    name: 'CASSANDRA_USER',
    meaning: 'A user of nodetool: the JMX user of Cassandra (any value where JMX asks for none).',
    example: 'jmxuser',
  },
  { name: 'CASSANDRA_PASSWORD', meaning: 'The password of that user. Read it in without echo; put it into no file.' },
  {
    name: 'CASSANDRA_BACKUP',
    meaning: 'Where the backup of Cassandra of step 1 lies.',
    example: 'gs://backups/2020-11-22',
  },
  {
    name: 'INGRESS_IP',
    meaning: 'The address of the ingress that probes and handshakes go to.',
    example: '203.0.113.10',
  },
  {
    name: 'CURL_OPTIONS',
    meaning: 'Options of the probes, where curl does not trust the certificates of the host names; may be empty.',
    example: '--cacert ca.pem',
  },
];

/** The others have a value later, or need none. */
export const isNeededFirst = (name: string): boolean => name !== 'CASSANDRA_BACKUP' && name !== 'CURL_OPTIONS';

/** What the operator sets before the first step, those that the overrides file uses last. */
export function listPlanVariables(context: PlanContext): readonly Variable[] {
  const known = [describeContext(context), ...always, ...listContextVariables(context)];
  const names = new Set(known.map(({ name }) => name));
  const ofTheFile = [...new Set([...listVariableNames(context), ...context.fileVariables])]
    .filter((name) => !names.has(name))
    .map((name) => ({ name, meaning: 'A variable of the overrides file.' }));
  return [...known, ...ofTheFile];
}

function listContextVariables(context: PlanContext): readonly Variable[] {
  const { options, groups, martKeyPath, migrated, secrets } = context;
  const hasAnyHost = groups.some(({ hostnames }) => hostnames.includes('*'));
  return [
    ...(options.platform === 'multi-cloud'
      ? [{ name: 'ANTHOS_VERSION', meaning: 'The version of Anthos that the cluster runs.', example: '1.5.2' }]
      : []),
    ...(martKeyPath === undefined
      ? [{ name: 'MART_ACCOUNT', meaning: 'The e-mail address of the service account of MART.' }]
      : []),
    ...(context.connectKeyPath === undefined && !context.isConnectMarts
      ? [{ name: 'CONNECT_ACCOUNT', meaning: 'The e-mail address of the service account of connectAgent.' }]
      : []),
    ...(migrated.values.projectId === undefined
      ? [{ name: 'PROJECT_ID', meaning: 'The Google Cloud project of the organization.' }]
      : []),
    ...(secrets === undefined
      ? []
      : [
          {
            name: 'WATCHER_KEY',
            meaning: 'A file for the key of the watcher; step 3 makes the secret from it that the new file names.',
            example: 'apigee-watcher.json',
          },
        ]),
    ...(secrets?.mart === '$MART_SECRET'
      ? [{ name: 'MART_SECRET', meaning: 'The secret with the key of the account of MART.' }]
      : []),
    ...(secrets?.watcher === '$WATCHER_SECRET'
      ? [{ name: 'WATCHER_SECRET', meaning: 'The secret that watcher.serviceAccountRef of the new file names.' }]
      : []),
    ...(hasAnyHost ? [{ name: 'PROBE_HOST', meaning: 'A host name that requests to this runtime can use.' }] : []),
  ];
}
