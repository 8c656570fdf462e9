import * as fc from 'fast-check';
import type { FilePosition } from '../../../src/hybrid/core/problem.ts';
import type { ProblemCode } from '../../../src/hybrid/core/problems-data.ts';
import type { Entry } from './blocks.ts';
import { drawWith } from './draw.ts';
import { hybridFile, type Plants } from './files.ts';

/** Stands before the place that a problem must name, and in no file. */
const mark = '⟦';

const key = (name: string, value: Entry['value'], isGone = false): Entry => ({
  key: name,
  value,
  isGone,
  isPlain: true,
});

const rule = (env: string): readonly Entry[] => [
  key('env', env),
  key('paths', { items: [`/planted/${env.replace(mark, '')}`] }),
];

/** A virtual host whose parts are replaced, or left out where undefined. */
function host(
  name: string,
  changes: Partial<
    Record<'hostAliases' | '⟦hostAliases' | 'sslSecret' | 'sslCertPath' | 'sslKeyPath', Entry['value'] | undefined>
  > = {},
  env = 'planted',
) {
  const values = {
    hostAliases: { items: [`${name.replace(mark, '')}.example.com`] },
    sslSecret: 'planted',
    ...changes,
  };
  const entries = Object.entries(values).flatMap(([one, value]) => (value === undefined ? [] : [key(one, value)]));
  return [key('name', name), ...entries, key('routingRules', { items: [rule(env)] })];
}

const env = (name: string, more: readonly Entry[] = []): readonly Entry[] => [
  key('name', name),
  ...more,
  key('serviceAccountPaths', [key('synchronizer', './s.json'), key('udca', './u.json')]),
];

const renamed = (name: string) => (entries: readonly Entry[]) =>
  entries.map((entry) => (entry.key === 'name' ? key('name', name) : entry));
const withKey = (name: string, value: Entry['value']) => (entries: readonly Entry[]) => [...entries, key(name, value)];

export type Fault = { name: string; code: ProblemCode; plants: Plants };
const fault = (code: ProblemCode, name: string, plants: Plants): Fault => ({ name: `${code}: ${name}`, code, plants });
/** Lines at the top, which take the place of a block where `without` names it. */
const top = (code: ProblemCode, name: string, lines: readonly string[], ...without: readonly string[]) =>
  fault(code, name, { top: lines, without });
const long = (count: number) => 'a'.repeat(count);

