import { handlersOf, type Collection } from '../../../core/engine/collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { Indexed, StoredRow } from '../../../core/engine/stored-row.ts';
import { isText, memberOf, type Json, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { claimEmail } from './claims.ts';
import { COLLECTIONS } from '../collections.ts';
import { isEmail, requireOwnDomain, userOf } from '../keys.ts';
import { dropAlias, keepAlias } from './addresses.ts';
import { buryUser } from './deletion.ts';
import { extraEmails } from './emails.ts';
import { withoutPassword } from './password.ts';
import { nameOf, orgUnitIdOf, requireProfile } from './profile.ts';
import { aliasesOf, emailOf, indexOf, newUser, told } from './rows.ts';
import { customValuesAfter } from '../schemas/user-schemas.ts';
import { userViewer } from './view.ts';

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
  find: (call, context) => userOf(call.path['userKey'] ?? '', context),
  create,
  change,
  inserted: (row, _call, context) => {
    claimEmail(context, emailOf(row.body), row, true);
    told(context, 'add', row);
  },
  changesUnseen: ({ body }) => isText(body['password']),
  updated: (before, row, _call, context) => told(context, 'update', row, before),
  removed: (row, _call, context) => {
    buryUser(row, context);
    told(context, 'delete', row);
  },
  view: (row, call, context) => userViewer(call, context)(row),
};

export const userHandlers = handlersOf(users, {
  get: 'directory.users.get',
  insert: 'directory.users.insert',
  patch: 'directory.users.patch',
  update: 'directory.users.update',
  delete: 'directory.users.delete',
});

function create(_call: Call, context: Context, sent: JsonObject): { id: string; body: JsonObject } & Indexed {
  for (const field of ['primaryEmail', 'password']) {
    if (!isText(sent[field]) || sent[field] === '') throw refuse.required(field);
  }
  const written = withoutPassword(sent);
  const primaryEmail = newAddress(written['primaryEmail'], context);
  const body = settled({ ...written, primaryEmail, name: nameOf(written) }, [primaryEmail], context);
  const orgUnitId = orgUnitIdOf(written['orgUnitPath'], context);
  stamp({}, body, context);
  const custom = customValuesAfter({}, sent['customSchemas'], context);
  return newUser({ ...body, ...custom, ...(orgUnitId !== undefined && { orgUnitId }) }, context);
}

function change(before: StoredRow, merged: JsonObject, call: Call, context: Context): { body: JsonObject } & Indexed {
  const written = withoutPassword(merged);
  const server = picked(before.body, SERVER_FIELDS);
  const name = call.body['name'] === undefined ? memberOf(before.body, 'name') : nameOf(written);
  const old = emailOf(before.body);
  const primaryEmail = Object.hasOwn(call.body, 'primaryEmail')
    ? addressAfter(old, written['primaryEmail'], context)
    : old;
  const custom = customValuesAfter(before.body, call.body['customSchemas'], context);
  const plain = settled(
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
  return { body, ...indexOf(body) };
}

/**
 * A written body in the form it is stored in: judged, and without what is the server's to say.
 * @param primaries the primary address that the user has so far, and the one that it gets
 */
function settled(written: JsonObject, primaries: readonly string[], context: Context): JsonObject {
  requireProfile(written);
  const { emails, customSchemas: _values, customFieldIds: _ids, orgUnitPath: _, ...rest } = written;
  const body = Object.fromEntries(Object.entries(rest).filter(([name]) => !isServerField(name)));
  return {
    ...body,
    ...(Array.isArray(emails) && { emails: extraEmails(emails, [...primaries, ...aliasesOf(written)], context) }),
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
    if (body[flag] === true) body[time] = memberOf(before, time) ?? now;
    else delete body[time];
  }
  if (body['suspended'] === true) body['suspensionReason'] = 'ADMIN';
  else delete body['suspensionReason'];
}

function move(body: JsonObject, path: Json | undefined, context: Context): void {
  const orgUnitId = orgUnitIdOf(path, context);
  if (orgUnitId === undefined) delete body['orgUnitId'];
  else body['orgUnitId'] = orgUnitId;
}

/** Gives a user another primary address; the old one becomes an alias, as the vendor does. */
function rename(owner: StoredRow, body: JsonObject, primaryEmail: string, context: Context): void {
  const old = emailOf(owner.body);
  if (aliasesOf(body).includes(primaryEmail)) dropAlias(owner, body, primaryEmail, context);
  body['primaryEmail'] = primaryEmail;
  claimEmail(context, primaryEmail, owner, true);
  keepAlias(owner, body, old, context);
}

/** The primary address that a body asks for. The old one may stand there whatever its domain is: a guest's is not ours. */
const addressAfter = (old: string, address: Json | undefined, context: Context): string =>
  isText(address) && address.toLowerCase() === old ? old : newAddress(address, context);

/** An address for a user, in lower case. @throws Refusal for one that is none, or in no domain of the tenant */
function newAddress(address: Json | undefined, context: Context): string {
  if (!isText(address) || !isEmail(address)) throw refuse.invalidInput('primary_user_email');
  requireOwnDomain(address, context);
  return address.toLowerCase();
}

const picked = (body: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
