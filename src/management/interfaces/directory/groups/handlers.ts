import { getTextMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { type Collection, defineCollectionHandlers, readPageSize } from '../../../core/engine/collection.ts';
import { answerRowPage, readRowPage } from '../../../core/engine/filtered-list.ts';
import { listReadMembers } from '../../../core/engine/item-selection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { claimEmail, MAX_ALIASES } from '../aliases/rows.ts';
import { listDerivedAddresses } from '../customers/rows.ts';
import { refuseMoreAliases, refuseUnknownDomain } from '../refusals.ts';
import {
  COLLECTIONS,
  DIRECTORY_NAMESPACES,
  GROUP_SETTINGS_ROWS,
  generateDirectoryId,
  isOwnDomain,
  listAliases,
  requireCustomer,
  requireGroup,
} from '../rows.ts';
import {
  buildGroupIndex,
  buildMembershipIndex,
  createGroupSource,
  createMemberRoleSource,
  createMemberSource,
  createNestedSource,
  type DirectoryPrincipal,
  findMembership,
  findPrincipal,
  type GroupListRequest,
  isGroupMatch,
  listFormerIds,
  MEMBER_PARTS,
  toMemberResource,
} from './rows.ts';
import { buildMemberBody, parseGroupQuery, parseRoles, requireGroupAddress, validateGroup } from './schemas.ts';

/** Limits of a page of groups, and of members. */
const PAGE = { parameter: 'maxResults', default: 200, max: 200 } as const;

/** Groups: addresses with members. Their aliases are kept in the body and among the names. */
const groups: Collection = {
  name: COLLECTIONS.groups,
  schema: 'Group',
  kind: 'admin#directory#group',
  listKind: 'admin#directory#groups',
  items: 'groups',
  find: (call, context) => requireGroup(call.path['groupKey'] ?? '', context),
  page: PAGE,
  create: (_call, context, sent) => {
    const email = requireGroupAddress(sent, context);
    const id = generateDirectoryId(context);
    const body = validateGroup({ ...sent, id, email, adminCreated: true, aliases: [] });
    return { id, body, ...buildGroupIndex(body) };
  },
  inserted: (row, _call, context) => claimEmail(context, getTextMember(row.body, 'email'), row, true),
  change: (before, sent, _call, context) => {
    const { id, aliases = [], adminCreated = true } = before.body;
    const email =
      sent['email'] === undefined ? getTextMember(before.body, 'email') : requireGroupAddress(sent, context);
    const body = validateGroup({ ...sent, id: id ?? before.id, email, adminCreated, aliases });
    const renamed = email === before.body['email'] ? body : withOldAddress(before, body, context);
    return { body: renamed, ...buildGroupIndex(renamed) };
  },
  removing: (row, _call, { store }) => {
    store.removeAll(COLLECTIONS.members, row.id);
    store.removeByRef(COLLECTIONS.members, row.id);
    store.removeByRef(COLLECTIONS.roleAssignments, row.id);
    store.remove({ collection: GROUP_SETTINGS_ROWS, parent: '', id: row.id });
  },
  parts: { directMembersCount: [], nonEditableAliases: ['email', 'aliases'] },
  view: ({ id, body }, _call, context, isWanted) => {
    const { aliases, ...rest } = body;
    const own = new Set(listAliases(body));
    const derived = isWanted('nonEditableAliases') ? listDerivedAddresses(getTextMember(body, 'email'), context) : [];
    const nonEditable = derived.filter((address) => !own.has(address));
    return {
      ...rest,
      ...(isWanted('directMembersCount') && {
        directMembersCount: String(context.store.count(COLLECTIONS.members, id)),
      }),
      ...(Array.isArray(aliases) && aliases.length > 0 && { aliases }),
      ...(nonEditable.length > 0 && { nonEditableAliases: nonEditable }),
    };
  },
};

/** How a member of each kind is shown; an outsider counts as a user. */
const TYPES = { user: 'USER', group: 'GROUP', customer: 'CUSTOMER', outside: 'USER' } as const;

/** Who is directly in a group. A stored membership has its role (s1), type (s2) and delivery; the address only of outsiders. */
const members: Collection = {
  name: COLLECTIONS.members,
  schema: 'Member',
  kind: 'admin#directory#member',
  listKind: 'admin#directory#members',
  items: 'members',
  page: PAGE,
  parentOf: (call, context) => requirePathGroup(call, context).id,
  find: (call, context) => {
    const found = findMembership(requirePathGroup(call, context).id, call.path['memberKey'] ?? '', context);
    if (found === undefined) throw vendorRefusals.notFound('memberKey');
    return found;
  },
  create: (call, context, sent, groupId) => {
    const member = readSentMember(call.body, context);
    const ids = [member.id, ...listFormerIds(getTextMember(call.body, 'email'), context)];
    if (ids.some((id) => context.store.get(COLLECTIONS.members, groupId, id) !== undefined))
      throw vendorRefusals.duplicate('Member already exists.');
    requireNoCycle(groupId, member, context);
    const type = TYPES[member.kind];
    const body = buildMemberBody(sent, { type, ...(member.kind === 'outside' && { email: member.email }) });
    return { id: member.id, body, ...buildMembershipIndex(body, member.id) };
  },
  change: (before, sent) => {
    const { type = 'USER', email } = before.body;
    const body = buildMemberBody(sent, { type, ...(email !== undefined && { email }) });
    return { body, ...buildMembershipIndex(body, before.id) };
  },
  parts: MEMBER_PARTS,
  view: toMemberResource,
};

/** Groups and their members; aliases of groups are in `../aliases`. */
export const handlers: Handlers = {
  ...defineCollectionHandlers(groups, {
    get: 'directory.groups.get',
    insert: 'directory.groups.insert',
    patch: 'directory.groups.patch',
    update: 'directory.groups.update',
    delete: 'directory.groups.delete',
  }),
  'directory.groups.list': listGroups,
  ...defineCollectionHandlers(members, {
    get: 'directory.members.get',
    insert: 'directory.members.insert',
    patch: 'directory.members.patch',
    update: 'directory.members.update',
    delete: 'directory.members.delete',
  }),
  'directory.members.list': listMembers,
  'directory.members.hasMember': (call, context) => {
    const group = requirePathGroup(call, context);
    return { isMember: isIn(group.id, call.path['memberKey'] ?? '', context) };
  },
};

/** A renamed group still answers to its old address: it becomes an alias. The new one may have been an alias of its own. */
function withOldAddress(before: ResourceRow, body: JsonObject, context: Context): JsonObject {
  const { store } = context;
  const [from, to] = [getTextMember(before.body, 'email'), getTextMember(body, 'email')];
  const aliases = listAliases(before.body);
  if (aliases.includes(to)) store.unname(DIRECTORY_NAMESPACES.email, to);
  claimEmail(context, to, before, true);
  store.unname(DIRECTORY_NAMESPACES.email, from);
  store.name(DIRECTORY_NAMESPACES.email, from, before, false);
  const kept = aliases.filter((alias) => alias !== to);
  if (kept.length >= MAX_ALIASES) throw refuseMoreAliases('group', MAX_ALIASES);
  return { ...body, aliases: [...kept, from] };
}

function listGroups(call: Call, context: Context): JsonObject {
  const wanted = readGroupListRequest(call, context);
  const isWhole = wanted.query.clauses.length === 0 && (wanted.domain === undefined || wanted.member === undefined);
  const matches = isWhole ? undefined : (row: ResourceRow) => isGroupMatch(row, wanted);
  const size = readPageSize(call.query['maxResults'], PAGE);
  const read = matches === undefined ? listReadMembers(groups, call) : undefined;
  const source = createGroupSource(wanted, context, read);
  return answerRowPage(groups, readRowPage(source, size, context, matches), call, context);
}

function readGroupListRequest({ query }: Call, context: Context): GroupListRequest {
  const { customer, domain, userKey } = query;
  if (isText(customer) && isText(userKey))
    throw vendorRefusals.invalid('Invalid Input: userKey cannot be used with customer');
  if (!isText(customer) && !isText(domain) && !isText(userKey))
    throw vendorRefusals.required('customer, domain or userKey');
  if (isText(customer)) requireCustomer(customer, context);
  const lower = isText(domain) ? domain.toLowerCase() : undefined;
  if (lower !== undefined && !isOwnDomain(lower, context)) throw refuseUnknownDomain();
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

const requirePathGroup = (call: Call, context: Context): ResourceRow =>
  requireGroup(call.path['groupKey'] ?? '', context);

function readSentMember(body: JsonObject, context: Context): DirectoryPrincipal {
  const [email, id, type] = ['email', 'id', 'type'].map((name) => getTextMember(body, name));
  if (type === 'CUSTOMER' && !email && !id) return { kind: 'customer', id: context.tenant.id };
  const key = email || id;
  if (!key) throw vendorRefusals.required('memberKey');
  const named = findPrincipal(key, context);
  if (named === undefined) throw vendorRefusals.notFound('memberKey');
  return named;
}

function requireNoCycle(groupId: string, member: DirectoryPrincipal, { store }: Context): void {
  const isCycle = member.kind === 'group' && store.isWithin(COLLECTIONS.members, groupId, member.id);
  if (isCycle) throw vendorRefusals.conditionNotMet('Cyclic memberships not allowed');
}

function listMembers(call: Call, context: Context): JsonObject {
  const group = requirePathGroup(call, context);
  const roles = parseRoles(call);
  const size = readPageSize(call.query['maxResults'], PAGE);
  if (call.query['includeDerivedMembership'] === true) {
    const isWanted = roles && ((row: ResourceRow) => roles.includes(getTextMember(row.body, 'role')));
    const nested = createNestedSource(group.id, context);
    return answerRowPage(members, readRowPage(nested, size, context, isWanted), call, context);
  }
  const read = listReadMembers(members, call);
  const source =
    roles === undefined
      ? createMemberSource(group.id, context, read)
      : createMemberRoleSource(group.id, roles, context, read);
  return answerRowPage(members, readRowPage(source, size, context), call, context);
}

/**
 * Whether a member is in a group, directly or through groups in it. Two statements, besides those for the keys.
 * @throws Refusal for a key that names no member of the tenant: 404 for an own address or an id, 400 for one outside
 */
function isIn(groupId: string, key: string, context: Context): boolean {
  const isWithin = (id: string) => id !== groupId && context.store.isWithin(COLLECTIONS.members, id, groupId);
  const named = findPrincipal(key, context);
  if (named === undefined) {
    if (findMembership(groupId, key, context) === undefined) throw vendorRefusals.notFound('memberKey');
    return true;
  }
  const ids = [named.id, ...(named.kind === 'user' ? [context.tenant.id] : []), ...listFormerIds(key, context)];
  const found = ids.some(isWithin);
  if (!found && named.kind === 'outside') throw vendorRefusals.invalidInput('memberKey');
  return found;
}
