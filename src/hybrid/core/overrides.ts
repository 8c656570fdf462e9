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
import { type FilePosition, buildOverridesProblem, type OverridesProblem } from './problem.ts';
import type { OverridesSource } from './source.ts';
import {
  asText,
  listMapEntries,
  type YamlEntry,
  findMapEntry,
  isEmpty,
  getYamlMap,
  findSequence,
  type Text,
  readEntryText,
} from './tree.ts';

/** Keys of 1.1 in the environments, which no later version has. */
export const listVersion11Keys = ({ source, environments }: Overrides): readonly YamlEntry[] =>
  environments.flatMap(({ map }) => listMapEntries(source, map).filter(({ key }) => isOneOf(VERSION_1_1, key)));

/** What a file is written for; `unknown` where nothing in it says so. */
export function detectOverridesVersion(overrides: Overrides): OverridesVersion {
  if (listVersion11Keys(overrides).length > 0) return '1.1';
  if (listVersion12Keys(overrides).length > 0) return '1.2';
  return isMarkedAs13(overrides) ? '1.3' : 'unknown';
}

/** What a migration takes out. */
function listVersion12Keys({ source, entries, virtualHosts }: Overrides): readonly YamlEntry[] {
  const inBlock = (block: string, keys: readonly string[]): readonly (YamlEntry | undefined)[] =>
    keys.map((key) => findMapEntry(source, getYamlMap(entries.get(block)), key));
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
  readEntryText(overrides.source, overrides.entries.get('instanceID')) !== undefined &&
  getYamlMap(overrides.entries.get('watcher')) !== undefined &&
  overrides.virtualHosts.every(({ hosts, rules }) => hosts.length === 0 && rules.length === 0);

/** What is left of 1.2 in a file that was made a 1.3 one but for that. */
export const listLeftoverKeys = (overrides: Overrides): readonly YamlEntry[] =>
  isRoutingMigrated(overrides) ? listVersion12Keys(overrides) : [];

const isOneOf = (keys: readonly string[], key: string): boolean => keys.includes(key);

type Renamed = (typeof RENAMED)[number];

/** The entry of a block: `gcp`, `region`. */
export const findBlockEntry = ({ source, entries }: Overrides, block: string, key: string): YamlEntry | undefined =>
  findMapEntry(source, getYamlMap(entries.get(block)), key);

/** What the new file will have there: the value of the block, or that of the old key which becomes it. */
export function findBlockText(overrides: Overrides, block: string, key: string): Text | undefined {
  const own = readEntryText(overrides.source, findBlockEntry(overrides, block, key));
  if (own !== undefined) return own;
  const old = RENAMED.find((row) => row.block === block && row.key === key)?.old;
  return old === undefined ? undefined : readEntryText(overrides.source, overrides.entries.get(old));
}

/** An old key, and the key of its block where that is there too. */
export type RenamedEntry = { row: Renamed; old: YamlEntry; now: YamlEntry | undefined };

/** Old keys of the file, in its order. */
export const listRenamedEntries = (overrides: Overrides): readonly RenamedEntry[] =>
  [...overrides.entries.values()].flatMap((old) => {
    const row = RENAMED.find((each) => each.old === old.key);
    const now = row && findBlockEntry(overrides, row.block, row.key);
    return row ? [{ row, old, now: now && isEmpty(now) ? undefined : now }] : [];
  });

/** A rule of a virtual host: which paths lead to which environment. */
export type RoutingRule = { place: FilePosition; env?: Text; paths: readonly Text[]; connectTimeout?: YamlEntry };

export type VirtualHost = {
  place: FilePosition;
  map: YAMLMap;
  name?: Text;
  hostAliases?: YamlEntry;
  hosts: readonly Text[];
  routingRules?: YamlEntry;
  rules: readonly RoutingRule[];
};

export type Environment = { place: FilePosition; map: YAMLMap; name?: Text };

/** What an overrides file says, each with its place. What is of a wrong type is a problem, and is not there. */
export type Overrides = {
  source: OverridesSource;
  /** Of the top level, by key. */
  entries: ReadonlyMap<string, YamlEntry>;
  org?: Text;
  /** Of the key `org`; where there is none, the start. */
  orgPlace: FilePosition;
  virtualHosts: readonly VirtualHost[];
  environments: readonly Environment[];
  /** Found while reading. */
  problems: readonly OverridesProblem[];
};

/** Reads what rules and changes need. Takes files without aliases in these parts (`unsafeParts`). */
export function readOverrides(source: OverridesSource): Overrides {
  const problems: OverridesProblem[] = [];
  const read: ReadContext = {
    source,
    wrong: (place, message) => problems.push(buildOverridesProblem('wrong-type', place, message)),
    unprintable: (place) =>
      problems.push(
        buildOverridesProblem('unprintable-value', place, 'This value has a character that cannot be printed.'),
      ),
  };
  const entries = new Map(listMapEntries(source, source.root).map((entry) => [entry.key, entry]));
  if (![...entries.keys()].some((key) => MARKS.has(key)))
    problems.push(
      buildOverridesProblem('not-overrides', { line: 1, column: 1 }, 'None of its keys is one of an overrides file.'),
    );
  problems.push(...findMisspeltKeys(entries));
  const org = readScalar(read, entries.get('org'));
  for (const key of BLOCKS) checkBlock(read, entries.get(key));
  for (const [block, keys] of Object.entries(SCALARS))
    for (const key of keys) readScalar(read, findMapEntry(source, getYamlMap(entries.get(block)), key));
  for (const key of ['instanceID', ...RENAMED.map(({ old }) => old)]) readScalar(read, entries.get(key));
  const virtualHosts = readItems(read, entries.get('virtualhosts')).map((map) => readVirtualHost(read, map));
  const environments = readItems(read, entries.get('envs')).map((map) => readEnvironment(read, map));
  const orgPlace = entries.get('org')?.place ?? { line: 1, column: 1 };
  problems.push(...findNewerKeys(source, virtualHosts, environments));
  return { source, entries, ...(org && { org }), orgPlace, virtualHosts, environments, problems };
}

/** Keys that came after 1.3: such a file is none that this tool reads. */
function findNewerKeys(
  source: OverridesSource,
  virtualHosts: readonly VirtualHost[],
  environments: readonly Environment[],
): readonly OverridesProblem[] {
  const newer = (map: YAMLMap | undefined, keys: Readonly<Record<string, string>>): readonly OverridesProblem[] =>
    (map === undefined ? [] : listMapEntries(source, map)).flatMap(({ key, place }) => {
      const since = Object.hasOwn(keys, key) ? keys[key] : undefined;
      return since === undefined
        ? []
        : [buildOverridesProblem('newer-version', place, `\`${key}\` came with version ${since}.`)];
    });
  return [
    ...newer(source.root, AFTER_1_3.file),
    ...virtualHosts.flatMap(({ map }) => newer(map, AFTER_1_3.virtualhosts)),
    ...environments.flatMap(({ map }) =>
      newer(getYamlMap(findMapEntry(source, map, 'serviceAccountPaths')), AFTER_1_3.serviceAccountPaths),
    ),
  ];
}

/** `connect_agent`, `virtualHosts`: nothing reads them. */
function findMisspeltKeys(entries: ReadonlyMap<string, YamlEntry>): readonly OverridesProblem[] {
  const known = new Map([...MARKS].map((key) => [normaliseKey(key), key]));
  return [...entries.values()].flatMap(({ key, place }) => {
    const meant = MARKS.has(key) ? undefined : known.get(normaliseKey(key));
    return meant === undefined
      ? []
      : [buildOverridesProblem('key-spelling', place, `\`${key}\` is not read; \`${meant}\` is.`)];
  });
}

const normaliseKey = (key: string): string => key.toLowerCase().replaceAll(/[_-]/g, '');

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

type ReadContext = {
  source: OverridesSource;
  wrong: (place: FilePosition, message: string) => void;
  unprintable: (place: FilePosition) => void;
};

/** The text of a key, if present. Reports a value that is not a scalar or that has an unprintable character. */
function readScalar({ source, wrong, unprintable }: ReadContext, entry: YamlEntry | undefined): Text | undefined {
  if (entry?.value && !isScalar(entry.value)) wrong(entry.place, `\`${entry.key}\` takes one value.`);
  const text = readEntryText(source, entry);
  if (text && UNPRINTABLE.test(text.value)) unprintable(text.place);
  return text;
}

/** Such a value can be in no command and in no line of a terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function checkBlock({ wrong }: ReadContext, entry: YamlEntry | undefined): void {
  if (entry && !isEmpty(entry) && getYamlMap(entry) === undefined)
    wrong(entry.place, `\`${entry.key}\` takes keys with values.`);
}

/** Of an item of a list; an empty one has no place of its own. */
const getItemPosition = (source: OverridesSource, item: unknown, list: YamlEntry): FilePosition =>
  isNode(item) && item.range ? source.placeOf(item.range[0]) : list.place;

/** The mappings of a list. */
function readItems({ source, wrong }: ReadContext, entry: YamlEntry | undefined): readonly YAMLMap[] {
  if (entry === undefined || isEmpty(entry)) return [];
  const list = findSequence(entry);
  if (list === undefined) wrong(entry.place, `\`${entry.key}\` takes a list.`);
  return (list?.items ?? []).flatMap((item) => {
    if (isMap(item)) return [item];
    wrong(getItemPosition(source, item, entry), `An item of \`${entry.key}\` has no keys with values.`);
    return [];
  });
}

/** The texts of a list. */
function readTexts({ source, wrong, unprintable }: ReadContext, entry: YamlEntry | undefined): readonly Text[] {
  if (entry === undefined || isEmpty(entry)) return [];
  const list = findSequence(entry);
  if (list === undefined) wrong(entry.place, `\`${entry.key}\` takes a list of texts.`);
  return (list?.items ?? []).flatMap((item) => {
    const text = isScalar(item) ? asText(source, item) : undefined;
    if (text === undefined) wrong(getItemPosition(source, item, entry), `An item of \`${entry.key}\` is no text.`);
    else if (UNPRINTABLE.test(text.value)) unprintable(text.place);
    return text === undefined ? [] : [text];
  });
}

const getMapStart = ({ source }: ReadContext, map: YAMLMap): FilePosition => source.placeOf(map.range?.[0] ?? 0);

function readVirtualHost(read: ReadContext, map: YAMLMap): VirtualHost {
  const { source } = read;
  const name = readScalar(read, findMapEntry(source, map, 'name'));
  const hostAliases = findMapEntry(source, map, 'hostAliases');
  const routingRules = findMapEntry(source, map, 'routingRules');
  return {
    place: getMapStart(read, map),
    map,
    ...(name && { name }),
    ...(hostAliases && { hostAliases }),
    hosts: readTexts(read, hostAliases),
    ...(routingRules && { routingRules }),
    rules: readItems(read, routingRules).map((rule) => readRoutingRule(read, rule)),
  };
}

function readRoutingRule(read: ReadContext, map: YAMLMap): RoutingRule {
  const env = readScalar(read, findMapEntry(read.source, map, 'env'));
  const connectTimeout = findMapEntry(read.source, map, 'connectTimeout');
  return {
    place: getMapStart(read, map),
    ...(env && { env }),
    paths: readTexts(read, findMapEntry(read.source, map, 'paths')),
    ...(connectTimeout && { connectTimeout }),
  };
}

function readEnvironment(read: ReadContext, map: YAMLMap): Environment {
  const name = readScalar(read, findMapEntry(read.source, map, 'name'));
  return { place: getMapStart(read, map), map, ...(name && { name }) };
}
