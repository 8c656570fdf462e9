import { type Filter, type FilterCondition, type MetadataField, type Scalar, SECONDS_BELOW } from '../order.ts';

type Type = MetadataField['type'];

/** Of a text, in UTF-8: what is behind is not compared. */
const COMPARED_BYTES = 64;
const MS = 1_000;

/** Texts are `t` and their first bytes in hexadecimal, which sorts as they do. */
const encodeTextValue = (expression: string): string =>
  `'t' || hex(substr(CAST(${expression} AS BLOB), 1, ${COMPARED_BYTES}))`;

/**
 * SQL for a value of the metadata as one of a type, whatever it was when it was stored; NULL for what cannot be cast.
 * Numbers are themselves, times whole seconds, booleans `b0` and `b1`, texts `encodeTextValue`. A time that was cast
 * when it was stored is a text; a number was sent while the field was of no type, and its size distinguishes seconds
 * from milliseconds.
 * @param value a column with the value, NULL for none
 * @param stored a column with its type in JSON
 */
const buildCast = (type: Type, value: string, stored: string): string => CASTS[type](value, stored);

const CASTS: Readonly<Record<Type, (value: string, stored: string) => string>> = {
  text: (value, stored) => `CASE WHEN ${stored} IN ('true', 'false') THEN ${encodeTextValue(stored)}
    WHEN ${value} IS NOT NULL THEN ${encodeTextValue(value)} END`,
  number: (value, stored) => `CASE WHEN ${buildNumberTest(value, stored)} THEN ${buildNumericCast(value)} END`,
  boolean: (value) => `CASE WHEN lower(${value}) IN ('true', '1', 'yes') THEN 'b1'
    WHEN lower(${value}) IN ('false', '0', 'no') THEN 'b0' END`,
  datetime: (value, stored) => `CASE WHEN ${buildNumberTest(value, stored)} AND ${buildNumericCast(value)} >= 0 THEN
      CAST(CASE WHEN ${buildNumericCast(value)} < ${SECONDS_BELOW} THEN ${buildNumericCast(value)} ELSE ${buildNumericCast(value)} / ${MS} END AS INTEGER)
    WHEN ${value} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' THEN unixepoch(${value}) END`,
};

const buildNumericCast = (value: string): string => `CAST(${value} AS NUMERIC)`;

/** A comparison makes a number of a text only where all of it is one: CAST takes what it begins with. */
const buildNumberTest = (value: string, stored: string): string =>
  `${stored} NOT IN ('true', 'false') AND ${buildNumericCast(value)} = ${value}`;

/** The same of a value that is asked for; times are Unix milliseconds there. */
function toComparable(value: Scalar, type: Type): string | number {
  if (typeof value === 'number') return type === 'datetime' ? Math.floor(value / MS) : value;
  if (typeof value === 'boolean') return value ? 'b1' : 'b0';
  const bytes = new TextEncoder().encode(value).subarray(0, COMPARED_BYTES);
  return `t${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`.toUpperCase().replace('T', 't');
}

/** SQL with what is bound to it. */
export type Bound = { text: string; bindings: readonly (string | number)[] };

/** A filter beyond these is not one that the interface lets through. */
export const MAX_FILTER = { conditions: 40, fields: 12 } as const;

type Field = Pick<FilterCondition, 'field' | 'type'>;

const ITEM = ['n', 'key', 'filename', 'folder', 'modified_ms'];
/** What all items have. A file has two names: the last segment of its key, and all of it. */
const COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['filename', [encodeTextValue('filename'), encodeTextValue('key')]],
  ['folder', [encodeTextValue('folder')]],
  ['timestamp', ['modified_ms / 1000']],
]);

/**
 * Items that fit, as a query for their numbers `n`. A field that an item does not have, or whose value cannot be cast to the
 * type that is asked for, is equal to nothing and neither below nor above anything: it fits `ne` and `nin` alone. Of the two
 * names of a file one must fit all, and for `ne` and `nin` none may.
 * @throws RangeError for more than `MAX_FILTER`
 */
