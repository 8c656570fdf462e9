import { getTextMember } from '../../../../lib/json.ts';
import { sha256 } from '@noble/hashes/sha2';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { type Collection, defineCollectionHandlers } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS } from '../collections.ts';
import { hasDomainAliases } from '../customers/alias-domains.ts';
import { extractEmailDomain, requireGroup, findAddressHolder, isEmail, isOwnDomain, USER_ID_DIGITS } from '../keys.ts';

/** Whom a key names: a user, a group, everybody of the tenant, or an address outside of it. */
type Principal =
  | { kind: 'user' | 'group'; id: string; row: ResourceRow }
  | { kind: 'customer'; id: string }
  | { kind: 'outside'; id: string; email: string };

/** Undefined for a key that nothing in the tenant has, and that is no address outside of it. */
export function findPrincipal(key: string, context: Context): Principal | undefined {
  if (key === 'my_customer' || key === context.tenant.id) return { kind: 'customer', id: context.tenant.id };
  const row = key.includes('@') ? findAddressHolder(key, context) : findUserOrGroup(key, context);
  if (row !== undefined) return { kind: row.collection === COLLECTIONS.users ? 'user' : 'group', id: row.id, row };
  const email = key.toLowerCase();
  if (!isEmail(email) || isOwnDomain(extractEmailDomain(email), context)) return undefined;
  return { kind: 'outside', id: computeOutsiderId(email), email };
}

/** The membership that a key names in a group: by any address or id of a member, or the id that an outsider is shown with. */
function findMembership(groupId: string, key: string, context: Context): ResourceRow | undefined {
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
const listFormerIds = (key: string, context: Context): string[] =>
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

export const ROLES: readonly string[] = ['MANAGER', 'MEMBER', 'OWNER'];
const DELIVERY: readonly string[] = ['ALL_MAIL', 'DAILY', 'DIGEST', 'DISABLED', 'NONE'];
/** How a member of each kind is shown; an outsider counts as a user. */
const TYPES = { user: 'USER', group: 'GROUP', customer: 'CUSTOMER', outside: 'USER' } as const;
/** Limits of a page. */
export const MEMBER_PAGE = { parameter: 'maxResults', default: 200, max: 200 } as const;

/** Who is directly in a group. A stored membership has its role (s1), type (s2) and delivery; the address only of outsiders. */
export const members: Collection = {
  name: COLLECTIONS.members,
  schema: 'Member',
  kind: 'admin#directory#member',
  listKind: 'admin#directory#members',
  items: 'members',
  page: MEMBER_PAGE,
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
  view: (row, call, context) => toMemberResource(row, call, context),
};

export const memberHandlers: Handlers = {
  ...defineCollectionHandlers(members, {
    get: 'directory.members.get',
    insert: 'directory.members.insert',
    patch: 'directory.members.patch',
    update: 'directory.members.update',
    delete: 'directory.members.delete',
  }),
  'directory.members.hasMember': (call, context) => {
    const group = requirePathGroup(call, context);
    return { isMember: isIn(group.id, call.path['memberKey'] ?? '', context) };
  },
};

const requirePathGroup = (call: Call, context: Context): ResourceRow =>
  requireGroup(call.path['groupKey'] ?? '', context);

function readSentMember(body: JsonObject, context: Context): Principal {
  const [email, id, type] = ['email', 'id', 'type'].map((name) => getTextMember(body, name));
  if (type === 'CUSTOMER' && !email && !id) return { kind: 'customer', id: context.tenant.id };
  const key = email || id;
  if (!key) throw vendorRefusals.required('memberKey');
  const named = findPrincipal(key, context);
  if (named === undefined) throw vendorRefusals.notFound('memberKey');
  return named;
}

function requireNoCycle(groupId: string, member: Principal, { store }: Context): void {
  const isCycle = member.kind === 'group' && store.isWithin(COLLECTIONS.members, groupId, member.id);
  if (isCycle) throw vendorRefusals.conditionNotMet('Cyclic memberships not allowed');
}

/** What is stored: role and delivery as sent, or as they are when nothing is said; the rest cannot be changed. */
function buildMemberBody(sent: JsonObject, fixed: JsonObject): JsonObject {
  const role = (getTextMember(sent, 'role') || 'MEMBER').toUpperCase();
  const delivery = getTextMember(sent, 'delivery_settings') || 'ALL_MAIL';
  if (!ROLES.includes(role)) throw vendorRefusals.invalidInput('role');
  if (!DELIVERY.includes(delivery)) throw vendorRefusals.invalidInput('delivery_settings');
  return { ...fixed, role, delivery_settings: delivery };
}

/** The index values of the membership of a member with this id. */
export const buildMembershipIndex = (body: JsonObject, id: string): Indexed => ({
  ref: id,
  s1: getTextMember(body, 'role'),
  ...(body['type'] === 'GROUP' && { s2: 'GROUP' }),
});

/** With the address that the member has now. Lists leave the delivery out (discovery document: get, insert and update only). */
function toMemberResource(row: ResourceRow, call: Call, context: Context): JsonObject {
  const { email: _, delivery_settings: delivery = 'ALL_MAIL', ...rest } = row.body;
  const member = row.body['email'] === undefined ? findMemberRow(row, context) : undefined;
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
