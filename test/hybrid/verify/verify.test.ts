import { describe, expect, test } from 'vitest';
import { clusterFacts, type ClusterFacts } from '../../../src/hybrid/verify/facts.ts';
import { preconditions, isConditionRequired, verifyCluster } from '../../../src/hybrid/verify/verify.ts';
import type { Precondition } from '../../../src/hybrid/verify/conditions.ts';
import { migrated } from '../plan/example.ts';

const up = (count: number, last = 'UN', dataCenter = 'dc-1'): string =>
  `Datacenter: ${dataCenter}\n${Array.from({ length: count }, (_, index) => `${index === count - 1 ? last : 'UN'}  10.0.0.${index}  1 KiB\n`).join('')}`;

const mesh = (
  version: string | undefined,
  ...replicas: readonly (readonly [number | undefined, number | undefined])[]
): ClusterFacts => ({
  mesh: {
    version,
    deployments: replicas.map(([count, minReplicas], index) => ({ name: `d${index}`, replicas: count, minReplicas })),
  },
});

const server = (
  platform: NonNullable<ClusterFacts['platform']>,
  minor: string,
  platformVersion?: string,
): ClusterFacts => ({
  platform,
  platformVersion,
  kubectl: { serverVersion: { major: '1', minor } },
});

const groups = (
  ...list: readonly (readonly [name: string, hostnames?: readonly string[], environments?: readonly string[]])[]
): ClusterFacts => ({
  groups: list.map(([name, hostnames, environments]) => ({
    name,
    hostnames: hostnames && [...hostnames],
    environments: environments && [...environments],
  })),
});

const complete = groups(
  ['public', ['*.example.org', 'api.example.com', 'more.example.com'], ['prod', 'test']],
  ['partners', ['partners.example.com'], ['prod']],
  ['other', [], []],
);
const apart = groups(
  ['public', ['api.example.com'], ['test']],
  ['partners', ['*.example.org', 'partners.example.com'], ['prod']],
);

type Rows = Readonly<Record<'holds' | 'fails' | 'unknown', readonly ClusterFacts[]>>;

