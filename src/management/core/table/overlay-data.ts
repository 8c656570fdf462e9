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
 * Facts that neither the vendor's documents (`test/data/management/vendor/`) nor the npm package `googleapis` tell, and
 * those in which the table departs from them. Facts only, each part with its source.
 */
export const overlay: Readonly<Record<string, Overlay>> = {
  // What a DomainAlias needs is our reading of the document.
  'directory/v1': {
    fields: {
      // The guide's example sends `ttl` as a number, the types say text.
      Channel: { params: { values: { type: 'any' } } },
      DomainAlias: {
        parentDomainName: { requiredBy: ['directory.domains.insert', 'directory.domainAliases.insert'] },
        domainAliasName: { requiredBy: ['directory.domainAliases.insert'] },
      },
      User: {
        // UserCustomProperties holds any names: those of the customer's own schemas.
        customSchemas: { values: { type: 'object', values: { type: 'any' } } },
      },
    },
    methods: {
      'directory.chromeosdevices.update': {
        putKeeps: { inferred: `${GAM}:18221: moves devices by a body of orgUnitPath alone, in batches` },
      },
      'directory.customers.update': {
        putKeeps: { inferred: `${GAM}:16797: makes a domain the primary one by a body of customerDomain alone` },
      },
      'directory.groups.update': {
        putKeeps: {
          source:
            'developers.google.com/workspace/admin/directory/v1/guides/manage-groups, "Update a group": only what changes is to be sent',
        },
      },
      'directory.members.update': {
        putKeeps: {
          inferred:
            'role and delivery_settings are all that can be written, and the guide of groups says it of their updates',
        },
      },
      'directory.orgunits.update': {
        putKeeps: { inferred: `${GAM}:18402: renames or moves by a body of name or parent alone` },
      },
      'directory.resources.calendars.update': { putKeeps: { source: DIRECTORY_DOCUMENT } },
      'directory.users.list': { parameters: { showDeleted: { means: 'boolean' } } },
      'directory.users.update': { putKeeps: { source: DIRECTORY_DOCUMENT } },
      'directory.users.watch': { parameters: { showDeleted: { means: 'boolean' } } },
    },
  },
  // Links by the descriptions of the fields.
  'reseller/v1': {
    fields: {
      Customer: {
        resourceUiUrl: { readOnly: true },
      },
      Subscription: { resourceUiUrl: { readOnly: true } },
    },
    methods: {
      'reseller.subscriptions.delete': {
        parameters: { deletionType: { enum: ['deletion_type_undefined', 'cancel', 'suspend', 'transfer_to_direct'] } },
      },
    },
  },
  'groupssettings/v1': {
    methods: {
      'groupsSettings.groups.update': {
        putKeeps: { inferred: `${GAM}:34734 and 34753: sends only the settings that were named` },
      },
    },
  },

  'logging/v2': {
    fields: {
      // In no document that was read: names of its description and of the vendor's PHP client.
      VirtualField: { virtualFieldType: { enum: ['VIRTUAL_FIELD_TYPE_UNSPECIFIED', 'COALESCE'] } },
    },
  },

  'tags/v3': {
    fields: {
      TagKey: {
        // Inferred: the published protocol buffers end with 1, the document has one name more.
        purpose: { numbers: [0, 1, 2] },
      },
    },
  },
  // By the descriptions of the names: the OpenAPI document has no patterns.
  'tracing/v2beta1': {
    methods: {
      'cloudtrace.projects.traceSinks.create': { pattern: 'projects/*' },
      'cloudtrace.projects.traceSinks.delete': { pattern: 'projects/*/traceSinks/*' },
      'cloudtrace.projects.traceSinks.get': { pattern: 'projects/*/traceSinks/*' },
      'cloudtrace.projects.traceSinks.list': { pattern: 'projects/*' },
      'cloudtrace.projects.traceSinks.patch': { pattern: 'projects/*/traceSinks/*' },
    },
  },
  // Patterns by the descriptions of the names; the scopes by the seed document: the package lists none of writes. The
  // seed's spellings of states and of what lists show of ad units are taken too.
  'mediation/v1beta': {
    fields: {
      AdUnit: { adUnitId: { readOnly: true }, name: { readOnly: true } },
      AdUnitMapping: {
        adapterId: { requiredBy: ['admob.accounts.adUnits.adUnitMappings.create'] },
        name: { readOnly: true },
      },
      App: {
        appId: { readOnly: true },
        name: { readOnly: true },
      },
      MediationAbExperiment: {
        name: { readOnly: true },
      },
      MediationGroup: {
        mediationGroupId: { readOnly: true },
        name: { readOnly: true },
        state: { enum: ['STATE_UNSPECIFIED', 'ENABLED', 'DISABLED', 'NOT_RUNNING'] },
      },
      MediationGroupTargeting: {
        adUnits: { type: 'array', items: { type: 'string' }, readOnly: true },
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
  // The same document's older version; scopes as of the newer one.
  'mediation/v1': {
    fields: {
      App: {
        appApprovalState: { enum: ['APP_APPROVAL_STATE_UNSPECIFIED', 'ACTION_REQUIRED', 'IN_REVIEW', 'APPROVED'] },
      },
    },
    methods: {
      'admob.v1.accounts.adUnits.list': { pattern: 'accounts/*', scopes: MEDIATION.read },
      'admob.v1.accounts.apps.list': { pattern: 'accounts/*', scopes: MEDIATION.read },
      'admob.v1.accounts.get': { pattern: 'accounts/*', scopes: MEDIATION.report },
      'admob.v1.accounts.list': { scopes: MEDIATION.report },
      'admob.v1.accounts.mediationReport.generate': { pattern: 'accounts/*', parts: true, scopes: MEDIATION.report },
      'admob.v1.accounts.networkReport.generate': { pattern: 'accounts/*', parts: true, scopes: MEDIATION.report },
    },
  },
  // Formats of text by the discovery document of drive:v3, revision 20260405; what is shown without `fields` by the seed document.
  'drive/v3': {
    fields: {
      ContentRestriction: { restrictionTime: { format: 'date-time' } },
      DecryptionMetadata: { kaclsId: { format: 'int64' } },
      FileContentHintsThumbnail: { image: { format: 'byte' } },
      FileImageMediaMetadata: {
        aperture: { format: 'float' },
        exposureBias: { format: 'float' },
        exposureTime: { format: 'float' },
        focalLength: { format: 'float' },
        maxApertureValue: { format: 'float' },
      },
      LabelField: { dateString: { items: { format: 'date' } }, integer: { items: { format: 'int64' } } },
      Permission: { expirationTime: { format: 'date-time' } },
      About: { maxImportSizes: { values: { format: 'int64' } } },
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
      },
    },
    methods: {
      'drive.about.get': { fields: { required: true } },
      'drive.comments.create': { fields: { required: true } },
      'drive.comments.get': { fields: { required: true } },
      'drive.comments.list': {
        fields: { required: true },
      },
      'drive.files.create': { fields: { default: 'kind,id,name,mimeType' } },
      'drive.files.get': { fields: { default: 'kind,id,name,mimeType' } },
      'drive.files.list': {
        fields: { default: 'kind,nextPageToken,incompleteSearch,files(kind,id,name,mimeType)' },
      },
      'drive.replies.create': { fields: { required: true } },
      'drive.replies.get': { fields: { required: true } },
      'drive.replies.list': {
        fields: { required: true },
      },
    },
  },
  // Formats of text by the discovery document of storage:v1, revision 20260408.
  'storage/v1': {
    fields: {
      Bucket: {
        etag: { readOnly: true },
        generation: { format: 'int64', readOnly: true },
        id: { readOnly: true },
        kind: { readOnly: true },
        locationType: { readOnly: true },
        metageneration: { readOnly: true },
        name: { requiredBy: ['storage.buckets.insert'] },
        projectNumber: { readOnly: true },
        selfLink: { readOnly: true },
        timeCreated: { format: 'date-time', readOnly: true },
        updated: { format: 'date-time', readOnly: true },
      },
      Object: {
        customTime: { format: 'date-time' },
        hardDeleteTime: { format: 'date-time' },
        retentionExpirationTime: { format: 'date-time' },
        softDeleteTime: { format: 'date-time' },
        timeCreated: { format: 'date-time' },
        timeDeleted: { format: 'date-time' },
        timeFinalized: { format: 'date-time' },
        timeStorageClassUpdated: { format: 'date-time' },
        updated: { format: 'date-time' },
      },
      ObjectCustomContextPayload: { createTime: { format: 'date-time' }, updateTime: { format: 'date-time' } },
      ObjectRetention: { retainUntilTime: { format: 'date-time' } },
    },
    methods: {
      'storage.objects.get': {
        media: true,
      },
    },
  },
};
