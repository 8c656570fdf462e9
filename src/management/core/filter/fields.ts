import { isObject, type Json, type JsonObject, getMember } from '../../../lib/json.ts';
import type { FilterField, FieldType } from './ast.ts';
import { type Meter, createMeter, spend } from './meter.ts';

/** Units of work (meter.ts): an element of a list, a key that may be spelled otherwise. */
const ELEMENT_UNITS = 3;
const NAME_UNITS = 20;

/** What a field of the entry's own type counts as where it is missing ("defaulted"). Messages are missing. */
const FALLBACKS: Partial<Record<FieldType, Json>> = {
  string: '',
  identifier: '',
  int: 0,
  bool: false,
  severity: 'DEFAULT',
};

/**
 * The field of a log entry that a path names, in camelCase or snake_case and any letter case; keys of maps and of JSON
 * payloads are taken as they are.
 * @returns undefined for what no entry has: `thud`, `textPayload.thud`
 */
export function findEntryField(written: readonly string[]): FilterField | undefined {
  let row: FieldType | FieldTree = LOG_ENTRY_FIELDS;
  const path: string[] = [];
  for (const segment of written) {
    if (typeof row === 'string') break;
    const name: string | undefined = findSpelling(Object.keys(row), segment);
    const next: FieldType | FieldTree | undefined = name === undefined ? undefined : row[name];
    if (name === undefined || next === undefined) return undefined;
    path.push(name);
    row = next;
  }
  const rest = written.slice(path.length);
  if (typeof row !== 'string') return { path, type: 'json' };
  if (rest.length > 0)
    return isOpen(row) ? { path: [...path, ...rest], type: row === 'proto' ? 'proto' : 'json' } : undefined;
  const fallback = FALLBACKS[row];
  return { path, type: row, ...(fallback !== undefined && { fallback }) };
}

/**
 * Whether the value at a path passes a test; of a list, whether one element does.
 * @param isLoose keys may be spelled in camelCase or snake_case
 * @param meter counts elements and keys that are looked at. @throws FilterTooSlow by the meter's limit
 * @returns undefined where the path leads to no value
 */
export function checkValueAtPath(
  value: Json,
  path: readonly string[],
  test: (value: Json) => boolean,
  isLoose: boolean,
  meter: Meter = createMeter(),
  at = 0,
): boolean | undefined {
  if (Array.isArray(value)) return checkElements(value, path, test, isLoose, meter, at);
  const segment = path[at];
  if (segment === undefined) return test(value);
  if (!isObject(value)) return undefined;
  const member = isLoose ? findLooseMember(value, segment, meter) : getMember(value, segment);
  return member === undefined ? undefined : checkValueAtPath(member, path, test, isLoose, meter, at + 1);
}

function checkElements(
  values: readonly Json[],
  path: readonly string[],
  test: (value: Json) => boolean,
  isLoose: boolean,
  meter: Meter,
  at: number,
): boolean | undefined {
  spend(meter, values.length * ELEMENT_UNITS);
  let result: boolean | undefined;
  for (const value of values) {
    // A list in a list is no value of the language; it is not entered.
    if (Array.isArray(value)) continue;
    const found = checkValueAtPath(value, path, test, isLoose, meter, at);
    if (found === true) return true;
    result ??= found;
  }
  return result;
}

const isOpen = (type: FieldType): boolean => type === 'map' || type === 'json' || type === 'proto';

function findLooseMember(object: JsonObject, segment: string, meter: Meter): Json | undefined {
  const exact = getMember(object, segment);
  if (exact !== undefined) return exact;
  const names = Object.keys(object);
  spend(meter, names.length * NAME_UNITS);
  const name = findSpelling(names, segment);
  return name === undefined ? undefined : getMember(object, name);
}

function findSpelling(names: readonly string[], segment: string): string | undefined {
  const wanted = normalizeFieldName(segment);
  return names.find((name) => normalizeFieldName(name) === wanted);
}

const normalizeFieldName = (name: string): string => name.replaceAll('_', '').toLowerCase();

export type FieldTree = { readonly [name: string]: FieldType | FieldTree };

/**
 * The fields of a log entry and how they compare.
 * @see https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry
 */
export const LOG_ENTRY_FIELDS: FieldTree = {
  apphub: 'json',
  apphubDestination: 'json',
  apphubSource: 'json',
  errorGroups: { id: 'string' },
  httpRequest: {
    cacheFillBytes: 'int',
    cacheHit: 'bool',
    cacheLookup: 'bool',
    cacheValidatedWithOriginServer: 'bool',
    latency: 'duration',
    protocol: 'string',
    referer: 'string',
    remoteIp: 'string',
    requestMethod: 'string',
    requestSize: 'int',
    requestUrl: 'string',
    responseSize: 'int',
    serverIp: 'string',
    status: 'int',
    userAgent: 'string',
  },
  insertId: 'identifier',
  jsonPayload: 'json',
  labels: 'map',
  logName: 'identifier',
  metadata: { systemLabels: 'json', userLabels: 'map' },
  operation: { first: 'bool', id: 'string', last: 'bool', producer: 'string' },
  otel: 'json',
  protoPayload: 'proto',
  receiveTimestamp: 'timestamp',
  resource: { labels: 'map', type: 'string' },
  severity: 'severity',
  sourceLocation: { file: 'string', function: 'string', line: 'int' },
  spanId: 'identifier',
  split: { index: 'int', totalSplits: 'int', uid: 'string' },
  textPayload: 'string',
  timestamp: 'timestamp',
  trace: 'identifier',
  traceSampled: 'bool',
};