/** One fault each: a mark stands where it must be told. Several marks: any of them will do. */
export const faults: readonly Fault[] = [
  fault('version-1-1', 'hostAlias of an environment', { firstEnv: withKey('⟦hostAlias', '"x.example.com"') }),
  fault('version-1-1', 'sslCertPath of an environment', { envs: [env('e', [key('⟦sslCertPath', './c.pem')])] }),
  fault('version-1-1', 'sslKeyPath of an environment', { firstEnv: withKey('⟦sslKeyPath', './k.pem') }),
  fault('newer-version', 'requestTimeout', { firstVhost: withKey('⟦requestTimeout', '50') }),
  top('yaml-syntax', 'a mapping in a plain scalar', ['x-bad: ⟦a: b']),
  top('control-character', 'a bell', ['x-bell: "a⟦\u0007b"']),
  top('duplicate-key', 'at the top', ['x-twice: 1', '⟦x-twice: 2']),
  fault('duplicate-key', 'in mart', { mart: [key('replicaCountMax', '1'), key('⟦replicaCountMax', '2')] }),
  fault('duplicate-key', 'in a virtual host', { firstVhost: (entries) => [...entries, key('⟦name', 'again')] }),
  top('several-documents', 'a second one', ['x-first: 1', '⟦---', 'x-second: 1']),
  top('tab', 'before a key', ['x-tab:', '⟦\tone: 1']),
  top('anchor', 'of a block that goes', ['ingress: ⟦&i', '  enableAccesslog: true', 'x-ref: ⟦*i'], 'gone'),
  fault('anchor', 'a merge key in mart', { top: ['x-base: &base', '  a: 1'], mart: [key('⟦<<', '⟦*base')] }),
  fault('anchor', 'an alias as host names', {
    top: ['x-hosts: &hosts [a.b, c.d]'],
    vhosts: [host('zz', { hostAliases: '⟦*hosts' })],
    envs: [env('planted')],
  }),
  top(
    'tag',
    'of connectAgent.enabled',
    ['connectAgent:', '  enabled: ⟦!!bool "true"', '  serviceAccountPath: ./mart.json'],
    'connectAgent',
  ),
  top('flow-lines', 'mart', ['⟦mart: ⟦{', '  hostAlias: m,', '  serviceAccountPath: ./mart.json', '  }'], 'mart'),
  top('complex-key', 'a mapping as key at the top', ['⟦? ⟦{a: b}', ': c']),
  top('template', 'plain', ['x-template: ⟦{{ .Values.x }}']),
  top('template', 'quoted', ['x-template: "a ⟦{{ .Values.x }}"']),
  fault('template', 'as host name', {
    vhosts: [host('zz', { hostAliases: { items: ['"⟦{{ host }}"'] } })],
    envs: [env('planted')],
  }),
  top('wrong-type', 'virtualhosts', ['⟦virtualhosts: yes'], 'virtualhosts'),
  top('wrong-type', 'envs', ['⟦envs:', '  one: {name: test}'], 'envs'),
  top('wrong-type', 'mart', ['⟦mart: 12'], 'mart'),
  fault('wrong-type', 'hostAliases', {
    vhosts: [host('zz', { '⟦hostAliases': 'api.example.com', hostAliases: undefined })],
    envs: [env('planted')],
  }),
  fault('wrong-type', 'a host name', {
    vhosts: [host('zz', { hostAliases: { items: ['⟦[a]'] } })],
    envs: [env('planted')],
  }),
  fault('contradicting-values', 'projectID', { gcp: [], top: ['⟦gcpProjectID: other-project'] }),
  fault('contradicting-values', 'k8sCluster.name', { top: ['⟦k8sClusterName: other-cluster'] }),
  fault('name-too-long', 'org', { org: `⟦${long(33)}` }),
  fault('name-too-long', 'environment', { firstEnv: renamed(`⟦${long(33)}`) }),
  top('instance-id-too-long', 'in the file', [`instanceID: ⟦"${long(64)}"`]),
  fault('group-name', 'capitals', { firstVhost: renamed('⟦MyHost') }),
  fault('group-name', 'an underscore', { firstVhost: renamed('⟦my_host') }),
  fault('group-name', 'a hyphen at its end', { firstVhost: renamed('⟦my-host-') }),
  fault('group-name', 'a dot', { firstVhost: renamed('⟦my.host') }),
  fault('group-twice', 'two of one name', {
    vhosts: [host('zz'), host('⟦zz', { hostAliases: { items: ['other.example.com'] } }, 'planted-2')],
    envs: [env('planted'), env('planted-2')],
  }),
  fault('alias-in-two-groups', 'the second', {
    vhosts: [
      host('zz', { hostAliases: { items: ['same.example.com'] } }),
      host('yy', { hostAliases: { items: ['one.example.com', '⟦same.example.com'] } }, 'planted-2'),
    ],
    envs: [env('planted'), env('planted-2')],
  }),
  fault('host-names-missing', 'no key', {
    vhosts: [[key('⟦name', '⟦zz'), ...host('zz', { hostAliases: undefined }).slice(1)]],
    envs: [env('planted')],
  }),
  fault('host-names-missing', 'an empty list', {
    vhosts: [host('zz', { '⟦hostAliases': '[]', hostAliases: undefined })],
    envs: [env('planted')],
  }),
  fault('environment-undefined', 'in a rule', { vhosts: [host('zz', {}, '⟦nowhere')] }),
  fault('environment-without-group', 'a name that no rule has', { envs: [env('⟦lonely')] }),
  fault('environment-twice', 'the second', { vhosts: [host('zz')], envs: [env('planted'), env('⟦planted')] }),
  fault('certificates', 'both', {
    vhosts: [[key('⟦name', '⟦zz'), ...host('zz', { sslCertPath: './c', sslKeyPath: './k' }).slice(1)]],
    envs: [env('planted')],
  }),
  fault('certificates', 'neither', {
    vhosts: [[key('⟦name', '⟦zz'), ...host('zz', { sslSecret: undefined }).slice(1)]],
    envs: [env('planted')],
  }),
  fault('certificates', 'half a pair', {
    vhosts: [[key('⟦name', '⟦zz'), ...host('zz', { sslSecret: undefined, sslCertPath: './c' }).slice(1)]],
    envs: [env('planted')],
  }),
  top(
    'connect-disabled',
    'enabled: false',
    ['connectAgent:', '  ⟦enabled: ⟦false', '  serviceAccountPath: ./mart.json'],
    'connectAgent',
  ),
  top('service-account-missing', 'no path of mart', ['⟦mart:', '  hostAlias: m'], 'mart', 'connectAgent'),
  top(
    'multi-region',
    'multiRegionSeedHost',
    ['cassandra:', '  replicaCount: 3', '  ⟦multiRegionSeedHost: 10.0.0.1'],
    'cassandra',
  ),
  top('cassandra-replicas', 'four', ['cassandra:', '  ⟦replicaCount: 4'], 'cassandra'),
  top('cassandra-replicas', 'two', ['cassandra: {⟦replicaCount: 2}'], 'cassandra'),
  top('image-pinned', 'authz', ['authz:', '  image:', '    url: gcr.io/x/authz', '    ⟦tag: "1.2.0"']),
];

export type Faulty = { text: string; code: ProblemCode; places: readonly FilePosition[] };

/** @returns the text without its marks, and where they stood */
function unmarked(text: string): { text: string; places: readonly FilePosition[] } {
  const parts = text.split(mark);
  let before = '';
  const places = parts.slice(0, -1).map((part) => {
    before += part;
    const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\uFEFF')) + 1;
    return { line: before.split('\n').length, column: before.length - start + 1 };
  });
  return { text: parts.join(''), places };
}

/** Generated files that have this fault and no other. */
export const faultyFiles = ({ code, plants }: Fault): fc.Arbitrary<Faulty> =>
  fc.gen().map((g) => ({ code, ...unmarked(hybridFile(drawWith(g), plants).text) }));
