import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkOverrides, migrateOverrides } from '../../../src/hybrid/core/migrate.ts';
import type { MigrateOptions } from '../../../src/hybrid/core/options.ts';
import { PROBLEMS, type ProblemCode } from '../../../src/hybrid/core/problems-data.ts';
import { MAX_OVERRIDES_CHARS } from '../../../src/hybrid/core/source.ts';

/** A right file of 1.2, line by line; cases change lines of it. */
const RIGHT = `gcp:
  region: europe-west1
  projectID: shop
k8sCluster:
  name: one
  region: europe-west1
org: shop
virtualhosts:
  - name: default
    hostAliases:
      - api.example.com
    sslCertPath: ./certs/a.pem
    sslKeyPath: ./certs/a.key
    routingRules:
      - env: test
envs:
  - name: test
mart:
  serviceAccountPath: ./sa/mart.json
metrics:
  serviceAccountPath: ./sa/metrics.json
`;

/** What the migration makes of it. */
const RIGHT_13 = (() => {
  const migrated = migrateOverrides(RIGHT);
  if (!migrated.ok) throw new Error(JSON.stringify(migrated.problems));
  return migrated.text;
})();

const replaced = (old: string, now: string, text = RIGHT): string => {
  if (text.split(old).length !== 2) throw new Error(`${old} does not stand there once`);
  return text.replace(old, () => now);
};
const before = (line: string, added: string, text = RIGHT): string => replaced(line, added + line, text);
const long = (count: number): string => 'a'.repeat(count);

type Case = { code: ProblemCode; title: string; text: string; at: string; options?: MigrateOptions };
const seen = (code: ProblemCode, title: string, at: string, text: string, options?: MigrateOptions): Case => ({
  code,
  title,
  text,
  at,
  ...(options && { options }),
});