/** Facts for each answer of each condition. Groups are compared with those of the example migration. */
const table: Readonly<Record<string, Rows>> = {
  'kubectl-client': {
    holds: [
      { kubectl: { clientVersion: { major: '1', minor: '18+' } } },
      { kubectl: { clientVersion: { gitVersion: 'v1.17.17-gke.1' } } },
    ],
    fails: [
      { kubectl: { clientVersion: { major: '2', minor: '0' } } },
      { kubectl: { clientVersion: { gitVersion: 'dev' } } },
    ],
    unknown: [{ kubectl: { serverVersion: { major: '1', minor: '18' } } }, { kubectl: { clientVersion: {} } }],
  },
  'platform-version': {
    holds: [
      server('managed', '15'),
      server('managed', '16+'),
      server('attached', '16'),
      server('multi-cloud', '', '1.5.2'),
    ],
    fails: [
      server('managed', '14+'),
      server('attached', '15'),
      server('multi-cloud', '18', '1.4.3'),
      server('multi-cloud', '18', '1.6.0'),
    ],
    unknown: [
      { platform: 'managed' },
      server('multi-cloud', '18'),
      { kubectl: { serverVersion: { major: '1', minor: '18' } } },
      server('managed', ''),
    ],
  },
  'apigeectl-version': {
    holds: [{ apigeectl: 'Version: 1.2.0\n' }, { apigeectl: '1.2.3' }],
    fails: [{ apigeectl: '1.1.1' }, { apigeectl: '1.3.6' }, { apigeectl: '11.2.0' }],
    unknown: [{ apigeectl: 'command not found' }, { apigeectl: '' }],
  },
  'hybrid-version': {
    holds: [{ hybridVersion: '1.2.0' }],
    fails: [{ hybridVersion: '1.0.0' }, { hybridVersion: '1.3.6' }],
    unknown: [{ hybridVersion: 'latest' }, { hybridVersion: null }],
  },
  'cassandra-replicas': {
    holds: [{ cassandra: { replicas: 3 } }, { cassandra: { replicas: 6 } }],
    fails: [{ cassandra: { replicas: 1 } }, { cassandra: { replicas: 4 } }, { cassandra: { replicas: 0 } }],
    unknown: [{ cassandra: {} }, { cassandra: { replicas: null } }],
  },
  'ring-up': {
    holds: [{ cassandra: { ring: up(3) } }, { cassandra: { ring: [{ address: '10.0.0.1', status: 'UN' }] } }],
    fails: [
      { cassandra: { ring: up(3, 'DN') } },
      { cassandra: { ring: up(3, 'UJ') } },
      { cassandra: { ring: up(3, 'UL') } },
      { cassandra: { ring: up(3, '?N') } },
    ],
    unknown: [{ cassandra: { ring: 'Failed to connect' } }, { cassandra: { ring: '' } }, { cassandra: { ring: [] } }],
  },
  'ring-complete': {
    holds: [{ cassandra: { replicas: 3, ring: up(3) } }, { cassandra: { replicas: 3, ring: up(6) } }],
    fails: [
      { cassandra: { replicas: 3, ring: up(2) } },
      { cassandra: { replicas: 3, ring: up(5) } },
      {
        cassandra: {
          replicas: 3,
          ring: [
            { address: 'a', status: 'UN' },
            { address: 'a', status: 'UN' },
            { address: 'b', status: 'UN' },
          ],
        },
      },
    ],
    unknown: [{ cassandra: { ring: up(3) } }, { cassandra: { replicas: 3 } }],
  },
  'ring-data-center': {
    holds: [{ cassandra: { ring: up(3) } }],
    fails: [{ cassandra: { ring: up(3) + up(3, 'UN', 'dc-2') } }],
    unknown: [{ cassandra: { ring: [{ address: '10.0.0.1', status: 'UN' }] } }],
  },
  'backup-apigeectl': backups('apigeectl'),
  'backup-overrides': backups('overrides'),
  'backup-cassandra': backups('cassandra'),
  'connect-api': flags((apiEnabled) => ({ connect: { apiEnabled } })),
  'connect-role': flags((agentHasRole) => ({ connect: { agentHasRole } })),
  'property-hybrid': properties('features.hybrid.enabled'),
  'property-mart-connect': properties('features.mart.connect.enabled'),
  'watcher-account': flags((accountExists) => ({ watcher: { accountExists } })),
  'watcher-role': flags((hasRole) => ({ watcher: { hasRole } })),
  groups: {
    holds: [complete, groups(['public'], ['partners'])],
    fails: [groups(['public']), groups(['Public'], ['partners']), { groups: [] }],
    unknown: [{ groups: null }],
  },
  'group-host-names': {
    holds: [complete],
    fails: [apart, groups(['public', [], []], ['partners', ['partners.example.com']]), { groups: [] }],
    unknown: [groups(['public'], ['partners'])],
  },
  'group-environments': {
    holds: [complete],
    fails: [apart, groups(['public', [], ['test', 'prod']])],
    unknown: [groups(['public', [], ['test', 'prod']], ['partners', []])],
  },
  'mesh-replicas': {
    holds: [mesh('1.4.6', [2, 2], [3, undefined]), mesh(undefined, [2, 2]), mesh('1.5.8-asm.7', [1, 1])],
    fails: [mesh('1.4.6', [2, 2], [1, 2]), mesh('1.4.6', [2, 1]), mesh('1.4.6', [undefined, 1])],
    unknown: [mesh('1.4.6'), mesh('1.4.6', [undefined, 2])],
  },
  'mesh-version': {
    holds: [mesh('1.5.7'), mesh('1.5.8-asm.7'), mesh('1.6.11'), planes('1.4.6', '1.5.8-asm.7'), planes('1.5.7')],
    fails: [mesh('1.4.6'), mesh('1.5.6-asm.1'), planes('1.4.6'), planes('1.4.6', 'latest')],
    unknown: [mesh(undefined, [2, 2]), mesh('latest')],
  },
  'cert-manager': {
    holds: [{ certManager: 'v0.14.2' }, { certManager: '0.14.2' }],
    fails: [{ certManager: 'v0.12.0' }, { certManager: 'v0.14.1' }, { certManager: 'v1.2.0' }],
    unknown: [{ certManager: 'latest' }],
  },
};

