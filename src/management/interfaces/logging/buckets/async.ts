import type { JsonObject } from '../../../../lib/json.ts';
import { refuseExistingName, formatIsoTimestamp } from '../../../core/engine/named-collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { BucketFacts } from '../../../log-store/order.ts';
import { POLICIES } from '../access/iam-policy.ts';
import { type BucketName, parseBucketName, parseLocationName } from '../rows.ts';
import { requireLocation } from '../locations.ts';
import { beginOperation, OPERATION_MS, generateOperationName } from '../operations-kept.ts';
import { refuseLogLimit, requireId, toTextOrEmpty } from '../texts.ts';
import { LINKS } from '../views/stored-links.ts';
import { VIEWS } from '../views/stored.ts';
import { buildChangedBucket, buildNewBucket } from './body.ts';
import {
  listLogBuckets,
  buildBucketFacts,
  findBucket,
  buildGoneBucketFacts,
  listGoneBuckets,
  sendBucketFacts,
  keepBucket,
  MAX_BUCKETS,
  requireActive,
  toBucketResource,
} from './stored.ts';

/**
 * Where a new bucket of a call is to be, with what the store of entries is to hear of: buckets that are gone make room.
 * @throws Refusal for a bad id or location, for an id that is taken, for one bucket too many
 */
export function prepareNewBucket(call: Call, context: Context): { name: BucketName; gone: readonly BucketFacts[] } {
  const { container, location } = parseLocationName(call.path['parent'] ?? '');
  requireLocation(location);
  const bucketId = requireId(toTextOrEmpty(call.query['bucketId']), 'bucketId');
  const name = { name: `${container}/locations/${location}/buckets/${bucketId}`, container, location, bucketId };
  const gone = sweepGoneBuckets(container, context);
  if (findBucket(name, context) !== undefined) throw refuseExistingName(name.name);
  if (listLogBuckets(container, context).length >= MAX_BUCKETS)
    throw refuseLogLimit(`A container has at most ${MAX_BUCKETS} buckets`);
  return { name, gone };
}

/** Deletes the rows of a container's buckets that are gone by time, and of all that was below them. */
export function sweepGoneBuckets(container: string, context: Context): readonly BucketFacts[] {
  return listGoneBuckets(container, context).map((bucket) => {
    if (bucket.row !== undefined) context.store.remove(bucket.row);
    for (const collection of [VIEWS, POLICIES, LINKS]) context.store.removeAll(collection, bucket.name.name);
    return buildGoneBucketFacts(bucket, context);
  });
}

const METADATA = 'type.googleapis.com/google.logging.v2.BucketMetadata';
const LOG_BUCKET = 'type.googleapis.com/google.logging.v2.LogBucket';

/** Makes a bucket by an operation: it is CREATING until that is done, and takes no entries. */
export function createAsync(call: Call, context: Context): JsonObject {
  const { name, gone } = prepareNewBucket(call, context);
  const now = formatIsoTimestamp(context.now());
  const bucket = { ...buildNewBucket(call, context), createTime: now, updateTime: now };
  const operation = generateOperationName(formatLocation(name), context);
  const pending = { operation, untilMs: computeDoneMs(context) };
  const made = keepBucket(name, { bucket, pending }, undefined, context);
  sendBucketFacts(gone, context);
  const request = { parent: formatLocation(name), bucketId: name.bucketId, bucket: withoutServerFields(bucket) };
  const response = { '@type': LOG_BUCKET, ...toBucketResource({ ...made, state: 'ACTIVE' }) };
  const metadata = { '@type': METADATA, createBucketRequest: request };
  return beginOperation(operation, { metadata, response, target: name.name }, context);
}

/** Changes a bucket by an operation: until that is done it is UPDATING, and shown and kept as it was. */
export function updateAsync(call: Call, context: Context): JsonObject {
  const before = requireActive(parseBucketName(call.path['name'] ?? ''), context);
  const { name } = before;
  const after = buildChangedBucket(before, call, context);
  const bucket = { ...after, updateTime: formatIsoTimestamp(computeDoneMs(context)) };
  const operation = generateOperationName(formatLocation(name), context);
  const pending = { operation, untilMs: computeDoneMs(context), before: before.body };
  const changed = keepBucket(name, { bucket, pending }, before.row, context);
  sendBucketFacts([...sweepGoneBuckets(name.container, context), buildBucketFacts(changed, context)], context);
  const updateMask = String(call.query['updateMask']);
  const request = { name: name.name, bucket: withoutServerFields(bucket), updateMask };
  const response = { '@type': LOG_BUCKET, ...toBucketResource({ ...changed, body: bucket, state: 'ACTIVE' }) };
  const metadata = { '@type': METADATA, updateBucketRequest: request };
  return beginOperation(operation, { metadata, response, target: name.name }, context);
}

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

const formatLocation = ({ container, location }: BucketName): string => `${container}/locations/${location}`;

const computeDoneMs = (context: Context): number => context.now() + OPERATION_MS;

/** A bucket as an operation's metadata repeats it: without what the server sets. */
function withoutServerFields({ createTime: _created, updateTime: _updated, ...bucket }: JsonObject): JsonObject {
  return bucket;
}
