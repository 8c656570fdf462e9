/** APIs of the npm package `googleapis`, and which of their methods are rows. */
export type Selection = {
  api: string;
  interface: string;
  version: string;
  /** What ids begin with. */
  prefix: string;
  inSeed: boolean | ((id: string) => boolean);
  take: (id: string) => boolean;
};

const all = (): boolean => true;
const listed =
  (...ids: readonly string[]) =>
  (id: string): boolean =>
    ids.includes(id);

/** The seed documents show no print servers; their logging table leaves these out, some for projects only. */
const NOT_IN_SEED = [
  /\.buckets\.links\./,
  /\.locations\.(?:get|list)$/,
  /^logging\.sinks\./,
  /^logging\.projects\.(?:logs|metrics|sinks)\./,
  /^logging\.projects\.locations\.(?:operations|recentQueries|savedQueries)\./,
];

/** The seed's mediation rows; the rest is what they hang on, and A/B experiments. */
const IN_SEED_MEDIATION: ReadonlySet<string> = new Set([
  'admob.accounts.adSources.list',
  'admob.accounts.adSources.adapters.list',
  'admob.accounts.adUnits.adUnitMappings.create',
  'admob.accounts.adUnits.adUnitMappings.list',
  'admob.accounts.mediationGroups.create',
  'admob.accounts.mediationGroups.list',
  'admob.accounts.mediationGroups.patch',
]);

export const selections: readonly Selection[] = [
  {
    api: 'admin/directory_v1',
    interface: 'directory',
    version: 'v1',
    prefix: 'directory',
    inSeed: (id) => !id.startsWith('admin.customers.chrome.'),
    take: all,
  },
  {
    // What GAM calls when it makes a group.
    api: 'groupssettings/v1',
    interface: 'groupssettings',
    version: 'v1',
    prefix: 'groupsSettings',
    inSeed: false,
    take: all,
  },
  {
    // What GAM reads of a user beside the Directory.
    api: 'licensing/v1',
    interface: 'licensing',
    version: 'v1',
    prefix: 'licensing',
    inSeed: false,
    take: all,
  },
  {
    // What GAM reads of a customer. Activities are not kept, and reports of other entities have nothing to count.
    api: 'admin/reports_v1',
    interface: 'reports',
    version: 'v1',
    prefix: 'reports',
    inSeed: false,
    take: listed('reports.customerUsageReports.get', 'reports.userUsageReport.get'),
  },
  { api: 'reseller/v1', interface: 'reseller', version: 'v1', prefix: 'reseller', inSeed: true, take: all },
  {
    api: 'logging/v2',
    interface: 'logging',
    version: 'v2',
    prefix: 'logging',
    inSeed: (id) => !NOT_IN_SEED.some((left) => left.test(id)),
    take: all,
  },
  { api: 'cloudtrace/v2', interface: 'tracing', version: 'v2', prefix: 'cloudtrace', inSeed: true, take: all },
  // The newer version has no method that reads a trace.
  { api: 'cloudtrace/v1', interface: 'tracing', version: 'v1', prefix: 'cloudtrace.v1', inSeed: false, take: all },
  {
    api: 'cloudtrace/v2beta1',
    interface: 'tracing',
    version: 'v2beta1',
    prefix: 'cloudtrace',
    inSeed: true,
    take: all,
  },
  {
    // The seed's one row, and what makes a value, binds it and tells what became of its deletion.
    api: 'cloudresourcemanager/v3',
    interface: 'tags',
    version: 'v3',
    prefix: 'cloudresourcemanager',
    inSeed: (id) => id === 'cloudresourcemanager.tagValues.delete',
    take: (id) =>
      /^cloudresourcemanager\.(?:operations\.get$|tagBindings\.|tagKeys\.|tagValues\.(?!tagHolds\.))/.test(id) &&
      !/IamP/.test(id),
  },
  {
    api: 'admob/v1beta',
    interface: 'mediation',
    version: 'v1beta',
    prefix: 'admob',
    inSeed: (id) => IN_SEED_MEDIATION.has(id),
    take: (id) => !id.endsWith('Report.generate'),
  },
  {
    // The released version, which the vendor's samples call.
    api: 'admob/v1',
    interface: 'mediation',
    version: 'v1',
    prefix: 'admob.v1',
    inSeed: false,
    take: all,
  },
  {
    // What the request conventions of the seed are shown on.
    api: 'drive/v3',
    interface: 'drive',
    version: 'v3',
    prefix: 'drive',
    inSeed: false,
    take: listed(
      'drive.about.get',
      'drive.comments.create',
      'drive.comments.get',
      'drive.comments.list',
      'drive.files.create',
      'drive.files.delete',
      'drive.files.get',
      'drive.files.list',
      'drive.replies.create',
      'drive.replies.get',
      'drive.replies.list',
    ),
  },
  {
    // What makes buckets, and reads the files that sinks and copies of logging write.
    api: 'storage/v1',
    interface: 'storage',
    version: 'v1',
    prefix: 'storage',
    inSeed: false,
    take: listed(
      'storage.buckets.delete',
      'storage.buckets.get',
      'storage.buckets.insert',
      'storage.buckets.list',
      'storage.objects.get',
      'storage.objects.list',
    ),
  },
];

/** The vendor's own ids where they do not begin like the others of their document. */
export const vendorId = (id: string): string =>
  id.replace(/^directory\.(?=(?:channels|customer|customers\.chrome)\.)/, 'admin.');