const cases: readonly Case[] = [
  seen('too-large', 'a file of a megabyte and more', '1:1', `${RIGHT}# ${long(MAX_OVERRIDES_CHARS)}`),
  seen('control-character', 'a bell in a comment', '7:12', replaced('org: shop', 'org: shop #\u0007')),
  seen('control-character', 'a carriage return inside of a line', '7:6', replaced('org: shop', 'org: \rshop')),
  seen(
    'yaml-syntax',
    'a quote that is not closed',
    '22:1',
    replaced('region: europe-west1\norg', 'region: "europe\norg'),
  ),
  seen('yaml-syntax', 'a tag without a handle', '7:6', replaced('org: shop', 'org: !x!y shop')),
  seen('duplicate-key', 'a top-level key twice', '22:1', `${RIGHT}org: shop\n`),
  seen(
    'duplicate-key',
    'a key of a virtual host twice',
    '14:5',
    before('    routingRules', '    sslKeyPath: ./b.key\n'),
  ),
  seen('several-documents', 'a second document', '22:1', `${RIGHT}---\nfoo: bar\n`),
  seen('tab', 'a tab before a key', '3:1', replaced('  projectID', '\tprojectID')),
  seen('anchor', 'an anchor at a value that is read', '12:18', replaced('./certs/a.pem', '&cert ./certs/a.pem')),
  seen('anchor', 'an alias', '21:23', replaced('./sa/metrics.json', '*sa', `x-sa: &sa a.json\n${RIGHT}`).slice(17)),
  seen('anchor', 'a merge key at the top', '1:1', `<<: { runtime: { replicaCountMin: 2 } }\n${RIGHT}`),
  seen('anchor', 'a merge key in an environment', '18:5', before('mart:\n', '    <<: { port: 80 }\n')),
  seen('tag', 'a tag at a value that is read', '7:6', replaced('org: shop', 'org: !!str shop')),
  seen(
    'flow-lines',
    'a mapping in braces over two lines',
    '20:10',
    replaced('metrics:\n  serviceAccountPath: ./sa/metrics.json', 'metrics: { nodeSelector: a,\n  replicaCount: 1 }'),
  ),
  seen('flow-lines', 'a whole file in braces', '1:1', '{ org: shop, envs: [] }\n'),
  seen('complex-key', 'a key that is a list', '1:3', `? [a, b]\n: c\n${RIGHT}`),
  seen(
    'complex-key',
    'a key of an environment that is a mapping',
    '18:7',
    before('mart:\n', '    ? { a: b }\n    : c\n'),
  ),
  seen('template', 'a template where a value belongs', '7:6', replaced('org: shop', 'org: {{ org }}')),
  seen('template', 'a template in quotes', '7:7', replaced('org: shop', 'org: "{{ org }}"')),
  seen('template', 'a statement of a template', '1:1', `{% if x %}\n${RIGHT}`),
  seen('unsafe-edit', 'an old key with an explicit key sign', '1:3', `? ingress\n: enableAccesslog: true\n${RIGHT}`),
  seen('not-overrides', 'another file', '1:1', 'apiVersion: v1\nkind: Pod\n'),
  seen('not-overrides', 'a list', '1:1', '- org\n'),
  seen('not-overrides', 'nothing', '1:1', ''),
  seen('wrong-type', 'virtual hosts that are no list', '8:1', 'org: a\n\n\n\n\n\n\nvirtualhosts: { name: default }\n'),
  seen(
    'wrong-type',
    'host names that are no list',
    '10:5',
    replaced('hostAliases:\n      - api.example.com', 'hostAliases: api.example.com'),
  ),
  seen('wrong-type', 'an organization that is a list', '7:1', replaced('org: shop', 'org: [shop]')),
  seen('wrong-type', 'replicas that are no number', '23:3', `${RIGHT}cassandra:\n  replicaCount: three\n`),
  seen('version-1-1', 'a host name of an environment', '18:5', before('mart:\n', '    hostAlias: api.example.com\n')),
  seen('version-1-1', 'a certificate of an environment', '18:5', before('mart:\n', '    sslCertPath: ./a.pem\n')),
  seen('newer-version', 'an ingress of version 1.8', '22:1', `${RIGHT}ingressGateways: []\n`),
  seen(
    'nested-key-spelling',
    'a storage class as other tools spell it',
    '24:5',
    `${RIGHT}cassandra:\n  storage:\n    storageClass: fast\n  replicaCount: 3\n`,
  ),
  seen(
    'nested-key-spelling',
    'a letter too few in an item of a list',
    '18:5',
    before('mart:\n', '    pollInterva: 60\n'),
  ),
  seen(
    'nested-key-misplaced',
    'a request that is not below requests',
    '24:5',
    `${RIGHT}runtime:\n  resources:\n    cpu: 500m\n`,
  ),
  seen('key-spelling', 'a component as betas spelt it', '22:1', `${RIGHT}connect_agent:\n  enabled: true\n`),
  seen('left-over', 'a component of 1.2 in a 1.3 file', '25:1', `${RIGHT_13}ingress:\n  a: b\n`),
  seen('unprintable-value', 'an escape in a path', '19:23', replaced('./sa/mart.json', '"./sa/\\emart.json"')),
  seen(
    'unprintable-value',
    'a zero-width space in a host name',
    '11:9',
    replaced('api.example.com', 'api\u200b.example.com'),
  ),
  seen('wrong-type', 'an account that is a list', '19:3', replaced('./sa/mart.json', '[./sa/mart.json]')),
  seen('wrong-type', 'an instanceID that is a list', '22:1', `${RIGHT}instanceID: [a]\n`),
  seen('fragment', 'a file without org', '1:1', replaced('org: shop\n', '')),
  seen('contradicting-values', 'an old key against its new one', '22:1', `${RIGHT}gcpProjectID: other\n`),
  seen('contradicting-values', 'a flag against the file', '2:11', RIGHT, { region: 'us-east1' }),
  seen(
    'missing-key',
    'a file without virtual hosts',
    '7:1',
    replaced(RIGHT.slice(RIGHT.indexOf('virtualhosts'), RIGHT.indexOf('envs')), ''),
  ),
  seen(
    'missing-key',
    'a virtual host without a name',
    '9:5',
    replaced('  - name: default\n    hostAliases', '  - hostAliases')
      .replace('shop\nvirtual', 'shop\n\nvirtual')
      .replace('\n\nvirtual', '\nvirtual'),
  ),
  seen('missing-key', 'an environment without a name', '17:5', replaced('  - name: test\n', '  - port: 80\n')),
  seen(
    'missing-key',
    'a 1.3 file without watcher account',
    '7:1',
    replaced('watcher:\n  serviceAccountPath: ./sa/watcher.json\n', '', RIGHT_13),
  ),
  seen('name-too-long', 'an organization of 33 characters', '7:6', replaced('org: shop', `org: ${long(33)}`)),
  seen(
    'name-too-long',
    'an environment of 33 characters',
    '17:11',
    replaced('name: test', `name: ${long(33)}`).replace('env: test', `env: ${long(33)}`),
  ),
  seen(
    'instance-id-missing',
    'a 1.3 file without it',
    '7:1',
    replaced('instanceID: "one-europe-west1"\n', '', RIGHT_13),
  ),
  seen('instance-id-too-long', 'one of 64 characters', '8:13', before('virtualhosts', `instanceID: ${long(64)}\n`)),
  seen('instance-id-too-long', 'a proposed one', '7:1', replaced('name: one', `name: ${long(60)}`)),
  seen('instance-id-too-long', 'a given one', '7:1', RIGHT, { instanceId: long(64) }),
  seen('instance-id-characters', 'one with a dot', '8:13', before('virtualhosts', 'instanceID: a.b\n')),
  seen('missing-project', 'a file without a project', '1:1', replaced('  projectID: shop\n', '')),
  seen('missing-region', 'a file without a region', '1:1', replaced('gcp:\n  region: europe-west1\n', 'gcp:\n')),
  seen('group-name', 'a name in upper case', '9:11', replaced('name: default', 'name: Default')),
  seen('group-name', 'a name that ends in a hyphen', '9:11', RIGHT, { groups: { default: 'a-' } }),
  seen('group-name', 'a name of 64 characters', '9:11', replaced('name: default', `name: ${long(64)}`)),
  seen(
    'group-twice',
    'two virtual hosts of one name',
    '16:11',
    before(
      'envs:',
      '  - name: default\n    hostAliases: [b.example.com]\n    sslSecret: b\n    routingRules: [{ env: test }]\n',
    ),
  ),
  seen('group-unknown', 'a virtual host that is not there', '8:1', RIGHT, { groups: { other: 'prod' } }),
  seen(
    'alias-in-two-groups',
    'a host name in other letters',
    '17:20',
    before(
      'envs:',
      '  - name: b\n    hostAliases: [ API.example.com. ]\n    sslSecret: b\n    routingRules: [{ env: test }]\n',
    ),
  ),
  seen(
    'host-names-missing',
    'a virtual host without any',
    '9:11',
    replaced('    hostAliases:\n      - api.example.com\n', ''),
  ),
  seen(
    'environment-undefined',
    'a rule for one that is not there',
    '15:14',
    replaced('- env: test', '- env: prod')
      .replace('name: test', 'name: prod\n  - name: test')
      .replace('name: prod\n  - ', ''),
  ),
  seen('environment-without-group', 'one that no rule names', '18:11', before('mart:\n', '  - name: prod\n')),
  seen('environment-twice', 'the same name again', '18:11', before('mart:\n', '  - name: test\n')),
  seen(
    'base-path-twice',
    'the default path for two',
    '16:9',
    before('envs:', '      - env: prod\n').replace('mart:\n', '  - name: prod\nmart:\n'),
  ),
  seen('connect-timeout-lost', 'a timeout of a rule', '16:9', before('envs:', '        connectTimeout: 57\n')),
  seen('certificates', 'both', '9:11', before('    routingRules', '    sslSecret: a\n')),
  seen('certificates', 'half a pair', '9:11', replaced('    sslKeyPath: ./certs/a.key\n', '')),
  seen('connect-disabled', 'Connect that is switched off', '23:3', `${RIGHT}connectAgent:\n  enabled: false\n`),
  seen('connect-disabled', 'Connect that a variable switches', '23:3', `${RIGHT}connectAgent:\n  enabled: $CONNECT\n`),
  seen(
    'connect-account-differs',
    'an account of its own',
    '23:23',
    `${RIGHT}connectAgent:\n  serviceAccountPath: ./sa/connect.json\n`,
  ),
  seen(
    'service-account-missing',
    'no account of MART',
    '18:1',
    replaced('  serviceAccountPath: ./sa/mart.json', '  replicaCountMin: 2'),
    {
      watcherServiceAccountPath: './w.json',
    },
  ),
  seen('account-not-derived', 'a path without a role', '18:1', replaced('./sa/mart.json', './sa/all.json')),
  seen('mart-secret-unused', 'a secret of MART', '20:3', before('metrics:', '  sslSecret: mart\n')),
  seen(
    'multi-region',
    'a seed host in another region',
    '23:3',
    `${RIGHT}cassandra:\n  multiRegionSeedHost: 10.0.0.1\n`,
  ),
  seen('multi-region', 'a second data center', '23:3', `${RIGHT}cassandra:\n  datacenter: "dc-2"\n`),
  seen('data-center-named', 'a data center with a name', '23:3', `${RIGHT}cassandra:\n  datacenter: europe\n`),
  seen('cassandra-replicas', 'four', '23:3', `${RIGHT}cassandra:\n  replicaCount: 4\n`),
  seen('cassandra-replicas', 'one, in production', '23:3', `${RIGHT}cassandra:\n  replicaCount: 1\n`, {
    production: true,
  }),
  seen('cassandra-replicas', 'none said, in production', '7:1', RIGHT, { production: true }),
  seen('cassandra-trial', 'one', '23:3', `${RIGHT}cassandra:\n  replicaCount: 1\n`),
  seen('dns-policy-lost', 'a policy', '23:3', `${RIGHT}cassandra:\n  dnsPolicy: ClusterFirst\n`),
  seen('seed-host-left', 'a seed host', '23:3', `${RIGHT}cassandra:\n  externalSeedHost: 10.0.0.1\n`),
  seen('image-pinned', 'a tag', '24:5', `${RIGHT}runtime:\n  image:\n    tag: 1.2.0\n`),
  seen('image-pinned', 'a tag in a URL', '24:5', `${RIGHT}runtime:\n  image:\n    url: "gcr.io/a/b:1.2.0"\n`),
  seen('image-override', 'a tag of another line', '23:3', `${RIGHT}logger:\n  image:\n    tag: 1.6.8\n`),
  seen('image-override-lost', 'an image of the mesh', '23:3', `${RIGHT}istio:\n  image:\n    tag: 1.4.6\n`),
  seen('default-key', 'the published key', '22:19', `${RIGHT}kmsEncryptionKey: aWxvdmVhcGlzMTIzNDU2Nw==\n`),
  seen('environment-key', 'a key of an environment', '18:5', before('mart:\n', '    kvmEncryptionKey: c2VjcmV0\n')),
];

