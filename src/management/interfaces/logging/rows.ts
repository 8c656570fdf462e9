import { hashNumber } from '../../core/engine/hash.ts';
import { type CollectionDefinition, putChanged, refuseMissingName } from '../../core/engine/named-collection.ts';
import type { Context } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { isSameJson } from '../../core/engine/write.ts';
import { isObject, type JsonObject, toObjects } from '../../../lib/json.ts';
import { formatIsoTimestamp, DAY_MS } from '../../../lib/time.ts';
import type { ResourceType } from '../../log-store/resource-types-data.ts';
import { LOCATIONS } from './locations-data.ts';
import { refuseInvalidName } from './refusals.ts';
import { toTextOrEmpty } from './schemas.ts';

/** Of a container's id, in characters: as many as the registry of tenants takes. */
const MAX_CONTAINER_CHARS = 256;
const CONTAINER = /^(?:organizations|folders|projects|billingAccounts)\/[^/]+/;
const LOCATION = /^([^/]+\/[^/]+)\/locations\/([^/]+)$/;
const BUCKET = /^([^/]+\/[^/]+)\/locations\/([^/]+)\/buckets\/([^/]+)$/;
const BELOW_BUCKET = /^([^/]+\/[^/]+\/locations\/[^/]+\/buckets\/[^/]+)\/(views|links)\/([^/]+)$/;

/** A location of a container: `projects/p/locations/global`. */
type LocationName = { container: string; location: string };
/** A bucket's full name, and its parts. */
export type BucketName = LocationName & { name: string; bucketId: string };
/** Something of a bucket: a view or a link. */
export type BelowBucket = { bucket: BucketName; id: string };

/** The container that a name begins with: `projects/p`. @throws Refusal for a name of none of the four kinds */
export function parseLogContainer(name: string): string {
  const [container = ''] = CONTAINER.exec(name) ?? [];
  if (container === '' || container.length > MAX_CONTAINER_CHARS) throw refuseInvalidName(name);
  return container;
}

/** @throws Refusal 400 for a name that does not begin with a project, folder, organization or billing account */
export function requireContainer(name: string): void {
  parseLogContainer(name);
}

/** @throws Refusal for anything but the name of a location of a container */
export function parseLocationName(name: string): LocationName {
  requireContainer(name);
  const [, container, location] = LOCATION.exec(name) ?? [];
  if (container === undefined || location === undefined) throw refuseInvalidName(name);
  return { container, location };
}

/** @throws Refusal for anything but the full name of a bucket */
export function parseBucketName(name: string): BucketName {
  requireContainer(name);
  const [, container, location, bucketId] = BUCKET.exec(name) ?? [];
  if (container === undefined || location === undefined || bucketId === undefined) throw refuseInvalidName(name);
  return { name, container, location, bucketId };
}

/** @throws Refusal for anything but the full name of a bucket's view (or link) */
export function parseBelowBucketName(name: string, collection: 'views' | 'links'): BelowBucket {
  const [, bucket, found, id] = BELOW_BUCKET.exec(name) ?? [];
  if (bucket === undefined || id === undefined || found !== collection) throw refuseInvalidName(name);
  return { bucket: parseBucketName(bucket), id };
}

/** Pages of the configuration: as many as asked for, up to this. */
export const PAGE = { default: 100, max: 1_000 };
/** Sorts what a list shows by its ids, which are plain ASCII. */
export const compareIds = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

/** A new body with its times, which the server sets. */
export function withNewTimes(body: JsonObject, context: Context): JsonObject {
  const now = formatIsoTimestamp(context.now());
  return { ...body, createTime: now, updateTime: now };
}

/** A changed body with the time of its change. */
export const withUpdateTime = (body: JsonObject, context: Context): JsonObject => ({
  ...body,
  updateTime: formatIsoTimestamp(context.now()),
});

/** Stores a changed body with the time of its change; what says the same as before keeps its own. */
export const putDated = (row: ResourceRow, body: JsonObject, context: Context): ResourceRow =>
  isSameJson(row.body, body) ? row : putChanged(row, withUpdateTime(body, context), context);

/** Containers have no numbers here: one of twelve digits follows from the name, always the same. */
const FIRST_NUMBER = 100_000_000_000;
const NUMBERS = 900_000_000_000;

/**
 * A service account that the vendor's Logging would use for a container: for its key (`cmek-p`), or for its sinks. No such
 * account exists; the name has the vendor's form, for tools that grant it something.
 */
