import { truncateSentText } from '../../core/conventions/invalid.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../../lib/refusal.ts';

/** Files are in the store of entries, which answers in the place of these. */
export const handlers: Handlers = {
  'storage.objects.list': list,
  'storage.objects.get': get,
};

/** As destinations of sinks name them (`logging/sinks`). */
const BUCKET = /^[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]$/;
/** What would choose other files than we can: not passed over in silence. */
const NOT_SERVED = ['matchGlob', 'filter', 'includeTrailingDelimiter', 'softDeleted', 'restoreToken'];

function list(call: Call, context: Context): JsonObject {
  const bucket = requireBucketName(call);
  context.hand({ do: 'files', bucket, salt: context.salt });
  return {};
}

function get(call: Call, context: Context): JsonObject {
  const bucket = requireBucketName(call);
  context.hand({ do: 'file', bucket, name: call.path['object'] ?? '' });
  return {};
}

/** A bucket is the tenant's own, and there with the first file that a sink or a copy writes. @throws Refusal for what is no name of one */
function requireBucketName({ path, query }: Call): string {
  const { bucket = '' } = path;
  if (!BUCKET.test(bucket)) throw vendorRefusals.invalid(`Invalid bucket name: '${truncateSentText(bucket)}'`);
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
