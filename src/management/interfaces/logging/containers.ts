import { badRequest, shownText } from '../../core/conventions/invalid.ts';
import { Refusal } from '../../../lib/refusal.ts';

/** Of a container's id, in characters: as many as the registry of tenants takes. */
const MAX_CONTAINER_CHARS = 256;
const CONTAINER = /^(?:organizations|folders|projects|billingAccounts)\/[^/]+/;
const LOCATION = /^([^/]+\/[^/]+)\/locations\/([^/]+)$/;
const BUCKET = /^([^/]+\/[^/]+)\/locations\/([^/]+)\/buckets\/([^/]+)$/;
const BELOW_BUCKET = /^([^/]+\/[^/]+\/locations\/[^/]+\/buckets\/[^/]+)\/(views|links)\/([^/]+)$/;

/** A location of a container: `projects/p/locations/global`. */
export type LocationName = { container: string; location: string };
/** A bucket's full name, and its parts. */
export type BucketName = LocationName & { name: string; bucketId: string };
/** Something of a bucket: a view or a link. */
export type BelowBucket = { bucket: BucketName; id: string };

/** The container that a name begins with: `projects/p`. @throws Refusal for a name of none of the four kinds */
export function containerOf(name: string): string {
  const [container = ''] = CONTAINER.exec(name) ?? [];
  if (container === '' || container.length > MAX_CONTAINER_CHARS) throw invalidName(name);
  return container;
}

/** @throws Refusal 400 for a name that does not begin with a project, folder, organization or billing account */
export function requireContainer(name: string): void {
  containerOf(name);
}

/** @throws Refusal for anything but the name of a location of a container */
export function locationNameOf(name: string): LocationName {
  requireContainer(name);
  const [, container, location] = LOCATION.exec(name) ?? [];
  if (container === undefined || location === undefined) throw invalidName(name);
  return { container, location };
}

/** @throws Refusal for anything but the full name of a bucket */
export function bucketNameOf(name: string): BucketName {
  requireContainer(name);
  const [, container, location, bucketId] = BUCKET.exec(name) ?? [];
  if (container === undefined || location === undefined || bucketId === undefined) throw invalidName(name);
  return { name, container, location, bucketId };
}

/** @throws Refusal for anything but the full name of a bucket's view (or link) */
export function belowBucketOf(name: string, collection: 'views' | 'links'): BelowBucket {
  const [, bucket, found, id] = BELOW_BUCKET.exec(name) ?? [];
  if (bucket === undefined || id === undefined || found !== collection) throw invalidName(name);
  return { bucket: bucketNameOf(bucket), id };
}

const invalidName = (name: string): Refusal =>
  new Refusal(badRequest([{ description: `Invalid resource name: ${shownText(name)}` }]));
