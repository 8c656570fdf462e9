import type { Collection } from '../../../core/engine/collection.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, getMember, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS } from '../collections.ts';
import { buildDeviceIndex, updateOrderRows, type DeviceRows } from './device-rows.ts';
import { requireCustomer } from '../keys.ts';
import { findOrgUnit, readOrgUnitPath, ROOT_PATH, formatOrgUnitId } from '../org-units/org-unit-keys.ts';

/**
 * Chrome devices in the store: id = device id, ref = org unit id. The body is the device without org unit; `orgUnit` in
 * it is the unit's id, `kiosk` says that it runs as a kiosk. Neither is shown.
 */
export const chromeRows: DeviceRows = {
  collection: COLLECTIONS.chromeDevices,
  orders: ['serialNumber', 'lastSync', 'status', 'annotatedUser', 'annotatedLocation', 'notes'],
};

/** What an administrator may write, with the longest text of each (discovery document). */
const WRITABLE: Readonly<Record<string, number>> = {
  annotatedUser: 100,
  annotatedLocation: 200,
  annotatedAssetId: 200,
  notes: 500,
};

/** What `projection=BASIC` shows. */
const BASIC_FIELDS = new Set([
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
const HIDDEN_FIELDS = new Set(['orgUnit', 'kiosk']);

export const chromeDevices: Collection = {
  name: COLLECTIONS.chromeDevices,
  schema: 'ChromeOsDevice',
  kind: 'admin#directory#chromeosdevice',
  listKind: 'admin#directory#chromeosdevices',
  items: 'chromeosdevices',
  page: { parameter: 'maxResults', default: 100, max: 300 },
  find: (call, context) => requireChromeDevice(call, context),
  create: () => {
    throw new Error('Chrome devices enrol themselves: no method makes one');
  },
  change: buildChangedDevice,
  updated: (before, row, _call, context) => updateOrderRows(chromeRows, row.id, before.body, row.body, context),
  view: toDeviceResource,
};

/** The device that the path names. @throws Refusal 404 `Resource Not Found: deviceId` */
export function requireChromeDevice({ path }: Call, context: Context, parameter = 'deviceId'): ResourceRow {
  requireCustomer(path['customerId'] ?? '', context);
  const row = context.store.get(COLLECTIONS.chromeDevices, '', path[parameter] ?? '');
  if (row === undefined) throw vendorRefusals.notFound(parameter);
  return row;
}

/** Stores a changed device, with all that it is found and sorted by. */
export function putChromeDevice(before: ResourceRow, body: JsonObject, context: Context): void {
  const address = { collection: before.collection, parent: '', id: before.id };
  context.store.put({ ...address, body, ...buildDeviceIndex(chromeRows, body, getOrgUnitId(body)) });
  updateOrderRows(chromeRows, before.id, before.body, body, context);
}

/** The org unit that a path or id names. @throws Refusal 400, the vendor's word for a unit that is not there */
export function requireOrgUnit(path: string, context: Context): ResourceRow {
  const row = findOrgUnit(path, context);
  if (row === undefined) throw vendorRefusals.invalidInput('INVALID_OU_ID');
  return row;
}

export const getOrgUnitId = (body: JsonObject): string | undefined => {
  const id = getMember(body, 'orgUnit');
  return isText(id) ? id : undefined;
};

/** Of what is sent, only what an administrator may write counts. */
function buildChangedDevice(before: ResourceRow, sent: JsonObject, call: Call, context: Context) {
  const body: JsonObject = { ...before.body };
  for (const [name, maxChars] of Object.entries(WRITABLE)) {
    const value = getMember(sent, name);
    if (isText(value) && value.length > maxChars) throw vendorRefusals.invalidInput(name);
    if (value === undefined) delete body[name];
    else body[name] = value;
  }
  const unit = readSentOrgUnit(call.body, getOrgUnitId(body), context);
  if (unit !== undefined) body['orgUnit'] = unit;
  return { body, ...buildDeviceIndex(chromeRows, body, getOrgUnitId(body)) };
}

/**
 * The unit that a device is moved to: the path or the id that names another one than `present` counts, because who reads,
 * changes one and writes sends both. A device cannot be without an org unit: nothing sent leaves it where it is.
 * @throws Refusal 400 where both name others, and not the same
 */
function readSentOrgUnit(sent: JsonObject, present: string | undefined, context: Context): string | undefined {
  const { orgUnitPath, orgUnitId } = sent;
  const ids = [isText(orgUnitPath) ? orgUnitPath : '', isText(orgUnitId) ? toOrgUnitKey(orgUnitId) : '']
    .filter((key) => key !== '')
    .map((key) => requireOrgUnit(key, context).id);
  const others = new Set(ids.filter((id) => id !== present));
  if (others.size > 1) throw vendorRefusals.invalidInput('orgUnitId');
  const [other] = others;
  return other;
}

const toOrgUnitKey = (id: string): string => (id === '' || id.startsWith('id:') ? id : formatOrgUnitId(id));

function toDeviceResource({ body }: ResourceRow, call: Call, context: Context): JsonObject {
  const id = getOrgUnitId(body);
  const path = id === undefined ? ROOT_PATH : readCachedPath(id, context);
  const full: JsonObject = { ...body, orgUnitPath: path, ...(id !== undefined && { orgUnitId: formatOrgUnitId(id) }) };
  const isBasic = call.query['projection'] === 'BASIC';
  const shown = Object.entries(full).filter(([name]) => (isBasic ? BASIC_FIELDS.has(name) : !HIDDEN_FIELDS.has(name)));
  return Object.fromEntries(shown);
}

const pathsOfCalls = new WeakMap<Context, Map<string, string>>();

/** The devices of a page share few org units: each is read once a call. */
function readCachedPath(id: string, context: Context): string {
  const known = pathsOfCalls.get(context) ?? new Map<string, string>();
  pathsOfCalls.set(context, known);
  const path = known.get(id) ?? readOrgUnitPath(id, context);
  known.set(id, path);
  return path;
}
