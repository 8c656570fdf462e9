import { listNamed, type CollectionDefinition } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../core/engine/operation.ts';
import type { ResourceRow } from '../../core/engine/stored-row.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { isCopy } from '../../log-store/files/copy-shown.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { cancelBucket } from './buckets/async.ts';
import { defineParentHandlers, parseLocationName, requireContainer } from './rows.ts';
import { cancelLink } from './views/links.ts';
import { requireListFilter, toTextOrEmpty } from './texts.ts';
import { isLive, readStoredOperation, OPERATIONS, requireOperation, toOperationResource } from './operations-kept.ts';

const LIST: CollectionDefinition = {
  name: OPERATIONS,
  schema: 'Operation',
  items: 'operations',
  page: { default: 100, max: 1_000 },
  view: (row, _call, context) => toRowResource(row, context),
};

/** Operations of a location: kept for 30 days, never deleted by callers (the table has no such method). */
export const operationHandlers: Handlers = {
  ...defineParentHandlers('locations.operations.get', get),
  ...defineParentHandlers('locations.operations.list', list),
  ...defineParentHandlers('locations.operations.cancel', cancel),
};

function get(call: Call, context: Context): JsonObject {
  const name = call.path['name'] ?? '';
  const shown = toOperationResource(name, requireOperation(name, context).kept, context.now());
  // The store of entries knows what a copy has come to.
  if (isCopy(shown)) context.hand({ do: 'operation', operation: name, shown });
  return shown;
}

/** In the order of their beginnings. Copies are judged by the store of entries, which knows what they have come to. */
function list(call: Call, context: Context): JsonObject {
  const parent = call.path['name'] ?? '';
  parseLocationName(parent);
  if (call.query['returnPartialSuccess'] === true) throw refusePartialSuccess();
  const fits = requireListFilter(call);
  const page = listNamed(LIST, parent, call, context, (row) => {
    const shown = toRowResource(row, context);
    return isLive(row, context) && (isCopy(shown) || fits(shown));
  });
  const { operations } = page;
  if (Array.isArray(operations) && operations.filter(isObject).some(isCopy))
    context.hand({ do: 'operations', page, filter: toTextOrEmpty(call.query['filter']) });
  return page;
}

/**
 * Ends an operation that runs, and takes back what it was to do; it stays, with an error of the code CANCELLED (1). One
 * that is done stays as it is (google.longrunning.Operations: success is not promised). What a copy has stays there.
 */
function cancel(call: Call, context: Context): JsonObject {
  const name = call.path['name'] ?? '';
  requireContainer(name);
  const { row, kept } = requireOperation(name, context);
  if (isCopy(kept)) {
    context.hand({ do: 'cancelCopy', operation: name });
    return {};
  }
  const { target, doneMs, cancelledMs } = kept;
  if (cancelledMs !== undefined || context.now() >= doneMs) return {};
  const { collection, parent, id } = row;
  context.store.put({ collection, parent, id, body: { ...kept, cancelledMs: context.now() } });
  if (target !== undefined) (target.includes('/links/') ? cancelLink : cancelBucket)(target, name, context);
  return {};
}

const toRowResource = (row: ResourceRow, context: Context): JsonObject =>
  toOperationResource(`${row.parent}/operations/${row.id}`, readStoredOperation(row), context.now());

/** Only lists over several collections know it (google.longrunning.ListOperationsRequest). */
const refusePartialSuccess = (): Refusal =>
  new Refusal({
    status: 501,
    word: 'UNIMPLEMENTED',
    reason: 'notImplemented',
    message: 'return_partial_success is not supported',
  });
