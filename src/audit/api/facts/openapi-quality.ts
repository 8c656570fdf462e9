import { rememberPerObject } from '../../../lib/memo.ts';
import { isJsonRecord, type JsonRecord, getString } from '../../structured-data/facts/json-document.ts';
import { followReference, type RawOperation, readOperations } from './openapi-operations.ts';

/** Parameters of one operation or path, responses of one operation and properties of one schema that are looked at. */
const MAX_PARTS = 100;
/** Objects of one operation that are searched for an example. */
const MAX_SEARCHED = 400;
/** Parts and operations at fault that are kept. */
const MAX_LACKING = 20;

export type Lack = { pointer: string; what: string };

/** How many of the things counted are as they should be; `lacking` holds the first of the others. */
export type PartTally = { total: number; good: number; lacking: readonly Lack[] };

type Part = { pointer: string; lacks: string | undefined };

const tally = (parts: readonly Part[]): PartTally => ({
  total: parts.length,
  good: parts.filter(({ lacks }) => lacks === undefined).length,
  lacking: parts
    .flatMap(({ pointer, lacks }) => (lacks === undefined ? [] : [{ pointer, what: lacks }]))
    .slice(0, MAX_LACKING),
});

/**
 * Parameters, request bodies and successful responses that have a schema and a description. A body may be described by
 * its schema or by most of the properties; parts of other documents (`$ref`) are not counted.
 */
export const tallyDescribedParts = rememberPerObject((source: JsonRecord): PartTally =>
  tally(
    listOwnOperations(source).flatMap((raw) => [
      ...listParameterParts(source, raw),
      ...listBodyParts(source, raw),
      ...listResponseParts(source, raw),
    ]),
  ),
);

/** Operations that document an answer of 400 to 499 (or `default`) and hold at least one example. */
export const tallyDocumentedErrors = rememberPerObject((source: JsonRecord): PartTally => {
  const barren = new Set<object>();
  const parts = listOwnOperations(source).map(({ operation, item, source: own }) => {
    const codes = Object.keys(isJsonRecord(own['responses']) ? own['responses'] : {});
    const error = codes.some((code) => /^(?:4(?:\d\d|XX)|default)$/iu.test(code));
    const example = hasExample(source, [own, item['parameters']], barren);
    const lacks = [...(error ? [] : ['no 4xx answer']), ...(example ? [] : ['no example'])].join(' and ');
    return { pointer: operation.pointer, lacks: lacks === '' ? undefined : lacks };
  });
  return tally(parts);
});

const listOwnOperations = (source: JsonRecord): readonly RawOperation[] =>
  readOperations(source).filter(({ operation }) => !operation.webhook);

const toPartList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MAX_PARTS) : []);

const hasDescription = (value: unknown, key = 'description'): boolean => (getString(value, key) ?? '').trim() !== '';

const explainLack = (schema: boolean, description: boolean): string | undefined => {
  const missing = [...(schema ? [] : ['no schema']), ...(description ? [] : ['no description'])];
  return missing.length === 0 ? undefined : missing.join(' and ');
};

function listParameterParts(source: JsonRecord, { operation, item, source: own }: RawOperation): readonly Part[] {
  return [...toPartList(item['parameters']), ...toPartList(own['parameters'])].flatMap((parameter) => {
    const found = followReference(source, parameter);
    if (!isJsonRecord(found)) return [];
    const name = (getString(found, 'name') ?? '').slice(0, 100);
    const typed = isJsonRecord(found['schema']) || isJsonRecord(found['content']) || typeof found['type'] === 'string';
    const schema = found['in'] === 'body' ? found['schema'] : undefined;
    const described = hasDescription(found) || isDescribedBySchema(source, schema);
    return [{ pointer: `${operation.pointer}/parameters (${name})`, lacks: explainLack(typed, described) }];
  });
}

function listBodyParts(source: JsonRecord, { operation, source: own }: RawOperation): readonly Part[] {
  const body = followReference(source, own['requestBody']);
  if (!isJsonRecord(body)) return [];
  const schemas = listMediaEntries(body).map(([, media]) => (isJsonRecord(media) ? media['schema'] : undefined));
  const described = hasDescription(body) || schemas.some((schema) => isDescribedBySchema(source, schema));
  return [{ pointer: `${operation.pointer}/requestBody`, lacks: explainLack(schemas.some(isJsonRecord), described) }];
}

const listMediaEntries = (value: JsonRecord): readonly (readonly [string, unknown])[] =>
  isJsonRecord(value['content']) ? Object.entries(value['content']).slice(0, MAX_PARTS) : [];

