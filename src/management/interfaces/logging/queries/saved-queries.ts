import { readPageSize } from '../../../core/engine/collection.ts';
import {
  refuseExistingName,
  buildChangedBody,
  buildNewBody,
  refuseMissingName,
  putChanged,
  splitName,
  formatIsoTimestamp,
} from '../../../core/engine/named-collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isSameJson } from '../../../core/engine/write.ts';
import { isObject, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { defineParentHandlers, parseLocationName } from '../rows.ts';
import {
  refuseLogLimit,
  refuseLogField,
  PAGE,
  requireDescription,
  requireFilter,
  requireId,
  toTextOrEmpty,
} from '../texts.ts';
import { requireLocation } from '../locations.ts';
import { isOfType, parseQueryFilter, requireOneQuery } from './recent-queries.ts';

/** Rows of saved queries: parent = container, id = `<location>/<id>`. `owner` in the body is the user who made it. */
export const SAVED_QUERIES = 'logging.savedQueries';
const MAX_QUERIES = 1_000;
const MAX_DISPLAY_NAME_CHARS = 256;
const ID_BYTES = 16;
/** The vendor's word for every location. */
const ANY_LOCATION = '-';
const SCHEMA = { schema: 'SavedQuery' };
const VISIBILITIES = ['PRIVATE', 'SHARED'];

/** Saved queries: private ones are there for the user who made them only, shared ones for all of the tenant. */
export const savedQueryHandlers: Handlers = {
  ...defineParentHandlers('locations.savedQueries.list', list),
  ...defineParentHandlers('locations.savedQueries.get', (call, context) =>
    toSavedQueryResource(requireSavedQuery(call, context)),
  ),
  ...defineParentHandlers('locations.savedQueries.create', create),
  ...defineParentHandlers('locations.savedQueries.patch', patch),
  ...defineParentHandlers('locations.savedQueries.delete', (call, context) => {
    context.store.remove(requireSavedQuery(call, context));
    return {};
  }),
};

function list(call: Call, context: Context): JsonObject {
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
  const page = rows.slice(0, limit);
  const isWanted = ({ body }: ResourceRow): boolean =>
    isVisible(body, call) &&
    isOfType(body, requested.type) &&
    (requested.visibility ?? body['visibility']) === body['visibility'];
  const savedQueries = page.filter(({ row }) => isWanted(row)).map(({ row }) => toSavedQueryResource(row));
  const next = rows.length > limit ? page.at(-1)?.cursor : undefined;
  return {
    ...(savedQueries.length > 0 && { savedQueries }),
    ...(next !== undefined && { nextPageToken: context.pages.seal(next) }),
  };
}

function create(call: Call, context: Context): JsonObject {
  const parent = toTextOrEmpty(call.path['parent']);
  const { container, location } = parseLocationName(parent);
  requireLocation(location);
  const { savedQueryId = '' } = call.query;
  const id = savedQueryId === '' ? context.random(ID_BYTES) : requireId(String(savedQueryId), 'savedQueryId');
  const body = buildNewBody(SCHEMA, call.body, context);
  requireQuery(body);
  if (context.store.count(SAVED_QUERIES, container) >= MAX_QUERIES)
    throw refuseLogLimit(`A container has at most ${MAX_QUERIES} saved queries`);
  const now = formatIsoTimestamp(context.now());
  const row = context.store.insert({
    collection: SAVED_QUERIES,
    parent: container,
    id: `${location}/${id}`,
    body: { ...body, createTime: now, updateTime: now, owner: call.caller.userId },
  });
  if (row === undefined) throw refuseExistingName(`${parent}/savedQueries/${id}`);
  return toSavedQueryResource(row);
}

function patch(call: Call, context: Context): JsonObject {
  const before = requireSavedQuery(call, context);
  const after = buildChangedBody(SCHEMA, before.body, call.body, call, context, 'required');
  requireQuery(after);
  if (isSameJson(before.body, after)) return toSavedQueryResource(before);
  return toSavedQueryResource(putChanged(before, { ...after, updateTime: formatIsoTimestamp(context.now()) }, context));
}

/** The caller's own, or a shared one. @throws Refusal 404: another's private query is not there */
function requireSavedQuery({ path, caller }: Call, context: Context): ResourceRow {
  const name = toTextOrEmpty(path['name']);
  const { parent, id } = splitName(name);
  const { container, location } = parseLocationName(parent);
  const row = context.store.get(SAVED_QUERIES, container, `${location}/${id}`);
  if (row === undefined || !isVisible(row.body, { caller })) throw refuseMissingName(name);
  return row;
}

const isVisible = ({ visibility, owner }: JsonObject, { caller }: Pick<Call, 'caller'>): boolean =>
  visibility === 'SHARED' || owner === caller.userId;

/** @throws Refusal for a query without a name, a visibility, or exactly one query that can be read */
function requireQuery(body: JsonObject): void {
  const { displayName, visibility, loggingQuery, opsAnalyticsQuery } = body;
  if (toTextOrEmpty(displayName) === '') throw vendorRefusals.required('displayName');
  if (toTextOrEmpty(displayName).length > MAX_DISPLAY_NAME_CHARS)
    throw refuseLogField('displayName', `displayName has more than ${MAX_DISPLAY_NAME_CHARS} characters.`);
  if (!isText(visibility) || !VISIBILITIES.includes(visibility)) throw vendorRefusals.required('visibility');
  requireDescription(body['description']);
  requireOneQuery(loggingQuery, opsAnalyticsQuery);
  if (!isObject(loggingQuery ?? null)) return;
  requireFilter((loggingQuery as JsonObject)['filter'], 'loggingQuery.filter');
}

/** `projects/p/locations/global/savedQueries/q`, without its owner. */
function toSavedQueryResource({ parent, id, body }: ResourceRow): JsonObject {
  const [location, key] = id.split('/');
  const { owner: _owner, ...shown } = body;
  return { name: `${parent}/locations/${location}/savedQueries/${key}`, ...shown };
}
