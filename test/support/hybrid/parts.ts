import type { MigrateOptions } from '../../../src/hybrid/core/options.ts';
import { type Entry, type Pen, writeBlock, writeTop } from './blocks.ts';
import type { Draw } from './draw.ts';
import type { Plants } from './files.ts';
import type { Hosts } from './hosts.ts';

/** What a file says once, and other parts of it need. */
export type Facts = {
  isFragment: boolean;
  projectId: string;
  region: string;
  clusterName: string;
  clusterRegion: string;
  martPath: string;
  options: MigrateOptions;
  hosts: Hosts;
  plants: Plants;
};

export type Write = (pen: Pen) => void;

/** Values that a caller may give where the file has none. */
const givable = {
  instanceId: ['instance-1', 'a1b2'],
  region: ['asia-south1'],
  connectAgentServiceAccountPath: ['/sa/connect.json'],
  metricsServiceAccountPath: ['./sa/m.json'],
  watcherServiceAccountPath: ['./other/watcher.json'],
} as const satisfies Partial<Record<keyof MigrateOptions, readonly string[]>>;

/** The value of a flag, now and then, or else the proposal. */
export function given(draw: Draw, facts: Facts, key: keyof typeof givable, proposal: string): string {
  if (Object.keys(facts.plants).length > 0 || !draw.chance(15)) return proposal;
  const value = draw.pick(givable[key]);
  facts.options[key] = value;
  return value;
}

