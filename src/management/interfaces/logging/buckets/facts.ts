import type { BucketFacts } from '../../../log-store/order.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { type Bucket, UNDELETE_MS } from './stored.ts';

/** What the store of entries needs of a bucket. While an operation changes it, entries are kept for the longer time. */
export function factsOf({ name, body, state, kept }: Bucket, context: Context): BucketFacts {
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
export const goneFactsOf = (bucket: Bucket, context: Context): BucketFacts => {
  const { goneInMs: _past, ...facts } = factsOf(bucket, context);
  return { ...facts, isGone: true };
};

/** Whether entries may be in it: a deleted one takes and shows them until it is gone, as the vendor's does. */
export const isReadable = ({ state }: Bucket): boolean => state !== 'CREATING';

/** Tells the store of entries of changed buckets. */
export function handBuckets(buckets: readonly BucketFacts[], context: Context): void {
  if (buckets.length > 0) context.hand({ do: 'buckets', buckets });
}
