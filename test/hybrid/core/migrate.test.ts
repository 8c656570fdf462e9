import { describe, expect, test } from 'vitest';
import { withRole } from '../../../src/hybrid/core/accounts.ts';
import { checkOverrides, migrateOverrides } from '../../../src/hybrid/core/migrate.ts';
import type { Migrated } from '../../../src/hybrid/core/migration.ts';
import type { MigrateOptions } from '../../../src/hybrid/core/options.ts';

/** A file of 1.3 that lacks nothing; cases bring back what 1.2 had. */
const DONE = `gcp:
  projectID: p
  region: r
k8sCluster:
  name: c
  region: r
org: o
instanceID: "c-r"
virtualhosts:
  - name: default
    sslSecret: s
envs:
  - name: test
mart:
  serviceAccountPath: ./sa/mart.json
connectAgent:
  serviceAccountPath: ./sa/mart.json
metrics:
  serviceAccountPath: ./sa/metrics.json
watcher:
  serviceAccountPath: ./sa/watcher.json
`;
const ROUTES = '    hostAliases: [a.b]\n    routingRules: [{ env: test }]\n';
/** The same as a file of 1.2. */
const OLD = DONE.replace('    sslSecret: s\n', `    sslSecret: s\n${ROUTES}`);

function migrated(text: string, options: MigrateOptions = {}): Migrated {
  const outcome = migrateOverrides(text, options);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}
const codesOf = (text: string, options: MigrateOptions = {}): readonly string[] =>
  migrateOverrides(text, options).problems.map(({ code }) => code);
const changed = (old: string, now: string, text = OLD): string => {
  if (text.split(old).length !== 2) throw new Error(`${old} does not stand there once`);
  return text.replace(old, () => now);
};

test('both of them are what they are said to be', () => {
  expect(migrated(DONE)).toMatchObject({ version: '1.3', changed: false, edits: [], problems: [] });
  expect(migrated(OLD)).toMatchObject({ version: '1.2', text: DONE, problems: [] });
});

describe('a required key without a value gets it where it stands', () => {
  test.each([
    ['instanceID: "c-r"', 'instanceID:', 'instanceID: "c-r"'],
    ['instanceID: "c-r"', 'instanceID: ""', 'instanceID: "c-r"'],
    ['instanceID: "c-r"', 'instanceID: # later', 'instanceID: "c-r" # later'],
    ['  region: r\nk8s', '  region:\nk8s', '  region: r\nk8s'],
    ['  region: r\nk8s', "  region: '' # ours\nk8s", '  region: r # ours\nk8s'],
    [
      'metrics:\n  serviceAccountPath: ./sa/metrics.json',
      'metrics:\n  serviceAccountPath:',
      'metrics:\n  serviceAccountPath: ./sa/metrics.json',
    ],
    [
      'connectAgent:\n  serviceAccountPath: ./sa/mart.json',
      'connectAgent: ~',
      'connectAgent:\n  serviceAccountPath: ./sa/mart.json',
    ],
    [
      'watcher:\n  serviceAccountPath: ./sa/watcher.json',
      'watcher: null # new',
      'watcher: # new\n  serviceAccountPath: ./sa/watcher.json',
    ],
    ['  projectID: p', '  projectID:\ngcpProjectID: p', '  projectID: p'],
    ['  name: c', '  name: ""\nk8sClusterName: c', '  name: c'],
    [
      'watcher:\n  serviceAccountPath: ./sa/watcher.json',
      'watcher: { serviceAccountPath: }',
      'watcher: { serviceAccountPath: ./sa/watcher.json }',
    ],
  ])('%j as %j becomes %j', (whole, blank, filled) => {
    // The two old keys stand between blocks, which then begin anew.
    const text = blank.includes('\n') ? moved(changed(whole, blank)) : changed(whole, blank);
    expect(migrated(text).text).toBe(changed(whole, filled, DONE));
  });

  /** Old keys to the end of the file: inside of a block they would end it. */
  function moved(text: string): string {
    const [old = ''] = /^(?:gcpProjectID|k8sClusterName): .*\n/m.exec(text) ?? [];
    return text.replace(old, '') + old;
  }
});

