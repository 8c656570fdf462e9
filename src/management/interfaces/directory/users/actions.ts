import { requireMatch, shown } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { claimEmail } from './claims.ts';
import { COLLECTIONS } from '../collections.ts';
import { domainOf, isEmail, isOwnDomain, requireCustomer, userOf } from '../keys.ts';
import { undelete } from './deletion.ts';
import { newUser, putUser, told } from './rows.ts';
import { users } from './users.ts';

/** What is done to a user beside the standard methods. */
export const userActionHandlers: Handlers = {
  'directory.users.makeAdmin': makeAdmin,
  'directory.users.signOut': signOut,
  'directory.users.undelete': undelete,
  'directory.users.createGuest': createGuest,
  'directory.twoStepVerification.turnOff': turnOff,
};

function makeAdmin(call: Call, context: Context): undefined {
  const user = userOf(call.path['userKey'] ?? '', context);
  requireMatch(user, call, context);
  const { status } = call.body;
  if (typeof status !== 'boolean') throw refuse.required('status');
  if (user.body['isAdmin'] === status) return;
  told(context, 'makeAdmin', putUser(user, { ...user.body, isAdmin: status }, context));
}

/** Ends the user's sessions at the vendor: there are none here, and nothing of the user shows it. */
function signOut(call: Call, context: Context): undefined {
  userOf(call.path['userKey'] ?? '', context);
}

function turnOff(call: Call, context: Context): undefined {
  const user = userOf(call.path['userKey'] ?? '', context);
  requireMatch(user, call, context);
  if (user.body['isEnrolledIn2Sv'] !== true)
    throw refuse.invalidInput('the user is not enrolled in 2-step verification');
  told(context, 'update', putUser(user, { ...user.body, isEnrolledIn2Sv: false }, context));
}

/** A guest: somebody with an address outside the tenant's domains, by which the guest is found. */
function createGuest(call: Call, context: Context): JsonObject {
  const { customer, primaryGuestEmail } = call.body;
  if (isText(customer) && customer !== '') requireCustomer(customer, context);
  if (!isText(primaryGuestEmail) || primaryGuestEmail === '') throw refuse.required('primaryGuestEmail');
  const email = primaryGuestEmail.toLowerCase();
  if (!isEmail(email) || isOwnDomain(domainOf(email), context)) throw refuse.invalidInput('primaryGuestEmail');
  const written = { primaryEmail: email, isGuestUser: true, guestAccountInfo: { primaryGuestEmail: email } };
  const made = newUser({ ...written, includeInGlobalAddressList: false }, context);
  const row = context.store.insert({ collection: COLLECTIONS.users, parent: '', ...made });
  if (row === undefined) throw refuse.duplicate();
  claimEmail(context, email, row, true);
  told(context, 'add', row);
  return shown(users, row, call, context);
}
