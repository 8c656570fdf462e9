import { isObject, isText, memberOf, type Json, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';

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
export function calendarTest(query: string): (resource: JsonObject) => boolean {
  if (query.length > MAX_QUERY_CHARS) throw invalidQuery();
  const clauses = splitAnd(query);
  if (clauses.length > MAX_CLAUSES) throw invalidQuery();
  const tests = clauses.map(clauseTest);
  return (resource) => tests.every((test) => test(resource));
}

function clauseTest(clause: string): (resource: JsonObject) => boolean {
  const isNegated = clause.startsWith('NOT ');
  const text = isNegated ? clause.slice('NOT '.length).trim() : clause;
  const operator = operatorOf(text);
  const [field = '', ...rest] = text.split(operator);
  const path = Object.hasOwn(FIELDS, field.trim()) ? FIELDS[field.trim()] : undefined;
  const value = unquoted(rest.join(operator).trim()).toLowerCase();
  if (path === undefined || value === '') throw invalidQuery();
  const isWanted = operator === '!=' ? isNegated : !isNegated;
  return (resource) => valuesAt(resource, path).some((each) => fits(each.toLowerCase(), operator, value)) === isWanted;
}

/** The operator that comes first. */
function operatorOf(text: string): Operator {
  const places = OPERATORS.map((operator) => ({ operator, at: text.indexOf(operator) })).filter(({ at }) => at > 0);
  const [first] = places.toSorted((a, b) => a.at - b.at);
  if (first === undefined) throw invalidQuery();
  return first.operator;
}

function fits(text: string, operator: Operator, value: string): boolean {
  if (operator !== ':') return text === value;
  return value.endsWith('*') ? text.startsWith(value.slice(0, -1)) : text.includes(value);
}

function valuesAt(value: Json | undefined, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path));
  const [name, ...rest] = path;
  if (name !== undefined) return isObject(value) ? valuesAt(memberOf(value, name), rest) : [];
  if (typeof value === 'number') return [String(value)];
  return isText(value) ? [value] : [];
}

/** Parts between ` AND `s that stand outside quotes. */
function splitAnd(query: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (const word of query.trim().split(' ')) {
    if (!isQuoted && JOINING_WORDS.has(word.toLowerCase()) && word !== 'AND') throw invalidQuery();
    if (word === 'AND' && !isQuoted) {
      parts.push(part.trim());
      part = '';
      continue;
    }
    part += `${word} `;
    if (word.split('"').length % 2 === 0) isQuoted = !isQuoted;
  }
  if (isQuoted) throw invalidQuery();
  return [...parts, part.trim()];
}

const unquoted = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;

const invalidQuery = () => refuse.invalid('Invalid query');
