import type { Migrated } from '../core/migration.ts';
import type { ClusterFacts } from './facts.ts';
import {
  type Precondition,
  type VerifyOptions,
  judgeGroupExistence,
  judgeHostNames,
  judgeEnvironmentAttachments,
  judgeBoolean,
  judgeConnectRole,
  judgeExactVersion,
  judgeMinorVersion,
  judgeBackup,
  judgeCondition,
  buildUnknownResult,
  type ConditionResult,
  withSuffix,
  judgeMeshReplicas,
  judgeMeshVersion,
  judgePlatformVersion,
  judgeNodeStates,
  judgeDataCenters,
  judgeCassandraReplicas,
  judgeRingSize,
} from './conditions.ts';
import { findDryRunValue } from '../plan/versions.ts';

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
const MAX_SEEN_CHARS = 200;

/**
 * Which conditions of the upgrade hold, in the order of the plan's steps. Says nothing of what the facts leave out.
 * @param migrated the migration of the overrides file: its groups are compared with those of the organization
 */
export const verifyCluster = (
  facts: ClusterFacts,
  migrated?: Migrated,
  options: VerifyOptions = {},
): readonly Precondition[] =>
  preconditions.map(({ look, ...row }) => {
    const found = look(facts, migrated, options);
    return { ...row, state: found.state, seen: shortenToOneLine(found.seen) };
  });

/** Whether a condition must hold when a step of the plan is done. Without a step all must. */
export const isConditionRequired = ({ step, lastStep = Infinity }: Precondition, after: number | undefined): boolean =>
  after === undefined || (step <= after && after <= lastStep);

const shortenToOneLine = (seen: string): string => {
  const characters = Array.from(seen.replaceAll(UNPRINTABLE, ' ').trim());
  return characters.length <= MAX_SEEN_CHARS
    ? characters.join('')
    : `${characters.slice(0, MAX_SEEN_CHARS - 1).join('')}…`;
};

type Row = {
  id: string;
  title: string;
  needed: string;
  step: number;
  lastStep?: number;
  look: (facts: ClusterFacts, migrated: Migrated | undefined, options: VerifyOptions) => ConditionResult;
};

const CONNECT_PROPERTIES = ['features.hybrid.enabled', 'features.mart.connect.enabled'] as const;

const definePropertyCondition = (name: (typeof CONNECT_PROPERTIES)[number], id: string): Row => ({
  id,
  title: `${name} is set`,
  needed: 'true',
  step: 2,
  look: ({ connect }) => {
    const properties = connect?.properties;
    if (properties === undefined || properties === null) return buildUnknownResult();
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return judgeCondition(value === 'true', value ?? 'not set');
  },
});

/** Every condition, by the step of the plan. */
export const preconditions: readonly Row[] = [
  {
    id: 'kubectl-client',
    title: 'The kubectl client has a known --dry-run',
    needed: 'kubectl 1',
    step: 0,
    look: ({ kubectl }) => {
      const version = withSuffix(kubectl?.clientVersion);
      return version === undefined
        ? buildUnknownResult()
        : judgeCondition(findDryRunValue(version) !== undefined, version);
    },
  },
  {
    id: 'platform-version',
    title: 'The platform has a supported version',
    needed: 'managed: Kubernetes 1.15 or later; multi-cloud: Anthos 1.5; attached: Kubernetes 1.16 or later',
    step: 0,
    look: judgePlatformVersion,
  },
  {
    id: 'apigeectl-version',
    title: 'apigeectl is of 1.2',
    needed: '1.2.x before step 7',
    step: 0,
    lastStep: 6,
    look: ({ apigeectl }) => judgeMinorVersion(apigeectl, [1, 2]),
  },
  {
    id: 'hybrid-version',
    title: 'The runtime that serves is of 1.2',
    needed: '1.2.x before step 10',
    step: 0,
    lastStep: 9,
    look: ({ hybridVersion }) => judgeMinorVersion(hybridVersion, [1, 2]),
  },
  {
    id: 'cassandra-replicas',
    title: 'Cassandra has three nodes or a multiple',
    needed: 'a multiple of 3; any number with --no-production',
    step: 1,
    lastStep: 11,
    look: judgeCassandraReplicas,
  },
  { id: 'ring-up', title: 'All nodes of the ring are up and normal', needed: 'UN', step: 1, look: judgeNodeStates },
  {
    id: 'ring-complete',
    title: 'All nodes are in the ring',
    needed: 'as many nodes as replicas, or twice as many from step 9 to 12',
    step: 1,
    lastStep: 11,
    look: judgeRingSize,
  },
  { id: 'ring-data-center', title: 'The ring has one data center', needed: '1', step: 1, look: judgeDataCenters },
  {
    id: 'backup-apigeectl',
    title: 'There is a backup of apigeectl',
    needed: 'a backup',
    step: 1,
    look: ({ backups }) => judgeBackup(backups?.apigeectl),
  },
  {
    id: 'backup-overrides',
    title: 'There is a backup of the overrides file',
    needed: 'a backup',
    step: 1,
    look: ({ backups }) => judgeBackup(backups?.overrides),
  },
  {
    id: 'backup-cassandra',
    title: 'There is a backup of Cassandra',
    needed: 'a backup',
    step: 1,
    look: ({ backups }) => judgeBackup(backups?.cassandra),
  },
  {
    id: 'connect-api',
    title: 'The Apigee Connect API is enabled',
    needed: 'true',
    step: 2,
    look: ({ connect }) => judgeBoolean(connect?.apiEnabled),
  },
  {
    id: 'connect-role',
    title: 'The account of the Connect agent has its role',
    needed: 'true',
    step: 2,
    look: judgeConnectRole,
  },
  definePropertyCondition('features.hybrid.enabled', 'property-hybrid'),
  definePropertyCondition('features.mart.connect.enabled', 'property-mart-connect'),
  {
    id: 'watcher-account',
    title: 'The watcher has a service account',
    needed: 'true',
    step: 3,
    look: ({ watcher }) => judgeBoolean(watcher?.accountExists),
  },
  {
    id: 'watcher-role',
    title: 'The watcher has the role of the runtime agent',
    needed: 'true',
    step: 3,
    look: ({ watcher }) => judgeBoolean(watcher?.hasRole),
  },
  {
    id: 'groups',
    title: 'The environment groups exist',
    needed: 'every group of the overrides file, one at least',
    step: 4,
    look: judgeGroupExistence,
  },
  {
    id: 'group-host-names',
    title: 'The groups have their host names',
    needed: 'every host name of the overrides file, in its group',
    step: 4,
    look: judgeHostNames,
  },
  {
    id: 'group-environments',
    title: 'The environments are attached',
    needed: 'every environment of the overrides file, to its groups',
    step: 4,
    look: judgeEnvironmentAttachments,
  },
  {
    id: 'mesh-replicas',
    title: 'The mesh can be upgraded without a gap',
    needed: '2 replicas and minReplicas 2 of every deployment, or 1.5.7 already',
    step: 6,
    look: judgeMeshReplicas,
  },
  {
    id: 'mesh-version',
    title: 'The service mesh has a supported version',
    needed: '1.5.7 or later',
    step: 6,
    look: judgeMeshVersion,
  },
  {
    id: 'cert-manager',
    title: 'cert-manager has the supported version',
    needed: 'v0.14.2',
    step: 6,
    look: ({ certManager }) => judgeExactVersion(certManager, [0, 14, 2]),
  },
];
