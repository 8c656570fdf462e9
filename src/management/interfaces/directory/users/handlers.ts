import { extractEmailDomain } from '../../../../lib/email.ts';
import { getMember, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import {
  buildShownItems,
  buildShownResource,
  type Collection,
  defineCollectionHandlers,
  getPutMeaning,
  listBody,
  readPageSize,
  requireMatch,
} from '../../../core/engine/collection.ts';
import { computeNextBatch } from '../../../core/engine/filtered-list.ts';
import { listReadMembers } from '../../../core/engine/item-selection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { Indexed, ListCursor, ResourceRow } from '../../../core/engine/stored-row.ts';
import { claimEmail, dropAlias, isAddressFree, keepAlias, reportAliasChange } from '../aliases/rows.ts';
import { mergeCustomValues } from '../custom-schemas/schemas.ts';
import { findPrimaryDomains } from '../customers/rows.ts';
import { refuseBadRequest, refuseLateUndelete, refuseUnknownDomain } from '../refusals.ts';
import {
  COLLECTIONS,
  isOwnDomain,
  LICENSE_ROWS,
  listAliases,
  requireCustomer,
  requireOwnDomain,
  requireUser,
} from '../rows.ts';
import { isEmail } from '../schemas.ts';
import { parseUserQuery } from './query.ts';
import {
  buildNewUser,
  buildUserIndex,
  createUserView,
  getPrimaryEmail,
  isGone,
  pickFields,
  putUser,
  reportUserChange,
  UNDELETE_DAYS,
  USER_PARTS,
  WRITABLE_DEFAULTS,
} from './rows.ts';
import {
  buildUserBody,
  buildUserName,
  requireNewAddress,
  resolveOrgUnitId,
  SERVER_FIELDS,
  withoutPassword,
} from './schemas.ts';
import { createUserTest, type UserTest } from './search.ts';
import { createUserSource, type UserSource } from './sources.ts';

const users: Collection = {
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
  view: (row, call, context, isWanted) => createUserView(call, context, isWanted)(row),
  parts: USER_PARTS,
};

/** Users, their list, and what is done to them beside the standard methods. */
export const handlers: Handlers = {
  'directory.users.list': listUsers,
  ...defineCollectionHandlers(users, {
    get: 'directory.users.get',
    insert: 'directory.users.insert',
    patch: 'directory.users.patch',
    update: 'directory.users.update',
    delete: 'directory.users.delete',
  }),
  'directory.users.makeAdmin': makeAdmin,
  'directory.users.signOut': signOut,
  'directory.users.undelete': undelete,
  'directory.users.createGuest': createGuest,
  'directory.twoStepVerification.turnOff': disableTwoStepVerification,
};

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
  const isCleared = context.row.httpMethod === 'PUT' && getPutMeaning(context) === 'replace';
  const custom = mergeCustomValues(isCleared ? {} : before.body, call.body['customSchemas'], context);
  const plain = buildUserBody(
    {
      ...(isCleared && WRITABLE_DEFAULTS),
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
  if (listAliases(body).includes(primaryEmail)) dropAlias(owner, body, primaryEmail, context);
  body['primaryEmail'] = primaryEmail;
  claimEmail(context, primaryEmail, owner, true);
  keepAlias(owner, body, old, context);
}

/** The primary address that a body asks for. The old one may stay whatever its domain: a guest's domain is not ours. */
const resolvePrimaryAddress = (old: string, address: Json | undefined, context: Context): string =>
  isText(address) && address.toLowerCase() === old ? old : requireNewAddress(address, context);

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

/** After a user's row is removed: it goes to the deleted ones, its memberships, roles, licences, aliases, photo and credentials for ever. */
function moveToDeletedUsers(row: ResourceRow, context: Context): void {
  const { store, now } = context;
  for (const collection of [COLLECTIONS.members, COLLECTIONS.roleAssignments, COLLECTIONS.userAliases, LICENSE_ROWS]) {
    store.removeByRef(collection, row.id);
  }
  for (const collection of [COLLECTIONS.photos, COLLECTIONS.asps, COLLECTIONS.tokens, COLLECTIONS.verificationCodes]) {
    store.removeAll(collection, row.id);
  }
  for (const _alias of listAliases(row.body)) reportAliasChange(context, 'delete', row.id, getPrimaryEmail(row.body));
  const { thumbnailPhotoEtag: _, ...rest } = row.body;
  const body = { ...rest, deletionTime: new Date(now()).toISOString() };
  store.insert({ collection: COLLECTIONS.deletedUsers, parent: '', id: row.id, body, ...buildUserIndex(body) });
}

/** users.undelete: by immutable id only. The user comes back without memberships, roles and photo, with the aliases that are still free and in a domain of the tenant. */
function undelete(call: Call, context: Context): undefined {
  const { store } = context;
  const id = call.path['userKey'] ?? '';
  const row = store.get(COLLECTIONS.deletedUsers, '', id);
  if (row === undefined || isGone(row, context.now()))
    throw isKnownUser(id, context) ? refuseLateUndelete(UNDELETE_DAYS) : vendorRefusals.notFound('userKey');
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
  const free = listAliases(row.body).filter(
    (alias) => isOwnDomain(extractEmailDomain(alias), context) && isAddressFree(alias, user, context),
  );
  for (const alias of free) keepAlias(user, body, alias, context);
  reportUserChange(context, 'undelete', free.length > 0 ? putUser(user, body, context) : user);
}

const isKnownUser = (id: string, { store }: Context): boolean =>
  (store.get(COLLECTIONS.users, '', id) ?? store.get(COLLECTIONS.deletedUsers, '', id)) !== undefined;

const PAGE = { parameter: 'maxResults', default: 100, max: 500 } as const;
/** A search that no index serves looks at so many users, then gives what it found and a token to go on with. */
export const MAX_SCANNED_USERS = 4_000;
/** SQL statements that are kept back for one more batch, for the tests of one user, and for showing a page. */
const RESERVED_STATEMENTS = 1_500;

/** users.list. Without a query it reads one row more than the page shows; with one, a page may be short and yet not the last. */
function listUsers(call: Call, context: Context): JsonObject {
  const { query, orderBy, sortOrder, showDeleted } = call.query;
  const domains = requirePlace(call, context);
  const limit = readPageSize(call.query['maxResults'], PAGE);
  const clauses = isText(query) ? parseUserQuery(query) : [];
  const deleted = showDeleted === true;
  const tests: UserTest[] = clauses.map((clause) => createUserTest(clause, context));
  if (domains !== undefined) tests.push(({ body }) => domains.includes(extractEmailDomain(getPrimaryEmail(body))));
  if (deleted) tests.push((row) => !isGone(row, context.now()));
  const members = tests.length === 0 ? listReadMembers(users, call) : undefined; // A test looks at anything.
  const order = { orderBy, descending: sortOrder === 'DESCENDING', deleted, members };
  const source = createUserSource(clauses, order, context);
  const page = readUserPage(source, (row) => tests.every((test) => test(row)), limit, context);
  return answerUserPage(page, call, context);
}

/** The domain that was asked for, with the one that it is an alias of; undefined for the whole customer. @throws Refusal when neither is named, or it is not the tenant's */
function requirePlace(call: Call, context: Context): readonly string[] | undefined {
  const { customer, domain } = call.query;
  const hasCustomer = isText(customer) && customer !== '';
  if (hasCustomer) requireCustomer(customer, context);
  if (!isText(domain) || domain === '') {
    if (!hasCustomer) throw refuseBadRequest();
    return undefined;
  }
  const domains = findPrimaryDomains(domain.toLowerCase(), context);
  if (domains === undefined) throw refuseUnknownDomain();
  return domains;
}

type Page = { rows: ResourceRow[]; next?: ListCursor };

function readUserPage(source: UserSource, fits: UserTest, limit: number, { pages, store }: Context): Page {
  const start = pages.open();
  const rows: ResourceRow[] = [];
  let after = start;
  let last = start;
  for (let scanned = 0, batch = limit + 1; batch > 0;) {
    const found = source(after, batch);
    const before = rows.length;
    for (const { row, cursor, isDouble } of found) {
      if (after !== undefined && after !== start && store.statementsLeft() < RESERVED_STATEMENTS)
        return { rows, next: after };
      after = cursor;
      if (isDouble === true || !fits(row)) continue;
      if (rows.length === limit) return last === undefined ? { rows } : { rows, next: last };
      rows.push(row);
      last = cursor;
    }
    scanned += found.length;
    if (found.length < batch) return { rows };
    const next = computeNextBatch({ read: batch, fitted: rows.length - before }, limit + 1 - rows.length);
    batch = Math.min(next, MAX_SCANNED_USERS - scanned);
  }
  return after === undefined ? { rows } : { rows, next: after };
}

function answerUserPage({ rows, next }: Page, call: Call, context: Context): JsonObject {
  let see: ReturnType<typeof createUserView> | undefined;
  const view: Collection['view'] = (row, _call, _context, isWanted) => {
    see ??= createUserView(call, context, isWanted); // One for the page: what rows have in common is read once.
    return see(row);
  };
  return listBody(users, buildShownItems({ ...users, view }, rows, call, context), next, context);
}
