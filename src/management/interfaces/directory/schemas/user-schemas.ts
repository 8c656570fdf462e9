import type { Context } from '../../../core/engine/operation.ts';
import { isObject, isText, getMember, type Json, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { DIRECTORY_NAMESPACES } from '../collections.ts';
import { isEmail } from '../keys.ts';

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
type CustomFieldValues = { customSchemas?: JsonObject; customFieldIds?: Json[] };

/** The custom schema of a name; undefined when there is none. One statement. */
export function findCustomSchema(schemaName: string, context: Context): CustomSchema | undefined {
  const found = context.store.named(DIRECTORY_NAMESPACES.schema, schemaName.toLowerCase());
  if (found === undefined) return undefined;
  const { body } = found.row;
  const sent = getMember(body, 'fields');
  const fields = Array.isArray(sent) ? sent.filter(isObject) : [];
  return {
    name: getTextMember(body, 'schemaName'),
    fields: new Map(fields.map((field) => [getTextMember(field, 'fieldName'), toCustomField(field)])),
  };
}

const toCustomField = (field: JsonObject): CustomField => ({
  id: getTextMember(field, 'fieldId'),
  fieldType: getTextMember(field, 'fieldType'),
  isMany: field['multiValued'] === true,
  isPublic: field['readAccessType'] !== 'ADMINS_AND_SELF',
});

/** The values that a user has of fields that are there still, by schema and field: those of deleted ones are gone with them. */
export function presentValues(body: JsonObject, schemaOf: SchemaReader): JsonObject {
  const { customSchemas } = body;
  if (!isObject(customSchemas)) return {};
  const ids = new Set(getCustomFieldIds(body));
  const present = Object.entries(customSchemas).flatMap(([schemaName, values]): [string, JsonObject][] => {
    const schema = schemaOf(schemaName);
    if (schema === undefined || !isObject(values)) return [];
    const own = Object.entries(values).filter(([name]) => ids.has(schema.fields.get(name)?.id ?? ''));
    return own.length === 0 ? [] : [[schemaName, Object.fromEntries(own)]];
  });
  return Object.fromEntries(present);
}

/** The values that a user has of one field. */
export function listFieldValues(body: JsonObject, schemaName: string, fieldName: string, field: CustomField): Json[] {
  if (!getCustomFieldIds(body).includes(field.id)) return [];
  const { customSchemas } = body;
  const values = isObject(customSchemas) ? getMember(customSchemas, schemaName) : undefined;
  const value = isObject(values) ? getMember(values, fieldName) : undefined;
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [value];
  return value.flatMap((entry) => (isObject(entry) ? (getMember(entry, 'value') ?? []) : entry));
}

/**
 * What a user keeps of custom fields after a call: what it has of fields that are there still, changed as asked. Null
 * clears a value, a schema or all of them. Cleared fields and empty schemas are gone, int64 values are texts.
 * @throws Refusal 400 `Invalid Input: custom_schema` for a schema or field that is not defined, or a value that does not fit
 */
export function mergeCustomValues(before: JsonObject, asked: Json | undefined, context: Context): CustomFieldValues {
  if (asked === undefined) return readCustomValues(before);
  if (asked === null) return {};
  if (!isObject(asked) || Object.keys(asked).length > MAX_SCHEMAS) throw refuseCustomSchema();
  const known = new Map<string, CustomSchema | undefined>();
  const schemaOf: SchemaReader = (name) => {
    if (!known.has(name)) known.set(name, findCustomSchema(name, context));
    return known.get(name);
  };
  const values = new Map(Object.entries(presentValues(before, schemaOf)));
  for (const [sentName, sent] of Object.entries(asked)) {
    const schema = schemaOf(sentName);
    if (sent === null) values.delete(schema?.name ?? sentName);
    else if (schema === undefined || !isObject(sent)) throw refuseCustomSchema();
    else values.set(schema.name, mergeSchemaValues(values.get(schema.name), sent, schema));
  }
  return buildCustomValues(values, schemaOf);
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

const refuseCustomSchema = () => vendorRefusals.invalidInput('custom_schema');

function getCustomFieldIds(body: JsonObject): Json[] {
  const ids = getMember(body, 'customFieldIds');
  return Array.isArray(ids) ? ids : [];
}

function readCustomValues(body: JsonObject): CustomFieldValues {
  const { customSchemas } = body;
  return isObject(customSchemas) ? { customSchemas, customFieldIds: getCustomFieldIds(body) } : {};
}

function buildCustomValues(values: ReadonlyMap<string, Json>, schemaOf: SchemaReader): CustomFieldValues {
  const filled = [...values].filter(([, own]) => isObject(own) && Object.keys(own).length > 0);
  if (filled.length === 0) return {};
  const customFieldIds = filled.flatMap(([schemaName, own]) =>
    Object.keys(isObject(own) ? own : {}).flatMap((name) => schemaOf(schemaName)?.fields.get(name)?.id ?? []),
  );
  return { customSchemas: Object.fromEntries(filled), customFieldIds };
}

function mergeSchemaValues(before: Json | undefined, sent: JsonObject, { fields }: CustomSchema): JsonObject {
  const values = new Map(Object.entries(isObject(before) ? before : {}));
  for (const [name, value] of Object.entries(sent)) {
    const field = fields.get(name);
    if (value === null) values.delete(name);
    else if (field === undefined) throw refuseCustomSchema();
    else values.set(name, field.isMany ? parseFieldEntries(value, field) : parseFieldValue(value, field));
  }
  return Object.fromEntries(values);
}

/** The values of a multi-valued field: `{ value, type?, customType? }` each. */
function parseFieldEntries(sent: Json, field: CustomField): Json[] {
  if (!Array.isArray(sent) || sent.length > MAX_VALUES) throw refuseCustomSchema();
  return sent.map((entry) => {
    const value = isObject(entry) ? getMember(entry, 'value') : undefined;
    if (!isObject(entry) || value === undefined) throw refuseCustomSchema();
    return { ...entry, value: parseFieldValue(value, field) };
  });
}

function parseFieldValue(value: Json, { fieldType }: CustomField): Json {
  const text = typeof value === 'number' ? String(value) : value;
  if (fieldType === 'BOOL') {
    if (typeof value === 'boolean') return value;
    throw refuseCustomSchema();
  }
  if (!isText(text) || text.length > MAX_VALUE_CHARS || !hasForm(text, fieldType)) throw refuseCustomSchema();
  return fieldType === 'DOUBLE' ? Number(text) : text;
}
