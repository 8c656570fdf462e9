import { isCopy } from '../../log-store/files/copy.ts';
import { buildChangedBody, listAtHand, listNamed, refuseMissingName } from '../../core/engine/named-collection.ts';
import type { Call, Context, Handler, Handlers } from '../../core/engine/operation.ts';
import { methods } from '../../core/table/method-row.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import { cancelBucket } from './buckets/rows.ts';
import { RESOURCE_TYPES } from '../../log-store/resource-types-data.ts';
import { LOCATIONS } from './locations-data.ts';
import { refusePartialSuccess } from './refusals.ts';
import {
  isLive,
  keepSettings,
  logOperations,
  PAGE,
  parseLocationName,
  parseLogContainer,
  readLogSettings,
  requireContainer,
  requireOperation,
  toCmekSettingsResource,
  toDescriptorResource,
  toLocationResource,
  toOperationResource,
  toSettingsResource,
} from './rows.ts';
import { requireKeyName, requireListFilter, toTextOrEmpty, validateSettings } from './schemas.ts';
import { cancelLink } from './views/rows.ts';

/** The parents that a method's id may name; the generic one (`logging.sinks.list`) is named by none. */
const PARENT = /^logging\.(?:(?:organizations|folders|projects|billingAccounts)\.)?(.+)$/;

/**
 * The handlers of one method under every parent that the table has it for: `defineParentHandlers('locations.buckets.get', get)`.
 * Names of the path are judged first: the generic rows (`{name=*\/*}`) take the four real parent collections only.
 */
export function defineParentHandlers(suffix: string, handler: Handler): Handlers {
  const ids = listMethodIds(suffix);
  if (ids.length === 0) throw new Error(`Logging has no method ${suffix}`);
  const guarded: Handler = (call, context) => {
    for (const name of Object.values(call.path)) requireContainer(name);
    return handler(call, context);
  };
  return Object.fromEntries(ids.map((id) => [id, guarded]));
}

/** Ids of all rows of one method, whatever the parent. */
export const listMethodIds = (suffix: string): readonly string[] =>
  methods.filter((row) => row.interface === 'logging' && PARENT.exec(row.id)?.[1] === suffix).map(({ id }) => id);

/** Methods of what a container has one of, or shares with all others: locations, types, settings and operations. */
export const handlers: Handlers = {
  ...defineParentHandlers('locations.get', getLocation),
  ...defineParentHandlers('locations.list', listLocations),
  'logging.monitoredResourceDescriptors.list': listDescriptors,
  ...defineParentHandlers('getSettings', getSettings),
  ...defineParentHandlers('updateSettings', updateSettings),
  ...defineParentHandlers('getCmekSettings', getCmekSettings),
  ...defineParentHandlers('updateCmekSettings', updateCmekSettings),
  ...defineParentHandlers('locations.operations.get', getOperation),
  ...defineParentHandlers('locations.operations.list', listOperations),
  ...defineParentHandlers('locations.operations.cancel', cancelOperation),
};

const LOCATION_LIST = { items: 'locations', page: PAGE };

/** Where buckets can be: the same for every container. All of them are in one place here; the names are the vendor's. */
function listLocations(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  const fits = requireListFilter(call);
  const items = Object.keys(LOCATIONS)
    .map((id) => ({ id, body: toLocationResource(container, id) }))
    .filter(({ body }) => fits(body));
  return listAtHand(LOCATION_LIST, items, call, context);
}

function getLocation(call: Call): JsonObject {
  const name = call.path['name'] ?? '';
  const { container, location } = parseLocationName(name);
  if (!Object.hasOwn(LOCATIONS, location)) throw refuseMissingName(name);
  return toLocationResource(container, location);
}

/** Types of monitored resources that entries may have. Entries with another type are taken too. */
function listDescriptors(call: Call, context: Context): JsonObject {
  const items = RESOURCE_TYPES.map((each) => ({ id: each.type, body: toDescriptorResource(each) }));
  return listAtHand({ items: 'resourceDescriptors', page: PAGE }, items, call, context);
}

/** Where settings can be changed; everything else has those of its parents, which containers do not have here. */
const CHANGEABLE = /^(?:organizations|folders)\//;

function getSettings(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  return toSettingsResource(container, readLogSettings(container, context));
}

function updateSettings(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  if (!CHANGEABLE.test(container))
    throw vendorRefusals.invalid('Settings can be changed for organizations and folders only');
  const before = readLogSettings(container, context);
  const after = validateSettings(buildChangedBody({ schema: 'Settings' }, before, call.body, call, context));
  keepSettings(container, after, context);
  return toSettingsResource(container, after);
}

/**
 * The key of a container's log router: the same as `kmsKeyName` of its settings. Its name is kept and shown; nothing here
 * is encrypted with it, and no version of it is looked up.
 */
function getCmekSettings(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  return toCmekSettingsResource(container, readLogSettings(container, context));
}

function updateCmekSettings(call: Call, context: Context): JsonObject {
  const container = parseLogContainer(call.path['name'] ?? '');
  if (!container.startsWith('organizations/'))
    throw vendorRefusals.invalid('CMEK settings can be changed for organizations only');
  const { kmsKeyName: before, ...settings } = readLogSettings(container, context);
  const own = before === undefined ? {} : { kmsKeyName: before };
  const changed = buildChangedBody({ schema: 'CmekSettings' }, own, call.body, call, context);
  const key = toTextOrEmpty(changed['kmsKeyName']);
  if (key !== '') requireKeyName(key, 'kmsKeyName');
  const after = { ...settings, ...(key !== '' && { kmsKeyName: key }) };
  keepSettings(container, after, context);
  return toCmekSettingsResource(container, after);
}

/** An operation of a location: kept for 30 days, never deleted by callers (the table has no such method). */
function getOperation(call: Call, context: Context): JsonObject {
  const name = call.path['name'] ?? '';
  const shown = toOperationResource(name, requireOperation(name, context).kept, context.now());
  // The store of entries knows what a copy has come to.
  if (isCopy(shown)) context.hand({ do: 'operation', operation: name, shown });
  return shown;
}

/** In the order of their beginnings. Copies are judged by the store of entries, which knows what they have come to. */
function listOperations(call: Call, context: Context): JsonObject {
  const parent = call.path['name'] ?? '';
  parseLocationName(parent);
  if (call.query['returnPartialSuccess'] === true) throw refusePartialSuccess();
  const fits = requireListFilter(call);
  const page = listNamed(logOperations, parent, call, context, (row) => {
    const shown = logOperations.view(row, call, context);
    return isLive(row, context) && (isCopy(shown) || fits(shown));
  });
  const { operations: listed } = page;
  if (Array.isArray(listed) && listed.filter(isObject).some(isCopy))
    context.hand({ do: 'operations', page, filter: toTextOrEmpty(call.query['filter']) });
  return page;
}

/**
 * Ends an operation that runs, and takes back what it was to do; it stays, with an error of the code CANCELLED (1). One
 * that is done stays as it is (google.longrunning.Operations: success is not promised). What a copy has stays there.
 */
function cancelOperation(call: Call, context: Context): JsonObject {
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
