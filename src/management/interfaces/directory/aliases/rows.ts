import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { Address, NewRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import { listDerivedAddresses, listRelatedAddresses } from '../customers/rows.ts';
import { buildMembershipIndex, computeOutsiderId } from '../groups/rows.ts';
import { refuseMoreAliases } from '../refusals.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES, listAliases } from '../rows.ts';
import { getPrimaryEmail } from '../users/rows.ts';

/** Aliases that one user or group may have (the vendor's limit). */
export const MAX_ALIASES = 30;

/** Groups that one outside address may be in when a user or group of the tenant claims it. */
const MAX_GROUPS = 10_000;

/**
 * Gives a stored user or group an address, primary or alias, with the memberships that the address had while it was an
 * outside one.
 * @throws Refusal 409 when a user or group has it, has one that would work as this one, or this one would work as
 * theirs
 */
export function claimEmail(context: Context, email: string, owner: Address, primary: boolean): void {
  const address = email.toLowerCase();
  if (isRelatedTaken(address, owner, context)) throw vendorRefusals.duplicate();
  if (!context.store.name(DIRECTORY_NAMESPACES.email, address, owner, primary)) throw vendorRefusals.duplicate();
  for (const each of [address, ...listDerivedAddresses(address, context)]) adoptMemberships(each, owner, context);
}

/** Whether a claim of this address by this owner would hold. */
export const isAddressFree = (address: string, owner: Address, context: Context): boolean =>
  context.store.named(DIRECTORY_NAMESPACES.email, address) === undefined && !isRelatedTaken(address, owner, context);

/** A holder that has an address in both forms, in the domain and in its alias, does not conflict with itself. */
const isRelatedTaken = (address: string, owner: Address, context: Context): boolean =>
  listRelatedAddresses(address, context).some((each) => {
    const holder = context.store.named(DIRECTORY_NAMESPACES.email, each)?.row;
    return holder !== undefined && !(holder.collection === owner.collection && holder.id === owner.id);
  });

/** Memberships of an address from outside become the owner's. Where the owner is in the group already, that one stays. */
function adoptMemberships(email: string, owner: Address, context: Context): void {
  const { store } = context;
  const outside = computeOutsiderId(email);
  const found = listMemberships(outside, context);
  if (found.length === 0) return;
  const own = new Set(listMemberships(owner.id, context).map(({ parent }) => parent));
  const adopted = found.filter(({ parent }) => !own.has(parent) && !hasMembershipCycle(parent, owner, context));
  store.removeByRef(COLLECTIONS.members, outside);
  store.insertMany(
    adopted.map((row) => buildMembershipRow(row, owner)),
    [],
  );
}

function listMemberships(member: string, { store }: Context): readonly ResourceRow[] {
  const rows = store.byRef(COLLECTIONS.members, member, MAX_GROUPS + 1);
  if (rows.length > MAX_GROUPS) throw vendorRefusals.limitExceeded(`The address is in more than ${MAX_GROUPS} groups`);
  return rows;
}

/** A group cannot be in one that is in it. */
const hasMembershipCycle = (groupId: string, owner: Address, { store }: Context): boolean =>
  owner.collection === COLLECTIONS.groups && store.isWithin(COLLECTIONS.members, groupId, owner.id);

function buildMembershipRow({ parent, body }: ResourceRow, { collection, id }: Address): NewRow {
  const { email: _, ...rest } = body;
  const mine: JsonObject = { ...rest, type: collection === COLLECTIONS.groups ? 'GROUP' : 'USER' };
  return { collection: COLLECTIONS.members, parent, id, body: mine, ...buildMembershipIndex(mine, id) };
}

/**
 * Gives a user an alias, which may be the user's former primary address. Changes the body; the user's row is not
 * written yet. @throws Refusal 409 when the address is taken
 */
export function keepAlias(user: ResourceRow, body: JsonObject, alias: string, context: Context): ResourceRow {
  const aliases = listAliases(body);
  if (aliases.length >= MAX_ALIASES) throw refuseMoreAliases('user', MAX_ALIASES);
  if (alias !== getPrimaryEmail(body) && alias === getPrimaryEmail(user.body))
    context.store.unname(DIRECTORY_NAMESPACES.email, alias);
  claimEmail(context, alias, user, false);
  const row = context.store.insert({
    collection: COLLECTIONS.userAliases,
    parent: '',
    id: alias,
    ref: user.id,
    body: { userId: user.id },
  });
  if (row === undefined) throw vendorRefusals.duplicate();
  body['aliases'] = [...aliases, alias].toSorted();
  reportAliasChange(context, 'add', user.id, getPrimaryEmail(body));
  return row;
}

/** Frees an alias of a user. The body is changed, the user's row is not yet written. */
export function dropAlias(user: ResourceRow, body: JsonObject, alias: string, context: Context): void {
  context.store.unname(DIRECTORY_NAMESPACES.email, alias);
  context.store.remove({ collection: COLLECTIONS.userAliases, parent: '', id: alias });
  const left = listAliases(body).filter((each) => each !== alias);
  if (left.length === 0) delete body['aliases'];
  else body['aliases'] = left;
  reportAliasChange(context, 'delete', user.id, getPrimaryEmail(body));
}

/** Notifies the channels that watch the aliases of a user. */
export const reportAliasChange = (context: Context, event: 'add' | 'delete', id: string, primaryEmail: string): void =>
  context.changed({ watched: 'aliases', event, user: { id, primaryEmail } });
