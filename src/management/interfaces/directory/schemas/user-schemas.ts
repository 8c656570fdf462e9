import type { Context } from '../../../core/engine/operation.ts';
import { isObject, isText, memberOf, type Json, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { NAMES } from '../collections.ts';
import { isEmail } from '../keys.ts';
import { textOf } from '../texts.ts';

/** A call writes values of so many schemas at most. */
const MAX_SCHEMAS = 100;
const MAX_VALUE_CHARS = 500;
const MAX_VALUES = 150;
const INT64 = /^-?[0-9]{1,19}$/;
const INT64_BITS = 64;
const DOUBLE = /^-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:e[+-]?[0-9]{1,3})?$/i;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** A custom field as its schema defines it. Its id ties values of users to it: a later field of the same name has another. */
export type CustomField = { id: string; fieldType: string; isMany: boolean; isPublic: boolean };
/** A custom schema by its own spelling; it is found without case. */
export type CustomSchema = { name: string; fields: ReadonlyMap<string, CustomField> };
type SchemaReader = (schemaName: string) => CustomSchema | undefined;

/** What a user keeps of custom fields. `customFieldIds` (never shown) are the fields that the values belong to. */
type Kept = { customSchemas?: JsonObject; customFieldIds?: Json[] };

/** The custom schema of a name; undefined when there is none. One statement. */
export function customSchemaOf(schemaName: string, context: Context): CustomSchema | undefined {
  const found = context.store.named(NAMES.schema, schemaName.toLowerCase());
  if (found === undefined) return undefined;
  const { body } = found.row;
  const sent = memberOf(body, 'fields');
  const fields = Array.isArray(sent) ? sent.filter(isObject) : [];
  return {
    name: textOf(body, 'schemaName'),
    fields: new Map(fields.map((field) => [textOf(field, 'fieldName'), customField(field)])),
  };
}

const customField = (field: JsonObject): CustomField => ({
  id: textOf(field, 'fieldId'),
  fieldType: textOf(field, 'fieldType'),
  isMany: field['multiValued'] === true,
  isPublic: field['readAccessType'] !== 'ADMINS_AND_SELF',
});

/** The values that a user has of fields that are there still, by schema and field: those of deleted ones are gone with them. */
export function presentValues(body: JsonObject, schemaOf: SchemaReader): JsonObject {
  const { customSchemas } = body;
  if (!isObject(customSchemas)) return {};
  const ids = new Set(fieldIdsIn(body));
  const present = Object.entries(customSchemas).flatMap(([schemaName, values]): [string, JsonObject][] => {
    const schema = schemaOf(schemaName);
    if (schema === undefined || !isObject(values)) return [];
    const own = Object.entries(values).filter(([name]) => ids.has(schema.fields.get(name)?.id ?? ''));
    return own.length === 0 ? [] : [[schemaName, Object.fromEntries(own)]];
  });
  return Object.fromEntries(present);
}

/** The values that a user has of one field. */
export function valuesOfField(body: JsonObject, schemaName: string, fieldName: string, field: CustomField): Json[] {
  if (!fieldIdsIn(body).includes(field.id)) return [];
  const { customSchemas } = body;
  const values = isObject(customSchemas) ? memberOf(customSchemas, schemaName) : undefined;
  const value = isObject(values) ? memberOf(values, fieldName) : undefined;
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [value];
  return value.flatMap((entry) => (isObject(entry) ? (memberOf(entry, 'value') ?? []) : entry));
}

/**
 * What a user keeps of custom fields after a call: what it has of fields that are there still, changed as asked. Null
 * clears a value, a schema or all of them. Cleared fields and empty schemas are gone, int64 values are texts.
 * @throws Refusal 400 `Invalid Input: custom_schema` for a schema or field that is not defined, or a value that does not fit
 */
export function customValuesAfter(before: JsonObject, asked: Json | undefined, context: Context): Kept {
  if (asked === undefined) return keptIn(before);
  if (asked === null) return {};
  if (!isObject(asked) || Object.keys(asked).length > MAX_SCHEMAS) throw refusal();
  const known = new Map<string, CustomSchema | undefined>();
  const schemaOf: SchemaReader = (name) => {
    if (!known.has(name)) known.set(name, customSchemaOf(name, context));
    return known.get(name);
  };
  const values = new Map(Object.entries(presentValues(before, schemaOf)));
  for (const [sentName, sent] of Object.entries(asked)) {
    const schema = schemaOf(sentName);
    if (sent === null) values.delete(schema?.name ?? sentName);
    else if (schema === undefined || !isObject(sent)) throw refusal();
    else values.set(schema.name, changed(values.get(schema.name), sent, schema));
  }
  return keptOf(values, schemaOf);
}

/** Whether a stored or sent text has the form of its field's type. */
export function hasForm(text: string, fieldType: string): boolean {
  if (fieldType === 'INT64') return INT64.test(text) && BigInt.asIntN(INT64_BITS, BigInt(text)) === BigInt(text);
  if (fieldType === 'DOUBLE') return DOUBLE.test(text) && Number.isFinite(Number(text));
  if (fieldType === 'DATE') return DATE.test(text) && isDay(text);
  if (fieldType === 'EMAIL') return isEmail(text);
  return true;
}

/** A day that does not exist has no time, or rolls over into the next month. */
function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

const refusal = () => refuse.invalidInput('custom_schema');

function fieldIdsIn(body: JsonObject): Json[] {
  const ids = memberOf(body, 'customFieldIds');
  return Array.isArray(ids) ? ids : [];
}

function keptIn(body: JsonObject): Kept {
  const { customSchemas } = body;
  return isObject(customSchemas) ? { customSchemas, customFieldIds: fieldIdsIn(body) } : {};
}

function keptOf(values: ReadonlyMap<string, Json>, schemaOf: SchemaReader): Kept {
  const filled = [...values].filter(([, own]) => isObject(own) && Object.keys(own).length > 0);
  if (filled.length === 0) return {};
  const customFieldIds = filled.flatMap(([schemaName, own]) =>
    Object.keys(isObject(own) ? own : {}).flatMap((name) => schemaOf(schemaName)?.fields.get(name)?.id ?? []),
  );
  return { customSchemas: Object.fromEntries(filled), customFieldIds };
}

function changed(before: Json | undefined, sent: JsonObject, { fields }: CustomSchema): JsonObject {
  const values = new Map(Object.entries(isObject(before) ? before : {}));
  for (const [name, value] of Object.entries(sent)) {
    const field = fields.get(name);
    if (value === null) values.delete(name);
    else if (field === undefined) throw refusal();
    else values.set(name, field.isMany ? entriesOf(value, field) : storedValue(value, field));
  }
  return Object.fromEntries(values);
}

/** The values of a multi-valued field: `{ value, type?, customType? }` each. */
function entriesOf(sent: Json, field: CustomField): Json[] {
  if (!Array.isArray(sent) || sent.length > MAX_VALUES) throw refusal();
  return sent.map((entry) => {
    const value = isObject(entry) ? memberOf(entry, 'value') : undefined;
    if (!isObject(entry) || value === undefined) throw refusal();
    return { ...entry, value: storedValue(value, field) };
  });
}

function storedValue(value: Json, { fieldType }: CustomField): Json {
  const text = typeof value === 'number' ? String(value) : value;
  if (fieldType === 'BOOL') {
    if (typeof value === 'boolean') return value;
    throw refusal();
  }
  if (!isText(text) || text.length > MAX_VALUE_CHARS || !hasForm(text, fieldType)) throw refusal();
  return fieldType === 'DOUBLE' ? Number(text) : text;
}
