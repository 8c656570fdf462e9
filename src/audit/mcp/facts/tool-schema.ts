import {
  type Issue,
  isObject,
  type JsonObject,
  MAX_ISSUES,
  pointerOf,
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
export function inputSchemaIssues(schema: unknown): readonly Issue[] {
  if (!isObject(schema)) return [{ pointer: '', message: 'inputSchema must be an object' }];
  const issues: Issue[] = [];
  if (schema['type'] !== 'object') issues.push({ pointer: '/type', message: 'the root must have type "object"' });
  return [...issues, ...nestedIssues(schema)].slice(0, MAX_ISSUES);
}

/**
 * The same for the schema of a tool's output, whose root may be of any type since 2026-07-28.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
 */
export function outputSchemaIssues(schema: unknown): readonly Issue[] {
  return isObject(schema) ? nestedIssues(schema) : [{ pointer: '', message: 'outputSchema must be an object' }];
}

/** The schema and its subschemas, at most `MAX_SUBSCHEMAS`; the targets of references only where they stand. */
export function* schemaPlaces(schema: JsonObject): Generator<SchemaPlace> {
  const waiting: SchemaPlace[] = [{ schema, path: [] }];
  for (let seen = 0; seen < MAX_SUBSCHEMAS; seen += 1) {
    const place = waiting.pop();
    if (!place) return;
    yield place;
    waiting.push(...subschemas(place));
  }
}

function nestedIssues(schema: JsonObject): readonly Issue[] {
  const issues: Issue[] = [];
  for (const place of schemaPlaces(schema)) {
    issues.push(...issuesAt(place, schema));
    if (issues.length >= MAX_ISSUES) break;
  }
  return issues.slice(0, MAX_ISSUES);
}

function issuesAt({ schema, path }: SchemaPlace, root: JsonObject): readonly Issue[] {
  if (typeof schema === 'boolean') return [];
  if (!isObject(schema)) return [{ pointer: pointerOf(path), message: 'must be a schema (an object or a boolean)' }];
  const faults = [typeFault(schema), requiredFault(schema), referenceFault(schema, root)];
  if (schema['properties'] !== undefined && !isObject(schema['properties']))
    faults.push({ message: 'properties must be an object' });
  return faults.flatMap((fault) => (fault === undefined ? [] : [{ pointer: pointerOf(path), ...fault }]));
}

type Fault = Omit<Issue, 'pointer'>;

function typeFault(schema: JsonObject): Fault | undefined {
  const type = schema['type'];
  if (type === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  const unknownType = names.find((name) => typeof name !== 'string' || !TYPES.has(name));
  return unknownType === undefined ? undefined : { message: 'type must be a JSON Schema type' };
}

/** A required name that no property explains cannot be filled in by a model. */
function requiredFault(schema: JsonObject): Fault | undefined {
  const required = schema['required'];
  if (required === undefined) return undefined;
  if (!Array.isArray(required)) return { message: 'required must be an array' };
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const missing = (required as readonly unknown[]).find(
    (name) => typeof name !== 'string' || !Object.hasOwn(properties, name),
  );
  if (missing === undefined) return undefined;
  // A branch of allOf, anyOf or oneOf may require what its parent describes; only schemas with properties are judged.
  return schema['properties'] === undefined && schema['type'] === undefined
    ? undefined
    : { message: 'required names what properties does not describe', about: JSON.stringify(missing).slice(0, 80) };
}

function referenceFault(schema: JsonObject, root: JsonObject): Fault | undefined {
  const reference = schema['$ref'];
  if (reference === undefined) return undefined;
  if (typeof reference !== 'string' || !reference.startsWith('#'))
    return { message: '$ref must stay inside the schema' };
  return reference === '#' || !reference.startsWith('#/') || resolves(reference, root)
    ? undefined
    : { message: '$ref leads nowhere', about: reference };
}

function resolves(reference: string, root: JsonObject): boolean {
  let value: unknown = root;
  for (const part of reference.slice(2).split('/').slice(0, MAX_SCHEMA_DEPTH)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value =
      isObject(value) && Object.hasOwn(value, key) ? value[key] : Array.isArray(value) ? value[Number(key)] : undefined;
    if (value === undefined) return false;
  }
  return true;
}

function subschemas({ schema, path }: SchemaPlace): readonly SchemaPlace[] {
  if (!isObject(schema) || path.length >= MAX_SCHEMA_DEPTH) return [];
  const single = SCHEMAS.filter((key) => schema[key] !== undefined).map((key) => ({
    schema: schema[key],
    path: [...path, key],
  }));
  const inMaps = SCHEMA_MAPS.flatMap((key) => {
    const map = schema[key];
    return isObject(map)
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
