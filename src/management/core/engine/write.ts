import { isObject, type Json, type JsonObject, getMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { SchemaField, MethodRow, Schema } from '../table/method-row.ts';
import { getSchemas } from '../table/schemas.ts';

/**
 * What may be written of a sent body: fields that only the server sets are dropped at any depth, and so are unknown
 * ones and `null`s. Values of type `any` are kept as they are.
 * @throws Refusal for a field that the method requires
 */
export function selectWritable(schema: string, sent: JsonObject, row: MethodRow): JsonObject {
  const body = removeServerFields(sent, requireSchema(schema, row), row);
  requireFields(requireSchema(schema, row), body, row);
  return body;
}

/**
 * PATCH: what is sent is merged into what is there, object by object; `null` clears; lists and values of type `any` are
 * replaced whole.
 * @throws Refusal when a required field would be cleared: the resource stays as it is
 */
export function patchBody(schema: string, before: JsonObject, sent: JsonObject, row: MethodRow): JsonObject {
  const body = mergeObject(before, sent, requireSchema(schema, row), row);
  requireFields(requireSchema(schema, row), body, row);
  return body;
}

/**
 * PUT: what is not sent is cleared, but what only the server sets stays, at any depth, and so does what no schema knows
 * (kept by the interface for itself).
 * @throws Refusal for a required field that is missing
 */
export function replaceBody(schema: string, before: JsonObject, sent: JsonObject, row: MethodRow): JsonObject {
  const body = replaceObject(before, sent, requireSchema(schema, row), row);
  requireFields(requireSchema(schema, row), body, row);
  return body;
}

/** Whether two values say the same: members in any order, elements in theirs. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, at) => isSameJson(each, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSameJson(getMember(a, name), getMember(b, name)));
}

const requireSchema = (name: string, row: MethodRow): Schema => {
  const schema = getSchemas(row.interface, row.version)[name];
  if (schema === undefined) throw new Error(`${row.interface} ${row.version} has no schema ${name}`);
  return schema;
};

/** The schema of a field's objects. None for one without members of its own (custom fields of users): that is an open map. */
const findNestedSchema = ({ ref }: SchemaField, row: MethodRow): Schema | undefined => {
  const schema = ref === undefined ? undefined : getSchemas(row.interface, row.version)[ref];
  return schema === undefined || Object.keys(schema).length === 0 ? undefined : schema;
};

/** What the values of a map are; undefined for a field that is no map. */
const findMapValueField = (field: SchemaField, row: MethodRow): SchemaField | undefined =>
  field.values ?? (field.ref !== undefined && findNestedSchema(field, row) === undefined ? { type: 'any' } : undefined);

/** The field of a name that a caller may set. `kind` and `etag` of a body say what the caller saw; they are not stored. */
function findSettableField(fields: Schema, name: string): SchemaField | undefined {
  if (name === 'kind' || name === 'etag' || !Object.hasOwn(fields, name)) return undefined;
  const field = fields[name];
  return field?.readOnly === true ? undefined : field;
}

function removeServerFields(sent: JsonObject, fields: Schema, row: MethodRow): JsonObject {
  const kept = Object.entries(sent).flatMap(([name, value]): [string, Json][] => {
    const field = findSettableField(fields, name);
    return field === undefined || value === null ? [] : [[name, cleanValue(value, field, row)]];
  });
  return Object.fromEntries(kept);
}

function cleanValue(value: Json, field: SchemaField, row: MethodRow): Json {
  const { items } = field;
  const [nested, values] = [findNestedSchema(field, row), findMapValueField(field, row)];
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => cleanValue(item, items, row));
  if (!isObject(value)) return value;
  if (nested !== undefined) return removeServerFields(value, nested, row);
  if (values === undefined) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([key, each]) => [key, cleanValue(each, values, row)]));
}

/** Maps keep own names like `__proto__` apart from prototypes; objects are made of them at the end. */
function mergeObject(before: JsonObject, sent: JsonObject, fields: Schema, row: MethodRow): JsonObject {
  const result = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(sent)) {
    const field = findSettableField(fields, name);
    if (field !== undefined) mergeInto(result, name, value, field, row);
  }
  return Object.fromEntries(result);
}

function mergeInto(result: Map<string, Json>, name: string, value: Json, field: SchemaField, row: MethodRow): void {
  if (value === null) {
    result.delete(name);
    return;
  }
  const before = result.get(name);
  result.set(name, mergeMemberValue(isObject(before) ? before : {}, value, field, row));
}

function mergeMemberValue(before: JsonObject, value: Json, field: SchemaField, row: MethodRow): Json {
  const [nested, values] = [findNestedSchema(field, row), findMapValueField(field, row)];
  if (isObject(value) && nested !== undefined) return mergeObject(before, value, nested, row);
  if (!isObject(value) || values === undefined) return cleanValue(value, field, row);
  const result = new Map(Object.entries(before));
  for (const [key, each] of Object.entries(value)) mergeInto(result, key, each, values, row);
  return Object.fromEntries(result);
}

function replaceObject(before: JsonObject, sent: JsonObject, fields: Schema, row: MethodRow): JsonObject {
  const result = new Map(Object.entries(before).filter(([name]) => findSettableField(fields, name) === undefined));
  for (const [name, field] of Object.entries(fields)) {
    if (findSettableField(fields, name) === undefined) continue;
    const value = replaceMemberValue(getMember(before, name), getMember(sent, name) ?? null, field, row);
    if (value !== null) result.set(name, value);
  }
  return Object.fromEntries(result);
}

/** null: the field is cleared. An object that is cleared keeps what only the server sets in it. */
function replaceMemberValue(before: Json | undefined, sent: Json, field: SchemaField, row: MethodRow): Json {
  const nested = findNestedSchema(field, row);
  if (nested !== undefined && isObject(before) && (sent === null || isObject(sent))) {
    const value = replaceObject(before, sent ?? {}, nested, row);
    return sent === null && Object.keys(value).length === 0 ? null : value;
  }
  return sent === null ? null : cleanValue(sent, field, row);
}

/** Every field that the table says this method needs, at any depth that the body has. */
function requireFields(fields: Schema, body: JsonObject, row: MethodRow, path = ''): void {
  for (const [name, field] of Object.entries(fields)) {
    const value = getMember(body, name);
    const isMissing = value === undefined || value === null || value === '';
    if (isMissing && field.requiredBy?.includes(row.id) === true) throw vendorRefusals.required(`${path}${name}`);
    if (value !== undefined) requireWithin(value, field, row, `${path}${name}`);
  }
}

function requireWithin(value: Json, field: SchemaField, row: MethodRow, path: string): void {
  const { items } = field;
  const nested = findNestedSchema(field, row);
  if (nested !== undefined && isObject(value)) requireFields(nested, value, row, `${path}.`);
  if (items === undefined || !Array.isArray(value)) return;
  for (const [index, item] of value.entries()) requireWithin(item, items, row, `${path}[${index}]`);
}
