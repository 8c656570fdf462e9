import { isText, type JsonObject, getMember, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { type Collection, defineCollectionHandlers, listBody } from '../../../core/engine/collection.ts';
import type { Context, Handlers } from '../../../core/engine/operation.ts';
import type { Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../collections.ts';
import { listDerivedAddresses } from '../customers/alias-domains.ts';
import {
  extractEmailDomain,
  requireGroup,
  findAddressHolder,
  isEmail,
  generateDirectoryId,
  requireOwnDomain,
} from '../keys.ts';
import { requireShortTexts } from '../texts.ts';
import { claimEmail } from '../users/claims.ts';

/** Maximum lengths, in characters. */
const LIMITS = { name: 73, description: 4_096 } as const;

/** Aliases that one group may have. */
export const MAX_ALIASES = 30;

/** Limits of a page. */
export const GROUP_PAGE = { parameter: 'maxResults', default: 200, max: 200 } as const;

/** Groups: addresses with members. Their aliases are kept in the body and among the names. */
export const directoryGroups: Collection = {
  name: COLLECTIONS.groups,
  schema: 'Group',
  kind: 'admin#directory#group',
  listKind: 'admin#directory#groups',
  items: 'groups',
  find: (call, context) => requireGroup(call.path['groupKey'] ?? '', context),
  page: GROUP_PAGE,
  create: (_call, context, sent) => {
    const email = requireAddress(sent, context);
    const id = generateDirectoryId(context);
    const body = validateGroup({ ...sent, id, email, adminCreated: true, aliases: [] });
    return { id, body, ...buildGroupIndex(body) };
  },
  inserted: (row, _call, context) => claimEmail(context, getTextMember(row.body, 'email'), row, true),
  change: (before, sent, _call, context) => {
    const { id, aliases = [], adminCreated = true } = before.body;
    const email = sent['email'] === undefined ? getTextMember(before.body, 'email') : requireAddress(sent, context);
    const body = validateGroup({ ...sent, id: id ?? before.id, email, adminCreated, aliases });
    const renamed = email === before.body['email'] ? body : withOldAddress(before, body, context);
    return { body: renamed, ...buildGroupIndex(renamed) };
  },
  removing: (row, _call, { store }) => {
    store.removeAll(COLLECTIONS.members, row.id);
    store.removeByRef(COLLECTIONS.members, row.id);
    store.removeByRef(COLLECTIONS.roleAssignments, row.id);
  },
  view: ({ id, body }, _call, context) => {
    const { aliases, ...rest } = body;
    const own = new Set(listGroupAliases(body));
    const derived = listDerivedAddresses(getTextMember(body, 'email'), context);
    const nonEditable = derived.filter((address) => !own.has(address));
    return {
      ...rest,
      directMembersCount: String(context.store.count(COLLECTIONS.members, id)),
      ...(Array.isArray(aliases) && aliases.length > 0 && { aliases }),
      ...(nonEditable.length > 0 && { nonEditableAliases: nonEditable }),
    };
  },
};

export const directoryGroupHandlers: Handlers = defineCollectionHandlers(directoryGroups, {
  get: 'directory.groups.get',
  insert: 'directory.groups.insert',
  patch: 'directory.groups.patch',
  update: 'directory.groups.update',
  delete: 'directory.groups.delete',
});

/** Aliases of a group as its body has them. */
export function listGroupAliases(body: JsonObject): string[] {
  const aliases = getMember(body, 'aliases');
  return Array.isArray(aliases) ? aliases.filter(isText) : [];
}

/** What a group is found and sorted by: address, domain with address, name. */
export function buildGroupIndex(body: JsonObject): Indexed {
  const email = getTextMember(body, 'email');
  return { s1: email, s2: `${extractEmailDomain(email)}\n${email}`, s3: getTextMember(body, 'name').toLowerCase() };
}

function requireAddress(body: JsonObject, context: Context): string {
  const email = getTextMember(body, 'email').toLowerCase();
  if (!isEmail(email)) throw vendorRefusals.invalidInput('email');
  requireOwnDomain(email, context);
  return email;
}

function validateGroup(body: JsonObject): JsonObject {
  const { description = '', name, directMembersCount: _, ...rest } = body;
  const complete = { ...rest, name: name || extractLocalPart(getTextMember(body, 'email')), description };
  requireShortTexts(complete, LIMITS);
  return complete;
}

const extractLocalPart = (email: string): string => email.slice(0, email.lastIndexOf('@'));

/** A renamed group still answers to its old address: it becomes an alias. The new one may have been an alias of its own. */
function withOldAddress(before: ResourceRow, body: JsonObject, context: Context): JsonObject {
  const { store } = context;
  const [from, to] = [getTextMember(before.body, 'email'), getTextMember(body, 'email')];
  const aliases = listGroupAliases(before.body);
  if (aliases.includes(to)) store.unname(DIRECTORY_NAMESPACES.email, to);
  claimEmail(context, to, before, true);
  store.unname(DIRECTORY_NAMESPACES.email, from);
  store.name(DIRECTORY_NAMESPACES.email, from, before, false);
  const kept = aliases.filter((alias) => alias !== to);
  if (kept.length >= MAX_ALIASES) throw vendorRefusals.limitExceeded(`A group has at most ${MAX_ALIASES} aliases`);
  return { ...body, aliases: [...kept, from] };
}

const KIND = 'admin#directory#alias';

/** Further addresses of groups. They are no resources of their own: a change of them is a change of the group. */
export const groupAliasHandlers: Handlers = {
  'directory.groups.aliases.list': (call, context) => {
    const group = requireGroup(call.path['groupKey'] ?? '', context);
    const items = listGroupAliases(group.body).map((alias) => toAliasResource(alias, group, context));
    return listBody({ listKind: 'admin#directory#aliases', items: 'aliases' }, items, undefined, context);
  },
  'directory.groups.aliases.insert': (call, context) => {
    const group = requireGroup(call.path['groupKey'] ?? '', context);
    const alias = getTextMember(call.body, 'alias').toLowerCase();
    if (alias === '') throw vendorRefusals.required('alias');
    if (!isEmail(alias)) throw vendorRefusals.invalidInput('alias');
    requireOwnDomain(alias, context);
    const before = listGroupAliases(group.body);
    if (before.length >= MAX_ALIASES) throw vendorRefusals.limitExceeded(`A group has at most ${MAX_ALIASES} aliases`);
    if (findAddressHolder(alias, context) !== undefined) throw vendorRefusals.duplicate();
    claimEmail(context, alias, group, false);
    const body = { ...group.body, aliases: [...before, alias] };
    const row = context.store.put({ ...group, body, ...buildGroupIndex(body) });
    return toAliasResource(alias, row, context);
  },
  'directory.groups.aliases.delete': (call, context) => {
    const group = requireGroup(call.path['groupKey'] ?? '', context);
    const alias = (call.path['alias'] ?? '').toLowerCase();
    const before = listGroupAliases(group.body);
    if (!before.includes(alias)) throw vendorRefusals.notFound('alias');
    context.store.unname(DIRECTORY_NAMESPACES.email, alias);
    const body = { ...group.body, aliases: before.filter((each) => each !== alias) };
    context.store.put({ ...group, body, ...buildGroupIndex(body) });
    return undefined;
  },
};

function toAliasResource(alias: string, group: ResourceRow, context: Context): JsonObject {
  const shown = { id: group.id, primaryEmail: getTextMember(group.body, 'email'), alias };
  return { kind: KIND, etag: context.etagOf(group.revision, shown), ...shown };
}
