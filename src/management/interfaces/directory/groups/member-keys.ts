import { sha256 } from '@noble/hashes/sha2';
import type { Context } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { hasDomainAliases } from '../customers/alias-domains.ts';
import { COLLECTIONS } from '../collections.ts';
import { domainOf, holderOf, isEmail, isOwnDomain, USER_ID_DIGITS } from '../keys.ts';
import { textOf } from '../texts.ts';

/** Whom a key names: a user, a group, everybody of the tenant, or an address outside of it. */
export type Named =
  | { kind: 'user' | 'group'; id: string; row: StoredRow }
  | { kind: 'customer'; id: string }
  | { kind: 'outside'; id: string; email: string };

/** Undefined for a key that nothing in the tenant has, and that is no address outside of it. */
export function namedBy(key: string, context: Context): Named | undefined {
  if (key === 'my_customer' || key === context.tenant.id) return { kind: 'customer', id: context.tenant.id };
  const row = key.includes('@') ? holderOf(key, context) : byId(key, context);
  if (row !== undefined) return { kind: row.collection === COLLECTIONS.users ? 'user' : 'group', id: row.id, row };
  const email = key.toLowerCase();
  if (!isEmail(email) || isOwnDomain(domainOf(email), context)) return undefined;
  return { kind: 'outside', id: outsideId(email), email };
}

/** The membership that a key names in a group: by any address or id of a member, or the id that an outsider is shown with. */
export function membershipOf(groupId: string, key: string, context: Context): StoredRow | undefined {
  const { store } = context;
  const id = namedBy(key, context)?.id ?? key;
  const found = store.get(COLLECTIONS.members, groupId, id);
  if (found !== undefined || !key.includes('@')) return found;
  return store.get(COLLECTIONS.members, groupId, outsideId(key.toLowerCase())); // An outsider whose domain is ours by now.
}

/**
 * The id with which an address may still be in groups that is a user's or group's by now: as nobody claimed it, but an
 * alias of a domain made it work. At most one, for an address only.
 */
export const formerId = (key: string, context: Context): string[] =>
  key.includes('@') && hasDomainAliases(context) ? [outsideId(key.toLowerCase())] : [];

/** The present address of a member; '' for everybody, and for one who is gone. */
export function addressOf(membership: StoredRow, member: StoredRow | undefined): string {
  return member === undefined ? textOf(membership.body, 'email') : textOf(member.body, memberField(member));
}

const memberField = (member: StoredRow): string => (member.collection === COLLECTIONS.users ? 'primaryEmail' : 'email');

/** The user or group with an id. */
export const byId = (id: string, { store }: Context): StoredRow | undefined =>
  store.get(COLLECTIONS.users, '', id) ?? store.get(COLLECTIONS.groups, '', id);

/** The id of an address outside: the same in all groups, made of the address, so that no list of outsiders is kept. */
export function outsideId(email: string): string {
  const hash = sha256(new TextEncoder().encode(email));
  const digits = hash.reduce((text, byte) => text + (byte % 10).toString(), '');
  return `9${digits.slice(0, USER_ID_DIGITS - 1)}`;
}
