import { isObject, type Json, type JsonObject, memberOf } from '../../../lib/json.ts';
import { refuse } from '../../../lib/refusal.ts';
import type { Field, MethodRow, Schema } from '../table/method-row.ts';
import { schemasOf } from '../table/schemas.ts';

/**
 * What may be written of a sent body: fields that only the server sets are dropped at any depth, and so are unknown
 * ones and `null`s. Values of type `any` are kept as they are.
 * @throws Refusal for a field that the method requires
 */
export function writable(schema: string, sent: JsonObject, row: MethodRow): JsonObject {
  const body = cleaned(sent, schemaOf(schema, row), row);
  requireFields(schemaOf(schema, row), body, row);
  return body;
}

/**
 * PATCH: what is sent is merged into what is there, object by object; `null` clears; lists and values of type `any` are
 * replaced whole (seed 2, "Patch").
 * @throws Refusal when a required field would be cleared: the resource stays as it is
 */
export function patched(schema: string, before: JsonObject, sent: JsonObject, row: MethodRow): JsonObject {
  const body = merged(before, sent, schemaOf(schema, row), row);
  requireFields(schemaOf(schema, row), body, row);
  return body;
}

/**
 * PUT: what is not sent is cleared, but what only the server sets stays, at any depth, and so does what no schema knows
 * (kept by the interface for itself).
 * @throws Refusal for a required field that is missing
 */
export function replaced(schema: string, before: JsonObject, sent: JsonObject, row: MethodRow): JsonObject {
  const body = exchanged(before, sent, schemaOf(schema, row), row);
  requireFields(schemaOf(schema, row), body, row);
  return body;
}

/** Whether two values say the same: members in any order, elements in theirs. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, at) => isSame(each, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(memberOf(a, name), memberOf(b, name)));
}

const schemaOf = (name: string, row: MethodRow): Schema => {
  const schema = schemasOf(row.interface, row.version)[name];
  if (schema === undefined) throw new Error(`${row.interface} ${row.version} has no schema ${name}`);
  return schema;
};

/** The schema of a field's objects. None for one without members of its own (custom fields of users): that is an open map. */
const nestedIn = ({ ref }: Field, row: MethodRow): Schema | undefined => {
  const schema = ref === undefined ? undefined : schemasOf(row.interface, row.version)[ref];
  return schema === undefined || Object.keys(schema).length === 0 ? undefined : schema;
};

/** What the values of a map are; undefined for a field that is no map. */
const valuesIn = (field: Field, row: MethodRow): Field | undefined =>
  field.values ?? (field.ref !== undefined && nestedIn(field, row) === undefined ? { type: 'any' } : undefined);

/** The field of a name that a caller may set. `kind` and `etag` of a body say what the caller saw; they are not stored. */
function settable(fields: Schema, name: string): Field | undefined {
  if (name === 'kind' || name === 'etag' || !Object.hasOwn(fields, name)) return undefined;
  const field = fields[name];
  return field?.readOnly === true ? undefined : field;
}

function cleaned(sent: JsonObject, fields: Schema, row: MethodRow): JsonObject {
  const kept = Object.entries(sent).flatMap(([name, value]): [string, Json][] => {
    const field = settable(fields, name);
    return field === undefined || value === null ? [] : [[name, cleanValue(value, field, row)]];
  });
  return Object.fromEntries(kept);
}

function cleanValue(value: Json, field: Field, row: MethodRow): Json {
  const { items } = field;
  const [nested, values] = [nestedIn(field, row), valuesIn(field, row)];
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => cleanValue(item, items, row));
  if (!isObject(value)) return value;
  if (nested !== undefined) return cleaned(value, nested, row);
  if (values === undefined) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(kept.map(([key, each]) => [key, cleanValue(each, values, row)]));
}

/** Maps keep own names like `__proto__` apart from prototypes; objects are made of them at the end. */
function merged(before: JsonObject, sent: JsonObject, fields: Schema, row: MethodRow): JsonObject {
  const result = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(sent)) {
    const field = settable(fields, name);
    if (field !== undefined) mergeInto(result, name, value, field, row);
  }
  return Object.fromEntries(result);
}

function mergeInto(result: Map<string, Json>, name: string, value: Json, field: Field, row: MethodRow): void {
  if (value === null) {
    result.delete(name);
    return;
  }
  const before = result.get(name);
  result.set(name, mergedValue(isObject(before) ? before : {}, value, field, row));
}

function mergedValue(before: JsonObject, value: Json, field: Field, row: MethodRow): Json {
  const [nested, values] = [nestedIn(field, row), valuesIn(field, row)];
  if (isObject(value) && nested !== undefined) return merged(before, value, nested, row);
  if (!isObject(value) || values === undefined) return cleanValue(value, field, row);
  const result = new Map(Object.entries(before));
  for (const [key, each] of Object.entries(value)) mergeInto(result, key, each, values, row);
  return Object.fromEntries(result);
}

function exchanged(before: JsonObject, sent: JsonObject, fields: Schema, row: MethodRow): JsonObject {
  const result = new Map(Object.entries(before).filter(([name]) => settable(fields, name) === undefined));
  for (const [name, field] of Object.entries(fields)) {
    if (settable(fields, name) === undefined) continue;
    const value = exchangedValue(memberOf(before, name), memberOf(sent, name) ?? null, field, row);
    if (value !== null) result.set(name, value);
  }
  return Object.fromEntries(result);
}

/** null: the field is cleared. An object that is cleared keeps what only the server sets in it. */
function exchangedValue(before: Json | undefined, sent: Json, field: Field, row: MethodRow): Json {
  const nested = nestedIn(field, row);
  if (nested !== undefined && isObject(before) && (sent === null || isObject(sent))) {
    const value = exchanged(before, sent ?? {}, nested, row);
    return sent === null && Object.keys(value).length === 0 ? null : value;
  }
  return sent === null ? null : cleanValue(sent, field, row);
}

/** Every field that the table says this method needs, at any depth that the body has. */
function requireFields(fields: Schema, body: JsonObject, row: MethodRow, path = ''): void {
  for (const [name, field] of Object.entries(fields)) {
    const value = memberOf(body, name);
    const isMissing = value === undefined || value === null || value === '';
    if (isMissing && field.requiredBy?.includes(row.id) === true) throw refuse.required(`${path}${name}`);
    if (value !== undefined) requireWithin(value, field, row, `${path}${name}`);
  }
}

function requireWithin(value: Json, field: Field, row: MethodRow, path: string): void {
  const { items } = field;
  const nested = nestedIn(field, row);
  if (nested !== undefined && isObject(value)) requireFields(nested, value, row, `${path}.`);
  if (items === undefined || !Array.isArray(value)) return;
  for (const [index, item] of value.entries()) requireWithin(item, items, row, `${path}[${index}]`);
}
