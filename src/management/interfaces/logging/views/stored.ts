import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import type { BucketName } from '../rows.ts';
import { isBuiltInBucket } from '../buckets/stored.ts';

export const VIEWS = 'logging.views';
export const MAX_VIEWS = 30;

/** A view of a bucket. `row` is absent for a built-in one, which cannot be changed. */
export type View = { id: string; body: JsonObject; row?: ResourceRow };

const ALL_LOGS = '_AllLogs';
/** The vendor leaves out of it who read what (audit logs of data access). */
const DEFAULT_VIEW_FILTER =
  'NOT LOG_ID("cloudaudit.googleapis.com/data_access") AND NOT LOG_ID("externalaudit.googleapis.com/data_access")';

/** All views of a bucket, in the order of their ids. */
export function listBucketViews(bucket: BucketName, context: Context): readonly View[] {
  const stored = context.store
    .list({ collection: VIEWS, parent: bucket.name, limit: MAX_VIEWS })
    .map(({ row }): View => ({ id: row.id, body: row.body, row }));
  return [...buildFixedViews(bucket), ...stored].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** A bucket's view by its id. Does not look whether the bucket is there. */
export function findView(bucket: BucketName, id: string, context: Context): View | undefined {
  const row = context.store.get(VIEWS, bucket.name, id);
  if (row !== undefined) return { id, body: row.body, row };
  return buildFixedViews(bucket).find((view) => view.id === id);
}

/** The filter of a view; undefined for one that shows everything. */
export function getViewFilter({ body }: View): string | undefined {
  const { filter } = body;
  return isText(filter) && filter !== '' ? filter : undefined;
}

/** Every bucket has a view of everything; the default one has one more. */
function buildFixedViews(bucket: BucketName): readonly View[] {
  const all: View = { id: ALL_LOGS, body: {} };
  const isDefaultBucket = isBuiltInBucket(bucket) && bucket.bucketId === '_Default';
  return isDefaultBucket ? [all, { id: '_Default', body: { filter: DEFAULT_VIEW_FILTER } }] : [all];
}
