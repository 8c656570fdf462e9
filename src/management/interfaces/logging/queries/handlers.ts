import { refuseViolation } from '../../../core/conventions/invalid.ts';
import { readPageSize } from '../../../core/engine/collection.ts';
import {
  buildChangedBody,
  buildNewBody,
  listAtHand,
  refuseExistingName,
} from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ListedRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { formatIsoTimestamp } from '../../../../lib/time.ts';
import { defineParentHandlers } from '../handlers.ts';
import { refuseLogLimit } from '../refusals.ts';
import { compareIds, PAGE, parseLocationName, putDated, withNewTimes, withUpdateTime } from '../rows.ts';
import { requireId, requireLocation, toTextOrEmpty } from '../schemas.ts';
import {
  ANY_LOCATION,
  DEFAULT_SCOPE,
  formatCallerParent,
  isVisibleQuery,
  listLogScopes,
  LOG_SCOPES,
  MAX_SAVED_QUERIES,
  MAX_LOG_SCOPES,
  RECENT_LOCATION,
  RECENT_QUERIES,
  RECENT_QUERY_LIFE_MS,
  requireNamedScope,
  requireSavedQuery,
  SAVED_QUERIES,
  toRecentQueryResource,
  toSavedQueryResource,
  toScopeResource,
} from './rows.ts';
import {
  isOfType,
  parseQueryFilter,
  requireQuery,
  requireScope,
  requireScopeParent,
  SCOPE_LOCATION,
} from './schemas.ts';

const SAVED_QUERY = { schema: 'SavedQuery' };
const LOG_SCOPE = { schema: 'LogScope' };
const ID_BYTES = 16;

/**
 * Saved queries: private ones are there for the user who made them only, shared ones for all of the tenant. Recent queries
 * of the caller, and log scopes.
 */
export const handlers: Handlers = {
  ...defineParentHandlers('locations.savedQueries.list', listSavedQueries),
  ...defineParentHandlers('locations.savedQueries.get', (call, context) =>
    toSavedQueryResource(requireSavedQuery(call, context)),
  ),
  ...defineParentHandlers('locations.savedQueries.create', createSavedQuery),
  ...defineParentHandlers('locations.savedQueries.patch', patchSavedQuery),
  ...defineParentHandlers('locations.savedQueries.delete', (call, context) => {
    context.store.remove(requireSavedQuery(call, context));
    return {};
  }),
  ...defineParentHandlers('locations.recentQueries.list', listRecentQueries),
  ...defineParentHandlers('locations.logScopes.list', listScopes),
  ...defineParentHandlers('locations.logScopes.get', ({ path }, context) =>
    toScopeResource(requireNamedScope(toTextOrEmpty(path['name']), context)),
  ),
  ...defineParentHandlers('locations.logScopes.create', createScope),
  ...defineParentHandlers('locations.logScopes.patch', patchScope),
  ...defineParentHandlers('locations.logScopes.delete', deleteScope),
};

function listSavedQueries(call: Call, context: Context): JsonObject {
  const { container, location } = parseLocationName(toTextOrEmpty(call.path['parent']));
  const requested = parseQueryFilter(toTextOrEmpty(call.query['filter']));
  const limit = readPageSize(call.query['pageSize'], { parameter: 'pageSize', ...PAGE });
  const rows = context.store.list({
    collection: SAVED_QUERIES,
    parent: container,
    after: context.pages.open(),
    limit: limit + 1,
    ...(location !== ANY_LOCATION && { prefix: `${location}/` }),
  });
  const isWanted = ({ body }: ResourceRow): boolean =>
    isVisibleQuery(body, call) &&
    isOfType(body, requested.type) &&
    (requested.visibility ?? body['visibility']) === body['visibility'];
  return buildPage('savedQueries', { rows, limit, isWanted, view: toSavedQueryResource }, context);
}

/** What the caller asked of the entries of a container in the last 30 days, the newest first. */
function listRecentQueries(call: Call, context: Context): JsonObject {
  const { container, location } = parseLocationName(toTextOrEmpty(call.path['parent']));
  const { type, visibility } = parseQueryFilter(toTextOrEmpty(call.query['filter']));
  if (visibility !== undefined) throw refuseViolation('filter', 'Recent queries have no visibility.');
  const limit = readPageSize(call.query['pageSize'], { parameter: 'pageSize', ...PAGE });
  const isHere = location === RECENT_LOCATION || location === ANY_LOCATION;
  const rows = context.store.list({
    collection: RECENT_QUERIES,
    parent: formatCallerParent(container, call),
    order: { by: 's1', descending: true },
    after: context.pages.open(),
    limit: isHere ? limit + 1 : 0,
  });
  const oldest = formatIsoTimestamp(context.now() - RECENT_QUERY_LIFE_MS);
  const isWanted = ({ body }: ResourceRow): boolean =>
    toTextOrEmpty(body['lastRunTime']) >= oldest && isOfType(body, type);
  const view = (row: ResourceRow): JsonObject => toRecentQueryResource(container, row);
  return buildPage('recentQueries', { rows, limit, isWanted, view }, context);
}

