import { defineCollectionHandlers, readPageSize, type Collection } from '../../../core/engine/collection.ts';
import type { Context, Handlers } from '../../../core/engine/operation.ts';
import type { Indexed, ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS } from '../collections.ts';
import { answerRowPage, readRowPage, type RowSource } from '../../../core/engine/filtered-list.ts';
import { generateDigits, requireCustomer } from '../keys.ts';
import { findPrincipal } from '../groups/members.ts';
import { findOrgUnit, formatOrgUnitId } from '../org-units/org-unit-keys.ts';
import { requireDirectoryRole } from './roles.ts';
import { putUser, reportUserChange } from '../users/rows.ts';

const PAGE = { parameter: 'maxResults', default: 200, max: 200 } as const;
const ID_DIGITS = 17;
/** Groups that a user is in, at any depth, whose assignments are looked for. */
const MAX_GROUPS = 200;

/** Who has which role, and where. Stored: s1 the role, s2 the org unit, s3 all of it, ref the assignee. */
export const roleAssignments: Collection = {
  name: COLLECTIONS.roleAssignments,
  schema: 'RoleAssignment',
  kind: 'admin#directory#roleAssignment',
  listKind: 'admin#directory#roleAssignments',
  items: 'items',
  page: PAGE,
  find: (call, context) => {
    requireCustomer(call.path['customer'] ?? '', context);
    const found = context.store.get(COLLECTIONS.roleAssignments, '', call.path['roleAssignmentId'] ?? '');
    if (found === undefined) throw vendorRefusals.notFound('roleAssignmentId');
    return found;
  },
  create: (call, context, sent) => {
    requireCustomer(call.path['customer'] ?? '', context);
    const id = generateDigits(context, ID_DIGITS);
    const body = { ...buildAssignment(sent, context), roleAssignmentId: id };
    const index = buildAssignmentIndex(body);
    const same = {
      collection: COLLECTIONS.roleAssignments,
      parent: '',
      order: { by: 's3' },
      prefix: index.s3,
      limit: 1,
    } as const;
    if (context.store.list(same).length > 0) throw vendorRefusals.duplicate();
    return { id, body, ...index };
  },
  inserted: (row, _call, context) => markDelegate(row, context),
  removed: (row, _call, context) => markDelegate(row, context),
};

/** Takes an assignment away. */
export function unassign(row: ResourceRow, context: Context): void {
  context.store.remove(row);
  markDelegate(row, context);
}

export const roleAssignmentHandlers: Handlers = {
  ...defineCollectionHandlers(roleAssignments, {
    get: 'directory.roleAssignments.get',
    insert: 'directory.roleAssignments.insert',
    delete: 'directory.roleAssignments.delete',
  }),
  'directory.roleAssignments.list': (call, context) => {
    requireCustomer(call.path['customer'] ?? '', context);
    const { userKey, roleId, includeIndirectRoleAssignments: isIndirect } = call.query;
    const size = readPageSize(call.query['maxResults'], PAGE);
    const hasRole = isText(roleId) ? ({ body }: ResourceRow) => body['roleId'] === roleId : undefined;
    const source = isText(userKey)
      ? createAssigneeSource(userKey, isIndirect === true, context)
      : createRoleSource(roleId, context);
    return answerRowPage(roleAssignments, readRowPage(source, size, context, hasRole), call, context);
  },
};

/** @throws Refusal 404 for a role or an assignee that is not there, 400 for a scope that does not fit */
function buildAssignment(sent: JsonObject, context: Context): JsonObject {
  const [roleId, key] = [getTextMember(sent, 'roleId'), getTextMember(sent, 'assignedTo')];
  if (roleId === '') throw vendorRefusals.required('roleId');
  if (key === '') throw vendorRefusals.required('assignedTo');
  requireDirectoryRole(roleId, context);
  const assignee = findPrincipal(key, context);
  if (assignee === undefined || !('row' in assignee)) throw vendorRefusals.notFound('assignedTo');
  const { assignedTo: _, orgUnitId: __, scopeType: ___, ...rest } = sent;
  return { ...rest, ...buildScope(sent, context), roleId, assignedTo: assignee.id, assigneeType: assignee.kind };
}

/** Everywhere, or in one org unit: shown by its id without `id:`, as the vendor does here. */
function buildScope(sent: JsonObject, context: Context): JsonObject {
  const scopeType = getTextMember(sent, 'scopeType') || 'CUSTOMER';
  const orgUnit = getTextMember(sent, 'orgUnitId').replace(/^id:/, '');
  if (scopeType === 'CUSTOMER' && orgUnit === '') return { scopeType };
  if (scopeType !== 'ORG_UNIT') throw vendorRefusals.invalidInput('scopeType');
  if (orgUnit === '') throw vendorRefusals.required('orgUnitId');
  const unit = findOrgUnit(formatOrgUnitId(orgUnit), context);
  if (unit === undefined) throw vendorRefusals.invalidInput('INVALID_OU_ID');
  return { scopeType, orgUnitId: unit.id };
}

function buildAssignmentIndex(body: JsonObject): Indexed & { s3: string } {
  const [roleId, assignee, unit] = ['roleId', 'assignedTo', 'orgUnitId'].map((name) => getTextMember(body, name));
  return {
    s1: `${roleId}`,
    ...(unit && { s2: unit }),
    s3: `${assignee}/${roleId}/${unit}/`,
    ref: `${assignee}`,
  };
}

/** A user with any role is a delegated administrator, and shown as one. */
function markDelegate({ body }: ResourceRow, context: Context): void {
  const { store } = context;
  const assignedTo = getTextMember(body, 'assignedTo');
  const user = body['assigneeType'] === 'user' ? store.get(COLLECTIONS.users, '', assignedTo) : undefined;
  if (user === undefined) return;
  const isDelegatedAdmin = store.byRef(COLLECTIONS.roleAssignments, assignedTo, 1).length > 0;
  if (user.body['isDelegatedAdmin'] === isDelegatedAdmin) return;
  reportUserChange(context, 'update', putUser(user, { ...user.body, isDelegatedAdmin }, context));
}

const createRoleSource =
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
function createAssigneeSource(key: string, isIndirect: boolean, context: Context): RowSource {
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
