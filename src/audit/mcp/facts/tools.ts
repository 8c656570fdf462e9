import { type Issue, isObject, type JsonObject, stringAt } from '../../structured-data/facts/json-document.ts';
import { type ParamHeaders, readParamHeaders } from './param-headers.ts';
import { inputSchemaIssues, outputSchemaIssues } from './tool-schema.ts';

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
