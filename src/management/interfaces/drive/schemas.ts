import { isText, type JsonObject, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { RowSortOrder } from '../../core/engine/stored-row.ts';

const MAX_NAME_CHARS = 1_024;
const MAX_CONTENT_CHARS = 4_096;
const FILE_ID = /^[A-Za-z0-9_-]{10,100}$/;
const REPLY_ACTIONS = ['', 'resolve', 'reopen'];
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
/** What `orderBy` can name, by the index that holds it. */
const ORDERS: Readonly<Record<string, RowSortOrder['by']>> = {
  name: 's1',
  name_natural: 's1',
  createdTime: 's2',
  modifiedTime: 's3',
};

export function requireFileId(id: string): string {
  if (!FILE_ID.test(id)) throw vendorRefusals.invalid('The provided file ID is not usable.');
  return id;
}

export function requireFileName(name: string): string {
  if (name.length > MAX_NAME_CHARS) throw vendorRefusals.invalid('Invalid Value');
  return name;
}

/** The text of a comment or reply. @throws Refusal 400 for a long one, and for none where it is needed */
export function requireContent(sent: JsonObject, isNeeded = true): string {
  const content = getTextMember(sent, 'content');
  if (content === '' && isNeeded) throw vendorRefusals.required('content');
  if (content.length > MAX_CONTENT_CHARS) throw vendorRefusals.invalid('Invalid Value');
  return content;
}

/** What a reply does to its comment; '' for one that only says something. */
export function parseReplyAction(sent: JsonObject): string {
  const action = getTextMember(sent, 'action');
  if (!REPLY_ACTIONS.includes(action)) throw vendorRefusals.invalid('Invalid Value');
  return action;
}

/** `startModifiedTime` in milliseconds; undefined where it is not sent. */
export function parseStartTime(since: unknown): number | undefined {
  if (!isText(since) || since === '') return undefined;
  if (!RFC_3339.test(since)) throw vendorRefusals.invalid('Invalid Value');
  return Date.parse(since);
}

/** The newest first when nothing is said. @throws Refusal 400 for a field that has no index */
export function parseOrder(orderBy: unknown): RowSortOrder {
  if (!isText(orderBy) || orderBy.trim() === '') return { by: 's3', descending: true };
  const [field = '', direction, ...rest] = orderBy.trim().split(' ');
  const by = Object.hasOwn(ORDERS, field) ? ORDERS[field] : undefined;
  if (by === undefined || rest.length > 0 || (direction ?? 'desc') !== 'desc')
    throw vendorRefusals.invalid('Invalid Value');
  return { by, descending: direction === 'desc' };
}

const MAX_QUERY_CHARS = 2_000;
const MAX_CLAUSES = 20;
/** `name = 'x'`, `name contains 'x'`, `mimeType != 'x'`. Quotes inside are written `\'`. */
const TEXT_CLAUSE = /^(name|mimeType|fullText) *(=|!=|contains) *'((?:[^'\\]|\\.)*)'$/;
const FLAG_CLAUSE = /^(trashed|starred) *(=|!=) *(true|false)$/;
const PARENT_CLAUSE = /^'([A-Za-z0-9_-]{1,100})' +in +parents$/;

/**
 * The test that a `q` says: clauses joined by `and` over name, mimeType, trashed, starred and parents.
 * @throws Refusal 400 `Invalid Value` for any other
 */
export function createFileTest(query: string): (file: JsonObject) => boolean {
  const clauses = query.length > MAX_QUERY_CHARS ? [] : splitClauses(query);
  if (clauses.length === 0 || clauses.length > MAX_CLAUSES) throw vendorRefusals.invalid('Invalid Value');
  const tests = clauses.map(createClauseTest);
  return (file) => tests.every((test) => test(file));
}

function createClauseTest(clause: string): (file: JsonObject) => boolean {
  const [, field, how, quoted] = TEXT_CLAUSE.exec(clause) ?? [];
  if (field !== undefined && quoted !== undefined) return createTextTest(field, how, quoted.replace(/\\(.)/g, '$1'));
  const [, flag, operator, wanted] = FLAG_CLAUSE.exec(clause) ?? [];
  if (flag !== undefined) return (file) => (file[flag] === true) === ((wanted === 'true') === (operator === '='));
  const [, parent] = PARENT_CLAUSE.exec(clause) ?? [];
  if (parent === undefined) throw vendorRefusals.invalid('Invalid Value');
  return ({ parents }) => Array.isArray(parents) && parents.includes(parent);
}

/** `contains` is for the beginning of words in names, and for any place elsewhere: any place is taken here. */
function createTextTest(field: string, how: string | undefined, wanted: string): (file: JsonObject) => boolean {
  const name = field === 'fullText' ? 'name' : field;
  return (file) => {
    const value = file[name];
    const text = isText(value) ? value : '';
    if (how === 'contains') return text.toLowerCase().includes(wanted.toLowerCase());
    return (text === wanted) === (how === '=');
  };
}

/** Parts between ` and `s outside quotes. */
function splitClauses(query: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  for (const word of query.trim().split(' ')) {
    if (word === 'and' && !isQuoted) {
      parts.push(part.trim());
      part = '';
      continue;
    }
    part += `${word} `;
    if (word.replaceAll("\\'", '').split("'").length % 2 === 0) isQuoted = !isQuoted;
  }
  return [...parts, part.trim()];
}
