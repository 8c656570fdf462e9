import { readPageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ListCursor, ListedRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS } from '../collections.ts';
import { answerRowPage, readRowPage, type RowSource } from '../../../core/engine/filtered-list.ts';
import { requireGroup } from '../keys.ts';
import { MEMBER_PAGE, members, ROLES } from './members.ts';

/** Groups inside of a group, at any depth, whose members one list shows. */
const MAX_NESTED_GROUPS = 200;

export const memberListHandlers: Handlers = {
  'directory.members.list': (call, context) => {
    const group = requireGroup(call.path['groupKey'] ?? '', context);
    const roles = parseRoles(call);
    const size = readPageSize(call.query['maxResults'], MEMBER_PAGE);
    if (call.query['includeDerivedMembership'] === true) {
      const isWanted = roles && ((row: ResourceRow) => roles.includes(getTextMember(row.body, 'role')));
      return answerRowPage(
        members,
        readRowPage(createNestedSource(group.id, context), size, context, isWanted),
        call,
        context,
      );
    }
    const source =
      roles === undefined ? createDirectSource(group.id, context) : createRoleSource(group.id, roles, context);
    return answerRowPage(members, readRowPage(source, size, context), call, context);
  },
};

/** The roles of `roles=OWNER,MANAGER`, sorted; undefined for all. @throws Refusal 400 for a word that is no role */
function parseRoles(call: Call): string[] | undefined {
  const { roles } = call.query;
  if (!isText(roles) || roles === '') return undefined;
  const asked = new Set(roles.split(',', ROLES.length + 1).map((role) => role.trim().toUpperCase()));
  if ([...asked].some((role) => !ROLES.includes(role))) throw vendorRefusals.invalidInput('roles');
  return [...asked].toSorted();
}

const createDirectSource =
  (group: string, { store }: Context): RowSource =>
  (after, limit) =>
    store.list({ collection: COLLECTIONS.members, parent: group, after, limit });

/** Role by role, each in the order of ids: at most one statement for each. */
const createRoleSource =
  (group: string, roles: readonly string[], { store }: Context): RowSource =>
  (after, limit) => {
    const rows: ListedRow[] = [];
    for (const role of roles.filter((each) => after === undefined || each >= after.sort)) {
      if (rows.length === limit) break;
      const [collection, order] = [COLLECTIONS.members, { by: 's1' } as const];
      rows.push(...store.list({ collection, parent: group, order, prefix: role, after, limit: limit - rows.length }));
    }
    return rows;
  };

/**
 * The members of a group and of all groups in it, each once, in the order of ids: one statement for each group. Who is
 * in several is shown as in the outermost one.
 */
function createNestedSource(group: string, context: Context): RowSource {
  const groups = listNestedGroups(group, context);
  return (after, limit) => {
    const outermost = new Map<string, ListedRow>();
    for (const each of groups) {
      for (const listed of listMembersAfter(each, after, limit, context)) {
        if (!outermost.has(listed.row.id)) outermost.set(listed.row.id, listed);
      }
    }
    return [...outermost.values()].toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1)).slice(0, limit);
  };
}

const listMembersAfter = (group: string, after: ListCursor | undefined, limit: number, { store }: Context) =>
  store.list({ collection: COLLECTIONS.members, parent: group, after, limit });

/** A group and those in it, the outermost first. @throws Refusal 403 for more than one list can show */
function listNestedGroups(group: string, { store }: Context): string[] {
  const found = new Set([group]);
  for (const each of found) {
    const inner = store.list({
      collection: COLLECTIONS.members,
      parent: each,
      order: { by: 's2' },
      limit: MAX_NESTED_GROUPS + 1,
    });
    for (const { row } of inner) found.add(row.id);
    if (found.size > MAX_NESTED_GROUPS)
      throw vendorRefusals.limitExceeded(`More than ${MAX_NESTED_GROUPS} groups inside of the group`);
  }
  return [...found];
}
