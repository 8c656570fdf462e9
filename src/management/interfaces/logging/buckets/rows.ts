import { DAY_MS } from '../../../../lib/time.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { refuseMissingName } from '../../../core/engine/named-collection.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { BucketFacts } from '../../../log-store/order.ts';
import { type BucketName, formatKeyAccount, parseBucketName } from '../rows.ts';

export const BUCKETS = 'logging.buckets';
/** Of a container, those without rows and those that wait for their end included. */
export const MAX_BUCKETS = 100;
/** A deleted bucket can be had back so long; then it is gone, with its entries. */
export const UNDELETE_MS = 7 * DAY_MS;
const GENERATION_BYTES = 8;
/** Rows of one container that are read at once: buckets that are gone may still have theirs. */
const MAX_ROWS = 2 * MAX_BUCKETS;

/** A bucket as it is stored, under its container, with `<location>/<id>` as its id. */
export type StoredBucket = {
  /** The vendor's LogBucket without what hangs on name and time. */
  bucket: JsonObject;
  /** Distinguishes it from an earlier bucket of the same name. Default buckets always exist and have none. */
  generation?: string;
  /** When it was deleted: Unix milliseconds by the tenant's clock. */
  deletedMs?: number;
  /** An operation makes or changes it until then; `before` is what it was, absent for a bucket that is being made. */
  pending?: { operation: string; untilMs: number; before?: JsonObject };
};

export type BucketState = 'ACTIVE' | 'CREATING' | 'UPDATING' | 'DELETE_REQUESTED';

/** A bucket as it is now. `row` is absent for a default one that was never changed. */
export type LogBucket = {
  name: BucketName;
  state: BucketState;
  body: JsonObject;
  kept: StoredBucket;
  row?: ResourceRow;
};

/** What every container has from the beginning, in the location `global` (the vendor's words). */
const DEFAULTS: Readonly<Record<string, JsonObject>> = {
  _Default: { description: 'Default bucket', retentionDays: 30 },
  _Required: { description: 'Audit bucket', retentionDays: 400, locked: true },
};
const DEFAULT_LOCATION = 'global';

/** Whether a bucket is one of those that every container has. */
export const isBuiltInBucket = ({ location, bucketId }: BucketName): boolean =>
  location === DEFAULT_LOCATION && Object.hasOwn(DEFAULTS, bucketId);

/** All buckets of a container, in the order of location and id. Those that are gone by time are not among them. */
export function listLogBuckets(container: string, context: Context): readonly LogBucket[] {
  const stored = listStoredBuckets(container, context).filter((bucket) => !isGone(bucket.kept, context));
  const taken = new Set(stored.map(({ name }) => name.name));
  const unchanged = Object.keys(DEFAULTS)
    .map((id) => buildDefaultBucket(parseBucketKey(container, `${DEFAULT_LOCATION}/${id}`)))
    .filter(({ name }) => !taken.has(name.name));
  return [...stored, ...unchanged].toSorted((a, b) => (formatBucketKey(a.name) < formatBucketKey(b.name) ? -1 : 1));
}

/** Buckets whose time to be had back is over, and whose rows are still there. */
export const listGoneBuckets = (container: string, context: Context): readonly LogBucket[] =>
  listStoredBuckets(container, context).filter((bucket) => isGone(bucket.kept, context));

/** A bucket by its name; undefined for one that is not there, or gone. */
export function findBucket(name: BucketName, context: Context): LogBucket | undefined {
  const row = context.store.get(BUCKETS, name.container, formatBucketKey(name));
  if (row === undefined) return isBuiltInBucket(name) ? buildDefaultBucket(name) : undefined;
  const bucket = readBucket(row, context);
  return isGone(bucket.kept, context) ? undefined : bucket;
}

/** @throws Refusal 404 for a bucket that is not there */
export function requireBucket(name: BucketName, context: Context): LogBucket {
  const bucket = findBucket(name, context);
  if (bucket === undefined) throw refuseMissingName(name.name);
  return bucket;
}

/** A bucket that may be changed. @throws Refusal 404, or 400 FAILED_PRECONDITION in any state but ACTIVE */
export function requireActive(name: BucketName, context: Context): LogBucket {
  const bucket = requireBucket(name, context);
  if (bucket.state !== 'ACTIVE')
    throw vendorRefusals.failedPrecondition(`The bucket ${name.name} is in the state ${bucket.state}`);
  return bucket;
}

/** Stores a bucket's new body; which bucket of its name it is stays. @returns it as it is now */
export function keepBucket(
  name: BucketName,
  kept: Omit<StoredBucket, 'generation'>,
  row: ResourceRow | undefined,
  context: Context,
): LogBucket {
  const address = { collection: BUCKETS, parent: name.container, id: formatBucketKey(name) };
  const next = { ...address, body: { ...kept, ...resolveGeneration(name, row, context) } as JsonObject };
  const stored = row === undefined ? context.store.insert(next) : context.store.put(next);
  if (stored === undefined) throw new Error('A bucket was there that was not found');
  return readBucket(stored, context);
}