type PageOfRows = {
  /** One more than the page holds, where there are more. */
  rows: readonly ListedRow[];
  limit: number;
  isWanted: (row: ResourceRow) => boolean;
  view: (row: ResourceRow) => JsonObject;
};

/** A page of a list that leaves rows out: it then has fewer, and still a token where there are more. */
function buildPage(name: string, { rows, limit, isWanted, view }: PageOfRows, context: Context): JsonObject {
  const page = rows.slice(0, limit);
  const items = page.filter(({ row }) => isWanted(row)).map(({ row }) => view(row));
  const next = rows.length > limit ? page.at(-1)?.cursor : undefined;
  return {
    ...(items.length > 0 && { [name]: items }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

function createSavedQuery(call: Call, context: Context): JsonObject {
  const parent = toTextOrEmpty(call.path['parent']);
  const { container, location } = parseLocationName(parent);
  requireLocation(location);
  const { savedQueryId = '' } = call.query;
  const id = savedQueryId === '' ? context.random(ID_BYTES) : requireId(String(savedQueryId), 'savedQueryId');
  const body = buildNewBody(SAVED_QUERY, call.body, context);
  requireQuery(body);
  if (context.store.count(SAVED_QUERIES, container) >= MAX_SAVED_QUERIES)
    throw refuseLogLimit(`A container has at most ${MAX_SAVED_QUERIES} saved queries`);
  const row = context.store.insert({
    collection: SAVED_QUERIES,
    parent: container,
    id: `${location}/${id}`,
    body: { ...withNewTimes(body, context), owner: call.caller.userId },
  });
  if (row === undefined) throw refuseExistingName(`${parent}/savedQueries/${id}`);
  return toSavedQueryResource(row);
}

function patchSavedQuery(call: Call, context: Context): JsonObject {
  const before = requireSavedQuery(call, context);
  const after = buildChangedBody(SAVED_QUERY, before.body, call.body, call, context, 'required');
  requireQuery(after);
  return toSavedQueryResource(putDated(before, after, context));
}

function listScopes(call: Call, context: Context): JsonObject {
  const parent = toTextOrEmpty(call.path['parent']);
  requireScopeParent(parent, [ANY_LOCATION]);
  const scopes = listLogScopes(parent.replace(/\/-$/, `/${SCOPE_LOCATION}`), context);
  const items = scopes.map((scope) => ({ id: scope.id, body: toScopeResource(scope) }));
  return listAtHand({ items: 'logScopes', page: PAGE }, items.toSorted(compareIds), call, context);
}

function createScope(call: Call, context: Context): JsonObject {
  const parent = toTextOrEmpty(call.path['parent']);
  requireScopeParent(parent);
  const id = requireId(call.query['logScopeId'] === undefined ? '' : String(call.query['logScopeId']), 'logScopeId');
  const body = buildNewBody(LOG_SCOPE, call.body, context);
  requireScope(body);
  if (context.store.count(LOG_SCOPES, parent) >= MAX_LOG_SCOPES)
    throw refuseLogLimit(`A container has at most ${MAX_LOG_SCOPES} log scopes`);
  const dated = withNewTimes(body, context);
  const row = context.store.insert({ collection: LOG_SCOPES, parent, id, body: dated });
  if (row === undefined) throw refuseExistingName(`${parent}/logScopes/${id}`);
  return toScopeResource({ parent, id, body: dated, isStored: true });
}

function patchScope(call: Call, context: Context): JsonObject {
  const before = requireNamedScope(toTextOrEmpty(call.path['name']), context);
  const changed = buildChangedBody(LOG_SCOPE, before.body, call.body, call, context);
  requireScope(changed);
  if (isSameJson(before.body, changed)) return toScopeResource(before);
  const { parent, id } = before;
  const body = withUpdateTime(changed, context);
  const row = { collection: LOG_SCOPES, parent, id, body };
  if (before.isStored) context.store.put(row);
  else context.store.insert(row);
  return toScopeResource({ ...before, body });
}

function deleteScope(call: Call, context: Context): JsonObject {
  const { parent, id } = requireNamedScope(toTextOrEmpty(call.path['name']), context);
  if (id === DEFAULT_SCOPE)
    throw vendorRefusals.failedPrecondition(`The log scope ${DEFAULT_SCOPE} cannot be deleted.`);
  context.store.remove({ collection: LOG_SCOPES, parent, id });
  return {};
}
