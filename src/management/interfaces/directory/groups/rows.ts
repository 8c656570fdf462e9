import { sha256 } from '@noble/hashes/sha2';
import { extractEmailDomain } from '../../../../lib/email.ts';
import { getTextMember, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { RowSource } from '../../../core/engine/filtered-list.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { Indexed, ListedRow, ListQuery, ResourceRow } from '../../../core/engine/stored-row.ts';
import { hasDomainAliases } from '../customers/rows.ts';
import { COLLECTIONS, findAddressHolder, isOwnDomain, USER_ID_DIGITS } from '../rows.ts';
import { isEmail } from '../schemas.ts';
import type { GroupQuery } from './schemas.ts';

/** Whom a key names: a user, a group, everybody of the tenant, or an address outside of it. */
export type DirectoryPrincipal =
  | { kind: 'user' | 'group'; id: string; row: ResourceRow }
  | { kind: 'customer'; id: string }
  | { kind: 'outside'; id: string; email: string };

/** Undefined for a key that nothing in the tenant has, and that is no address outside of it. */
export function findPrincipal(key: string, context: Context): DirectoryPrincipal | undefined {
  if (key === 'my_customer' || key === context.tenant.id) return { kind: 'customer', id: context.tenant.id };
  const row = key.includes('@') ? findAddressHolder(key, context) : findUserOrGroup(key, context);
  if (row !== undefined) return { kind: row.collection === COLLECTIONS.users ? 'user' : 'group', id: row.id, row };
  const email = key.toLowerCase();
  if (!isEmail(email) || isOwnDomain(extractEmailDomain(email), context)) return undefined;
  return { kind: 'outside', id: computeOutsiderId(email), email };
}

/** The membership that a key names in a group: by any address or id of a member, or the id that an outsider is shown with. */
export function findMembership(groupId: string, key: string, context: Context): ResourceRow | undefined {
  const { store } = context;
  const id = findPrincipal(key, context)?.id ?? key;
  const found = store.get(COLLECTIONS.members, groupId, id);
  if (found !== undefined || !key.includes('@')) return found;
  return store.get(COLLECTIONS.members, groupId, computeOutsiderId(key.toLowerCase())); // An outsider whose domain is ours by now.
}

/**
 * The id under which an address may still be a member of groups although it belongs to a user or group by now: it was
 * not claimed, but an alias of a domain made it work. At most one, and only for an address.
 */
export const listFormerIds = (key: string, context: Context): string[] =>
  key.includes('@') && hasDomainAliases(context) ? [computeOutsiderId(key.toLowerCase())] : [];

/** The present address of a member; '' for everybody, and for one who is gone. */
function getMemberAddress(membership: ResourceRow, member: ResourceRow | undefined): string {
  return member === undefined
    ? getTextMember(membership.body, 'email')
    : getTextMember(member.body, getAddressField(member));
}

const getAddressField = (member: ResourceRow): string =>
  member.collection === COLLECTIONS.users ? 'primaryEmail' : 'email';

/** The user or group with an id. */
const findUserOrGroup = (id: string, { store }: Context): ResourceRow | undefined =>
  store.get(COLLECTIONS.users, '', id) ?? store.get(COLLECTIONS.groups, '', id);

/** The id of an address outside: the same in all groups, made of the address, so that no list of outsiders is kept. */
export function computeOutsiderId(email: string): string {
  const hash = sha256(new TextEncoder().encode(email));
  const digits = hash.reduce((text, byte) => text + (byte % 10).toString(), '');
  return `9${digits.slice(0, USER_ID_DIGITS - 1)}`;
}

/** What a group is found and sorted by: address, domain with address, name. */
export function buildGroupIndex(body: JsonObject): Indexed {
  const email = getTextMember(body, 'email');
  return { s1: email, s2: `${extractEmailDomain(email)}\n${email}`, s3: getTextMember(body, 'name').toLowerCase() };
}

/** The index values of the membership of a member with this id. */
export const buildMembershipIndex = (body: JsonObject, id: string): Indexed => ({
  ref: id,
  s1: getTextMember(body, 'role'),
  ...(body['type'] === 'GROUP' && { s2: 'GROUP' }),
});

/** Shown members of a membership that are made of others (`Collection.parts`). */
export const MEMBER_PARTS = { id: [], email: ['email', 'type'], status: ['email', 'type'] } as const;

/** With the address that the member has now. Lists leave the delivery out (discovery document: get, insert and update only). */
export function toMemberResource(
  row: ResourceRow,
  call: Call,
  context: Context,
  isWanted: (member: string) => boolean,
): JsonObject {
  const { email: _, delivery_settings: delivery = 'ALL_MAIL', ...rest } = row.body;
  const isLookedUp = row.body['email'] === undefined && (isWanted('email') || isWanted('status'));
  const member = isLookedUp ? findMemberRow(row, context) : undefined;
  const email = getMemberAddress(row, member);
  const isSuspended = member?.body['suspended'] === true;
  return {
    ...rest,
    id: row.id,
    ...(email !== '' && { email }),
    status: isSuspended ? 'SUSPENDED' : 'ACTIVE',
    ...(call.method !== 'directory.members.list' && { delivery_settings: delivery }),
  };
}

function findMemberRow({ id, body }: ResourceRow, context: Context): ResourceRow | undefined {
  if (body['type'] === 'CUSTOMER') return undefined;
  return body['type'] === 'GROUP' ? context.store.get(COLLECTIONS.groups, '', id) : findUserOrGroup(id, context);
}

/** Groups of one member that are sorted by address. */
const MAX_SORTED = 2_000;

/** What a list of groups is narrowed to, and its order. */
export type GroupListRequest = {
  domain?: string;
  member?: string;
  query: GroupQuery;
  isOrdered: boolean;
  descending: boolean;
};

/** The rows that a list of groups reads. @throws Refusal 403 for too many to sort */
export function createGroupSource(
  wanted: GroupListRequest,
  context: Context,
  members: readonly string[] | undefined,
): RowSource {
  const { member } = wanted;
  if (member === undefined)
    return (after, limit) => context.store.list({ ...selectNarrowestIndex(wanted), after, limit, members });
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

/** Whether a group is in the domain and fits the query. */
export function isGroupMatch({ body }: ResourceRow, { domain, query }: GroupListRequest): boolean {
  const email = getTextMember(body, 'email');
  if (domain !== undefined && extractEmailDomain(email) !== domain) return false;
  return isQueryMatch(query, { email, name: getTextMember(body, 'name').toLowerCase() });
}

/** Whether a group with this name and address (lower case) is asked for. */
function isQueryMatch(query: GroupQuery, group: { name: string; email: string }): boolean {
  return query.clauses.every(({ field, value, isPrefix }) =>
    isPrefix ? group[field].startsWith(value) : group[field] === value,
  );
}

/** Groups inside of a group, at any depth, whose members one list shows. */
const MAX_NESTED_GROUPS = 200;

/** The members of a group, in the order of their ids. */
export const createMemberSource =
  (group: string, { store }: Context, members?: readonly string[]): RowSource =>
  (after, limit) =>
    store.list({ collection: COLLECTIONS.members, parent: group, after, limit, members });

/** Role by role, each in the order of ids: at most one statement for each. */
export const createMemberRoleSource =
  (group: string, roles: readonly string[], { store }: Context, members?: readonly string[]): RowSource =>
  (after, limit) => {
    const rows: ListedRow[] = [];
    for (const role of roles.filter((each) => after === undefined || each >= after.sort)) {
      if (rows.length === limit) break;
      const [collection, order] = [COLLECTIONS.members, { by: 's1' } as const];
      const query = { collection, parent: group, order, prefix: role, after, limit: limit - rows.length, members };
      rows.push(...store.list(query));
    }
    return rows;
  };

/**
 * The members of a group and of all groups in it, each once, in the order of ids: one statement for each group. Who is
 * in several is shown as in the outermost one.
 */
export function createNestedSource(group: string, context: Context): RowSource {
  const sources = listNestedGroups(group, context).map((each) => createMemberSource(each, context));
  return (after, limit) => {
    const outermost = new Map<string, ListedRow>();
    for (const source of sources) {
      for (const listed of source(after, limit)) {
        if (!outermost.has(listed.row.id)) outermost.set(listed.row.id, listed);
      }
    }
    return [...outermost.values()].toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1)).slice(0, limit);
  };
}

/** A group and those in it, the outermost first. @throws Refusal 403 for more than one list can show */
function listNestedGroups(group: string, { store }: Context): string[] {
  const found = new Set([group]);
  for (const each of found) {
    const inner = store.list({
      collection: COLLECTIONS.members,
      parent: each,
      order: { by: 's2' },
      limit: MAX_NESTED_GROUPS + 1,
    });
    for (const { row } of inner) found.add(row.id);
    if (found.size > MAX_NESTED_GROUPS)
      throw vendorRefusals.limitExceeded(`More than ${MAX_NESTED_GROUPS} groups inside of the group`);
  }
  return [...found];
}
