import { isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import type { Decisions } from './decisions.ts';
import { duplicateKeys } from './duplicates.ts';
import { REMOVED_COMPONENTS, REMOVED_FROM_MART, REMOVED_FROM_VIRTUAL_HOSTS, RENAMED } from './keys-data.ts';
import type { MigrateOptions } from './options.ts';
import { renamedTo } from '../rules/groups.ts';

/** A YAML value: mappings by key, lists, and scalars as the parser reads them. */
export type Value = ReadonlyMap<string, Value> | readonly Value[] | { scalar: unknown };

/** What a text says; undefined where it is no YAML any more. Aliases are told by name, keys that are no text by their text. */
export function valueOf(text: string): Value | undefined {
  const { contents, errors } = parseDocument(text, { prettyErrors: false, schema: 'core', uniqueKeys: false });
  const isUnique = !isMap(contents) || duplicateKeys(contents).length === 0;
  return errors.length > 0 || !isUnique ? undefined : plain(text, contents);
}

function plain(text: string, node: unknown): Value {
  if (isMap(node)) return new Map(node.items.map(({ key, value }) => [keyOf(text, key), plain(text, value)]));
  if (isSeq(node)) return node.items.map((item) => plain(text, item));
  return { scalar: isScalar(node) ? node.value : isNode(node) ? String(node) : null };
}

function keyOf(text: string, key: unknown): string {
  if (isScalar(key)) return nameOf(key.value);
  const [start, end] = (isNode(key) ? key.range : undefined) ?? [0, 0];
  return `complex ${text.slice(start, end)}`;
}

/** Comparable as JSON: order of keys does not count. */
const described = (value: Value): unknown => {
  if (value instanceof Map)
    return {
      map: [...(value as ReadonlyMap<string, Value>)]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, each]) => [key, described(each)]),
    };
  if (Array.isArray(value)) return (value as readonly Value[]).map(described);
  const { scalar } = value as { scalar: unknown };
  return typeof scalar === 'number' || typeof scalar === 'bigint' ? `${typeof scalar} ${scalar}` : { scalar };
};

export const isSame = (one: Value, other: Value): boolean =>
  JSON.stringify(described(one)) === JSON.stringify(described(other));

/** The first of these top-level keys whose value differs; undefined where none does. */
export function firstDifference(one: Value, other: Value, keys: Iterable<string>): string | undefined {
  const [mine, theirs] = [fieldsOf(one), fieldsOf(other)];
  const absent: Value = { scalar: undefined };
  return [...keys].find((key) => !isSame(mine.get(nameOf(key)) ?? absent, theirs.get(nameOf(key)) ?? absent));
}

type Fields = Map<string, Value>;
const nameOf = (key: unknown): string => `${typeof key} ${String(key)}`;
const fieldsOf = (value: Value | undefined): Fields => new Map(value instanceof Map ? (value as Fields) : []);
const scalarOf = (value: Value | undefined): unknown =>
  value === undefined || value instanceof Map || Array.isArray(value) ? null : (value as { scalar: unknown }).scalar;

/** Nothing, or an empty text. */
const isBlank = (value: Value | undefined): boolean =>
  !(value instanceof Map) && !Array.isArray(value) && ['', null].includes(scalarOf(value) as string | null);

/**
 * What the new file must say, made of what the old one says and not of its text. A migration whose outcome says anything
 * else is refused.
 */
export function migratedValue(old: Value, { instanceId, region, accounts }: Decisions, options: MigrateOptions): Value {
  const file = fieldsOf(old);
  for (const { old: key, block, key: now } of RENAMED) moveInto(file, key, block, now);
  for (const key of REMOVED_COMPONENTS) file.delete(nameOf(key));
  without(file, 'mart', REMOVED_FROM_MART);
  without(
    file,
    'connectAgent',
    ['enabled'],
    accounts.some(({ block, proposal }) => block === 'connectAgent' && proposal),
  );
  without(file, 'cassandra', ['dnsPolicy', 'externalSeedHost']);
  const hosts = file.get(nameOf('virtualhosts'));
  if (Array.isArray(hosts))
    file.set(
      nameOf('virtualhosts'),
      (hosts as readonly Value[]).map((host) => hostOf(host, options)),
    );
  if (instanceId) file.set(nameOf('instanceID'), { scalar: instanceId.value });
  if (region) put(file, 'gcp', 'region', region.value);
  for (const { block, key, proposal } of accounts) if (proposal) put(file, block, key, proposal.value);
  return file;
}

function moveInto(file: Fields, old: string, block: string, key: string): void {
  const value = file.get(nameOf(old));
  if (value === undefined) return;
  file.delete(nameOf(old));
  const fields = fieldsOf(file.get(nameOf(block)));
  if (isBlank(value) || !isBlank(fields.get(nameOf(key)))) return;
  fields.set(nameOf(key), value);
  file.set(nameOf(block), fields);
}

/** A block that nothing is left of goes itself, unless something is added to it. */
function without(file: Fields, block: string, keys: readonly string[], isFilled = false): void {
  const value = file.get(nameOf(block));
  if (!(value instanceof Map)) return;
  const fields = fieldsOf(value);
  for (const key of keys) fields.delete(nameOf(key));
  if (fields.size === 0 && (value as Fields).size > 0 && !isFilled) file.delete(nameOf(block));
  else file.set(nameOf(block), fields);
}

/** The same with one more value. */
export function withValue(old: Value, block: string, key: string, value: string): Value {
  const file = fieldsOf(old);
  put(file, block, key, value);
  return file;
}

function put(file: Fields, block: string, key: string, value: string): void {
  const fields = fieldsOf(file.get(nameOf(block)));
  fields.set(nameOf(key), { scalar: value });
  file.set(nameOf(block), fields);
}

function hostOf(host: Value, options: MigrateOptions): Value {
  const fields = fieldsOf(host);
  const isOld = REMOVED_FROM_VIRTUAL_HOSTS.map((key) => fields.delete(nameOf(key))).includes(true);
  const name = scalarOf(fields.get(nameOf('name')));
  if (isOld && name !== null) fields.set(nameOf('name'), renamedScalar(name, options));
  return fields;
}

/** A name that stays keeps its type: `123` is a number. */
function renamedScalar(name: unknown, options: MigrateOptions): Value {
  const group = renamedTo(String(name), options);
  return { scalar: group === String(name) ? name : group };
}
