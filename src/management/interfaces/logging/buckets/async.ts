import { timestamp } from '../../../core/engine/named-collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { changedBucket, newBucket } from './body.ts';
import { factsOf, handBuckets } from './facts.ts';
import { findBucket, keepBucket, requireActive, shownBucket } from './stored.ts';
import { placeForBucket, sweptFacts } from './place.ts';
import { type BucketName, bucketNameOf } from '../containers.ts';
import { beginOperation, OPERATION_MS, operationName } from '../operations-kept.ts';

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