const bare = (raw: string) => raw.replace(/^["']|["']$/g, '');

/** `gcp`, or the flat keys of before it, or some of both. */
export function gcpParts(draw: Draw, facts: Facts): Write[] {
  const { clusterRegion, projectId, region, isFragment, plants } = facts;
  const runtime: Entry[] = draw.chance(10) ? [{ key: 'gcpProjectIDRuntime', value: 'my-logs' }] : [];
  const hasRegion = draw.chance(60);
  const wanted = hasRegion || isFragment ? [] : [`region: ${given(draw, facts, 'region', clusterRegion)}`];
  if (plants.gcp === undefined && draw.chance(15)) {
    const flat = draw.shuffled([
      { old: 'gcpProjectID', key: 'projectID', value: projectId },
      ...(hasRegion ? [{ old: 'gcpRegion', key: 'region', value: region }] : []),
      ...(runtime.length > 0 ? [{ old: 'gcpProjectIDRuntime', key: 'gcpProjectIDRuntime', value: 'my-logs' }] : []),
    ]);
    return [flatPart('gcp', flat, wanted)];
  }
  const project = { key: 'projectID', value: projectId };
  if (plants.gcp === undefined && hasRegion && draw.chance(12)) {
    // The block is there and the old key too: with a new place for it, or already said.
    const isSaid = draw.chance(30);
    const block: Write = (pen) =>
      writeBlock(
        pen,
        'gcp',
        isSaid ? [project, { key: 'region', value: region }] : [project],
        isSaid ? [] : [`region: ${region}`],
      );
    const old: Write = (pen) => {
      writeTop(pen, { key: 'gcpRegion', value: region, isGone: true, isPlain: true });
      // A key that moves takes its line along, and no comment below it.
      if (!isSaid) pen.w.endRemoval();
    };
    return [block, old];
  }
  const entries = [project, ...(hasRegion ? [{ key: 'region', value: region }] : []), ...runtime];
  return [(pen) => writeBlock(pen, 'gcp', [...draw.shuffled(entries), ...(plants.gcp ?? [])], wanted)];
}

export function clusterParts(draw: Draw, { clusterName, clusterRegion, plants }: Facts): Write[] {
  const pairs = draw.shuffled([
    { old: 'k8sClusterName', key: 'name', value: clusterName },
    { old: 'k8sClusterRegion', key: 'region', value: clusterRegion },
  ]);
  if (Object.keys(plants).length === 0 && draw.chance(15)) return [flatPart('k8sCluster', pairs, [])];
  return [
    (pen) =>
      writeBlock(
        pen,
        'k8sCluster',
        pairs.map(({ key, value }) => ({ key, value })),
      ),
  ];
}

type Flat = { old: string; key: string; value: string };

/** Old keys on adjacent lines and no block: the first becomes the block, the others its keys. */
function flatPart(block: string, flat: readonly Flat[], added: readonly string[]): Write {
  return ({ w, draw, note, layout }) => {
    const pad = ' '.repeat(layout.unit);
    flat.forEach(({ old, key, value }, index) => {
      const end = draw.chance(15) ? ` ${note()}` : '';
      const pair = `${pad}${key}: ${value}${end}`;
      w.edit(`${old}: ${value}${end}`, index === 0 ? [`${block}:`, pair] : [pair]);
    });
    if (added.length > 0)
      w.atEnd(
        0,
        added.map((line) => `${pad}${line}`),
      );
  };
}

export function orgPart(draw: Draw, facts: Facts): Write {
  const { plants, clusterName, clusterRegion } = facts;
  const org = plants.org ?? draw.pick(['my-org', '$ORG', '"my-org"', "'o'"]);
  const isThere = Object.keys(plants).length === 0 && draw.chance(8);
  const own = { key: 'instanceID', value: draw.pick(['"mine-1"', 'mine']) };
  return (pen) => {
    const isBefore = draw.chance(50);
    if (isThere && isBefore) writeTop(pen, own);
    writeTop(pen, { key: 'org', value: org });
    if (isThere && !isBefore) writeTop(pen, own);
    if (isThere) return;
    const id = given(draw, facts, 'instanceId', `${bare(clusterName)}-${bare(clusterRegion)}`);
    pen.w.insert([`instanceID: "${id}"`]);
  };
}

export function martPart(draw: Draw, { martPath, plants }: Facts): Write {
  const old = [
    { key: 'hostAlias', value: draw.pick(['"$MART_HOST_ALIAS"', 'mart.example.com']), isGone: true },
    { key: 'sslCertPath', value: './certs/fullchain.pem', isGone: true },
    { key: 'sslKeyPath', value: '"./certs/privkey.pem"', isGone: true },
  ];
  const isOld = plants.mart !== undefined || draw.chance(85);
  const entries: Entry[] = [{ key: 'serviceAccountPath', value: martPath }, ...(isOld ? old : [])];
  if (draw.chance(15)) entries.push({ key: 'replicaCountMin', value: '1' });
  return (pen) => writeBlock(pen, 'mart', [...draw.shuffled(entries), ...(plants.mart ?? [])]);
}

export function connectParts(draw: Draw, facts: Facts): Write[] {
  const { isFragment, martPath } = facts;
  if (draw.chance(45)) return [];
  const hasPath = isFragment || draw.chance(60);
  const entries: Entry[] = [
    ...(draw.chance(75) || !hasPath ? [{ key: 'enabled', value: draw.pick(['true', 'True']), isGone: true }] : []),
    ...(hasPath ? [{ key: 'serviceAccountPath', value: martPath }] : []),
    ...(draw.chance(25) ? [{ key: 'replicaCountMin', value: '1' }] : []),
  ];
  const added = hasPath
    ? []
    : [`serviceAccountPath: ${given(draw, facts, 'connectAgentServiceAccountPath', martPath)}`];
  return [(pen) => writeBlock(pen, 'connectAgent', draw.shuffled(entries), added)];
}

export function metricsParts(draw: Draw, facts: Facts): Write[] {
  const { isFragment, martPath } = facts;
  if (draw.chance(20)) return [];
  const hasPath = isFragment || draw.chance(85);
  const entries: Entry[] = [
    ...(draw.chance(50) || !hasPath ? [{ key: 'enabled', value: 'true' }] : []),
    ...(hasPath ? [{ key: 'serviceAccountPath', value: './sa/metrics.json' }] : []),
  ];
  const own = hasPath ? '' : given(draw, facts, 'metricsServiceAccountPath', renamed(martPath, 'metrics'));
  return [(pen) => writeBlock(pen, 'metrics', draw.shuffled(entries), hasPath ? [] : [`serviceAccountPath: ${own}`])];
}

export function watcherParts(draw: Draw, { isFragment }: Facts): Write[] {
  if (isFragment || !draw.chance(8)) return [];
  return [(pen) => writeBlock(pen, 'watcher', [{ key: 'serviceAccountPath', value: './sa/w.json' }])];
}

export function cassandraPart(draw: Draw): Write {
  const entries: Entry[] = draw.shuffled([
    { key: 'replicaCount', value: draw.pick(['3', '6']) },
    ...(draw.chance(50)
      ? [
          {
            key: 'storage',
            value: [
              { key: 'capacity', value: '10Gi' },
              { key: 'storageclass', value: 'ssd' },
            ],
          },
        ]
      : []),
    ...(draw.chance(40) ? [{ key: 'dnsPolicy', value: 'ClusterFirstWithHostNet', isGone: true }] : []),
    ...(draw.chance(40) ? [{ key: 'hostNetwork', value: 'false' }] : []),
  ]);
  return (pen) => writeBlock(pen, 'cassandra', entries);
}

const ip = (key: string): Entry => ({ key, value: [{ key: 'loadBalancerIP', value: draw4(key) }] });
const draw4 = (key: string) => (key === 'mart' ? '$MART_IP' : '"10.0.0.1"');

export function goneParts(draw: Draw): Write[] {
  const blocks: [string, Entry[]][] = [
    ['ingress', [{ key: 'enableAccesslog', value: 'true' }, ip('runtime'), ip('mart')]],
    [
      'istio',
      [
        { key: 'version', value: '1.4.6' },
        { key: 'replicaCountMin', value: '2' },
      ],
    ],
    ['certmanager', [{ key: 'replicaCountMin', value: '1' }]],
    ['certmanagerwebhook', [{ key: 'replicaCountMin', value: '1' }]],
    ['certmanagercainjector', [{ key: 'replicaCountMin', value: '1' }]],
  ];
  return blocks
    .filter((_, index) => draw.chance(index === 0 ? 55 : 10))
    .map(
      ([key, entries]) =>
        (pen: Pen) =>
          writeTop(pen, { key, value: draw.shuffled(entries), isGone: true }),
    );
}

/** The path of another service account, from mart's. */
export const renamed = (martPath: string, name: string) =>
  martPath.replaceAll('mart', name).replaceAll('MART', name.toUpperCase());
