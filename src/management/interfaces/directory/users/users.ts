import { isObject, isText, type Json, type JsonObject, getMember, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import {
  type Collection,
  defineCollectionHandlers,
  requireMatch,
  buildShownResource,
} from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS } from '../collections.ts';
import { listDerivedAddresses } from '../customers/alias-domains.ts';
import { extractEmailDomain, isEmail, isOwnDomain, requireCustomer, requireOwnDomain, requireUser } from '../keys.ts';
import { mergeCustomValues } from '../schemas/user-schemas.ts';
import { dropAlias, keepAlias } from './addresses.ts';
import { claimEmail } from './claims.ts';
import { moveToDeletedUsers, undelete } from './deletion.ts';
import { buildUserName, resolveOrgUnitId, requireProfile } from './profile.ts';
import { listUserAliases, getPrimaryEmail, buildUserIndex, buildNewUser, putUser, reportUserChange } from './rows.ts';
import { createUserView } from './view.ts';

const MIN_PASSWORD_CHARS = 8;
const MAX_PASSWORD_CHARS = 100;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** What a hashed password looks like, by `hashFunction` (vendor's User resource: hex, or C crypt of DES, MD5, SHA-256, SHA-512). */
const HASHES: Readonly<Record<string, RegExp>> = {
  MD5: /^[0-9a-f]{32}$/i,
  'SHA-1': /^[0-9a-f]{40}$/i,
  crypt: /^(?:[./0-9A-Za-z]{13}|\$[156]\$(?:rounds=[0-9]{1,9}\$)?[./0-9A-Za-z]{0,16}\$[./0-9A-Za-z]{22,86})$/,
};

/**
 * The body without its password, which is looked at and thrown away: nothing here signs users in, so nothing of it is
 * kept (rule K7). @throws Refusal for a password that the vendor would not take
 */
function withoutPassword(body: JsonObject): JsonObject {
  const { password, hashFunction, ...rest } = body;
  const isHashed = hashFunction !== undefined && hashFunction !== '' && hashFunction !== null;
  if (isHashed && !(isText(hashFunction) && Object.hasOwn(HASHES, hashFunction)))
    throw vendorRefusals.invalidInput('hashFunction');
  if (password === undefined) return rest;
  const fits = isHashed ? isText(password) && HASHES[hashFunction]?.test(password) === true : isPassword(password);
  if (!fits) throw vendorRefusals.invalid('Invalid Password');
  return rest;
}

const isPassword = (text: unknown): boolean =>
  isText(text) && text.length >= MIN_PASSWORD_CHARS && text.length <= MAX_PASSWORD_CHARS && PRINTABLE_ASCII.test(text);

/**
 * Of the `emails` in a written body, those that are kept as they were written. A user's own addresses are not: they are
 * shown from where they are kept, so that a user who is read and written back stays the same.
 * @param addresses all that the user has and gets, primary and alias
 */
function selectExtraEmails(emails: readonly Json[], addresses: readonly string[], context: Context): Json[] {
  const own = new Set(addresses.flatMap((address) => [address, ...listDerivedAddresses(address, context)]));
  return emails.filter(isObject).flatMap((sent) => {
    const entry = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'primary'));
    const address = getTextMember(entry, 'address').toLowerCase();
    return own.has(address) ? [] : [entry];
  });
}

/** What no body sets. Everything else of a stored user is what was written. */
const SERVER_FIELDS = [
  'id',
  'isAdmin',
  'isDelegatedAdmin',
  'lastLoginTime',
  'creationTime',
  'deletionTime',
  'agreedToTerms',
  'customerId',
  'isMailboxSetup',
  'isEnrolledIn2Sv',
  'isEnforcedIn2Sv',
  'isGuestUser',
  'guestAccountInfo',
  'aliases',
  'nonEditableAliases',
  'orgUnitId',
  'thumbnailPhotoEtag',
  'thumbnailPhotoUrl',
] as const;

