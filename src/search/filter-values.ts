import * as z from 'zod';
import { isText } from '../lib/json.ts';
import { type Refusal, refuse } from '../lib/refusal.ts';
import type { FilterOperator, MetadataField, Scalar } from './order.ts';

const MAX_TEXT_CHARS = 500;
/** Below it a number is seconds, else milliseconds: both stand in the vendor's examples. */
export const SECONDS_BELOW = 100_000_000_000;
const MS = 1_000;
/** The last time that a date can be of. */
const MAX_MS = 8_640_000_000_000_000;

const isoTime = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);

const ORDERED: ReadonlySet<FilterOperator> = new Set(['eq', 'ne', 'in', 'nin', 'lt', 'lte', 'gt', 'gte']);
const UNORDERED: ReadonlySet<FilterOperator> = new Set(['eq', 'ne', 'in', 'nin']);

/** What a field of a type can be compared by. */
export const operatorsFor = (type: MetadataField['type']): ReadonlySet<FilterOperator> =>
  type === 'boolean' ? UNORDERED : ORDERED;

/** A value that a field is compared with: times in Unix milliseconds. @throws Refusal for one of another type */
export function judged(value: unknown, type: MetadataField['type']): Scalar {
  if (type === 'datetime') {
    const ms = timeOf(value);
    if (ms === undefined) throw refuse.invalid('invalid_datetime_filter_value');
    return ms;
  }
  if (type === 'text' && isText(value) && value.length <= MAX_TEXT_CHARS && value.isWellFormed()) return value;
  if (type === 'number' && typeof value === 'number' && Number.isFinite(value)) return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  throw invalidFilter(`a value is not of the type ${type}, or is too long`);
}

/**
 * A time in Unix milliseconds, of seconds or milliseconds as a number or text, or of an ISO 8601 date (UTC where it names
 * no zone); undefined for anything else.
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return timeOfNumber(value);
  if (!isText(value)) return undefined;
  if (/^\d{1,16}(?:\.\d{1,9})?$/.test(value)) return timeOfNumber(Number(value));
  if (!isoTime.safeParse(value).success) return undefined;
  const hasZone = !value.includes('T') || /(?:Z|[+-]\d{2}:?\d{2})$/.test(value);
  const ms = Date.parse(hasZone ? value : `${value}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

function timeOfNumber(value: number): number | undefined {
  const ms = Math.trunc(value < SECONDS_BELOW ? value * MS : value);
  return ms >= 0 && ms <= MAX_MS ? ms : undefined;
}

/** The vendor's word for a filter that is wrong, and why. */
export const invalidFilter = (why: string): Refusal => refuse.invalid(`invalid_metadata_filter: ${why}`);
