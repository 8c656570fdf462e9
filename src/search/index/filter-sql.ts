import type { Filter, FilterCondition, Scalar } from '../../management/aisearch/order.ts';

/** SQL with what is bound to it. */
export type Bound = { text: string; bindings: readonly (string | number)[] };

/** A filter beyond these is not one that the interface lets through. */
export const MAX_FILTER = { conditions: 40, fields: 12 } as const;
/** Of a text, in UTF-8: what is behind is not compared. */
export const COMPARED_BYTES = 64;

const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['filename', textValue('filename')],
  ['folder', textValue('folder')],
  ['timestamp', 'modified_ms'],
]);

/**
 * Items that fit, as a query for their numbers `n`. A field that an item does not have, or has of another type, is equal to
 * nothing and neither below nor above anything: it fits `ne` and `nin` alone.
 * @throws RangeError for more than `MAX_FILTER`
 */
export function itemsThatFit({ match, conditions }: Filter): Bound {
  const fields = [...new Set(conditions.map(({ field }) => field))];
  if (conditions.length > MAX_FILTER.conditions || fields.length > MAX_FILTER.fields)
    throw new RangeError(`A filter has at most ${MAX_FILTER.conditions} conditions on ${MAX_FILTER.fields} fields`);
  const values = fields.map(valueOf);
  const terms = conditions.map((condition) => termOf(`f${fields.indexOf(condition.field)}`, condition));
  const columns = ['n', ...values.map(({ text }, at) => `${text} AS f${at}`)].join(', ');
  const none = match === 'all' ? '1' : '0';
  const where = terms.map(({ text }) => text).join(match === 'all' ? ' AND ' : ' OR ') || none;
  return {
    text: `SELECT n FROM (SELECT ${columns} FROM item) WHERE ${where}`,
    bindings: [...values, ...terms].flatMap(({ bindings }) => bindings),
  };
}

/** Numbers are themselves; texts `t` and the first bytes in hexadecimal, which sorts as they do; booleans `b0` and `b1`. */
function valueOf(field: string): Bound {
  const column = COLUMNS.get(field);
  if (column !== undefined) return { text: column, bindings: [] };
  const path = pathOf(field);
  if (path === undefined) return { text: 'NULL', bindings: [] };
  const text = `CASE json_type(metadata, ?) WHEN 'text' THEN ${textValue('json_extract(metadata, ?)')}
    WHEN 'true' THEN 'b1' WHEN 'false' THEN 'b0' WHEN 'integer' THEN json_extract(metadata, ?)
    WHEN 'real' THEN json_extract(metadata, ?) END`;
  return { text, bindings: [path, path, path, path] };
}

/** SQLite's paths have no way to write a quotation mark or a backslash in a name: such a field is never there. */
export const pathOf = (field: string): string | undefined => (/["\\]/.test(field) ? undefined : `$."${field}"`);

function textValue(expression: string): string {
  return `'t' || hex(substr(CAST(${expression} AS BLOB), 1, ${COMPARED_BYTES}))`;
}

/** The same as `valueOf`, of a value that is asked for. */
function comparable(value: Scalar): string | number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 'b1' : 'b0';
  const bytes = new TextEncoder().encode(value).subarray(0, COMPARED_BYTES);
  return `t${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`.toUpperCase().replace('T', 't');
}

const RANGES = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function termOf(name: string, { op, value }: FilterCondition): Bound {
  const values: readonly Scalar[] = typeof value === 'object' ? value : [value];
  if (op === 'in' || op === 'nin' || op === 'eq' || op === 'ne') {
    const isNegated = op === 'nin' || op === 'ne';
    const fits = `coalesce(${name} IN (SELECT value FROM json_each(?)), 0)`;
    return { text: isNegated ? `NOT ${fits}` : fits, bindings: [JSON.stringify(values.map(comparable))] };
  }
  const [limit] = values;
  if (limit === undefined || typeof limit === 'boolean') return { text: '0', bindings: [] };
  // Numbers sort before all texts, and `b` before `t`.
  const isOfType = typeof limit === 'number' ? `${name} < 'b'` : `${name} >= 't'`;
  return { text: `coalesce(${isOfType} AND ${name} ${RANGES[op]} ?, 0)`, bindings: [comparable(limit)] };
}
