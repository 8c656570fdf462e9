import {
  alreadyExists,
  changedBody,
  listAtHand,
  newBody,
  notFound,
  putChanged,
  timestamp,
} from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import { isSame } from '../../../core/engine/write.ts';
import { viewFilterProblem } from '../../../core/filter/index.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { requireActive, requireBucket } from '../buckets/stored.ts';
import { type BelowBucket, belowBucketOf, bucketNameOf, forAllParents } from '../rows.ts';
import { POLICIES } from '../access/iam-policy.ts';
import { exhausted, invalidField, requireDescription, requireFilter, textOf } from '../texts.ts';
import { findView, MAX_VIEWS, type View, VIEWS, viewsOf } from './stored.ts';

const LOG_VIEW = { schema: 'LogView' };
const LIST = { items: 'views', page: { default: 100, max: 1_000 } };
/** Letters, digits, underscores and hyphens (the vendor's documents): no dots, other than in ids of buckets. */
const VIEW_ID = /^[A-Za-z0-9_-]{1,100}$/;

export const viewHandlers: Handlers = {
  ...forAllParents('locations.buckets.views.create', create),
  ...forAllParents('locations.buckets.views.get', get),
  ...forAllParents('locations.buckets.views.list', list),
  ...forAllParents('locations.buckets.views.patch', patch),
  ...forAllParents('locations.buckets.views.delete', remove),
};

function create(call: Call, context: Context): JsonObject {
  const bucket = bucketNameOf(call.path['parent'] ?? '');
  requireActive(bucket, context);
  const id = textOf(call.query['viewId']);
  if (!VIEW_ID.test(id))
    throw invalidField('viewId', 'viewId must have 1 to 100 letters, digits, underscores and hyphens.');
  if (findView(bucket, id, context) !== undefined) throw alreadyExists(`${bucket.name}/views/${id}`);
  if (viewsOf(bucket, context).length >= MAX_VIEWS) throw exhausted(`A bucket has at most ${MAX_VIEWS} views`);
  const now = timestamp(context.now());
  const body = { ...judged(newBody(LOG_VIEW, call.body, context)), createTime: now, updateTime: now };
  context.store.insert({ collection: VIEWS, parent: bucket.name, id, body });
  return shown(bucket.name, { id, body });
}

function get(call: Call, context: Context): JsonObject {
  const { bucket, id } = belowBucketOf(call.path['name'] ?? '', 'views');
  return shown(bucket.name, viewAt({ bucket, id }, context));
}

function list(call: Call, context: Context): JsonObject {
  const bucket = bucketNameOf(call.path['parent'] ?? '');
  requireBucket(bucket, context);
  const items = viewsOf(bucket, context).map((view) => ({ id: view.id, body: shown(bucket.name, view) }));
  return listAtHand(LIST, items, call, context);
}

function patch(call: Call, context: Context): JsonObject {
  const { bucket, row } = changeable(call, context);
  const after = judged(changedBody(LOG_VIEW, row.body, call.body, call, context));
  if (isSame(row.body, after)) return shown(bucket, row);
  return shown(bucket, putChanged(row, { ...after, updateTime: timestamp(context.now()) }, context));
}

function remove(call: Call, context: Context): JsonObject {
  const { bucket, row } = changeable(call, context);
  context.store.remove(row);
  context.store.remove({ collection: POLICIES, parent: bucket, id: row.id });
  return {};
}

/** A view that is there, in a bucket that is. @throws Refusal 404 */
export function viewAt({ bucket, id }: BelowBucket, context: Context): View {
  requireBucket(bucket, context);
  const view = findView(bucket, id, context);
  if (view === undefined) throw notFound(`${bucket.name}/views/${id}`);
  return view;
}

/** A view that somebody made. @throws Refusal for those that every bucket has, and while the bucket is not ACTIVE */
function changeable(call: Call, context: Context): { bucket: string; row: StoredRow } {
  const { bucket, id } = belowBucketOf(call.path['name'] ?? '', 'views');
  const { row } = viewAt({ bucket, id }, context);
  if (row === undefined) throw refuse.invalid(`The view ${id} cannot be changed or deleted`);
  requireActive(bucket, context);
  return { bucket: bucket.name, row };
}

/** A body without empty texts. @throws Refusal for a filter that is none, or more than a view may have */
function judged(body: JsonObject): JsonObject {
  requireDescription(body['description']);
  const problem = viewFilterProblem(requireFilter(body['filter']));
  if (problem !== undefined) throw invalidField('filter', `Invalid filter of a view: ${problem}`);
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

const shown = (bucket: string, { id, body }: Pick<View, 'id' | 'body'>): JsonObject => ({
  name: `${bucket}/views/${id}`,
  ...body,
});
