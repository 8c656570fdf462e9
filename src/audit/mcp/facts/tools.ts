import {
  isObject,
  type Issue,
  type JsonObject,
  MAX_ISSUES,
  pointerOf,
  stringAt,
} from '../../structured-data/facts/json-document.ts';
import { inputSchemaIssues, outputSchemaIssues, schemaPlaces } from './tool-schema.ts';

/** How many parameters a tool wants mirrored into `Mcp-Param-*` headers, and what is illegal about it. */
type ParamHeaders = { annotations: number; issues: readonly Issue[] };

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

/** Tools of one server that are judged, and parameters of one tool; the rest is cut, in order. */
export const MAX_TOOLS = 500;
export const MAX_TOOL_PARAMETERS = 100;

/** A tool as `tools/list` shows it. `text` is every string a model would read: name, title, descriptions. */
export type ToolFacts = {
  name: string;
  description: string;
  text: string;
  schemaIssues: readonly Issue[];
  /** undefined when the tool declares no output schema; `object` when the root of the one it has is of type "object". */
  output?: { issues: readonly Issue[]; object: boolean };
  headers: ParamHeaders;
  parameters: readonly { name: string; described: boolean }[];
  /** undefined when the tool declares none. */
  annotations?: JsonObject;
};

/** Reads the `tools` of a result; members that are no objects are kept as nameless tools, since clients choke on them. */
export function readTools(tools: readonly unknown[]): readonly ToolFacts[] {
  return tools.slice(0, MAX_TOOLS).map(readTool);
}

function readTool(tool: unknown): ToolFacts {
  const schema = isObject(tool) ? tool['inputSchema'] : undefined;
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const listed = Object.entries(properties).slice(0, MAX_TOOL_PARAMETERS);
  const description = stringAt(tool, 'description') ?? '';
  const annotations = isObject(tool) && isObject(tool['annotations']) ? tool['annotations'] : undefined;
  const parameterTexts = listed.map(([, parameter]) => stringAt(parameter, 'description') ?? '');
  const titles = [stringAt(tool, 'name'), stringAt(tool, 'title'), stringAt(annotations, 'title')];
  return {
    name: stringAt(tool, 'name') ?? '',
    description,
    text: [...titles, description, ...parameterTexts].filter((text) => text !== undefined && text !== '').join('\n'),
    schemaIssues: inputSchemaIssues(schema),
    ...outputOf(tool),
    headers: readParamHeaders(schema),
    parameters: listed.map(([name, parameter]) => ({
      name,
      described: (stringAt(parameter, 'description') ?? '').trim() !== '',
    })),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function outputOf(tool: unknown): Pick<ToolFacts, 'output'> {
  const schema = isObject(tool) ? tool['outputSchema'] : undefined;
  if (schema === undefined) return {};
  return { output: { issues: outputSchemaIssues(schema), object: isObject(schema) && schema['type'] === 'object' } };
}