export const users: Collection = {
  name: COLLECTIONS.users,
  schema: 'User',
  kind: 'admin#directory#user',
  listKind: 'admin#directory#users',
  items: 'users',
  find: (call, context) => requireUser(call.path['userKey'] ?? '', context),
  create,
  change,
  inserted: (row, _call, context) => {
    claimEmail(context, getPrimaryEmail(row.body), row, true);
    reportUserChange(context, 'add', row);
  },
  changesUnseen: ({ body }) => isText(body['password']),
  updated: (before, row, _call, context) => reportUserChange(context, 'update', row, before),
  removed: (row, _call, context) => {
    moveToDeletedUsers(row, context);
    reportUserChange(context, 'delete', row);
  },
  view: (row, call, context) => createUserView(call, context)(row),
};

export const userHandlers = defineCollectionHandlers(users, {
  get: 'directory.users.get',
  insert: 'directory.users.insert',
  patch: 'directory.users.patch',
  update: 'directory.users.update',
  delete: 'directory.users.delete',
});

function create(_call: Call, context: Context, sent: JsonObject): { id: string; body: JsonObject } & Indexed {
  for (const field of ['primaryEmail', 'password']) {
    if (!isText(sent[field]) || sent[field] === '') throw vendorRefusals.required(field);
  }
  const written = withoutPassword(sent);
  const primaryEmail = requireNewAddress(written['primaryEmail'], context);
  const body = buildUserBody({ ...written, primaryEmail, name: buildUserName(written) }, [primaryEmail], context);
  const orgUnitId = resolveOrgUnitId(written['orgUnitPath'], context);
  stamp({}, body, context);
  const custom = mergeCustomValues({}, sent['customSchemas'], context);
  return buildNewUser({ ...body, ...custom, ...(orgUnitId !== undefined && { orgUnitId }) }, context);
}

function change(before: ResourceRow, merged: JsonObject, call: Call, context: Context): { body: JsonObject } & Indexed {
  const written = withoutPassword(merged);
  const server = pickFields(before.body, SERVER_FIELDS);
  const name = call.body['name'] === undefined ? getMember(before.body, 'name') : buildUserName(written);
  const old = getPrimaryEmail(before.body);
  const primaryEmail = Object.hasOwn(call.body, 'primaryEmail')
    ? resolvePrimaryAddress(old, written['primaryEmail'], context)
    : old;
  const custom = mergeCustomValues(before.body, call.body['customSchemas'], context);
  const plain = buildUserBody(
    {
      ...written,
      primaryEmail: old,
      ...(name !== undefined && { name }),
    },
    [old, primaryEmail],
    context,
  );
  const body: JsonObject = { ...plain, ...custom, ...server };
  stamp(before.body, body, context);
  if (Object.hasOwn(call.body, 'orgUnitPath')) move(body, call.body['orgUnitPath'], context);
  if (primaryEmail !== old) rename(before, body, primaryEmail, context);
  return { body, ...buildUserIndex(body) };
}

/**
 * A written body in the form it is stored in: judged, and without what is the server's to say.
 * @param primaries the primary address that the user has so far, and the one that it gets
 */
function buildUserBody(written: JsonObject, primaries: readonly string[], context: Context): JsonObject {
  requireProfile(written);
  const { emails, customSchemas: _values, customFieldIds: _ids, orgUnitPath: _, ...rest } = written;
  const body = Object.fromEntries(Object.entries(rest).filter(([name]) => !isServerField(name)));
  return {
    ...body,
    ...(Array.isArray(emails) && {
      emails: selectExtraEmails(emails, [...primaries, ...listUserAliases(written)], context),
    }),
  };
}

const serverFields: ReadonlySet<string> = new Set(SERVER_FIELDS);
const isServerField = (name: string): boolean => serverFields.has(name);

/** Writes down since when a user is suspended or archived, and by whom. */
function stamp(before: JsonObject, body: JsonObject, context: Context): void {
  const now = new Date(context.now()).toISOString();
  for (const [flag, time] of [
    ['suspended', 'suspensionTime'],
    ['archived', 'archivalTime'],
  ] as const) {
    if (body[flag] === true) body[time] = getMember(before, time) ?? now;
    else delete body[time];
  }
  if (body['suspended'] === true) body['suspensionReason'] = 'ADMIN';
  else delete body['suspensionReason'];
}

