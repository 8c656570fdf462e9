import {
  buildChangedBody,
  buildNewBody,
  listAtHand,
  refuseExistingName,
  refuseMissingName,
} from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../../lib/time.ts';
import { findBucket, requireActive, requireBucket } from '../buckets/rows.ts';
import { defineParentHandlers } from '../handlers.ts';
import { refuseLogLimit } from '../refusals.ts';
import {
  beginOperation,
  type BelowBucket,
  generateOperationName,
  OPERATION_MS,
  PAGE,
  parseBelowBucketName,
  parseBucketName,
  putDated,
  withNewTimes,
} from '../rows.ts';
import { requireDescription, toTextOrEmpty } from '../schemas.ts';
import { PERMISSIONS } from './permissions-data.ts';
import {
  CONDITIONAL,
  findLink,
  findPolicyRow,
  findView,
  formatLinkName,
  formatPolicyEtag,
  keepLink,
  type Link,
  LINKS,
  listBucketLinks,
  listBucketViews,
  MAX_BUCKET_LINKS,
  MAX_VIEWS,
  POLICIES,
  requireLogView,
  type StoredLink,
  sweepLinks,
  toLinkResource,
  toPolicyResource,
  toViewResource,
  VIEWS,
} from './rows.ts';
import {
  isBindingsUpdate,
  requireLinkId,
  requirePermissions,
  requireViewId,
  validatePolicyBindings,
  validatePolicyVersion,
  validateView,
} from './schemas.ts';

const LOG_VIEW = { schema: 'LogView' };
const METADATA = 'type.googleapis.com/google.logging.v2.LinkMetadata';
const LINK = 'type.googleapis.com/google.logging.v2.Link';
const EMPTY = 'type.googleapis.com/google.protobuf.Empty';

/**
 * Views of buckets, their policies, and links of buckets to datasets. Policies (google.iam.v1.IAMPolicy) are kept and shown;
 * who may read is decided by the token alone, and a tenant's tokens may read all of its views. There is no BigQuery behind
 * a link: nothing can be queried by it.
 */
export const handlers: Handlers = {
  ...defineParentHandlers('locations.buckets.views.create', createView),
  ...defineParentHandlers('locations.buckets.views.get', getView),
  ...defineParentHandlers('locations.buckets.views.list', listViews),
  ...defineParentHandlers('locations.buckets.views.patch', patchView),
  ...defineParentHandlers('locations.buckets.views.delete', deleteView),
  ...defineParentHandlers('locations.buckets.views.getIamPolicy', getPolicy),
  ...defineParentHandlers('locations.buckets.views.setIamPolicy', setPolicy),
  ...defineParentHandlers('locations.buckets.views.testIamPermissions', checkPermissions),
  ...defineParentHandlers('locations.buckets.links.create', createLink),
  ...defineParentHandlers('locations.buckets.links.get', getLink),
  ...defineParentHandlers('locations.buckets.links.list', listLinks),
  ...defineParentHandlers('locations.buckets.links.delete', deleteLink),
};

function createView(call: Call, context: Context): JsonObject {
  const bucket = parseBucketName(call.path['parent'] ?? '');
  requireActive(bucket, context);
  const id = requireViewId(call.query['viewId']);
  if (findView(bucket, id, context) !== undefined) throw refuseExistingName(`${bucket.name}/views/${id}`);
  if (listBucketViews(bucket, context).length >= MAX_VIEWS)
    throw refuseLogLimit(`A bucket has at most ${MAX_VIEWS} views`);
  const body = withNewTimes(validateView(buildNewBody(LOG_VIEW, call.body, context)), context);
  context.store.insert({ collection: VIEWS, parent: bucket.name, id, body });
  return toViewResource(bucket.name, { id, body });
}

function getView(call: Call, context: Context): JsonObject {
  const { bucket, id } = parseBelowBucketName(call.path['name'] ?? '', 'views');
  return toViewResource(bucket.name, requireLogView({ bucket, id }, context));
}

function listViews(call: Call, context: Context): JsonObject {
  const bucket = parseBucketName(call.path['parent'] ?? '');
  requireBucket(bucket, context);
  const items = listBucketViews(bucket, context).map((view) => ({
    id: view.id,
    body: toViewResource(bucket.name, view),
  }));
  return listAtHand({ items: 'views', page: PAGE }, items, call, context);
}

function patchView(call: Call, context: Context): JsonObject {
  const { bucket, row } = requireChangeableView(call, context);
  const after = validateView(buildChangedBody(LOG_VIEW, row.body, call.body, call, context));
  return toViewResource(bucket, putDated(row, after, context));
}

function deleteView(call: Call, context: Context): JsonObject {
  const { bucket, row } = requireChangeableView(call, context);
  context.store.remove(row);
  context.store.remove({ collection: POLICIES, parent: bucket, id: row.id });
  return {};
}

/** A user-defined view. @throws Refusal for a built-in view, and while the bucket is not ACTIVE */
function requireChangeableView(call: Call, context: Context): { bucket: string; row: ResourceRow } {
  const { bucket, id } = parseBelowBucketName(call.path['name'] ?? '', 'views');
  const { row } = requireLogView({ bucket, id }, context);
  if (row === undefined) throw vendorRefusals.invalid(`The view ${id} cannot be changed or deleted`);
  requireActive(bucket, context);
  return { bucket: bucket.name, row };
}