describe('comments survive', () => {
  test.each([
    ['behind an old key that moves', `${OLD.replace('  name: c\n', '')}k8sClusterName: c # cc\n`, '  name: c # cc\n'],
    [
      'behind one that moves into braces',
      `${OLD.replace('k8sCluster:\n  name: c\n  region: r\n', 'k8sCluster: { region: r }\n')}k8sClusterName: c # cc\n`,
      '\n# cc\n',
    ],
    [
      'behind one whose place is there and blank',
      `${OLD.replace('  name: c\n', '  name:\n')}k8sClusterName: c # cc\n`,
      '  name: c # cc\n',
    ],
    [
      'at both of them',
      `${OLD.replace('  name: c\n', '  name: # why\n')}k8sClusterName: c # cc\n`,
      '  name: c # cc # why\n',
    ],
    [
      'at the sign of an empty text of several lines',
      OLD.replace('instanceID: "c-r"', 'instanceID: >- # ops'),
      'instanceID: "c-r" # ops\n',
    ],
    ['below one that moves', `${OLD.replace('  name: c\n', '')}k8sClusterName: c\n  # below\n`, '\n  # below\n'],
    [
      'between old keys',
      `gcpProjectID: p\n# two\ngcpRegion: r\n${OLD.slice(OLD.indexOf('k8s'))}`,
      'gcp:\n  projectID: p\n# two\n  region: r\n',
    ],
    ['behind a value that is written anew', OLD.replace('name: default', 'name: default # main'), 'name: eu # main\n'],
  ])('%s', (_what, text, has) => {
    expect(migrated(text, text.includes('# main') ? { groups: { default: 'eu' } } : {}).text).toContain(has);
  });
});

describe('names of groups', () => {
  test.each([
    ['name: default', 'eu', 'name: eu'],
    ['name: 123', 'eu', 'name: eu'],
    ['name: "default"', 'eu', 'name: eu'],
    ['name: |-\n      default', 'eu', 'name: eu'],
    ['name: default', 'no', 'name: "no"'],
    ['name: default', 'on', 'name: "on"'],
    ['name: default', '7', 'name: "7"'],
    ['name: default', '$EU', 'name: $EU'],
  ])('%j with --group becomes %s as %j', (name, group, written) => {
    const old = /\d+/.exec(name)?.[0] ?? 'default';
    const outcome = migrated(changed('name: default', name), { groups: { [old]: group } });
    expect(outcome.text).toBe(changed('name: default', written, DONE));
    expect(outcome.groups[0]?.group).toBe(group);
    expect(migrated(outcome.text, { groups: { [old]: group } }).changed).toBe(false);
  });

  const second = '  - name: b\n    sslSecret: s\n    hostAliases: [c.d]\n    routingRules: [{ env: test }]\n';
  test.each([
    { default: 'b', b: 'c' },
    { default: 'b', b: 'default' },
  ])('chains and swaps are done once: %j', (groups) => {
    for (const text of [
      changed('envs:', `${second}envs:`),
      changed('envs:', `${second}envs:`).replace('org: o\n', ''),
    ]) {
      const first = migrated(text, { groups });
      expect(first.groups.map(({ group }) => group)).toEqual(['b', groups.b]);
      expect(migrated(first.text, { groups })).toMatchObject({ changed: false, text: first.text });
    }
  });

  test('a host name twice in one virtual host is one, and no problem', () => {
    const outcome = migrated(changed('[a.b]', '[a.b, a.b]'));
    expect([outcome.groups[0]?.hostnames, outcome.problems]).toEqual([['a.b'], []]);
  });
});