/** Control planes side by side. */
function planes(...versions: readonly string[]): ClusterFacts {
  return {
    mesh: { deployments: versions.map((version, index) => ({ name: `istio-${index}`, replicas: 1, version })) },
  };
}

test('of two control planes the old one is named', () => {
  expect(rowOf('mesh-version', planes('1.4.6', '1.5.8-asm.7'))?.seen).toBe(
    '1.5.8-asm.7 (istio-1); still there: 1.4.6 (istio-0)',
  );
});

describe('a condition', () => {
  const row = (id: string): Precondition => {
    const found = verifyCluster({}).find((one) => one.id === id);
    if (!found) throw new Error(id);
    return found;
  };

  test.each([
    ['apigeectl-version', [0, 6], [7, 12]],
    ['hybrid-version', [0, 9], [10, 12]],
    ['ring-complete', [1, 11], [0, 12]],
    ['mesh-version', [6, 12], [0, 5]],
    ['kubectl-client', [0, 12], []],
  ] as const)('%s counts after the steps %j and not after %j', (id, after, notAfter) => {
    for (const step of after) expect(isConditionRequired(row(id), step)).toBe(true);
    for (const step of notAfter) expect(isConditionRequired(row(id), step)).toBe(false);
    expect(isConditionRequired(row(id), undefined)).toBe(true);
  });

  test('on the number of Cassandra nodes takes any of a trial', () => {
    const state = (replicas: number, isTrial: boolean): string | undefined =>
      verifyCluster({ cassandra: { replicas } }, undefined, { isTrial }).find(({ id }) => id === 'cassandra-replicas')
        ?.state;
    expect([state(1, true), state(1, false), state(3, true), state(0, true)]).toEqual([
      'holds',
      'fails',
      'holds',
      'fails',
    ]);
  });
});

const rowOf = (id: string, facts: ClusterFacts): Precondition | undefined =>
  verifyCluster(clusterFacts.parse(facts), migrated()).find((row) => row.id === id);

describe.each(Object.entries(table))('%s', (id, rows) => {
  for (const state of ['holds', 'fails', 'unknown'] as const)
    test.each(rows[state].map((facts) => [JSON.stringify(facts).slice(0, 120), facts] as const))(
      `${state} with %s`,
      (_, facts) => {
        expect(rowOf(id, facts)).toMatchObject({ id, state });
      },
    );
});

test('every condition is in the table of this test, by the step of the plan', () => {
  expect(preconditions.map(({ id }) => id).toSorted()).toEqual(Object.keys(table).toSorted());
  const steps = preconditions.map(({ step }) => step);
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
});

test('facts of earlier plans, which looked at MART, count where Connect has the account of MART', () => {
  const own = { martServiceAccountPath: './mart.json', connectAgentServiceAccountPath: './connect.json' };
  const same = { martServiceAccountPath: '$SA', connectAgentServiceAccountPath: '${SA}' };
  const judged = (values?: Parameters<typeof migrated>[0]) =>
    verifyCluster({ connect: { martHasAgentRole: true } }, values && migrated(values)).find(
      ({ id }) => id === 'connect-role',
    )?.state;
  expect([judged(), judged(same), judged(own)]).toEqual(['holds', 'holds', 'unknown']);
});

