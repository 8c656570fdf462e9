import { isObject, isText, type Json, type JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { refuseViolations, truncateSentText } from '../../core/conventions/invalid.ts';
import type { Call } from '../../core/engine/operation.ts';
import { type ParsedFilter, createFilterMatcher, parseFilter } from '../../core/filter/index.ts';

/** Longest id that a caller may give a resource, in characters. */
export const MAX_ID_CHARS = 100;
/** Longest filter, in characters. */
export const MAX_FILTER_CHARS = 20_000;
/** Pages of the configuration: as many as asked for, up to this. */
export const PAGE = { default: 100, max: 1_000 };
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** 400 INVALID_ARGUMENT that blames a field. */
export const refuseLogField = (field: string, description: string): Refusal =>
  new Refusal(refuseViolations([{ field, description }]));

/** @throws Refusal for what is no id: at most 100 letters, digits, `_`, `-` and `.`, the first a letter or digit */
export function requireId(id: unknown, field: string): string {
  if (isText(id) && id.length <= MAX_ID_CHARS && ID.test(id)) return id;
  const what = 'at most 100 letters, digits, underscores, hyphens and periods, beginning with a letter or digit';
  const said = isText(id) ? ` ${JSON.stringify(truncateSentText(id))}` : '';
  throw refuseLogField(field, `Invalid ${field}${said}: it must be ${what}.`);
}

/** A filter of the filter language, parsed. Nothing is the filter that takes everything. @throws Refusal with what is wrong */
export function requireFilter(filter: Json | undefined, field = 'filter'): ParsedFilter {
  const text = isText(filter) ? filter : '';
  if (text.length > MAX_FILTER_CHARS)
    throw refuseLogField(field, `${field} has more than ${MAX_FILTER_CHARS} characters.`);
  const parsed = parseFilter(text);
  if (parsed.ok) return parsed.filter;
  throw refuseLogField(field, `${parsed.message} (at character ${parsed.at})`);
}

/** The text of a member; '' where it has none. */
export const toTextOrEmpty = (value: unknown): string => (isText(value) ? value : '');

/** The objects of a list; none where there is no list. */
export const toObjects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** Sorts what a list shows by its ids, which are plain ASCII. */
export const compareIds = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

/** Of a description of anything (the vendor's documents). */
const MAX_DESCRIPTION_CHARS = 8_000;

/** 429 RESOURCE_EXHAUSTED: one more than a container or bucket may have. */
export const refuseLogLimit = (message: string): Refusal =>
  new Refusal({ status: 429, word: 'RESOURCE_EXHAUSTED', reason: 'limitExceeded', message });

/** @throws Refusal for a description that is too long */
export function requireDescription(description: Json | undefined): void {
  if (isText(description) && description.length > MAX_DESCRIPTION_CHARS)
    throw refuseLogField('description', `description has more than ${MAX_DESCRIPTION_CHARS} characters.`);
}

/**
 * What the `filter` of a list of resources lets through (AIP-160): judged on them as they are shown.
 * @throws Refusal for a text that is no filter
 */
export function requireListFilter(call: Call): (resource: JsonObject) => boolean {
  const text = toTextOrEmpty(call.query['filter']);
  if (text.length > MAX_FILTER_CHARS)
    throw refuseLogField('filter', `filter has more than ${MAX_FILTER_CHARS} characters.`);
  const parsed = parseFilter(text, { profile: 'aip' });
  if (parsed.ok) return createFilterMatcher(parsed.filter, { isLogEntry: false });
  throw refuseLogField('filter', `Unparseable filter: ${parsed.message} (at character ${parsed.at})`);
}