describe('variables', () => {
  test.each([
    ['the same in both spellings', '${ENV}', '$ENV', []],
    ['the same in one', '$ENV', '$ENV', []],
    ['a variable for a name, which may be it', 'test', '$ENV', []],
    ['another variable, which may be the same', '$A', '$B', []],
    ['more names than variables', 'prod', '$A\n  - name: $A', ['environment-twice']],
    ['other names', 'prod', 'test', ['environment-undefined', 'environment-without-group']],
  ])('%s', (_what, rule, name, codes) => {
    const text = OLD.replace('env: test', `env: "${rule}"`).replace('name: test', `name: ${name}`);
    expect(codesOf(text)).toEqual(codes);
  });

  test('one variable is one name', () => {
    const rules = '[{ env: $E }, { env: stagng }]';
    const envs = 'name: test\n  - name: prod\n  - name: stage\n';
    const text = OLD.replace('[{ env: test }]', rules).replace('name: test\n', envs);
    expect(codesOf(text).filter((code) => code !== 'base-path-twice')).toEqual([
      'environment-undefined',
      'environment-without-group',
      'environment-without-group',
      'environment-without-group',
    ]);
  });

  test.each([
    ['an old key in another spelling', `${OLD.replace('region: r\nk8s', 'region: $R\nk8s')}gcpRegion: \${R}\n`, []],
    [
      'an environment twice',
      OLD.replace('name: test\n', 'name: $E\n  - name: ${E}\n').replace('env: test', 'env: $E'),
      ['environment-twice'],
    ],
    [
      'the account of Connect',
      OLD.replace(
        'connectAgent:\n  serviceAccountPath: ./sa/mart.json',
        'connectAgent:\n  serviceAccountPath: ${M}',
      ).replace('mart:\n  serviceAccountPath: ./sa/mart.json', 'mart:\n  serviceAccountPath: $M'),
      [],
    ],
  ])('spellings are one: %s', (_what, text, codes) => {
    expect(codesOf(text)).toEqual(codes);
  });

  test('one host name in two groups is seen in both spellings', () => {
    const second = '  - name: b\n    sslSecret: s\n    hostAliases: ["${H}"]\n    routingRules: [{ env: test }]\n';
    expect(codesOf(OLD.replace('[a.b]', '[$H]').replace('envs:', `${second}envs:`))).toEqual(['alias-in-two-groups']);
  });
});

describe('a file on its way to 1.3', () => {
  test.each([
    ['ingress', `${DONE}ingress:\n  enableAccesslog: true\n`],
    ['connectAgent.enabled', DONE.replace('connectAgent:\n', 'connectAgent:\n  enabled: true\n')],
    ['mart.hostAlias', DONE.replace('mart:\n', 'mart:\n  hostAlias: a.b\n')],
    ['gcpRegion', `${DONE}gcpRegion: r\n`],
    ['cassandra.dnsPolicy', `${DONE}cassandra:\n  dnsPolicy: Default\n`],
  ])('loses what is left: %s', (key, text) => {
    expect(checkOverrides(text).problems.map(({ code }) => code)).toContain('left-over');
    expect(migrated(text).text).toBe(DONE);
    expect(key).not.toBe('');
  });
});

test.each([
  ['instanceID alone', 'instanceID: x\n'],
  ['a blank instanceID', 'instanceID:\nwatcher:\n  serviceAccountPath: w\n'],
  ['axHashSalt', 'axHashSalt: x\n'],
])('a file of 1.2 without rules is none of 1.3 by %s', (_what, lines) => {
  const text = OLD.replace(ROUTES, '')
    .replace(/^instanceID.*\n/m, '')
    .replace(/^watcher:\n.*\n/m, '');
  expect(codesOf(`${text}${lines}ingress: { a: b }\n`)).toEqual(
    expect.arrayContaining(['host-names-missing', 'environment-without-group']),
  );
});

