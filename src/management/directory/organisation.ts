import type { Handlers } from '../engine/operation.ts';
import { customerHandlers } from './customers.ts';
import { domainHandlers } from './domains.ts';
import { groupAliasHandlers } from './group-aliases.ts';
import { groupHandlers } from './groups.ts';
import { groupListHandlers } from './groups-list.ts';
import { memberHandlers } from './members.ts';
import { memberListHandlers } from './members-list.ts';
import { orgUnitHandlers } from './org-units.ts';
import { privilegeHandlers } from './privileges.ts';
import { roleAssignmentHandlers } from './role-assignments.ts';
import { roleHandlers } from './roles.ts';
import { schemaHandlers } from './schemas.ts';

/** Everything but people and equipment: groups, org units, schemas, roles, domains, the customer. */
export const handlers: Handlers = {
  ...groupHandlers,
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
