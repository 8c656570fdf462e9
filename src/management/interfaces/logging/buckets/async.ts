import type { JsonObject } from '../../../../lib/json.ts';
import { alreadyExists, timestamp } from '../../../core/engine/named-collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { BucketFacts } from '../../../log-store/order.ts';
import { POLICIES } from '../access/iam-policy.ts';
import { type BucketName, bucketNameOf, locationNameOf } from '../rows.ts';
import { requireLocation } from '../locations.ts';
import { beginOperation, OPERATION_MS, operationName } from '../operations-kept.ts';
import { exhausted, requireId, textOf } from '../texts.ts';
import { LINKS } from '../views/stored-links.ts';
import { VIEWS } from '../views/stored.ts';
import { changedBucket, newBucket } from './body.ts';
import {
  bucketsIn,
  factsOf,
  findBucket,
  goneFactsOf,
  goneIn,
  handBuckets,
  keepBucket,
  MAX_BUCKETS,
  requireActive,
  shownBucket,
} from './stored.ts';

/**
 * Where a new bucket of a call is to be, with what the store of entries is to hear of: buckets that are gone make room.
 * @throws Refusal for a bad id or location, for an id that is taken, for one bucket too many
 */
export function placeForBucket(call: Call, context: Context): { name: BucketName; gone: readonly BucketFacts[] } {
  const { container, location } = locationNameOf(call.path['parent'] ?? '');
  requireLocation(location);
  const bucketId = requireId(textOf(call.query['bucketId']), 'bucketId');
  const name = { name: `${container}/locations/${location}/buckets/${bucketId}`, container, location, bucketId };
  const gone = sweptFacts(container, context);
  if (findBucket(name, context) !== undefined) throw alreadyExists(name.name);
  if (bucketsIn(container, context).length >= MAX_BUCKETS)
    throw exhausted(`A container has at most ${MAX_BUCKETS} buckets`);
  return { name, gone };
}

/** Deletes the rows of a container's buckets that are gone by time, and of all that was below them. */
export function sweptFacts(container: string, context: Context): readonly BucketFacts[] {
  return goneIn(container, context).map((bucket) => {
    if (bucket.row !== undefined) context.store.remove(bucket.row);
    for (const collection of [VIEWS, POLICIES, LINKS]) context.store.removeAll(collection, bucket.name.name);
    return goneFactsOf(bucket, context);
  });
}

const METADATA = 'type.googleapis.com/google.logging.v2.BucketMetadata';
const LOG_BUCKET = 'type.googleapis.com/google.logging.v2.LogBucket';

/** Makes a bucket by an operation: it is CREATING until that is done, and takes no entries. */
export function createAsync(call: Call, context: Context): JsonObject {
  const { name, gone } = placeForBucket(call, context);
  const now = timestamp(context.now());
  const bucket = { ...newBucket(call, context), createTime: now, updateTime: now };
  const operation = operationName(locationOf(name), context);
  const pending = { operation, untilMs: doneMs(context) };
  const made = keepBucket(name, { bucket, pending }, undefined, context);
  handBuckets(gone, context);
  const request = { parent: locationOf(name), bucketId: name.bucketId, bucket: sentBucket(bucket) };
  const response = { '@type': LOG_BUCKET, ...shownBucket({ ...made, state: 'ACTIVE' }) };
  const metadata = { '@type': METADATA, createBucketRequest: request };
  return beginOperation(operation, { metadata, response, target: name.name }, context);
}

/** Changes a bucket by an operation: until that is done it is UPDATING, and shown and kept as it was. */
export function updateAsync(call: Call, context: Context): JsonObject {
  const before = requireActive(bucketNameOf(call.path['name'] ?? ''), context);
  const { name } = before;
  const after = changedBucket(before, call, context);
  const bucket = { ...after, updateTime: timestamp(doneMs(context)) };
  const operation = operationName(locationOf(name), context);
  const pending = { operation, untilMs: doneMs(context), before: before.body };
  const changed = keepBucket(name, { bucket, pending }, before.row, context);
  handBuckets([...sweptFacts(name.container, context), factsOf(changed, context)], context);
  const updateMask = String(call.query['updateMask']);
  const request = { name: name.name, bucket: sentBucket(bucket), updateMask };
  const response = { '@type': LOG_BUCKET, ...shownBucket({ ...changed, body: bucket, state: 'ACTIVE' }) };
  const metadata = { '@type': METADATA, updateBucketRequest: request };
  return beginOperation(operation, { metadata, response, target: name.name }, context);
}

/** Takes back what a running operation does to a bucket: one that was being made is not there, another is as before. */
export function cancelBucket(name: string, operation: string, context: Context): void {
  const bucket = findBucket(bucketNameOf(name), context);
  const pending = bucket?.kept.pending;
  if (bucket?.row === undefined || pending?.operation !== operation) return;
  if (pending.before === undefined) context.store.remove(bucket.row);
  else
    handBuckets([factsOf(keepBucket(bucket.name, { bucket: pending.before }, bucket.row, context), context)], context);
}

const locationOf = ({ container, location }: BucketName): string => `${container}/locations/${location}`;

const doneMs = (context: Context): number => context.now() + OPERATION_MS;

/** A bucket as an operation's metadata repeats it: without what the server sets. */
function sentBucket({ createTime: _created, updateTime: _updated, ...bucket }: JsonObject): JsonObject {
  return bucket;
}
