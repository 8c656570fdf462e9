import type { BodyRefusal } from '../../capabilities/capability-name.ts';
import type { AnyCapability } from '../../capabilities/capability.ts';
import { type BodyIssue, parseBody } from '../../capabilities/parse-body.ts';
import type { PageLanguage } from '../language/language.ts';
import { faultWords } from './fault-words.ts';
import { describeField } from './field-words.ts';
import { getValueKind, type LeafField, listOrderFields, listLeaves } from './fields.ts';
import { buildOrderBody, type OrderBody } from './order-body.ts';

/** What a page needs to know of a row. */
export type PageRow = Pick<
  AnyCapability,
  'summary' | 'body' | 'priceMicroUsdc' | 'worstCaseS' | 'engineBacked' | 'engineCount' | 'refuse'
> & { name: string };

/** The text of a field by its name; undefined where it was not sent. */
export type FieldReader = (name: string) => string | undefined;

/** What is wrong with a field, in the words of the page; without a name it is about the form. */
export type FieldFault = { name?: string | undefined; text: string };

export type JudgedOrder = { body: Record<string, unknown>; faults: readonly FieldFault[] };

/** The body that the fields make. */
export function readOrderBody(row: PageRow, read: FieldReader): OrderBody {
  const leaves = listLeaves(listOrderFields(row));
  return buildOrderBody(
    leaves.map((field) => ({ name: field.name, kind: getValueKind(field), text: read(field.name) ?? '' })),
  );
}

/** Judges filled fields as the paid route does, before anyone pays. */
export async function judgeOrder(row: PageRow, read: FieldReader, language: PageLanguage): Promise<JudgedOrder> {
  const leaves = listLeaves(listOrderFields(row));
  const order = readOrderBody(row, read);
  const parsed = parseBody(row, order.body);
  const describe = (issue: BodyIssue): FieldFault => {
    const field = findLeaf(leaves, order, issue.path);
    return field === undefined
      ? { text: faultWords[language].ofForm(issue.message) }
      : { name: field.name, text: describeFault(field, issue, { read, language }) };
  };
  if (!parsed.ok) return { body: order.body, faults: sortFaults(leaves, parsed.issues.map(describe)) };
  const refused = await row.refuse?.(parsed.input);
  const issues = refused === undefined ? [] : toIssues(refused);
  return { body: order.body, faults: sortFaults(leaves, issues.map(describe)) };
}

/** The code of a refusal is more than its message: it has words of its own. */
const toIssues = ({ code, errors }: BodyRefusal): readonly BodyIssue[] =>
  errors.map(({ pointer, message }) => ({ code, path: pointer.split('/').slice(1), message }));

/** The field that a place in the body comes from; the first field of a group that is missing as a whole. */
function findLeaf(
  leaves: readonly LeafField[],
  { fields }: OrderBody,
  path: readonly PropertyKey[],
): LeafField | undefined {
  const name = findFieldName(fields, path.map(String));
  const isLineOf = (leaf: LeafField): boolean => leaf.kind === 'lines' && name.startsWith(`${leaf.name}.`);
  return (
    leaves.find((leaf) => leaf.name === name || isLineOf(leaf)) ??
    leaves.find((leaf) => leaf.name.startsWith(`${name}.`))
  );
}

function findFieldName(fields: ReadonlyMap<string, string>, path: readonly string[]): string {
  for (let length = path.length; length > 0; length -= 1) {
    const group = fields.get(path.slice(0, length).join('.'));
    if (group !== undefined) return [group, ...path.slice(length)].join('.');
  }
  return path.join('.');
}

type Judging = { read: FieldReader; language: PageLanguage };

function describeFault(field: LeafField, { code, path, message }: BodyIssue, { read, language }: Judging): string {
  const words = faultWords[language];
  const text = read(field.name)?.trim() ?? '';
  const label = describeField(field, language).label;
  if (text === '' && field.kind !== 'flag') return words.empty(label);
  if (field.kind === 'lines') return describeLineFault(field, { code, path, message }, { read, language });
  const own = words.byCode[code] ?? words.byMessage[message];
  if (own !== undefined) return own(label);
  if ('maxLength' in field && field.maxLength !== undefined && text.length > field.maxLength)
    return words.tooLong(label, field.maxLength);
  if (code === 'custom') return words.other(label, message);
  if (field.kind === 'url') return words.noAddress(label);
  if (field.kind === 'number') return words.noNumber(label, field);
  if (field.kind === 'choice') return words.noChoice(label);
  return words.other(label, message);
}

/** Longest line that a fault quotes, in characters. */
const MAX_LINE_QUOTE = 60;

/** What is wrong with a line, which is named by its number among those of the field, blank ones too; or with the list. */
function describeLineFault(field: LeafField, { code, path, message }: BodyIssue, { read, language }: Judging): string {
  const words = faultWords[language];
  const { label } = describeField(field, language);
  const [, ...within] = path.slice(field.name.split('.').length - 1).map(String);
  const at = Number(within[0]);
  if (within.length === 0 || !Number.isInteger(at)) return words.other(label, words.ofList[code] ?? message);
  const lines = (read(field.name) ?? '')
    .split('\n')
    .flatMap((text, index) => (text.trim() === '' ? [] : [{ text, index }]));
  const { text = '', index = at } = lines[at] ?? {};
  const line = text.trim();
  const quoted = line.length > MAX_LINE_QUOTE ? `${line.slice(0, MAX_LINE_QUOTE)}…` : line;
  return words.ofLine(index + 1, quoted, words.ofLines[code] ?? words.ofLines[message] ?? message);
}

/** Faults of lines of one field that are said at once. */
const MAX_LINE_FAULTS = 5;

/** In the order of the form, one for each field; of a field of lines, those of its first wrong lines. */
function sortFaults(leaves: readonly LeafField[], faults: readonly FieldFault[]): readonly FieldFault[] {
  const ofFields = leaves.flatMap(({ name, kind }): readonly FieldFault[] => {
    const own = faults.filter((fault) => fault.name === name).slice(0, kind === 'lines' ? MAX_LINE_FAULTS : 1);
    return own.length === 0 ? [] : [{ name, text: own.map(({ text }) => text).join(' ') }];
  });
  return [...ofFields, ...faults.filter(({ name }) => name === undefined)];
}
