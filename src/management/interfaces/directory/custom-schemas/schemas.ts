import { getMember, getTextMember, isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { Indexed } from '../../../core/engine/stored-row.ts';
import { refuseCustomValue } from '../refusals.ts';
import { isEmail, requireShortTexts } from '../schemas.ts';
import {
  type CustomField,
  type CustomFieldValues,
  type CustomSchema,
  findCustomSchema,
  generateSchemaId,
  presentValues,
  readCustomValues,
  type SchemaReader,
} from './rows.ts';

const FIELD_TYPES: readonly string[] = ['STRING', 'INT64', 'BOOL', 'DOUBLE', 'EMAIL', 'PHONE', 'DATE'];
/** Types whose values can be searched by range. */
const NUMERIC: readonly string[] = ['INT64', 'DOUBLE'];
const READ_ACCESS: readonly string[] = ['ALL_DOMAIN_USERS', 'ADMINS_AND_SELF'];
const NAME = /^[A-Za-z0-9_-]{1,128}$/;
/** Fields of one schema. */
const MAX_FIELDS = 100;
const MAX_DISPLAY_CHARS = 256;

/** The name of a new schema. @throws Refusal 400 `Invalid Input: schemaName` */
export function requireSchemaName(sent: JsonObject): string {
  const schemaName = getTextMember(sent, 'schemaName');
  if (!NAME.test(schemaName)) throw vendorRefusals.invalidInput('schemaName');
  return schemaName;
}

/** A schema as it is stored. `before`: the fields that it had. @throws Refusal 400 */
export function buildSchemaRow(
  body: JsonObject,
  before: readonly JsonObject[],
  context: Context,
): { body: JsonObject } & Indexed {
  requireShortTexts(body, { displayName: MAX_DISPLAY_CHARS });
  const displayName = getTextMember(body, 'displayName') || getTextMember(body, 'schemaName');
  const fields = buildSchemaFields(body['fields'], before, context);
  return { body: { ...body, displayName, fields }, s1: getTextMember(body, 'schemaName').toLowerCase() };
}

/**
 * The fields of a schema as they are stored. A field that was there before keeps its id, and must
 * keep its type and whether it has many values: values of users hang on both.
 * @throws Refusal 400 for none, too many, equal names, or a member that does not fit
 */
function buildSchemaFields(sent: Json | undefined, before: readonly JsonObject[], context: Context): JsonObject[] {
  if (!Array.isArray(sent) || sent.length === 0) throw vendorRefusals.required('fields');
  if (sent.length > MAX_FIELDS) throw vendorRefusals.limitExceeded(`A schema has at most ${MAX_FIELDS} fields`);
  const fields = sent.map((field) => buildStoredField(isObject(field) ? field : {}, before, context));
  const names = new Set(fields.map((field) => getTextMember(field, 'fieldName').toLowerCase()));
  if (names.size < fields.length) throw vendorRefusals.invalidInput('fieldName');
  return fields;
}

function buildStoredField(field: JsonObject, before: readonly JsonObject[], context: Context): JsonObject {
  const [fieldName, fieldType] = [requireFieldText(field, 'fieldName'), requireFieldText(field, 'fieldType')];
  const old = before.find((each) => each['fieldName'] === fieldName);
  const readAccessType = getTextMember(field, 'readAccessType') || 'ALL_DOMAIN_USERS';
  const displayName = getTextMember(field, 'displayName') || fieldName;
  const isTypeFit = FIELD_TYPES.includes(fieldType) && (old === undefined || old['fieldType'] === fieldType);
  const multiValued = (field['multiValued'] ?? old?.['multiValued']) === true;
  if (!NAME.test(fieldName)) throw vendorRefusals.invalidInput('fieldName');
  if (!isTypeFit) throw vendorRefusals.invalidInput('fieldType');
  if (old !== undefined && (old['multiValued'] === true) !== multiValued)
    throw vendorRefusals.invalidInput('multiValued');
  if (!READ_ACCESS.includes(readAccessType)) throw vendorRefusals.invalidInput('readAccessType');
  if (displayName.length > MAX_DISPLAY_CHARS) throw vendorRefusals.invalidInput('displayName');
  const range = validateRange(field, fieldType);
  return {
    fieldId: old?.['fieldId'] ?? generateSchemaId(context),
    fieldName,
    fieldType,
    displayName,
    multiValued,
    indexed: field['indexed'] !== false,
    readAccessType,
    ...(range !== undefined && { numericIndexingSpec: range }),
  };
}

/** The values that a range search can tell apart. @throws Refusal 400 on a field without numbers, or an empty range */
function validateRange(field: JsonObject, fieldType: string): JsonObject | undefined {
  const range = field['numericIndexingSpec'];
  if (!isObject(range)) return undefined;
  const { minValue, maxValue } = range;
  const isEmpty = typeof minValue === 'number' && typeof maxValue === 'number' && minValue > maxValue;
  if (!NUMERIC.includes(fieldType) || isEmpty) throw vendorRefusals.invalidInput('numericIndexingSpec');
  return range;
}

function requireFieldText(field: JsonObject, name: string): string {
  const value = getTextMember(field, name);
  if (value === '') throw vendorRefusals.required(`fields.${name}`);
  return value;
}

/** A call writes values of so many schemas at most. */
const MAX_WRITTEN_SCHEMAS = 100;
const MAX_VALUE_CHARS = 500;
const MAX_VALUES = 150;
const INT64 = /^-?[0-9]{1,19}$/;
const INT64_BITS = 64;
const DOUBLE = /^-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:e[+-]?[0-9]{1,3})?$/i;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/**
 * What a user keeps of custom fields after a call: what it has of fields that are there still, changed as asked. Null
 * clears a value, a schema or all of them. Cleared fields and empty schemas are gone, int64 values are texts.
 * @throws Refusal 400 `Invalid Input: custom_schema` for a schema or field that is not defined, or a value that does not fit
 */
