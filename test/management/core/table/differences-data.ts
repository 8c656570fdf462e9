/** A difference between our table and the vendor's document that is meant. */
export type KnownDifference = {
  /** Of the lines of `listVendorDifferences`, after the name of the interface. */
  line: RegExp;
  why: string;
};

const NEWER = 'newer than the document that was read; the npm package googleapis 188 has it';
const SCOPES = 'the seed names the scopes of mediation in its own way, and reading is part of writing';
const BEFORE_2022 = 'the source is of 2021; the npm package googleapis 188 has it';

/** For every interface: descriptions say in prose what the documents of several interfaces leave out as a fact. */
export const differencesOfAll: readonly KnownDifference[] = [
  { line: /^[\w.]+\.readOnly: none, ours true$/, why: 'the description of the field says that it is read-only' },
  { line: /^[\w.]+\.required: none, ours [\w.,]+$/, why: 'the description of the field begins with "Required."' },
];

/** By interface and version. */
export const knownDifferences: Readonly<Record<string, readonly KnownDifference[]>> = {
  'directory/v1': [
    { line: /^users\.watchSwapped: only ours$/, why: 'the seed writes the path of users.watch in two ways' },
    {
      line: /^Channel\.params\.additionalProperties\.type: string, ours any$/,
      why: "the guide's example sends a number",
    },
    {
      line: /^DomainAlias\.parentDomainName\.required: directory\.domains\.insert, ours/,
      why: 'an alias has no meaning without the domain that it is of',
    },
    {
      line: /^User\.customSchemas\.additionalProperties\.|^UserCustomProperties: only theirs$/,
      why: 'a schema that is a map stands where it is used',
    },
    {
      line: /^(?:Group\.externalIds|ExternalId|RoleAssignment\.expirationDetails|ExpirationDetails): only ours$/,
      why: NEWER,
    },
    { line: /^User\.(?:archivalTime|suspensionTime): only ours$/, why: NEWER },
  ],
  'reseller/v1': [
    { line: /^subscriptions\.delete\?deletionType\.enum: /, why: 'the seed: DELETE cancels, suspends or transfers' },
  ],
  'logging/v2': [
    {
      line: /^(?:entries\.tail|SuppressionInfo|TailLogEntriesRequest|TailLogEntriesResponse): only ours$/,
      why: 'a stream of two directions is in no discovery document; the protocol buffers and googleapis have it',
    },
    { line: /^(?:VirtualField|ProjectedField\.virtualField): only ours$/, why: NEWER },
  ],
  'mediation/v1beta': [
    { line: /^[\w.]+\.scopes: only ours /, why: SCOPES },
    { line: /^MediationGroup\.state\.enum: /, why: 'the seed has groups in the state NOT_RUNNING' },
    { line: /^MediationGroupTargeting\.adUnits: only ours$/, why: 'the seed shows fragments of ad units in lists' },
  ],
  'mediation/v1': [
    { line: /^[\w.]+\.scopes: only ours /, why: SCOPES },
    { line: /^App\.appApprovalState: only ours$/, why: BEFORE_2022 },
  ],
  'reports/v1': [
    { line: /^\w+\.get\?\w+\.pattern: .*, ours none$/, why: 'what a query may name is judged by what we keep' },
  ],
  'drive/v3': [
    { line: /^[\w.?]+: only ours$/, why: BEFORE_2022 },
    { line: /^[\w.]+\.scopes: only ours \S+drive\.meet\.readonly$/, why: BEFORE_2022 },
    {
      line: /^FileImageMediaMetadata\.\w+\.format: double, ours float$/,
      why: 'the source is made for a language that has one word for both; the document of revision 20260405 has float',
    },
  ],
  'storage/v1': [
    { line: /^[\w.?]+: only ours$/, why: BEFORE_2022 },
    { line: /^\w+\.\w+\?provisionalUserProject: only theirs$/, why: 'the vendor has removed it since 2021' },
  ],
};

/** Enums whose numbers nobody has published, with the reason. Names are taken and given; a number is refused. */
export const unnumbered: readonly (readonly [enums: RegExp, why: string])[] = [
  [
    /^(?:directory|reseller|drive|storage)\/v\d /,
    'JSON interfaces from before protocol buffers: no proto is published, and clients send names only',
  ],
  [/^mediation\/v1(?:beta)? /, 'google/ads/admob has protos of v1 reports only'],
  [
    /^logging\/v2 (?:DefaultSinkConfig\.mode|FilterExpression\.comparator|FilterPredicate\.operatorType|ProjectedField\.operation|SavedQuery\.visibility|SortOrderParameter\.sortOrderDirection|VirtualField\.virtualFieldType)$/,
    'saved queries and default sinks are in REST only: logging/v2 has no proto of them',
  ],
];
