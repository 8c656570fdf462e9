import { getTextMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import {
  type Collection,
  defineCollectionHandlers,
  listAnswer,
  readPageSize,
  requireMatch,
} from '../../../core/engine/collection.ts';
import { answerRowPage, readRowPage, type RowSource } from '../../../core/engine/filtered-list.ts';
import { listReadMembers } from '../../../core/engine/item-selection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ListedRow, ResourceRow } from '../../../core/engine/stored-row.ts';
import {
  claimName,
  COLLECTIONS,
  defineCustomerCollection,
  DIRECTORY_NAMESPACES,
  generateDirectoryId,
  requireCustomer,
  requireRow,
} from '../rows.ts';
import { compareCursors, createCalendarTest, listSortValues, parseSortKeys, type SortKey } from './query.ts';
import { CALENDAR_PARTS, findFeature, ROOM_PAGE, toCalendarResource } from './rows.ts';
import { requireFeatureName, requireSameId, validateBuilding, validateCalendar } from './schemas.ts';

/** Bytes in the name of a resource's address. */
const EMAIL_BYTES = 16;

/** Resources that a list in another order than that of their ids can hold. */
const MAX_SORTED = 10_000;

/** Buildings that rooms are in. Their names are unique in the tenant. */
const buildings: Collection = {
  name: COLLECTIONS.buildings,
  schema: 'Building',
  kind: 'admin#directory#resources#buildings#Building',
  listKind: 'admin#directory#resources#buildings#buildingsList',
  items: 'buildings',
  page: ROOM_PAGE,
  ...defineCustomerCollection('customer', (path, context) =>
    requireRow(COLLECTIONS.buildings, path['buildingId'] ?? '', 'buildingId', context),
  ),
  create: (call, _context, sent) => {
    const body = validateBuilding(sent, call);
    return { id: getTextMember(body, 'buildingId'), body };
  },
  inserted: (row, _call, context) => claimBuildingName(row, context),
  change: (before, sent, call) => {
    const body = validateBuilding({ ...sent, buildingId: before.id }, call);
    requireSameId(call, 'buildingId', before.id);
    return { body };
  },
  updated: (before, row, _call, context) => {
    if (getNameKey(before) === getNameKey(row)) return;
    context.store.unname(DIRECTORY_NAMESPACES.building, getNameKey(before));
    claimBuildingName(row, context);
  },
  removing: ({ id }, _call, { store }) => {
    if (store.byRef(COLLECTIONS.calendars, id, 1).length === 0) return;
    throw vendorRefusals.conditionNotMet('The building cannot be deleted: it has resources.');
  },
  hasEtags: true,
};

const getNameKey = ({ body }: ResourceRow): string => getTextMember(body, 'buildingName').toLowerCase();

const claimBuildingName = (row: ResourceRow, context: Context): void =>
  claimName(DIRECTORY_NAMESPACES.building, getNameKey(row), row, context);

/**
 * Features of rooms. A feature is known by its name; rooms keep the id behind it, so that a new name is seen in all of
 * them at once.
 */
const features: Collection = {
  name: COLLECTIONS.features,
  schema: 'Feature',
  kind: 'admin#directory#resources#features#Feature',
  listKind: 'admin#directory#resources#features#featuresList',
  items: 'features',
  page: ROOM_PAGE,
  order: () => ({ by: 's1' }),
  ...defineCustomerCollection('customer', (path, context) => {
    const row = findFeature(path['featureKey'] ?? path['oldName'] ?? '', context);
    if (row === undefined) throw vendorRefusals.notFound(path['featureKey'] === undefined ? 'oldName' : 'featureKey');
    return row;
  }),
  create: (_call, context, sent) => {
    const name = requireFeatureName(sent, 'name');
    return { id: generateDirectoryId(context), body: { name }, s1: name.toLowerCase() };
  },
  inserted: (row, _call, context) => claimFeatureName(row, context),
  change: (_before, sent) => {
    const name = requireFeatureName(sent, 'name');
    return { body: { name }, s1: name.toLowerCase() };
  },
  updated: renameFeature,
  hasEtags: true,
};

function rename(call: Call, context: Context): undefined {
  const before = features.find(call, context);
  requireMatch(before, call, context);
  const name = requireFeatureName(call.body, 'newName');
  const address = { collection: before.collection, parent: '', id: before.id };
  const row = context.store.put({ ...address, body: { name }, s1: name.toLowerCase() });
  renameFeature(before, row, call, context);
}

function renameFeature(before: ResourceRow, row: ResourceRow, _call: unknown, context: Context): void {
  if (getFeatureKey(before) === getFeatureKey(row)) return;
  context.store.unname(DIRECTORY_NAMESPACES.feature, getFeatureKey(before));
  claimFeatureName(row, context);
}

const getFeatureKey = ({ body }: ResourceRow): string => getTextMember(body, 'name').toLowerCase();

const claimFeatureName = (row: ResourceRow, context: Context): void =>
  claimName(DIRECTORY_NAMESPACES.feature, getFeatureKey(row), row, context);

/**
 * Rooms and other things that can be booked. The body keeps the ids of its features as `featureIds`; what its building
 * and its features are called is looked up when it is shown.
 */
const calendars: Collection = {
  name: COLLECTIONS.calendars,
  schema: 'CalendarResource',
  kind: 'admin#directory#resources#calendars#CalendarResource',
  listKind: 'admin#directory#resources#calendars#calendarResourcesList',
  items: 'items',
  page: ROOM_PAGE,
  ...defineCustomerCollection('customer', (path, context) =>
    requireRow(COLLECTIONS.calendars, path['calendarResourceId'] ?? '', 'calendarResourceId', context),
  ),
  create: (call, context, sent) => {
    const resourceEmail = `c_${context.random(EMAIL_BYTES)}@resource.calendar.google.com`;
    const body = validateCalendar({ ...sent, resourceEmail }, {}, call, context);
    return { id: getTextMember(body, 'resourceId'), body, ...buildBuildingRef(body) };
  },
  change: (before, sent, call, context) => {
    requireSameId(call, 'resourceId', before.id);
    const resourceEmail = getTextMember(before.body, 'resourceEmail');
    const body = validateCalendar({ ...sent, resourceId: before.id, resourceEmail }, before.body, call, context);
    return { body, ...buildBuildingRef(body) };
  },
  view: toCalendarResource,
  parts: CALENDAR_PARTS,
  hasEtags: true,
};

const buildBuildingRef = (body: JsonObject): { ref?: string } => {
  const ref = getTextMember(body, 'buildingId');
  return ref === '' ? {} : { ref };
};

/** Buildings, features, and the rooms and other resources that have them. */
export const handlers: Handlers = {
  ...defineCollectionHandlers(buildings, {
    list: 'directory.resources.buildings.list',
    get: 'directory.resources.buildings.get',
    insert: 'directory.resources.buildings.insert',
    patch: 'directory.resources.buildings.patch',
    update: 'directory.resources.buildings.update',
    delete: 'directory.resources.buildings.delete',
  }),
  ...defineCollectionHandlers(features, {
    list: 'directory.resources.features.list',
    get: 'directory.resources.features.get',
    insert: 'directory.resources.features.insert',
    patch: 'directory.resources.features.patch',
    update: 'directory.resources.features.update',
    delete: 'directory.resources.features.delete',
  }),
  'directory.resources.features.rename': rename,
  ...defineCollectionHandlers(calendars, {
    get: 'directory.resources.calendars.get',
    insert: 'directory.resources.calendars.insert',
    patch: 'directory.resources.calendars.patch',
    update: 'directory.resources.calendars.update',
    delete: 'directory.resources.calendars.delete',
  }),
  'directory.resources.calendars.list': listCalendarResources,
};

function listCalendarResources(call: Call, context: Context): JsonObject {
  requireCustomer(call.path['customer'] ?? '', context);
  const size = readPageSize(call.query['maxResults'], ROOM_PAGE);
  const matches = createRowTest(call, context);
  const keys = parseSortKeys(call.query['orderBy']);
  if (keys.length === 0) {
    const members = matches === undefined ? listReadMembers(calendars, call) : undefined;
    const source = createIdSource(context, members);
    return answerRowPage(calendars, readRowPage(source, size, context, matches), call, context);
  }
  return listAnswer(calendars, listSortedRows(keys, matches, context).slice(0, size + 1), size, call, context);
}

const createIdSource =
  ({ store }: Context, members?: readonly string[]): RowSource =>
  (after, limit) =>
    store.list({ collection: COLLECTIONS.calendars, parent: '', after, limit, members });

function createRowTest(call: Call, context: Context): ((row: ResourceRow) => boolean) | undefined {
  const { query } = call.query;
  if (!isText(query) || query.trim() === '') return undefined;
  const isMatch = createCalendarTest(query);
  return (row) => isMatch(toCalendarResource(row, call, context));
}

/** What follows the page token in an order of several fields. A place is the values of a row and its id. */
function listSortedRows(
  keys: readonly SortKey[],
  matches: ((row: ResourceRow) => boolean) | undefined,
  context: Context,
): ListedRow[] {
  const rows = createIdSource(context)(undefined, MAX_SORTED + 1);
  if (rows.length > MAX_SORTED) throw vendorRefusals.limitExceeded('Too many resources for orderBy');
  const after = context.pages.open();
  return rows
    .filter(({ row }) => matches?.(row) ?? true)
    .map(({ row }) => ({ row, cursor: { sort: JSON.stringify(listSortValues(row.body, keys)), id: row.id } }))
    .filter(({ cursor }) => after === undefined || compareCursors(cursor, after, keys) > 0)
    .toSorted((a, b) => compareCursors(a.cursor, b.cursor, keys));
}
