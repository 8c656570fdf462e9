import type { Context } from '../../../core/engine/operation.ts';
import type { Address, Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, getMember, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { generateDigits, USER_ID_DIGITS } from '../keys.ts';

/** A user who was never here before, of what was written and what the server adds. */
export function buildNewUser(written: JsonObject, context: Context): { id: string; body: JsonObject } & Indexed {
  const id = generateDigits(context, USER_ID_DIGITS);
  const body: JsonObject = {
    id,
    isAdmin: false,
    isDelegatedAdmin: false,
    lastLoginTime: new Date(0).toISOString(),
    creationTime: new Date(context.now()).toISOString(),
    agreedToTerms: false,
    suspended: false,
    archived: false,
    changePasswordAtNextLogin: false,
    ipWhitelisted: false,
    customerId: context.tenant.id,
    isMailboxSetup: false,
    isEnrolledIn2Sv: false,
    isEnforcedIn2Sv: false,
    includeInGlobalAddressList: true,
    ...written,
  };
  return { id, body, ...buildUserIndex(body) };
}

/** What a user's row is sorted and found by. */
export function buildUserIndex(body: JsonObject): Indexed {
  const { name, orgUnitId } = body;
  const partOf = (part: string): string => (isObject(name) ? getTextMember(name, part).toLowerCase() : '');
  return {
    s1: getPrimaryEmail(body),
    s2: partOf('familyName'),
    s3: partOf('givenName'),
    ...(isText(orgUnitId) && { ref: orgUnitId }),
  };
}

/** Stores a changed body of a user. */
export const putUser = (row: Address, body: JsonObject, { store }: Context): ResourceRow =>
  store.put({ collection: row.collection, parent: row.parent, id: row.id, body, ...buildUserIndex(body) });

/** The primary address of a user, in lower case. */
export const getPrimaryEmail = (body: JsonObject): string => getTextMember(body, 'primaryEmail').toLowerCase();

/** Notifies the channels that watch users; for a renamed user also those that watch the old domain. */
export const reportUserChange = (
  context: Context,
  event: 'add' | 'delete' | 'makeAdmin' | 'undelete' | 'update',
  row: ResourceRow,
  before: ResourceRow = row,
): void => {
  const [primaryEmail, oldEmail] = [getPrimaryEmail(row.body), getPrimaryEmail(before.body)];
  const renamed = oldEmail === primaryEmail ? {} : { oldEmail };
  context.changed({ watched: 'users', event, user: { id: row.id, primaryEmail }, ...renamed });
};

/** The alias addresses of a stored user, in order. */
export function listUserAliases(body: JsonObject): string[] {
  const aliases = getMember(body, 'aliases');
  return Array.isArray(aliases) ? aliases.filter(isText) : [];
}
