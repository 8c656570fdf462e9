import type { JsonSchema } from '../lib/json-schema.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** How schemas of the OpenAPI document name each other. */
const COMPONENT = '#/components/schemas/';
const SCHEMAS_PATH = '/schemas';

/** Schemas by their name, as the OpenAPI document has them. */
export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

/** The list of all schemas: the name of each, and its address. */
export const listJsonSchemas = (schemas: NamedSchemas, baseUrl: string): Record<string, unknown> => ({
  dialect: DIALECT,
  schemas: Object.keys(schemas)
    .toSorted()
    .map((name) => ({ name, url: formatSchemaUrl(name, baseUrl) })),
});

const formatSchemaUrl = (name: string, baseUrl: string): string => `${baseUrl}${SCHEMAS_PATH}/${name}.json`;

/** One schema by itself, with all that it refers to in `$defs`; undefined for a name that is none. */
export function buildJsonSchemaFile(schemas: NamedSchemas, name: string, baseUrl: string): JsonSchema | undefined {
  if (!Object.hasOwn(schemas, name)) return undefined;
  const needed = collectNeeded(schemas, name);
  const defs = Object.fromEntries([...needed].map((each) => [each, rewriteReferences(schemas[each])]));
  const isRecursive = needed.has(name);
  const own = isRecursive ? { $ref: `#/$defs/${name}` } : (rewriteReferences(schemas[name]) as JsonSchema);
  return {
    $schema: DIALECT,
    $id: formatSchemaUrl(name, baseUrl),
    title: name,
    ...own,
    ...(needed.size === 0 ? {} : { $defs: defs }),
  };
}

/** Every schema that one refers to, directly or by others. */
function collectNeeded(schemas: NamedSchemas, name: string): ReadonlySet<string> {
  const needed = new Set<string>();
  const waiting = listReferences(schemas[name]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (needed.has(next)) continue;
    needed.add(next);
    waiting.push(...listReferences(schemas[next]));
  }
  return needed;
}

const isReference = (member: string, value: unknown): value is string =>
  member === '$ref' && typeof value === 'string' && value.startsWith(COMPONENT);

function listReferences(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, each]) =>
    isReference(member, each) ? [each.slice(COMPONENT.length)] : listReferences(each),
  );
}

function rewriteReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) =>
      isReference(member, each)
        ? [member, `#/$defs/${each.slice(COMPONENT.length)}`]
        : [member, rewriteReferences(each)],
    ),
  );
}
