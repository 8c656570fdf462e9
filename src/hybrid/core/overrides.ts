import { isMap, isNode, isScalar, type YAMLMap } from 'yaml';
import {
  ACCOUNT_KEYS,
  AFTER_1_3,
  MARKS,
  REMOVED_COMPONENTS,
  REMOVED_FROM_MART,
  RENAMED,
  SINCE_1_3,
  VERSION_1_1,
} from './keys-data.ts';
import type { OverridesVersion } from './migration.ts';
import { type Place, problem, type Problem } from './problem.ts';
import type { Source } from './source.ts';
import { asText, entriesOf, type Entry, entryOf, isEmpty, mapIn, seqIn, type Text, textIn } from './tree.ts';

/** Keys of 1.1 in the environments, which no later version has. */
export const keysOf11 = ({ source, environments }: Overrides): readonly Entry[] =>
  environments.flatMap(({ map }) => entriesOf(source, map).filter(({ key }) => isOneOf(VERSION_1_1, key)));

/** What a file is written for; `unknown` where nothing in it says so. */
export function versionOf(overrides: Overrides): OverridesVersion {
  if (keysOf11(overrides).length > 0) return '1.1';
  if (keysOf12(overrides).length > 0) return '1.2';
  return isMarkedAs13(overrides) ? '1.3' : 'unknown';
}

/** What a migration takes out. */
function keysOf12({ source, entries, virtualHosts }: Overrides): readonly Entry[] {
  const inBlock = (block: string, keys: readonly string[]): readonly (Entry | undefined)[] =>
    keys.map((key) => entryOf(source, mapIn(entries.get(block)), key));
  return [
    ...[...REMOVED_COMPONENTS, ...RENAMED.map(({ old }) => old)].map((key) => entries.get(key)),
    ...inBlock('mart', REMOVED_FROM_MART),
    ...inBlock('connectAgent', ['enabled']),
    ...inBlock('cassandra', ['dnsPolicy']),
    ...virtualHosts.flatMap(({ hostAliases, routingRules }) => [hostAliases, routingRules]),
  ].filter((entry) => entry !== undefined);
}

const isMarkedAs13 = ({ entries }: Overrides): boolean => SINCE_1_3.some((key) => entries.has(key));

/** Whether host names and rules have left the file already: a 1.3 file, or one on the way. */
export const isRoutingMigrated = (overrides: Overrides): boolean =>
  textIn(overrides.source, overrides.entries.get('instanceID')) !== undefined &&
  mapIn(overrides.entries.get('watcher')) !== undefined &&
  overrides.virtualHosts.every(({ hosts, rules }) => hosts.length === 0 && rules.length === 0);

/** What is left of 1.2 in a file that was made a 1.3 one but for that. */
export const leftOver = (overrides: Overrides): readonly Entry[] =>
  isRoutingMigrated(overrides) ? keysOf12(overrides) : [];

const isOneOf = (keys: readonly string[], key: string): boolean => keys.includes(key);

type Renamed = (typeof RENAMED)[number];

/** The entry of a block: `gcp`, `region`. */
export const entryAt = ({ source, entries }: Overrides, block: string, key: string): Entry | undefined =>
  entryOf(source, mapIn(entries.get(block)), key);

/** What the new file will have there: the value of the block, or that of the old key which becomes it. */
export function textAt(overrides: Overrides, block: string, key: string): Text | undefined {
  const own = textIn(overrides.source, entryAt(overrides, block, key));
  if (own !== undefined) return own;
  const old = RENAMED.find((row) => row.block === block && row.key === key)?.old;
  return old === undefined ? undefined : textIn(overrides.source, overrides.entries.get(old));
}

/** An old key, and the key of its block where that is there too. */
export type RenamedEntry = { row: Renamed; old: Entry; now: Entry | undefined };

/** Old keys of the file, in its order. */
export const renamedIn = (overrides: Overrides): readonly RenamedEntry[] =>
  [...overrides.entries.values()].flatMap((old) => {
    const row = RENAMED.find((each) => each.old === old.key);
    const now = row && entryAt(overrides, row.block, row.key);
    return row ? [{ row, old, now: now && isEmpty(now) ? undefined : now }] : [];
  });

