import { isObject, isText, type Json } from '../../../lib/json.ts';
import type { FieldType, Literal, ComparisonOperator } from './ast.ts';
import { fold, hasMatchingScalar } from './search.ts';
import { type Meter, createMeter } from './meter.ts';
import { createPatternTest } from './patterns.ts';
import { readSeverityRank, parseSeverityRank } from './severity.ts';
import { parseDurationNanos, parseFilterInstant, parseNanoTimestamp, parseStoredInstant } from './timestamps.ts';

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
 * The test of a comparison for one value of a field. The written value is first converted to the type of the found
 * value; where that fails, so does the comparison, `!=` too (vendor's page "Logging query language").
 * @param meter counts the texts that are looked at. @throws FilterTooSlow from the test, by the meter's limit
 */
export function createValueTest(
  type: FieldType,
  operator: ComparisonOperator,
  literal: Literal,
  meter = createMeter(),
): Test {
  if (operator === '=~' || operator === '!~') return createPatternValueTest(operator, literal, meter);
  switch (type) {
    case 'severity':
      return createConvertedTest(operator, parseSeverityRank(literal.text), readSeverityRank);
    case 'timestamp':
      return createConvertedTest(operator, parseFilterInstant(literal.text), (value) =>
        isText(value) ? parseStoredInstant(value) : undefined,
      );
    case 'duration':
      return createConvertedTest(operator, parseDurationNanos(literal.text), (value) =>
        isText(value) ? parseDurationNanos(value) : undefined,
      );
    case 'int':
      return createIntegerTest(operator, literal);
    case 'identifier':
      return createIdentifierTest(operator, literal, meter);
    case 'map':
      return operator === ':' ? (value) => isObject(value) && Object.hasOwn(value, literal.text) : NEVER;
    default:
      return createJsonTest(type, operator, literal, meter);
  }
}

/** What a number is as it was written; undefined for what is none. */
function parseWrittenNumber(text: string): number | undefined {
  if (NUMBER.test(text)) return Number(text);
  const name = text.toLowerCase();
  return Object.hasOwn(SPECIAL_NUMBERS, name) ? SPECIAL_NUMBERS[name] : undefined;
}

/** Only texts are matched; a severity is, by its name. */
function createPatternValueTest(operator: '=~' | '!~', { text }: Literal, meter: Meter): Test {
  const isFound = createPatternTest(text, meter);
  return operator === '=~' ? (value) => isText(value) && isFound(value) : (value) => isText(value) && !isFound(value);
}

function createConvertedTest<T extends Ordered>(
  operator: ComparisonOperator,
  wanted: T | undefined,
  convert: (value: Json) => T | undefined,
): Test {
  if (wanted === undefined) return NEVER;
  const compare = createOrderTest(operator, wanted);
  return (value) => {
    const found = convert(value);
    return found !== undefined && compare(found);
  };
}

/** `:` on what has no parts is `=`. */
function createOrderTest<T extends Ordered>(operator: ComparisonOperator, wanted: T): (found: T) => boolean {
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

/** JSON holds 64-bit integers as texts; those beyond 2^53 are compared exactly. */
function createIntegerTest(operator: ComparisonOperator, { text }: Literal): Test {
  if (INTEGER.test(text)) return createConvertedTest(operator, BigInt(text.replace('+', '')), convertToBigInt);
  return createConvertedTest(operator, parseWrittenNumber(text), (value) => {
    const whole = convertToBigInt(value);
    return whole === undefined ? undefined : Number(whole);
  });
}

function convertToBigInt(value: Json): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  return isText(value) && INTEGER.test(value) ? BigInt(value.replace('+', '')) : undefined;
}

/** Names and ids are the same with their letter case only, so that an index finds them; parts of them are found without. */
function createIdentifierTest(operator: ComparisonOperator, literal: Literal, meter: Meter): Test {
  if (operator === '=') return (value) => value === literal.text;
  if (operator === '!=') return (value) => isText(value) && value !== literal.text;
  return createJsonTest('string', operator, literal, meter);
}

/** For a value whose type shows only when it is there. */
function createJsonTest(type: FieldType, operator: ComparisonOperator, literal: Literal, meter: Meter): Test {
  const isNull = !literal.isQuoted && literal.text === 'NULL_VALUE';
  const ofText = createTextTest(type, operator, literal, meter);
  const ofNumber = createConvertedTest(operator, parseWrittenNumber(literal.text), (value) =>
    typeof value === 'number' ? value : undefined,
  );
  const ofBoolean = createConvertedTest(operator, parseWrittenBoolean(literal.text), (value) => Number(value === true));
  const ofObject = operator === ':' ? createObjectTest(type, literal, ofText, meter) : NEVER;
  return (value) => {
    if (value === null) return isNull ? operator === '=' || operator === ':' : operator === '!=';
    if (isNull && !isText(value)) return operator === '!=';
    if (isText(value)) return ofText(value);
    if (typeof value === 'number') return ofNumber(value);
    if (typeof value === 'boolean') return ofBoolean(value);
    return ofObject(value);
  };
}

function parseWrittenBoolean(text: string): number | undefined {
  const name = text.toLowerCase();
  if (name === 'true') return 1;
  return name === 'false' ? 0 : undefined;
}

function createTextTest(
  type: FieldType,
  operator: ComparisonOperator,
  { text }: Literal,
  meter: Meter,
): (value: string) => boolean {
  const wanted = fold(text);
  if (operator === ':') return (value) => fold(value, meter).includes(wanted);
  const typed = type === 'any' ? createTypedTextTest(operator, text) : undefined;
  if (operator === '=' && typed === undefined) return (value) => value === text || fold(value, meter) === wanted;
  const compare = createOrderTest<string>(operator, wanted);
  return (value) => typed?.(value) ?? compare(fold(value, meter));
}

/**
 * Instants, durations and 64-bit integers are texts in JSON: without a declared type, two texts that both look like one
 * of these are compared as such.
 */
function createTypedTextTest(
  operator: ComparisonOperator,
  text: string,
): ((value: string) => boolean | undefined) | undefined {
  const instant = parseFilterInstant(text);
  const duration = parseDurationNanos(text);
  const whole = convertToBigInt(text);
  const tries = [
    instant === undefined ? undefined : createComparedTest(createOrderTest(operator, instant), parseNanoTimestamp),
    duration === undefined ? undefined : createComparedTest(createOrderTest(operator, duration), parseDurationNanos),
    whole === undefined ? undefined : createComparedTest(createOrderTest(operator, whole), convertToBigInt),
  ];
  return tries.find((each) => each !== undefined);
}

const createComparedTest =
  <T>(compare: (found: T) => boolean, convert: (value: string) => T | undefined) =>
  (value: string): boolean | undefined => {
    const found = convert(value);
    return found === undefined ? undefined : compare(found);
  };

/** An object matches by its keys; a payload also by the values in it. */
function createObjectTest(type: FieldType, { text }: Literal, ofText: (value: string) => boolean, meter: Meter): Test {
  return (value) => {
    if (!isObject(value)) return false;
    if (Object.hasOwn(value, text)) return true;
    return (
      (type === 'json' || type === 'proto') &&
      hasMatchingScalar(value, (scalar) => isText(scalar) && ofText(scalar), meter)
    );
  };
}
