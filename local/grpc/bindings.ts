import { isObject, isText, type Json, type JsonObject } from '../../src/lib/json.ts';
import type { HttpRule } from './services-data.ts';

/** A variable of a path: the field that it is, by its JSON names, and the form that its value has. */
type Variable = { field: readonly string[]; form: RegExp; pattern: string };

/** One HTTP path of a method. */
export type HttpBinding = {
  method: string;
  /** Texts and variables in turn: `/v2/`, `{name=projects/*}`, `:undelete`. */
  parts: readonly (string | Variable)[];
  /** The field that is the body, by its JSON name; `*` for all that is not in the path; undefined for none. */
  body: string | undefined;
};

const VERBS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const VARIABLE = /\{([a-z0-9_.]+)(?:=([^}]+))?\}/g;

/** The paths of a rule, its own first. */
export function listBindings(rule: HttpRule): readonly HttpBinding[] {
  const more = rule.additional_bindings ?? [];
  return [...readBinding(rule), ...[more].flat().flatMap((each) => listBindings(each))];
}

function readBinding(rule: HttpRule): readonly HttpBinding[] {
  const verb = VERBS.find((each) => rule[each] !== undefined);
  if (verb === undefined) return [];
  const template = rule[verb] ?? '';
  const parts: (string | Variable)[] = [];
  let from = 0;
  for (const found of template.matchAll(VARIABLE)) {
    const [whole, field = '', pattern = '*'] = found;
    parts.push(template.slice(from, found.index), readVariable(field, pattern));
    from = found.index + whole.length;
  }
  parts.push(template.slice(from));
  return [{ method: verb.toUpperCase(), parts, body: rule.body === undefined ? undefined : toJsonName(rule.body) }];
}

const readVariable = (field: string, pattern: string): Variable => ({
  field: field.split('.').map(toJsonName),
  form: new RegExp(`^${pattern.split('/').map(formatSegment).join('/')}$`),
  pattern,
});

function formatSegment(segment: string): string {
  if (segment === '**') return '.+';
  return segment === '*' ? '[^/]+' : segment.replaceAll(/[^\w-]/g, String.raw`\$&`);
}

const toJsonName = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_under, next: string) => next.toUpperCase());

/** A path that the binding could come to, for a look whether a row takes it. */
export const renderSample = ({ parts }: HttpBinding): string =>
  parts
    .map((part) =>
      isText(part)
        ? part
        : part.pattern
            .replaceAll('**', 'x')
            .replace(/^\*\/\*/, 'projects/x')
            .replaceAll('*', 'x'),
    )
    .join('');

/** A REST call. `path` has the query. */
export type RestCall = { method: string; path: string; body: Json | undefined };

/**
 * The REST call of a request message in its JSON form: by the first binding that takes its names. What is neither in the
 * path nor the body goes into the query (google/api/http.proto). Undefined where no binding takes them.
 */
export function toRestCall(message: JsonObject, bindings: readonly HttpBinding[]): RestCall | undefined {
  for (const binding of bindings) {
    const path = renderPath(message, binding);
    if (path !== undefined) return buildRestCall(message, path, binding);
  }
  return undefined;
}

function renderPath(message: JsonObject, { parts }: HttpBinding): string | undefined {
  let path = '';
  for (const part of parts) {
    const text = isText(part) ? part : renderVariable(readField(message, part.field), part);
    if (text === undefined) return undefined;
    path += text;
  }
  return path;
}

/** Only slashes of a pattern separate; what else has a meaning in a path is escaped, and what would lead out of it is no name. */
function renderVariable(value: Json | undefined, { form }: Variable): string | undefined {
  if (!isText(value) || !form.test(value)) return undefined;
  const segments = value.split('/');
  return segments.some((segment) => segment === '.' || segment === '..')
    ? undefined
    : segments.map(encodeURIComponent).join('/');
}

const readField = (message: JsonObject, field: readonly string[]): Json | undefined =>
  field.reduce<Json | undefined>((value, name) => (isObject(value) ? value[name] : undefined), message);

function buildRestCall(message: JsonObject, path: string, { method, parts, body }: HttpBinding): RestCall {
  const inPath = parts.flatMap((part) => (isText(part) ? [] : [part.field.join('.')]));
  if (body === '*') return { method, path, body: withoutFields(message, new Set(inPath)) };
  const rest = withoutFields(message, new Set([...inPath, ...(body === undefined ? [] : [body])]));
  const query = new URLSearchParams(listPairs(rest, '')).toString();
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    body: body === undefined ? undefined : (message[body] ?? {}),
  };
}

function withoutFields(message: JsonObject, left: ReadonlySet<string>, at = ''): JsonObject {
  return Object.fromEntries(
    Object.entries(message)
      .filter(([name]) => !left.has(`${at}${name}`))
      .map(([name, value]) => {
        const isOuter = isObject(value) && [...left].some((field) => field.startsWith(`${at}${name}.`));
        return [name, isOuter ? withoutFields(value, left, `${at}${name}.`) : value];
      }),
  );
}

/** Parameters of a query: lists repeat their name, members of messages are behind a dot. */
function listPairs(value: Json, name: string): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => listPairs(item, name));
  if (isObject(value))
    return Object.entries(value).flatMap(([member, each]) =>
      listPairs(each, name === '' ? member : `${name}.${member}`),
    );
  return value === null ? [] : [[name, String(value)]];
}
