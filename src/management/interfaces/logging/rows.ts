import { Refusal } from '../../../lib/refusal.ts';
import { refuseViolations, truncateSentText } from '../../core/conventions/invalid.ts';
import type { Handler, Handlers } from '../../core/engine/operation.ts';
import { methods } from '../../core/table/method-row.ts';

/** Of a container's id, in characters: as many as the registry of tenants takes. */
const MAX_CONTAINER_CHARS = 256;
const CONTAINER = /^(?:organizations|folders|projects|billingAccounts)\/[^/]+/;
const LOCATION = /^([^/]+\/[^/]+)\/locations\/([^/]+)$/;
const BUCKET = /^([^/]+\/[^/]+)\/locations\/([^/]+)\/buckets\/([^/]+)$/;
const BELOW_BUCKET = /^([^/]+\/[^/]+\/locations\/[^/]+\/buckets\/[^/]+)\/(views|links)\/([^/]+)$/;

/** A location of a container: `projects/p/locations/global`. */
type LocationName = { container: string; location: string };
/** A bucket's full name, and its parts. */
export type BucketName = LocationName & { name: string; bucketId: string };
/** Something of a bucket: a view or a link. */
export type BelowBucket = { bucket: BucketName; id: string };

/** The container that a name begins with: `projects/p`. @throws Refusal for a name of none of the four kinds */
export function parseLogContainer(name: string): string {
  const [container = ''] = CONTAINER.exec(name) ?? [];
  if (container === '' || container.length > MAX_CONTAINER_CHARS) throw refuseInvalidName(name);
  return container;
}

/** @throws Refusal 400 for a name that does not begin with a project, folder, organization or billing account */
export function requireContainer(name: string): void {
  parseLogContainer(name);
}

/** @throws Refusal for anything but the name of a location of a container */
export function parseLocationName(name: string): LocationName {
  requireContainer(name);
  const [, container, location] = LOCATION.exec(name) ?? [];
  if (container === undefined || location === undefined) throw refuseInvalidName(name);
  return { container, location };
}

/** @throws Refusal for anything but the full name of a bucket */
export function parseBucketName(name: string): BucketName {
  requireContainer(name);
  const [, container, location, bucketId] = BUCKET.exec(name) ?? [];
  if (container === undefined || location === undefined || bucketId === undefined) throw refuseInvalidName(name);
  return { name, container, location, bucketId };
}

/** @throws Refusal for anything but the full name of a bucket's view (or link) */
export function parseBelowBucketName(name: string, collection: 'views' | 'links'): BelowBucket {
  const [, bucket, found, id] = BELOW_BUCKET.exec(name) ?? [];
  if (bucket === undefined || id === undefined || found !== collection) throw refuseInvalidName(name);
  return { bucket: parseBucketName(bucket), id };
}

const refuseInvalidName = (name: string): Refusal =>
  new Refusal(refuseViolations([{ description: `Invalid resource name: ${truncateSentText(name)}` }]));

/** The parents that a method's id may name; the generic one (`logging.sinks.list`) is named by none. */
const PARENT = /^logging\.(?:(?:organizations|folders|projects|billingAccounts)\.)?(.+)$/;

/**
 * The handlers of one method under every parent that the table has it for: `defineParentHandlers('locations.buckets.get', get)`.
 * Names of the path are judged first: the generic rows (`{name=*\/*}`) take the four real parent collections only.
 */
export function defineParentHandlers(suffix: string, handler: Handler): Handlers {
  const ids = listMethodIds(suffix);
  if (ids.length === 0) throw new Error(`Logging has no method ${suffix}`);
  const guarded: Handler = (call, context) => {
    for (const name of Object.values(call.path)) requireContainer(name);
    return handler(call, context);
  };
  return Object.fromEntries(ids.map((id) => [id, guarded]));
}

/** Ids of all rows of one method, whatever the parent. */
export const listMethodIds = (suffix: string): readonly string[] =>
  methods.filter((row) => row.interface === 'logging' && PARENT.exec(row.id)?.[1] === suffix).map(({ id }) => id);