const formatServiceAccount = (prefix: 'cmek-p' | 'service-', container: string): string =>
  `${prefix}${FIRST_NUMBER + (hashNumber(container) % NUMBERS)}@gcp-sa-logging.iam.gserviceaccount.com`;

/** The account that would use the key of a container. */
export const formatKeyAccount = (container: string): string => formatServiceAccount('cmek-p', container);

const AGENTS = 'gcp-sa-logging.iam.gserviceaccount.com';
/** The vendor's words for the parents of service agents; that of a project has none. */
const AGENT_WORDS: Readonly<Record<string, string>> = {
  billingAccounts: 'billing-',
  folders: 'folder-',
  organizations: 'org-',
};

/** The service agent of a container. */
export function formatServiceAgent(container: string): string {
  const [collection = '', id = ''] = container.split('/');
  const word = AGENT_WORDS[collection];
  if (word === undefined) return `serviceAccount:${formatServiceAccount('service-', container)}`;
  return `serviceAccount:service-${word}${id.toLowerCase()}@${AGENTS}`;
}

/** A location of a container as callers see it. */
export const toLocationResource = (container: string, locationId: string): JsonObject => ({
  name: `${container}/locations/${locationId}`,
  locationId,
  displayName: LOCATIONS[locationId] ?? '',
  labels: { 'cloud.googleapis.com/region': locationId },
});

export const toDescriptorResource = ({ type, displayName, description, labels }: ResourceType): JsonObject => ({
  type,
  displayName,
  description,
  labels: Object.entries(labels).map(([key, text]) => ({ key, valueType: 'STRING', description: text })),
  launchStage: 'GA',
});

/** Settings of containers: one row each, once something is set. */
export const SETTINGS = 'logging.settings';
const SETTINGS_ID = 'settings';

const findSettingsRow = (container: string, context: Context): ResourceRow | undefined =>
  context.store.get(SETTINGS, container, SETTINGS_ID);

/** A container's settings, without the name and what the server adds. `{}` where none were set. */
export const readLogSettings = (container: string, context: Context): JsonObject =>
  findSettingsRow(container, context)?.body ?? {};

export function keepSettings(container: string, body: JsonObject, context: Context): void {
  const row = { collection: SETTINGS, parent: container, id: SETTINGS_ID, body };
  if (findSettingsRow(container, context) === undefined) context.store.insert(row);
  else context.store.put(row);
}

/** A container's settings for its `_Default` sink, as long as that sink is unchanged. */
export type DefaultSinkSettings = {
  isDisabled: boolean;
  mode?: 'APPEND' | 'OVERWRITE';
  filter: string;
  exclusions: readonly JsonObject[];
};

/** For the routing of entries; `mode` is absent where the sink's built-in filter applies. */
export function readDefaultSinkSettings(container: string, context: Context): DefaultSinkSettings {
  const { disableDefaultSink, defaultSinkConfig } = readLogSettings(container, context);
  const config = isObject(defaultSinkConfig) ? defaultSinkConfig : {};
  const { mode } = config;
  return {
    isDisabled: disableDefaultSink === true,
    ...((mode === 'APPEND' || mode === 'OVERWRITE') && { mode }),
    filter: toTextOrEmpty(config['filter']),
    exclusions: toObjects(config['exclusions']),
  };
}

export const toSettingsResource = (container: string, body: JsonObject): JsonObject => ({
  name: `${container}/settings`,
  ...body,
  kmsServiceAccountId: formatKeyAccount(container),
  loggingServiceAccountId: formatServiceAgent(container).replace('serviceAccount:', ''),
});

export const toCmekSettingsResource = (container: string, { kmsKeyName }: JsonObject): JsonObject => ({
  name: `${container}/cmekSettings`,
  ...(kmsKeyName !== undefined && { kmsKeyName }),
  serviceAccountId: formatKeyAccount(container),
});

export const OPERATIONS = 'logging.operations';
/** So long a change takes that is asked for as an operation, by the tenant's clock: time enough to cancel it. */
export const OPERATION_MS = 1_000;
/** Operations are kept so long, and so many of one location. */
export const OPERATION_LIFE_MS = 30 * DAY_MS;
export const MAX_LOG_OPERATIONS = 1_000;
/** Old operations that one new one makes room for: more than ever are too many. */
const SWEPT_ROWS = 10;
/** Digits of a time in an id: ids sort by time. */
const TIME_DIGITS = 12;
const RANDOM_BYTES = 8;
/** google.rpc.Code */
const CANCELLED = { code: 1, message: 'The operation was cancelled.' };