/** A rule of a virtual host: which paths lead to which environment. */
export type RoutingRule = { place: Place; env?: Text; paths: readonly Text[]; connectTimeout?: Entry };

export type VirtualHost = {
  place: Place;
  map: YAMLMap;
  name?: Text;
  hostAliases?: Entry;
  hosts: readonly Text[];
  routingRules?: Entry;
  rules: readonly RoutingRule[];
};

export type Environment = { place: Place; map: YAMLMap; name?: Text };

/** What an overrides file says, each with its place. What is of a wrong type is a problem, and is not there. */
export type Overrides = {
  source: Source;
  /** Of the top level, by key. */
  entries: ReadonlyMap<string, Entry>;
  org?: Text;
  /** Of the key `org`; where there is none, the start. */
  orgPlace: Place;
  virtualHosts: readonly VirtualHost[];
  environments: readonly Environment[];
  /** Found while reading. */
  problems: readonly Problem[];
};

/** Reads what rules and changes need. Takes files without aliases in these parts (`unsafeParts`). */
export function readOverrides(source: Source): Overrides {
  const problems: Problem[] = [];
  const read: Reader = {
    source,
    wrong: (place, message) => problems.push(problem('wrong-type', place, message)),
    unprintable: (place) =>
      problems.push(problem('unprintable-value', place, 'This value has a character that cannot be printed.')),
  };
  const entries = new Map(entriesOf(source, source.root).map((entry) => [entry.key, entry]));
  if (![...entries.keys()].some((key) => MARKS.has(key)))
    problems.push(problem('not-overrides', { line: 1, column: 1 }, 'None of its keys is one of an overrides file.'));
  problems.push(...misspelt(entries));
  const org = scalarIn(read, entries.get('org'));
  for (const key of BLOCKS) blockIn(read, entries.get(key));
  for (const [block, keys] of Object.entries(SCALARS))
    for (const key of keys) scalarIn(read, entryOf(source, mapIn(entries.get(block)), key));
  for (const key of ['instanceID', ...RENAMED.map(({ old }) => old)]) scalarIn(read, entries.get(key));
  const virtualHosts = itemsIn(read, entries.get('virtualhosts')).map((map) => virtualHostOf(read, map));
  const environments = itemsIn(read, entries.get('envs')).map((map) => environmentOf(read, map));
  const orgPlace = entries.get('org')?.place ?? { line: 1, column: 1 };
  problems.push(...newerKeys(source, virtualHosts, environments));
  return { source, entries, ...(org && { org }), orgPlace, virtualHosts, environments, problems };
}

/** Keys that came after 1.3: such a file is none that this tool reads. */
function newerKeys(
  source: Source,
  virtualHosts: readonly VirtualHost[],
  environments: readonly Environment[],
): readonly Problem[] {
  const newer = (map: YAMLMap | undefined, keys: Readonly<Record<string, string>>): readonly Problem[] =>
    (map === undefined ? [] : entriesOf(source, map)).flatMap(({ key, place }) => {
      const since = Object.hasOwn(keys, key) ? keys[key] : undefined;
      return since === undefined ? [] : [problem('newer-version', place, `\`${key}\` came with version ${since}.`)];
    });
  return [
    ...newer(source.root, AFTER_1_3.file),
    ...virtualHosts.flatMap(({ map }) => newer(map, AFTER_1_3.virtualhosts)),
    ...environments.flatMap(({ map }) =>
      newer(mapIn(entryOf(source, map, 'serviceAccountPaths')), AFTER_1_3.serviceAccountPaths),
    ),
  ];
}

/** `connect_agent`, `virtualHosts`: nothing reads them. */
function misspelt(entries: ReadonlyMap<string, Entry>): readonly Problem[] {
  const known = new Map([...MARKS].map((key) => [plainKey(key), key]));
  return [...entries.values()].flatMap(({ key, place }) => {
    const meant = MARKS.has(key) ? undefined : known.get(plainKey(key));
    return meant === undefined ? [] : [problem('key-spelling', place, `\`${key}\` is not read; \`${meant}\` is.`)];
  });
}

const plainKey = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');

const BLOCKS = ['gcp', 'k8sCluster', 'mart', 'connectAgent', 'metrics', 'watcher', 'cassandra'] as const;