export function mergeCustomValues(before: JsonObject, asked: Json | undefined, context: Context): CustomFieldValues {
  if (asked === undefined) return readCustomValues(before);
  if (asked === null) return {};
  if (!isObject(asked) || Object.keys(asked).length > MAX_WRITTEN_SCHEMAS) throw refuseCustomValue();
  const known = new Map<string, CustomSchema | undefined>();
  const schemaOf: SchemaReader = (name) => {
    if (!known.has(name)) known.set(name, findCustomSchema(name, context));
    return known.get(name);
  };
  const values = new Map(Object.entries(presentValues(before, schemaOf)));
  for (const [sentName, sent] of Object.entries(asked)) {
    const schema = schemaOf(sentName);
    if (sent === null) values.delete(schema?.name ?? sentName);
    else if (schema === undefined || !isObject(sent)) throw refuseCustomValue();
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
    else if (field === undefined) throw refuseCustomValue();
    else values.set(name, field.isMany ? parseFieldEntries(value, field) : parseFieldValue(value, field));
  }
  return Object.fromEntries(values);
}

/** The values of a multi-valued field: `{ value, type?, customType? }` each. */
function parseFieldEntries(sent: Json, field: CustomField): Json[] {
  if (!Array.isArray(sent) || sent.length > MAX_VALUES) throw refuseCustomValue();
  return sent.map((entry) => {
    const value = isObject(entry) ? getMember(entry, 'value') : undefined;
    if (!isObject(entry) || value === undefined) throw refuseCustomValue();
    return { ...entry, value: parseFieldValue(value, field) };
  });
}

function parseFieldValue(value: Json, { fieldType }: CustomField): Json {
  const text = typeof value === 'number' ? String(value) : value;
  if (fieldType === 'BOOL') {
    if (typeof value === 'boolean') return value;
    throw refuseCustomValue();
  }
  if (!isText(text) || text.length > MAX_VALUE_CHARS || !hasForm(text, fieldType)) throw refuseCustomValue();
  return fieldType === 'DOUBLE' ? Number(text) : text;
}
