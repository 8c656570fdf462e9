import { getMember, isObject, isText, type Json, type JsonObject, toTexts } from '../../lib/json.ts';
import { type AnyCapability, buildBodySchema } from '../../capabilities/capability.ts';
import type { TypedValueKind } from './order-body.ts';

/** Characters from which on a text gets a field of several lines. */
const LONG_TEXT = 200;
/** Groups of a list that a form shows at most. */
const MAX_GROUPS = 10;
/** Groups of a list whose schema names no end. */
const USUAL_GROUPS = 3;
/** Depth of groups within groups; what lies deeper is written as JSON. */
const MAX_DEPTH = 3;

type FieldBase = {
  /** Name in the form: members and numbers of lists, joined by dots. */
  name: string;
  /** Name of the member, for its words. */
  member: string;
  isRequired: boolean;
  /** What the schema says of it, in English. */
  description?: string | undefined;
};

/** A field of one value. */
export type LeafField = FieldBase &
  (
    | { kind: 'text' | 'long_text' | 'url'; maxLength?: number | undefined }
    | { kind: 'number'; isWhole: boolean; min?: number | undefined; max?: number | undefined }
    | { kind: 'choice'; options: readonly string[]; isText: boolean }
    /** `maxLength`: of all lines together, where the schema bounds their number. */
    | { kind: 'lines'; maxLength?: number | undefined }
    | { kind: 'flag' | 'json' }
  );

/** A group of fields, or several alike: in each of `groups` all fields are empty together, beyond the first `needed`. */
export type GroupField = FieldBase & {
  kind: 'group';
  isList: boolean;
  needed: number;
  groups: readonly (readonly FormField[])[];
};

export type FormField = LeafField | GroupField;

type Place = Omit<FieldBase, 'description'> & { depth: number };

const known = new WeakMap<object, readonly FormField[]>();

/** Members that mean something else in one row than in the others: where their words are. */
const OWN_MEMBERS: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>> = {
  seller_check: { url: 'seller_url' },
};

/** The fields of a form for the body of a row, in the order of its schema; made once for each schema. */
export function listOrderFields(row: Pick<AnyCapability, 'body'> & { name?: string }): readonly FormField[] {
  const made = known.get(row.body);
  if (made !== undefined) return made;
  const own = OWN_MEMBERS[row.name ?? ''];
  const fields = listMembers(buildBodySchema(row) as JsonObject, { under: '', isNeeded: true, depth: 0 }).map(
    (field) => ({
      ...field,
      member: own?.[field.member] ?? field.member,
    }),
  );
  known.set(row.body, fields);
  return fields;
}

type Members = { under: string; isNeeded: boolean; depth: number };

function listMembers(schema: JsonObject, { under, isNeeded, depth }: Members): readonly FormField[] {
  const properties = getMember(schema, 'properties');
  const required = toTexts(getMember(schema, 'required'));
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([member, one]) =>
    isObject(one)
      ? [toField(one, { name: `${under}${member}`, member, isRequired: isNeeded && required.includes(member), depth })]
      : [],
  );
}

function toField(given: JsonObject, place: Place): FormField {
  const schema = withoutNull(given);
  const description = [getMember(schema, 'description'), getMember(given, 'description')].find(isText);
  const { depth, ...named } = place;
  const base = { ...named, ...(description === undefined ? {} : { description }) };
  const options = getMember(schema, 'enum');
  if (Array.isArray(options))
    return { ...base, kind: 'choice', options: options.map(formatOption), isText: options.every(isText) };
  switch (readType(schema)) {
    case 'string':
      return { ...base, ...describeText(schema) };
    case 'boolean':
      return { ...base, kind: 'flag' };
    case 'integer':
    case 'number':
      return { ...base, ...describeNumber(schema) };
    case 'array':
      return toListField(schema, base, depth);
    case 'object':
      return toGroupField(schema, base, depth);
    default:
      return { ...base, kind: 'json' };
  }
}

