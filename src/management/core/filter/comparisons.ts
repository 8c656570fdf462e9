import { isObject, isText, type Json } from '../../../lib/json.ts';
import type { FieldType, Literal, Operator } from './ast.ts';
import { fold } from './fold.ts';
import { type Meter, meterOf } from './meter.ts';
import { patternTest } from './patterns.ts';
import { someScalar } from './search.ts';
import { rankOf, writtenRank } from './severity.ts';
import { durationNanos, instantOf, nanoTimestamp, storedInstant } from './timestamps.ts';

type Test = (value: Json) => boolean;
type Ordered = string | number | bigint;

const NUMBER = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,4})?$/i;
const INTEGER = /^[+-]?\d{1,400}$/;
const SPECIAL_NUMBERS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  infinity: Infinity,
  '-infinity': -Infinity,
};
const NEVER: Test = () => false;

/**
 * The test of a comparison for one value that stands in a field. The written value is first converted to the type of what
 * stands there; where that fails, so does the comparison, `!=` too (vendor's page "Logging query language").
 * @param meter counts the texts that are looked at. @throws FilterTooSlow from the test, by the meter's limit
 */
export function valueTest(type: FieldType, operator: Operator, literal: Literal, meter = meterOf()): Test {
  if (operator === '=~' || operator === '!~') return regularTest(operator, literal, meter);
  switch (type) {
    case 'severity':
      return converted(operator, writtenRank(literal.text), rankOf);
    case 'timestamp':
      return converted(operator, instantOf(literal.text), (value) =>
        isText(value) ? storedInstant(value) : undefined,
      );
    case 'duration':
      return converted(operator, durationNanos(literal.text), (value) =>
        isText(value) ? durationNanos(value) : undefined,
      );
    case 'int':
      return intTest(operator, literal);
    case 'identifier':
      return identifierTest(operator, literal, meter);
    case 'map':
      return operator === ':' ? (value) => isObject(value) && Object.hasOwn(value, literal.text) : NEVER;
    default:
      return jsonTest(type, operator, literal, meter);
  }
}

/** What a number is as it was written; undefined for what is none. */
function writtenNumber(text: string): number | undefined {
  if (NUMBER.test(text)) return Number(text);
  const name = text.toLowerCase();
  return Object.hasOwn(SPECIAL_NUMBERS, name) ? SPECIAL_NUMBERS[name] : undefined;
}

/** Only texts are matched; a severity is, by its name. */
function regularTest(operator: '=~' | '!~', { text }: Literal, meter: Meter): Test {
  const isFound = patternTest(text, meter);
  return operator === '=~' ? (value) => isText(value) && isFound(value) : (value) => isText(value) && !isFound(value);
}

function converted<T extends Ordered>(
  operator: Operator,
  wanted: T | undefined,
  convert: (value: Json) => T | undefined,
): Test {
  if (wanted === undefined) return NEVER;
  const compare = ordered(operator, wanted);
  return (value) => {
    const found = convert(value);
    return found !== undefined && compare(found);
  };
}

/** `:` on what has no parts is `=`. */
function ordered<T extends Ordered>(operator: Operator, wanted: T): (found: T) => boolean {
  switch (operator) {
    case '!=':
      return (found) => found !== wanted;
    case '<':
      return (found) => found < wanted;
    case '<=':
      return (found) => found <= wanted;
    case '>':
      return (found) => found > wanted;
    case '>=':
      return (found) => found >= wanted;
    default:
      return (found) => found === wanted;
  }
}

/** 64-bit integers stand as texts in JSON; those beyond 2^53 are compared whole. */
function intTest(operator: Operator, { text }: Literal): Test {
  if (INTEGER.test(text)) return converted(operator, BigInt(text.replace('+', '')), wholeOf);
  return converted(operator, writtenNumber(text), (value) => {
    const whole = wholeOf(value);
    return whole === undefined ? undefined : Number(whole);
  });
}

function wholeOf(value: Json): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  return isText(value) && INTEGER.test(value) ? BigInt(value.replace('+', '')) : undefined;
}

/** Names and ids are the same with their letter case only, so that an index finds them; parts of them are found without. */
function identifierTest(operator: Operator, literal: Literal, meter: Meter): Test {
  if (operator === '=') return (value) => value === literal.text;
  if (operator === '!=') return (value) => isText(value) && value !== literal.text;
  return jsonTest('string', operator, literal, meter);
}

/** For a value whose type shows only when it is there. */
function jsonTest(type: FieldType, operator: Operator, literal: Literal, meter: Meter): Test {
  const isNull = !literal.isQuoted && literal.text === 'NULL_VALUE';
  const ofText = textTest(type, operator, literal, meter);
  const ofNumber = converted(operator, writtenNumber(literal.text), (value) =>
    typeof value === 'number' ? value : undefined,
  );
  const ofBoolean = converted(operator, writtenBoolean(literal.text), (value) => Number(value === true));
  const ofObject = operator === ':' ? objectTest(type, literal, ofText, meter) : NEVER;
  return (value) => {
    if (value === null) return isNull ? operator === '=' || operator === ':' : operator === '!=';
    if (isNull && !isText(value)) return operator === '!=';
    if (isText(value)) return ofText(value);
    if (typeof value === 'number') return ofNumber(value);
    if (typeof value === 'boolean') return ofBoolean(value);
    return ofObject(value);
  };
}

function writtenBoolean(text: string): number | undefined {
  const name = text.toLowerCase();
  if (name === 'true') return 1;
  return name === 'false' ? 0 : undefined;
}

function textTest(type: FieldType, operator: Operator, { text }: Literal, meter: Meter): (value: string) => boolean {
  const wanted = fold(text);
  if (operator === ':') return (value) => fold(value, meter).includes(wanted);
  const typed = type === 'any' ? typedTest(operator, text) : undefined;
  if (operator === '=' && typed === undefined) return (value) => value === text || fold(value, meter) === wanted;
  const compare = ordered<string>(operator, wanted);
  return (value) => typed?.(value) ?? compare(fold(value, meter));
}

/**
 * Instants, durations and 64-bit integers are texts in JSON: without a type that tells, two texts that look like the same
 * of these are compared as such.
 */
function typedTest(operator: Operator, text: string): ((value: string) => boolean | undefined) | undefined {
  const instant = instantOf(text);
  const duration = durationNanos(text);
  const whole = wholeOf(text);
  const tries = [
    instant === undefined ? undefined : compared(ordered(operator, instant), nanoTimestamp),
    duration === undefined ? undefined : compared(ordered(operator, duration), durationNanos),
    whole === undefined ? undefined : compared(ordered(operator, whole), wholeOf),
  ];
  return tries.find((each) => each !== undefined);
}

const compared =
  <T>(compare: (found: T) => boolean, convert: (value: string) => T | undefined) =>
  (value: string): boolean | undefined => {
    const found = convert(value);
    return found === undefined ? undefined : compare(found);
  };

/** An object has its keys; a payload has what stands in it, too. */
function objectTest(type: FieldType, { text }: Literal, ofText: (value: string) => boolean, meter: Meter): Test {
  return (value) => {
    if (!isObject(value)) return false;
    if (Object.hasOwn(value, text)) return true;
    return (
      (type === 'json' || type === 'proto') && someScalar(value, (scalar) => isText(scalar) && ofText(scalar), meter)
    );
  };
}
