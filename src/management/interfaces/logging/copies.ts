import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import { notFound } from '../../core/engine/named-collection.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { refuse } from '../../../lib/refusal.ts';
import { bucketFactsNamed } from './buckets/buckets.ts';
import { bucketNameOf } from './rows.ts';
import { beginOperation, operationName } from './operations-kept.ts';
import { destinationOf } from './sinks/destination.ts';
import { agentOf } from './sinks/identity.ts';
import { invalidField, requireFilter, textOf } from './texts.ts';

const TYPES = 'type.googleapis.com/google.logging.v2.';

export const copyHandlers: Handlers = { 'logging.entries.copy': copy };

/** Copies what a bucket has to files. The operation is of the bucket's location; the store of entries does the work. */
function copy(call: Call, context: Context): JsonObject {
  const { name: sent, destination: to, filter } = call.body;
  if (textOf(sent) === '') throw refuse.required('name');
  if (textOf(to) === '') throw refuse.required('destination');
  const { name, container, location } = bucketNameOf(textOf(sent));
  requireFilter(filter);
  const destination = destinationOf(textOf(to), context.channels.rules().policy);
  if (destination.kind !== 'storage')
    throw invalidField('destination', 'Entries are copied to storage.googleapis.com/<bucket>.');
  const facts = bucketFactsNamed(name, context);
  if (facts === undefined) throw notFound(name);
  const operation = operationName(`${container}/locations/${location}`, context);
  context.hand({
    do: 'copy',
    filter: textOf(filter),
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
    destination: textOf(to),
    writerIdentity: agentOf(container),
  };
  return beginOperation(operation, { metadata, response: { '@type': `${TYPES}CopyLogEntriesResponse` } }, context);
}
