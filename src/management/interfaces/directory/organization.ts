import type { Handlers } from '../../core/engine/operation.ts';
import { customerHandlers } from './customers/customers.ts';
import { domainHandlers } from './customers/domains.ts';
import { groupAliasHandlers, directoryGroupHandlers } from './groups/groups.ts';
import { groupListHandlers } from './groups/groups-list.ts';
import { memberHandlers } from './groups/members.ts';
import { memberListHandlers } from './groups/members-list.ts';
import { orgUnitHandlers } from './org-units/org-units.ts';
import { privilegeHandlers, roleHandlers } from './roles/roles.ts';
import { roleAssignmentHandlers } from './roles/role-assignments.ts';
import { schemaHandlers } from './schemas/schemas.ts';

/** Everything but people and equipment: groups, org units, schemas, roles, domains, the customer. */
export const handlers: Handlers = {
  ...directoryGroupHandlers,
  ...groupListHandlers,
  ...groupAliasHandlers,
  ...memberHandlers,
  ...memberListHandlers,
  ...orgUnitHandlers,
  ...schemaHandlers,
  ...roleHandlers,
  ...roleAssignmentHandlers,
  ...privilegeHandlers,
  ...domainHandlers,
  ...customerHandlers,
};
