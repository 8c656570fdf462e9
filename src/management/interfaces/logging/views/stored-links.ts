import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import type { BelowBucket, BucketName } from '../rows.ts';

/** Links of a bucket: under it, by their ids. */
export const LINKS = 'logging.links';
/** The vendor's limit: a bucket has one, to a dataset of the same name. */
export const MAX_BUCKET_LINKS = 1;
/** Rows of one bucket that are read at once: a link that is gone may still have its own. */
const MAX_ROWS = 10;

/** A link as it is stored. */
export type StoredLink = {
  createTime: string;
  description?: string;
  /** An operation makes or deletes it until then. */
  pending?: { operation: string; untilMs: number; isDeleting?: true };
};

export type Link = { row: ResourceRow; kept: StoredLink; state: 'ACTIVE' | 'CREATING' | 'DELETE_REQUESTED' };

/** The links of a bucket. Those that are deleted are not among them, whether their rows are gone or not. */
export const listBucketLinks = (bucket: BucketName, context: Context): readonly Link[] =>
  context.store
    .list({ collection: LINKS, parent: bucket.name, limit: MAX_ROWS })
    .map(({ row }) => readLink(row, context))
    .filter((link) => link !== undefined);

/** Undefined for a link that is not there. Does not look whether its bucket is. */
export function findLink({ bucket, id }: BelowBucket, context: Context): Link | undefined {
  const row = context.store.get(LINKS, bucket.name, id);
  return row && readLink(row, context);
}

/** A link as callers see it: with a dataset that would be beside its bucket. */
export function toLinkResource(
  { bucket, id }: BelowBucket,
  { createTime, description }: StoredLink,
  state: Link['state'],
): JsonObject {
  return {
    name: `${bucket.name}/links/${id}`,
    ...(description !== undefined && { description }),
    createTime,
    lifecycleState: state,
    bigqueryDataset: { datasetId: `bigquery.googleapis.com/${bucket.container}/datasets/${id}` },
  };
}

/** Deletes the rows of links that are gone by time. */
export function sweepLinks(bucket: BucketName, context: Context): void {
  for (const { row } of context.store.list({ collection: LINKS, parent: bucket.name, limit: MAX_ROWS }))
    if (readLink(row, context) === undefined) context.store.remove(row);
}

function readLink(row: ResourceRow, context: Context): Link | undefined {
  const kept = row.body as StoredLink; // Written by links.ts; a restore judges it.
  const { pending } = kept;
  if (pending !== undefined && context.now() < pending.untilMs)
    return { row, kept, state: pending.isDeleting === true ? 'DELETE_REQUESTED' : 'CREATING' };
  return pending?.isDeleting === true ? undefined : { row, kept, state: 'ACTIVE' };
}
