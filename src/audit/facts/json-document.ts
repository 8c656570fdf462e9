import type * as z from 'zod';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A place in a JSON document (RFC 6901 pointer, empty for the whole) and what is wrong there. */
export type Issue = { pointer: string; message: string };

export type ParsedJson = { ok: true; value: unknown } | { ok: false; message: string };

/** Issues kept of one document: a hostile file must not fill the report. */
export const MAX_ISSUES = 20;

/** Parses a JSON text, with or without a byte order mark. The message of a failure is the engine's, cut to 200 characters. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not JSON';
    return { ok: false, message: message.slice(0, 200) };
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The string at `key`; undefined when the value is no object, has no own such key, or holds something else. */
export function stringAt(value: unknown, key: string): string | undefined {
  if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
  const found = value[key];
  return typeof found === 'string' ? found : undefined;
}

/** The strings of the array at `key`, other members dropped; undefined when there is no array. */
export function stringsAt(value: unknown, key: string): readonly string[] | undefined {
  if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
  const found = value[key];
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === 'string') : undefined;
}

/** `/a/b~1c` for `['a', 'b/c']` (RFC 6901 section 3). */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What a schema finds wrong in a value, in document order, at most `MAX_ISSUES`. */
export function schemaIssues(schema: z.ZodType, value: unknown): readonly Issue[] {
  const parsed = schema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => ({ pointer: pointerOf(issue.path), message: issue.message.slice(0, 200) }));
}

/** `/remotes/0/url: must be a URL; ...` for a note, at most `limit` issues and then how many more there are. */
export function issueText(issues: readonly Issue[], limit = 5): string {
  const shown = issues.slice(0, limit).map(({ pointer, message }) => `${pointer || '(document)'}: ${message}`);
  const rest = issues.length - shown.length;
  return shown.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}
