import type { JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { listAtHand, notFound, timestamp } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import { isSame } from '../../../core/engine/write.ts';
import type { BucketFacts, Source } from '../../../log-store/order.ts';
import { belowBucketOf, bucketNameOf, forAllParents, idsOf, locationNameOf } from '../rows.ts';
import { filterOf, findView } from '../views/stored.ts';
import { createAsync, placeForBucket, sweptFacts, updateAsync } from './async.ts';
import { changedBucket, newBucket } from './body.ts';
import {
  type Bucket,
  bucketKey,
  bucketsIn,
  factsOf,
  findBucket,
  goneFactsOf,
  goneIn,
  handBuckets,
  isDefault,
  isReadable,
  keepBucket,
  requireActive,
  requireBucket,
  shownBucket,
} from './stored.ts';

/**
 * Deletes a bucket: it can be had back for seven days, and takes and shows entries until then. A locked one must be empty.
 */
function remove(call: Call, context: Context): JsonObject {
  const bucket = requireActive(bucketNameOf(call.path['name'] ?? ''), context);
  if (isDefault(bucket.name)) throw refuse.invalid(`The bucket ${bucket.name.bucketId} cannot be deleted`);
  if (bucket.body['locked'] === true && call.known?.isBucketEmpty !== true)
    throw refuse.failedPrecondition('A locked bucket can only be deleted when it is empty');
  const deleted = keepBucket(
    bucket.name,
    { bucket: touched(bucket, context), deletedMs: context.now() },
    bucket.row,
    context,
  );
  handBuckets([...sweptFacts(bucket.name.container, context), factsOf(deleted, context)], context);
  return {};
}

/** Has a deleted bucket back, with its entries. */
function undelete(call: Call, context: Context): JsonObject {
  const bucket = requireBucket(bucketNameOf(call.path['name'] ?? ''), context);
  if (bucket.state !== 'DELETE_REQUESTED')
    throw refuse.failedPrecondition(`The bucket ${bucket.name.name} is in the state ${bucket.state}`);
  const kept = keepBucket(bucket.name, { bucket: touched(bucket, context) }, bucket.row, context);
  handBuckets([...sweptFacts(bucket.name.container, context), factsOf(kept, context)], context);
  return {};
}

const touched = ({ body }: Bucket, context: Context): JsonObject => ({ ...body, updateTime: timestamp(context.now()) });

const LIST = { items: 'buckets', page: { default: 100, max: 1_000 } };
/** The vendor's word for every location. */
const ANY_LOCATION = '-';

/** All buckets of a container that can be read and written, in every location, the default ones included. */
export const bucketFactsOf = (container: string, context: Context): readonly BucketFacts[] =>
  bucketsIn(container, context)
    .filter(isReadable)
    .map((bucket) => factsOf(bucket, context));

/** The facts of one bucket by its full name. Undefined where it is not there, gone, or still being made. */
export function bucketFactsNamed(name: string, context: Context): BucketFacts | undefined {
  const bucket = findBucket(bucketNameOf(name), context);
  return bucket !== undefined && isReadable(bucket) ? factsOf(bucket, context) : undefined;
}

/** Buckets of a container that are gone by time while nobody told the store of entries: it may delete what they had. */
export const goneBucketFactsOf = (container: string, context: Context): readonly BucketFacts[] =>
  goneIn(container, context).map((bucket) => goneFactsOf(bucket, context));

/**
 * What the view of this full name shows of its bucket.
 * @throws Refusal 400 for a name of anything else, 404 where bucket or view are not there
 */
export function sourceNamed(name: string, context: Context): Source {
  const { bucket: path, id } = belowBucketOf(name, 'views');
  const bucket = findBucket(path, context);
  const view = bucket !== undefined && isReadable(bucket) ? findView(path, id, context) : undefined;
  if (view === undefined) throw notFound(name);
  const filter = filterOf(view);
  return { bucket: path.name, ...(filter !== undefined && { filter }) };
}

export const bucketHandlers: Handlers = {
  ...forAllParents('locations.buckets.create', create),
  ...forAllParents('locations.buckets.createAsync', createAsync),
  ...forAllParents('locations.buckets.get', get),
  ...forAllParents('locations.buckets.list', list),
  ...forAllParents('locations.buckets.patch', patch),
  ...forAllParents('locations.buckets.updateAsync', updateAsync),
  ...forAllParents('locations.buckets.delete', remove),
  ...forAllParents('locations.buckets.undelete', undelete),
};

/** By method id: the bucket of which the store of entries is asked whether it is empty (`Interface.asksFirst`). */
export const bucketAsks: Readonly<Record<string, (call: Call) => string>> = Object.fromEntries(
  idsOf('locations.buckets.delete').map((id) => [id, (call: Call) => call.path['name'] ?? '']),
);

function create(call: Call, context: Context): JsonObject {
  const { name, gone } = placeForBucket(call, context);
  const now = timestamp(context.now());
  const body = { ...newBucket(call, context), createTime: now, updateTime: now };
  const bucket = keepBucket(name, { bucket: body }, undefined, context);
  handBuckets([...gone, factsOf(bucket, context)], context);
  return shownBucket(bucket);
}

function get(call: Call, context: Context): JsonObject {
  return shownBucket(requireBucket(bucketNameOf(call.path['name'] ?? ''), context));
}

function list(call: Call, context: Context): JsonObject {
  const { container, location } = locationNameOf(call.path['parent'] ?? '');
  const found = bucketsIn(container, context).filter(
    ({ name }) => location === ANY_LOCATION || name.location === location,
  );
  const items = found.map((bucket) => ({ id: bucketKey(bucket.name), body: shownBucket(bucket) }));
  return listAtHand(LIST, items, call, context);
}

function patch(call: Call, context: Context): JsonObject {
  const before = requireActive(bucketNameOf(call.path['name'] ?? ''), context);
  const after = changedBucket(before, call, context);
  const bucket = isSame(before.body, after) ? before : keptAs(before, after, context);
  handBuckets([...sweptFacts(before.name.container, context), factsOf(bucket, context)], context);
  return shownBucket(bucket);
}

const keptAs = (before: Bucket, after: JsonObject, context: Context): Bucket => {
  const bucket = { ...after, updateTime: timestamp(context.now()) };
  return keepBucket(before.name, { bucket }, before.row, context);
};
