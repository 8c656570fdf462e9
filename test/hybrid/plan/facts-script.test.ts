import { afterEach, describe, expect, test } from 'vitest';
import { clusterFacts } from '../../../src/hybrid/verify/facts.ts';
import { verifyCluster } from '../../../src/hybrid/verify/verify.ts';
import type { PlanOptions } from '../../../src/hybrid/plan/plan.ts';
import { migrated, planFor, writing } from './example.ts';
import { fakeCluster, hasJq, type FakeCluster } from './fake-cluster.ts';

const json = (value: unknown): string => `echo '${JSON.stringify(value)}'`;
const image = (name: string): object => ({
  spec: { template: { spec: { containers: [{ image: name }] } }, replicas: 2 },
});

const kubectl = `case "$*" in
'version -o json') ${json({ clientVersion: { major: '1', minor: '18+', gitVersion: 'v1.18.20' }, serverVersion: { major: '1', minor: '16', gitVersion: 'v1.16.15-gke.1' } })};;
*apigee-runtime*) ${json({ items: [{ spec: { containers: [{ image: 'istio/proxyv2:1.4.6' }, { image: 'gcr.io/apigee-release/hybrid/apigee-runtime:1.2.0' }] } }] })};;
*'deployment cert-manager'*) ${json(image('quay.io/jetstack/cert-manager-controller:v0.12.0'))};;
*deployments,hpa*) ${json({
  items: [
    { kind: 'Deployment', metadata: { name: 'istio-pilot' }, ...image('docker.io/istio/pilot:1.4.6') },
    { kind: 'Deployment', metadata: { name: 'istio-ingressgateway' }, ...image('docker.io/istio/proxyv2:1.4.6') },
    {
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { minReplicas: 1, scaleTargetRef: { name: 'istio-pilot' } },
    },
  ],
})};;
*statefulset*) ${json({ spec: { replicas: 3 } })};;
*nodetool*) cat <<'RING'
Datacenter: dc-1
UN  10.0.0.1  1 KiB
UN  10.0.0.2  1 KiB
DN  10.0.0.3  1 KiB
RING
;;
*) exit 1;;
esac`;

const gcloud = `case "$*" in
'services list'*) ${json([{ config: { name: 'apigeeconnect.googleapis.com' } }])};;
*get-iam-policy*) ${json({ bindings: [{ role: 'roles/apigeeconnect.Agent', members: ['serviceAccount:mart@acme'] }] })};;
*service-accounts*) echo '[]';;
*) echo token;;
esac`;

const curl = `case "$*" in
*public/attachments*) ${json({ environmentGroupAttachments: [{ name: 'x', environment: 'test' }] })};;
*partners/attachments*) exit 22;;
*envgroups*) ${json({
  environmentGroups: [
    { name: 'public', hostnames: ['api.example.com', '*.example.org'] },
    { name: 'partners', hostnames: [] },
  ],
})};;
*) ${json({ name: 'acme', properties: { property: [{ name: 'features.hybrid.enabled', value: 'true' }] } })};;
esac`;

const tools = { kubectl, gcloud, curl, apigeectl: 'echo "Version: 1.2.0"' };
const nothing = { kubectl: 'exit 1', gcloud: 'exit 1', curl: 'exit 22', apigeectl: 'exit 127' };

const clusters: FakeCluster[] = [];
afterEach(() => {
  for (const one of clusters.splice(0)) one.remove();
});

function clusterWith(fakes: Readonly<Record<string, string>>): FakeCluster {
  const cluster = fakeCluster(fakes);
  clusters.push(cluster);
  cluster.run(`echo '{"client_email":"mart@acme"}' > mart.json; echo x > overrides.yaml.1.2-backup`);
  return cluster;
}

const SET = { CASSANDRA_BACKUP: 'gs://b', ANTHOS_VERSION: '1.5.2' };

/** Runs the script of step 0 and reads what it wrote. */
function gathered(
  fakes: Readonly<Record<string, string>>,
  options: Partial<PlanOptions> = {},
  values: Parameters<typeof migrated>[0] = {},
): unknown {
  const cluster = clusterWith(fakes);
  cluster.run(writing(planFor(migrated({ martServiceAccountPath: 'mart.json', ...values }), options), 'facts.sh'));
  cluster.run('sh facts.sh', SET);
  return JSON.parse(cluster.read('facts.json'));
}