/** Keys of blocks that take one value, and that are read. */
const SCALARS: Readonly<Record<string, readonly string[]>> = {
  gcp: ['region', 'projectID'],
  k8sCluster: ['name', 'region'],
  mart: ACCOUNT_KEYS,
  connectAgent: [...ACCOUNT_KEYS, 'enabled'],
  metrics: [...ACCOUNT_KEYS, 'enabled'],
  watcher: ACCOUNT_KEYS,
};

type Reader = {
  source: Source;
  wrong: (place: Place, message: string) => void;
  unprintable: (place: Place) => void;
};

/** A text, where the key is there; anything but a scalar is told, and what cannot be printed. */
function scalarIn({ source, wrong, unprintable }: Reader, entry: Entry | undefined): Text | undefined {
  if (entry?.value && !isScalar(entry.value)) wrong(entry.place, `\`${entry.key}\` takes one value.`);
  const text = textIn(source, entry);
  if (text && UNPRINTABLE.test(text.value)) unprintable(text.place);
  return text;
}

/** Such a value can be in no command and in no line of a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function blockIn({ wrong }: Reader, entry: Entry | undefined): void {
  if (entry && !isEmpty(entry) && mapIn(entry) === undefined)
    wrong(entry.place, `\`${entry.key}\` takes keys with values.`);
}

/** Of an item of a list; an empty one has no place of its own. */
const placeIn = (source: Source, item: unknown, list: Entry): Place =>
  isNode(item) && item.range ? source.placeOf(item.range[0]) : list.place;

/** The mappings of a list. */
function itemsIn({ source, wrong }: Reader, entry: Entry | undefined): readonly YAMLMap[] {
  if (entry === undefined || isEmpty(entry)) return [];
  const list = seqIn(entry);
  if (list === undefined) wrong(entry.place, `\`${entry.key}\` takes a list.`);
  return (list?.items ?? []).flatMap((item) => {
    if (isMap(item)) return [item];
    wrong(placeIn(source, item, entry), `An item of \`${entry.key}\` has no keys with values.`);
    return [];
  });
}

/** The texts of a list. */
function textsIn({ source, wrong, unprintable }: Reader, entry: Entry | undefined): readonly Text[] {
  if (entry === undefined || isEmpty(entry)) return [];
  const list = seqIn(entry);
  if (list === undefined) wrong(entry.place, `\`${entry.key}\` takes a list of texts.`);
  return (list?.items ?? []).flatMap((item) => {
    const text = isScalar(item) ? asText(source, item) : undefined;
    if (text === undefined) wrong(placeIn(source, item, entry), `An item of \`${entry.key}\` is no text.`);
    else if (UNPRINTABLE.test(text.value)) unprintable(text.place);
    return text === undefined ? [] : [text];
  });
}

const startOf = ({ source }: Reader, map: YAMLMap): Place => source.placeOf(map.range?.[0] ?? 0);

function virtualHostOf(read: Reader, map: YAMLMap): VirtualHost {
  const { source } = read;
  const name = scalarIn(read, entryOf(source, map, 'name'));
  const hostAliases = entryOf(source, map, 'hostAliases');
  const routingRules = entryOf(source, map, 'routingRules');
  return {
    place: startOf(read, map),
    map,
    ...(name && { name }),
    ...(hostAliases && { hostAliases }),
    hosts: textsIn(read, hostAliases),
    ...(routingRules && { routingRules }),
    rules: itemsIn(read, routingRules).map((rule) => ruleOf(read, rule)),
  };
}

function ruleOf(read: Reader, map: YAMLMap): RoutingRule {
  const env = scalarIn(read, entryOf(read.source, map, 'env'));
  const connectTimeout = entryOf(read.source, map, 'connectTimeout');
  return {
    place: startOf(read, map),
    ...(env && { env }),
    paths: textsIn(read, entryOf(read.source, map, 'paths')),
    ...(connectTimeout && { connectTimeout }),
  };
}

function environmentOf(read: Reader, map: YAMLMap): Environment {
  const name = scalarIn(read, entryOf(read.source, map, 'name'));
  return { place: startOf(read, map), map, ...(name && { name }) };
}
