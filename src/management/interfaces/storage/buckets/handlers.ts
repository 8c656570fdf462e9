import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { readPageSize } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { selectWritable } from '../../../core/engine/write.ts';
import { refuseBucketConflict, refuseMissingBucket, refuseStorageCondition } from '../refusals.ts';
import {
  buildStorageBucket,
  findStorageBucket,
  MAX_STORAGE_BUCKETS,
  METAGENERATION,
  readText,
  showStorageBucket,
  STORAGE,
} from './rows.ts';
import { requireBucketName, validateNewBucket } from './schemas.ts';

const PAGE = { parameter: 'maxResults', default: 1_000, max: 1_000 } as const;

/** What a client needs to make a bucket, find it and take it away. */
export const handlers: Handlers = {
  'storage.buckets.insert': insert,
  'storage.buckets.get': (call, context) => {
    const row = requireBucketRow(call, context);
    requireConditions(call);
    return showStorageBucket(row, context);
  },
  'storage.buckets.list': list,
  'storage.buckets.delete': remove,
};

/**
 * By method id: the bucket of which the store of entries is asked whether it is empty (`Interface.asksFirst`), by the name
 * that sinks have for it: a file in it makes a bucket too.
 */
export const storageAsks: Readonly<Record<string, (call: Call) => string>> = {
  'storage.buckets.insert': ({ body }) => formatDestination(validateNewBucket(body)),
  'storage.buckets.get': ({ path }) => formatDestination(path['bucket'] ?? ''),
  'storage.buckets.delete': ({ path }) => formatDestination(path['bucket'] ?? ''),
};

const formatDestination = (bucket: string): string => `storage.googleapis.com/${bucket}`;

/** A bucket that files made is in the project of none. */
const NO_PROJECT = '';

function insert(call: Call, context: Context): JsonObject {
  const name = validateNewBucket(call.body);
  if (findStorageBucket(name, context) !== undefined || call.known?.isBucketEmpty === false)
    throw refuseBucketConflict('Your previous request to create the named bucket succeeded and you already own it.');
  if (context.store.count(STORAGE.buckets, '') >= MAX_STORAGE_BUCKETS)
    throw vendorRefusals.limitExceeded(`A tenant has at most ${MAX_STORAGE_BUCKETS} buckets`);
  const body = selectWritable('Bucket', call.body, context.row);
  const row = context.store.insert(buildStorageBucket(name, readText(call.query, 'project'), body, context));
  if (row === undefined) throw new Error('The bucket was looked for above');
  return showStorageBucket(row, context);
}

function requireBucketRow(call: Call, context: Context): ResourceRow {
  const name = requireBucketName(call.path['bucket'] ?? '');
  if (call.query['softDeleted'] === true) throw refuseMissingBucket(); // What is deleted is gone.
  const row = findStorageBucket(name, context);
  if (row !== undefined) return row;
  if (call.known?.isBucketEmpty !== false) throw refuseMissingBucket();
  const made = buildStorageBucket(name, NO_PROJECT, {}, context);
  context.remember(made);
  return { collection: made.collection, parent: made.parent, id: name, body: made.body, revision: 0 };
}

function requireConditions({ query }: Call): void {
  const [match, notMatch] = ['ifMetagenerationMatch', 'ifMetagenerationNotMatch'].map((name) => readText(query, name));
  if ((match !== '' && match !== METAGENERATION) || notMatch === METAGENERATION) throw refuseStorageCondition();
}

/** Buckets of a project in the order of their names. */
function list(call: Call, context: Context): JsonObject {
  if (call.query['softDeleted'] === true) return { kind: 'storage#buckets' };
  const project = readText(call.query, 'project');
  const limit = readPageSize(call.query['maxResults'], PAGE);
  const found = context.store.list({
    collection: STORAGE.buckets,
    parent: '',
    order: { by: 's1' },
    prefix: `${project} ${readText(call.query, 'prefix')}`,
    after: context.pages.open(),
    limit: limit + 1,
  });
  const next = found.length > limit ? found[limit - 1]?.cursor : undefined;
  const items = found.slice(0, limit).map(({ row }) => showStorageBucket(row, context));
  return {
    kind: 'storage#buckets',
    ...(items.length > 0 && { items }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

function remove(call: Call, context: Context): undefined {
  const row = requireBucketRow(call, context);
  requireConditions(call);
  if (call.known?.isBucketEmpty === false) throw refuseBucketConflict('The bucket you tried to delete is not empty.');
  context.store.remove(row);
}
