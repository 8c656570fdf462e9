/** What a profile field is, and how many bytes its JSON may have (limits of the vendor's User resource; the last two are ours). */
export const PROFILE_FIELDS = {
  emails: { shape: 'list', maxBytes: 10_240 },
  addresses: { shape: 'list', maxBytes: 10_240 },
  externalIds: { shape: 'list', maxBytes: 2_048 },
  ims: { shape: 'list', maxBytes: 2_048 },
  keywords: { shape: 'list', maxBytes: 1_024 },
  languages: { shape: 'list', maxBytes: 1_024 },
  locations: { shape: 'list', maxBytes: 10_240 },
  organizations: { shape: 'list', maxBytes: 10_240 },
  phones: { shape: 'list', maxBytes: 1_024 },
  relations: { shape: 'list', maxBytes: 2_048 },
  websites: { shape: 'list', maxBytes: 2_048 },
  gender: { shape: 'object', maxBytes: 1_024 },
  notes: { shape: 'object', maxBytes: 10_240 },
  posixAccounts: { shape: 'list', maxBytes: 16_384 },
  sshPublicKeys: { shape: 'list', maxBytes: 16_384 },
} as const;

/** What everybody in the domain may see of a user (`viewType=domain_public`). */
export const PUBLIC_FIELDS = [
  'id',
  'primaryEmail',
  'name',
  'emails',
  'externalIds',
  'relations',
  'addresses',
  'organizations',
  'phones',
  'languages',
  'locations',
  'websites',
  'keywords',
  'thumbnailPhotoUrl',
  'thumbnailPhotoEtag',
] as const;

/** What a search clause of users.list compares: where the values are, and of what kind they are. */
export type SearchField =
  | { kind: 'text' | 'flag' | 'email'; paths: readonly string[] }
  | { kind: 'orgUnit' }
  /** `chain`: also those further up; `byId`: the value is an id and no address. */
  | { kind: 'manager'; chain: boolean; byId: boolean };

/** Flags that users are found by, in this order: they make up the state of a row (`CollectionIndex`). */
export const INDEXED_FLAGS = [
  'suspended',
  'archived',
  'isAdmin',
  'isDelegatedAdmin',
  'isEnrolledIn2Sv',
  'isEnforcedIn2Sv',
  'isGuestUser',
];

/** The fields of the search language (vendor's guide "Search for users"). A path is `member`, or `list.member`. */
export const SEARCH_FIELDS: Readonly<Record<string, SearchField>> = {
  '': { kind: 'text', paths: ['primaryEmail', 'aliases', 'name.givenName', 'name.familyName', 'name.fullName'] },
  name: { kind: 'text', paths: ['name.fullName', 'name.givenName', 'name.familyName'] },
  email: { kind: 'email', paths: ['primaryEmail', 'aliases'] },
  givenName: { kind: 'text', paths: ['name.givenName'] },
  familyName: { kind: 'text', paths: ['name.familyName'] },
  isAdmin: { kind: 'flag', paths: ['isAdmin'] },
  isDelegatedAdmin: { kind: 'flag', paths: ['isDelegatedAdmin'] },
  isSuspended: { kind: 'flag', paths: ['suspended'] },
  // GAM selects "all users" by it; the guide does not name it.
  isGuest: { kind: 'flag', paths: ['isGuestUser'] },
  isArchived: { kind: 'flag', paths: ['archived'] },
  isEnrolledIn2Sv: { kind: 'flag', paths: ['isEnrolledIn2Sv'] },
  isEnforcedIn2Sv: { kind: 'flag', paths: ['isEnforcedIn2Sv'] },
  im: { kind: 'text', paths: ['ims.im'] },
  externalId: { kind: 'text', paths: ['externalIds.value'] },
  phone: { kind: 'text', paths: ['phones.value'] },
  manager: { kind: 'manager', chain: true, byId: false },
  managerId: { kind: 'manager', chain: true, byId: true },
  directManager: { kind: 'manager', chain: false, byId: false },
  directManagerId: { kind: 'manager', chain: false, byId: true },
  address: {
    kind: 'text',
    paths: [
      'addresses.formatted',
      'addresses.poBox',
      'addresses.extendedAddress',
      'addresses.streetAddress',
      'addresses.locality',
      'addresses.region',
      'addresses.postalCode',
      'addresses.country',
    ],
  },
  addressPoBox: { kind: 'text', paths: ['addresses.poBox'] },
  addressExtended: { kind: 'text', paths: ['addresses.extendedAddress'] },
  addressStreet: { kind: 'text', paths: ['addresses.streetAddress'] },
  addressLocality: { kind: 'text', paths: ['addresses.locality'] },
  addressRegion: { kind: 'text', paths: ['addresses.region'] },
  addressPostalCode: { kind: 'text', paths: ['addresses.postalCode'] },
  addressCountry: { kind: 'text', paths: ['addresses.country'] },
  orgName: { kind: 'text', paths: ['organizations.name'] },
  orgTitle: { kind: 'text', paths: ['organizations.title'] },
  orgDepartment: { kind: 'text', paths: ['organizations.department'] },
  orgDescription: { kind: 'text', paths: ['organizations.description'] },
  orgCostCenter: { kind: 'text', paths: ['organizations.costCenter'] },
  orgUnitPath: { kind: 'orgUnit' },
};
