import type { JudgeLanguage } from './judges-data.ts';

/** A case that is known to miss: why, and the vendor's source that says what it should be. It fails once it passes. */
export type KnownMiss = {
  language: JudgeLanguage;
  name: string;
  /** `theirs`: the client's own fault. `declared`: not served, and said so. Otherwise the finding that it belongs to. */
  cause: 'theirs' | 'declared' | `F${number}`;
  why: string;
  source: string;
};

/** A miss of several clients by one cause. */
type Missed = Omit<KnownMiss, 'language' | 'name'> & Partial<Record<JudgeLanguage, readonly string[]>>;

const MISSED: readonly Missed[] = [
  {
    cause: 'theirs',
    why: 'list_next changes the body of a request and keeps its Content-Length: the next page is asked for with half a body',
    source: 'googleapiclient/discovery.py 1.7.12, createNextMethod; googleapiclient/http.py, HttpRequest.execute',
    python: ['logging: list_next of entries.list follows the token in the body'],
  },
  {
    cause: 'declared',
    why: 'an assertion names its key (kid, rule A2); googleauth 0.13 signs without one',
    source: 'signet/oauth_2/client.rb 0.17, to_jwt',
    ruby: ['keys: googleauth signs with the key file, at the address that the file says'],
  },
  {
    cause: 'declared',
    why: 'the three reports are not served: nothing is shown here, so there is nothing to report',
    source: 'admob/v1beta, networkReport.generate',
    go: ['admob: a network report is generated'],
    ruby: ['admob: a network report is generated'],
  },
  {
    cause: 'declared',
    why: 'the numbers of mediation’s enums are published nowhere: names are taken alone',
    source: 'google/ads/admob/v1: its protocol buffers declare reports only',
    python: ['admob: enums of a group are taken as numbers too'],
  },
  {
    cause: 'F2',
    why: 'PUT clears what is left out',
    source: 'GAM moves devices by update with orgUnitPath alone, and renames groups by update with email alone',
    python: [
      'directory: orgunits.update with the name alone keeps the description',
      'directory: customers.update with the language alone keeps phone and address',
      'directory: chromeosdevices.update with the org unit alone keeps notes and asset id',
      'directory: groups.update with the address alone keeps name and description',
      'directory: members.update keeps the role when only the delivery is sent',
    ],
    go: [
      'directory: orgunits.update of the name keeps the description',
      'directory: customers.update of the language keeps the phone',
      'directory: chromeosdevices.update of the org unit keeps notes and asset id',
      'directory: groups.update of the address keeps name and description',
      'directory: members.update of the delivery keeps the role',
    ],
    ruby: [
      'directory: update_group of the address keeps name and description',
      'directory: update_member of the delivery keeps the role',
      'directory: update_org_unit of the name keeps the description',
      'directory: patch_customer changes one field, update_customer keeps the rest too',
      'directory: update_chrome_os_device of the org unit keeps notes and asset id',
    ],
    java: ['directory: PUT of the address keeps name and description'],
  },
  {
    cause: 'F3',
    why: 'showDeleted is compared with true by its letters',
    source: 'directory_v1, users.list: showDeleted is a string that says true or false',
    python: ['directory: showDeleted=True lists the deleted, and undelete brings one back'],
    go: ['directory: ShowDeleted that is no truth value is refused'],
  },
  {
    cause: 'F4',
    why: 'fields of double are taken as int32',
    source: 'logging/v2, Exponential and Linear: float64',
    python: ['logging: a distribution metric keeps buckets with fractions'],
    go: ['logging: metrics keep buckets with fractions'],
    ruby: ['logging: a distribution metric keeps buckets with fractions'],
    java: ['logging: a metric keeps buckets with fractions'],
  },
  {
    cause: 'F5',
    why: 'discovery documents nest resources under the version',
    source: 'ids of methods in cloudtrace v1 and cloudquotas v1beta; logging.v2.getSettings',
    python: [
      'discovery: the client builds all of Trace and Quotas with projects at their root',
      'logging: settings are nested where the document of the vendor nests them',
      'quota: v1beta has preferences and infos of its own surface',
      'quota: v1beta switches the adjuster on, by name of the enum and with its etag',
      'trace: batchWrite takes spans, and v1 reads the trace with its labels',
      'trace: traces.list finds by the beginning of a name and by a label, in pages',
      'trace: patchTraces writes what v1 reads',
      'trace: a span without its times is 400, a trace that nobody wrote 404',
    ],
  },
  {
    cause: 'F6',
    why: 'full URLs in the parts of a batch make it unreadable',
    source: 'google-api-client 1.27, BatchRequest: the request line is absolute',
    java: ['batch: calls come back to their own callbacks', 'batch: a part that fails leaves the others'],
  },
  {
    cause: 'F7',
    why: 'isGuest is unknown to searches',
    source: 'GAM 7.48, selector of all users',
    python: ["directory: users.list takes isGuest beside isSuspended, in Python's own spelling of False"],
  },
  {
    cause: 'F8',
    why: 'photos are padded with *',
    source: 'base64 decoders of the four languages',
    python: ["directory: a photo comes back as the bytes that were sent, by Python's own decoder"],
    go: ["directory: a photo comes back as its bytes by Go's own decoder"],
    ruby: ["directory: a photo comes back as its bytes, by the client's own decoder"],
    java: ["directory: a photo comes back as its bytes by the core's own decoder"],
  },
  {
    cause: 'F9',
    why: 'project_id of a resource is not filled',
    source: 'system tests of the vendor’s Node client',
    python: ['logging: the resource gets its project_id, and is found by it'],
    go: ['logging: the resource gets its project_id'],
    ruby: ['logging: the resource gets its project_id'],
  },
  {
    cause: 'F11',
    why: 'enums are not taken as numbers everywhere',
    source: 'proto3 JSON mapping: parsers accept both names and integers',
    python: ['trace: createSpan answers the span, with kind as a number too'],
  },
  {
    cause: 'F15',
    why: 'AdMob v1 and storage buckets.insert are not served',
    source: 'admob/v1; storage/v1, buckets.insert',
    python: [
      'admob: v1 reads accounts, apps and ad units',
      'logging: entries are copied to a file, which the client downloads in ranges',
    ],
    ruby: ['logging: a file of entries is downloaded to where the client is told'],
    java: ['media: a file of entries is downloaded by executeMediaAndDownloadTo'],
  },
];

export const MISSES: readonly KnownMiss[] = MISSED.flatMap(({ cause, why, source, ...byLanguage }) =>
  Object.entries(byLanguage).flatMap(([language, names]) =>
    names.map((name): KnownMiss => ({ language: language as JudgeLanguage, name, cause, why, source })),
  ),
);
