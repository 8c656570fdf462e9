import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../../lib/time.ts';
import { listAtHand, refuseExistingName } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import type { BucketFacts } from '../../../log-store/order.ts';
import { defineParentHandlers, listMethodIds } from '../handlers.ts';
import { refuseLogLimit } from '../refusals.ts';
import {
  beginOperation,
  type BucketName,
  generateOperationName,
  OPERATION_MS,
  PAGE,
  parseBucketName,
  parseLocationName,
  withNewTimes,
  withUpdateTime,
} from '../rows.ts';
import { requireId, requireLocation, toTextOrEmpty } from '../schemas.ts';
import { LINKS, POLICIES, VIEWS } from '../views/rows.ts';
import {
  buildBucketFacts,
  buildGoneBucketFacts,
  findBucket,
  formatBucketKey,
  isBuiltInBucket,
  keepBucket,
  listGoneBuckets,
  listLogBuckets,
  type LogBucket,
  MAX_BUCKETS,
  requireActive,
  requireBucket,
  sendBucketFacts,
  toBucketResource,
} from './rows.ts';
import { buildChangedBucket, buildNewBucket } from './schemas.ts';

const LIST = { items: 'buckets', page: PAGE };
/** The vendor's word for every location. */
const ANY_LOCATION = '-';

const METADATA = 'type.googleapis.com/google.logging.v2.BucketMetadata';
const LOG_BUCKET = 'type.googleapis.com/google.logging.v2.LogBucket';

export const handlers: Handlers = {
  ...defineParentHandlers('locations.buckets.create', create),
  ...defineParentHandlers('locations.buckets.createAsync', createAsync),
  ...defineParentHandlers('locations.buckets.get', get),
  ...defineParentHandlers('locations.buckets.list', list),
  ...defineParentHandlers('locations.buckets.patch', patch),
  ...defineParentHandlers('locations.buckets.updateAsync', updateAsync),
  ...defineParentHandlers('locations.buckets.delete', remove),
  ...defineParentHandlers('locations.buckets.undelete', undelete),
};

/** By method id: the bucket of which the store of entries is asked whether it is empty (`Interface.asksFirst`). */
export const bucketAsks: Readonly<Record<string, (call: Call) => string>> = Object.fromEntries(
  listMethodIds('locations.buckets.delete').map((id) => [id, (call: Call) => call.path['name'] ?? '']),
);

function create(call: Call, context: Context): JsonObject {
  const { name, gone } = prepareNewBucket(call, context);
  const body = withNewTimes(buildNewBucket(call, context), context);
  const bucket = keepBucket(name, { bucket: body }, undefined, context);
  sendBucketFacts([...gone, buildBucketFacts(bucket, context)], context);
  return toBucketResource(bucket);
}

function get(call: Call, context: Context): JsonObject {
  return toBucketResource(requireBucket(parseBucketName(call.path['name'] ?? ''), context));
}

function list(call: Call, context: Context): JsonObject {
  const { container, location } = parseLocationName(call.path['parent'] ?? '');
  const found = listLogBuckets(container, context).filter(
    ({ name }) => location === ANY_LOCATION || name.location === location,
  );
  const items = found.map((bucket) => ({ id: formatBucketKey(bucket.name), body: toBucketResource(bucket) }));
  return listAtHand(LIST, items, call, context);
}

function patch(call: Call, context: Context): JsonObject {
  const before = requireActive(parseBucketName(call.path['name'] ?? ''), context);
  const after = buildChangedBucket(before, call, context);
  const bucket = isSameJson(before.body, after) ? before : saveBucket(before, after, context);
  reportBucket(bucket, context);
  return toBucketResource(bucket);
}

const saveBucket = ({ name, row }: LogBucket, after: JsonObject, context: Context): LogBucket =>
  keepBucket(name, { bucket: withUpdateTime(after, context) }, row, context);

/**
 * Deletes a bucket: it can be had back for seven days, and takes and shows entries until then. A locked one must be empty.
 */
