import { isObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import type { SchemaField, Schema, Schemas } from '../table/method-row.ts';
import { refuseViolations, truncateSentText, type Violation } from './invalid.ts';
import { findKnownName } from './names.ts';
import { convertScalar, describeScalarType, type ScalarType } from './scalars.ts';

/** Violations that one answer lists. */
const MAX_VIOLATIONS = 20;
/** Members of one map, items of one list. */
const MAX_MEMBERS = 100_000;

/** What is collected while a body is judged. */
type Judgement = { schemas: Schemas; violations: Violation[] };

/**
 * A parsed body by its schema; without one it may have no members. Depth was limited when the text was parsed.
 * @throws Refusal with all violations, up to 20: unknown names, wrong types, unknown enum names, forms of dates and bytes
 */
export function judgeBody(body: JsonObject, schemaName: string | undefined, schemas: Schemas): JsonObject {
  const judgement: Judgement = { schemas, violations: [] };
  const schema = schemaName === undefined ? {} : (schemas[schemaName] ?? {});
  const value = judgeObject(body, schema, '', judgement);
  if (judgement.violations.length > 0) throw new Refusal(refuseViolations(judgement.violations));
  return value;
}

function judgeObject(sent: JsonObject, schema: Schema, path: string, judgement: Judgement): JsonObject {
  const result = new Map<string, Json>();
  for (const [name, value] of Object.entries(sent)) {
    if (judgement.violations.length === MAX_VIOLATIONS) break;
    const known = findKnownName(schema, name);
    const field = known === undefined ? undefined : schema[known];
    if (known === undefined || field === undefined) report(judgement, path, describeUnknownField(name, path));
    else if (result.has(known)) report(judgement, path, describeUnknownField(name, path, 'The name is given twice.'));
    else result.set(known, judgeValue(value, field, formatMemberPath(path, known), judgement));
  }
  return Object.fromEntries(result);
}

function judgeValue(value: Json, field: SchemaField, path: string, judgement: Judgement): Json {
  if (value === null || field.type === 'any') return judgeOpenValue(value, path, judgement);
  if (field.type === 'array') return judgeList(value, field, path, judgement);
  if (field.type === 'object') return judgeMessage(value, field, path, judgement);
  return judgeScalar(value, { ...field, type: field.type }, path, judgement);
}

function judgeList(value: Json, field: SchemaField, path: string, judgement: Judgement): Json {
  const { items } = field;
  if (!Array.isArray(value)) return recordWrongType(value, 'a list', path, judgement);
  if (value.length > MAX_MEMBERS) return recordWrongType('...', `a list of at most ${MAX_MEMBERS}`, path, judgement);
  return value.map((item, index) => {
    const at = `${path}[${index}]`;
    if (item === null) return recordWrongType(item, 'no null in lists', at, judgement);
    return items === undefined ? judgeOpenValue(item, at, judgement) : judgeValue(item, items, at, judgement);
  });
}

function judgeMessage(value: Json, field: SchemaField, path: string, judgement: Judgement): Json {
  if (Array.isArray(value)) {
    report(
      judgement,
      path,
      describeUnknownField(extractLastName(path), '', 'Proto field is not repeating, cannot start list.'),
    );
    return null;
  }
  if (!isObject(value)) return recordWrongType(value, `type.googleapis.com/${field.ref ?? 'Struct'}`, path, judgement);
  const schema = field.ref === undefined ? undefined : judgement.schemas[field.ref];
  if (schema !== undefined) return judgeObject(value, schema, path, judgement);
  const { values } = field;
  const sent = Object.entries(value);
  if (sent.length > MAX_MEMBERS) return recordWrongType('...', `a map of at most ${MAX_MEMBERS}`, path, judgement);
  const members = sent.map(([name, member]): [string, Json] => {
    const at = `${path}[${JSON.stringify(truncateSentText(name))}]`;
    return [
      name,
      values === undefined ? judgeOpenValue(member, at, judgement) : judgeValue(member, values, at, judgement),
    ];
  });
  return Object.fromEntries(members);
}

function judgeScalar(value: Json, wanted: ScalarType, path: string, judgement: Judgement): Json {
  if (typeof value === 'object') {
    const what = Array.isArray(value) ? 'Starting a list on a scalar field' : 'Starting an object on a scalar field';
    report(judgement, path, `Invalid value at '${path}' (${describeScalarType(wanted)}), ${what}`);
    return null;
  }
  const converted = convertScalar(wanted, value);
  if (converted !== undefined) return converted;
  const isEndless = wanted.type === 'number' && typeof value === 'string' && NOT_FINITE.includes(value);
  return recordWrongType(value, `${describeScalarType(wanted)}${isEndless ? ', finite here' : ''}`, path, judgement);
}

/**
 * Proto3 JSON spells these numbers so. All of ours bound buckets, ranges or places, and the vendor asks there for more
 * than 0 or for an order, which these have not; JSON could not store them as numbers either.
 */
const NOT_FINITE: readonly string[] = ['NaN', 'Infinity', '-Infinity'];

/** A value that the schema leaves open. Text must be text, though: half a character cannot be stored. */
function judgeOpenValue(value: Json, path: string, judgement: Judgement): Json {
  if (isWellFormed(value)) return value;
  report(judgement, path, `Invalid value at '${path}' (TYPE_STRING), half of a surrogate pair`);
  return null;
}

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}

function recordWrongType(value: Json, wanted: string, path: string, judgement: Judgement): null {
  const shown = typeof value === 'object' ? describeType(value) : JSON.stringify(cut(value));
  report(judgement, path, `Invalid value at '${path}' (${wanted}), ${shown}`);
  return null;
}

const describeType = (value: Json): string => (value === null ? 'null' : 'an object or a list');

const cut = (value: string | number | boolean): string | number | boolean =>
  typeof value === 'string' ? truncateSentText(value) : value;

function report({ violations }: Judgement, field: string, description: string): void {
  if (violations.length < MAX_VIOLATIONS) violations.push({ field: truncateSentText(field), description });
}

function describeUnknownField(name: string, path: string, why = 'Cannot find field.'): string {
  const at = path === '' ? '' : ` at '${truncateSentText(path)}'`;
  return `Invalid JSON payload received. Unknown name ${JSON.stringify(truncateSentText(name))}${at}: ${why}`;
}

const formatMemberPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const extractLastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
