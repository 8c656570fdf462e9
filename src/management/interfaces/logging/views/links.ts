import { alreadyExists, listAtHand, newBody, notFound, timestamp } from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { StoredRow } from '../../../core/engine/stored-row.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { refuse } from '../../../../lib/refusal.ts';
import { requireActive, requireBucket } from '../buckets/stored.ts';
import { type BelowBucket, belowBucketOf, bucketNameOf, forAllParents } from '../rows.ts';
import {
  findLink,
  type KeptLink,
  type Link,
  LINKS,
  linksOf,
  MAX_LINKS,
  shownLink,
  sweepLinks,
} from './stored-links.ts';
import { beginOperation, OPERATION_MS, operationName } from '../operations-kept.ts';
import { invalidField, requireDescription, textOf } from '../texts.ts';

const LIST = { items: 'links', page: { default: 100, max: 1_000 } };
/** Letters, digits and underscores: the name of a dataset too. */
const LINK_ID = /^[A-Za-z0-9_]{1,100}$/;
const METADATA = 'type.googleapis.com/google.logging.v2.LinkMetadata';
const LINK = 'type.googleapis.com/google.logging.v2.Link';
const EMPTY = 'type.googleapis.com/google.protobuf.Empty';

/** Links of buckets to datasets. There is no BigQuery behind: a link is kept and shown, and nothing can be queried by it. */
export const linkHandlers: Handlers = {
  ...forAllParents('locations.buckets.links.create', create),
  ...forAllParents('locations.buckets.links.get', get),
  ...forAllParents('locations.buckets.links.list', list),
  ...forAllParents('locations.buckets.links.delete', remove),
};

/** Takes back what a running operation does to a link: one that was being made is not there, another stays. */
export function cancelLink(name: string, operation: string, context: Context): void {
  const link = findLink(belowBucketOf(name, 'links'), context);
  if (link?.kept.pending?.operation !== operation) return;
  const { pending, ...kept } = link.kept;
  if (pending.isDeleting === true) keep(link.row, kept, context);
  else context.store.remove(link.row);
}

function create(call: Call, context: Context): JsonObject {
  const bucket = bucketNameOf(call.path['parent'] ?? '');
  const { body } = requireActive(bucket, context);
  const id = textOf(call.query['linkId']);
  if (!LINK_ID.test(id)) throw invalidField('linkId', 'linkId must have 1 to 100 letters, digits and underscores.');
  const sent = newBody({ schema: 'Link' }, call.body, context);
  requireDescription(sent['description']);
  if (body['analyticsEnabled'] !== true)
    throw refuse.failedPrecondition('Only a bucket with Log Analytics can have a link: set analyticsEnabled first');
  sweepLinks(bucket, context);
  const at = { bucket, id };
  if (findLink(at, context) !== undefined) throw alreadyExists(nameOf(at));
  if (linksOf(bucket, context).length >= MAX_LINKS)
    throw refuse.failedPrecondition(`A bucket has at most ${MAX_LINKS} link`);
  const description = textOf(sent['description']);
  const operation = operationOf(at, context);
  const link: KeptLink = { createTime: timestamp(context.now()), ...(description !== '' && { description }) };
  const pending = { operation, untilMs: context.now() + OPERATION_MS };
  context.store.insert({ collection: LINKS, parent: bucket.name, id, body: { ...link, pending } });
  const request = { parent: bucket.name, linkId: id, link: description === '' ? {} : { description } };
  const response = { '@type': LINK, ...shownLink(at, link, 'ACTIVE') };
  const metadata = { '@type': METADATA, createLinkRequest: request };
  return beginOperation(operation, { metadata, response, target: nameOf(at) }, context);
}

function get(call: Call, context: Context): JsonObject {
  const at = belowBucketOf(call.path['name'] ?? '', 'links');
  const { kept, state } = linkAt(at, context);
  return shownLink(at, kept, state);
}

function list(call: Call, context: Context): JsonObject {
  const bucket = bucketNameOf(call.path['parent'] ?? '');
  requireBucket(bucket, context);
  const items = linksOf(bucket, context).map(({ row: { id }, kept, state }) => ({
    id,
    body: shownLink({ bucket, id }, kept, state),
  }));
  return listAtHand(LIST, items, call, context);
}

function remove(call: Call, context: Context): JsonObject {
  const at = belowBucketOf(call.path['name'] ?? '', 'links');
  const { row, kept, state } = linkAt(at, context);
  if (state !== 'ACTIVE') throw refuse.failedPrecondition(`The link is in the state ${state}`);
  const operation = operationOf(at, context);
  const pending = { operation, untilMs: context.now() + OPERATION_MS, isDeleting: true } as const;
  keep(row, { ...kept, pending }, context);
  const metadata = { '@type': METADATA, deleteLinkRequest: { name: nameOf(at) } };
  return beginOperation(operation, { metadata, response: { '@type': EMPTY }, target: nameOf(at) }, context);
}

function linkAt(at: BelowBucket, context: Context): Link {
  requireBucket(at.bucket, context);
  const link = findLink(at, context);
  if (link === undefined) throw notFound(nameOf(at));
  return link;
}

const keep = ({ collection, parent, id }: StoredRow, body: KeptLink, context: Context): StoredRow =>
  context.store.put({ collection, parent, id, body });

const nameOf = ({ bucket, id }: BelowBucket): string => `${bucket.name}/links/${id}`;

const operationOf = ({ bucket: { container, location } }: BelowBucket, context: Context): string =>
  operationName(`${container}/locations/${location}`, context);