function getPolicy(call: Call, context: Context): JsonObject {
  const view = parseViewName(call);
  requireLogView(view, context);
  const { options } = call.body;
  const version = validatePolicyVersion(
    isObject(options) ? options['requestedPolicyVersion'] : 0,
    'options.requestedPolicyVersion',
  );
  return toPolicyResource(findPolicyRow(view, context), version, context);
}

/**
 * Replaces a policy. With an etag it is that of the policy that was read, else it is replaced whatever was changed
 * meanwhile. The mask may leave bindings out; the vendor's default is `bindings, etag`.
 */
function setPolicy(call: Call, context: Context): JsonObject {
  const view = parseViewName(call);
  requireLogView(view, context);
  const before = findPolicyRow(view, context);
  const { policy } = call.body;
  if (!isObject(policy)) throw vendorRefusals.required('policy');
  const version = validatePolicyVersion(policy['version'], 'policy.version');
  const etag = toTextOrEmpty(policy['etag']);
  if (etag !== '' && etag !== formatPolicyEtag(before, context))
    throw vendorRefusals.aborted('There were concurrent policy changes. Please retry the whole read-modify-write.');
  const bindings = validatePolicyBindings(policy['bindings'], version);
  if (!isBindingsUpdate(call, context)) return toPolicyResource(before, version, context);
  const address = { collection: POLICIES, parent: view.bucket.name, id: view.id };
  const next = { ...address, body: { bindings: bindings as readonly Json[] as Json[] } };
  const row = before === undefined ? context.store.insert(next) : context.store.put(next);
  return toPolicyResource(row, CONDITIONAL, context);
}

/** The asked permissions that the caller has: all that there are for logging. None on a view that is not there. */
function checkPermissions(call: Call, context: Context): JsonObject {
  const view = parseViewName(call);
  const asked = requirePermissions(call.body['permissions']);
  const isThere =
    findBucket(view.bucket, context) !== undefined && findView(view.bucket, view.id, context) !== undefined;
  const permissions = isThere ? [...new Set(asked)].filter((permission) => PERMISSIONS.has(permission)) : [];
  return permissions.length > 0 ? { permissions } : {};
}

const parseViewName = (call: Call): BelowBucket => parseBelowBucketName(call.path['resource'] ?? '', 'views');

function createLink(call: Call, context: Context): JsonObject {
  const bucket = parseBucketName(call.path['parent'] ?? '');
  const { body } = requireActive(bucket, context);
  const id = requireLinkId(call.query['linkId']);
  const sent = buildNewBody({ schema: 'Link' }, call.body, context);
  requireDescription(sent['description']);
  if (body['analyticsEnabled'] !== true)
    throw vendorRefusals.failedPrecondition(
      'Only a bucket with Log Analytics can have a link: set analyticsEnabled first',
    );
  sweepLinks(bucket, context);
  const at = { bucket, id };
  if (findLink(at, context) !== undefined) throw refuseExistingName(formatLinkName(at));
  if (listBucketLinks(bucket, context).length >= MAX_BUCKET_LINKS)
    throw vendorRefusals.failedPrecondition(`A bucket has at most ${MAX_BUCKET_LINKS} link`);
  const description = toTextOrEmpty(sent['description']);
  const operation = generateLinkOperationName(at, context);
  const link: StoredLink = {
    createTime: formatIsoTimestamp(context.now()),
    ...(description !== '' && { description }),
  };
  const pending = { operation, untilMs: context.now() + OPERATION_MS };
  context.store.insert({ collection: LINKS, parent: bucket.name, id, body: { ...link, pending } });
  const request = { parent: bucket.name, linkId: id, link: description === '' ? {} : { description } };
  const response = { '@type': LINK, ...toLinkResource(at, link, 'ACTIVE') };
  const metadata = { '@type': METADATA, createLinkRequest: request };
  return beginOperation(operation, { metadata, response, target: formatLinkName(at) }, context);
}

function getLink(call: Call, context: Context): JsonObject {
  const at = parseBelowBucketName(call.path['name'] ?? '', 'links');
  const { kept, state } = requireLink(at, context);
  return toLinkResource(at, kept, state);
}

function listLinks(call: Call, context: Context): JsonObject {
  const bucket = parseBucketName(call.path['parent'] ?? '');
  requireBucket(bucket, context);
  const items = listBucketLinks(bucket, context).map(({ row: { id }, kept, state }) => ({
    id,
    body: toLinkResource({ bucket, id }, kept, state),
  }));
  return listAtHand({ items: 'links', page: PAGE }, items, call, context);
}

function deleteLink(call: Call, context: Context): JsonObject {
  const at = parseBelowBucketName(call.path['name'] ?? '', 'links');
  const { row, kept, state } = requireLink(at, context);
  if (state !== 'ACTIVE') throw vendorRefusals.failedPrecondition(`The link is in the state ${state}`);
  const operation = generateLinkOperationName(at, context);
  const pending = { operation, untilMs: context.now() + OPERATION_MS, isDeleting: true } as const;
  keepLink(row, { ...kept, pending }, context);
  const metadata = { '@type': METADATA, deleteLinkRequest: { name: formatLinkName(at) } };
  return beginOperation(operation, { metadata, response: { '@type': EMPTY }, target: formatLinkName(at) }, context);
}

function requireLink(at: BelowBucket, context: Context): Link {
  requireBucket(at.bucket, context);
  const link = findLink(at, context);
  if (link === undefined) throw refuseMissingName(formatLinkName(at));
  return link;
}

const generateLinkOperationName = ({ bucket: { container, location } }: BelowBucket, context: Context): string =>
  generateOperationName(`${container}/locations/${location}`, context);
