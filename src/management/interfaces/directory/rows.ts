import { extractEmailDomain, extractEmailLocalPart } from '../../../lib/email.ts';
import { getMember, isText, type JsonObject, getTextList } from '../../../lib/json.ts';
import { rememberPerKey } from '../../../lib/memo.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { Collection } from '../../core/engine/collection.ts';
import type { Call, Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { refuseUnknownDomain } from './refusals.ts';
import { isEmail } from './schemas.ts';

/**
 * Names of the directory's collections in the store, with their parents: everything that the parts of the directory
 * need to know about each other's rows.
 */
export const COLLECTIONS = {
  /** id = user id (21 digits); s1 primary email, s2 family name, s3 given name (all lower case); ref = org unit; names: EMAIL. */
  users: 'directory.users',
  /** Deleted users, 20 days; id = user id, s1 = primary email. Their addresses are free again. */
  deletedUsers: 'directory.users.deleted',
  /** id = alias address, lower case; ref = user id. The names are in DIRECTORY_NAMESPACES.email; these rows make them searchable. */
  userAliases: 'directory.users.aliases',
  /** id = group id; s1 = email, s2 = domain and email, s3 = name, all lower case; names: EMAIL. */
  groups: 'directory.groups',
  /** parent = group id, id = ref = id of user, group or customer, or one made of an address outside; s1 role, s2 `GROUP`. */
  members: 'directory.members',
  /** id = org unit id without `id:`; s1 = path, lower case; ref = parent's id. The root has the path `/`. */
  orgUnits: 'directory.orgunits',
  /** id = schema id; names: SCHEMA. */
  schemas: 'directory.schemas',
  /** id = role id (digits); s1 = role name, lower case. */
  roles: 'directory.roles',
  /** id = assignment id (digits); ref = assigned user or group; s1 = role id, s2 = org unit, s3 = all three. */
  roleAssignments: 'directory.roleassignments',
  /** id = domain name, lower case. The primary one has `isPrimary: true`. */
  domains: 'directory.domains',
  /** id = alias name, lower case; ref = the domain. */
  domainAliases: 'directory.domainaliases',
  /** The one customer: id = tenant id. */
  customers: 'directory.customers',
  /** id = building id; names: BUILDING. */
  buildings: 'directory.buildings',
  /** id = resource id, ref = building id. */
  calendars: 'directory.calendars',
  /** id = an internal id that is never shown, s1 = name, lower case; names: FEATURE. */
  features: 'directory.features',
  chromeDevices: 'directory.chromeosdevices',
  /** parent = device id, id = command id. */
  chromeCommands: 'directory.chromeosdevices.commands',
  mobileDevices: 'directory.mobiledevices',
  printers: 'directory.printers',
  printServers: 'directory.printservers',
  /** parent = user id. */
  photos: 'directory.photos',
  asps: 'directory.asps',
  tokens: 'directory.tokens',
  verificationCodes: 'directory.verificationcodes',
} as const;

/** What was set of the settings of groups, by the id of the group: a collection of `../groupssettings`. */
export const GROUP_SETTINGS_ROWS = 'groupssettings.groups';

/** Licences of users, a collection of `../licensing`: parent = SKU, id = ref = user id. */
export const LICENSE_ROWS = 'licensing.assignments';

/** What no snapshot holds (rule K3); channels are kept elsewhere. */
export const CREDENTIAL_COLLECTIONS = [COLLECTIONS.asps, COLLECTIONS.tokens, COLLECTIONS.verificationCodes];

/** Namespaces of names that are unique in a tenant. Names are lower case. */
export const DIRECTORY_NAMESPACES = {
  /** Addresses of users and groups, primary and alias. */
  email: 'email',
  schema: 'schema',
  building: 'building',
  feature: 'feature',
} as const;

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
export function findParentAddress(email: string, context: Context): string | undefined {
  const parent = findParentDomain(extractEmailDomain(email), context);
  return parent === undefined ? undefined : `${extractEmailLocalPart(email)}@${parent}`;
}

/** The domain that a name is an alias of, in lower case; undefined when it is none. */
export function findParentDomain(name: string, { store }: Context): string | undefined {
  const alias = store.get(COLLECTIONS.domainAliases, '', name);
  const parent = alias && getMember(alias.body, 'parentDomainName');
  return isText(parent) ? parent.toLowerCase() : undefined;
}

/** @throws Refusal 404 `Domain not found.` for an address that is in no domain, and no alias of one, of the tenant */
export function requireOwnDomain(email: string, context: Context): void {
  if (!isOwnDomain(extractEmailDomain(email), context)) throw refuseUnknownDomain();
}

/** Whether the tenant has a domain, or an alias of one, of this name. */
export const isOwnDomain = (domain: string, { store }: Context): boolean =>
  store.get(COLLECTIONS.domains, '', domain) !== undefined ||
  store.get(COLLECTIONS.domainAliases, '', domain) !== undefined;

/** @throws Refusal 403 for any customer but `my_customer` and the tenant's own id: foreign and unknown look the same (rule K1) */
export function requireCustomer(key: string, context: Context): void {
  if (key !== 'my_customer' && key !== context.tenant.id) throw vendorRefusals.forbidden();
}

/**
 * How a collection of the customer finds its parent, which is none in the store, and a row: the customer that the path
 * names is judged before anything else.
 * @param parameter of the path, that names the customer
 */
export function defineCustomerCollection(
  parameter: 'customer' | 'customerId',
  find: (path: Call['path'], context: Context) => ResourceRow,
): Required<Pick<Collection, 'parentOf' | 'find'>> {
  const parentOf = ({ path }: Call, context: Context): string => {
    requireCustomer(path[parameter] ?? '', context);
    return '';
  };
  return {
    parentOf,
    find: (call, context) => {
      parentOf(call, context);
      return find(call.path, context);
    },
  };
}

/** The row of a collection at the top. @throws Refusal 404 `Resource Not Found: <what>` */
export function requireRow(collection: string, id: string, what: string, { store }: Context): ResourceRow {
  const found = store.get(collection, '', id);
  if (found === undefined) throw vendorRefusals.notFound(what);
  return found;
}

/** The first row of a collection whose `s1` is this text. One statement. */
export function findSortedRow(collection: string, s1: string, { store }: Context): ResourceRow | undefined {
  const [first] = store.list({ collection, parent: '', order: { by: 's1' }, prefix: s1, limit: 1 });
  return first !== undefined && first.cursor.sort === s1 ? first.row : undefined;
}

/** Gives a row a name of its own. @throws Refusal 409 when another row has it */
export function claimName(namespace: string, name: string, row: ResourceRow, { store }: Context): void {
  if (!store.name(namespace, name, row)) throw vendorRefusals.duplicate();
}

/** A reader that reads each key once in a call, however many rows of a page ask for it. */
export function createCallReader<T>(read: (key: string, context: Context) => T): (key: string, context: Context) => T {
  const readers = new WeakMap<Context, (key: string) => T>();
  return (key, context) => {
    const reader = readers.get(context) ?? rememberPerKey((each) => read(each, context));
    readers.set(context, reader);
    return reader(key);
  };
}

/** The alias addresses of a stored user or group, in order. */
export const listAliases = (body: JsonObject): string[] => getTextList(body, 'aliases');

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
