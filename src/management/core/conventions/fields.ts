import { ANY_NAME, type Mask, parseMask } from '../../../lib/member-mask.ts';
import { Refusal, type RefusalData } from '../../../lib/refusal.ts';
import type { SchemaField, MethodRow, Schema, Schemas } from '../table/method-row.ts';
import { refuseBadParameter, truncateSentText } from './invalid.ts';
import { findKnownName, MAX_LONG_TEXT_CHARS } from './names.ts';
import { acceptValue, captureOutcome, rejectWith, type JudgementOutcome } from './outcome.ts';

/**
 * The members of an answer that are wanted, and the members of those (of a list: of its items): `true` for all of one.
 * What is wanted further inside is not in it.
 */
export type AnswerSelection = Readonly<Record<string, true | readonly string[]>>;

/** Every object has them, whether the schema says so or not. */
const ENVELOPE: ReadonlySet<string> = new Set(['kind', 'etag', 'nextPageToken']);

/**
 * Parses the `fields` parameter: `a,b/c(d,e),*`. `/` descends into objects and into the items of lists; so does `.`,
 * the spelling of `$fields`. Spaces around names are ignored. At most 100 paths, 10 deep (rule K9).
 */
export function parseFields(text: string): JudgementOutcome<Mask> {
  if (text.length > MAX_LONG_TEXT_CHARS) return rejectWith(refuseInvalidSelection(text));
  const parsed = parseMask(text);
  return parsed.ok ? acceptValue(parsed.mask) : rejectWith(refuseInvalidSelection(parsed.what));
}

/**
 * Judges a mask by the schema of the answer. Below maps and `any` every name is right; below `*` a name is right when one of
 * the members has it.
 * @returns the mask with the names of the schema, where they were sent in snake case; 400 for a name that nothing has
 */
export function judgeFields(mask: Mask, schema: string, schemas: Schemas): JudgementOutcome<Mask> {
  return captureOutcome(() => judgeMaskMembers(mask, [{ type: 'object', ref: schema }], schemas));
}

/** All that a value may be is judged at once: each name costs a look at every schema, however many ways lead there. */
function judgeMaskMembers(mask: Mask, fields: readonly SchemaField[], schemas: Schemas): Mask {
  const single = fields.map(getItemField);
  if (mask.names.size === 0 || single.some(isOpen)) return mask;
  const refs = new Set(single.flatMap(({ ref }) => ref ?? []));
  const members = [...refs].map((ref): Schema => schemas[ref] ?? {});
  const values = [...new Set(single.flatMap((field) => field.values ?? []))];
  const names = [...mask.names].map(([name, inner]): [string, Mask] => {
    const named = members.flatMap((schema) => listNamedMembers(name, schema));
    const inside = [...named.map(([, field]) => field), ...values];
    if (inside.length === 0) throw new Refusal(refuseInvalidSelection(name));
    const known = values.length > 0 || name === ANY_NAME ? undefined : named[0]?.[0];
    return [known ?? name, judgeMaskMembers(inner, inside, schemas)];
  });
  return { whole: mask.whole, names: new Map(names) };
}

function listNamedMembers(name: string, schema: Schema): [string, SchemaField][] {
  if (name === ANY_NAME) return Object.entries(schema);
  const known = findKnownName(schema, name);
  const field = known === undefined ? undefined : schema[known];
  if (known !== undefined && field !== undefined) return [[known, field]];
  return ENVELOPE.has(name) ? [[name, { type: 'string' }]] : [];
}

/** Any name is right below it: no schema says what is there. */
const isOpen = ({ type, ref, values }: SchemaField): boolean =>
  type === 'any' || type === 'array' || (type === 'object' && ref === undefined && values === undefined);

/** What a selection goes into: of a list, its items. */
function getItemField(field: SchemaField): SchemaField {
  return field.type === 'array' && field.items !== undefined ? getItemField(field.items) : field;
}

/** The outer two levels of a mask, for those who read and show less; undefined where all members are wanted. */
export function selectAnswerMembers({ whole, names }: Mask): AnswerSelection | undefined {
  if (whole || names.has(ANY_NAME)) return undefined;
  const members = [...names].map(([name, inner]): [string, true | readonly string[]] => [
    name,
    inner.whole || inner.names.has(ANY_NAME) ? true : [...inner.names.keys()],
  ]);
  return Object.fromEntries(members);
}

/**
 * The mask for an answer of a method, by what the call asked for and by the row's own rule: a default selection, or that one
 * must be given. Undefined: the whole answer. `fields=` is as good as none.
 */
export function readAnswerMask(
  row: MethodRow,
  asked: string | undefined,
  schemas: Schemas,
): JudgementOutcome<Mask | undefined> {
  const text = asked ?? '';
  if (text.trim() !== '') return judgeSelection(text, row, schemas);
  if (row.fields === undefined) return acceptValue(undefined);
  return 'default' in row.fields ? judgeSelection(row.fields.default, row, schemas) : rejectWith(FIELDS_REQUIRED);
}

function judgeSelection(text: string, row: MethodRow, schemas: Schemas): JudgementOutcome<Mask | undefined> {
  const parsed = parseFields(text);
  if (!parsed.ok || row.response === undefined) return parsed;
  return judgeFields(parsed.value, row.response, schemas);
}

const FIELDS_REQUIRED: RefusalData = refuseBadParameter(
  'fields',
  "The 'fields' parameter is required for this method.",
  'required',
);

const refuseInvalidSelection = (what: string): RefusalData =>
  refuseBadParameter('fields', `Invalid field selection ${truncateSentText(what)}`);
