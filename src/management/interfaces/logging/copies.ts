import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import { refuseMissingName } from '../../core/engine/named-collection.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { findBucketFacts } from './buckets/buckets.ts';
import { parseBucketName } from './rows.ts';
import { beginOperation, generateOperationName } from './operations-kept.ts';
import { parseSinkDestination } from './sinks/destination.ts';
import { formatServiceAgent } from './sinks/identity.ts';
import { refuseLogField, requireFilter, toTextOrEmpty } from './texts.ts';

const TYPES = 'type.googleapis.com/google.logging.v2.';

export const copyHandlers: Handlers = { 'logging.entries.copy': copy };

/** Copies what a bucket has to files. The operation is of the bucket's location; the store of entries does the work. */
function copy(call: Call, context: Context): JsonObject {
  const { name: sent, destination: to, filter } = call.body;
  if (toTextOrEmpty(sent) === '') throw vendorRefusals.required('name');
  if (toTextOrEmpty(to) === '') throw vendorRefusals.required('destination');
  const { name, container, location } = parseBucketName(toTextOrEmpty(sent));
  requireFilter(filter);
  const destination = parseSinkDestination(toTextOrEmpty(to), context.channels.rules().policy);
  if (destination.kind !== 'storage')
    throw refuseLogField('destination', 'Entries are copied to storage.googleapis.com/<bucket>.');
  const facts = findBucketFacts(name, context);
  if (facts === undefined) throw refuseMissingName(name);
  const operation = generateOperationName(`${container}/locations/${location}`, context);
  context.hand({
    do: 'copy',
    filter: toTextOrEmpty(filter),
    bucket: destination.bucket,
    operation,
    nowMs: context.now(),
    sources: [{ bucket: name }],
    buckets: [facts],
    salt: context.salt,
  });
  const metadata = {
    '@type': `${TYPES}CopyLogEntriesMetadata`,
    verb: 'copy',
    source: name,
    destination: toTextOrEmpty(to),
    writerIdentity: formatServiceAgent(container),
  };
  return beginOperation(operation, { metadata, response: { '@type': `${TYPES}CopyLogEntriesResponse` } }, context);
}
