import * as z from 'zod';
import { isKey } from '../core/engine/keys.ts';
import type { Interface } from '../core/engine/operation.ts';
import type { NewName, NewRow } from '../core/engine/stored-row.ts';
import { isObject, isText, type Json, type JsonObject, memberOf } from '../../lib/json.ts';
import type { Field, Schemas } from '../core/table/method-row.ts';
import { schemasOf } from '../core/table/schemas.ts';

const key = z.string().refine(isKey);
const optionalKey = z.union([key, z.null()]);

/** One line of a snapshot: what it belongs to, a resource, or a name. */
const line = z.union([
  z.tuple([z.literal('tenant'), z.string()]),
  z.tuple([z.literal('row'), key, key, key, optionalKey, optionalKey, optionalKey, optionalKey, z.string()]),
  z.tuple([z.literal('name'), key, key, key, key, key, z.union([z.literal(0), z.literal(1)])]),
]);

export type SnapshotLine = { is: 'tenant'; id: string } | { is: 'row'; row: NewRow } | { is: 'name'; name: NewName };

/**
 * Reads one line back and judges it: a known collection that snapshots hold, keys of the right length, a body of the
 * right types (rule K3). Undefined for any other.
 */
export function lineOf(text: string, interfaces: readonly Interface[]): SnapshotLine | undefined {
  const parsed = line.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const { data } = parsed;
  if (data[0] === 'tenant') return { is: 'tenant', id: data[1] };
  if (data[0] === 'name') {
    const [, namespace, name, collection, parent, id, primary] = data;
    if (!isSaved(collection, interfaces)) return undefined;
    return { is: 'name', name: { namespace, name, owner: { collection, parent, id }, primary: primary === 1 } };
  }
  const [, collection, parent, id, s1, s2, s3, ref, json] = data;
  const body = jsonOf(json);
  if (!isObject(body) || !isSaved(collection, interfaces) || !fitsSchema(collection, body, interfaces))
    return undefined;
  const indexed = Object.entries({ s1, s2, s3, ref }).filter(([, value]) => value !== null);
  return { is: 'row', row: { collection, parent, id, body, ...Object.fromEntries(indexed) } };
}

/** Whether snapshots hold a collection: one of an interface that is served, and none of credentials. */
export function isSaved(collection: string, interfaces: readonly Interface[]): boolean {
  const owner = ownerOf(collection, interfaces);
  if (owner === undefined || owner.unsaved?.includes(collection) === true) return false;
  return owner.collections === undefined || Object.hasOwn(owner.collections, collection);
}

/** Collections are named after their interface: `directory.users`. */
const ownerOf = (collection: string, interfaces: readonly Interface[]): Interface | undefined =>
  interfaces.find(({ name }) => collection.startsWith(`${name}.`));

function fitsSchema(collection: string, body: JsonObject, interfaces: readonly Interface[]): boolean {
  const owner = ownerOf(collection, interfaces);
  const schema = owner?.collections?.[collection] ?? '';
  if (owner?.rows?.[collection]?.(body) === false) return false;
  if (owner === undefined || schema === '') return true;
  return fitsRef(body, schema, schemasOf(owner.name, owner.version));
}

/** Fields that the schema knows must have its types; an interface may keep others beside them for itself. */
function fitsRef(body: JsonObject, ref: string, schemas: Schemas): boolean {
  return Object.entries(schemas[ref] ?? {}).every(([name, field]) => {
    const value = memberOf(body, name);
    return value === undefined || fits(value, field, schemas);
  });
}

function fits(value: Json, field: Field, schemas: Schemas): boolean {
  const { items, ref, values } = field;
  switch (field.type) {
    case 'any':
      return true;
    case 'array':
      return Array.isArray(value) && (items === undefined || value.every((item) => fits(item, items, schemas)));
    case 'object':
      if (!isObject(value)) return false;
      if (ref !== undefined) return fitsRef(value, ref, schemas);
      return values === undefined || Object.values(value).every((each) => fits(each, values, schemas));
    case 'integer':
    case 'number':
      return typeof value === 'number' || (isText(value) && field.format !== undefined);
    case 'string':
      return isText(value);
    case 'boolean':
      return typeof value === 'boolean';
  }
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // JSON.parse makes nothing else.
  } catch {
    return undefined;
  }
}
