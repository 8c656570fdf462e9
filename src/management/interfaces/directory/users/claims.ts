import type { Context } from '../../../core/engine/operation.ts';
import type { Address, NewRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { listDerivedAddresses, listRelatedAddresses } from '../customers/alias-domains.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../collections.ts';
import { buildMembershipIndex, computeOutsiderId } from '../groups/members.ts';

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
export const isFree = (address: string, owner: Address, context: Context): boolean =>
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
