import { isText, type Json, type JsonObject, memberOf } from '../../../lib/json.ts';
import { isInside, parseBlock } from './addresses.ts';
import type { Comparison, Expression, Field, Filter, FunctionCall, Literal } from './ast.ts';
import { valueTest } from './comparisons.ts';
import { testAt } from './fields.ts';
import { type Meter, meterOf, spend } from './meter.ts';
import { hasAll, searchQuery, someScalar } from './search.ts';
import { sample } from './sample.ts';

type Matcher = (subject: JsonObject) => boolean;

/** Units of work (meter.ts) of a comparison, whatever it looks at. */
const TEST_UNITS = 5;

/**
 * A test of whether a filter matches an object: a log entry for the `logging` profile, unless the options say that it is
 * none. Compiled once, it reads an entry without changing it and never throws, but for what its meter says.
 * @param options `meter` counts the work of all its tests. @throws FilterTooSlow from the test, by the meter's limit
 */
export function matcherOf(
  filter: Filter,
  { isLogEntry = filter.profile === 'logging', meter = meterOf() }: { isLogEntry?: boolean; meter?: Meter } = {},
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
      return bareMatcher(expression.value, meter);
    case 'call':
      return callMatcher(expression.call, meter);
    case 'compare':
      return comparisonMatcher(expression, isLogEntry, meter);
    default:
      throw new Error('An expression of an unknown kind');
  }
}

/** "Any field has it": texts as a part, numbers and booleans whole. */
function bareMatcher(value: Literal, meter: Meter): Matcher {
  const test = valueTest('any', ':', value, meter);
  return (subject) => someScalar(subject, test, meter);
}

function comparisonMatcher(
  { field, written, operator, value }: Comparison,
  isLogEntry: boolean,
  meter: Meter,
): Matcher {
  const plain: Field = { path: written, type: 'any' };
  const read = isLogEntry ? field : plain;
  if (operator === ':' && value.text === '*' && !value.isQuoted)
    return fieldMatcher({ ...read, isPresent: true }, (found) => found !== null, meter);
  const test = valueTest(read.type, operator, value, meter);
  // The formats of JSON leave `false` out.
  const isFalse = !isLogEntry && operator === '=' && value.text.toLowerCase() === 'false';
  return fieldMatcher(isFalse ? { ...read, fallback: false } : read, test, meter);
}

function fieldMatcher(
  { path, type, fallback, isPresent = false }: Field & { isPresent?: boolean },
  test: (value: Json) => boolean,
  meter: Meter,
): Matcher {
  const whenMissing = !isPresent && fallback !== undefined && test(fallback);
  const [name] = path;
  if (path.length === 1 && name !== undefined && type !== 'any') {
    return (subject) => {
      spend(meter, TEST_UNITS);
      const value = memberOf(subject, name);
      return value === undefined ? whenMissing : (testAt(value, [], test, false, meter) ?? whenMissing);
    };
  }
  const isLoose = type === 'proto' || type === 'any';
  return (subject) => {
    spend(meter, TEST_UNITS + path.length);
    return testAt(subject, path, test, isLoose, meter) ?? whenMissing;
  };
}

function callMatcher(call: FunctionCall, meter: Meter): Matcher {
  switch (call.name) {
    case 'log_id':
      return logNameMatcher((logName) => logName.endsWith(`/logs/${call.id}`));
    case 'source':
      return logNameMatcher((logName) => logName.startsWith(`${call.container}/logs/`));
    case 'sample':
      return fieldMatcher(call.field, sampleTest(call.fraction), meter);
    case 'ip_in_net':
      return netMatcher(call.field, call.net, meter);
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

function netMatcher(field: Field, net: string, meter: Meter): Matcher {
  const outer = parseBlock(net);
  const test = (value: Json): boolean => {
    const inner = isText(value) ? parseBlock(value) : undefined;
    return inner !== undefined && outer !== undefined && isInside(inner, outer);
  };
  return fieldMatcher({ ...field, isPresent: true }, test, meter);
}

function searchMatcher({ field, query }: FunctionCall & { name: 'search' }, meter: Meter): Matcher {
  const terms = searchQuery(query);
  if (field === undefined) return (subject) => hasAll(subject, terms, meter);
  return fieldMatcher({ ...field, isPresent: true }, (value) => hasAll(value, terms, meter), meter);
}
