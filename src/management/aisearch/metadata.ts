import { isObject, isText, type Json, type JsonObject } from '../json.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { timeOf } from './filter-values.ts';
import type { MetadataField, Scalar } from './order.ts';
import { MAX_CUSTOM_FIELDS } from './settings.ts';

/** Longer texts are cut, as at the vendor. */
const MAX_TEXT_CHARS = 500;
const MAX_JSON_CHARS = 16_384;
const RESERVED = new Set(['filename', 'folder', 'timestamp']);

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/**
 * Metadata of an upload, as an object or its JSON text. Fields that the instance declares get their type, times in Unix
 * milliseconds; others are kept as they are, but no filter knows them.
 * @throws Refusal 400 for more fields than there may be, reserved names, and values that are not of their type
 */
export function metadataOf(sent: unknown, fields: readonly MetadataField[]): JsonObject {
  const metadata = objectOf(sent);
  const entries = Object.entries(metadata).map(([name, value]): [string, Scalar] => {
    const lower = name.toLowerCase();
    if (RESERVED.has(lower)) throw refuse.invalid('metadata: filename, folder and timestamp are reserved');
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(lower)) throw invalid();
    return [lower, valueOf(value, fields.find((field) => field.name === lower)?.type)];
  });
  if (entries.length > MAX_CUSTOM_FIELDS) throw refuse.invalid(`metadata: at most ${MAX_CUSTOM_FIELDS} fields`);
  return Object.fromEntries(entries);
}

function objectOf(sent: unknown): JsonObject {
  if (sent === undefined || sent === null || sent === '') return {};
  const value = isText(sent) ? parsedText(sent) : sent;
  if (!isObject(value)) throw invalid();
  return value;
}

function parsedText(text: string): Json | undefined {
  if (text.length > MAX_JSON_CHARS) return undefined;
  try {
    return JSON.parse(text) as Json; // JSON.parse makes nothing else.
  } catch {
    return undefined; // Told as any other value that is no object.
  }
}

function valueOf(value: Json, type: MetadataField['type'] | undefined): Scalar {
  if (type === undefined && (isText(value) || typeof value === 'number' || typeof value === 'boolean'))
    return isText(value) ? cut(value) : value;
  const typed = type === undefined ? undefined : TYPED[type](value);
  if (typed === undefined) throw invalid();
  return typed;
}

const cut = (text: string): string => text.slice(0, MAX_TEXT_CHARS).toWellFormed();

/** A value of a type; undefined for one that is none. */
const TYPED: Readonly<Record<MetadataField['type'], (value: Json) => Scalar | undefined>> = {
  text: (value) => (isText(value) ? cut(value) : undefined),
  number: numberOf,
  boolean: booleanOf,
  datetime: timeOf,
};

function booleanOf(value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return isText(value) || typeof value === 'number' ? WORDS.get(`${value}`.toLowerCase()) : undefined;
}

function numberOf(value: Json): number | undefined {
  const isNumeric = isText(value) && /^[+-]?\d{1,30}(?:\.\d{1,30})?$/.test(value);
  const number = isNumeric ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const invalid = (): Refusal => refuse.invalid('invalid_metadata_format');
