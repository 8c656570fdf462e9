import { isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import type { Decisions } from './decisions.ts';
import { duplicateKeys } from './duplicates.ts';
import { REMOVED_COMPONENTS, REMOVED_FROM_MART, REMOVED_FROM_VIRTUAL_HOSTS, RENAMED } from './keys-data.ts';
import type { MigrateOptions } from './options.ts';
import { groupNameOf } from './rules/groups.ts';

/** A YAML value: mappings by key, lists, and scalars as the parser reads them. */
export type Value = ReadonlyMap<string, Value> | readonly Value[] | { scalar: unknown };

/** What a text says; undefined where it is no YAML any more. Aliases are told by name. */
export function valueOf(text: string): Value | undefined {
  const { contents, errors } = parseDocument(text, { prettyErrors: false, schema: 'core', uniqueKeys: false });
  const isUnique = !isMap(contents) || duplicateKeys(contents).length === 0;
  return errors.length > 0 || !isUnique ? undefined : plain(contents);
}

function plain(node: Node | null): Value {
  if (isMap(node))
    return new Map(
      node.items.map(({ key, value }) => [JSON.stringify(described(plain(key as Node))), plain(value as Node | null)]),
    );
  if (isSeq(node)) return node.items.map((item) => plain(item as Node | null));
  return { scalar: isScalar(node) ? node.value : node === null ? null : String(node) };
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

/** The first top-level key whose value differs; undefined where none does. */
export function firstDifference(one: Value, other: Value): string | undefined {
  const [mine, theirs] = [fieldsOf(one), fieldsOf(other)];
  const keys = [...new Set([...mine.keys(), ...theirs.keys()])];
  const empty: Value = { scalar: undefined };
  const found = keys.find((key) => !isSame(mine.get(key) ?? empty, theirs.get(key) ?? empty));
  return found === undefined ? undefined : (JSON.parse(found) as { scalar?: string }).scalar;
}

type Fields = Map<string, Value>;
const nameOf = (key: string): string => JSON.stringify({ scalar: key });
const fieldsOf = (value: Value | undefined): Fields => new Map(value instanceof Map ? (value as Fields) : []);
const scalarOf = (value: Value | undefined): unknown =>
  value === undefined || value instanceof Map || Array.isArray(value) ? null : (value as { scalar: unknown }).scalar;

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
  if (scalarOf(value) === null || scalarOf(fields.get(nameOf(key))) !== null) return;
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

function put(file: Fields, block: string, key: string, value: string): void {
  const fields = fieldsOf(file.get(nameOf(block)));
  fields.set(nameOf(key), { scalar: value });
  file.set(nameOf(block), fields);
}

function hostOf(host: Value, options: MigrateOptions): Value {
  const fields = fieldsOf(host);
  for (const key of REMOVED_FROM_VIRTUAL_HOSTS) fields.delete(nameOf(key));
  const name = scalarOf(fields.get(nameOf('name')));
  if (typeof name === 'string') fields.set(nameOf('name'), { scalar: groupNameOf(name, options) });
  return fields;
}
