import type { Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isText, getMember } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from './collections.ts';

/** RFC 5321 section 4.5.3.1: maximum lengths of an address and of the part before its `@`. */
const MAX_EMAIL_CHARS = 254;
const MAX_LOCAL_CHARS = 64;
/** An address with a domain of two labels or more, without quotes and comments. */
const EMAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
/** Ids of users are so long. */
export const USER_ID_DIGITS = 21;
const DIGITS = /^[0-9]+$/;

/**
 * The user that a key names: by id, primary address, alias, or its address in an alias of its domain. One SQL statement
 * for all but the last.
 * @param what the name of the parameter that the refusal is to name
 * @throws Refusal 404 `Resource Not Found: userKey`
 */
export function requireUser(key: string, context: Context, what = 'userKey'): ResourceRow {
  const isId = key.length === USER_ID_DIGITS && DIGITS.test(key);
  const found = isId
    ? context.store.get(COLLECTIONS.users, '', key)
    : findInCollection(key, COLLECTIONS.users, context);
  if (found === undefined) throw vendorRefusals.notFound(what);
  return found;
}

/** The group that a key names: by id, address or alias. @throws Refusal 404 `Resource Not Found: groupKey` */
export function requireGroup(key: string, context: Context, what = 'groupKey'): ResourceRow {
  const found = key.includes('@')
    ? findInCollection(key, COLLECTIONS.groups, context)
    : context.store.get(COLLECTIONS.groups, '', key);
  if (found === undefined) throw vendorRefusals.notFound(what);
  return found;
}

function findInCollection(key: string, collection: string, context: Context): ResourceRow | undefined {
  const holder = findAddressHolder(key, context);
  return holder?.collection === collection ? holder : undefined;
}

/** The user or group that has an address, as its own, as an alias, or in an alias of its domain. */
export function findAddressHolder(address: string, context: Context): ResourceRow | undefined {
  const email = address.toLowerCase();
  if (!isEmail(email)) return undefined;
  const found = context.store.named(DIRECTORY_NAMESPACES.email, email);
  if (found !== undefined) return found.row;
  const inDomain = findParentAddress(email, context);
  return inDomain === undefined ? undefined : context.store.named(DIRECTORY_NAMESPACES.email, inDomain)?.row;
}

/** The same address in the domain that this address's domain is an alias of; undefined when it is none. */
export function findParentAddress(email: string, { store }: Context): string | undefined {
  const alias = store.get(COLLECTIONS.domainAliases, '', extractEmailDomain(email));
  const parent = alias && getMember(alias.body, 'parentDomainName');
  return isText(parent) ? `${extractEmailLocalPart(email)}@${parent.toLowerCase()}` : undefined;
}

/** @throws Refusal 403 for any customer but `my_customer` and the tenant's own id: foreign and unknown look the same (rule K1) */
export function requireCustomer(key: string, context: Context): void {
  if (key !== 'my_customer' && key !== context.tenant.id) throw vendorRefusals.forbidden();
}

/** Whether a text is an address of RFC 5321, in the plain form that directories use. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_CHARS && extractEmailLocalPart(text).length <= MAX_LOCAL_CHARS && EMAIL.test(text);
}

/** What stands after the last `@`, in lower case; the whole text where there is none. */
export const extractEmailDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** What stands before the last `@`; '' where there is none. */
export const extractEmailLocalPart = (email: string): string => email.slice(0, Math.max(0, email.lastIndexOf('@')));

/** @throws Refusal 404 `Domain not found.` for an address that is in no domain, and no alias of one, of the tenant */
export function requireOwnDomain(email: string, context: Context): void {
  if (!isOwnDomain(extractEmailDomain(email), context)) throw vendorRefusals.missing('Domain not found.');
}

/** Whether the tenant has a domain, or an alias of one, of this name. */
export const isOwnDomain = (domain: string, { store }: Context): boolean =>
  store.get(COLLECTIONS.domains, '', domain) !== undefined ||
  store.get(COLLECTIONS.domainAliases, '', domain) !== undefined;

/** Random decimal digits, the first one never 0. At most 38. */
export function generateDigits(context: Context, length: number): string {
  const drawn = BigInt(`0x${context.random(32)}`)
    .toString()
    .padStart(length, '7');
  const digits = drawn.slice(-length);
  return digits.startsWith('0') ? `1${digits.slice(1)}` : digits;
}

const ID_CHARS = 15;

/** A random id in the style of the vendor's groups and org units: 0 and 14 letters or digits. */
export function generateDirectoryId(context: Context): string {
  const drawn = BigInt(`0x${context.random(16)}`).toString(36);
  return `0${drawn.slice(-(ID_CHARS - 1)).padStart(ID_CHARS - 1, '0')}`;
}