test.each(['hostAliases:', 'hostAliases: []', 'routingRules: []'])('an empty %s in a 1.3 file is taken out', (line) => {
  expect(migrated(DONE.replace('    sslSecret: s\n', `    sslSecret: s\n    ${line}\n`)).text).toBe(DONE);
});

test.each([
  ['a region over two lines', 'gcpRegion: >\n  r\n'],
  ['a project with a zero-width space', 'gcpProjectID: "a\u200bb"\n'],
])('an old key that cannot be printed is refused: %s', (_what, lines) => {
  expect(codesOf(OLD.replace('gcp:\n  projectID: p\n  region: r\n', '') + lines)).toContain('unprintable-value');
});

describe('images', () => {
  test.each([
    ['runtime', 'tag: 1.2.0', 'image-pinned'],
    ['runtime', 'tag: "1.2"', 'image-pinned'],
    ['runtime', 'tag: " 1.2.0"', 'image-pinned'],
    ['runtime', 'tag: V1.1.1-rc1', 'image-pinned'],
    ['runtime', 'tag: release-1.2.0', 'image-pinned'],
    ['runtime', 'url: "gcr.io/apigee-release/hybrid/runtime:1.2.0@sha256:00ff"', 'image-pinned'],
    ['runtime', 'url: "gcr.io/a/b:release-1.2.0"', 'image-pinned'],
    ['runtime', 'tag: *old', 'image-pinned'],
    ['runtime', 'url: "registry.example/mirror/runtime", tag: 1.2.0', 'image-pinned'],
    ['runtime', 'tag: 1.3.6', 'image-override'],
    ['runtime', 'tag: 1.25.0', 'image-override'],
    ['runtime', 'url: "gcr.io/a/b:1.25"', 'image-override'],
    ['logger', 'url: quay.io/fluent/fluentd, tag: 1.2.3', 'image-override'],
    ['logger', 'url: gcr.io/apigee-release/agent, tag: 1.2.3', 'image-pinned'],
    ['logger', 'tag: 1.2.3', 'image-pinned'],
  ])('%s.image { %s } is %s', (component, image, code) => {
    expect(codesOf(`${OLD}${component}:\n  image: { ${image} }\nx-old: &old 1.2.0\n`)).toEqual([code]);
  });

  test('an image that an alias brings is seen', () => {
    expect(codesOf(`${OLD}x-image: &i { tag: 1.2.0 }\nruntime:\n  image: *i\n`)).toEqual(['image-pinned']);
  });
});

test.each([
  ['./sa/mart.json', './sa/watcher.json'],
  ['$MART_SA', '$WATCHER_SA'],
  ['${MART_SA}', '${WATCHER_SA}'],
  ['./sa/my-mart-apigee-mart.json', './sa/my-mart-apigee-watcher.json'],
  ['apigee-mart@acme-mart.json', 'apigee-watcher@acme-mart.json'],
  ['./mart-shop-mart-apigee.json', './mart-shop-watcher-apigee.json'],
  ['./sa/Mart.json', './sa/Watcher.json'],
  ['/keys/mart/key.json', '/keys/watcher/key.json'],
  ['/srv/apigee-mart/sa/acme-mart.json', '/srv/apigee-mart/sa/acme-watcher.json'],
  ['./apigee-mart-prod/mart.json', './apigee-mart-prod/watcher.json'],
  ['/srv/apigee-mart/key.json', undefined],
  ['./kmart-prod.json', undefined],
  ['./smart/key.json', undefined],
  ['$SMART_KEY', undefined],
  ['./martin.json', undefined],
  ['/opt/data-mart/sa/apigee.json', undefined],
])('the watcher beside %s is %s', (mart, watcher) => {
  expect(withRole(mart, 'watcher')).toBe(watcher);
});

