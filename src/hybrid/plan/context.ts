import type { EnvironmentGroup, Migrated } from '../migration.ts';
import type { MigrateOptions } from '../options.ts';
import type { PlanOptions } from './plan.ts';
import { urlSegment, variablesIn } from './shell.ts';

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
  /** Of the ring of 1.2; the ring of 1.3 gets as many. */
  cassandraReplicas: number;
  /** Undefined: the account is known to the cluster as a secret only, and `$MART_ACCOUNT` names it. */
  martKeyPath: string | undefined;
  watcherKeyPath: string;
  /** The copy of the new file with `cassandra.externalSeedHost`, for the time of two steps. */
  seedFileName: string;
};

/** The vendor's default: one node, good for trials. */
const DEFAULT_REPLICAS = 1;

/** @param org of the file: a part of a file without one has no plan */
export function contextOf(
  migrated: Migrated,
  org: string,
  migrateOptions: MigrateOptions,
  options: PlanOptions,
  dryRun: 'true' | 'client',
): PlanContext {
  const { values } = migrated;
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
    cassandraReplicas: values.cassandraReplicas ?? DEFAULT_REPLICAS,
    martKeyPath: values.martServiceAccountPath,
    watcherKeyPath: values.watcherServiceAccountPath ?? '$WATCHER_KEY',
    seedFileName: seedFileName(options.newFileName),
  };
}

/** Every value of the files and the caller that a command carries. */
export function valuesOf(context: PlanContext): readonly string[] {
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
    context.watcherKeyPath,
    options.fileName,
    options.newFileName,
    ...Object.entries(groups ?? {}).flat(),
    ...Object.values(rest).filter((value) => typeof value === 'string'),
  ];
}

/** Of the values, in their order, each once. */
export const variableNames = (context: PlanContext): readonly string[] => [
  ...new Set(valuesOf(context).flatMap(variablesIn)),
];

/** An address of the management interface. */
export const apiUrl = (...segments: readonly string[]): string =>
  `https://apigee.googleapis.com/v1/${segments.map(urlSegment).join('/')}`;

/** `overrides-1.3.yaml` -> `overrides-1.3-seed.yaml` */
const seedFileName = (newFileName: string): string =>
  /\.ya?ml$/.test(newFileName) ? newFileName.replace(/(\.ya?ml)$/, '-seed$1') : `${newFileName}-seed`;