function remove(call: Call, context: Context): JsonObject {
  const bucket = requireActive(parseBucketName(call.path['name'] ?? ''), context);
  if (isBuiltInBucket(bucket.name))
    throw vendorRefusals.invalid(`The bucket ${bucket.name.bucketId} cannot be deleted`);
  if (bucket.body['locked'] === true && call.known?.isBucketEmpty !== true)
    throw vendorRefusals.failedPrecondition('A locked bucket can only be deleted when it is empty');
  const deleted = keepBucket(
    bucket.name,
    { bucket: withUpdateTime(bucket.body, context), deletedMs: context.now() },
    bucket.row,
    context,
  );
  reportBucket(deleted, context);
  return {};
}

/** Has a deleted bucket back, with its entries. */
function undelete(call: Call, context: Context): JsonObject {
  const bucket = requireBucket(parseBucketName(call.path['name'] ?? ''), context);
  if (bucket.state !== 'DELETE_REQUESTED')
    throw vendorRefusals.failedPrecondition(`The bucket ${bucket.name.name} is in the state ${bucket.state}`);
  reportBucket(saveBucket(bucket, bucket.body, context), context);
  return {};
}

/** Makes a bucket by an operation: it is CREATING until that is done, and takes no entries. */
function createAsync(call: Call, context: Context): JsonObject {
  const { name, gone } = prepareNewBucket(call, context);
  const bucket = withNewTimes(buildNewBucket(call, context), context);
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
function updateAsync(call: Call, context: Context): JsonObject {
  const before = requireActive(parseBucketName(call.path['name'] ?? ''), context);
  const { name } = before;
  const after = buildChangedBucket(before, call, context);
  const bucket = { ...after, updateTime: formatIsoTimestamp(computeDoneMs(context)) };
  const operation = generateOperationName(formatLocation(name), context);
  const pending = { operation, untilMs: computeDoneMs(context), before: before.body };
  const changed = keepBucket(name, { bucket, pending }, before.row, context);
  reportBucket(changed, context);
  const updateMask = String(call.query['updateMask']);
  const request = { name: name.name, bucket: withoutServerFields(bucket), updateMask };
  const response = { '@type': LOG_BUCKET, ...toBucketResource({ ...changed, body: bucket, state: 'ACTIVE' }) };
  const metadata = { '@type': METADATA, updateBucketRequest: request };
  return beginOperation(operation, { metadata, response, target: name.name }, context);
}

const formatLocation = ({ container, location }: BucketName): string => `${container}/locations/${location}`;

const computeDoneMs = (context: Context): number => context.now() + OPERATION_MS;

/** A bucket as an operation's metadata repeats it: without what the server sets. */
function withoutServerFields({ createTime: _created, updateTime: _updated, ...bucket }: JsonObject): JsonObject {
  return bucket;
}

/**
 * Where a new bucket of a call is to be, with what the store of entries is to hear of: buckets that are gone make room.
 * @throws Refusal for a bad id or location, for an id that is taken, for one bucket too many
 */
function prepareNewBucket(call: Call, context: Context): { name: BucketName; gone: readonly BucketFacts[] } {
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

/** Sends a changed bucket to the log store, with those of its container that are gone by time. */
function reportBucket(bucket: LogBucket, context: Context): void {
  const gone = sweepGoneBuckets(bucket.name.container, context);
  sendBucketFacts([...gone, buildBucketFacts(bucket, context)], context);
}

/** Deletes the rows of a container's buckets that are gone by time, and of all that was below them. */
function sweepGoneBuckets(container: string, context: Context): readonly BucketFacts[] {
  return listGoneBuckets(container, context).map((bucket) => {
    if (bucket.row !== undefined) context.store.remove(bucket.row);
    for (const collection of [VIEWS, POLICIES, LINKS]) context.store.removeAll(collection, bucket.name.name);
    return buildGoneBucketFacts(bucket, context);
  });
}
