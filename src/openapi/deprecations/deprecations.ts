import { DAY_MS } from '../../lib/time.ts';
import type { Paths } from '../../problems/shared-responses.ts';

/** Days between the announcement of a deprecation and the earliest day on which the thing may be gone. */
export const MIN_NOTICE_DAYS = 180;

/** A route, or a parameter of its query or member of its body or answer, that is replaced. */
export type DeprecatedThing = {
  method: 'GET' | 'POST' | 'DELETE';
  /** As OpenAPI writes it: `/reports/{id}`. */
  path: string;
  /** Only this parameter of the query is replaced. */
  parameter?: string;
  /** Only this member, of the body or of the answer, is replaced. */
  member?: string;
  /** Day of the announcement, `2026-01-15`. */
  since: string;
  /** First day on which it may be gone; absent while none is fixed. */
  sunset?: string;
  why: string;
  /** What to use in its place. */
  instead: string;
};

/** The page that says what is deprecated, and how long it lasts. */
export const DEPRECATIONS_PATH = '/docs/reference/deprecations';

const readDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Whether its users have as long as the policy promises. */
export const hasNotice = ({ since, sunset }: DeprecatedThing): boolean =>
  sunset === undefined || readDay(sunset) - readDay(since) >= MIN_NOTICE_DAYS * DAY_MS;

/**
 * What of the table a request uses, as far as its method, path and query show it. A member is left out: a header would say
 * that the whole resource is deprecated (RFC 9745, section 2), so OpenAPI and the page alone name members.
 * @param path of the request, or a template of its route
 */
export function findDeprecated(
  things: readonly DeprecatedThing[],
  { method, path, hasParameter }: { method: string; path: string; hasParameter: (name: string) => boolean },
): readonly DeprecatedThing[] {
  const asked = method === 'HEAD' ? 'GET' : method;
  return things.filter(
    (thing) =>
      thing.method === asked &&
      thing.member === undefined &&
      (thing.parameter === undefined || hasParameter(thing.parameter)) &&
      isOfTemplate(path, thing.path),
  );
}

/** `{id}` in a segment of the template is any text that is not empty. */
function isOfTemplate(path: string, template: string): boolean {
  const [segments, templates] = [path.split('/'), template.split('/')];
  return segments.length === templates.length && templates.every((one, at) => isOfSegment(segments[at] ?? '', one));
}

function isOfSegment(segment: string, template: string): boolean {
  const [opens, closes] = [template.indexOf('{'), template.indexOf('}')];
  if (opens === -1) return segment === template;
  const [before, after] = [template.slice(0, opens), template.slice(closes + 1)];
  return segment.length > before.length + after.length && segment.startsWith(before) && segment.endsWith(after);
}

/**
 * Headers of an answer to who uses deprecated things: of the first announced, and of the first to go.
 * @see https://www.rfc-editor.org/rfc/rfc9745 (Deprecation), https://www.rfc-editor.org/rfc/rfc8594 (Sunset)
 */
export function formatDeprecationHeaders(
  things: readonly DeprecatedThing[],
  baseUrl: string,
): { deprecation: string; sunset?: string; link: string } | undefined {
  if (things.length === 0) return undefined;
  const since = Math.min(...things.map((thing) => readDay(thing.since)));
  const sunsets = things.flatMap(({ sunset }) => (sunset === undefined ? [] : [readDay(sunset)]));
  return {
    deprecation: `@${since / 1000}`,
    ...(sunsets.length === 0 ? {} : { sunset: new Date(Math.min(...sunsets)).toUTCString() }),
    link: `<${baseUrl}${DEPRECATIONS_PATH}>; rel="deprecation"; type="text/html"`,
  };
}

/** The paths of an OpenAPI document with `deprecated: true` on what the table names. */
export function markDeprecated(paths: Paths, things: readonly DeprecatedThing[]): Paths {
  const marked = structuredClone(paths);
  for (const thing of things) {
    const operation = marked[thing.path]?.[thing.method.toLowerCase()];
    if (operation !== undefined) markOperation(operation, thing);
  }
  return marked;
}

type SchemaObject = { properties?: Record<string, object> };
type Content = Readonly<Record<string, { schema?: SchemaObject }>>;
type OperationObject = {
  deprecated?: boolean;
  parameters?: readonly { name: string; deprecated?: boolean }[];
  requestBody?: { content?: Content };
  responses?: Readonly<Record<string, { content?: Content }>>;
};

function markOperation(operation: OperationObject, { parameter, member }: DeprecatedThing): void {
  if (member !== undefined) {
    const bodies = [operation.requestBody, ...Object.values(operation.responses ?? {})];
    for (const { schema } of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
      const described = schema?.properties?.[member];
      if (described !== undefined) Object.assign(described, { deprecated: true });
    }
    return;
  }
  if (parameter === undefined) operation.deprecated = true;
  for (const described of operation.parameters ?? []) if (described.name === parameter) described.deprecated = true;
}
