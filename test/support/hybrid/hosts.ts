import type { EnvironmentGroup } from '../../../src/hybrid/core/migration.ts';
import type { MigrateOptions } from '../../../src/hybrid/core/options.ts';
import type { Entry } from './blocks.ts';
import type { Draw } from './draw.ts';
import type { Plants } from './files.ts';

/** Virtual hosts and environments of one file, and the groups that they make. */
export type Hosts = {
  virtualHosts: readonly (readonly Entry[])[];
  environments: readonly (readonly Entry[])[];
  groups: readonly EnvironmentGroup[];
};

const quoted = (draw: Draw, value: string) => draw.pick([value, `"${value}"`, `'${value}'`]);

/** @param options a new name of a group is written into them */
export function hosts(draw: Draw, plants: Plants, options: MigrateOptions, isFragment: boolean): Hosts {
  const names = draw.shuffled(['default', 'vhost-one', '$GROUP', 'a1']).slice(0, draw.between(1, 3));
  const environments = draw.shuffled(['test', 'prod', '$ENV', 'dev-2']).slice(0, draw.between(1, 4));
  const isPlanted = Object.keys(plants).length > 0;
  const routed = names.map((_, index) =>
    environments.filter((__, at) => at % names.length === index || draw.chance(25)),
  );
  const made = names.map((name, index) => {
    const to = !isPlanted && !isFragment && draw.chance(10) ? `new-${index}` : undefined;
    if (to !== undefined) options.groups = { ...options.groups, [name]: to };
    const own = routed[index] ?? [];
    return virtualHost(draw, name, to, own.length > 0 ? own : [environments[0] ?? ''], index);
  });
  const entries = made.map((one) => one.entries);
  const [first = [], ...others] = entries;
  const own = environments.map((name) => environment(draw, name));
  const [firstOwn = [], ...otherOwn] = own;
  return {
    virtualHosts: [plants.firstVhost?.(first) ?? first, ...others, ...(plants.vhosts ?? [])],
    environments: [plants.firstEnv?.(firstOwn) ?? firstOwn, ...otherOwn, ...(plants.envs ?? [])],
    groups: made.map((one) => one.group),
  };
}

type Rule = { env: string; paths: readonly string[] };

function virtualHost(draw: Draw, name: string, to: string | undefined, routed: readonly string[], index: number) {
  const hostnames = Array.from({ length: draw.between(1, 3) }, (_, at) =>
    draw.pick([`api${at}.v${index}.example.com`, `$HOST_${index}_${at}`]),
  );
  const rules = draw.shuffled(routed).flatMap((env, at) => rulesOf(draw, env, `/${index}/${at}`));
  const entries: Entry[] = draw.shuffled([
    { key: 'name', value: quotedName(draw, name, to), ...(to !== undefined && { to }) },
    { key: 'hostAliases', value: { items: hostnames.map((host) => quoted(draw, host)) }, isGone: true },
    ...certificates(draw),
    ...(draw.chance(15) ? [{ key: 'selector', value: [{ key: 'app', value: 'istio-ingressgateway' }] }] : []),
    ...(draw.chance(10) ? [{ key: 'additionalGateways', value: { items: ['"ns/one"', 'two'] } }] : []),
    { key: 'routingRules', value: { items: rules.map((rule) => ruleEntries(draw, rule)) }, isGone: true },
  ]);
  const named = entries.filter(({ key }) => key === 'name');
  // Most people write the name first.
  const ordered = draw.chance(35) ? entries : [...named, ...entries.filter(({ key }) => key !== 'name')];
  return { entries: ordered, group: groupOf(to ?? name, hostnames, rules) };
}

/** A name that is changed stands bare: how a quoted one is to be replaced is nowhere said. */
const quotedName = (draw: Draw, name: string, to: string | undefined) => (to === undefined ? quoted(draw, name) : name);

function rulesOf(draw: Draw, env: string, prefix: string): Rule[] {
  if (draw.chance(30)) return [{ env, paths: [] }];
  const first = { env, paths: [`${prefix}/orders`, `${prefix}/items`].slice(0, draw.between(1, 2)) };
  return draw.chance(15) ? [first, { env, paths: [`${prefix}/more`] }] : [first];
}

function ruleEntries(draw: Draw, { env, paths }: Rule): readonly Entry[] {
  return draw.shuffled([
    { key: 'env', value: quoted(draw, env) },
    ...(paths.length > 0 ? [{ key: 'paths', value: { items: paths.map((path) => quoted(draw, path)) } }] : []),
    ...(draw.chance(20) ? [{ key: 'connectTimeout', value: '57' }] : []),
  ]);
}

function certificates(draw: Draw): Entry[] {
  if (draw.chance(25)) return [{ key: 'sslSecret', value: 'my-secret' }];
  return [
    { key: 'sslCertPath', value: './certs/fullchain.pem' },
    { key: 'sslKeyPath', value: quoted(draw, './certs/$PROJECT_ID.pem') },
  ];
}

function groupOf(group: string, hostnames: readonly string[], rules: readonly Rule[]): EnvironmentGroup {
  const basePaths: Record<string, string[]> = {};
  for (const { env, paths } of rules) (basePaths[env] ??= []).push(...(paths.length > 0 ? paths : ['/']));
  return { group, hostnames, environments: Object.keys(basePaths), basePaths };
}

function environment(draw: Draw, name: string): readonly Entry[] {
  return [
    { key: 'name', value: quoted(draw, name) },
    ...(draw.chance(10) ? [{ key: 'pollInterval', value: '60' }] : []),
    {
      key: 'serviceAccountPaths',
      value: [
        { key: 'synchronizer', value: quoted(draw, './sa/sync.json') },
        { key: 'udca', value: './sa/udca.json' },
      ],
    },
    ...(draw.chance(10) ? [{ key: 'cacheEncryptionPath', value: './k' }] : []),
  ];
}
