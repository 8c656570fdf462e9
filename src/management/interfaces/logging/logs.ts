import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import { parseLogName } from '../../log-store/log-name.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { listBucketFacts } from './buckets/buckets.ts';
import { parseLogContainer, defineParentHandlers } from './rows.ts';
import { resolveEntrySources, requireFew } from './entry-plans.ts';
import { refuseLogField, toTextOrEmpty } from './texts.ts';

export const logHandlers: Handlers = {
  ...defineParentHandlers('logs.list', list),
  ...defineParentHandlers('logs.delete', remove),
  ...defineParentHandlers('locations.buckets.views.logs.list', list),
};

/** Names of the logs that have entries, in what the parent and `resourceNames` say: containers, or views of buckets. */
function list(call: Call, context: Context): JsonObject {
  const parent = toTextOrEmpty(call.path['parent']);
  const { resourceNames = [] } = call.query;
  const others = Array.isArray(resourceNames) ? resourceNames.map(String) : [];
  const names = [...new Set([parent, ...others])];
  requireFew(names);
  // A view shows logs of any container; a container that is named itself shows its own.
  const containers = names.every((name) => parseLogContainer(name) === name) ? names : [];
  context.hand({ do: 'logs', containers, ...resolveEntrySources(names, context) });
  return {};
}

function remove(call: Call, context: Context): JsonObject {
  const log = parseLogName(toTextOrEmpty(call.path['logName']));
  if (log === undefined) throw refuseLogField('logName', 'logName is not the name of a log.');
  context.hand({ do: 'deleteLog', logName: log.name, buckets: listBucketFacts(log.container, context) });
  return {};
}
