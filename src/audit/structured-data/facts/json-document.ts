import type * as z from 'zod';
import { dropSlotTexts, isSlot } from '../../../lib/slots.ts';
import { POINTER_WORDS } from '../../text/facts/pointer-words-data.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * A place in a JSON document (RFC 6901 pointer, empty for the whole) and what is wrong there. `message` is in our words;
 * `about` is the site's own name or address that it is about, for evidence only.
 */
export type Issue = { pointer: string; message: string; about?: string };

export type ParsedJson = { ok: true; value: unknown } | { ok: false; message: string };

/** Issues kept of one document: a hostile file must not fill the report. */
export const MAX_ISSUES = 20;
/** Parts of a pointer that a note shows. */
const MAX_POINTER_PARTS = 12;

/** Parses a JSON text, with or without a byte order mark; what has an open slot in it is not there. The message of a failure has the place, and no word of the text. */
export function parseSiteJson(text: string): ParsedJson {
  try {
    const value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as unknown;
    return { ok: true, value: isSlot(text) ? dropSlotTexts(value) : value };
  } catch (error) {
    return { ok: false, message: formatFaultPlace('is not valid JSON', error instanceof Error ? error.message : '') };
  }
}

/** What a parser says, as its place alone: the rest of its message may quote the text. */
export function formatFaultPlace(what: string, message: string): string {
  const [, line, column] = /\bline (\d{1,9}),? column (\d{1,9})/u.exec(message) ?? [];
  const [, position] = /\bposition (\d{1,9})/u.exec(message) ?? [];
  if (line !== undefined) return `${what} (line ${line}, column ${column})`;
  return position === undefined ? what : `${what} (character ${position})`;
}

export const isJsonRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The string at `key`; undefined when the value is no object, has no own such key, or holds something else. */
export function getString(value: unknown, key: string): string | undefined {
  if (!isJsonRecord(value) || !Object.hasOwn(value, key)) return undefined;
  const found = value[key];
  return typeof found === 'string' ? found : undefined;
}

/** The strings of the array at `key`, other members dropped; undefined when there is no array. */
export function getStrings(value: unknown, key: string): readonly string[] | undefined {
  if (!isJsonRecord(value) || !Object.hasOwn(value, key)) return undefined;
  const found = value[key];
  return Array.isArray(found) ? found.filter((item): item is string => typeof item === 'string') : undefined;
}

/** `/a/b~1c` for `['a', 'b/c']` (RFC 6901 section 3). */
export const formatMemberPointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * Members of one array that are judged, with those of all arrays within it, and keys of one object: the first ones. A schema
 * finds an issue in each. Honest files have a few dozen.
 */
export const MAX_JUDGED_MEMBERS = 5_000;
/** Levels that our schemas look at, and more. */
const MAX_JUDGED_DEPTH = 12;

/** What a schema finds wrong in the first `MAX_JUDGED_MEMBERS` of a value, in document order, at most `MAX_ISSUES`. */
export function listSchemaIssues(schema: z.ZodType, value: unknown): readonly Issue[] {
  const parsed = schema.safeParse(withFewMembers(value, undefined, 0));
  if (parsed.success) return [];
  return parsed.error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => ({ pointer: formatMemberPointer(issue.path), message: issue.message.slice(0, 200) }));
}

/** The same value without the members that are too many. What lies too deep stays as it is. */
function withFewMembers(value: unknown, shared: { left: number } | undefined, depth: number): unknown {
  if (depth > MAX_JUDGED_DEPTH || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).slice(0, MAX_JUDGED_MEMBERS);
    return Object.fromEntries(entries.map(([key, member]) => [key, withFewMembers(member, shared, depth + 1)]));
  }
  const budget = shared ?? { left: MAX_JUDGED_MEMBERS };
  const kept: unknown[] = [];
  for (const member of value) {
    budget.left -= 1;
    if (budget.left < 0) break;
    const few = withFewMembers(member, budget, depth + 1);
    if (budget.left < 0 && kept.length > 0) break; // Half a member would be judged for what we cut from it.
    kept.push(few);
  }
  return kept;
}

/** `/remotes/0/url: must be a URL; ...` for evidence, at most `limit` issues and then how many more there are. */
export const formatIssues = (issues: readonly Issue[], limit = 5): string =>
  joinLimited(
    issues.map((issue) => `${issue.pointer || '(document)'}: ${issueDetail(issue)}`),
    limit,
  );

/** The same for a note, in our words alone: a key that the site chose is `*`. */
export const issueNote = (issues: readonly Issue[], limit = 5): string =>
  joinLimited(
    issues.map(({ pointer, message }) => `${maskPointer(pointer) || '(document)'}: ${message}`),
    limit,
  );

/** What is wrong and what it is about, for evidence. */
export const issueDetail = ({ message, about }: Issue): string =>
  about === undefined ? message : `${message}: ${about.slice(0, 150)}`;

function joinLimited(texts: readonly string[], limit: number): string {
  const rest = texts.length - limit;
  return texts.slice(0, limit).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

const maskPointer = (pointer: string): string =>
  pointer
    .split('/')
    .slice(0, MAX_POINTER_PARTS)
    .map((part) => (part === '' || /^\d{1,6}$/u.test(part) || POINTER_WORDS.has(part) ? part : '*'))
    .join('/');
