import { listBody } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { claimEmail } from './claims.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../collections.ts';
import { findAddressHolder, isEmail, requireOwnDomain, requireUser } from '../keys.ts';
import { listUserAliases, getPrimaryEmail, putUser } from './rows.ts';

/** A user has so many aliases at most (the vendor's limit). */
const MAX_ALIASES = 30;
const KIND = 'admin#directory#alias';

export const userAliasHandlers: Handlers = {
  'directory.users.aliases.list': list,
  'directory.users.aliases.insert': insert,
  'directory.users.aliases.delete': remove,
};

function list(call: Call, context: Context): JsonObject {
  const user = requireUser(call.path['userKey'] ?? '', context);
  const rows = context.store.byRef(COLLECTIONS.userAliases, user.id, MAX_ALIASES);
  const items = rows.map((row) => toAliasResource(row, user, context));
  return listBody({ listKind: 'admin#directory#aliases', items: 'aliases' }, items, undefined, context);
}

function insert(call: Call, context: Context): JsonObject {
  const user = requireUser(call.path['userKey'] ?? '', context);
  const { alias } = call.body;
  if (!isText(alias) || alias === '') throw vendorRefusals.required('alias');
  if (!isEmail(alias)) throw vendorRefusals.invalidInput('alias');
  requireOwnDomain(alias, context);
  if (findAddressHolder(alias, context) !== undefined) throw vendorRefusals.duplicate();
  const body = { ...user.body };
  const row = keepAlias(user, body, alias.toLowerCase(), context);
  putUser(user, body, context);
  return toAliasResource(row, user, context);
}

function remove(call: Call, context: Context): undefined {
  const user = requireUser(call.path['userKey'] ?? '', context);
  const alias = (call.path['alias'] ?? '').toLowerCase();
  if (!listUserAliases(user.body).includes(alias)) throw vendorRefusals.notFound('alias');
  const body = { ...user.body };
  dropAlias(user, body, alias, context);
  putUser(user, body, context);
}

/**
 * Gives a user an alias, which may be the user's former primary address. Changes the body; the user's row is not
 * written yet. @throws Refusal 409 when the address is taken
 */
export function keepAlias(user: ResourceRow, body: JsonObject, alias: string, context: Context): ResourceRow {
  const aliases = listUserAliases(body);
  if (aliases.length >= MAX_ALIASES) throw vendorRefusals.limitExceeded(`A user has at most ${MAX_ALIASES} aliases`);
  if (alias !== getPrimaryEmail(body) && alias === getPrimaryEmail(user.body))
    context.store.unname(DIRECTORY_NAMESPACES.email, alias);
  claimEmail(context, alias, user, false);
  const row = context.store.insert({
    collection: COLLECTIONS.userAliases,
    parent: '',
    id: alias,
    ref: user.id,
    body: { userId: user.id },
  });
  if (row === undefined) throw vendorRefusals.duplicate();
  body['aliases'] = [...aliases, alias].toSorted();
  reportAliasChange(context, 'add', user.id, getPrimaryEmail(body));
  return row;
}

/** Frees an alias of a user. The body is changed, the user's row is not yet written. */
export function dropAlias(user: ResourceRow, body: JsonObject, alias: string, context: Context): void {
  context.store.unname(DIRECTORY_NAMESPACES.email, alias);
  context.store.remove({ collection: COLLECTIONS.userAliases, parent: '', id: alias });
  const left = listUserAliases(body).filter((each) => each !== alias);
  if (left.length === 0) delete body['aliases'];
  else body['aliases'] = left;
  reportAliasChange(context, 'delete', user.id, getPrimaryEmail(body));
}

/** Notifies the channels that watch the aliases of a user. */
export const reportAliasChange = (context: Context, event: 'add' | 'delete', id: string, primaryEmail: string): void =>
  context.changed({ watched: 'aliases', event, user: { id, primaryEmail } });

function toAliasResource(row: ResourceRow, user: ResourceRow, context: Context): JsonObject {
  const shown = { id: user.id, primaryEmail: getPrimaryEmail(user.body), alias: row.id };
  return { kind: KIND, etag: context.etagOf(row.revision, shown), ...shown };
}
