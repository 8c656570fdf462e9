import { isText, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { readPageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ListedRow, ListQuery, ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS } from '../collections.ts';
import { answerRowPage, readRowPage, type RowSource } from '../../../core/engine/filtered-list.ts';
import { extractEmailDomain, isOwnDomain, requireCustomer } from '../keys.ts';
import { GROUP_PAGE, directoryGroups } from './groups.ts';
import { findPrincipal } from './members.ts';

/** What `query=` of groups.list asks for: every clause must hold. */
type GroupQuery = {
  /** The address or id of a member: direct ones only. */
  memberKey?: string;
  clauses: readonly Clause[];
};
type Clause = { field: 'name' | 'email'; value: string; isPrefix: boolean };

/** Longest query and most clauses that are read. */
const MAX_QUERY_CHARS = 2_000;
const MAX_CLAUSES = 10;
/** `name:'a b*'`, `email=x@example.com`, `memberKey=...`; in quotes, `\` keeps a quote from ending the value. */
const CLAUSE = /\s*(name|email|memberKey)\s*([:=])\s*(?:'((?:[^'\\]|\\.)*)'|([^\s']+))/y;

/** @throws Refusal 400 `Invalid Input: query` for anything that is no list of clauses */
function parseGroupQuery(query: string): GroupQuery {
  if (query.length > MAX_QUERY_CHARS) throw vendorRefusals.invalidInput('query');
  const parsed: { memberKey?: string; clauses: Clause[] } = { clauses: [] };
  const text = query.trimEnd();
  CLAUSE.lastIndex = 0;
  for (let count = 0; count < MAX_CLAUSES && CLAUSE.lastIndex < text.length; count++) {
    const match = CLAUSE.exec(text);
    if (match === null) throw vendorRefusals.invalidInput('query');
    const [, field = '', operator, quoted, bare = ''] = match;
    const value = quoted === undefined ? bare : quoted.replaceAll(/\\(.)/g, '$1');
    if (field === 'memberKey') parsed.memberKey = value;
    else parsed.clauses.push(buildClause(field as Clause['field'], value, operator === ':'));
    if (CLAUSE.lastIndex === text.length) return parsed;
  }
  throw vendorRefusals.invalidInput('query');
}

/** Whether a group with this name and address (lower case) is asked for. */
function isQueryMatch(query: GroupQuery, group: { name: string; email: string }): boolean {
  return query.clauses.every(({ field, value, isPrefix }) =>
    isPrefix ? group[field].startsWith(value) : group[field] === value,
  );
}

/** `:` finds values that begin so, with or without the star; `=` the same value. Case does not count. */
function buildClause(field: Clause['field'], value: string, isPrefix: boolean): Clause {
  const lower = value.toLowerCase();
  if (lower === '' || lower === '*') throw vendorRefusals.invalidInput('query');
  return { field, value: isPrefix && lower.endsWith('*') ? lower.slice(0, -1) : lower, isPrefix };
}

/** Groups of one member that are sorted by address. */
const MAX_SORTED = 2_000;

/** What a list of groups is narrowed to, and its order. */
type GroupListRequest = {
  domain?: string;
  member?: string;
  query: GroupQuery;
  isOrdered: boolean;
  descending: boolean;
};

export const groupListHandlers: Handlers = {
  'directory.groups.list': (call, context) => {
    const wanted = readGroupListRequest(call, context);
    const isWhole = wanted.query.clauses.length === 0 && (wanted.domain === undefined || wanted.member === undefined);
    const matches = isWhole ? undefined : (row: ResourceRow) => isGroupMatch(row, wanted);
    const size = readPageSize(call.query['maxResults'], GROUP_PAGE);
    return answerRowPage(
      directoryGroups,
      readRowPage(createGroupSource(wanted, context), size, context, matches),
      call,
      context,
    );
  },
};

