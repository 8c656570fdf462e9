import type { Json } from '../../../lib/json.ts';

/** What a scalar must be, in the terms of discovery documents; parameters and fields have these members alike. */
export type ScalarType = {
  type: 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  enum?: readonly string[];
  /** Numbers of the enum's names, in the same order. */
  numbers?: readonly number[];
  /** A text that says true or false, in any case. */
  means?: 'boolean';
};

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const UINT64 = { min: 0n, max: 2n ** 64n - 1n };
const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
const UINT32 = { min: 0, max: 2 ** 32 - 1 };

/** Whether a text has the form that its format asks for. Formats that are not here are free. */
const TEXT_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isTimestamp,
  'google-datetime': isTimestamp,
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text),
  'google-duration': isDuration,
  byte: isBase64,
};

/**
 * A JSON value as the scalar that it must be, as proto3 JSON reads it: numbers and booleans also as text, `int64` from a
 * number or digits to digits, enums from a name or a number to a name. Undefined for anything else. A number too large to be
 * exact is no int64: it would be stored as another one.
 */
export function convertScalar(wanted: ScalarType, value: Json): string | number | boolean | undefined {
  if (wanted.enum !== undefined) return convertEnumName(wanted, value);
  if (wanted.means === 'boolean') return convertBoolean(typeof value === 'string' ? value.toLowerCase() : value);
  if (wanted.type === 'boolean') return convertBoolean(value);
  if (wanted.type === 'integer') return convertInteger(value, wanted.format === 'uint32' ? UINT32 : INT32);
  if (wanted.type === 'number') return convertNumber(value);
  if (wanted.format === 'int64') return convertDigits(value, INT64);
  if (wanted.format === 'uint64') return convertDigits(value, UINT64);
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const fits = TEXT_FORMATS[wanted.format ?? ''];
  return fits === undefined || fits(value) ? value : undefined;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  int32: 'TYPE_INT32',
  uint32: 'TYPE_UINT32',
  int64: 'TYPE_INT64',
  uint64: 'TYPE_UINT64',
  float: 'TYPE_FLOAT',
  double: 'TYPE_DOUBLE',
  byte: 'TYPE_BYTES',
  'date-time': 'type.googleapis.com/google.protobuf.Timestamp',
  'google-datetime': 'type.googleapis.com/google.protobuf.Timestamp',
  'google-duration': 'type.googleapis.com/google.protobuf.Duration',
};

const PLAIN_WORDS = { string: 'TYPE_STRING', integer: 'TYPE_INT32', number: 'TYPE_DOUBLE', boolean: 'TYPE_BOOL' };

/** The type as the vendor's errors call it. */
export function describeScalarType({ type, format, enum: names, means }: ScalarType): string {
  if (names !== undefined) return 'TYPE_ENUM';
  return TYPE_WORDS[format ?? ''] ?? PLAIN_WORDS[means ?? type];
}

function convertEnumName(wanted: ScalarType, value: Json): string | undefined {
  if (typeof value === 'number') return wanted.enum?.[wanted.numbers?.indexOf(value) ?? -1];
  if (typeof value !== 'string') return undefined;
  if (wanted.enum?.includes(value) === true) return value;
  // In a query a number is text.
  return /^\d{1,10}$/.test(value) ? convertEnumName(wanted, Number(value)) : undefined;
}

function convertBoolean(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : undefined;
}

function convertInteger(value: Json, { min, max }: { min: number; max: number }): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  const fits = typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max;
  // `-0` is 0: JSON would write it so anyway.
  return fits ? number + 0 : undefined;
}

function convertNumber(value: Json): number | undefined {
  const isNumeral = typeof value === 'string' && /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/.test(value);
  const number = isNumeral ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function convertDigits(value: Json, { min, max }: { min: bigint; max: bigint }): string | undefined {
  const isDigits = typeof value === 'string' && /^-?\d{1,20}$/.test(value);
  if (!isDigits && !Number.isSafeInteger(value)) return undefined;
  const digits = BigInt(value as string | number); // Digits or a safe integer, by the line above.
  return digits >= min && digits <= max ? String(digits) : undefined;
}

/** Some 10,000 years, as google.protobuf.Duration has it: what it has no room for, gRPC could not answer. */
const MAX_DURATION_S = 315_576_000_000;

function isDuration(text: string): boolean {
  return /^-?\d{1,12}(?:\.\d{1,9})?s$/.test(text) && Math.abs(Number.parseInt(text, 10)) <= MAX_DURATION_S;
}

function isTimestamp(text: string): boolean {
  const form = /^(\d{4}-\d{2}-\d{2})[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/.exec(text);
  return form?.[1] !== undefined && isDay(form[1]) && !Number.isNaN(Date.parse(text.toUpperCase()));
}

/** A day that the calendar has: `Date` moves 30 February on. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Base64 of either alphabet; photos may be padded with `*`. */
function isBase64(text: string): boolean {
  const [, digits = '', padding = ''] = /^([A-Za-z0-9+/_-]*)([=*]{0,2})$/.exec(text) ?? [undefined, '=', '='];
  const length = digits.length + padding.length;
  return padding === '' ? digits.length % 4 !== 1 : length % 4 === 0;
}
