import { getTextMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { RowSource } from '../../../core/engine/filtered-list.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { findPrincipal } from '../groups/rows.ts';
import { COLLECTIONS, requireRow } from '../rows.ts';
import { putUser, reportUserChange } from '../users/rows.ts';

/** Groups that a user is in, at any depth, whose assignments are looked for. */
const MAX_GROUPS = 200;

/** The role of an id. @throws Refusal 404 `Resource Not Found: roleId` */
export const requireDirectoryRole = (id: string, context: Context): ResourceRow =>
  requireRow(COLLECTIONS.roles, id, 'roleId', context);

/** What an assignment is found and sorted by. */
export function buildAssignmentIndex(body: JsonObject): Indexed & { s3: string } {
  const [roleId, assignee, unit] = ['roleId', 'assignedTo', 'orgUnitId'].map((name) => getTextMember(body, name));
  return {
    s1: `${roleId}`,
    ...(unit && { s2: unit }),
    s3: `${assignee}/${roleId}/${unit}/`,
    ref: `${assignee}`,
  };
}

/** Takes an assignment away. */
export function unassign(row: ResourceRow, context: Context): void {
  context.store.remove(row);
  markDelegate(row, context);
}

/** A user with any role is a delegated administrator, and shown as one. */
export function markDelegate({ body }: ResourceRow, context: Context): void {
  const { store } = context;
  const assignedTo = getTextMember(body, 'assignedTo');
  const user = body['assigneeType'] === 'user' ? store.get(COLLECTIONS.users, '', assignedTo) : undefined;
  if (user === undefined) return;
  const isDelegatedAdmin = store.byRef(COLLECTIONS.roleAssignments, assignedTo, 1).length > 0;
  if (user.body['isDelegatedAdmin'] === isDelegatedAdmin) return;
  reportUserChange(context, 'update', putUser(user, { ...user.body, isDelegatedAdmin }, context));
}

/** All assignments, or those of one role. */
export const createAssignmentSource =
  (roleId: unknown, { store }: Context): RowSource =>
  (after, limit) =>
    store.list({
      collection: COLLECTIONS.roleAssignments,
      parent: '',
      ...(isText(roleId) && { order: { by: 's1' }, prefix: roleId }),
      after,
      limit,
    });

/** Those of a user or group, in the order of their ids; also those of the groups that it is in, where that is asked for. */
export function createAssigneeSource(key: string, isIndirect: boolean, context: Context): RowSource {
  const named = findPrincipal(key, context);
  if (named === undefined || !('row' in named)) throw vendorRefusals.notFound('userKey');
  const holders = isIndirect ? [named.id, ...listParentGroups(named.id, context)] : [named.id];
  return (after, limit) =>
    holders
      .flatMap((holder) =>
        context.store.byRef(COLLECTIONS.roleAssignments, holder, limit, after && { parent: '', id: after.id }),
      )
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map((row) => ({ row, cursor: { sort: row.id, id: row.id } }));
}

/** All groups that contain a member, at any depth. @throws Refusal 403 for more than are searched */
function listParentGroups(member: string, { store }: Context): string[] {
  const around = new Set([member]);
  for (const each of around) {
    for (const { parent } of store.byRef(COLLECTIONS.members, each, MAX_GROUPS + 1)) around.add(parent);
    if (around.size > MAX_GROUPS) throw vendorRefusals.limitExceeded(`In more than ${MAX_GROUPS} groups`);
  }
  around.delete(member);
  return [...around];
}
