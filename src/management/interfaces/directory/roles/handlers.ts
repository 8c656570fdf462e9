import { isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { type Collection, defineCollectionHandlers, readPageSize } from '../../../core/engine/collection.ts';
import { answerRowPage, readRowPage } from '../../../core/engine/filtered-list.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { COLLECTIONS, defineCustomerCollection, generateDigits, requireCustomer, requireRow } from '../rows.ts';
import { type Privilege, PRIVILEGES, ROLE_ID_DIGITS } from './roles-data.ts';
import {
  buildAssignmentIndex,
  createAssigneeSource,
  createAssignmentSource,
  markDelegate,
  requireDirectoryRole,
} from './rows.ts';
import { buildAssignment, buildRoleRow } from './schemas.ts';

const ROLE_PAGE = { parameter: 'maxResults', default: 100, max: 100 } as const;

const ASSIGNMENT_PAGE = { parameter: 'maxResults', default: 200, max: 200 } as const;

/** Roles of a customer beside those of the system. */
const MAX_ROLES = 750;

/** Roles of administrators. Those of the system stay as they are. */
const roles: Collection = {
  name: COLLECTIONS.roles,
  schema: 'Role',
  kind: 'admin#directory#role',
  listKind: 'admin#directory#roles',
  items: 'items',
  page: ROLE_PAGE,
  ...defineCustomerCollection('customer', (path, context) => requireDirectoryRole(path['roleId'] ?? '', context)),
  create: (_call, context, sent) => {
    if (context.store.count(COLLECTIONS.roles, '') >= MAX_ROLES)
      throw vendorRefusals.limitExceeded(`A customer has at most ${MAX_ROLES} roles`);
    const roleId = generateDigits(context, ROLE_ID_DIGITS);
    return { id: roleId, ...buildRoleRow(sent, roleId, context) };
  },
  change: (before, sent, _call, context) => {
    requireCustom(before);
    return buildRoleRow(sent, before.id, context);
  },
  removing: (row, _call, { store }) => {
    requireCustom(row);
    const order = { by: 's1' } as const;
    const assigned = store.list({
      collection: COLLECTIONS.roleAssignments,
      parent: '',
      order,
      prefix: row.id,
      limit: 1,
    });
    if (assigned.length > 0) throw vendorRefusals.conditionNotMet('Role is assigned: delete its assignments first');
  },
};

function requireCustom({ body }: ResourceRow): void {
  if (body['isSystemRole'] === true) throw vendorRefusals.forbidden();
}

/** Who has which role, and where. Stored: s1 the role, s2 the org unit, s3 all of it, ref the assignee. */
const roleAssignments: Collection = {
  name: COLLECTIONS.roleAssignments,
  schema: 'RoleAssignment',
  kind: 'admin#directory#roleAssignment',
  listKind: 'admin#directory#roleAssignments',
  items: 'items',
  page: ASSIGNMENT_PAGE,
  find: defineCustomerCollection('customer', (path, context) =>
    requireRow(COLLECTIONS.roleAssignments, path['roleAssignmentId'] ?? '', 'roleAssignmentId', context),
  ).find,
  create: (call, context, sent) => {
    requireCustomer(call.path['customer'] ?? '', context);
    const id = generateDigits(context, ROLE_ID_DIGITS);
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

/** Roles, what they can hold, and who has them. */
export const handlers: Handlers = {
  'directory.privileges.list': listPrivileges,
  ...defineCollectionHandlers(roles, {
    list: 'directory.roles.list',
    get: 'directory.roles.get',
    insert: 'directory.roles.insert',
    patch: 'directory.roles.patch',
    update: 'directory.roles.update',
    delete: 'directory.roles.delete',
  }),
  ...defineCollectionHandlers(roleAssignments, {
    get: 'directory.roleAssignments.get',
    insert: 'directory.roleAssignments.insert',
    delete: 'directory.roleAssignments.delete',
  }),
  'directory.roleAssignments.list': listRoleAssignments,
};

/** What roles can hold: the same for every customer. */
function listPrivileges(call: Call, context: Context): JsonObject {
  requireCustomer(call.path['customer'] ?? '', context);
  const etag = context.etagOf(0, { PRIVILEGES: JSON.stringify(PRIVILEGES) });
  const items = PRIVILEGES.flatMap(({ service, tree }) => tree.map((each) => toPrivilegeResource(each, service, etag)));
  return { kind: 'admin#directory#privileges', etag, items };
}

function toPrivilegeResource(
  { name, isOuScopable = false, children = [] }: Privilege,
  service: Service,
  etag: string,
): JsonObject {
  return {
    kind: 'admin#directory#privilege',
    etag,
    serviceId: service.id,
    serviceName: service.name,
    privilegeName: name,
    isOuScopable,
    ...(children.length > 0 && { childPrivileges: children.map((each) => toPrivilegeResource(each, service, etag)) }),
  };
}

type Service = (typeof PRIVILEGES)[number]['service'];

function listRoleAssignments(call: Call, context: Context): JsonObject {
  requireCustomer(call.path['customer'] ?? '', context);
  const { userKey, roleId, includeIndirectRoleAssignments: isIndirect } = call.query;
  const size = readPageSize(call.query['maxResults'], ASSIGNMENT_PAGE);
  const hasRole = isText(roleId) ? ({ body }: ResourceRow) => body['roleId'] === roleId : undefined;
  const source = isText(userKey)
    ? createAssigneeSource(userKey, isIndirect === true, context)
    : createAssignmentSource(roleId, context);
  return answerRowPage(roleAssignments, readRowPage(source, size, context, hasRole), call, context);
}