test('of no facts nothing is said', () => {
  for (const facts of [{}, { connect: {}, watcher: {}, backups: {}, cassandra: {}, mesh: {}, kubectl: {} }])
    expect(verifyCluster(facts, migrated()).filter(({ state }) => state !== 'unknown')).toEqual([]);
});

describe('groups', () => {
  const state = (id: string, facts: ClusterFacts, file?: ReturnType<typeof migrated>): string | undefined =>
    verifyCluster(facts, file).find((row) => row.id === id)?.state;

  test('without the overrides file one group is enough, and nothing is said of host names', () => {
    expect(state('groups', groups(['any']))).toBe('holds');
    expect(state('groups', { groups: [] })).toBe('fails');
    expect(state('group-host-names', groups(['any', []]))).toBe('unknown');
  });

  test('a variable of the file may stand for any name', () => {
    const file = migrated(
      {},
      { groups: [{ group: 'public', hostnames: ['$HOST'], environments: ['test'], basePaths: {} }] },
    );
    expect(state('group-host-names', groups(['public', ['api.example.com'], ['test']]), file)).toBe('unknown');
    expect(state('group-environments', groups(['public', ['api.example.com'], ['test']]), file)).toBe('holds');
  });
});

test('what was seen is one short line, whatever the facts say', () => {
  const seen = rowOf('apigeectl-version', { apigeectl: `1.2.0\n\u001b[2J${'x'.repeat(500)}` })?.seen ?? '';
  expect(seen).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(seen.length).toBeLessThanOrEqual(200);
});

test('a property that is named like one of every object is not set', () => {
  expect(rowOf('property-hybrid', { connect: { properties: { constructor: 'true' } } })).toMatchObject({
    state: 'fails',
    seen: 'not set',
  });
});

describe('facts', () => {
  test.each([
    { other: 1 },
    { platform: 'cloud' },
    { kubectl: '1.18' },
    { apigeectl: 1.2 },
    { cassandra: { replicas: -1 } },
    { cassandra: { replicas: 1.5 } },
    { cassandra: { ring: 'x'.repeat(200_001) } },
    { cassandra: { ring: [{ address: '10.0.0.1' }] } },
    { connect: { apiEnabled: 'yes' } },
    { connect: { apienabled: true } },
    { groups: [{ hostnames: [] }] },
    { groups: Array.from({ length: 1_001 }, () => ({ name: 'a' })) },
    { certManager: 'x'.repeat(1_001) },
    [],
    null,
    'facts',
  ])('%j are refused', (facts) => {
    expect(clusterFacts.safeParse(facts).success).toBe(false);
  });

  test('with more than we know of a tool are read', () => {
    expect(
      clusterFacts.safeParse({ kubectl: { clientVersion: { major: '1', platform: 'linux' }, kustomizeVersion: 'v4' } })
        .success,
    ).toBe(true);
  });
});

function backups(key: 'apigeectl' | 'overrides' | 'cassandra'): Rows {
  return {
    holds: [{ backups: { [key]: true } }, { backups: { [key]: 'gs://backups/1' } }],
    fails: [{ backups: { [key]: false } }],
    unknown: [{ backups: {} }, { backups: { [key]: '' } }, { backups: { [key]: null } }],
  };
}

function flags(facts: (value: boolean | null) => ClusterFacts): Rows {
  return { holds: [facts(true)], fails: [facts(false)], unknown: [facts(null)] };
}

function properties(name: string): Rows {
  return {
    holds: [{ connect: { properties: { [name]: 'true', other: 'x' } } }],
    fails: [
      { connect: { properties: { [name]: 'false' } } },
      { connect: { properties: {} } },
      { connect: { properties: { [name]: 'TRUE' } } },
    ],
    unknown: [{ connect: { apiEnabled: true } }, { connect: { properties: null } }],
  };
}
