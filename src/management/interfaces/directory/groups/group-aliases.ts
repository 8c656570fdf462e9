import { listBody } from '../../../core/engine/collection.ts';
import type { Context, Handlers } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { claimEmail } from '../users/claims.ts';
import { NAMES } from '../collections.ts';
import { aliasesOf, indexOf, MAX_ALIASES } from './groups.ts';
import { groupOf, holderOf, isEmail, requireOwnDomain } from '../keys.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { textOf } from '../texts.ts';

const KIND = 'admin#directory#alias';

/** Further addresses of groups. They are no resources of their own: a change of them is a change of the group. */
export const groupAliasHandlers: Handlers = {
  'directory.groups.aliases.list': (call, context) => {
    const group = groupOf(call.path['groupKey'] ?? '', context);
    const items = aliasesOf(group.body).map((alias) => shownAlias(alias, group, context));
    return listBody({ listKind: 'admin#directory#aliases', items: 'aliases' }, items, undefined, context);
  },
  'directory.groups.aliases.insert': (call, context) => {
    const group = groupOf(call.path['groupKey'] ?? '', context);
    const alias = textOf(call.body, 'alias').toLowerCase();
    if (alias === '') throw refuse.required('alias');
    if (!isEmail(alias)) throw refuse.invalidInput('alias');
    requireOwnDomain(alias, context);
    const before = aliasesOf(group.body);
    if (before.length >= MAX_ALIASES) throw refuse.limitExceeded(`A group has at most ${MAX_ALIASES} aliases`);
    if (holderOf(alias, context) !== undefined) throw refuse.duplicate();
    claimEmail(context, alias, group, false);
    const body = { ...group.body, aliases: [...before, alias] };
    const row = context.store.put({ ...group, body, ...indexOf(body) });
    return shownAlias(alias, row, context);
  },
  'directory.groups.aliases.delete': (call, context) => {
    const group = groupOf(call.path['groupKey'] ?? '', context);
    const alias = (call.path['alias'] ?? '').toLowerCase();
    const before = aliasesOf(group.body);
    if (!before.includes(alias)) throw refuse.notFound('alias');
    context.store.unname(NAMES.email, alias);
    const body = { ...group.body, aliases: before.filter((each) => each !== alias) };
    context.store.put({ ...group, body, ...indexOf(body) });
    return undefined;
  },
};

function shownAlias(alias: string, group: StoredRow, context: Context): JsonObject {
  const shown = { id: group.id, primaryEmail: textOf(group.body, 'email'), alias };
  return { kind: KIND, etag: context.etagOf(group.revision, shown), ...shown };
}
