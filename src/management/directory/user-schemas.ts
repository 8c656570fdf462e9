import type { Context } from '../engine/operation.ts';
import { isObject, isText, memberOf, type Json, type JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { NAMES } from './collections.ts';
import { isEmail } from './keys.ts';
import { textOf } from './texts.ts';

/** A user has values of so many schemas at most. */
const MAX_SCHEMAS = 100;
const MAX_VALUE_CHARS = 500;
const MAX_VALUES = 150;
const INT64 = /^-?[0-9]{1,19}$/;
const DOUBLE = /^-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:e[+-]?[0-9]{1,3})?$/i;
const DATE = /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/;

/** A custom field as its schema defines it. */
export type CustomField = { fieldType: string; isMany: boolean; isPublic: boolean };

/** The fields of a custom schema by name; undefined when there is no such schema. One statement. */
export function customFieldsOf(schemaName: string, context: Context): Map<string, CustomField> | undefined {
  const found = context.store.named(NAMES.schema, schemaName.toLowerCase());
  const fields = found && memberOf(found.row.body, 'fields');
  if (!Array.isArray(fields)) return found && new Map();
  return new Map(fields.filter(isObject).map((field) => [textOf(field, 'fieldName'), customField(field)]));
}

const customField = (field: JsonObject): CustomField => ({
  fieldType: textOf(field, 'fieldType'),
  isMany: field['multiValued'] === true,
  isPublic: field['readAccessType'] !== 'ADMINS_AND_SELF',
});

/**
 * The values of a user's custom fields as they are stored: cleared fields and empty schemas are gone, int64 values are texts.
 * @throws Refusal 400 `Invalid Input: custom_schema` for a schema or field that is not defined, or a value that does not fit
 */
export function customValuesOf(sent: Json | undefined, context: Context): JsonObject {
  if (sent === undefined || sent === null) return {};
  if (!isObject(sent) || Object.keys(sent).length > MAX_SCHEMAS) throw refusal();
  const kept = Object.entries(sent).flatMap(([schemaName, values]): [string, JsonObject][] => {
    if (values === null) return [];
    const fields = customFieldsOf(schemaName, context);
    if (fields === undefined || !isObject(values)) throw refusal();
    const stored = valuesOf(values, fields);
    return Object.keys(stored).length === 0 ? [] : [[schemaName, stored]];
  });
  return Object.fromEntries(kept);
}

/** Without what a user still has of schemas and fields that are gone by now. What a call asks for stays, to be judged. */
export function withoutGone(values: JsonObject, asked: Json | undefined, context: Context): JsonObject {
  const kept = Object.entries(values).flatMap(([schemaName, own]): [string, Json][] => {
    const sent = isObject(asked) ? memberOf(asked, schemaName) : undefined;
    const fields = customFieldsOf(schemaName, context);
    if (fields === undefined && sent === undefined) return [];
    if (!isObject(own)) return [[schemaName, own]];
    const isKept = (name: string) => fields?.has(name) === true || (isObject(sent) && Object.hasOwn(sent, name));
    return [[schemaName, Object.fromEntries(Object.entries(own).filter(([name]) => isKept(name)))]];
  });
  return Object.fromEntries(kept);
}

const refusal = () => refuse.invalidInput('custom_schema');

function valuesOf(values: JsonObject, fields: Map<string, CustomField>): JsonObject {
  const kept = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    if (value === null) return [];
    const field = fields.get(name);
    if (field === undefined) throw refusal();
    return [[name, field.isMany ? entriesOf(value, field) : storedValue(value, field)]];
  });
  return Object.fromEntries(kept);
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

function hasForm(text: string, fieldType: string): boolean {
  if (fieldType === 'INT64') return INT64.test(text);
  if (fieldType === 'DOUBLE') return DOUBLE.test(text);
  if (fieldType === 'DATE') return DATE.test(text);
  if (fieldType === 'EMAIL') return isEmail(text);
  return true;
}
