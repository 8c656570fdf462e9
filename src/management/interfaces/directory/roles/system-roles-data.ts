/** Service ids as the vendor shows them: the console's own privileges, and those of the administrative interfaces. */
export const CONSOLE_SERVICE = '01ci93xb3tmzyin';
export const INTERFACE_SERVICE = '00haapch16h1ysv';

export type SystemRole = {
  roleName: string;
  roleDescription: string;
  isSuperAdminRole?: true;
  /** Privilege name and service id. */
  privileges: readonly (readonly [string, string])[];
};

/** Roles that every tenant has and that cannot be changed. The first is that of super administrators. */
export const SYSTEM_ROLES: readonly SystemRole[] = [
  {
    roleName: '_SEED_ADMIN_ROLE',
    roleDescription: 'Super administrator: may do everything',
    isSuperAdminRole: true,
    privileges: [
      ['SUPER_ADMIN', CONSOLE_SERVICE],
      ['ROOT_APP_ADMIN', INTERFACE_SERVICE],
      ['ADMIN_APIS_ALL', INTERFACE_SERVICE],
    ],
  },
  {
    roleName: '_GROUPS_ADMIN_ROLE',
    roleDescription: 'Groups administrator',
    privileges: [
      ['ADMIN_DASHBOARD', CONSOLE_SERVICE],
      ['CHANGE_USER_GROUP_MEMBERSHIP', CONSOLE_SERVICE],
      ['GROUPS_ALL', INTERFACE_SERVICE],
      ['ORGANIZATION_UNITS_RETRIEVE', INTERFACE_SERVICE],
      ['USERS_RETRIEVE', INTERFACE_SERVICE],
    ],
  },
  {
    roleName: '_USER_MANAGEMENT_ADMIN_ROLE',
    roleDescription: 'User management administrator',
    privileges: [
      ['ADMIN_DASHBOARD', CONSOLE_SERVICE],
      ['USER_SECURITY_ALL', INTERFACE_SERVICE],
      ['USERS_ALL', INTERFACE_SERVICE],
      ['ORGANIZATION_UNITS_RETRIEVE', INTERFACE_SERVICE],
    ],
  },
  {
    roleName: '_HELP_DESK_ADMIN_ROLE',
    roleDescription: 'Help desk administrator',
    privileges: [
      ['ADMIN_DASHBOARD', CONSOLE_SERVICE],
      ['USERS_RESET_PASSWORD', INTERFACE_SERVICE],
      ['USERS_RETRIEVE', INTERFACE_SERVICE],
      ['ORGANIZATION_UNITS_RETRIEVE', INTERFACE_SERVICE],
    ],
  },
  {
    roleName: '_SERVICES_ADMIN_ROLE',
    roleDescription: 'Services administrator',
    privileges: [
      ['ADMIN_DASHBOARD', CONSOLE_SERVICE],
      ['SERVICES_ALL', CONSOLE_SERVICE],
      ['ORGANIZATION_UNITS_RETRIEVE', INTERFACE_SERVICE],
    ],
  },
  {
    roleName: '_MOBILE_ADMIN_ROLE',
    roleDescription: 'Mobile administrator',
    privileges: [
      ['ADMIN_DASHBOARD', CONSOLE_SERVICE],
      ['MANAGE_DEVICES', CONSOLE_SERVICE],
      ['USERS_RETRIEVE', INTERFACE_SERVICE],
      ['ORGANIZATION_UNITS_RETRIEVE', INTERFACE_SERVICE],
    ],
  },
  {
    roleName: '_READ_ONLY_ADMIN_ROLE',
    roleDescription: 'Reads users, groups and org units',
    privileges: [
      ['ADMIN_DASHBOARD', CONSOLE_SERVICE],
      ['GROUPS_RETRIEVE', INTERFACE_SERVICE],
      ['ORGANIZATION_UNITS_RETRIEVE', INTERFACE_SERVICE],
      ['USERS_RETRIEVE', INTERFACE_SERVICE],
    ],
  },
];