describe.skipIf(!hasJq)('the script of step 0 (needs jq)', () => {
  test('writes what the tools say as facts', () => {
    const facts = clusterFacts.parse(gathered(tools));
    expect(facts).toEqual({
      kubectl: {
        clientVersion: { major: '1', minor: '18+', gitVersion: 'v1.18.20' },
        serverVersion: { major: '1', minor: '16', gitVersion: 'v1.16.15-gke.1' },
      },
      platform: 'managed',
      apigeectl: 'Version: 1.2.0\n',
      hybridVersion: '1.2.0',
      certManager: 'v0.12.0',
      mesh: {
        deployments: [
          { name: 'istio-pilot', replicas: 2, minReplicas: 1, version: '1.4.6' },
          { name: 'istio-ingressgateway', replicas: 2 },
        ],
      },
      connect: {
        apiEnabled: true,
        agentAccount: 'mart@acme',
        agentHasRole: true,
        properties: { 'features.hybrid.enabled': 'true' },
      },
      watcher: { accountExists: false, hasRole: false },
      groups: [
        { name: 'public', hostnames: ['api.example.com', '*.example.org'], environments: ['test'] },
        { name: 'partners', hostnames: [], environments: null },
      ],
      cassandra: { replicas: 3, ring: expect.stringContaining('DN  10.0.0.3') },
      backups: { overrides: true, cassandra: 'gs://b' },
    });
  });

  test('looks at the account that connectAgent names, not at that of MART', () => {
    const cluster = clusterWith(tools);
    cluster.run(`echo '{"client_email":"connect@acme"}' > connect.json`);
    const paths = { martServiceAccountPath: 'mart.json', connectAgentServiceAccountPath: 'connect.json' };
    cluster.run(writing(planFor(migrated(paths)), 'facts.sh'));
    cluster.run('sh facts.sh', SET);
    const facts = clusterFacts.parse(JSON.parse(cluster.read('facts.json')));
    expect(facts.connect).toMatchObject({ agentAccount: 'connect@acme', agentHasRole: false });
    expect(verifyCluster(facts, migrated(paths)).find(({ id }) => id === 'connect-role')).toMatchObject({
      state: 'fails',
      seen: 'false (connect@acme)',
    });
  });

  test('what the tools cannot say is unknown to verify, not wrong', () => {
    const rows = verifyCluster(clusterFacts.parse(gathered({ ...nothing, apigeectl: 'exit 127' })), migrated());
    expect(rows.filter(({ state }) => state === 'fails')).toEqual([]);
    expect(rows.filter(({ state }) => state === 'holds').map(({ id }) => id)).toEqual([
      'backup-overrides',
      'backup-cassandra',
    ]);
  });

  test('the version of Anthos is the operator’s to say, and a tool that prints no JSON leaves the other facts alone', () => {
    const facts = gathered({ ...tools, kubectl: 'echo "You must be logged in"' }, { platform: 'multi-cloud' });
    expect(facts).toMatchObject({ platform: 'multi-cloud', platformVersion: '1.5.2', apigeectl: 'Version: 1.2.0\n' });
  });

  test('a second run keeps nothing of the first: what is not seen any more is unknown', () => {
    const cluster = clusterWith(tools);
    cluster.run(writing(planFor(migrated({ martServiceAccountPath: 'mart.json' })), 'facts.sh'));
    cluster.run('sh facts.sh', SET);
    for (const tool of ['kubectl', 'gcloud', 'curl', 'apigeectl'])
      cluster.run(`printf '#!/bin/sh\\necho Unable to connect\\nexit 1\\n' > ../bin/${tool}`);
    cluster.run('rm overrides.yaml.1.2-backup; sh facts.sh');
    const facts = clusterFacts.parse(JSON.parse(cluster.read('facts.json')));
    expect(verifyCluster(facts, migrated()).filter(({ state }) => state !== 'unknown')).toEqual([]);
    expect(cluster.files().filter((name) => name.startsWith('facts.'))).toEqual(['facts.json', 'facts.sh']);
  });

  test.each([
    ['a key that cannot be read', { martServiceAccountPath: './nokey.json' }],
    ['an account that is not named', { martServiceAccountPath: undefined as unknown as string }],
  ])('%s is no lacking role: unknown', (_, values) => {
    const facts = clusterFacts.parse(gathered(tools, {}, values));
    expect(verifyCluster(facts).find(({ id }) => id === 'connect-role')?.state).toBe('unknown');
  });

  test('a noisy tool spoils nothing: warnings are left out, and long ones are cut', () => {
    const noisy = 'echo "W1122 gcp.go:119] use v1.22+" >&2; echo "Version: 1.2.0"; yes x';
    const facts = clusterFacts.parse(gathered({ ...tools, apigeectl: noisy.replace('yes x', 'printf "%02000d" 0') }));
    expect(verifyCluster(facts).find(({ id }) => id === 'apigeectl-version')?.state).toBe('holds');
  });

  test('numbers where tools print texts are texts', () => {
    const numbers = `echo '{"clientVersion": {"major": 1, "minor": 18}}'`;
    expect(gathered({ ...tools, kubectl: numbers })).toMatchObject({
      kubectl: { clientVersion: { major: '1', minor: '18' } },
    });
  });
});
