import { defineCollectionHandlers, type Collection } from '../../../core/engine/collection.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isObject, isText, getMember, type JsonObject, getTextMember } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../collections.ts';
import { requireCustomer } from '../keys.ts';
import { requireShortTexts } from '../texts.ts';

/** Characters (discovery document). */
const LIMITS = { buildingId: 100, buildingName: 100 } as const;
const MAX_LATITUDE = 90;
const MAX_LONGITUDE = 180;

/** Buildings that rooms are in. Their names are unique in the tenant. */
export const buildings: Collection = {
  name: COLLECTIONS.buildings,
  schema: 'Building',
  kind: 'admin#directory#resources#buildings#Building',
  listKind: 'admin#directory#resources#buildings#buildingsList',
  items: 'buildings',
  page: { parameter: 'maxResults', default: 100, max: 500 },
  parentOf: ({ path }, context) => {
    requireCustomer(path['customer'] ?? '', context);
    return '';
  },
  find: ({ path }, context) => {
    requireCustomer(path['customer'] ?? '', context);
    return findBuilding(path['buildingId'] ?? '', context) ?? refuseMissingBuilding();
  },
  create: (call, _context, sent) => {
    const body = validateBuilding(sent, call);
    return { id: getTextMember(body, 'buildingId'), body };
  },
  inserted: (row, _call, context) => claimName(row, context),
  change: (before, sent, call) => {
    const body = validateBuilding({ ...sent, buildingId: before.id }, call);
    if (getSentId(call) !== undefined && getSentId(call) !== before.id) throw vendorRefusals.invalidInput('buildingId');
    return { body };
  },
  updated: (before, row, _call, context) => {
    if (getNameKey(before) === getNameKey(row)) return;
    context.store.unname(DIRECTORY_NAMESPACES.building, getNameKey(before));
    claimName(row, context);
  },
  removing: ({ id }, _call, { store }) => {
    if (store.byRef(COLLECTIONS.calendars, id, 1).length === 0) return;
    throw vendorRefusals.conditionNotMet('The building cannot be deleted: it has resources.');
  },
  hasEtags: true,
};

export const buildingHandlers: Handlers = defineCollectionHandlers(buildings, {
  list: 'directory.resources.buildings.list',
  get: 'directory.resources.buildings.get',
  insert: 'directory.resources.buildings.insert',
  patch: 'directory.resources.buildings.patch',
  update: 'directory.resources.buildings.update',
  delete: 'directory.resources.buildings.delete',
});

/** The building of an id, if there is one. */
export const findBuilding = (id: string, { store }: Context): ResourceRow | undefined =>
  store.get(COLLECTIONS.buildings, '', id);

const refuseMissingBuilding = (): never => {
  throw vendorRefusals.notFound('buildingId');
};

const getSentId = ({ body }: Call): string | undefined => {
  const id = getMember(body, 'buildingId');
  return isText(id) ? id : undefined;
};

function validateBuilding({ etags: _seen, ...sent }: JsonObject, call: Call): JsonObject {
  for (const name of ['buildingId', 'buildingName'])
    if (getTextMember(sent, name) === '') throw vendorRefusals.required(name);
  requireShortTexts(sent, LIMITS);
  const { floorNames, address } = sent;
  if (Array.isArray(floorNames) && floorNames.length === 0) throw vendorRefusals.invalidInput('floorNames');
  if (isObject(address) && getTextMember(address, 'regionCode') === '')
    throw vendorRefusals.required('address.regionCode');
  return withCoordinates(sent, call);
}

/**
 * Coordinates are what the caller says. Those of an address are not looked up here: where the caller asks for that, none
 * are kept.
 */
function withCoordinates(body: JsonObject, { query }: Call): JsonObject {
  const { coordinates, address } = body;
  if (isObject(coordinates) && !isPlace(coordinates)) throw vendorRefusals.invalidInput('coordinates');
  const source = query['coordinatesSource'];
  if (source === 'CLIENT_SPECIFIED' && !isObject(coordinates)) throw vendorRefusals.required('coordinates');
  if (source !== 'RESOLVED_FROM_ADDRESS') return body;
  if (!isObject(address)) throw vendorRefusals.required('address');
  const { coordinates: _sent, ...rest } = body;
  return rest;
}

const isPlace = ({ latitude, longitude }: JsonObject): boolean =>
  isBetween(latitude, MAX_LATITUDE) && isBetween(longitude, MAX_LONGITUDE);

const isBetween = (value: unknown, max: number): boolean => typeof value === 'number' && Math.abs(value) <= max;

const getNameKey = ({ body }: ResourceRow): string => getTextMember(body, 'buildingName').toLowerCase();

function claimName(row: ResourceRow, { store }: Context): void {
  if (!store.name(DIRECTORY_NAMESPACES.building, getNameKey(row), row)) throw vendorRefusals.duplicate();
}