export function buildItemFilter(filter: Filter): Bound {
  const { match, conditions } = filter;
  const fields = [...new Map(conditions.map((condition) => [formatFieldName(condition), condition])).values()];
  if (conditions.length > MAX_FILTER.conditions || fields.length > MAX_FILTER.fields)
    throw new RangeError(`A filter has at most ${MAX_FILTER.conditions} conditions on ${MAX_FILTER.fields} fields`);
  const stored = fields.map(buildStoredField);
  const cast = fields.flatMap((field, at) =>
    listFieldValues(field, at).map((value, name) => `${value} AS f${at}_${name}`),
  );
  const terms = groupConditions(filter).map((group) => {
    const [{ field, type }] = group;
    const at = fields.findIndex((one) => formatFieldName(one) === formatFieldName({ field, type }));
    const names = (COLUMNS.get(field) ?? ['']).map((_, name) => `f${at}_${name}`);
    return buildTerm(names, group);
  });
  const none = match === 'all' ? '1' : '0';
  const where = terms.map(({ text }) => `(${text})`).join(match === 'all' ? ' AND ' : ' OR ') || none;
  const inner = `SELECT ${[...ITEM, ...stored.map(({ text }) => text)].filter((part) => part !== '').join(', ')} FROM item`;
  return {
    text: `SELECT n FROM (SELECT ${['n', ...cast].join(', ')} FROM (${inner})) WHERE ${where}`,
    bindings: [...stored, ...terms].flatMap(({ bindings }) => bindings),
  };
}

const formatFieldName = ({ field, type }: Field): string => `${type} ${field}`;

/** A field of the metadata as `v` and the type that it has there as `t`; nothing for what is no such field. */
function buildStoredField({ field }: Field, at: number): Bound {
  const path = buildJsonPath(field);
  if (COLUMNS.has(field) || path === undefined) return { text: '', bindings: [] };
  return { text: `json_extract(metadata, ?) AS v${at}, json_type(metadata, ?) AS t${at}`, bindings: [path, path] };
}

/** SQLite's paths have no way to write a quotation mark or a backslash in a name: such a field is never there. */
const buildJsonPath = (field: string): string | undefined => (/["\\]/.test(field) ? undefined : `$."${field}"`);

function listFieldValues({ field, type }: Field, at: number): readonly string[] {
  const columns = COLUMNS.get(field);
  if (columns !== undefined) return columns;
  return [buildJsonPath(field) === undefined ? 'NULL' : buildCast(type, `v${at}`, `t${at}`)];
}

const RANGES = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;
type Range = FilterCondition & { op: keyof typeof RANGES };
const isRange = (condition: FilterCondition): condition is Range => Object.hasOwn(RANGES, condition.op);

type Group = readonly [FilterCondition, ...FilterCondition[]];

/** Conditions that are judged by themselves, and the ranges of a file's name, which one of its names is in. */
function groupConditions({ match, conditions }: Filter): readonly Group[] {
  const isShared = (one: FilterCondition): boolean => match === 'all' && one.field === 'filename' && isRange(one);
  const [first, ...others] = conditions.filter(isShared);
  const alone = conditions.filter((one) => !isShared(one)).map((one): Group => [one]);
  return first === undefined ? alone : [...alone, [first, ...others]];
}

/** One of the names fits all conditions; of a negated one none fits what it negates. */
function buildTerm(names: readonly string[], group: Group): Bound {
  const held = names.map((name) => group.map((condition) => buildCondition(name, condition)));
  const text = held.map((terms) => terms.map((term) => term.text).join(' AND ')).join(' OR ');
  const [{ op }] = group;
  const bindings = held.flat().flatMap((term) => term.bindings);
  return { text: op === 'nin' || op === 'ne' ? `NOT (${text})` : text, bindings };
}

function buildCondition(name: string, condition: FilterCondition): Bound {
  const { type, value } = condition;
  const values: readonly Scalar[] = typeof value === 'object' ? value : [value];
  if (!isRange(condition)) {
    const wanted = JSON.stringify(values.map((each) => toComparable(each, type)));
    return { text: `coalesce(${name} IN (SELECT value FROM json_each(?)), 0)`, bindings: [wanted] };
  }
  const [limit] = values;
  if (limit === undefined || typeof limit === 'boolean') return { text: '0', bindings: [] };
  // Numbers sort before all texts, and `b` before `t`.
  const isOfType = typeof limit === 'number' ? `${name} < 'b'` : `${name} >= 't'`;
  const within = `coalesce(${isOfType} AND ${name} ${RANGES[condition.op]} ?, 0)`;
  return { text: within, bindings: [toComparable(limit, type)] };
}
