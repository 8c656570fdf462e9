import { isText, type JsonObject, getTextMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { type Collection, defineCollectionHandlers, readPageSize } from '../../core/engine/collection.ts';
import type { Context, Handler, Handlers } from '../../core/engine/operation.ts';
import type { RowSortOrder, ResourceRow } from '../../core/engine/stored-row.ts';
import { answerRowPage, readRowPage, type RowSource } from '../../core/engine/filtered-list.ts';
import { DRIVE, refuseMissingDriveItem, buildDriveUser } from './rows.ts';

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
function createFileTest(query: string): (file: JsonObject) => boolean {
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

const SIZES = { parameter: 'pageSize', default: 100, max: 1_000 } as const;
const MAX_NAME_CHARS = 1_024;
/** Random bytes of a file's id: 33 characters begin with 1, as the vendor's do. */
const ID_BYTES = 16;
const ID = /^[A-Za-z0-9_-]{10,100}$/;
/** What `orderBy` can name, by the index that holds it. */
const ORDERS: Readonly<Record<string, RowSortOrder['by']>> = {
  name: 's1',
  name_natural: 's1',
  createdTime: 's2',
  modifiedTime: 's3',
};
/** Comments of a file that go with it in one call. */
const MAX_COMMENTS = 1_000;

/** Files by their metadata: content is not kept. */
export const files: Collection = {
  name: DRIVE.files,
  schema: 'File',
  kind: 'drive#file',
  listKind: 'drive#fileList',
  items: 'files',
  page: SIZES,
  find: ({ path }, context) => requireDriveFile(path['fileId'] ?? '', context),
  create: (call, context, sent) => {
    const id = getTextMember(sent, 'id') || `1${context.random(ID_BYTES)}`;
    if (!ID.test(id)) throw vendorRefusals.invalid('The provided file ID is not usable.');
    const nowIso = new Date(context.now()).toISOString();
    const name = getTextMember(sent, 'name') || 'Untitled';
    if (name.length > MAX_NAME_CHARS) throw vendorRefusals.invalid('Invalid Value');
    const user = buildDriveUser(call, context);
    const body: JsonObject = {
      mimeType: 'application/octet-stream',
      parents: [`0A${context.tenant.id}`],
      starred: false,
      trashed: false,
      createdTime: nowIso,
      modifiedTime: nowIso,
      ...sent,
      id,
      name,
      ownedByMe: true,
      owners: [user],
      lastModifyingUser: user,
      version: '1',
    };
    return {
      id,
      body,
      s1: name.toLowerCase(),
      s2: getTextMember(body, 'createdTime'),
      s3: getTextMember(body, 'modifiedTime'),
    };
  },
  removing: ({ id }, _call, { store }) => {
    const comments = store.list({ collection: DRIVE.comments, parent: id, limit: MAX_COMMENTS });
    for (const { row } of comments) store.removeAll(DRIVE.replies, `${id}/${row.id}`);
    store.removeAll(DRIVE.comments, id);
  },
};

const list: Handler = (call, context) => {
  const { q, orderBy } = call.query;
  const order = parseOrder(orderBy);
  const matches = isText(q) && q.trim() !== '' ? createFileTest(q) : undefined;
  const source: RowSource = (after, limit) =>
    context.store.list({ collection: DRIVE.files, parent: '', order, after, limit });
  const page = readRowPage(
    source,
    readPageSize(call.query['pageSize'], SIZES),
    context,
    matches && (({ body }) => matches(body)),
  );
  return { incompleteSearch: false, ...answerRowPage(files, page, call, context) };
};

export const fileHandlers: Handlers = {
  ...defineCollectionHandlers(files, {
    get: 'drive.files.get',
    insert: 'drive.files.create',
    delete: 'drive.files.delete',
  }),
  'drive.files.list': list,
};

/** @throws Refusal 404 `File not found: <id>.` */
export function requireDriveFile(id: string, { store }: Context): ResourceRow {
  return store.get(DRIVE.files, '', id) ?? refuseMissingDriveItem('File', id, 'fileId');
}

/** The newest first when nothing is said. @throws Refusal 400 for a field that has no index */
function parseOrder(orderBy: unknown): RowSortOrder {
  if (!isText(orderBy) || orderBy.trim() === '') return { by: 's3', descending: true };
  const [field = '', direction, ...rest] = orderBy.trim().split(' ');
  const by = Object.hasOwn(ORDERS, field) ? ORDERS[field] : undefined;
  if (by === undefined || rest.length > 0 || (direction ?? 'desc') !== 'desc')
    throw vendorRefusals.invalid('Invalid Value');
  return { by, descending: direction === 'desc' };
}
