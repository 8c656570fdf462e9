import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { migrateOverrides } from '../../../src/hybrid/core/migrate.ts';
import { modelOf } from '../../support/hybrid/model.ts';

/** Complete but for what a row changes; nothing is to be added to it. */
const base = `org: o
gcp:
  projectID: p
  region: r
k8sCluster: {name: c, region: r}
virtualhosts:
  - name: default
    hostAliases: [a.b]
    sslSecret: s
    routingRules:
      - env: test
envs:
  - name: test
    serviceAccountPaths: {synchronizer: a, udca: b}
mart:
  serviceAccountPath: mart.json
metrics:
  serviceAccountPath: m.json
connectAgent: {serviceAccountPath: mart.json}
watcher: {serviceAccountPath: w}
instanceID: "c-r"
`;
const host = '  - name: default\n    hostAliases: [a.b]\n';
const mart = (lines: string) => base.replace('mart:\n', () => `mart:\n${lines}`);

const accepted: readonly { name: string; text: string; has: string }[] = [
  {
    name: 'a comment between the key behind the dash, which goes, and the next one',
    text: base.replace(host, '  - hostAliases: [a.b]\n    # about the name\n    name: default\n'),
    has: '\n    # about the name\n    name: default\n',
  },
  {
    name: 'a comment behind the dash',
    text: base.replace(host, '  - # one\n    hostAliases: [a.b]\n    name: default\n'),
    has: '  - # one\n    name: default\n',
  },
  {
    name: 'a list over several lines that goes',
    text: base.replace('[a.b]', '[\n      a.b\n    ]'),
    has: '  - name: default\n    sslSecret: s\n',
  },
  {
    name: 'a quoted text over two lines that goes',
    text: mart('  hostAlias: "a\n    b"\n'),
    has: 'mart:\n  serviceAccountPath: mart.json\n',
  },
  {
    name: 'a block scalar that goes',
    text: mart('  hostAlias: |\n    b\n\n    # text\n  # kept\n'),
    has: 'mart:\n  # kept\n  serviceAccountPath',
  },
  {
    name: 'a key that goes after a block scalar',
    text: mart('  x: >-\n    b\n  hostAlias: b\n    # deeper\n  # kept\n'),
    has: '    b\n  # kept\n',
  },
  {
    name: 'a text in a block scalar that looks like a key',
    text: mart('  x: |\n    b\n    hostAlias: b\n'),
    has: '    hostAlias: b\n',
  },
  {
    name: 'quoted keys',
    text: base.replace('hostAliases:', '"hostAliases":').replace('routingRules:', "'routingRules' :"),
    has: '  - name: default\n    sslSecret: s\nenvs:',
  },
  {
    name: 'line separators in a comment',
    text: mart('  hostAlias: b # a\u2028b\u0085c\n  # \u2028kept\u0085\n'),
    has: 'mart:\n  # \u2028kept\u0085\n',
  },
  { name: 'an end of the document', text: `${base}ingress:\n  a: b\n...\n`, has: 'instanceID: "c-r"\n...\n' },
  { name: 'a directive', text: `%YAML 1.2\n---\n${base}ingress: {a: b}\n`, has: '%YAML 1.2\n---\norg: o\n' },
  {
    name: 'a file that is indented as a whole',
    text: `${base}ingress:\n  a: b\n`.replace(/^(?=.)/gm, '  '),
    has: '\n    - name: default\n      sslSecret: s\n',
  },
  { name: 'an empty block that goes', text: `${base}ingress:\n# kept\n`, has: 'instanceID: "c-r"\n# kept\n' },
  {
    name: 'comments between keys that go',
    text: mart('  hostAlias: a\n  # one\n  sslCertPath: b\n\n  # two\n  sslKeyPath: c\n'),
    has: 'mart:\n  # one\n\n  # two\n  serviceAccountPath',
  },
  {
    name: 'a key `__proto__`',
    text: `${base}x: {__proto__: {a: 1}}\ningress: {a: b}\n`,
    has: 'x: {__proto__: {a: 1}}\n',
  },
];

test.each(accepted)('$name: the outcome says what the rules say', ({ text, has }) => {
  const outcome = migrateOverrides(text);
  expect(outcome).toMatchObject({ ok: true, changed: true, text: expect.stringContaining(has) });
  const [before, after] = [text, outcome.ok ? outcome.text : ''].map((one) => parse(one) as Record<string, unknown>);
  expect(after).toEqual(modelOf(before ?? {}, {}));
});

const unsafe: readonly { name: string; text: string; code: string }[] = [
  {
    name: 'a blank line with blanks would join a block scalar',
    text: `${base}x: |\n  a\ningress:\n  a: 1\n     \ny: 1\n`,
    code: 'unsafe-edit',
  },
  {
    name: 'a blank line would join a block scalar that keeps them',
    text: `${base}x: |+\n  a\ningress:\n  a: 1\n\ny: 1\n`,
    code: 'unsafe-edit',
  },
  {
    name: 'a block after a block scalar that keeps blank lines',
    text: `${base.replace(/watcher.*\n/, '')}x: |+\n  a\n`,
    code: 'unsafe-edit',
  },
  { name: 'a key that goes behind a question mark', text: mart('  ? hostAlias\n  : b\n'), code: 'unsafe-edit' },
  {
    name: 'an anchor behind the dash of a virtual host',
    text: base.replace(host, '  - &v\n    hostAliases: [a.b]\n    name: default\n'),
    code: 'anchor',
  },
  {
    name: 'a file that is one mapping in braces',
    text: JSON.stringify(parse(`${base}ingress: {a: 1}`)),
    code: 'flow-lines',
  },
  { name: 'a key twice, where nothing is changed', text: `${base}x: {a: 1, a: 2}\n`, code: 'duplicate-key' },
];

test.each(unsafe)('$name: refused', ({ text, code }) => {
  expect(migrateOverrides(text)).toMatchObject({
    ok: false,
    problems: expect.arrayContaining([expect.objectContaining({ code })]),
  });
});
