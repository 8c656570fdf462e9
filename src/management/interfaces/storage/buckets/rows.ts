import { getTextMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { formatIsoTimestamp } from '../../../../lib/time.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { NewRow, ResourceRow } from '../../../core/engine/stored-row.ts';

/** Names in the store. */
export const STORAGE = {
  /** id = the bucket's name; s1 = its project and name. A bucket that a sink made is here from the first call that names it. */
  buckets: 'storage.buckets',
} as const;

/** Buckets of one tenant. */
export const MAX_STORAGE_BUCKETS = 1_000;
/** Places that are several regions (the vendor's). */
const MULTI_REGIONS: ReadonlySet<string> = new Set(['US', 'EU', 'ASIA']);
/** Never changes: no method that changes a bucket is served. */
export const METAGENERATION = '1';

/** A new row of a bucket, with what the vendor sets where the caller does not. */
export function buildStorageBucket(name: string, project: string, sent: JsonObject, { now }: Context): NewRow {
  const location = (getTextMember(sent, 'location') || 'US').toUpperCase();
  const time = formatIsoTimestamp(now());
  const body = {
    ...sent,
    name,
    location,
    locationType: MULTI_REGIONS.has(location) ? 'multi-region' : 'region',
    storageClass: getTextMember(sent, 'storageClass') || 'STANDARD',
    timeCreated: time,
    updated: time,
  };
  return { collection: STORAGE.buckets, parent: '', id: name, s1: `${project} ${name}`, body };
}

/** A bucket as callers see it. One that is not stored yet (revision 0) has no tag. */
export function showStorageBucket(
  { id, body, revision }: Pick<ResourceRow, 'id' | 'body' | 'revision'>,
  context: Context,
) {
  return {
    kind: 'storage#bucket',
    id,
    ...(revision > 0 && { etag: context.etagOf(revision) }),
    metageneration: METAGENERATION,
    ...body,
  } satisfies JsonObject;
}

export const findStorageBucket = (name: string, { store }: Context): ResourceRow | undefined =>
  store.get(STORAGE.buckets, '', name);

/** A text of a query; '' for none. */
export const readText = (query: Readonly<Record<string, unknown>>, name: string): string => {
  const { [name]: value } = query;
  return isText(value) ? value : '';
};
