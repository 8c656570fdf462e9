import { parseDocument } from 'yaml';
import { scanLexemes } from '../core/source.ts';
import type { EnvironmentGroup, Migrated } from '../core/migration.ts';
import type { MigrateOptions } from '../core/options.ts';
import { normaliseVariables } from '../core/tree.ts';
import type { PlanOptions } from './plan.ts';
import { encodeUrlSegment, extractVariables } from './shell.ts';

/** Names of the variables that an overrides file has outside of its comments, in their order, each once. */
function listFileVariables(text: string): readonly string[] {
  if (!text.includes('$')) return [];
  let said = '';
  let from = 0;
  for (const { start, end } of scanLexemes(text).comments) {
    said += text.slice(from, start);
    from = end;
  }
  return [...new Set(extractVariables(said + text.slice(from)))];
}

const SECRET_KEYS = ['serviceAccountRef', 'serviceAccountSecretRef'] as const;

/** The secret that holds the account of a component; undefined where the file names none. */
function findAccountSecret(text: string, block: string): string | undefined {
  const document = parseDocument(text, { prettyErrors: false, schema: 'core', uniqueKeys: false });
  const named = SECRET_KEYS.map((key) => document.getIn([block, key]));
  return named.find((value) => typeof value === 'string' && value !== '') as string | undefined;
}

/** What the steps are made of. Values are texts: they become words of a command by `sh` only. */
export type PlanContext = {
  options: PlanOptions;
  migrateOptions: MigrateOptions;
  dryRun: 'true' | 'client';
  migrated: Migrated;
  org: string;
  /** `$PROJECT_ID` where the file has none. */
  projectId: string;
  namespace: string;
  groups: readonly EnvironmentGroup[];
  environments: readonly string[];
  /** Undefined: the file does not say, or by a variable. */
  cassandraReplicas: number | undefined;
  /** Undefined: the account is known to the cluster as a secret only, and `$MART_ACCOUNT` names it. */
  martKeyPath: string | undefined;
  /** The key of the account that the Connect agent runs with; undefined: by a secret, and `$CONNECT_ACCOUNT` names it. */
  connectKeyPath: string | undefined;
  /** The Connect agent runs with the account of MART. */
  isConnectMarts: boolean;
  watcherKeyPath: string;
  /** The new file names one key for both: the watcher has no account of its own. */
  isMartsAccount: boolean;
  /** Metrics get an account that the old file did not name; undefined path: by a secret. */
  isMetricsAdded: boolean;
  metricsKeyPath: string | undefined;
  /** The secrets of the accounts, where the new file names no key of the watcher. */
  secrets: { mart: string; watcher: string } | undefined;
  /** Variables of the old and the new file; without any, both are applied as they are. */
  fileVariables: readonly string[];
  /** What is applied: the files themselves, or copies in which the variables are filled. */
  oldApplied: string;
  newApplied: string;
  /** The copy of the new file with `cassandra.externalSeedHost`, for the time of two steps. */
  seedFileName: string;
};

type PlanInput = {
  migrated: Migrated;
  /** Of the file: a part of a file without one has no plan. */
  org: string;
  migrateOptions: MigrateOptions;
  options: PlanOptions;
  dryRun: 'true' | 'client';
  oldText: string;
};

