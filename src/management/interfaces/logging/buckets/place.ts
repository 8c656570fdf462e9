import { alreadyExists } from '../../../core/engine/named-collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { BucketFacts } from '../../../log-store/order.ts';
import { goneFactsOf } from './facts.ts';
import { bucketsIn, findBucket, goneIn, MAX_BUCKETS } from './stored.ts';
import { type BucketName, locationNameOf } from '../containers.ts';
import { exhausted } from '../limits.ts';
import { requireLocation } from '../locations.ts';
import { POLICIES } from '../access/iam-policy.ts';
import { LINKS } from '../views/stored-links.ts';
import { requireId, textOf } from '../texts.ts';
import { VIEWS } from '../views/stored.ts';

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
