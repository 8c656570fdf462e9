import {
  refuseExistingName,
  listAtHand,
  buildNewBody,
  refuseMissingName,
  formatIsoTimestamp,
} from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { requireActive, requireBucket } from '../buckets/stored.ts';
import { type BelowBucket, parseBelowBucketName, parseBucketName, defineParentHandlers } from '../rows.ts';
import {
  findLink,
  type StoredLink,
  type Link,
  LINKS,
  listBucketLinks,
  MAX_BUCKET_LINKS,
  toLinkResource,
  sweepLinks,
} from './stored-links.ts';
import { beginOperation, OPERATION_MS, generateOperationName } from '../operations-kept.ts';
import { refuseLogField, requireDescription, toTextOrEmpty } from '../texts.ts';

const LIST = { items: 'links', page: { default: 100, max: 1_000 } };
/** Letters, digits and underscores: the name of a dataset too. */
const LINK_ID = /^[A-Za-z0-9_]{1,100}$/;
const METADATA = 'type.googleapis.com/google.logging.v2.LinkMetadata';
const LINK = 'type.googleapis.com/google.logging.v2.Link';
const EMPTY = 'type.googleapis.com/google.protobuf.Empty';

/** Links of buckets to datasets. There is no BigQuery behind: a link is kept and shown, and nothing can be queried by it. */
export const linkHandlers: Handlers = {
  ...defineParentHandlers('locations.buckets.links.create', create),
  ...defineParentHandlers('locations.buckets.links.get', get),
  ...defineParentHandlers('locations.buckets.links.list', list),
  ...defineParentHandlers('locations.buckets.links.delete', remove),
};

/** Takes back what a running operation does to a link: one that was being made is not there, another stays. */
export function cancelLink(name: string, operation: string, context: Context): void {
  const link = findLink(parseBelowBucketName(name, 'links'), context);
  if (link?.kept.pending?.operation !== operation) return;
  const { pending, ...kept } = link.kept;
  if (pending.isDeleting === true) keep(link.row, kept, context);
  else context.store.remove(link.row);
}

function create(call: Call, context: Context): JsonObject {
  const bucket = parseBucketName(call.path['parent'] ?? '');
  const { body } = requireActive(bucket, context);
  const id = toTextOrEmpty(call.query['linkId']);
  if (!LINK_ID.test(id)) throw refuseLogField('linkId', 'linkId must have 1 to 100 letters, digits and underscores.');
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

function get(call: Call, context: Context): JsonObject {
  const at = parseBelowBucketName(call.path['name'] ?? '', 'links');
  const { kept, state } = requireLink(at, context);
  return toLinkResource(at, kept, state);
}

function list(call: Call, context: Context): JsonObject {
  const bucket = parseBucketName(call.path['parent'] ?? '');
  requireBucket(bucket, context);
  const items = listBucketLinks(bucket, context).map(({ row: { id }, kept, state }) => ({
    id,
    body: toLinkResource({ bucket, id }, kept, state),
  }));
  return listAtHand(LIST, items, call, context);
}

function remove(call: Call, context: Context): JsonObject {
  const at = parseBelowBucketName(call.path['name'] ?? '', 'links');
  const { row, kept, state } = requireLink(at, context);
  if (state !== 'ACTIVE') throw vendorRefusals.failedPrecondition(`The link is in the state ${state}`);
  const operation = generateLinkOperationName(at, context);
  const pending = { operation, untilMs: context.now() + OPERATION_MS, isDeleting: true } as const;
  keep(row, { ...kept, pending }, context);
  const metadata = { '@type': METADATA, deleteLinkRequest: { name: formatLinkName(at) } };
  return beginOperation(operation, { metadata, response: { '@type': EMPTY }, target: formatLinkName(at) }, context);
}

function requireLink(at: BelowBucket, context: Context): Link {
  requireBucket(at.bucket, context);
  const link = findLink(at, context);
  if (link === undefined) throw refuseMissingName(formatLinkName(at));
  return link;
}

const keep = ({ collection, parent, id }: ResourceRow, body: StoredLink, context: Context): ResourceRow =>
  context.store.put({ collection, parent, id, body });

const formatLinkName = ({ bucket, id }: BelowBucket): string => `${bucket.name}/links/${id}`;

const generateLinkOperationName = ({ bucket: { container, location } }: BelowBucket, context: Context): string =>
  generateOperationName(`${container}/locations/${location}`, context);