export function buildPlanContext({ migrated, org, migrateOptions, options, dryRun, oldText }: PlanInput): PlanContext {
  const { values, text } = migrated;
  const { fileName, newFileName } = options;
  const metrics = migrated.proposals.find(({ key }) => key.startsWith('metrics.'));
  const variables = [...new Set([...listFileVariables(oldText), ...listFileVariables(text)])];
  const applied = (name: string): string => (variables.length === 0 ? name : withSuffix(name, '-filled'));
  return {
    options,
    migrateOptions,
    dryRun,
    migrated,
    org,
    projectId: values.projectId ?? '$PROJECT_ID',
    namespace: values.namespace,
    groups: migrated.groups,
    environments: values.environments,
    cassandraReplicas: values.cassandraReplicas,
    martKeyPath: values.martServiceAccountPath,
    connectKeyPath: values.connectAgentServiceAccountPath,
    isConnectMarts: isConnectMarts(migrated),
    watcherKeyPath: values.watcherServiceAccountPath ?? '$WATCHER_KEY',
    isMartsAccount:
      values.watcherServiceAccountPath !== undefined &&
      normaliseVariables(values.watcherServiceAccountPath) === normaliseVariables(values.martServiceAccountPath ?? ''),
    isMetricsAdded: metrics !== undefined,
    metricsKeyPath: metrics?.key === 'metrics.serviceAccountPath' ? metrics.value : undefined,
    secrets:
      values.watcherServiceAccountPath === undefined
        ? {
            mart: findAccountSecret(text, 'mart') ?? '$MART_SECRET',
            watcher: findAccountSecret(text, 'watcher') ?? '$WATCHER_SECRET',
          }
        : undefined,
    fileVariables: variables,
    oldApplied: applied(fileName),
    newApplied: applied(newFileName),
    seedFileName: withSuffix(newFileName, '-seed'),
  };
}

/** Both by the same key file, or by the same secret. */
function isConnectMarts({ values, text }: Migrated): boolean {
  const { martServiceAccountPath: mart, connectAgentServiceAccountPath: connect } = values;
  if (mart !== undefined || connect !== undefined)
    return connect === undefined
      ? findAccountSecret(text, 'connectAgent') === undefined
      : normaliseVariables(connect) === normaliseVariables(mart ?? '');
  const [own, marts] = [findAccountSecret(text, 'connectAgent'), findAccountSecret(text, 'mart')];
  return own === undefined || normaliseVariables(own) === normaliseVariables(marts ?? '');
}

/** Every value of the files and the caller that a command carries. */
export function listCommandValues(context: PlanContext): readonly string[] {
  const { options, migrateOptions: given } = context;
  const { groups, ...rest } = given;
  return [
    context.org,
    context.projectId,
    context.namespace,
    ...context.environments,
    ...context.groups.flatMap((group) => [
      group.group,
      ...group.hostnames,
      ...group.environments,
      ...Object.values(group.basePaths).flat(),
    ]),
    ...(context.martKeyPath === undefined ? [] : [context.martKeyPath]),
    ...(context.connectKeyPath === undefined ? [] : [context.connectKeyPath]),
    context.watcherKeyPath,
    ...(context.metricsKeyPath === undefined ? [] : [context.metricsKeyPath]),
    ...Object.values(context.secrets ?? {}),
    options.fileName,
    options.newFileName,
    ...Object.entries(groups ?? {}).flat(),
    ...Object.values(rest).filter((value) => typeof value === 'string'),
  ];
}

/** Of the values, in their order, each once. */
export const listVariableNames = (context: PlanContext): readonly string[] => [
  ...new Set(listCommandValues(context).flatMap(extractVariables)),
];

/** An address of the management interface. */
export const buildApigeeUrl = (...segments: readonly string[]): string =>
  `https://apigee.googleapis.com/v1/${segments.map(encodeUrlSegment).join('/')}`;

/** The service gives 25 items a page where it is not asked for more. */
export const withWholePage = (url: string): string => `${url}?pageSize=1000`;

/** `overrides-1.3.yaml` -> `overrides-1.3-seed.yaml` */
const withSuffix = (name: string, suffix: string): string =>
  /\.ya?ml$/.test(name) ? name.replace(/(\.ya?ml)$/, `${suffix}$1`) : `${name}${suffix}`;

/** A file of the plan's own that belongs to one organization: `organization-first-acme.json`. */
export const formatPlanFileName = (name: string, org: string, extension = 'json'): string =>
  `${name}-${encodeUrlSegment(org)}.${extension}`;

/** A trial: its Cassandra has no three nodes. Of a number that is not known nothing is supposed. */
export const isTrial = ({ cassandraReplicas, migrateOptions }: PlanContext): boolean =>
  migrateOptions.production === false || (cassandraReplicas !== undefined && cassandraReplicas % 3 !== 0);
