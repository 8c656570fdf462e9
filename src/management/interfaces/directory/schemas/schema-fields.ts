import type { Context } from '../../../core/engine/operation.ts';
import { isObject, type Json, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';

const FIELD_TYPES: readonly string[] = ['STRING', 'INT64', 'BOOL', 'DOUBLE', 'EMAIL', 'PHONE', 'DATE'];
/** Types whose values can be searched by range. */
const NUMERIC: readonly string[] = ['INT64', 'DOUBLE'];
const READ_ACCESS: readonly string[] = ['ALL_DOMAIN_USERS', 'ADMINS_AND_SELF'];
const NAME = /^[A-Za-z0-9_-]{1,128}$/;
/** Fields of one schema. */
const MAX_FIELDS = 100;
const MAX_DISPLAY_CHARS = 256;
const ID_BYTES = 16;

/**
 * The fields of a schema as they are stored. A field that was there before keeps its id, and must
 * keep its type and whether it has many values: values of users hang on both.
 * @throws Refusal 400 for none, too many, equal names, or a member that does not fit
 */
export function buildSchemaFields(
  sent: Json | undefined,
  before: readonly JsonObject[],
  context: Context,
): JsonObject[] {
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
    fieldId: old?.['fieldId'] ?? `${btoa(context.random(ID_BYTES).slice(0, ID_BYTES)).replaceAll('=', '')}==`,
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