describe('a password is in no message', () => {
  test.each([
    '&Hunter2Secret x',
    '}Hunter2Secret',
    ']Hunter2Secret',
    '|Hunter2Secret',
    '!x!Hunter2Secret y',
    '*Hunter2Secret',
    '"Hunter2Secret\\q"',
    '@Hunter2Secret',
  ])('%s', (value) => {
    const { problems } = migrateOverrides(`${OLD}cassandra:\n  auth:\n    default:\n      password: ${value}\n`);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain('Hunter2');
  });
});

test('keys that are mappings of mappings are read in a time that does not explode', () => {
  const text = `${OLD}x: ${'{? '.repeat(60)}a${' : b}'.repeat(60)}\n`;
  expect(migrated(text).text).toContain('x: {? {? ');
});

test.each([
  ['a tab before a comment', 'mart:', '\t# tab\nmart:'],
  ['tabs in a text of several lines', 'mart:', 'x: |\n  \ta\n  \tb\ny: >-\n  \tc\nmart:'],
  ['a tab behind a colon', '  name: c', '  name:\tc'],
])('%s is let be', (_what, old, now) => {
  expect(migrated(changed(old, now)).text).toContain(now);
});

test.each([
  ['cassandra:\n  datacenter: "dc-1 dc-2"\n', 'multi-region'],
  ['cassandra:\n  datacenter: dc-1,dc-2\n', 'multi-region'],
  ['cassandra:\n  datacenter: [dc-1]\n', 'multi-region'],
  ['cassandra:\n  datacenter: dc2\n', 'multi-region'],
  ['cassandra:\n  datacenter: dc_3\n', 'multi-region'],
  ['cassandra:\n  replicaCount: 2\n', 'cassandra-replicas'],
  ['cassandra:\n  replicaCount: 6\n', undefined],
  ['cassandra:\n  replicaCount: $N\n', undefined],
  ['cassandra:\n  datacenter: dc-1\n', undefined],
])('%j is %s', (lines, code) => {
  expect(codesOf(OLD + lines)).toEqual(code === undefined ? [] : [code]);
});

test.each([2, 4, 1])('%i replicas are a warning where nobody calls it production', (count) => {
  expect(codesOf(`${OLD}cassandra:\n  replicaCount: ${count}\n`, { production: false })).toEqual(['cassandra-trial']);
});

test.each([
  ['secret and certificate', 'sslSecret: s\n    sslCertPath: a'],
  ['secret and key', 'sslSecret: s\n    sslKeyPath: a'],
  ['a certificate without its key', 'sslCertPath: a'],
  ['a key without its certificate', 'sslKeyPath: a'],
  ['nothing', 'selector: {}'],
])('a virtual host with %s is refused', (_what, lines) => {
  expect(codesOf(OLD.replace('sslSecret: s', lines))).toEqual(['certificates']);
});

test('a part without org that has rules is judged by them', () => {
  const part = OLD.replace('org: o\n', '');
  expect(codesOf(part)).toEqual(['fragment']);
  expect(codesOf(part.replace('env: test', 'env: prod'))).toEqual([
    'fragment',
    'environment-undefined',
    'environment-without-group',
  ]);
});

test('a byte order mark stays the first character', () => {
  expect(migrated(`\uFEFF${OLD}`).text).toBe(`\uFEFF${DONE}`);
  expect(migrated(`\uFEFFingress:\n  a: b\n${OLD}`).text).toBe(`\uFEFF${DONE}`);
});

test('a template behind a number sign in a text is one', () => {
  expect(codesOf(`${OLD}x: |\n  # {{ y }}\n`)).toEqual(['template']);
});

test.each([
  ['an anchor at a key', OLD.replace('mart:', '&a mart:'), 'anchor'],
  ['an anchor at the file', `&a\n${OLD}`, 'anchor'],
  ['an anchor in what is only read', OLD.replace('name: test', 'name: &a test'), 'anchor'],
])('%s is refused', (_what, text, code) => {
  expect(codesOf(text)).toContain(code);
});
