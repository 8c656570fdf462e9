import { getMember, isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { ListCursor } from '../../../core/engine/stored-row.ts';
import { refuseQuery } from '../refusals.ts';

/** Members of a resource by the names that queries use (discovery document, `query` of calendars.list). */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  generatedResourceName: ['generatedResourceName'],
  name: ['resourceName'],
  resourceName: ['resourceName'],
  buildingId: ['buildingId'],
  floor_name: ['floorName'],
  floorName: ['floorName'],
  capacity: ['capacity'],
  'featureInstances.feature.name': ['featureInstances', 'feature', 'name'],
  resourceEmail: ['resourceEmail'],
  resourceCategory: ['resourceCategory'],
};

const MAX_QUERY_CHARS = 2_000;
const MAX_CLAUSES = 20;
const OPERATORS = ['!=', '=', ':'] as const;
type Operator = (typeof OPERATORS)[number];
/** Words that look as if they joined clauses. Only AND does: others would be taken for a part of a value. */
const JOINING_WORDS: ReadonlySet<string> = new Set(['and', 'or']);

/**
 * The test that a query says: clauses joined by AND, each `field=value`, `field!=value`, `field:prefix*` or
 * `field:value` (has it), and NOT before one. Texts are compared without case; those with the word `and` or `or` need quotes.
 * @throws Refusal 400 `Invalid query`
 */
export function createCalendarTest(query: string): (resource: JsonObject) => boolean {
  if (query.length > MAX_QUERY_CHARS) throw refuseQuery();
  const clauses = splitAnd(query);
  if (clauses.length > MAX_CLAUSES) throw refuseQuery();
  const tests = clauses.map(createClauseTest);
  return (resource) => tests.every((test) => test(resource));
}

function createClauseTest(clause: string): (resource: JsonObject) => boolean {
  const isNegated = clause.startsWith('NOT ');
  const text = isNegated ? clause.slice('NOT '.length).trim() : clause;
  const operator = findOperator(text);
  const [field = '', ...rest] = text.split(operator);
  const path = Object.hasOwn(FIELDS, field.trim()) ? FIELDS[field.trim()] : undefined;
  const value = unquoteText(rest.join(operator).trim()).toLowerCase();
  if (path === undefined || value === '') throw refuseQuery();
  const isWanted = operator === '!=' ? isNegated : !isNegated;
  return (resource) =>
    listValues(resource, path).some((each) => isTextMatch(each.toLowerCase(), operator, value)) === isWanted;
}

/** The operator that comes first. */
function findOperator(text: string): Operator {
  const places = OPERATORS.map((operator) => ({ operator, at: text.indexOf(operator) })).filter(({ at }) => at > 0);
  const [first] = places.toSorted((a, b) => a.at - b.at);
  if (first === undefined) throw refuseQuery();
  return first.operator;
}

function isTextMatch(text: string, operator: Operator, value: string): boolean {
  if (operator !== ':') return text === value;
  return value.endsWith('*') ? text.startsWith(value.slice(0, -1)) : text.includes(value);
}

function listValues(value: Json | undefined, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => listValues(each, path));
  const [name, ...rest] = path;
  if (name !== undefined) return isObject(value) ? listValues(getMember(value, name), rest) : [];
  if (typeof value === 'number') return [String(value)];
  return isText(value) ? [value] : [];
}

/** Splits at ` AND ` outside quotes. */
function splitAnd(query: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (const word of query.trim().split(' ')) {
    if (!isQuoted && JOINING_WORDS.has(word.toLowerCase()) && word !== 'AND') throw refuseQuery();
    if (word === 'AND' && !isQuoted) {
      parts.push(part.trim());
      part = '';
      continue;
    }
    part += `${word} `;
    if (word.split('"').length % 2 === 0) isQuoted = !isQuoted;
  }
  if (isQuoted) throw refuseQuery();
  return [...parts, part.trim()];
}

const unquoteText = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;

/** A field that calendars.list can sort by. */
export type SortKey = { field: string; descending: boolean };

const SORT_FIELDS = ['resourceId', 'resourceName', 'capacity', 'buildingId', 'floorName'];

/** The values that a resource is sorted by. */
export const listSortValues = (body: JsonObject, keys: readonly SortKey[]): (string | number)[] =>
  keys.map(({ field }) => {
    const value = body[field];
    if (field === 'capacity') return typeof value === 'number' ? value : 0;
    return isText(value) ? value.toLowerCase() : '';
  });

/** Below, equal or above 0, as the place `a` is to `b`: the sort values as JSON, then the id. */
export function compareCursors(a: ListCursor, b: ListCursor, keys: readonly SortKey[]): number {
  const left = JSON.parse(a.sort) as (string | number)[]; // Written above; tokens are sealed.
  const right = JSON.parse(b.sort) as (string | number)[];
  for (const [index, { descending }] of keys.entries()) {
    const order = compareValues(left[index] ?? '', right[index] ?? '');
    if (order !== 0) return descending ? -order : order;
  }
  return compareValues(a.id, b.id);
}

const compareValues = (a: string | number, b: string | number): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

/** `buildingId, capacity desc`. @throws Refusal 400 for another field or word */
export function parseSortKeys(orderBy: unknown): SortKey[] {
  if (!isText(orderBy) || orderBy.trim() === '') return [];
  const keys = orderBy.split(',').map((part) => {
    const [field = '', direction = 'asc', ...rest] = part
      .trim()
      .split(' ')
      .filter((word) => word !== '');
    const isKnown = SORT_FIELDS.includes(field) && ['asc', 'desc'].includes(direction) && rest.length === 0;
    if (!isKnown) throw vendorRefusals.invalidInput('orderBy');
    return { field, descending: direction === 'desc' };
  });
  if (keys.length > SORT_FIELDS.length) throw vendorRefusals.invalidInput('orderBy');
  return keys;
}
