import { parseJson, isObject, isText, type Json, type JsonObject } from '../lib/json.ts';
import { type Refusal, vendorRefusals } from '../lib/refusal.ts';
import { MAX_CUSTOM_FIELDS, type MetadataField, type MetadataWarning, type Scalar, parseTimeMs } from './order.ts';

/** Longer texts are cut, as at the vendor. */
const MAX_TEXT_CHARS = 500;
const MAX_JSON_CHARS = 16_384;
/** Of a time with a year of four digits: filters read no others. */
const ISO_CHARS = '2025-01-01T00:00:00.000Z'.length;
const RESERVED = new Set(['filename', 'folder', 'timestamp']);

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/** Metadata as it is stored, and what of it no filter knows. */
export type MetadataResult = { metadata: JsonObject; warnings: readonly MetadataWarning[] };

/**
 * Metadata of an upload, as an object or its JSON text. Fields that the instance declares get their type, times as
 * ISO 8601 texts in UTC; what is not of it is left out, with a warning. Others are kept as they are: no filter knows them, and a
 * warning says so.
 * @throws Refusal 400 for what is no object, more fields than there may be, names that are none or reserved, and objects
 * and lists of a field that is not declared
 */
export function parseMetadata(sent: unknown, fields: readonly MetadataField[]): MetadataResult {
  const judged = Object.entries(parseMetadataObject(sent)).map(([name, value]) => judgeField(name, value, fields));
  if (judged.length > MAX_CUSTOM_FIELDS) throw vendorRefusals.invalid(`metadata: at most ${MAX_CUSTOM_FIELDS} fields`);
  return {
    metadata: Object.fromEntries(judged.flatMap(({ field, value }) => (value === undefined ? [] : [[field, value]]))),
    warnings: judged.flatMap(({ warning }) => warning ?? []),
  };
}

/** A field as it is stored; without a value where none is. */
type FieldResult = { field: string; value: Scalar | undefined; warning?: MetadataWarning };

function judgeField(name: string, value: Json, fields: readonly MetadataField[]): FieldResult {
  const field = name.toLowerCase();
  if (RESERVED.has(field)) throw vendorRefusals.invalid('metadata: filename, folder and timestamp are reserved');
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(field)) throw refuseMetadata();
  const type = fields.find((known) => known.name === field)?.type;
  if (type === undefined)
    return { field, value: requirePlainValue(value), warning: { code: 'custom_metadata_field_not_filterable', field } };
  const typed = TYPED[type](value);
  if (typed !== undefined) return { field, value: typed };
  return {
    field,
    value: undefined,
    warning: { code: 'custom_metadata_value_not_indexed', expected_type: type, field },
  };
}

function parseMetadataObject(sent: unknown): JsonObject {
  if (sent === undefined || sent === null || sent === '') return {};
  const value = isText(sent) ? parseJsonText(sent) : sent;
  if (!isObject(value)) throw refuseMetadata();
  return value;
}

const parseJsonText = (text: string): Json | undefined => (text.length > MAX_JSON_CHARS ? undefined : parseJson(text));

/** A value that is kept as it is; null is none. @throws Refusal 400 for an object or a list */
function requirePlainValue(value: Json): Scalar | undefined {
  if (isText(value)) return cut(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null) return undefined;
  throw refuseMetadata();
}

const cut = (text: string): string => text.slice(0, MAX_TEXT_CHARS).toWellFormed();

/** A value of a type; undefined for one that is none. */
const TYPED: Readonly<Record<MetadataField['type'], (value: Json) => Scalar | undefined>> = {
  text: (value) => (isText(value) ? cut(value) : undefined),
  number: parseNumber,
  boolean: parseBoolean,
  datetime: parseIsoTime,
};

/** A value as it is stored for a field of a type, cut and cast as one of an upload is; undefined for one that is none. */
export const castValue = (value: Json, type: MetadataField['type']): Scalar | undefined => TYPED[type](value);

/** A text, for a number of milliseconds cannot be distinguished from one of seconds that no one has cast. */
function parseIsoTime(value: Json): string | undefined {
  const ms = parseTimeMs(value);
  const text = ms === undefined ? '' : new Date(ms).toISOString();
  return text.length === ISO_CHARS ? text : undefined;
}

function parseBoolean(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return isText(value) || typeof value === 'number' ? WORDS.get(`${value}`.toLowerCase()) : undefined;
}

/** Of a text its decimal number; `0x10` is none. */
function parseNumber(value: Json): number | undefined {
  const number = isText(value) ? parseDecimal(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function parseDecimal(text: string): number | undefined {
  const number = Number(text);
  return number === Number.parseFloat(text) ? number : undefined;
}

const refuseMetadata = (): Refusal => vendorRefusals.invalid('invalid_metadata_format');
