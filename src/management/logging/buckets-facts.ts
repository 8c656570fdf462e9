import type { BucketFacts } from '../entries/order.ts';
import type { Context } from '../engine/operation.ts';
import type { Bucket } from './buckets-kept.ts';

/** What the store of entries needs of a bucket. */
export const factsOf = ({ name, body }: Bucket): BucketFacts => ({
  name: name.name,
  retentionDays: Number(body['retentionDays']),
});

/** Whether entries may be in it: a deleted one takes and shows them until it is gone, as the vendor's does. */
export const isReadable = ({ state }: Bucket): boolean => state !== 'CREATING';

/** Tells the store of entries of changed buckets. */
export function handBuckets(buckets: readonly BucketFacts[], context: Context): void {
  if (buckets.length > 0) context.hand({ do: 'buckets', buckets });
}
