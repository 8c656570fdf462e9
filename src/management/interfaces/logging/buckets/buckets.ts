import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { listAtHand, refuseMissingName, formatIsoTimestamp } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import type { BucketFacts, EntrySource } from '../../../log-store/order.ts';
import {
  parseBelowBucketName,
  parseBucketName,
  defineParentHandlers,
  listMethodIds,
  parseLocationName,
} from '../rows.ts';
import { getViewFilter, findView } from '../views/stored.ts';
import { createAsync, prepareNewBucket, sweepGoneBuckets, updateAsync } from './async.ts';
import { buildChangedBucket, buildNewBucket } from './body.ts';
import {
  type LogBucket,
  formatBucketKey,
  listLogBuckets,
  buildBucketFacts,
  findBucket,
  buildGoneBucketFacts,
  listGoneBuckets,
  sendBucketFacts,
  isBuiltInBucket,
  isReadable,
  keepBucket,
  requireActive,
  requireBucket,
  toBucketResource,
} from './stored.ts';

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
    { bucket: withUpdateTime(bucket, context), deletedMs: context.now() },
    bucket.row,
    context,
  );
  sendBucketFacts([...sweepGoneBuckets(bucket.name.container, context), buildBucketFacts(deleted, context)], context);
  return {};
}

/** Has a deleted bucket back, with its entries. */
function undelete(call: Call, context: Context): JsonObject {
  const bucket = requireBucket(parseBucketName(call.path['name'] ?? ''), context);
  if (bucket.state !== 'DELETE_REQUESTED')
    throw vendorRefusals.failedPrecondition(`The bucket ${bucket.name.name} is in the state ${bucket.state}`);
  const kept = keepBucket(bucket.name, { bucket: withUpdateTime(bucket, context) }, bucket.row, context);
  sendBucketFacts([...sweepGoneBuckets(bucket.name.container, context), buildBucketFacts(kept, context)], context);
  return {};
}

const withUpdateTime = ({ body }: LogBucket, context: Context): JsonObject => ({
  ...body,
  updateTime: formatIsoTimestamp(context.now()),
});

const LIST = { items: 'buckets', page: { default: 100, max: 1_000 } };
/** The vendor's word for every location. */
const ANY_LOCATION = '-';

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

/**
 * What the view of this full name shows of its bucket.
 * @throws Refusal 400 for a name of anything else, 404 where bucket or view are not there
 */
export function requireViewSource(name: string, context: Context): EntrySource {
  const { bucket: path, id } = parseBelowBucketName(name, 'views');
  const bucket = findBucket(path, context);
  const view = bucket !== undefined && isReadable(bucket) ? findView(path, id, context) : undefined;
  if (view === undefined) throw refuseMissingName(name);
  const filter = getViewFilter(view);
  return { bucket: path.name, ...(filter !== undefined && { filter }) };
}

export const bucketHandlers: Handlers = {
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
  const now = formatIsoTimestamp(context.now());
  const body = { ...buildNewBucket(call, context), createTime: now, updateTime: now };
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
  sendBucketFacts([...sweepGoneBuckets(before.name.container, context), buildBucketFacts(bucket, context)], context);
  return toBucketResource(bucket);
}

const saveBucket = (before: LogBucket, after: JsonObject, context: Context): LogBucket => {
  const bucket = { ...after, updateTime: formatIsoTimestamp(context.now()) };
  return keepBucket(before.name, { bucket }, before.row, context);
};
