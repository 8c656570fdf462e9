import { chromeRows } from './devices/chrome-rows.ts';
import { COLLECTIONS } from './collections.ts';
import { listOrderCollections } from './devices/device-rows.ts';
import { mobileRows } from './devices/mobile-devices.ts';

/** The schema that the rows of each collection have; '' for rows of our own. A restore judges rows by it (rule K3). */
export const ROW_SCHEMAS: Readonly<Record<string, string>> = {
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
  [COLLECTIONS.photos]: 'UserPhoto',
  [COLLECTIONS.asps]: 'Asp',
  [COLLECTIONS.tokens]: 'Token',
  [COLLECTIONS.verificationCodes]: 'VerificationCode',
  ...Object.fromEntries([chromeRows, mobileRows].flatMap(listOrderCollections).map((name) => [name, ''])),
};