/** A schema that is described itself, or most of whose properties are. */
function isDescribedBySchema(source: JsonRecord, value: unknown): boolean {
  const schema = followReference(source, value);
  if (!isJsonRecord(schema)) return false;
  if (hasDescription(schema)) return true;
  const properties = isJsonRecord(schema['properties']) ? Object.values(schema['properties']).slice(0, MAX_PARTS) : [];
  const described = properties.filter(
    (property) => hasDescription(property) || hasDescription(followReference(source, property)),
  );
  return described.length * 2 > properties.length;
}

/** Only success is judged here, since errors have a check of their own. An answer without content needs no schema. */
function listResponseParts(source: JsonRecord, { operation, source: own }: RawOperation): readonly Part[] {
  const codes = isJsonRecord(own['responses']) ? Object.entries(own['responses']).slice(0, MAX_PARTS) : [];
  return codes.flatMap(([code, value]) => {
    const answer = /^2(?:\d\d|XX)$/iu.test(code) ? followReference(source, value) : undefined;
    if (!isJsonRecord(answer)) return [];
    const pointer = `${operation.pointer}/responses/${code}`;
    return [{ pointer, lacks: explainLack(hasSchema(answer, code, operation.method), hasDescription(answer)) }];
  });
}

function hasSchema(answer: JsonRecord, code: string, method: string): boolean {
  if (isJsonRecord(answer['schema']) || ['204', '205'].includes(code) || method === 'head') return true;
  const media = listMediaEntries(answer);
  if (media.length === 0) return false;
  // Text and files are what they are; only structured answers need to say of what.
  return media.every(
    ([type, entry]) => !/json|xml/iu.test(type.slice(0, 200)) || (isJsonRecord(entry) && isJsonRecord(entry['schema'])),
  );
}

/**
 * Walks objects and local references, each object once, at most `MAX_SEARCHED`. Names of properties are no keywords.
 * @param barren objects below which an earlier search found nothing; a search that finds nothing adds its own.
 */
function hasExample(source: JsonRecord, starts: readonly unknown[], barren: Set<object>): boolean {
  const seen = new Set<object>();
  const queue = starts.map((value) => ({ value, names: false }));
  for (let at = 0; at < queue.length && seen.size < MAX_SEARCHED; at += 1) {
    const next = queue[at];
    const value = followReference(source, next?.value);
    if (typeof value !== 'object' || value === null || seen.has(value) || barren.has(value)) continue;
    seen.add(value);
    const names = next?.names === true;
    if (!names && ['example', 'examples'].some((key) => isExample(value, key))) return true;
    for (const [key, child] of Object.entries(value).slice(0, MAX_PARTS))
      if (typeof child === 'object' && child !== null)
        queue.push({ value: child as unknown, names: !names && key === 'properties' });
  }
  if (seen.size < MAX_SEARCHED) for (const value of seen) barren.add(value);
  return false;
}

function isExample(value: object, key: string): boolean {
  if (!Object.hasOwn(value, key)) return false;
  const found = Reflect.get(value, key) as unknown;
  return typeof found !== 'object' || found === null || Object.keys(found).length > 0;
}

/**
 * How a document says who may call it. `explicit`: it says that nothing is needed. `undeclared` are schemes that are
 * asked for and defined nowhere; `documents401` when an operation documents a 401.
 */
export type DeclaredSecurity = {
  schemes: readonly string[];
  used: readonly string[];
  undeclared: readonly string[];
  explicit: boolean;
  documents401: boolean;
};

/** Reads `securitySchemes` (OpenAPI 3) or `securityDefinitions` (Swagger 2.0) and every `security` requirement. */
export const readDeclaredSecurity = rememberPerObject((source: JsonRecord): DeclaredSecurity => {
  const components = isJsonRecord(source['components']) ? source['components'] : {};
  const defined = components['securitySchemes'] ?? source['securityDefinitions'];
  const schemes = isJsonRecord(defined) ? Object.keys(defined).slice(0, MAX_PARTS) : [];
  const operations = listOwnOperations(source);
  const lists = [source['security'], ...operations.map(({ source: own }) => own['security'])];
  const used = new Set(lists.flatMap(toPartList).flatMap((one) => (isJsonRecord(one) ? Object.keys(one) : [])));
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  return {
    schemes,
    used: [...used].slice(0, MAX_PARTS),
    undeclared: [...used].filter((name) => !schemes.includes(name)).slice(0, MAX_PARTS),
    explicit: isEmpty(source['security']) || operations.every(({ source: own }) => isEmpty(own['security'])),
    documents401: operations.some(
      ({ source: own }) => isJsonRecord(own['responses']) && Object.hasOwn(own['responses'], '401'),
    ),
  };
});
