import {
  getObjectList,
  getObjectMember,
  getTextMember,
  isObject,
  isText,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import { formatNanos } from '../../lib/nanos.ts';

/** An attribute: its key, and an AnyValue. */
export type OtlpAttribute = readonly [key: string, value: JsonObject];

/** Attributes as sent; one without a key, or with a key that would be no member of an object, is left out. */
export const readAttributes = (owner: JsonObject): readonly OtlpAttribute[] =>
  getObjectList(owner, 'attributes').flatMap((attribute): OtlpAttribute[] => {
    const { key } = attribute;
    return isText(key) && key !== '' && key !== '__proto__' ? [[key, getObjectMember(attribute, 'value')]] : [];
  });

/** The instrumentation as attributes, by the names that OpenTelemetry gives them elsewhere. */
const readScope = (scope: JsonObject): readonly OtlpAttribute[] =>
  (['name', 'version'] as const).flatMap((part): OtlpAttribute[] => {
    const text = getTextMember(scope, part);
    return text === '' ? [] : [[`otel.scope.${part}`, { stringValue: text }]];
  });

/** The text of an attribute; '' where it is missing or no text. */
export function findAttributeText(attributes: readonly OtlpAttribute[], key: string): string {
  const value = attributes.find(([name]) => name === key)?.[1]['stringValue'];
  return isText(value) ? value : '';
}

/** An AnyValue as JSON: integers that a number cannot hold, and doubles that JSON has no word for, are texts. */
export function toJsonValue(value: JsonObject): Json {
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (isText(stringValue)) return stringValue;
  if (typeof boolValue === 'boolean') return boolValue;
  if (isText(intValue)) return Number.isSafeInteger(Number(intValue)) ? Number(intValue) : intValue;
  if (typeof doubleValue === 'number') return Number.isFinite(doubleValue) ? doubleValue : String(doubleValue);
  if (isObject(arrayValue)) return getObjectList(arrayValue, 'values').map(toJsonValue);
  if (isObject(kvlistValue)) return toJsonObject(kvlistValue);
  return isText(bytesValue) ? bytesValue : null;
}

/** A KeyValueList as an object. */
export const toJsonObject = (list: JsonObject): JsonObject =>
  Object.fromEntries(
    readAttributes({ attributes: list['values'] ?? [] }).map(([key, value]) => [key, toJsonValue(value)]),
  );

/** An AnyValue as text: lists and objects as JSON. */
export function toAttributeText(value: JsonObject): string {
  const json = toJsonValue(value);
  return isText(json) ? json : JSON.stringify(json);
}

/** The last moment that a timestamp can name, in nanoseconds. */
const LAST_NANOS = 253_402_300_799_999_999_999n;

/** The time of nanoseconds since 1970; undefined for 0, which is no time, and for years after 9999. */
export function formatUnixNanos(nanos: Json | undefined): string | undefined {
  const count = isText(nanos) ? BigInt(nanos) : 0n;
  return count > 0n && count <= LAST_NANOS ? formatNanos(count) : undefined;
}

const PROJECT_ID = /^[A-Za-z0-9][A-Za-z0-9.:-]{0,99}$/;

/** What an export comes to: what is written to each project (`projects/p`), and what is not. */
export type ConvertedExport = {
  projects: ReadonlyMap<string, readonly JsonObject[]>;
  rejected: number;
  /** Why, for the first of them; '' where there is none. */
  message: string;
};

/** Adds what is written to a project. */
export function addRecord(projects: Map<string, JsonObject[]>, project: string, record: JsonObject): void {
  const records = projects.get(project);
  if (records === undefined) projects.set(project, [record]);
  else records.push(record);
}

/** Why nothing of an export can be written: a resource says no project, or the request has too many records. */
export type ExportProblem = { problem: 'no_project' | 'too_many'; message: string };

/** Spans or log records of one request. */
export const MAX_OTLP_RECORDS = 10_000;
/** Attributes of a resource and its scope that each record gets, and their characters: a few bytes sent are kept many times. */
const MAX_SHARED_ATTRIBUTES = 64;
export const MAX_SHARED_CHARS = 8_192;
/** What a record's place is made of: kept before all others. */
const PLACING: ReadonlySet<string> = new Set([
  'service.name',
  'service.namespace',
  'service.instance.id',
  'cloud.availability_zone',
  'cloud.region',
]);

/** The attributes that have room, and how many have none. */
function limitShared(attributes: readonly OtlpAttribute[]): Pick<RecordOrigin, 'shared' | 'dropped'> {
  const shared: OtlpAttribute[] = [];
  let chars = 0;
  for (const attribute of [
    ...attributes.filter(([key]) => PLACING.has(key)),
    ...attributes.filter(([key]) => !PLACING.has(key)),
  ]) {
    const [key, value] = attribute;
    const size = key.length + JSON.stringify(value).length;
    if (shared.length >= MAX_SHARED_ATTRIBUTES || chars + size > MAX_SHARED_CHARS) continue;
    chars += size;
    shared.push(attribute);
  }
  return { shared, dropped: attributes.length - shared.length };
}

/**
 * Hands each record to `convert`, with its resource, scope and project. Nothing is handed before all are counted.
 * @param names of the lists: groups by resource, groups by scope, records
 * @param fallback id of the project of a resource that names none
 */
export function walkRecords(
  request: JsonObject,
  names: readonly [string, string, string],
  fallback: string | undefined,
  convert: (record: JsonObject, origin: RecordOrigin, at: string) => void,
): ExportProblem | undefined {
  const [resources, scopes, records] = names;
  const groups = getObjectList(request, resources).map((group) => ({ group, scoped: getObjectList(group, scopes) }));
  const count = groups
    .flatMap(({ scoped }) => scoped)
    .reduce((sum, each) => sum + getObjectList(each, records).length, 0);
  if (count > MAX_OTLP_RECORDS)
    return { problem: 'too_many', message: `A request has at most ${MAX_OTLP_RECORDS} spans or log records` };
  for (const [index, { group, scoped }] of groups.entries()) {
    const resource = readAttributes(getObjectMember(group, 'resource'));
    const project = findProject(resource, fallback, `${resources}[${index}]`);
    if (typeof project !== 'string') return project;
    for (const [place, each] of scoped.entries()) {
      const scope = readScope(getObjectMember(each, 'scope'));
      const origin = { project, ...limitShared([...resource, ...scope]) };
      for (const [number, record] of getObjectList(each, records).entries())
        convert(record, origin, `${resources}[${index}].${scopes}[${place}].${records}[${number}]`);
    }
  }
  return undefined;
}

/** What all records of a scope share. `project` is `projects/p`. */
export type RecordOrigin = {
  project: string;
  /** Attributes of the resource and the scope. */
  shared: readonly OtlpAttribute[];
  /** How many of them are left out. */
  dropped: number;
};

/** `projects/p` of a resource. */
function findProject(
  attributes: readonly OtlpAttribute[],
  fallback: string | undefined,
  at: string,
): string | ExportProblem {
  const id = findAttributeText(attributes, 'gcp.project_id') || fallback || '';
  if (PROJECT_ID.test(id)) return `projects/${id}`;
  const how = 'set the resource attribute gcp.project_id, or the header X-Goog-User-Project';
  return {
    problem: 'no_project',
    message: `${at} names ${id === '' ? 'no project' : 'a project that is none'}: ${how}`,
  };
}
