import { getTextMember, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { listBody } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { buildGroupIndex } from '../groups/rows.ts';
import { refuseMoreAliases } from '../refusals.ts';
import {
  COLLECTIONS,
  DIRECTORY_NAMESPACES,
  findAddressHolder,
  listAliases,
  requireGroup,
  requireOwnDomain,
  requireUser,
} from '../rows.ts';
import { isEmail } from '../schemas.ts';
import { getPrimaryEmail, putUser } from '../users/rows.ts';
import { claimEmail, dropAlias, keepAlias, MAX_ALIASES } from './rows.ts';

/** Further addresses of users, which have rows of their own, and of groups, whose bodies have them. */
export const handlers: Handlers = {
  'directory.users.aliases.list': listUserAliases,
  'directory.users.aliases.insert': insertUserAlias,
  'directory.users.aliases.delete': removeUserAlias,
  'directory.groups.aliases.list': listGroupAliases,
  'directory.groups.aliases.insert': insertGroupAlias,
  'directory.groups.aliases.delete': removeGroupAlias,
};

function listUserAliases(call: Call, context: Context): JsonObject {
  const user = requireUser(call.path['userKey'] ?? '', context);
  const rows = context.store.byRef(COLLECTIONS.userAliases, user.id, MAX_ALIASES);
  return buildAliasList(
    rows.map((row) => toUserAlias(row, user, context)),
    context,
  );
}

function insertUserAlias(call: Call, context: Context): JsonObject {
  const user = requireUser(call.path['userKey'] ?? '', context);
  const alias = requireAlias(getTextMember(call.body, 'alias'), context);
  if (findAddressHolder(alias, context) !== undefined) throw vendorRefusals.duplicate();
  const body = { ...user.body };
  const row = keepAlias(user, body, alias.toLowerCase(), context);
  putUser(user, body, context);
  return toUserAlias(row, user, context);
}

function removeUserAlias(call: Call, context: Context): undefined {
  const user = requireUser(call.path['userKey'] ?? '', context);
  const alias = requireKnownAlias(call, user);
  const body = { ...user.body };
  dropAlias(user, body, alias, context);
  putUser(user, body, context);
}

function listGroupAliases(call: Call, context: Context): JsonObject {
  const group = requireGroup(call.path['groupKey'] ?? '', context);
  return buildAliasList(
    listAliases(group.body).map((alias) => toGroupAlias(alias, group, context)),
    context,
  );
}

/** The aliases of a group are no resources of their own: a change of them is a change of the group. */
function insertGroupAlias(call: Call, context: Context): JsonObject {
  const group = requireGroup(call.path['groupKey'] ?? '', context);
  const alias = requireAlias(getTextMember(call.body, 'alias').toLowerCase(), context);
  const before = listAliases(group.body);
  if (before.length >= MAX_ALIASES) throw refuseMoreAliases('group', MAX_ALIASES);
  if (findAddressHolder(alias, context) !== undefined) throw vendorRefusals.duplicate();
  claimEmail(context, alias, group, false);
  const body = { ...group.body, aliases: [...before, alias] };
  const row = context.store.put({ ...group, body, ...buildGroupIndex(body) });
  return toGroupAlias(alias, row, context);
}

function removeGroupAlias(call: Call, context: Context): undefined {
  const group = requireGroup(call.path['groupKey'] ?? '', context);
  const alias = requireKnownAlias(call, group);
  context.store.unname(DIRECTORY_NAMESPACES.email, alias);
  const body = { ...group.body, aliases: listAliases(group.body).filter((each) => each !== alias) };
  context.store.put({ ...group, body, ...buildGroupIndex(body) });
}

/** An address that can be an alias here, as it was sent. @throws Refusal 400, or 404 for a domain that is not the tenant's */
function requireAlias(alias: string, context: Context): string {
  if (alias === '') throw vendorRefusals.required('alias');
  if (!isEmail(alias)) throw vendorRefusals.invalidInput('alias');
  requireOwnDomain(alias, context);
  return alias;
}

/** The alias that the path names, in lower case. @throws Refusal 404 when the user or group does not have it */
function requireKnownAlias({ path }: Call, owner: ResourceRow): string {
  const alias = (path['alias'] ?? '').toLowerCase();
  if (!listAliases(owner.body).includes(alias)) throw vendorRefusals.notFound('alias');
  return alias;
}

const buildAliasList = (items: readonly JsonObject[], context: Context): JsonObject =>
  listBody({ listKind: 'admin#directory#aliases', items: 'aliases' }, items, undefined, context);

const toUserAlias = (row: ResourceRow, user: ResourceRow, context: Context): JsonObject =>
  toAliasResource({ id: user.id, primaryEmail: getPrimaryEmail(user.body), alias: row.id }, row.revision, context);

const toGroupAlias = (alias: string, { id, body, revision }: ResourceRow, context: Context): JsonObject =>
  toAliasResource({ id, primaryEmail: getTextMember(body, 'email'), alias }, revision, context);

const toAliasResource = (shown: JsonObject, revision: number, context: Context): JsonObject => ({
  kind: 'admin#directory#alias',
  etag: context.etagOf(revision, shown),
  ...shown,
});
