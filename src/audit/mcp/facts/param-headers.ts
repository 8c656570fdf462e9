import { type Issue, isObject, MAX_ISSUES, pointerOf, stringAt } from '../../structured-data/facts/json-document.ts';
import { schemaPlaces } from './tool-schema.ts';

/** How many parameters a tool wants mirrored into `Mcp-Param-*` headers, and what is illegal about it. */
export type ParamHeaders = { annotations: number; issues: readonly Issue[] };

const KEYWORD = 'x-mcp-header';
/** `1*tchar` of RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
const PRIMITIVES: readonly unknown[] = ['integer', 'string', 'boolean'];

/**
 * Reads the `x-mcp-header` annotations of an input schema. Clients must drop a tool with one that is illegal.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
 */
export function readParamHeaders(schema: unknown): ParamHeaders {
  const found = isObject(schema) ? [...schemaPlaces(schema)].filter(({ schema: one }) => isAnnotated(one)) : [];
  const uses = new Map<string, number>();
  for (const { schema: one } of found) {
    const name = nameIn(one).toLowerCase();
    uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const issues = found.flatMap(({ schema: one, path }) => {
    const name = nameIn(one);
    const messages = [
      ...(TOKEN.test(name) ? [] : ['must be a header name (1*tchar)']),
      ...((uses.get(name.toLowerCase()) ?? 0) > 1 ? ['must be unique without regard to letter case'] : []),
      ...(isPrimitive(one) ? [] : ['may only stand on an integer, string or boolean']),
      ...(isStaticallyReachable(path) ? [] : ['may only stand where properties alone lead']),
    ];
    return messages.map((message) => ({ pointer: `${pointerOf(path)}/${KEYWORD}`, message }));
  });
  return { annotations: found.length, issues: issues.slice(0, MAX_ISSUES) };
}

const isAnnotated = (schema: unknown): boolean => isObject(schema) && Object.hasOwn(schema, KEYWORD);

/** '' where it is no string, which is no name either. */
const nameIn = (schema: unknown): string => stringAt(schema, KEYWORD) ?? '';

/** `null` beside a primitive is allowed: a null argument has no header. */
function isPrimitive(schema: unknown): boolean {
  const type = isObject(schema) ? schema['type'] : undefined;
  const types: readonly unknown[] = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  return types.length === 1 && PRIMITIVES.includes(types[0]);
}

/** `/properties/a/properties/b`: every second key is `properties`, and the rest are names. */
const isStaticallyReachable = (path: readonly string[]): boolean =>
  path.length > 0 && path.length % 2 === 0 && path.every((key, index) => index % 2 === 1 || key === 'properties');