describe('check tells', () => {
  test.each(cases)('$code: $title', ({ code, text, at, options }) => {
    const { problems } = checkOverrides(text, options);
    const found = problems.filter((each) => each.code === code).map(({ line, column }) => `${line}:${column}`);
    expect({ found, all: problems.map((each) => each.code) }).toMatchObject({ found: [at] });
  });

  test.each(cases)('$code: $title, and migrate refuses errors there alone', ({ code, text, options }) => {
    const migrated = migrateOverrides(text, options);
    const mine = migrated.problems.filter((each) => each.code === code);
    expect(mine.length).toBeGreaterThan(0);
    expect(migrated.ok).toBe(migrated.problems.every(({ severity }) => severity === 'warning'));
    if (PROBLEMS[code].severity === 'error') expect(migrated.ok).toBe(false);
  });
});

/** `not-utf8` is told by those who read bytes, `not-migrated` by the command that takes 1.3 files only. */
test('every problem of the table has a case', () => {
  const told = new Set<string>(cases.map(({ code }) => code));
  expect(Object.keys(PROBLEMS).filter((code) => !told.has(code))).toEqual(['not-utf8', 'not-migrated']);
});

test('a right file of 1.2 has no problem, and neither has what becomes of it', () => {
  expect(checkOverrides(RIGHT)).toEqual({ version: '1.2', isFragment: false, problems: [] });
  expect(checkOverrides(RIGHT_13)).toEqual({ version: '1.3', isFragment: false, problems: [] });
});

