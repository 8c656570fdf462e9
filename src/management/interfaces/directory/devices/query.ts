import { getMember, isObject, isText, type Json, type JsonObject, toTexts } from '../../../../lib/json.ts';
import { SECOND_MS, DAY_MS } from '../../../../lib/time.ts';
import { buildHoldingPattern } from '../../../core/engine/narrowed-source.ts';
import { refuseQuery } from '../refusals.ts';
import { NOT_THERE, type QueryField, type QueryFields } from './query-data.ts';

type Clause = { field: string | undefined; value: string };

/** Longest query and most clauses. */
const MAX_QUERY_CHARS = 2_000;
const MAX_CLAUSES = 20;
const FIELD = /^[a-z_]+$/;
/** A date, a date with a time, with or without zone: `2016-03-23`, `2016-04-26T14:23:05`. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z?)?$/;
const DATE_CHARS = 10;

/**
 * The test that a device query says: clauses `field:value` beside each other must all hold, quotes keep blanks, a text
 * without a field is sought in all fields (vendor's "List query operators" and "Search operators").
 * @throws Refusal 400 `Invalid query`
 */
export function createDeviceTest(query: string, fields: QueryFields): (device: JsonObject) => boolean {
  if (query.length > MAX_QUERY_CHARS) throw refuseQuery();
  const clauses = parseClauses(query);
  if (clauses.length > MAX_CLAUSES) throw refuseQuery();
  const tests = clauses.map((clause) => createClauseTest(clause, fields));
  return (device) => tests.every((test) => test(device));
}

/** Patterns of LIKE that the stored bodies of all devices match which a query finds. */
export const listDevicePatterns = (query: string, fields: QueryFields): string[] =>
  parseClauses(query).flatMap(({ field, value }) => {
    const known = field === undefined || !Object.hasOwn(fields, field) ? undefined : fields[field];
    const members = new Set(known?.of.map((path) => path.split('.')[0]));
    const [member] = members;
    const before = members.size === 1 ? member : undefined;
    if (field === undefined || known?.how === 'text') return buildHoldingPattern(value, before) ?? [];
    const words = known?.how === 'word' ? (findWords(value.toLowerCase(), known.words) ?? [value]) : [];
    const [word] = words;
    return words.length === 1 && word !== undefined && word !== NOT_THERE
      ? (buildHoldingPattern(word, before) ?? [])
      : [];
  });

function createClauseTest({ field, value }: Clause, fields: QueryFields): (device: JsonObject) => boolean {
  if (field === undefined) return createAnyFieldTest(value, fields);
  const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (known === undefined || value === '') throw refuseQuery();
  const { of, how, words } = known;
  if (how === 'time') return createTimeTest(value, of);
  if (how === 'text') return createTextTest(value, of);
  const wanted = findWords(value.toLowerCase(), words) ?? [value.toUpperCase()];
  return (device) => {
    const texts = of.flatMap((path) => listTexts(device, path));
    return (texts.length === 0 ? [NOT_THERE] : texts).some((text) => wanted.includes(text));
  };
}

const findWords = (value: string, words: QueryField['words'] = {}): readonly string[] | undefined =>
  Object.hasOwn(words, value) ? words[value] : undefined;

function createAnyFieldTest(value: string, fields: QueryFields): (device: JsonObject) => boolean {
  const names = Object.values(fields).flatMap(({ of, how }) => (how === 'text' ? of : []));
  return createTextTest(value, names);
}

function createTextTest(value: string, names: readonly string[]): (device: JsonObject) => boolean {
  const isPrefix = value.endsWith('*');
  const wanted = (isPrefix ? value.slice(0, -1) : value).toLowerCase();
  const fits = (text: string): boolean => (isPrefix ? text.startsWith(wanted) : text.includes(wanted));
  return (device) => names.some((path) => listTexts(device, path).some((text) => fits(text.toLowerCase())));
}

function createTimeTest(value: string, names: readonly string[]): (device: JsonObject) => boolean {
  const [from = '', to] = value.split('..');
  const start = from === '' ? Number.NEGATIVE_INFINITY : parseStart(from);
  const end = to === '' ? Number.POSITIVE_INFINITY : parseEnd(to ?? from);
  if (Number.isNaN(start) || Number.isNaN(end) || value === '..') throw refuseQuery();
  const fits = (text: string): boolean => parseMoment(text) >= start && parseMoment(text) < end;
  return (device) => names.some((path) => listTexts(device, path).some(fits));
}

/** A date or time, or milliseconds since 1970 as digits. */
const parseMoment = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Date.parse(text));

const parseStart = (moment: string): number =>
  MOMENT.test(moment) ? Date.parse(moment.length > DATE_CHARS && !moment.endsWith('Z') ? `${moment}Z` : moment) : NaN;

/** A date goes to its end, and so does a second. */
const parseEnd = (moment: string): number => parseStart(moment) + (moment.length === DATE_CHARS ? DAY_MS : SECOND_MS);

/** The texts at a path: of lists those of each entry. */
function listTexts(value: Json | undefined, path: string): string[] {
  const [name = '', ...rest] = path.split('.');
  const found = isObject(value) ? getMember(value, name) : undefined;
  if (rest.length > 0) return [found ?? []].flat().flatMap((each) => listTexts(each, rest.join('.')));
  return isText(found) ? [found] : toTexts(found);
}

/**
 * Splits at blanks outside quotes; the quotes go. Single ones count where a value begins with them, as GAM's documentation
 * writes them: `user:'tom sawyer'`.
 */
function parseClauses(query: string): Clause[] {
  const clauses: Clause[] = [];
  let token = '';
  let field: string | undefined;
  let quote = '';
  let wasQuoted = false;
  const close = (): void => {
    if (token !== '' || field !== undefined || wasQuoted) clauses.push({ field, value: token });
    token = '';
    field = undefined;
    wasQuoted = false;
  };
  for (const char of query) {
    const isOpening = quote === '' && (char === '"' || (char === "'" && token === '' && !wasQuoted));
    if (isOpening || char === quote) {
      quote = isOpening ? char : '';
      wasQuoted = true;
    } else if (quote === '' && char === ':' && field === undefined && FIELD.test(token)) {
      field = token;
      token = '';
    } else if (quote === '' && char.trim() === '') close();
    else token += char;
  }
  if (quote !== '') throw refuseQuery();
  close();
  return clauses.filter(({ value, field: name }) => value !== '' || name !== undefined);
}