function readGroupListRequest({ query }: Call, context: Context): GroupListRequest {
  const { customer, domain, userKey } = query;
  if (isText(customer) && isText(userKey))
    throw vendorRefusals.invalid('Invalid Input: userKey cannot be used with customer');
  if (!isText(customer) && !isText(domain) && !isText(userKey))
    throw vendorRefusals.required('customer, domain or userKey');
  if (isText(customer)) requireCustomer(customer, context);
  const lower = isText(domain) ? domain.toLowerCase() : undefined;
  if (lower !== undefined && !isOwnDomain(lower, context)) throw vendorRefusals.missing('Domain not found.');
  const asked = isText(query['query']) && query['query'] !== '' ? parseGroupQuery(query['query']) : { clauses: [] };
  const user = isText(userKey) ? requireMemberId(userKey, 'userKey', context) : undefined;
  const member = asked.memberKey === undefined ? user : requireMemberId(asked.memberKey, 'memberKey', context);
  const isOrdered = query['orderBy'] !== undefined;
  return {
    ...(lower !== undefined && { domain: lower }),
    ...(member !== undefined && { member }),
    query: asked,
    isOrdered,
    descending: isOrdered && query['sortOrder'] === 'DESCENDING',
  };
}

function requireMemberId(key: string, what: string, context: Context): string {
  const named = findPrincipal(key, context);
  if (named === undefined) throw vendorRefusals.notFound(what);
  return named.id;
}

function createGroupSource(wanted: GroupListRequest, context: Context): RowSource {
  const { member } = wanted;
  if (member === undefined)
    return (after, limit) => context.store.list({ ...selectNarrowestIndex(wanted), after, limit });
  return wanted.isOrdered ? createAddressSource(member, wanted, context) : createGroupIdSource(member, context);
}

/** The index that leaves fewest rows to look at: by address, by domain and address, or by name where no order is asked for. */
function selectNarrowestIndex({ domain, query, isOrdered, descending }: GroupListRequest): Omit<ListQuery, 'limit'> {
  const top = { collection: COLLECTIONS.groups, parent: '' };
  const valueOf = (field: 'name' | 'email') => query.clauses.find((clause) => clause.field === field)?.value;
  const [email, name] = [valueOf('email'), valueOf('name')];
  if (email === undefined && name !== undefined && !isOrdered) return { ...top, order: { by: 's3' }, prefix: name };
  if (domain === undefined) return { ...top, order: { by: 's1', descending }, prefix: email };
  return { ...top, order: { by: 's2', descending }, prefix: `${domain}\n${email ?? ''}` };
}

/** Groups that a member is directly in, in the order of their ids: one statement, and one for each group. */
const createGroupIdSource =
  (member: string, { store }: Context): RowSource =>
  (after, limit) =>
    store
      .byRef(COLLECTIONS.members, member, limit, after && { parent: after.id, id: member })
      .flatMap((row) => readListedGroup(row, '', store));

/** The same by address: all of them are read, so they may not be too many. */
function createAddressSource(member: string, { descending }: GroupListRequest, { store }: Context): RowSource {
  const rows = store.byRef(COLLECTIONS.members, member, MAX_SORTED + 1);
  if (rows.length > MAX_SORTED) throw vendorRefusals.limitExceeded('Too many groups to sort: leave orderBy out');
  const sign = descending ? -1 : 1;
  const sorted = rows
    .flatMap((row) => readListedGroup(row, 'email', store))
    .toSorted((a, b) => compare(a.cursor.sort, b.cursor.sort) * sign);
  return (after, limit) =>
    sorted.filter(({ cursor }) => after === undefined || compare(cursor.sort, after.sort) * sign > 0).slice(0, limit);
}

function readListedGroup({ parent }: ResourceRow, sortedBy: 'email' | '', store: Context['store']): ListedRow[] {
  const row = store.get(COLLECTIONS.groups, '', parent);
  return row === undefined ? [] : [{ row, cursor: { sort: getTextMember(row.body, sortedBy), id: row.id } }];
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

function isGroupMatch({ body }: ResourceRow, { domain, query }: GroupListRequest): boolean {
  const email = getTextMember(body, 'email');
  if (domain !== undefined && extractEmailDomain(email) !== domain) return false;
  return isQueryMatch(query, { email, name: getTextMember(body, 'name').toLowerCase() });
}