function move(body: JsonObject, path: Json | undefined, context: Context): void {
  const orgUnitId = resolveOrgUnitId(path, context);
  if (orgUnitId === undefined) delete body['orgUnitId'];
  else body['orgUnitId'] = orgUnitId;
}

/** Gives a user another primary address; the old one becomes an alias, as the vendor does. */
function rename(owner: ResourceRow, body: JsonObject, primaryEmail: string, context: Context): void {
  const old = getPrimaryEmail(owner.body);
  if (listUserAliases(body).includes(primaryEmail)) dropAlias(owner, body, primaryEmail, context);
  body['primaryEmail'] = primaryEmail;
  claimEmail(context, primaryEmail, owner, true);
  keepAlias(owner, body, old, context);
}

/** The primary address that a body asks for. The old one may stay whatever its domain: a guest's domain is not ours. */
const resolvePrimaryAddress = (old: string, address: Json | undefined, context: Context): string =>
  isText(address) && address.toLowerCase() === old ? old : requireNewAddress(address, context);

/** An address for a user, in lower case. @throws Refusal for one that is none, or in no domain of the tenant */
function requireNewAddress(address: Json | undefined, context: Context): string {
  if (!isText(address) || !isEmail(address)) throw vendorRefusals.invalidInput('primary_user_email');
  requireOwnDomain(address, context);
  return address.toLowerCase();
}

const pickFields = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));

/** What is done to a user beside the standard methods. */
export const userActionHandlers: Handlers = {
  'directory.users.makeAdmin': makeAdmin,
  'directory.users.signOut': signOut,
  'directory.users.undelete': undelete,
  'directory.users.createGuest': createGuest,
  'directory.twoStepVerification.turnOff': disableTwoStepVerification,
};

function makeAdmin(call: Call, context: Context): undefined {
  const user = requireUser(call.path['userKey'] ?? '', context);
  requireMatch(user, call, context);
  const { status } = call.body;
  if (typeof status !== 'boolean') throw vendorRefusals.required('status');
  if (user.body['isAdmin'] === status) return;
  reportUserChange(context, 'makeAdmin', putUser(user, { ...user.body, isAdmin: status }, context));
}

/** Ends the user's sessions at the vendor: there are none here, and nothing of the user shows it. */
function signOut(call: Call, context: Context): undefined {
  requireUser(call.path['userKey'] ?? '', context);
}

function disableTwoStepVerification(call: Call, context: Context): undefined {
  const user = requireUser(call.path['userKey'] ?? '', context);
  requireMatch(user, call, context);
  if (user.body['isEnrolledIn2Sv'] !== true)
    throw vendorRefusals.invalidInput('the user is not enrolled in 2-step verification');
  reportUserChange(context, 'update', putUser(user, { ...user.body, isEnrolledIn2Sv: false }, context));
}

/** A guest: a user with an address outside the tenant's domains, who is found by that address. */
function createGuest(call: Call, context: Context): JsonObject {
  const { customer, primaryGuestEmail } = call.body;
  if (isText(customer) && customer !== '') requireCustomer(customer, context);
  if (!isText(primaryGuestEmail) || primaryGuestEmail === '') throw vendorRefusals.required('primaryGuestEmail');
  const email = primaryGuestEmail.toLowerCase();
  if (!isEmail(email) || isOwnDomain(extractEmailDomain(email), context))
    throw vendorRefusals.invalidInput('primaryGuestEmail');
  const written = { primaryEmail: email, isGuestUser: true, guestAccountInfo: { primaryGuestEmail: email } };
  const made = buildNewUser({ ...written, includeInGlobalAddressList: false }, context);
  const row = context.store.insert({ collection: COLLECTIONS.users, parent: '', ...made });
  if (row === undefined) throw vendorRefusals.duplicate();
  claimEmail(context, email, row, true);
  reportUserChange(context, 'add', row);
  return buildShownResource(users, row, call, context);
}
