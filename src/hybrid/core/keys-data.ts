/** Top-level keys of 1.0 and their places in 1.2 (property reference: "deprecated for v1.2.0 and later"). */
export const RENAMED = [
  { old: 'gcpRegion', block: 'gcp', key: 'region' },
  { old: 'gcpProjectID', block: 'gcp', key: 'projectID' },
  { old: 'gcpProjectIDRuntime', block: 'gcp', key: 'gcpProjectIDRuntime' },
  { old: 'k8sClusterName', block: 'k8sCluster', key: 'name' },
  { old: 'k8sClusterRegion', block: 'k8sCluster', key: 'region' },
] as const;

/** Components that 1.3 does not install: mesh and certificate manager are installed apart. */
export const REMOVED_COMPONENTS = [
  'ingress',
  'istio',
  'certmanager',
  'certmanagerwebhook',
  'certmanagercainjector',
] as const;

export const REMOVED_FROM_VIRTUAL_HOSTS = ['hostAliases', 'routingRules'] as const;
export const REMOVED_FROM_MART = ['hostAlias', 'sslCertPath', 'sslKeyPath'] as const;

/** What an environment has only before there were virtual hosts. */
export const VERSION_1_1 = ['hostAlias', 'hostAliases', 'sslCertPath', 'sslKeyPath'] as const;
/** What a file before 1.3 cannot have at its top level. */
export const SINCE_1_3 = ['instanceID', 'watcher', 'axHashSalt'] as const;
/** Keys that a 1.3 file cannot have, by their place (property reference: the version that introduced each). */
export const AFTER_1_3: Readonly<
  Record<'file' | 'virtualhosts' | 'serviceAccountPaths', Readonly<Record<string, string>>>
> = {
  file: { ingressGateways: '1.8' },
  virtualhosts: { requestTimeout: '1.10' },
  serviceAccountPaths: { runtime: '1.4' },
};

/** Accounts by path of a key file, or by the name of a secret (the last as the release notes of 1.2.0 spell it). */
export const ACCOUNT_KEYS = ['serviceAccountPath', 'serviceAccountRef', 'serviceAccountSecretRef'] as const;
/** How a new block names its account. */
export type AccountKey = 'serviceAccountPath' | 'serviceAccountRef';

/** Parts that are read or changed: anchors and the like would make a change here one elsewhere too. */
export const TOUCHED: ReadonlySet<string> = new Set([
  ...RENAMED.flatMap(({ old, block }) => [old, block]),
  ...REMOVED_COMPONENTS,
  'org',
  'instanceID',
  'namespace',
  'virtualhosts',
  'envs',
  'mart',
  'connectAgent',
  'metrics',
  'watcher',
  'cassandra',
]);

/** Top-level keys that mark a file as one of overrides: one of them is enough. */
export const MARKS: ReadonlySet<string> = new Set([
  ...TOUCHED,
  'runtime',
  'synchronizer',
  'udca',
  'logger',
  'ao',
  'authz',
  'nodeSelector',
  'imagePullSecrets',
  'contractProvider',
  'kubeRBACProxy',
  'defaults',
  'httpProxy',
  'revision',
  'axHashSalt',
]);