test('a value that may be secret is in no message', () => {
  const secret = 'c2VjcmV0LXRoYXQtbm9ib2R5LXNlZXM=';
  const text = `${before('mart:\n', `    kvmEncryptionKey: ${secret}\n`)}gcpProjectID: ${secret}\nkmsEncryptionKey: ${secret}\n`;
  expect(JSON.stringify(checkOverrides(text).problems)).not.toContain(secret);
});

test('a check of a file of 1.2 without instanceID says nothing of it', () => {
  const { problems } = checkOverrides(replaced('  name: one\n', ''));
  expect(problems.map(({ code }) => code)).not.toContain('instance-id-missing');
  const migrated = migrateOverrides(replaced('  name: one\n', ''));
  expect(migrated.ok ? [] : migrated.problems.map(({ code }) => code)).toContain('instance-id-missing');
});

test('an anchor in a part that nobody changes is let be', () => {
  const text = `${RIGHT}runtime:\n  nodeSelector: &where { pool: a }\nsynchronizer:\n  nodeSelector: *where\n`;
  const migrated = migrateOverrides(text);
  expect(
    migrated.ok &&
      migrated.text.endsWith(
        '  nodeSelector: *where\n\nconnectAgent:\n  serviceAccountPath: ./sa/mart.json\n\nwatcher:\n  serviceAccountPath: ./sa/watcher.json\n',
      ),
  ).toBe(true);
});

test('a template in a comment is let be', () => {
  expect(checkOverrides(`${RIGHT}# was {{ org }}\n`).problems).toEqual([]);
});

test('problems are sorted by place', () => {
  const text = readFileSync(new URL('../data/in-1.1/11-ahr-small-1.1.yaml', import.meta.url), 'utf8');
  const lines = checkOverrides(text).problems.map(({ line }) => line);
  expect(lines).toEqual([31, 33, 35]);
});
