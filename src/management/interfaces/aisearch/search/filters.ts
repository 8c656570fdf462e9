import { isObject, isText } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import {
  type Filter,
  type FilterCondition,
  type FilterOperator,
  refuseFilter,
  parseFilterValue,
  type MetadataField,
  getFieldOperators,
  type Scalar,
} from '../../../../search/order.ts';

/** Conditions of a filter, and values in all of them (rule K9). */
const MAX_CONDITIONS = 10;
const MAX_VALUES = 50;
const TOO_MANY = `at most ${MAX_CONDITIONS} conditions and ${MAX_VALUES} values`;

/** What items of every instance have. */
const BUILT_IN: readonly MetadataField[] = [
  { name: 'filename', type: 'text' },
  { name: 'folder', type: 'text' },
  { name: 'timestamp', type: 'datetime' },
];

const OPERATORS: ReadonlyMap<string, FilterOperator> = new Map([
  ['$eq', 'eq'],
  ['$ne', 'ne'],
  ['$in', 'in'],
  ['$nin', 'nin'],
  ['$lt', 'lt'],
  ['$lte', 'lte'],
  ['$gt', 'gt'],
  ['$gte', 'gte'],
]);
const LEGACY_OPERATORS: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
] satisfies FilterOperator[]);

/**
 * A filter of the newer syntax: `{ folder: 'docs/', timestamp: { $gte: 1735689600 } }`. All of it must hold. Undefined for
 * none, or an empty one.
 * @param fields what items have beside filename, folder and timestamp
 * @throws Refusal 400 for unknown fields and operators, nesting, and values of another type
 */
export function parseFilters(value: unknown, fields: readonly MetadataField[]): Filter | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) throw refuseFilter('a filter is an object');
  const conditions = Object.entries(value).flatMap(([key, wanted]) => {
    const field = requireFilterField(key, fields);
    if (!isObject(wanted)) return [buildCondition(field, 'eq', wanted)];
    const operators = Object.entries(wanted);
    if (operators.length === 0) throw refuseFilter('a field has no operator');
    return operators.map(([name, operand]) => {
      const operator = OPERATORS.get(name);
      if (operator === undefined) throw refuseFilter('an operator is none of $eq $ne $in $nin $lt $lte $gt $gte');
      return buildCondition(field, operator, operand);
    });
  });
  return enforceFilterLimits({ match: 'all', conditions });
}

/**
 * A filter of the older syntax: `{ type: 'eq', key, value }`, or one level of `{ type: 'and' | 'or', filters }`; those of
 * `or` are eq on one key.
 * @throws Refusal 400 for anything else
 */
export function parseLegacyFilters(value: unknown, fields: readonly MetadataField[]): Filter | undefined {
  if (value === undefined || (isObject(value) && Object.keys(value).length === 0)) return undefined;
  if (!isObject(value)) throw refuseFilter('a filter is an object');
  const { type, filters } = value;
  if (type !== 'and' && type !== 'or')
    return enforceFilterLimits({ match: 'all', conditions: [parseComparison(value, fields)] });
  requireMembers(value, ['type', 'filters']);
  if (!Array.isArray(filters) || filters.length === 0) throw refuseFilter(`${type} has a list of filters`);
  const conditions = filters.map((each) => parseComparison(each, fields));
  if (type === 'and') return enforceFilterLimits({ match: 'all', conditions });
  if (conditions.some(({ op }) => op !== 'eq'))
    throw vendorRefusals.invalid('filter_or_operator_only_supports_eq_filters');
  if (new Set(conditions.map(({ field }) => field)).size > 1)
    throw vendorRefusals.invalid('filter_or_operator_does_not_support_different_keys');
  return enforceFilterLimits({ match: 'any', conditions });
}

function parseComparison(value: unknown, fields: readonly MetadataField[]): FilterCondition {
  if (!isObject(value)) throw refuseFilter('a filter is an object');
  const { type, key, value: wanted } = value;
  if (!isText(type) || !isLegacyOperator(type))
    throw refuseFilter('a type is none of eq ne gt gte lt lte, or and and or are nested');
  requireMembers(value, ['type', 'key', 'value']);
  if (!isText(key)) throw refuseFilter('a key is missing');
  return buildCondition(requireFilterField(key, fields), type, wanted);
}

const isLegacyOperator = (word: string): word is FilterOperator => LEGACY_OPERATORS.has(word);

function requireMembers(value: object, names: readonly string[]): void {
  if (Object.keys(value).some((name) => !names.includes(name))) throw refuseFilter(`it has ${names.join(', ')} only`);
}

/** Names of fields are alike in upper and lower case. */
function requireFilterField(key: string, fields: readonly MetadataField[]): MetadataField {
  const wanted = key.toLowerCase();
  const field = [...BUILT_IN, ...fields].find(({ name }) => name === wanted);
  if (field === undefined)
    throw refuseFilter('a field is neither filename, folder, timestamp nor one of custom_metadata');
  return field;
}

function buildCondition({ name, type }: MetadataField, op: FilterOperator, wanted: unknown): FilterCondition {
  if (!getFieldOperators(type).has(op)) throw refuseFilter(`a ${type} field has no such operator`);
  if (op !== 'in' && op !== 'nin') return { field: name, type, op, value: parseFilterValue(wanted, type) };
  if (!Array.isArray(wanted) || wanted.length === 0) throw refuseFilter('$in and $nin have a list of values');
  if (wanted.length > MAX_VALUES) throw refuseFilter(TOO_MANY);
  return { field: name, type, op, value: wanted.map((each): Scalar => parseFilterValue(each, type)) };
}

function enforceFilterLimits(filter: Filter): Filter | undefined {
  const { conditions } = filter;
  const values = conditions.reduce((sum, { value }) => sum + (Array.isArray(value) ? value.length : 1), 0);
  if (conditions.length > MAX_CONDITIONS || values > MAX_VALUES) throw refuseFilter(TOO_MANY);
  return conditions.length === 0 ? undefined : filter;
}
