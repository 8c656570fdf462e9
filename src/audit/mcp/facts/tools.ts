import {
  MAX_ISSUES,
  formatMemberPointer,
  getString,
  isJsonRecord,
  type Issue,
  type JsonRecord,
} from '../../structured-data/facts/json-document.ts';
import { listInputSchemaIssues, listOutputSchemaIssues, walkSchemaPlaces } from './tool-schema.ts';

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
  const found = isJsonRecord(schema) ? [...walkSchemaPlaces(schema)].filter(({ schema: one }) => isAnnotated(one)) : [];
  const uses = new Map<string, number>();
  for (const { schema: one } of found) {
    const name = getSchemaName(one).toLowerCase();
    uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const issues = found.flatMap(({ schema: one, path }) => {
    const name = getSchemaName(one);
    const messages = [
      ...(TOKEN.test(name) ? [] : ['must be a header name (1*tchar)']),
      ...((uses.get(name.toLowerCase()) ?? 0) > 1 ? ['must be unique without regard to letter case'] : []),
      ...(isPrimitive(one) ? [] : ['may only be on an integer, string or boolean']),
      ...(isStaticallyReachable(path) ? [] : ['may only be where properties alone lead']),
    ];
    return messages.map((message) => ({ pointer: `${formatMemberPointer(path)}/${KEYWORD}`, message }));
  });
  return { annotations: found.length, issues: issues.slice(0, MAX_ISSUES) };
}

const isAnnotated = (schema: unknown): boolean => isJsonRecord(schema) && Object.hasOwn(schema, KEYWORD);

/** '' where it is no string, which is no name either. */
const getSchemaName = (schema: unknown): string => getString(schema, KEYWORD) ?? '';

/** `null` beside a primitive is allowed: a null argument has no header. */
function isPrimitive(schema: unknown): boolean {
  const type = isJsonRecord(schema) ? schema['type'] : undefined;
  const types: readonly unknown[] = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  return types.length === 1 && PRIMITIVES.includes(types[0]);
}

/** `/properties/a/properties/b`: every second key is `properties`, and the rest are names. */
const isStaticallyReachable = (path: readonly string[]): boolean =>
  path.length > 0 && path.length % 2 === 0 && path.every((key, index) => index % 2 === 1 || key === 'properties');

/** Tools of one server that are judged, and parameters of one tool; the rest is cut, in order. */
export const MAX_TOOLS = 500;
export const MAX_TOOL_PARAMETERS = 100;

/** What a call does beside reading: it costs money, takes a payment, or makes something public. */
type ToolEffect = 'costs' | 'pays' | 'publishes';

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
  annotations?: JsonRecord;
  effects: readonly ToolEffect[];
};

/** Reads the `tools` of a result; members that are no objects are kept as nameless tools, since clients choke on them. */
export function readTools(tools: readonly unknown[]): readonly ToolFacts[] {
  return tools.slice(0, MAX_TOOLS).map(readTool);
}

function readTool(tool: unknown): ToolFacts {
  const schema = isJsonRecord(tool) ? tool['inputSchema'] : undefined;
  const properties = isJsonRecord(schema) && isJsonRecord(schema['properties']) ? schema['properties'] : {};
  const listed = Object.entries(properties).slice(0, MAX_TOOL_PARAMETERS);
  const description = getString(tool, 'description') ?? '';
  const annotations = isJsonRecord(tool) && isJsonRecord(tool['annotations']) ? tool['annotations'] : undefined;
  const parameterTexts = listed.map(([, parameter]) => getString(parameter, 'description') ?? '');
  const titles = [getString(tool, 'name'), getString(tool, 'title'), getString(annotations, 'title')];
  return {
    name: getString(tool, 'name') ?? '',
    description,
    text: [...titles, description, ...parameterTexts].filter((text) => text !== undefined && text !== '').join('\n'),
    schemaIssues: listInputSchemaIssues(schema),
    ...buildOutputFacts(tool),
    headers: readParamHeaders(schema),
    parameters: listed.map(([name, parameter]) => ({
      name,
      described: (getString(parameter, 'description') ?? '').trim() !== '',
    })),
    ...(annotations === undefined ? {} : { annotations }),
    effects: listToolEffects(
      tool,
      listed.map(([name]) => name),
    ),
  };
}

function buildOutputFacts(tool: unknown): Pick<ToolFacts, 'output'> {
  const schema = isJsonRecord(tool) ? tool['outputSchema'] : undefined;
  if (schema === undefined) return {};
  return {
    output: { issues: listOutputSchemaIssues(schema), object: isJsonRecord(schema) && schema['type'] === 'object' },
  };
}

/** A price of a call at the start of a sentence: `Costs 0.15 USDC`, `Price: $2`. A tool that looks prices up says neither. */
const COSTS =
  /(?:^|[.;!\n])\s{0,3}(?:it\s|each call\s|a call\s|one call\s)?(?:costs|price:|priced at|charges)\s{1,3}(?:about\s)?(?:[$€£]\s?\d|\d[\d.,]{0,12}\s?(?:usdc|usd|eur|gbp|dollars?|cents?|credits?)\b)/i;
/** `$0.10 per call`, `2 credits per request`. */
const PER_CALL =
  /(?:[$€£]\s?\d[\d.,]{0,12}|\d[\d.,]{0,12}\s?(?:usdc|usd|eur|gbp|dollars?|cents?|credits?))\s(?:per|a|for each|for every)\s(?:call|request|use|invocation)\b/i;
const MAX_READ = 4_096;

const PAYMENT_PARAMETERS: ReadonlySet<string> = new Set([
  'payment',
  'xpayment',
  'paymentsignature',
  'paymentheader',
  'paymenttoken',
  'paymentproof',
]);
const PUBLISH_PARAMETERS: ReadonlySet<string> = new Set(['publish', 'makepublic', 'postpublicly']);

/** The effects that a tool declares of itself: in `_meta`, its description and the names of its parameters. */
function listToolEffects(tool: unknown, parameters: readonly string[]): readonly ToolEffect[] {
  const names = new Set(parameters.map((name) => name.toLowerCase().replaceAll(/[^a-z]/g, '')));
  const has = (set: ReadonlySet<string>): boolean => [...names].some((name) => set.has(name));
  return [
    ...(hasPrice(tool) ? (['costs'] as const) : []),
    ...(has(PAYMENT_PARAMETERS) ? (['pays'] as const) : []),
    ...(has(PUBLISH_PARAMETERS) ? (['publishes'] as const) : []),
  ];
}

function hasPrice(tool: unknown): boolean {
  const meta = isJsonRecord(tool) && isJsonRecord(tool['_meta']) ? tool['_meta'] : {};
  if (hasTerms(meta['x402'])) return true;
  const description = (getString(tool, 'description') ?? '').slice(0, MAX_READ);
  return COSTS.test(description) || PER_CALL.test(description);
}

/** Terms of x402 on a tool: said to be required, an amount above zero, or a list of what is accepted. */
function hasTerms(terms: unknown): boolean {
  if (!isJsonRecord(terms)) return false;
  const accepts: readonly unknown[] = Array.isArray(terms['accepts']) ? terms['accepts'] : [];
  return terms['paymentRequired'] === true || [terms, ...accepts].some((one) => isJsonRecord(one) && hasAmount(one));
}

const hasAmount = ({ amount }: JsonRecord): boolean =>
  (typeof amount === 'string' || typeof amount === 'number') && Number(amount) > 0;
