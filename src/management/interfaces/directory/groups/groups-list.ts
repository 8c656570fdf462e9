import { pageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { Listed, ListQuery, StoredRow } from '../../../core/engine/stored-row.ts';
import { isText } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { COLLECTIONS } from '../collections.ts';
import { pageAnswer, pageOf, type Source } from '../filtered-list.ts';
import { fitsQuery, parseGroupQuery, type GroupQuery } from './group-query.ts';
import { GROUP_PAGE, groups } from './groups.ts';
import { domainOf, isOwnDomain, requireCustomer } from '../keys.ts';
import { namedBy } from './member-keys.ts';
import { textOf } from '../texts.ts';

/** Groups of one member that are sorted by address. */
const MAX_SORTED = 2_000;

/** What a list of groups is narrowed to, and its order. */
type Wanted = { domain?: string; member?: string; query: GroupQuery; isOrdered: boolean; descending: boolean };

export const groupListHandlers: Handlers = {
  'directory.groups.list': (call, context) => {
    const wanted = wantedBy(call, context);
    const isWhole = wanted.query.clauses.length === 0 && (wanted.domain === undefined || wanted.member === undefined);
    const matches = isWhole ? undefined : (row: StoredRow) => fits(row, wanted);
    const size = pageSize(call.query['maxResults'], GROUP_PAGE);
    return pageAnswer(groups, pageOf(sourceOf(wanted, context), size, context, matches), call, context);
  },
};

function wantedBy({ query }: Call, context: Context): Wanted {
  const { customer, domain, userKey } = query;
  if (isText(customer) && isText(userKey)) throw refuse.invalid('Invalid Input: userKey cannot be used with customer');
  if (!isText(customer) && !isText(domain) && !isText(userKey)) throw refuse.required('customer, domain or userKey');
  if (isText(customer)) requireCustomer(customer, context);
  const lower = isText(domain) ? domain.toLowerCase() : undefined;
  if (lower !== undefined && !isOwnDomain(lower, context)) throw refuse.missing('Domain not found.');
  const asked = isText(query['query']) && query['query'] !== '' ? parseGroupQuery(query['query']) : { clauses: [] };
  const user = isText(userKey) ? memberId(userKey, 'userKey', context) : undefined;
  const member = asked.memberKey === undefined ? user : memberId(asked.memberKey, 'memberKey', context);
  const isOrdered = query['orderBy'] !== undefined;
  return {
    ...(lower !== undefined && { domain: lower }),
    ...(member !== undefined && { member }),
    query: asked,
    isOrdered,
    descending: isOrdered && query['sortOrder'] === 'DESCENDING',
  };
}

function memberId(key: string, what: string, context: Context): string {
  const named = namedBy(key, context);
  if (named === undefined) throw refuse.notFound(what);
  return named.id;
}

function sourceOf(wanted: Wanted, context: Context): Source {
  const { member } = wanted;
  if (member === undefined) return (after, limit) => context.store.list({ ...narrowest(wanted), after, limit });
  return wanted.isOrdered ? byAddress(member, wanted, context) : byGroupId(member, context);
}

/** The index that leaves fewest rows to look at: by address, by domain and address, or by name where no order is asked for. */
function narrowest({ domain, query, isOrdered, descending }: Wanted): Omit<ListQuery, 'limit'> {
  const top = { collection: COLLECTIONS.groups, parent: '' };
  const valueOf = (field: 'name' | 'email') => query.clauses.find((clause) => clause.field === field)?.value;
  const [email, name] = [valueOf('email'), valueOf('name')];
  if (email === undefined && name !== undefined && !isOrdered) return { ...top, order: { by: 's3' }, prefix: name };
  if (domain === undefined) return { ...top, order: { by: 's1', descending }, prefix: email };
  return { ...top, order: { by: 's2', descending }, prefix: `${domain}\n${email ?? ''}` };
}

/** Groups that a member is directly in, in the order of their ids: one statement, and one for each group. */
const byGroupId =
  (member: string, { store }: Context): Source =>
  (after, limit) =>
    store
      .byRef(COLLECTIONS.members, member, limit, after && { parent: after.id, id: member })
      .flatMap((row) => groupIn(row, '', store));

/** The same by address: all of them are read, so they may not be too many. */
function byAddress(member: string, { descending }: Wanted, { store }: Context): Source {
  const rows = store.byRef(COLLECTIONS.members, member, MAX_SORTED + 1);
  if (rows.length > MAX_SORTED) throw refuse.limitExceeded('Too many groups to sort: leave orderBy out');
  const sign = descending ? -1 : 1;
  const sorted = rows
    .flatMap((row) => groupIn(row, 'email', store))
    .toSorted((a, b) => compare(a.cursor.sort, b.cursor.sort) * sign);
  return (after, limit) =>
    sorted.filter(({ cursor }) => after === undefined || compare(cursor.sort, after.sort) * sign > 0).slice(0, limit);
}

function groupIn({ parent }: StoredRow, sortedBy: 'email' | '', store: Context['store']): Listed[] {
  const row = store.get(COLLECTIONS.groups, '', parent);
  return row === undefined ? [] : [{ row, cursor: { sort: textOf(row.body, sortedBy), id: row.id } }];
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

function fits({ body }: StoredRow, { domain, query }: Wanted): boolean {
  const email = textOf(body, 'email');
  if (domain !== undefined && domainOf(email) !== domain) return false;
  return fitsQuery(query, { email, name: textOf(body, 'name').toLowerCase() });
}
