import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import { logNameOf } from '../../log-store/log-name.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { bucketFactsOf } from './buckets/buckets.ts';
import { containerOf, forAllParents } from './rows.ts';
import { readingOf, requireFew } from './entry-plans.ts';
import { invalidField, textOf } from './texts.ts';

export const logHandlers: Handlers = {
  ...forAllParents('logs.list', list),
  ...forAllParents('logs.delete', remove),
  ...forAllParents('locations.buckets.views.logs.list', list),
};

/** Names of the logs that have entries, in what the parent and `resourceNames` say: containers, or views of buckets. */
function list(call: Call, context: Context): JsonObject {
  const parent = textOf(call.path['parent']);
  const { resourceNames = [] } = call.query;
  const others = Array.isArray(resourceNames) ? resourceNames.map(String) : [];
  const names = [...new Set([parent, ...others])];
  requireFew(names);
  // A view shows logs of any container; a container that is named itself shows its own.
  const containers = names.every((name) => containerOf(name) === name) ? names : [];
  context.hand({ do: 'logs', containers, ...readingOf(names, context) });
  return {};
}

function remove(call: Call, context: Context): JsonObject {
  const log = logNameOf(textOf(call.path['logName']));
  if (log === undefined) throw invalidField('logName', 'logName is not the name of a log.');
  context.hand({ do: 'deleteLog', logName: log.name, buckets: bucketFactsOf(log.container, context) });
  return {};
}
