import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { findStorageBucket } from './buckets/rows.ts';
import { requireBucketName } from './buckets/schemas.ts';

/** Files are in the store of entries, which answers in the place of these. */
export const handlers: Handlers = {
  'storage.objects.list': list,
  'storage.objects.get': get,
};

/** What would choose other files than we can: not passed over in silence. */
const NOT_SERVED = ['matchGlob', 'filter', 'includeTrailingDelimiter', 'softDeleted', 'restoreToken'];

function list(call: Call, context: Context): JsonObject {
  const bucket = requireBucket(call);
  const isMade = findStorageBucket(bucket, context) !== undefined;
  context.hand({ do: 'files', bucket, salt: context.salt, ...(isMade && { isMade }) });
  return {};
}

function get(call: Call, context: Context): JsonObject {
  const bucket = requireBucket(call);
  context.hand({ do: 'file', bucket, name: call.path['object'] ?? '' });
  return {};
}

/** A bucket is the tenant's own, and there once it is made, or with the first file that a sink or a copy writes. @throws Refusal */
function requireBucket({ path, query }: Call): string {
  const bucket = requireBucketName(path['bucket'] ?? '');
  const parameter = NOT_SERVED.find((name) => ![undefined, '', false].some((none) => query[name] === none));
  if (parameter === undefined) return bucket;
  throw new Refusal({
    status: 501,
    word: 'UNIMPLEMENTED',
    reason: 'notImplemented',
    message: `The parameter ${parameter} is not supported.`,
    location: { name: parameter, type: 'parameter' },
  });
}
