import { badRequest, shownText } from '../../core/conventions/invalid.ts';
import { type Filter, parseFilter } from '../../core/filter/index.ts';
import { isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';

/** Longest id that a caller may give a resource, in characters (facts: logging). */
export const MAX_ID_CHARS = 100;
/** Longest filter, in characters. */
export const MAX_FILTER_CHARS = 20_000;
/** Pages of the configuration: as many as asked for, up to this. */
export const PAGE = { default: 100, max: 1_000 };
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** 400 INVALID_ARGUMENT that blames a field. */
export const invalidField = (field: string, description: string): Refusal =>
  new Refusal(badRequest([{ field, description }]));

/** @throws Refusal for what is no id: at most 100 letters, digits, `_`, `-` and `.`, the first a letter or digit */
export function requireId(id: unknown, field: string): string {
  if (isText(id) && id.length <= MAX_ID_CHARS && ID.test(id)) return id;
  const what = 'at most 100 letters, digits, underscores, hyphens and periods, beginning with a letter or digit';
  const said = isText(id) ? ` ${JSON.stringify(shownText(id))}` : '';
  throw invalidField(field, `Invalid ${field}${said}: it must be ${what}.`);
}

/** A filter of the filter language, parsed. Nothing is the filter that takes everything. @throws Refusal with what is wrong */
export function requireFilter(filter: Json | undefined, field = 'filter'): Filter {
  const text = isText(filter) ? filter : '';
  if (text.length > MAX_FILTER_CHARS)
    throw invalidField(field, `${field} has more than ${MAX_FILTER_CHARS} characters.`);
  const parsed = parseFilter(text);
  if (parsed.ok) return parsed.filter;
  throw invalidField(field, `${parsed.message} (at character ${parsed.at})`);
}

/** The text of a member; '' where it has none. */
export const textOf = (value: unknown): string => (isText(value) ? value : '');

/** The objects of a list; none where there is no list. */
export const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Sorts what a list shows by its ids, which are plain ASCII. */
export const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
