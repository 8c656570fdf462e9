/**
 * Names of the directory's collections in the store, with their parents: everything that the parts of the directory
 * need to know about each other's rows.
 */
export const COLLECTIONS = {
  /** id = user id (21 digits); s1 primary email, s2 family name, s3 given name (all lower case); ref = org unit; names: EMAIL. */
  users: 'directory.users',
  /** Deleted users, 20 days; id = user id, s1 = primary email. Their addresses are free again. */
  deletedUsers: 'directory.users.deleted',
  /** id = alias address, lower case; ref = user id. The names are in DIRECTORY_NAMESPACES.email; these rows make them searchable. */
  userAliases: 'directory.users.aliases',
  /** id = group id; s1 = email, s2 = domain and email, s3 = name, all lower case; names: EMAIL. */
  groups: 'directory.groups',
  /** parent = group id, id = ref = id of user, group or customer, or one made of an address outside; s1 role, s2 `GROUP`. */
  members: 'directory.members',
  /** id = org unit id without `id:`; s1 = path, lower case; ref = parent's id. The root has the path `/`. */
  orgUnits: 'directory.orgunits',
  /** id = schema id; names: SCHEMA. */
  schemas: 'directory.schemas',
  /** id = role id (digits); s1 = role name, lower case. */
  roles: 'directory.roles',
  /** id = assignment id (digits); ref = assigned user or group; s1 = role id, s2 = org unit, s3 = all three. */
  roleAssignments: 'directory.roleassignments',
  /** id = domain name, lower case. The primary one has `isPrimary: true`. */
  domains: 'directory.domains',
  /** id = alias name, lower case; ref = the domain. */
  domainAliases: 'directory.domainaliases',
  /** The one customer: id = tenant id. */
  customers: 'directory.customers',
  /** id = building id; names: BUILDING. */
  buildings: 'directory.buildings',
  /** id = resource id, ref = building id. */
  calendars: 'directory.calendars',
  /** id = an internal id that is never shown, s1 = name, lower case; names: FEATURE. */
  features: 'directory.features',
  chromeDevices: 'directory.chromeosdevices',
  /** parent = device id, id = command id. */
  chromeCommands: 'directory.chromeosdevices.commands',
  mobileDevices: 'directory.mobiledevices',
  /** parent = user id. */
  photos: 'directory.photos',
  asps: 'directory.asps',
  tokens: 'directory.tokens',
  verificationCodes: 'directory.verificationcodes',
} as const;

/** What no snapshot holds (rule K3); channels are kept elsewhere. */
export const CREDENTIAL_COLLECTIONS = [COLLECTIONS.asps, COLLECTIONS.tokens, COLLECTIONS.verificationCodes];

/** Namespaces of names that are unique in a tenant. Names are lower case. */
export const DIRECTORY_NAMESPACES = {
  /** Addresses of users and groups, primary and alias. */
  email: 'email',
  schema: 'schema',
  building: 'building',
  feature: 'feature',
} as const;
