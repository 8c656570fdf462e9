import { SECONDS_BELOW } from '../filter-values.ts';
import type { MetadataField, Scalar } from '../order.ts';

type Type = MetadataField['type'];

/** Of a text, in UTF-8: what is behind is not compared. */
const COMPARED_BYTES = 64;
const MS = 1_000;

/** Texts are `t` and their first bytes in hexadecimal, which sorts as they do. */
export const textValue = (expression: string): string =>
  `'t' || hex(substr(CAST(${expression} AS BLOB), 1, ${COMPARED_BYTES}))`;

/**
 * SQL for a value of the metadata as one of a type, whatever it was when it was stored; NULL for what cannot be cast.
 * Numbers are themselves, times whole seconds, booleans `b0` and `b1`, texts `textValue`. A time that was cast when it was
 * stored is a text; a number was sent while the field was of no type, and its size tells seconds from milliseconds.
 * @param value a column with the value, NULL for none
 * @param stored a column with its type in JSON
 */
export const castOf = (type: Type, value: string, stored: string): string => CASTS[type](value, stored);

const CASTS: Readonly<Record<Type, (value: string, stored: string) => string>> = {
  text: (value, stored) => `CASE WHEN ${stored} IN ('true', 'false') THEN ${textValue(stored)}
    WHEN ${value} IS NOT NULL THEN ${textValue(value)} END`,
  number: (value, stored) => `CASE WHEN ${isNumber(value, stored)} THEN ${numeric(value)} END`,
  boolean: (value) => `CASE WHEN lower(${value}) IN ('true', '1', 'yes') THEN 'b1'
    WHEN lower(${value}) IN ('false', '0', 'no') THEN 'b0' END`,
  datetime: (value, stored) => `CASE WHEN ${isNumber(value, stored)} AND ${numeric(value)} >= 0 THEN
      CAST(CASE WHEN ${numeric(value)} < ${SECONDS_BELOW} THEN ${numeric(value)} ELSE ${numeric(value)} / ${MS} END AS INTEGER)
    WHEN ${value} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' THEN unixepoch(${value}) END`,
};

const numeric = (value: string): string => `CAST(${value} AS NUMERIC)`;

/** A comparison makes a number of a text only where all of it is one: CAST takes what it begins with. */
const isNumber = (value: string, stored: string): string =>
  `${stored} NOT IN ('true', 'false') AND ${numeric(value)} = ${value}`;

/** The same of a value that is asked for; times are Unix milliseconds there. */
export function comparable(value: Scalar, type: Type): string | number {
  if (typeof value === 'number') return type === 'datetime' ? Math.floor(value / MS) : value;
  if (typeof value === 'boolean') return value ? 'b1' : 'b0';
  const bytes = new TextEncoder().encode(value).subarray(0, COMPARED_BYTES);
  return `t${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`.toUpperCase().replace('T', 't');
}
