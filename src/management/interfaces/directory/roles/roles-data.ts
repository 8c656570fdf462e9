/** Service ids as the vendor shows them: the console's own privileges, and those of the administrative interfaces. */
export const CONSOLE_SERVICE = '01ci93xb3tmzyin';
export const INTERFACE_SERVICE = '00haapch16h1ysv';

/** Digits of ids of roles and of assignments. */
export const ROLE_ID_DIGITS = 17;

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

/** A privilege with those that it contains. `isOuScopable`: a role with it can be assigned in one org unit. */
export type Privilege = { name: string; isOuScopable?: boolean; children?: readonly Privilege[] };

/** What roles can hold, by service. Who has a privilege has all below it. */
export const PRIVILEGES: readonly { service: { id: string; name: string }; tree: readonly Privilege[] }[] = [
  {
    service: { id: INTERFACE_SERVICE, name: 'admin_apis' },
    tree: [
      {
        name: 'ADMIN_APIS_ALL',
        children: [
          {
            name: 'ORGANIZATION_UNITS_ALL',
            isOuScopable: true,
            children: [
              { name: 'ORGANIZATION_UNITS_CREATE', isOuScopable: true },
              { name: 'ORGANIZATION_UNITS_RETRIEVE', isOuScopable: true },
              { name: 'ORGANIZATION_UNITS_UPDATE', isOuScopable: true },
              { name: 'ORGANIZATION_UNITS_DELETE', isOuScopable: true },
            ],
          },
          {
            name: 'USERS_ALL',
            isOuScopable: true,
            children: [
              { name: 'USERS_CREATE', isOuScopable: true },
              { name: 'USERS_RETRIEVE', isOuScopable: true },
              {
                name: 'USERS_UPDATE',
                isOuScopable: true,
                children: [
                  { name: 'USERS_ADD_NICKNAME', isOuScopable: true },
                  { name: 'USERS_FORCE_PASSWORD_CHANGE', isOuScopable: true },
                  { name: 'USERS_MOVE', isOuScopable: true },
                  { name: 'USERS_RENAME', isOuScopable: true },
                  { name: 'USERS_RESET_PASSWORD', isOuScopable: true },
                  { name: 'USERS_SUSPEND', isOuScopable: true },
                  { name: 'USERS_UPDATE_CUSTOM_ATTRIBUTES_USER_PRIVILEGE_GROUP', isOuScopable: true },
                ],
              },
              { name: 'USERS_DELETE', isOuScopable: true },
            ],
          },
          {
            name: 'GROUPS_ALL',
            children: [
              { name: 'GROUPS_CREATE' },
              { name: 'GROUPS_RETRIEVE' },
              { name: 'GROUPS_UPDATE' },
              { name: 'GROUPS_DELETE' },
            ],
          },
          { name: 'USER_SECURITY_ALL', isOuScopable: true },
          { name: 'SCHEMA_MANAGEMENT', children: [{ name: 'SCHEMA_RETRIEVE' }] },
          { name: 'DOMAIN_MANAGEMENT' },
          { name: 'DOMAIN_REGISTRATION_MANAGEMENT' },
          { name: 'DATATRANSFER_API_PRIVILEGE_GROUP' },
          { name: 'LICENSING', children: [{ name: 'LICENSING_READ' }] },
          { name: 'BILLING_MANAGEMENT', children: [{ name: 'BILLING_READ' }] },
        ],
      },
    ],
  },
  {
    service: { id: CONSOLE_SERVICE, name: 'admin_console' },
    tree: [
      { name: 'ADMIN_DASHBOARD' },
      { name: 'CHANGE_USER_GROUP_MEMBERSHIP' },
      {
        name: 'SERVICES_ALL',
        children: [{ name: 'MANAGE_SERVICE_SETTINGS', isOuScopable: true }, { name: 'MANAGE_APPLICATIONS' }],
      },
      {
        name: 'MANAGE_DEVICES',
        children: [
          { name: 'MANAGE_DEVICE_SETTINGS' },
          { name: 'MANAGE_MOBILE_DEVICES' },
          {
            name: 'MANAGE_CHROME_DEVICES',
            isOuScopable: true,
            children: [
              { name: 'MANAGE_CHROME_DEVICES_READ', isOuScopable: true },
              { name: 'MANAGE_CHROME_DEVICES_COMMANDS', isOuScopable: true },
            ],
          },
        ],
      },
      {
        name: 'CALENDAR_RESOURCES_ALL',
        children: [{ name: 'CALENDAR_RESOURCES_MANAGE' }, { name: 'CALENDAR_RESOURCES_READ' }],
      },
      { name: 'REPORTS_ACCESS', children: [{ name: 'AUDIT_REPORTS_READ' }, { name: 'USAGE_REPORTS_READ' }] },
      { name: 'SECURITY_SETTINGS' },
      { name: 'SUPPORT' },
    ],
  },
];
