import { isText, type Json, type JsonObject, getMember } from '../../../lib/json.ts';
import { isInside, parseBlock } from './addresses.ts';
import type { FilterComparison, Expression, FilterField, ParsedFilter, FunctionCall, Literal } from './ast.ts';
import { createValueTest } from './comparisons.ts';
import { checkValueAtPath } from './fields.ts';
import { type Meter, createMeter, spend } from './meter.ts';
import { hasAll, searchQuery, hasMatchingScalar } from './search.ts';

type Matcher = (subject: JsonObject) => boolean;

/** Units of work (meter.ts) of a comparison, whatever it looks at. */
const TEST_UNITS = 5;

/**
 * A test of whether a filter matches an object: a log entry for the `logging` profile, unless the options say that it is
 * none. Compiled once, it reads an entry without changing it and never throws, but for what its meter says.
 * @param options `meter` counts the work of all its tests. @throws FilterTooSlow from the test, by the meter's limit
 */
export function createFilterMatcher(
  filter: ParsedFilter,
  { isLogEntry = filter.profile === 'logging', meter = createMeter() }: { isLogEntry?: boolean; meter?: Meter } = {},
): Matcher {
  return filter.expression === undefined ? () => true : compile(filter.expression, isLogEntry, meter);
}

function compile(expression: Expression, isLogEntry: boolean, meter: Meter): Matcher {
  switch (expression.kind) {
    case 'and': {
      const terms = expression.terms.map((term) => compile(term, isLogEntry, meter));
      return (subject) => terms.every((term) => term(subject));
    }
    case 'or': {
      const terms = expression.terms.map((term) => compile(term, isLogEntry, meter));
      return (subject) => terms.some((term) => term(subject));
    }
    case 'not': {
      const term = compile(expression.term, isLogEntry, meter);
      return (subject) => !term(subject);
    }
    case 'bare':
      return createBareMatcher(expression.value, meter);
    case 'call':
      return callMatcher(expression.call, meter);
    case 'compare':
      return createComparisonMatcher(expression, isLogEntry, meter);
    default:
      throw new Error('An expression of an unknown kind');
  }
}

/** "Any field has it": texts as a part, numbers and booleans whole. */
function createBareMatcher(value: Literal, meter: Meter): Matcher {
  const test = createValueTest('any', ':', value, meter);
  return (subject) => hasMatchingScalar(subject, test, meter);
}

function createComparisonMatcher(
  { field, written, operator, value }: FilterComparison,
  isLogEntry: boolean,
  meter: Meter,
): Matcher {
  const plain: FilterField = { path: written, type: 'any' };
  const read = isLogEntry ? field : plain;
  if (operator === ':' && value.text === '*' && !value.isQuoted)
    return createFieldMatcher({ ...read, isPresent: true }, (found) => found !== null, meter);
  const test = createValueTest(read.type, operator, value, meter);
  // The formats of JSON leave `false` out.
  const isFalse = !isLogEntry && operator === '=' && value.text.toLowerCase() === 'false';
  return createFieldMatcher(isFalse ? { ...read, fallback: false } : read, test, meter);
}

function createFieldMatcher(
  { path, type, fallback, isPresent = false }: FilterField & { isPresent?: boolean },
  test: (value: Json) => boolean,
  meter: Meter,
): Matcher {
  const whenMissing = !isPresent && fallback !== undefined && test(fallback);
  const [name] = path;
  if (path.length === 1 && name !== undefined && type !== 'any') {
    return (subject) => {
      spend(meter, TEST_UNITS);
      const value = getMember(subject, name);
      return value === undefined ? whenMissing : (checkValueAtPath(value, [], test, false, meter) ?? whenMissing);
    };
  }
  const isLoose = type === 'proto' || type === 'any';
  return (subject) => {
    spend(meter, TEST_UNITS + path.length);
    return checkValueAtPath(subject, path, test, isLoose, meter) ?? whenMissing;
  };
}

function callMatcher(call: FunctionCall, meter: Meter): Matcher {
  switch (call.name) {
    case 'log_id':
      return logNameMatcher((logName) => logName.endsWith(`/logs/${call.id}`));
    case 'source':
      return logNameMatcher((logName) => logName.startsWith(`${call.container}/logs/`));
    case 'sample':
      return createFieldMatcher(call.field, sampleTest(call.fraction), meter);
    case 'ip_in_net':
      return createNetworkMatcher(call.field, call.net, meter);
    case 'search':
      return searchMatcher(call, meter);
    case 'type':
      return (subject) => Object.hasOwn(subject, call.query === 'logging' ? 'loggingQuery' : 'opsAnalyticsQuery');
    default:
      throw new Error('A call of an unknown function');
  }
}

const logNameMatcher =
  (test: (logName: string) => boolean): Matcher =>
  ({ logName }) =>
    isText(logName) && test(logName);

/** Texts and numbers have a place in a sample. */
const sampleTest =
  (fraction: number) =>
  (value: Json): boolean =>
    (isText(value) || typeof value === 'number') && sample(String(value), fraction);

function createNetworkMatcher(field: FilterField, net: string, meter: Meter): Matcher {
  const outer = parseBlock(net);
  const test = (value: Json): boolean => {
    const inner = isText(value) ? parseBlock(value) : undefined;
    return inner !== undefined && outer !== undefined && isInside(inner, outer);
  };
  return createFieldMatcher({ ...field, isPresent: true }, test, meter);
}

function searchMatcher({ field, query }: FunctionCall & { name: 'search' }, meter: Meter): Matcher {
  const terms = searchQuery(query);
  if (field === undefined) return (subject) => hasAll(subject, terms, meter);
  return createFieldMatcher({ ...field, isPresent: true }, (value) => hasAll(value, terms, meter), meter);
}

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const MAX_HASH = 0xffffffff;

/**
 * Whether a value (of a field that differs from entry to entry, `insertId`) is in a sample: the same answer for the same
 * value and fraction, every time.
 * @param fraction more than 0, at most 1
 */
export const sample = (value: string, fraction: number): boolean => hash(value) / MAX_HASH <= fraction;

/** FNV-1a over UTF-16 units, then the last steps of MurmurHash3, so that ids that differ in one character are far apart. */
function hash(value: string): number {
  let state = OFFSET;
  for (let at = 0; at < value.length; at += 1) state = Math.imul(state ^ value.charCodeAt(at), PRIME);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
