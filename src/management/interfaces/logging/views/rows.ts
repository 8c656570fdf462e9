import { hashText } from '../../../core/engine/hash.ts';
import { refuseMissingName } from '../../../core/engine/named-collection.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { EntrySource } from '../../../log-store/order.ts';
import { isText, type JsonObject } from '../../../../lib/json.ts';
import { findBucket, isBuiltInBucket, isReadable, requireBucket } from '../buckets/rows.ts';
import { type BelowBucket, type BucketName, compareIds, parseBelowBucketName } from '../rows.ts';

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
  return [...buildFixedViews(bucket), ...stored].toSorted(compareIds);
}

/** A bucket's view by its id. Does not look whether the bucket is there. */
export function findView(bucket: BucketName, id: string, context: Context): View | undefined {
  const row = context.store.get(VIEWS, bucket.name, id);
  if (row !== undefined) return { id, body: row.body, row };
  return buildFixedViews(bucket).find((view) => view.id === id);
}

/** The filter of a view; undefined for one that shows everything. */
function getViewFilter({ body }: View): string | undefined {
  const { filter } = body;
  return isText(filter) && filter !== '' ? filter : undefined;
}

/** Every bucket has a view of everything; the default one has one more. */
function buildFixedViews(bucket: BucketName): readonly View[] {
  const all: View = { id: ALL_LOGS, body: {} };
  const isDefaultBucket = isBuiltInBucket(bucket) && bucket.bucketId === '_Default';
  return isDefaultBucket ? [all, { id: '_Default', body: { filter: DEFAULT_VIEW_FILTER } }] : [all];
}

/** A view that is there, in a bucket that is. @throws Refusal 404 */
export function requireLogView({ bucket, id }: BelowBucket, context: Context): View {
  requireBucket(bucket, context);
  const view = findView(bucket, id, context);
  if (view === undefined) throw refuseMissingName(`${bucket.name}/views/${id}`);
  return view;
}

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

export const toViewResource = (bucket: string, { id, body }: Pick<View, 'id' | 'body'>): JsonObject => ({
  name: `${bucket}/views/${id}`,
  ...body,
});

/** Policies of views: under their bucket, by the id of the view. */
export const POLICIES = 'logging.viewPolicies';

/** The first version that knows conditions. */
export const CONDITIONAL = 3;
/** What older readers are shown in the place of a condition: it is no name of a role. */
export const HIDDEN_CONDITION = '_withcond_';
/** The vendor's etag of a policy that was never set. */
const NO_POLICY_ETAG = 'ACAB';

/** A valid binding: a role, its members, and when it holds. */
export type PolicyBinding = { role: string; members: string[]; condition?: JsonObject };

export const findPolicyRow = ({ bucket, id }: BelowBucket, context: Context): ResourceRow | undefined =>
  context.store.get(POLICIES, bucket.name, id);

/** A policy is of the lowest version that can say it. */
export function toPolicyResource(row: ResourceRow | undefined, wanted: number, context: Context): JsonObject {
  const bindings = (row?.body['bindings'] ?? []) as PolicyBinding[]; // Written here; judged by a restore.
  const isConditional = wanted === CONDITIONAL && bindings.some(({ condition }) => condition !== undefined);
  const listed = isConditional ? bindings : withoutConditions(bindings);
  return {
    ...(bindings.length > 0 && { version: isConditional ? CONDITIONAL : 1, bindings: [...listed] }),
    etag: formatPolicyEtag(row, context),
  };
}

/** Base64, as the schema wants it: of the revision's entity tag. */
export const formatPolicyEtag = (row: ResourceRow | undefined, context: Context): string =>
  row === undefined ? NO_POLICY_ETAG : btoa(context.etagOf(row.revision));

/** Bindings as a reader sees them who did not ask for version 3: conditions show as an ending of their role. */
const withoutConditions = (bindings: readonly PolicyBinding[]): readonly PolicyBinding[] =>
  bindings.map(({ role, members, condition }) => {
    if (condition === undefined) return { role, members };
    return { role: `${role}${HIDDEN_CONDITION}${hashText(JSON.stringify(condition))}`, members };
  });

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
    name: formatLinkName({ bucket, id }),
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
  const kept = row.body as StoredLink; // Written by the handlers; a restore judges it.
  const { pending } = kept;
  if (pending !== undefined && context.now() < pending.untilMs)
    return { row, kept, state: pending.isDeleting === true ? 'DELETE_REQUESTED' : 'CREATING' };
  return pending?.isDeleting === true ? undefined : { row, kept, state: 'ACTIVE' };
}

/** Takes back what a running operation does to a link: one that was being made is not there, another stays. */
export function cancelLink(name: string, operation: string, context: Context): void {
  const link = findLink(parseBelowBucketName(name, 'links'), context);
  if (link?.kept.pending?.operation !== operation) return;
  const { pending, ...kept } = link.kept;
  if (pending.isDeleting === true) keepLink(link.row, kept, context);
  else context.store.remove(link.row);
}

export const keepLink = ({ collection, parent, id }: ResourceRow, body: StoredLink, context: Context): ResourceRow =>
  context.store.put({ collection, parent, id, body });

export const formatLinkName = ({ bucket, id }: BelowBucket): string => `${bucket.name}/links/${id}`;
