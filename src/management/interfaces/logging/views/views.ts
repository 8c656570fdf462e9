import {
  refuseExistingName,
  buildChangedBody,
  listAtHand,
  buildNewBody,
  refuseMissingName,
  putChanged,
  formatIsoTimestamp,
} from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import { findViewFilterProblem } from '../../../core/filter/index.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { requireActive, requireBucket } from '../buckets/stored.ts';
import { type BelowBucket, parseBelowBucketName, parseBucketName, defineParentHandlers } from '../rows.ts';
import { POLICIES } from '../access/iam-policy.ts';
import { refuseLogLimit, refuseLogField, requireDescription, requireFilter, toTextOrEmpty } from '../texts.ts';
import { findView, MAX_VIEWS, type View, VIEWS, listBucketViews } from './stored.ts';

const LOG_VIEW = { schema: 'LogView' };
const LIST = { items: 'views', page: { default: 100, max: 1_000 } };
/** Letters, digits, underscores and hyphens (the vendor's documents): no dots, other than in ids of buckets. */
const VIEW_ID = /^[A-Za-z0-9_-]{1,100}$/;

export const viewHandlers: Handlers = {
  ...defineParentHandlers('locations.buckets.views.create', create),
  ...defineParentHandlers('locations.buckets.views.get', get),
  ...defineParentHandlers('locations.buckets.views.list', list),
  ...defineParentHandlers('locations.buckets.views.patch', patch),
  ...defineParentHandlers('locations.buckets.views.delete', remove),
};

function create(call: Call, context: Context): JsonObject {
  const bucket = parseBucketName(call.path['parent'] ?? '');
  requireActive(bucket, context);
  const id = toTextOrEmpty(call.query['viewId']);
  if (!VIEW_ID.test(id))
    throw refuseLogField('viewId', 'viewId must have 1 to 100 letters, digits, underscores and hyphens.');
  if (findView(bucket, id, context) !== undefined) throw refuseExistingName(`${bucket.name}/views/${id}`);
  if (listBucketViews(bucket, context).length >= MAX_VIEWS)
    throw refuseLogLimit(`A bucket has at most ${MAX_VIEWS} views`);
  const now = formatIsoTimestamp(context.now());
  const body = { ...validateView(buildNewBody(LOG_VIEW, call.body, context)), createTime: now, updateTime: now };
  context.store.insert({ collection: VIEWS, parent: bucket.name, id, body });
  return toViewResource(bucket.name, { id, body });
}

function get(call: Call, context: Context): JsonObject {
  const { bucket, id } = parseBelowBucketName(call.path['name'] ?? '', 'views');
  return toViewResource(bucket.name, requireLogView({ bucket, id }, context));
}

function list(call: Call, context: Context): JsonObject {
  const bucket = parseBucketName(call.path['parent'] ?? '');
  requireBucket(bucket, context);
  const items = listBucketViews(bucket, context).map((view) => ({
    id: view.id,
    body: toViewResource(bucket.name, view),
  }));
  return listAtHand(LIST, items, call, context);
}

function patch(call: Call, context: Context): JsonObject {
  const { bucket, row } = requireChangeableView(call, context);
  const after = validateView(buildChangedBody(LOG_VIEW, row.body, call.body, call, context));
  if (isSameJson(row.body, after)) return toViewResource(bucket, row);
  return toViewResource(bucket, putChanged(row, { ...after, updateTime: formatIsoTimestamp(context.now()) }, context));
}

function remove(call: Call, context: Context): JsonObject {
  const { bucket, row } = requireChangeableView(call, context);
  context.store.remove(row);
  context.store.remove({ collection: POLICIES, parent: bucket, id: row.id });
  return {};
}

/** A view that is there, in a bucket that is. @throws Refusal 404 */
export function requireLogView({ bucket, id }: BelowBucket, context: Context): View {
  requireBucket(bucket, context);
  const view = findView(bucket, id, context);
  if (view === undefined) throw refuseMissingName(`${bucket.name}/views/${id}`);
  return view;
}

/** A user-defined view. @throws Refusal for a built-in view, and while the bucket is not ACTIVE */
function requireChangeableView(call: Call, context: Context): { bucket: string; row: ResourceRow } {
  const { bucket, id } = parseBelowBucketName(call.path['name'] ?? '', 'views');
  const { row } = requireLogView({ bucket, id }, context);
  if (row === undefined) throw vendorRefusals.invalid(`The view ${id} cannot be changed or deleted`);
  requireActive(bucket, context);
  return { bucket: bucket.name, row };
}

/** A body without empty texts. @throws Refusal for a filter that is none, or more than a view may have */
function validateView(body: JsonObject): JsonObject {
  requireDescription(body['description']);
  const problem = findViewFilterProblem(requireFilter(body['filter']));
  if (problem !== undefined) throw refuseLogField('filter', `Invalid filter of a view: ${problem}`);
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''));
}

const toViewResource = (bucket: string, { id, body }: Pick<View, 'id' | 'body'>): JsonObject => ({
  name: `${bucket}/views/${id}`,
  ...body,
});