/** An operation as it is stored: what it has come to follows from the time (google.longrunning.Operation). */
export type StoredOperation = {
  /** Unix milliseconds by the tenant's clock. */
  startMs: number;
  doneMs: number;
  /** Its metadata without times and state; with `@type`. */
  metadata: JsonObject;
  /** What it answers when it is done; with `@type`. */
  response: JsonObject;
  /** The bucket or link that it works on, by full name: a cancel takes that back. */
  target?: string;
  cancelledMs?: number;
};

/** What a new operation is to say. */
export type NewOperation = Pick<StoredOperation, 'metadata' | 'response' | 'target'>;

/** The name of a new operation of a location (`projects/p/locations/global`). */
export const generateOperationName = (location: string, context: Context): string =>
  `${location}/operations/${formatTimeDigits(context.now())}${context.random(RANDOM_BYTES)}`;

/** Stores an operation that begins now and is done a second later. @returns it as callers see it: not done */
export function beginOperation(name: string, begun: NewOperation, context: Context): JsonObject {
  const [parent, id] = splitOperation(name);
  sweep(parent, context);
  const startMs = context.now();
  const kept: StoredOperation = { startMs, doneMs: startMs + OPERATION_MS, ...begun };
  context.store.insert({ collection: OPERATIONS, parent, id, body: kept });
  return toOperationResource(name, kept, startMs);
}

/** An operation by its full name. @throws Refusal 404 for one that is not there, or is no longer kept */
export function requireOperation(name: string, context: Context): { kept: StoredOperation; row: ResourceRow } {
  const [parent, id] = splitOperation(name);
  const row = context.store.get(OPERATIONS, parent, id);
  if (row === undefined || !isLive(row, context)) throw refuseMissingName(name);
  return { row, kept: readStoredOperation(row) };
}

/** Whether an operation is still kept. */
export const isLive = (row: ResourceRow, context: Context): boolean =>
  readStoredOperation(row).startMs + OPERATION_LIFE_MS > context.now();

const readStoredOperation = (row: ResourceRow): StoredOperation => row.body as StoredOperation; // Written here; judged by a restore.

/** Ids of what began before this time come before it. */
const formatTimeDigits = (ms: number): string => Math.max(0, ms).toString(16).padStart(TIME_DIGITS, '0');

/** An operation as callers see it at a time. */
export function toOperationResource(name: string, kept: StoredOperation, nowMs: number): JsonObject {
  const { startMs, doneMs, cancelledMs, response } = kept;
  const metadata = { ...kept.metadata, startTime: formatIsoTimestamp(startMs) };
  const ended = (state: string, endMs: number) => ({
    name,
    metadata: { ...metadata, endTime: formatIsoTimestamp(endMs), state: `OPERATION_STATE_${state}` },
    done: true,
  });
  if (cancelledMs !== undefined) return { ...ended('CANCELLED', cancelledMs), error: CANCELLED };
  if (nowMs >= doneMs) return { ...ended('SUCCEEDED', doneMs), response };
  return { name, metadata: { ...metadata, state: 'OPERATION_STATE_RUNNING' } };
}

/** The oldest make room: those that are no longer kept, and one where there are as many as may be. */
function sweep(parent: string, context: Context): void {
  const isFull = context.store.count(OPERATIONS, parent) >= MAX_LOG_OPERATIONS;
  const oldest = context.store.list({ collection: OPERATIONS, parent, limit: SWEPT_ROWS });
  for (const [place, { row }] of oldest.entries())
    if (!isLive(row, context) || (isFull && place === 0)) context.store.remove(row);
}

function splitOperation(name: string): [parent: string, id: string] {
  const at = name.lastIndexOf('/operations/');
  return [name.slice(0, at), name.slice(at + '/operations/'.length)];
}

/** Operations of a location. */
export const logOperations: CollectionDefinition = {
  name: OPERATIONS,
  schema: 'Operation',
  items: 'operations',
  page: PAGE,
  view: (row, _call, context) =>
    toOperationResource(`${row.parent}/operations/${row.id}`, readStoredOperation(row), context.now()),
};
