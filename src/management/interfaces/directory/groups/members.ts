import { handlersOf, type Collection } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { Indexed, StoredRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { COLLECTIONS } from '../collections.ts';
import { groupOf } from '../keys.ts';
import { addressOf, byId, formerId, membershipOf, namedBy, type Named } from './member-keys.ts';
import { textOf } from '../texts.ts';

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
  parentOf: (call, context) => groupIn(call, context).id,
  find: (call, context) => {
    const found = membershipOf(groupIn(call, context).id, call.path['memberKey'] ?? '', context);
    if (found === undefined) throw refuse.notFound('memberKey');
    return found;
  },
  create: (call, context, sent, groupId) => {
    const member = sentMember(call.body, context);
    const ids = [member.id, ...formerId(textOf(call.body, 'email'), context)];
    if (ids.some((id) => context.store.get(COLLECTIONS.members, groupId, id) !== undefined))
      throw refuse.duplicate('Member already exists.');
    requireNoCycle(groupId, member, context);
    const type = TYPES[member.kind];
    const body = settled(sent, { type, ...(member.kind === 'outside' && { email: member.email }) });
    return { id: member.id, body, ...membershipIndex(body, member.id) };
  },
  change: (before, sent) => {
    const { type = 'USER', email } = before.body;
    const body = settled(sent, { type, ...(email !== undefined && { email }) });
    return { body, ...membershipIndex(body, before.id) };
  },
  view: (row, call, context) => shownMember(row, call, context),
};

export const memberHandlers: Handlers = {
  ...handlersOf(members, {
    get: 'directory.members.get',
    insert: 'directory.members.insert',
    patch: 'directory.members.patch',
    update: 'directory.members.update',
    delete: 'directory.members.delete',
  }),
  'directory.members.hasMember': (call, context) => {
    const group = groupIn(call, context);
    return { isMember: isIn(group.id, call.path['memberKey'] ?? '', context) };
  },
};

const groupIn = (call: Call, context: Context): StoredRow => groupOf(call.path['groupKey'] ?? '', context);

function sentMember(body: JsonObject, context: Context): Named {
  const [email, id, type] = ['email', 'id', 'type'].map((name) => textOf(body, name));
  if (type === 'CUSTOMER' && !email && !id) return { kind: 'customer', id: context.tenant.id };
  const key = email || id;
  if (!key) throw refuse.required('memberKey');
  const named = namedBy(key, context);
  if (named === undefined) throw refuse.notFound('memberKey');
  return named;
}

function requireNoCycle(groupId: string, member: Named, { store }: Context): void {
  const isCycle = member.kind === 'group' && store.isWithin(COLLECTIONS.members, groupId, member.id);
  if (isCycle) throw refuse.conditionNotMet('Cyclic memberships not allowed');
}

/** What is stored: role and delivery as sent, or as they are when nothing is said; the rest cannot be changed. */
function settled(sent: JsonObject, fixed: JsonObject): JsonObject {
  const role = (textOf(sent, 'role') || 'MEMBER').toUpperCase();
  const delivery = textOf(sent, 'delivery_settings') || 'ALL_MAIL';
  if (!ROLES.includes(role)) throw refuse.invalidInput('role');
  if (!DELIVERY.includes(delivery)) throw refuse.invalidInput('delivery_settings');
  return { ...fixed, role, delivery_settings: delivery };
}

/** What a membership of somebody with this id is found by. */
export const membershipIndex = (body: JsonObject, id: string): Indexed => ({
  ref: id,
  s1: textOf(body, 'role'),
  ...(body['type'] === 'GROUP' && { s2: 'GROUP' }),
});

/** With the address that the member has now. Lists leave the delivery out (discovery document: get, insert and update only). */
function shownMember(row: StoredRow, call: Call, context: Context): JsonObject {
  const { email: _, delivery_settings: delivery = 'ALL_MAIL', ...rest } = row.body;
  const member = row.body['email'] === undefined ? memberRow(row, context) : undefined;
  const email = addressOf(row, member);
  const isSuspended = member?.body['suspended'] === true;
  return {
    ...rest,
    id: row.id,
    ...(email !== '' && { email }),
    status: isSuspended ? 'SUSPENDED' : 'ACTIVE',
    ...(call.method !== 'directory.members.list' && { delivery_settings: delivery }),
  };
}

function memberRow({ id, body }: StoredRow, context: Context): StoredRow | undefined {
  if (body['type'] === 'CUSTOMER') return undefined;
  return body['type'] === 'GROUP' ? context.store.get(COLLECTIONS.groups, '', id) : byId(id, context);
}

/**
 * Whether somebody is in a group, directly or through groups in it. Two statements but for the keys.
 * @throws Refusal for a key that nobody of the tenant has: 404 for an own address or an id, 400 for one outside
 */
function isIn(groupId: string, key: string, context: Context): boolean {
  const isWithin = (id: string) => id !== groupId && context.store.isWithin(COLLECTIONS.members, id, groupId);
  const named = namedBy(key, context);
  if (named === undefined) {
    if (membershipOf(groupId, key, context) === undefined) throw refuse.notFound('memberKey');
    return true;
  }
  const ids = [named.id, ...(named.kind === 'user' ? [context.tenant.id] : []), ...formerId(key, context)];
  const found = ids.some(isWithin);
  if (!found && named.kind === 'outside') throw refuse.invalidInput('memberKey');
  return found;
}