/** The other one of two alternatives where one of them is null: an empty field is left out. */
function withoutNull(schema: JsonObject): JsonObject {
  const either = getMember(schema, 'anyOf');
  if (!Array.isArray(either)) return schema;
  const [one, ...more] = either.filter((each) => isObject(each) && getMember(each, 'type') !== 'null');
  return isObject(one) && more.length === 0 ? one : schema;
}

/** The one type of a schema beside null. */
function readType(schema: JsonObject): string | undefined {
  const given = getMember(schema, 'type');
  const types = isText(given) ? [given] : toTexts(given).filter((type) => type !== 'null');
  return types.length === 1 ? types[0] : undefined;
}

const formatOption = (value: Json): string => (isText(value) ? value : JSON.stringify(value));

const readNumber = (schema: JsonObject, name: string): number | undefined => {
  const value = getMember(schema, name);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
};

function describeText(schema: JsonObject) {
  const maxLength = readNumber(schema, 'maxLength');
  if (getMember(schema, 'format') === 'uri') return { kind: 'url', maxLength } as const;
  return { kind: (maxLength ?? 0) > LONG_TEXT ? 'long_text' : 'text', maxLength } as const;
}

function describeNumber(schema: JsonObject) {
  const [min, max] = [dropExtreme(readNumber(schema, 'minimum')), dropExtreme(readNumber(schema, 'maximum'))];
  return { kind: 'number', isWhole: readType(schema) === 'integer', min, max } as const;
}

/** The ends of all whole numbers bound nothing. */
const dropExtreme = (bound: number | undefined): number | undefined =>
  bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;

function toListField(schema: JsonObject, base: FieldBase, depth: number): FormField {
  const items = getMember(schema, 'items');
  if (!isObject(items)) return { ...base, kind: 'json' };
  if (readType(items) === 'string') return { ...base, kind: 'lines', maxLength: computeLinesLength(schema, items) };
  if (!isObject(getMember(items, 'properties')) || depth >= MAX_DEPTH) return { ...base, kind: 'json' };
  const least = readNumber(schema, 'minItems') ?? 1;
  const needed = base.isRequired ? least : 0;
  const count = Math.min(Math.max(readNumber(schema, 'maxItems') ?? USUAL_GROUPS, least), MAX_GROUPS);
  const groups = Array.from({ length: count }, (_each, index) =>
    listMembers(items, { under: `${base.name}.${index}.`, isNeeded: index < needed, depth: depth + 1 }),
  );
  return { ...base, kind: 'group', isList: true, needed, groups };
}

/** With a line break behind each. */
function computeLinesLength(schema: JsonObject, items: JsonObject): number | undefined {
  const [lines, each] = [readNumber(schema, 'maxItems'), readNumber(items, 'maxLength')];
  return lines === undefined || each === undefined ? undefined : lines * (each + 1);
}

function toGroupField(schema: JsonObject, base: FieldBase, depth: number): FormField {
  if (!isObject(getMember(schema, 'properties')) || depth >= MAX_DEPTH) return { ...base, kind: 'json' };
  const under = { under: `${base.name}.`, isNeeded: base.isRequired, depth: depth + 1 };
  const groups = [listMembers(schema, under)];
  return { ...base, kind: 'group', isList: false, needed: base.isRequired ? 1 : 0, groups };
}

/** All fields that hold a value, groups opened. */
export const listLeaves = (fields: readonly FormField[]): readonly LeafField[] =>
  fields.flatMap((field) => (field.kind === 'group' ? field.groups.flatMap(listLeaves) : [field]));

/** How the text of a field becomes a value. A flag that must be answered is sent as false where it is not set. */
export function getValueKind(field: LeafField): TypedValueKind {
  if (field.kind === 'flag') return field.isRequired ? 'answer' : 'flag';
  if (field.kind === 'choice') return field.isText ? 'text' : 'json';
  return field.kind === 'number' || field.kind === 'lines' || field.kind === 'json' ? field.kind : 'text';
}