/** A bucket as callers see it. */
export const toBucketResource = ({ name, body, state }: LogBucket): JsonObject => ({
  name: name.name,
  ...body,
  ...(body['cmekSettings'] !== undefined && {
    cmekSettings: {
      ...(body['cmekSettings'] as JsonObject),
      name: `${name.container}/cmekSettings`,
      serviceAccountId: formatKeyAccount(name.container),
    },
  }),
  lifecycleState: state,
});

/** The id of a bucket's row: location and id, so that the buckets of one location sort together. */
export const formatBucketKey = ({ location, bucketId }: BucketName): string => `${location}/${bucketId}`;

function resolveGeneration(
  name: BucketName,
  row: ResourceRow | undefined,
  context: Context,
): Pick<StoredBucket, 'generation'> {
  if (row === undefined) return isBuiltInBucket(name) ? {} : { generation: context.secret(GENERATION_BYTES) };
  const { generation } = row.body as StoredBucket; // Written here; a restore judges it (schemas.ts).
  return generation === undefined ? {} : { generation };
}

const listStoredBuckets = (container: string, context: Context): readonly LogBucket[] =>
  context.store
    .list({ collection: BUCKETS, parent: container, limit: MAX_ROWS })
    .map(({ row }) => readBucket(row, context));

const isGone = ({ deletedMs }: StoredBucket, context: Context): boolean =>
  deletedMs !== undefined && context.now() >= deletedMs + UNDELETE_MS;

function readBucket(row: ResourceRow, context: Context): LogBucket {
  const kept = row.body as StoredBucket; // Written here; a restore judges it (schemas.ts).
  const name = parseBucketKey(row.parent, row.id);
  const { bucket, pending, deletedMs } = kept;
  if (pending === undefined || context.now() >= pending.untilMs)
    return { name, row, kept, body: bucket, state: deletedMs === undefined ? 'ACTIVE' : 'DELETE_REQUESTED' };
  const { before } = pending;
  return { name, row, kept, body: before ?? bucket, state: before === undefined ? 'CREATING' : 'UPDATING' };
}

function buildDefaultBucket(name: BucketName): LogBucket {
  const bucket = DEFAULTS[name.bucketId] ?? {};
  return { name, state: 'ACTIVE', body: bucket, kept: { bucket } };
}

function parseBucketKey(container: string, key: string): BucketName {
  const [location = '', bucketId = ''] = key.split('/');
  return { name: `${container}/locations/${location}/buckets/${bucketId}`, container, location, bucketId };
}

/** What the store of entries needs of a bucket. While an operation changes it, entries are kept for the longer time. */
export function buildBucketFacts({ name, body, state, kept }: LogBucket, context: Context): BucketFacts {
  const { generation, deletedMs } = kept;
  const [days, nextDays] = [Number(body['retentionDays']), Number(kept.bucket['retentionDays'])];
  return {
    name: name.name,
    retentionDays: days,
    ...(state === 'UPDATING' && nextDays > days && { keptDays: nextDays }),
    ...(generation !== undefined && { generation }),
    ...(deletedMs !== undefined && { goneInMs: deletedMs + UNDELETE_MS - context.now() }),
  };
}

/** The same of a bucket that is gone for good. */
export const buildGoneBucketFacts = (bucket: LogBucket, context: Context): BucketFacts => {
  const { goneInMs: _past, ...facts } = buildBucketFacts(bucket, context);
  return { ...facts, isGone: true };
};

/** Whether entries may be in it: a deleted one takes and shows them until it is gone, as the vendor's does. */
export const isReadable = ({ state }: LogBucket): boolean => state !== 'CREATING';

/** Sends changed buckets to the log store. */
export function sendBucketFacts(buckets: readonly BucketFacts[], context: Context): void {
  if (buckets.length > 0) context.hand({ do: 'buckets', buckets });
}

/** All buckets of a container that can be read and written, in every location, the default ones included. */
export const listBucketFacts = (container: string, context: Context): readonly BucketFacts[] =>
  listLogBuckets(container, context)
    .filter(isReadable)
    .map((bucket) => buildBucketFacts(bucket, context));

/** The facts of one bucket by its full name. Undefined where it is not there, gone, or still being made. */
export function findBucketFacts(name: string, context: Context): BucketFacts | undefined {
  const bucket = findBucket(parseBucketName(name), context);
  return bucket !== undefined && isReadable(bucket) ? buildBucketFacts(bucket, context) : undefined;
}

/**
 * Buckets of a container whose time to be restored is over, but that the log store does not know to be gone: it may
 * delete their entries.
 */
export const listGoneBucketFacts = (container: string, context: Context): readonly BucketFacts[] =>
  listGoneBuckets(container, context).map((bucket) => buildGoneBucketFacts(bucket, context));

/** Takes back what a running operation does to a bucket: one that was being made is not there, another is as before. */
export function cancelBucket(name: string, operation: string, context: Context): void {
  const bucket = findBucket(parseBucketName(name), context);
  const pending = bucket?.kept.pending;
  if (bucket?.row === undefined || pending?.operation !== operation) return;
  if (pending.before === undefined) context.store.remove(bucket.row);
  else
    sendBucketFacts(
      [buildBucketFacts(keepBucket(bucket.name, { bucket: pending.before }, bucket.row, context), context)],
      context,
    );
}
