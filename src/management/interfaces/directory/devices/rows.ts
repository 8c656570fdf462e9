import { getMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { RowSource } from '../../../core/engine/filtered-list.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { Indexed, ListedRow, ResourceRow, RowSortOrder } from '../../../core/engine/stored-row.ts';
import { readOrgUnitPath, ROOT_PATH } from '../org-units/rows.ts';
import { COLLECTIONS, createCallReader, requireCustomer, requireRow } from '../rows.ts';

/** A sort of device as it is stored. */
export type DeviceRows = {
  collection: string;
  /**
   * What a list may be ordered by. The first three are index values of the device's own row; each further three are
   * index values of a row beside it, which holds nothing else: so every order is read from an index.
   */
  orders: readonly string[];
};

/** Index values that a row has. */
const SLOTS = ['s1', 's2', 's3'] as const;

/**
 * Chrome devices in the store: id = device id, ref = org unit id. The body is the device without org unit; `orgUnit` in
 * it is the unit's id, `kiosk` says that it runs as a kiosk. Neither is shown.
 */
export const chromeRows: DeviceRows = {
  collection: COLLECTIONS.chromeDevices,
  orders: ['serialNumber', 'lastSync', 'status', 'annotatedUser', 'annotatedLocation', 'notes'],
};

/** Mobile devices in the store: id = resource id. */
export const mobileRows: DeviceRows = {
  collection: COLLECTIONS.mobileDevices,
  orders: ['email', 'lastSync', 'status', 'name', 'model', 'os', 'type', 'deviceId'],
};

/** Stores a new device. @returns undefined when there is one of this id */
export function insertDevice(
  rows: DeviceRows,
  id: string,
  body: JsonObject,
  ref: string | undefined,
  context: Context,
) {
  const { store } = context;
  const row = store.insert({ ...buildRowAddress(rows.collection, id), body, ...buildDeviceIndex(rows, body, ref) });
  if (row === undefined) return undefined;
  for (const beside of listOrderTables(rows)) {
    store.insert({ ...buildRowAddress(beside.collection, id), body: {}, ...sortValues(beside.orders, body) });
  }
  return row;
}

/** The index values of a device's own row. `ref` is the org unit's id. */
export function buildDeviceIndex(rows: DeviceRows, body: JsonObject, ref: string | undefined): Indexed {
  return { ...sortValues(rows.orders, body), ...(ref !== undefined && { ref }) };
}

/** Brings the rows beside a changed device up to date. */
export function updateOrderRows(
  rows: DeviceRows,
  id: string,
  before: JsonObject,
  after: JsonObject,
  context: Context,
): void {
  for (const { collection, orders } of listOrderTables(rows)) {
    if (orders.every((name) => sortValue(before, name) === sortValue(after, name))) continue;
    context.store.put({ ...buildRowAddress(collection, id), body: {}, ...sortValues(orders, after) });
  }
}

/** Removes the rows beside a device. */
export function removeOrderRows(rows: DeviceRows, id: string, context: Context): void {
  for (const { collection } of listOrderTables(rows)) context.store.remove(buildRowAddress(collection, id));
}

/** How devices are listed: by id where no order is asked for. `members` of their bodies are read; all when absent. */
export type DeviceOrder = {
  order?: string | undefined;
  descending: boolean;
  members?: readonly string[] | undefined;
};

/** The index value of a device's own row that has an order; undefined where a row beside it has it, or none. */
export function findOwnOrder(rows: DeviceRows, orderBy: string | undefined): RowSortOrder['by'] | undefined {
  if (orderBy === undefined) return 'id';
  return rows.orders.includes(orderBy) ? SLOTS[rows.orders.indexOf(orderBy)] : undefined;
}

/** All devices in an order, by id when there is none. @throws Refusal 400 for an order that is none */
export function createDeviceSource(
  rows: DeviceRows,
  { order: orderBy, descending, members }: DeviceOrder,
  context: Context,
): RowSource {
  const { store } = context;
  const place = orderBy === undefined ? -1 : rows.orders.indexOf(orderBy);
  if (orderBy !== undefined && place < 0) throw vendorRefusals.invalidInput('orderBy');
  const order: RowSortOrder = { by: SLOTS[place % SLOTS.length] ?? 'id', descending };
  const own =
    (collection: string, read?: readonly string[]): RowSource =>
    (after, limit) =>
      store.list({ collection, parent: '', order, after, limit, members: read });
  if (place < SLOTS.length) return own(rows.collection, members);
  const beside = own(formatCollectionName(rows, Math.floor(place / SLOTS.length)));
  return (after, limit) => beside(after, limit).flatMap(({ row, cursor }) => withBody(rows, row, cursor, context));
}

function withBody(rows: DeviceRows, { id }: ResourceRow, cursor: ListedRow['cursor'], context: Context): ListedRow[] {
  const row = context.store.get(rows.collection, '', id);
  return row === undefined ? [] : [{ row, cursor }];
}

/** The collections of the rows beside devices: they go wherever the devices go. */
export const listOrderCollections = (rows: DeviceRows): string[] =>
  listOrderTables(rows).map(({ collection }) => collection);

const listOrderTables = (rows: DeviceRows): DeviceRows[] => {
  const count = Math.ceil(rows.orders.length / SLOTS.length) - 1;
  return Array.from({ length: count }, (_, index) => ({
    collection: formatCollectionName(rows, index + 1),
    orders: rows.orders.slice((index + 1) * SLOTS.length, (index + 2) * SLOTS.length),
  }));
};

const formatCollectionName = ({ collection }: DeviceRows, place: number): string => `${collection}.order${place}`;

const buildRowAddress = (collection: string, id: string) => ({ collection, parent: '', id });

function sortValues(orders: readonly string[], body: JsonObject): Indexed {
  const [s1, s2, s3] = orders.map((name) => sortValue(body, name));
  return { ...(s1 !== undefined && { s1 }), ...(s2 !== undefined && { s2 }), ...(s3 !== undefined && { s3 }) };
}

/** Sorted without case; of several values the first counts. */
function sortValue(body: JsonObject, name: string): string {
  const value = body[name];
  const first = Array.isArray(value) ? value[0] : value;
  return isText(first) ? first.toLowerCase() : '';
}

/** The device that the path names. @throws Refusal 404 `Resource Not Found: deviceId` */
export function requireChromeDevice({ path }: Call, context: Context, parameter = 'deviceId'): ResourceRow {
  requireCustomer(path['customerId'] ?? '', context);
  return requireRow(COLLECTIONS.chromeDevices, path[parameter] ?? '', parameter, context);
}

/** Stores a changed device, with all that it is found and sorted by. `ref` is the org unit's id. */
export function putDevice(
  rows: DeviceRows,
  before: ResourceRow,
  body: JsonObject,
  ref: string | undefined,
  context: Context,
): void {
  context.store.put({ ...buildRowAddress(rows.collection, before.id), body, ...buildDeviceIndex(rows, body, ref) });
  updateOrderRows(rows, before.id, before.body, body, context);
}

/** The id of the org unit that a Chrome device is in. */
export const getOrgUnitId = (body: JsonObject): string | undefined => {
  const id = getMember(body, 'orgUnit');
  return isText(id) ? id : undefined;
};

/** What `projection=BASIC` shows of a Chrome device. */
const CHROME_BASIC_FIELDS = new Set([
  'deviceId',
  'serialNumber',
  'status',
  'lastSync',
  'annotatedUser',
  'annotatedLocation',
  'annotatedAssetId',
  'notes',
  'orgUnitPath',
  'orgUnitId',
]);
const CHROME_HIDDEN_FIELDS = new Set(['orgUnit', 'kiosk']);

/** The devices of a page share few org units. */
const readUnitPath = createCallReader(readOrgUnitPath);

/** A Chrome device with the present path of its org unit; the unit's id is without `id:`, as the vendor shows it here. */
export function toChromeResource({ body }: ResourceRow, call: Call, context: Context): JsonObject {
  const id = getOrgUnitId(body);
  const path = id === undefined ? ROOT_PATH : readUnitPath(id, context);
  const full: JsonObject = { ...body, orgUnitPath: path, ...(id !== undefined && { orgUnitId: id }) };
  const isBasic = call.query['projection'] === 'BASIC';
  const shown = Object.entries(full).filter(([name]) =>
    isBasic ? CHROME_BASIC_FIELDS.has(name) : !CHROME_HIDDEN_FIELDS.has(name),
  );
  return Object.fromEntries(shown);
}

/** What `projection=BASIC` shows of a mobile device. */
const MOBILE_BASIC_FIELDS = new Set([
  'resourceId',
  'deviceId',
  'email',
  'name',
  'model',
  'os',
  'type',
  'status',
  'lastSync',
]);

/** A mobile device, in full or in its basic fields. */
export function toMobileResource({ body }: ResourceRow, call: Call): JsonObject {
  if (call.query['projection'] !== 'BASIC') return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => MOBILE_BASIC_FIELDS.has(name)));
}

/** The devices of some org units, unit by unit: a place in it is the unit and the device. */
export function createOrgUnitSource(units: readonly string[], context: Context): RowSource {
  return (after, limit) => {
    const found: ListedRow[] = [];
    for (const unit of units) {
      if (after !== undefined && unit < after.sort) continue;
      const from = after?.sort === unit ? { parent: '', id: after.id } : undefined;
      const rows = context.store.byRef(COLLECTIONS.chromeDevices, unit, limit - found.length, from);
      found.push(...rows.map((row) => ({ row, cursor: { sort: unit, id: row.id } })));
      if (found.length >= limit) break;
    }
    return found;
  };
}
