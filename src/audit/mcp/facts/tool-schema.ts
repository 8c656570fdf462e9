import {
  MAX_ISSUES,
  formatMemberPointer,
  isJsonRecord,
  type Issue,
  type JsonRecord,
} from '../../structured-data/facts/json-document.ts';

/** Subschemas of one tool that are looked at, and how deep: a hostile schema must not cost more. */
export const MAX_SUBSCHEMAS = 2000;
export const MAX_SCHEMA_DEPTH = 64;

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const;
const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const SCHEMAS = [
  'items',
  'unevaluatedItems',
  'additionalProperties',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
] as const;

/** A subschema and the keys that lead to it; the root has none. */
export type SchemaPlace = { schema: unknown; path: readonly string[] };

/**
 * What is wrong with the input schema of a tool: MCP wants a non-null JSON Schema 2020-12 object of type "object". Looks at
 * `type`, `properties`, `required` and `$ref` at every level; does not validate the other keywords.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
 */
export function listInputSchemaIssues(schema: unknown): readonly Issue[] {
  if (!isJsonRecord(schema)) return [{ pointer: '', message: 'inputSchema must be an object' }];
  const issues: Issue[] = [];
  if (schema['type'] !== 'object') issues.push({ pointer: '/type', message: 'the root must have type "object"' });
  return [...issues, ...listNestedIssues(schema)].slice(0, MAX_ISSUES);
}

/**
 * The same for the schema of a tool's output, whose root may be of any type since 2026-07-28.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
 */
export function listOutputSchemaIssues(schema: unknown): readonly Issue[] {
  return isJsonRecord(schema) ? listNestedIssues(schema) : [{ pointer: '', message: 'outputSchema must be an object' }];
}

/**
 * The schema and its subschemas, at most `MAX_SUBSCHEMAS`; a reference is not followed, its target is met in its place.
 */
export function* walkSchemaPlaces(schema: JsonRecord): Generator<SchemaPlace> {
  const waiting: SchemaPlace[] = [{ schema, path: [] }];
  for (let seen = 0; seen < MAX_SUBSCHEMAS; seen += 1) {
    const place = waiting.pop();
    if (!place) return;
    yield place;
    waiting.push(...listSubschemas(place));
  }
}

function listNestedIssues(schema: JsonRecord): readonly Issue[] {
  const issues: Issue[] = [];
  for (const place of walkSchemaPlaces(schema)) {
    issues.push(...listPlaceIssues(place, schema));
    if (issues.length >= MAX_ISSUES) break;
  }
  return issues.slice(0, MAX_ISSUES);
}

function listPlaceIssues({ schema, path }: SchemaPlace, root: JsonRecord): readonly Issue[] {
  if (typeof schema === 'boolean') return [];
  if (!isJsonRecord(schema))
    return [{ pointer: formatMemberPointer(path), message: 'must be a schema (an object or a boolean)' }];
  const faults = [findTypeFault(schema), findRequiredFault(schema), findReferenceFault(schema, root)];
  if (schema['properties'] !== undefined && !isJsonRecord(schema['properties']))
    faults.push({ message: 'properties must be an object' });
  return faults.flatMap((fault) => (fault === undefined ? [] : [{ pointer: formatMemberPointer(path), ...fault }]));
}

type Fault = Omit<Issue, 'pointer'>;

function findTypeFault(schema: JsonRecord): Fault | undefined {
  const type = schema['type'];
  if (type === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  const unknownType = names.find((name) => typeof name !== 'string' || !TYPES.has(name));
  return unknownType === undefined ? undefined : { message: 'type must be a JSON Schema type' };
}

/** A required name that no property explains cannot be filled in by a model. */
function findRequiredFault(schema: JsonRecord): Fault | undefined {
  const required = schema['required'];
  if (required === undefined) return undefined;
  if (!Array.isArray(required)) return { message: 'required must be an array' };
  const properties = isJsonRecord(schema['properties']) ? schema['properties'] : {};
  const missing = (required as readonly unknown[]).find(
    (name) => typeof name !== 'string' || !Object.hasOwn(properties, name),
  );
  if (missing === undefined) return undefined;
  // A branch of allOf, anyOf or oneOf may require what its parent describes; only schemas with properties are judged.
  return schema['properties'] === undefined && schema['type'] === undefined
    ? undefined
    : { message: 'required names what properties does not describe', about: JSON.stringify(missing).slice(0, 80) };
}

function findReferenceFault(schema: JsonRecord, root: JsonRecord): Fault | undefined {
  const reference = schema['$ref'];
  if (reference === undefined) return undefined;
  if (typeof reference !== 'string' || !reference.startsWith('#'))
    return { message: '$ref must stay inside the schema' };
  return reference === '#' || !reference.startsWith('#/') || isResolvable(reference, root)
    ? undefined
    : { message: '$ref leads nowhere', about: reference };
}

function isResolvable(reference: string, root: JsonRecord): boolean {
  let value: unknown = root;
  for (const part of reference.slice(2).split('/').slice(0, MAX_SCHEMA_DEPTH)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value =
      isJsonRecord(value) && Object.hasOwn(value, key)
        ? value[key]
        : Array.isArray(value)
          ? value[Number(key)]
          : undefined;
    if (value === undefined) return false;
  }
  return true;
}

function listSubschemas({ schema, path }: SchemaPlace): readonly SchemaPlace[] {
  if (!isJsonRecord(schema) || path.length >= MAX_SCHEMA_DEPTH) return [];
  const single = SCHEMAS.filter((key) => schema[key] !== undefined).map((key) => ({
    schema: schema[key],
    path: [...path, key],
  }));
  const inMaps = SCHEMA_MAPS.flatMap((key) => {
    const map = schema[key];
    return isJsonRecord(map)
      ? Object.entries(map).map(([name, child]) => ({ schema: child, path: [...path, key, name] }))
      : [];
  });
  const inLists = SCHEMA_LISTS.flatMap((key) => {
    const list = schema[key];
    if (!Array.isArray(list)) return [];
    return (list as readonly unknown[]).map((child, index) => ({ schema: child, path: [...path, key, String(index)] }));
  });
  return [...single, ...inMaps, ...inLists].slice(0, MAX_SUBSCHEMAS);
}
