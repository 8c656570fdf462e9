import { timestamp } from '../../../core/engine/named-collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { factsOf, handBuckets } from './facts.ts';
import { type Bucket, isDefault, keepBucket, requireActive, requireBucket } from './stored.ts';
import { sweptFacts } from './place.ts';
import { bucketNameOf } from '../containers.ts';

/**
 * Deletes a bucket: it can be had back for seven days, and takes and shows entries until then. A locked one must be empty.
 */
export function remove(call: Call, context: Context): JsonObject {
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
export function undelete(call: Call, context: Context): JsonObject {
  const bucket = requireBucket(bucketNameOf(call.path['name'] ?? ''), context);
  if (bucket.state !== 'DELETE_REQUESTED')
    throw refuse.failedPrecondition(`The bucket ${bucket.name.name} is in the state ${bucket.state}`);
  const kept = keepBucket(bucket.name, { bucket: touched(bucket, context) }, bucket.row, context);
  handBuckets([...sweptFacts(bucket.name.container, context), factsOf(kept, context)], context);
  return {};
}

const touched = ({ body }: Bucket, context: Context): JsonObject => ({ ...body, updateTime: timestamp(context.now()) });
