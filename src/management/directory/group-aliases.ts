import type { Handlers } from '../engine/operation.ts';
import { NAMES } from './collections.ts';
import { aliasesOf, indexOf } from './groups.ts';
import { claimEmail, groupOf, isEmail, requireOwnDomain } from './keys.ts';
import { refuse } from '../refusal.ts';
import { textOf } from './texts.ts';

/** Aliases that one group may have. */
const MAX_ALIASES = 30;
const KIND = 'admin#directory#alias';

/** Further addresses of groups. They are no resources of their own: a change of them is a change of the group. */
export const groupAliasHandlers: Handlers = {
  'directory.groups.aliases.list': (call, context) => {
    const group = groupOf(call.path['groupKey'] ?? '', context);
    const etag = context.etagOf(group.revision);
    const aliases = aliasesOf(group.body).map((alias) => ({
      kind: KIND,
      etag,
      id: group.id,
      primaryEmail: textOf(group.body, 'email'),
      alias,
    }));
    return { kind: 'admin#directory#aliases', etag, ...(aliases.length > 0 && { aliases }) };
  },
  'directory.groups.aliases.insert': (call, context) => {
    const group = groupOf(call.path['groupKey'] ?? '', context);
    const alias = textOf(call.body, 'alias').toLowerCase();
    if (alias === '') throw refuse.required('alias');
    if (!isEmail(alias)) throw refuse.invalidInput('alias');
    requireOwnDomain(alias, context);
    const before = aliasesOf(group.body);
    if (before.length >= MAX_ALIASES) throw refuse.limitExceeded(`A group has at most ${MAX_ALIASES} aliases`);
    claimEmail(context, alias, group, false);
    const body = { ...group.body, aliases: [...before, alias] };
    const row = context.store.put({ ...group, body, ...indexOf(body) });
    return { kind: KIND, etag: context.etagOf(row.revision), id: row.id, primaryEmail: textOf(body, 'email'), alias };
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
