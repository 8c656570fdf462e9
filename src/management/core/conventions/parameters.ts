import type { QueryValue } from '../engine/operation.ts';
import { Refusal, type RefusalData } from '../../../lib/refusal.ts';
import { isWithinBytes } from '../../../lib/utf8.ts';
import type { MethodRow, Parameter } from '../table/method-row.ts';
import { refuseBadParameter, refuseViolations, truncateSentText } from './invalid.ts';
import { isForbiddenName, findKnownName, MAX_ID_BYTES, MAX_LONG_TEXT_CHARS } from './names.ts';
import { captureOutcome, type JudgementOutcome } from './outcome.ts';
import { convertScalar, describeScalarType } from './scalars.ts';
import { isStandard, type QueryPair } from './standard-parameters.ts';

/** Values that a repeated parameter may have. */
const MAX_VALUES = 1_000;
/** Parameters that hold a language or a list of their own; the others are ids and words (rule K9). */
const LONG_PARAMETERS: ReadonlySet<string> = new Set([
  'query',
  'filter',
  'orderBy',
  'pageToken',
  'updateMask',
  'customFieldMask',
  'readMask',
]);
/** The engine cuts what is above, and takes 0 for the default (AIP-158). */
const PAGE_SIZES: ReadonlySet<string> = new Set(['maxResults', 'pageSize']);

/**
 * The query of a call by the parameters of its row: typed, repeated ones as lists, `int64` as digits; names also in snake
 * case. Parameters that were not sent are not in it, not even with a default. Standard parameters are passed over.
 */
export function readCallQuery(
  pairs: readonly QueryPair[],
  row: MethodRow,
): JudgementOutcome<Record<string, QueryValue>> {
  return captureOutcome(() => {
    const sent = groupSentValues(pairs, row);
    requireParameters(sent, row);
    const typed = [...sent].map(([name, { parameter, values }]): [string, QueryValue] => {
      const judged = values.map((value) => judgeParameterValue(name, parameter, value));
      const [first] = judged;
      // Lists are lists of text, whatever the type: no method has another repeated one.
      return [name, parameter.repeated === true || first === undefined ? judged.map(String) : first];
    });
    return Object.fromEntries(typed);
  });
}

/** The decoded path parameters of a call: ids of at most 1,024 bytes, digits where the row wants a number. */
export function readPathParameters(
  path: Readonly<Record<string, string>>,
  row: MethodRow,
): JudgementOutcome<Record<string, string>> {
  return captureOutcome(() => {
    const entries = Object.entries(path).map(([name, value]): [string, string] => {
      const parameter = row.parameters[name];
      const fits = isWithinBytes(value, MAX_ID_BYTES) && value.isWellFormed() && value !== '';
      if (!fits || (parameter !== undefined && convertScalar(parameter, value) === undefined))
        throw refuseInvalidId(name);
      return [name, value];
    });
    return Object.fromEntries(entries);
  });
}

const refuseInvalidId = (name: string): Refusal =>
  new Refusal({ ...refuseBadParameter(name, `Invalid Input: ${truncateSentText(name)}`, 'invalid') });

type Sent = Map<string, { parameter: Parameter; values: string[] }>;

function groupSentValues(pairs: readonly QueryPair[], row: MethodRow): Sent {
  const sent: Sent = new Map();
  for (const [name, value] of pairs) {
    if (isStandard(name)) continue;
    const known = isForbiddenName(name) ? undefined : findKnownName(row.parameters, name);
    const parameter = known === undefined ? undefined : row.parameters[known];
    if (known === undefined || parameter?.in !== 'query') throw new Refusal(refuseUnknownParameter(name));
    const before = sent.get(known);
    if (before === undefined) sent.set(known, { parameter, values: [value] });
    else before.values.push(value);
    if (before !== undefined && parameter.repeated !== true) throw new Refusal(refuseRepeatedParameter(known));
    if (before !== undefined && before.values.length > MAX_VALUES) throw new Refusal(refuseTooManyParameters(known));
  }
  return sent;
}

function requireParameters(sent: Sent, row: MethodRow): void {
  for (const [name, parameter] of Object.entries(row.parameters)) {
    if (parameter.in !== 'query' || parameter.required !== true) continue;
    const values = sent.get(name)?.values ?? [];
    if (!values.some((value) => value !== ''))
      throw new Refusal(refuseBadParameter(name, `Required parameter: ${name}`, 'required'));
  }
}

function judgeParameterValue(name: string, parameter: Parameter, text: string): string | number | boolean {
  const isShort = LONG_PARAMETERS.has(name) ? text.length <= MAX_LONG_TEXT_CHARS : isWithinBytes(text, MAX_ID_BYTES);
  if (!isShort) throw new Refusal(refuseBadParameter(name, `Invalid value for ${name}: it is too long`));
  const value = convertScalar(parameter, text);
  if (value === undefined) throw new Refusal(refuseParameterValue(name, parameter, text));
  if (typeof value === 'number') requireRange(name, parameter, value);
  return value;
}

/** What a range without an upper end is said to end with. */
const LARGEST_INT32 = 2_147_483_647;

function requireRange(name: string, { minimum, maximum }: Parameter, value: number): void {
  const isPageSize = PAGE_SIZES.has(name);
  const low = isPageSize ? 0 : (minimum ?? -Infinity);
  const high = isPageSize ? Infinity : (maximum ?? Infinity);
  if (value >= low && value <= high) return;
  const range = `[${minimum ?? low}, ${maximum ?? LARGEST_INT32}]`;
  throw new Refusal(refuseBadParameter(name, `Invalid value '${value}'. Values must be within the range: ${range}`));
}

function refuseParameterValue(name: string, parameter: Parameter, text: string): RefusalData {
  if (parameter.enum !== undefined) {
    const allowed = parameter.enum.join(', ');
    return refuseBadParameter(name, `Invalid string value: '${truncateSentText(text)}'. Allowed values: [${allowed}]`);
  }
  return refuseBadParameter(
    name,
    `Invalid value at '${name}' (${describeScalarType(parameter)}), ${JSON.stringify(truncateSentText(text))}`,
  );
}

const refuseUnknownName = (name: string, why: string): RefusalData =>
  refuseViolations([
    { description: `Invalid JSON payload received. Unknown name ${JSON.stringify(truncateSentText(name))}: ${why}` },
  ]);

const refuseUnknownParameter = (name: string): RefusalData =>
  refuseUnknownName(
    name,
    `Cannot bind query parameter. Field '${truncateSentText(name)}' could not be found in request message.`,
  );

const refuseRepeatedParameter = (name: string): RefusalData =>
  refuseUnknownName(name, 'Proto field is not repeating, cannot start list.');

const refuseTooManyParameters = (name: string): RefusalData =>
  refuseBadParameter(name, `Too many values for ${name}: at most ${MAX_VALUES} are allowed`);
