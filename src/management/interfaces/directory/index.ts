import type { Interface } from '../../core/engine/operation.ts';
import { startDirectory } from './customers/rows.ts';
import { chromeRows, listOrderCollections, mobileRows } from './devices/rows.ts';
import { COLLECTIONS, CREDENTIAL_COLLECTIONS } from './rows.ts';
import { handlers as aliases } from './aliases/handlers.ts';
import { handlers as channels } from './channels/handlers.ts';
import { handlers as credentials } from './credentials/handlers.ts';
import { handlers as customSchemas } from './custom-schemas/handlers.ts';
import { handlers as customers } from './customers/handlers.ts';
import { handlers as devices } from './devices/handlers.ts';
import { handlers as groups } from './groups/handlers.ts';
import { handlers as orgUnits } from './org-units/handlers.ts';
import { handlers as photos } from './photos/handlers.ts';
import { handlers as printers } from './printers/handlers.ts';
import { handlers as roles } from './roles/handlers.ts';
import { handlers as rooms } from './rooms/handlers.ts';
import { INDEXED_FLAGS } from './users/fields-data.ts';
import { handlers as users } from './users/handlers.ts';

/** The schema that the rows of each collection have; '' for rows of our own. A restore judges rows by it (rule K3). */
const collections: Interface['collections'] = {
  [COLLECTIONS.users]: 'User',
  [COLLECTIONS.deletedUsers]: 'User',
  [COLLECTIONS.userAliases]: '',
  [COLLECTIONS.groups]: 'Group',
  [COLLECTIONS.members]: 'Member',
  [COLLECTIONS.orgUnits]: 'OrgUnit',
  [COLLECTIONS.schemas]: 'Schema',
  [COLLECTIONS.roles]: 'Role',
  [COLLECTIONS.roleAssignments]: 'RoleAssignment',
  [COLLECTIONS.domains]: 'Domains',
  [COLLECTIONS.domainAliases]: 'DomainAlias',
  [COLLECTIONS.customers]: 'Customer',
  [COLLECTIONS.buildings]: 'Building',
  [COLLECTIONS.calendars]: 'CalendarResource',
  [COLLECTIONS.features]: 'Feature',
  [COLLECTIONS.chromeDevices]: 'ChromeOsDevice',
  [COLLECTIONS.chromeCommands]: 'DirectoryChromeosdevicesCommand',
  [COLLECTIONS.mobileDevices]: 'MobileDevice',
  [COLLECTIONS.printers]: 'Printer',
  [COLLECTIONS.printServers]: 'PrintServer',
  [COLLECTIONS.photos]: 'UserPhoto',
  [COLLECTIONS.asps]: 'Asp',
  [COLLECTIONS.tokens]: 'Token',
  [COLLECTIONS.verificationCodes]: 'VerificationCode',
  ...Object.fromEntries([chromeRows, mobileRows].flatMap(listOrderCollections).map((name) => [name, ''])),
};

/** Directory v1: users, groups, org units, devices, rooms, roles. */
export const directory: Interface = {
  name: 'directory',
  version: 'v1',
  errors: 'legacy',
  handlers: {
    ...users,
    ...aliases,
    ...photos,
    ...credentials,
    ...groups,
    ...orgUnits,
    ...customSchemas,
    ...roles,
    ...customers,
    ...rooms,
    ...devices,
    ...printers,
    ...channels,
  },
  start: startDirectory,
  collections,
  indexes: [{ collection: COLLECTIONS.users, flags: INDEXED_FLAGS }],
  unsaved: CREDENTIAL_COLLECTIONS,
};
