import { isObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import type { Field, Schema, Schemas } from '../table/method-row.ts';
import { badRequest, shownText, type Violation } from './invalid.ts';
import { knownName } from './names.ts';
import { scalarOf, typeWord, type ScalarType } from './scalars.ts';

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
export function judgedBody(body: JsonObject, schemaName: string | undefined, schemas: Schemas): JsonObject {
  const judgement: Judgement = { schemas, violations: [] };
  const schema = schemaName === undefined ? {} : (schemas[schemaName] ?? {});
  const value = judgedObject(body, schema, '', judgement);
  if (judgement.violations.length > 0) throw new Refusal(badRequest(judgement.violations));
  return value;
}

function judgedObject(sent: JsonObject, schema: Schema, path: string, judgement: Judgement): JsonObject {
  const result = new Map<string, Json>();
  for (const [name, value] of Object.entries(sent)) {
    if (judgement.violations.length === MAX_VIOLATIONS) break;
    const known = knownName(schema, name);
    const field = known === undefined ? undefined : schema[known];
    if (known === undefined || field === undefined) report(judgement, path, unknownName(name, path));
    else if (result.has(known)) report(judgement, path, unknownName(name, path, 'The name is given twice.'));
    else result.set(known, judgedValue(value, field, memberPath(path, known), judgement));
  }
  return Object.fromEntries(result);
}

function judgedValue(value: Json, field: Field, path: string, judgement: Judgement): Json {
  if (value === null || field.type === 'any') return wellFormed(value, path, judgement);
  if (field.type === 'array') return judgedList(value, field, path, judgement);
  if (field.type === 'object') return judgedMessage(value, field, path, judgement);
  return judgedScalar(value, { ...field, type: field.type }, path, judgement);
}

function judgedList(value: Json, field: Field, path: string, judgement: Judgement): Json {
  const { items } = field;
  if (!Array.isArray(value)) return wrong(value, 'a list', path, judgement);
  if (value.length > MAX_MEMBERS) return wrong('...', `a list of at most ${MAX_MEMBERS}`, path, judgement);
  return value.map((item, index) => {
    const at = `${path}[${index}]`;
    if (item === null) return wrong(item, 'no null in lists', at, judgement);
    return items === undefined ? wellFormed(item, at, judgement) : judgedValue(item, items, at, judgement);
  });
}

function judgedMessage(value: Json, field: Field, path: string, judgement: Judgement): Json {
  if (Array.isArray(value)) {
    report(judgement, path, unknownName(lastName(path), '', 'Proto field is not repeating, cannot start list.'));
    return null;
  }
  if (!isObject(value)) return wrong(value, `type.googleapis.com/${field.ref ?? 'Struct'}`, path, judgement);
  const schema = field.ref === undefined ? undefined : judgement.schemas[field.ref];
  if (schema !== undefined) return judgedObject(value, schema, path, judgement);
  const { values } = field;
  const sent = Object.entries(value);
  if (sent.length > MAX_MEMBERS) return wrong('...', `a map of at most ${MAX_MEMBERS}`, path, judgement);
  const members = sent.map(([name, member]): [string, Json] => {
    const at = `${path}[${JSON.stringify(shownText(name))}]`;
    return [
      name,
      values === undefined ? wellFormed(member, at, judgement) : judgedValue(member, values, at, judgement),
    ];
  });
  return Object.fromEntries(members);
}

function judgedScalar(value: Json, wanted: ScalarType, path: string, judgement: Judgement): Json {
  if (typeof value === 'object') {
    const what = Array.isArray(value) ? 'Starting a list on a scalar field' : 'Starting an object on a scalar field';
    report(judgement, path, `Invalid value at '${path}' (${typeWord(wanted)}), ${what}`);
    return null;
  }
  return scalarOf(wanted, value) ?? wrong(value, typeWord(wanted), path, judgement);
}

/** A value that the schema leaves open. Text must be text, though: half a character cannot be stored. */
function wellFormed(value: Json, path: string, judgement: Judgement): Json {
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

function wrong(value: Json, wanted: string, path: string, judgement: Judgement): null {
  const shown = typeof value === 'object' ? typeName(value) : JSON.stringify(cut(value));
  report(judgement, path, `Invalid value at '${path}' (${wanted}), ${shown}`);
  return null;
}

const typeName = (value: Json): string => (value === null ? 'null' : 'an object or a list');

const cut = (value: string | number | boolean): string | number | boolean =>
  typeof value === 'string' ? shownText(value) : value;

function report({ violations }: Judgement, field: string, description: string): void {
  if (violations.length < MAX_VIOLATIONS) violations.push({ field: shownText(field), description });
}

function unknownName(name: string, path: string, why = 'Cannot find field.'): string {
  const at = path === '' ? '' : ` at '${shownText(path)}'`;
  return `Invalid JSON payload received. Unknown name ${JSON.stringify(shownText(name))}${at}: ${why}`;
}

const memberPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
