import { isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import type { Decisions } from './decisions.ts';
import { findDuplicateKeys } from './source.ts';
import { REMOVED_COMPONENTS, REMOVED_FROM_MART, REMOVED_FROM_VIRTUAL_HOSTS, RENAMED } from './keys-data.ts';
import type { MigrateOptions } from './options.ts';
import { getRenamedGroup } from '../rules/groups.ts';

/** A YAML value: mappings by key, lists, and scalars as the parser reads them. */
export type Value = ReadonlyMap<string, Value> | readonly Value[] | { scalar: unknown };

/**
 * The parsed value; undefined when the text is no longer YAML. An alias is represented by its name, a key that is not a
 * scalar by its text.
 */
export function parseYamlValue(text: string): Value | undefined {
  const { contents, errors } = parseDocument(text, { prettyErrors: false, schema: 'core', uniqueKeys: false });
  const isUnique = !isMap(contents) || findDuplicateKeys(contents).length === 0;
  return errors.length > 0 || !isUnique ? undefined : convertNode(text, contents);
}

function convertNode(text: string, node: unknown): Value {
  if (isMap(node))
    return new Map(node.items.map(({ key, value }) => [readNodeKey(text, key), convertNode(text, value)]));
  if (isSeq(node)) return node.items.map((item) => convertNode(text, item));
  return { scalar: isScalar(node) ? node.value : isNode(node) ? String(node) : null };
}

function readNodeKey(text: string, key: unknown): string {
  if (isScalar(key)) return toFieldKey(key.value);
  const [start, end] = (isNode(key) ? key.range : undefined) ?? [0, 0];
  return `complex ${text.slice(start, end)}`;
}

/** Comparable as JSON: order of keys does not count. */
const toComparable = (value: Value): unknown => {
  if (value instanceof Map)
    return {
      map: [...(value as ReadonlyMap<string, Value>)]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, each]) => [key, toComparable(each)]),
    };
  if (Array.isArray(value)) return (value as readonly Value[]).map(toComparable);
  const { scalar } = value as { scalar: unknown };
  return typeof scalar === 'number' || typeof scalar === 'bigint' ? `${typeof scalar} ${scalar}` : { scalar };
};

export const isSameYamlValue = (one: Value, other: Value): boolean =>
  JSON.stringify(toComparable(one)) === JSON.stringify(toComparable(other));

/** The first of these top-level keys whose value differs; undefined where none does. */
export function findFirstDifference(one: Value, other: Value, keys: Iterable<string>): string | undefined {
  const [mine, theirs] = [copyFields(one), copyFields(other)];
  const absent: Value = { scalar: undefined };
  return [...keys].find(
    (key) => !isSameYamlValue(mine.get(toFieldKey(key)) ?? absent, theirs.get(toFieldKey(key)) ?? absent),
  );
}

type Fields = Map<string, Value>;
const toFieldKey = (key: unknown): string => `${typeof key} ${String(key)}`;
const copyFields = (value: Value | undefined): Fields => new Map(value instanceof Map ? (value as Fields) : []);
const getScalar = (value: Value | undefined): unknown =>
  value === undefined || value instanceof Map || Array.isArray(value) ? null : (value as { scalar: unknown }).scalar;

/** Nothing, or an empty text. */
const isBlank = (value: Value | undefined): boolean =>
  !(value instanceof Map) && !Array.isArray(value) && ['', null].includes(getScalar(value) as string | null);

/**
 * What the new file must say, made of what the old one says and not of its text. A migration whose outcome says anything
 * else is refused.
 */
export function computeMigratedValue(
  old: Value,
  { instanceId, region, accounts }: Decisions,
  options: MigrateOptions,
): Value {
  const file = copyFields(old);
  for (const { old: key, block, key: now } of RENAMED) moveInto(file, key, block, now);
  for (const key of REMOVED_COMPONENTS) file.delete(toFieldKey(key));
  without(file, 'mart', REMOVED_FROM_MART);
  without(
    file,
    'connectAgent',
    ['enabled'],
    accounts.some(({ block, proposal }) => block === 'connectAgent' && proposal),
  );
  without(file, 'cassandra', ['dnsPolicy', 'externalSeedHost']);
  const hosts = file.get(toFieldKey('virtualhosts'));
  if (Array.isArray(hosts))
    file.set(
      toFieldKey('virtualhosts'),
      (hosts as readonly Value[]).map((host) => migrateHost(host, options)),
    );
  if (instanceId) file.set(toFieldKey('instanceID'), { scalar: instanceId.value });
  if (region) put(file, 'gcp', 'region', region.value);
  for (const { block, key, proposal } of accounts) if (proposal) put(file, block, key, proposal.value);
  return file;
}

function moveInto(file: Fields, old: string, block: string, key: string): void {
  const value = file.get(toFieldKey(old));
  if (value === undefined) return;
  file.delete(toFieldKey(old));
  const fields = copyFields(file.get(toFieldKey(block)));
  if (isBlank(value) || !isBlank(fields.get(toFieldKey(key)))) return;
  fields.set(toFieldKey(key), value);
  file.set(toFieldKey(block), fields);
}

/** A block that nothing is left of goes itself, unless something is added to it. */
function without(file: Fields, block: string, keys: readonly string[], isFilled = false): void {
  const value = file.get(toFieldKey(block));
  if (!(value instanceof Map)) return;
  const fields = copyFields(value);
  for (const key of keys) fields.delete(toFieldKey(key));
  if (fields.size === 0 && (value as Fields).size > 0 && !isFilled) file.delete(toFieldKey(block));
  else file.set(toFieldKey(block), fields);
}

/** The same with one more value. */
export function withValue(old: Value, block: string, key: string, value: string): Value {
  const file = copyFields(old);
  put(file, block, key, value);
  return file;
}

function put(file: Fields, block: string, key: string, value: string): void {
  const fields = copyFields(file.get(toFieldKey(block)));
  fields.set(toFieldKey(key), { scalar: value });
  file.set(toFieldKey(block), fields);
}

function migrateHost(host: Value, options: MigrateOptions): Value {
  const fields = copyFields(host);
  const isOld = REMOVED_FROM_VIRTUAL_HOSTS.map((key) => fields.delete(toFieldKey(key))).includes(true);
  const name = getScalar(fields.get(toFieldKey('name')));
  if (isOld && name !== null) fields.set(toFieldKey('name'), renameScalar(name, options));
  return fields;
}

/** A name that stays keeps its type: `123` is a number. */
function renameScalar(name: unknown, options: MigrateOptions): Value {
  const group = getRenamedGroup(String(name), options);
  return { scalar: group === String(name) ? name : group };
}
