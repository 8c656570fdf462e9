import { requireMatch } from '../../../core/engine/collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, getMember, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { claimEmail, isFree } from './claims.ts';
import { COLLECTIONS } from '../collections.ts';
import { extractEmailDomain, isOwnDomain, requireOwnDomain } from '../keys.ts';
import { keepAlias, reportAliasChange } from './addresses.ts';
import { resolveOrgUnitId } from './profile.ts';
import { listUserAliases, getPrimaryEmail, buildUserIndex, putUser, reportUserChange } from './rows.ts';

/** A deleted user can come back for so long (the vendor's 20 days). */
const UNDELETE_DAYS = 20;
const DAY_MS = 86_400_000;

/** After a user's row is removed: it goes to the deleted ones, its memberships, roles, aliases, photo and credentials for ever. */
export function moveToDeletedUsers(row: ResourceRow, context: Context): void {
  const { store, now } = context;
  for (const collection of [COLLECTIONS.members, COLLECTIONS.roleAssignments, COLLECTIONS.userAliases]) {
    store.removeByRef(collection, row.id);
  }
  for (const collection of [COLLECTIONS.photos, COLLECTIONS.asps, COLLECTIONS.tokens, COLLECTIONS.verificationCodes]) {
    store.removeAll(collection, row.id);
  }
  for (const _alias of listUserAliases(row.body))
    reportAliasChange(context, 'delete', row.id, getPrimaryEmail(row.body));
  const { thumbnailPhotoEtag: _, ...rest } = row.body;
  const body = { ...rest, deletionTime: new Date(now()).toISOString() };
  store.insert({ collection: COLLECTIONS.deletedUsers, parent: '', id: row.id, body, ...buildUserIndex(body) });
}

/** Whether the time in which a deleted user can come back is over. */
export function isGone(row: ResourceRow, nowMs: number): boolean {
  const deletionTime = getMember(row.body, 'deletionTime');
  return !isText(deletionTime) || nowMs - Date.parse(deletionTime) > UNDELETE_DAYS * DAY_MS;
}

/** users.undelete: by immutable id only. The user comes back without memberships, roles and photo, with the aliases that are still free and in a domain of the tenant. */
export function undelete(call: Call, context: Context): undefined {
  const { store } = context;
  const id = call.path['userKey'] ?? '';
  const row = store.get(COLLECTIONS.deletedUsers, '', id);
  if (row === undefined || isGone(row, context.now())) throw refuseUndelete(id, context);
  requireMatch(row, call, context);
  store.remove(row);
  const { deletionTime: _, orgUnitId: __, aliases: ___, ...rest } = row.body;
  const orgUnitId = resolveOrgUnitId(call.body['orgUnitPath'], context);
  const noRights = { isAdmin: false, isDelegatedAdmin: false };
  const body: JsonObject = { ...rest, ...noRights, ...(orgUnitId !== undefined && { orgUnitId }) };
  if (body['isGuestUser'] !== true) requireOwnDomain(getPrimaryEmail(body), context);
  const user = store.insert({ collection: COLLECTIONS.users, parent: '', id, body, ...buildUserIndex(body) });
  if (user === undefined) throw vendorRefusals.duplicate();
  claimEmail(context, getPrimaryEmail(body), user, true);
  const free = listUserAliases(row.body).filter(
    (alias) => isOwnDomain(extractEmailDomain(alias), context) && isFree(alias, user, context),
  );
  for (const alias of free) keepAlias(user, body, alias, context);
  reportUserChange(context, 'undelete', free.length > 0 ? putUser(user, body, context) : user);
}

function refuseUndelete(id: string, { store }: Context) {
  const isKnown = store.get(COLLECTIONS.users, '', id) ?? store.get(COLLECTIONS.deletedUsers, '', id);
  if (isKnown === undefined) return vendorRefusals.notFound('userKey');
  return vendorRefusals.conditionNotMet(
    `The user cannot be undeleted: it was not deleted in the last ${UNDELETE_DAYS} days`,
  );
}
