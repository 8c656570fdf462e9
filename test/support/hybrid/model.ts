import type { MigrateOptions } from '../../../src/hybrid/core/options.ts';

type Plain = Record<string, unknown>;

const removedBlocks = ['ingress', 'istio', 'certmanager', 'certmanagerwebhook', 'certmanagercainjector'];
const renames = [
  ['gcpProjectID', 'gcp', 'projectID'],
  ['gcpRegion', 'gcp', 'region'],
  ['gcpProjectIDRuntime', 'gcp', 'gcpProjectIDRuntime'],
  ['k8sClusterName', 'k8sCluster', 'name'],
  ['k8sClusterRegion', 'k8sCluster', 'region'],
] as const;

/** What a parsed 1.2 file must be after its migration: the rules on plain objects, without texts or places. */
export function modelOf(parsed: Plain, options: MigrateOptions): Plain {
  const model = without(parsed, removedBlocks);
  for (const [old, block, key] of renames) {
    if (!(old in model)) continue;
    model[block] = { [key]: model[old], ...(model[block] as Plain | undefined) };
    delete model[old];
  }
  if ('virtualhosts' in model)
    model['virtualhosts'] = (model['virtualhosts'] as Plain[]).map((host) => virtualHost(host, options));
  if ('mart' in model) model['mart'] = without(model['mart'] as Plain, ['hostAlias', 'sslCertPath', 'sslKeyPath']);
  if ('connectAgent' in model) model['connectAgent'] = without(model['connectAgent'] as Plain, ['enabled']);
  if ('cassandra' in model) model['cassandra'] = without(model['cassandra'] as Plain, ['dnsPolicy']);
  return 'org' in model ? completed(model, options) : model;
}

function virtualHost(host: Plain, { groups }: MigrateOptions): Plain {
  const kept = without(host, ['hostAliases', 'routingRules']);
  const name = kept['name'] as string;
  return { ...kept, name: groups?.[name] ?? name };
}

/** With what 1.3 requires. */
function completed(model: Plain, options: MigrateOptions): Plain {
  const cluster = model['k8sCluster'] as { name: string; region: string };
  const martPath = (model['mart'] as { serviceAccountPath: string }).serviceAccountPath;
  const account = (name: string) => martPath.replaceAll('mart', name).replaceAll('MART', name.toUpperCase());
  return {
    ...model,
    instanceID: model['instanceID'] ?? options.instanceId ?? `${cluster.name}-${cluster.region}`,
    gcp: { region: options.region ?? cluster.region, ...(model['gcp'] as Plain) },
    connectAgent: withPath(model['connectAgent'], options.connectAgentServiceAccountPath ?? martPath),
    metrics: withPath(model['metrics'], options.metricsServiceAccountPath ?? account('metrics')),
    watcher: withPath(model['watcher'], options.watcherServiceAccountPath ?? account('watcher')),
  };
}

const withPath = (block: unknown, path: string): Plain => ({
  serviceAccountPath: path,
  ...(block as Plain | undefined),
});

const without = (object: Plain, keys: readonly string[]): Plain =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
