/**
 * What the property reference lets stand below a key: `true` is a value or a mapping of the operator's own names, a list
 * of one row is that of each item. It serves to name slips of spelling and of depth; what is neither is let be.
 */
export type ReferenceKeys = { readonly [key: string]: true | ReferenceKeys | readonly [ReferenceKeys] };

const account = { serviceAccountPath: true, serviceAccountRef: true, serviceAccountSecretRef: true } as const;
const image = { url: true, tag: true, pullPolicy: true } as const;
const resources = { requests: { cpu: true, memory: true } } as const;
const probe = {
  initialDelaySeconds: true,
  periodSeconds: true,
  timeoutSeconds: true,
  successThreshold: true,
  failureThreshold: true,
} as const;
const httpProxy = { scheme: true, host: true, port: true, username: true, password: true } as const;
const nodePool = { key: true, value: true } as const;
const container = { image, resources } as const;
/** Of a part that Kubernetes runs in several replicas. */
const component = {
  ...account,
  ...container,
  livenessProbe: probe,
  readinessProbe: probe,
  nodeSelector: true,
  replicaCount: true,
  replicaCountMin: true,
  replicaCountMax: true,
  targetCPUUtilizationPercentage: true,
  terminationGracePeriodSeconds: true,
  revision: true,
  logLevel: true,
} as const;
const encryption = {
  cacheEncryptionKey: true,
  cacheEncryptionPath: true,
  cacheEncryptionSecret: { name: true, key: true },
  kmsEncryptionKey: true,
  kmsEncryptionPath: true,
  kmsEncryptionSecret: { name: true, key: true },
  kvmEncryptionKey: true,
  kvmEncryptionPath: true,
  kvmEncryptionSecret: { name: true, key: true },
} as const;
const environmentAccounts = { synchronizer: true, udca: true, runtime: true } as const;
const fluentd = {
  ...container,
  buffer_chunk_limit: true,
  buffer_queue_limit: true,
  flush_interval: true,
  max_retry_wait: true,
  num_threads: true,
} as const;

/** Keys of the blocks of an overrides file (property reference of 1.2 and 1.3). */
export const REFERENCE_KEYS: ReferenceKeys = {
  gcp: { region: true, projectID: true, gcpProjectIDRuntime: true, name: true },
  k8sCluster: { name: true, region: true },
  httpProxy,
  nodeSelector: { requiredForScheduling: true, apigeeRuntime: nodePool, apigeeData: nodePool },
  virtualhosts: [
    {
      name: true,
      hostAliases: true,
      routingRules: [{ env: true, paths: true, connectTimeout: true }],
      sslCertPath: true,
      sslKeyPath: true,
      sslSecret: true,
      caCertPath: true,
      selector: true,
      additionalGateways: true,
      minTLSProtocolVersion: true,
      maxTLSProtocolVersion: true,
    },
  ],
  envs: [
    {
      name: true,
      port: true,
      pollInterval: true,
      hostAlias: true,
      hostAliases: true,
      sslCertPath: true,
      sslKeyPath: true,
      httpProxy,
      serviceAccountPaths: environmentAccounts,
      serviceAccountSecretRefs: environmentAccounts,
      ...encryption,
    },
  ],
  cassandra: {
    ...component,
    auth: {
      image,
      secret: true,
      admin: { password: true },
      ddl: { password: true },
      default: { password: true },
      dml: { password: true },
    },
    backup: {
      ...account,
      enabled: true,
      cloudProvider: true,
      dbStorageBucket: true,
      image,
      keyFile: true,
      schedule: true,
      server: true,
      storageDirectory: true,
    },
    restore: {
      ...account,
      enabled: true,
      cloudProvider: true,
      dbStorageBucket: true,
      image,
      server: true,
      snapshotTimestamp: true,
      storageDirectory: true,
      user: true,
    },
    clusterName: true,
    datacenter: true,
    dnsPolicy: true,
    externalSeedHost: true,
    heapNewSize: true,
    hostNetwork: true,
    maxHeapSize: true,
    multiRegionSeedHost: true,
    port: true,
    rack: true,
    sslCertPath: true,
    sslKeyPath: true,
    sslRootCAPath: true,
    storage: { capacity: true, storageclass: true, storageSize: true, type: true },
  },
  runtime: { ...component, service: { type: true } },
  synchronizer: { ...component, pollInterval: true },
  udca: { ...component, fluentd, jvmXms: true, jvmXmx: true, pollingIntervalInSec: true },
  mart: { ...component, hostAlias: true, sslCertPath: true, sslKeyPath: true, sslSecret: true, metricsURL: true },
  connectAgent: { ...component, enabled: true, logLevel: true, server: true },
  watcher: component,
  metrics: {
    ...component,
    enabled: true,
    aggregator: container,
    app: container,
    prometheus: { ...container, containerPort: true, sslCertPath: true, sslKeyPath: true },
    proxy: container,
    sdSidecar: { ...container, containerPort: true },
  },
  logger: { ...component, enabled: true, envVars: true, fluentd, proxyURL: true },
  ao: container,
  authz: { ...container, livenessProbe: probe, readinessProbe: probe },
  kubeRBACProxy: container,
};
