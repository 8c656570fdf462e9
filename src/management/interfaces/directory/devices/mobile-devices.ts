import { readPageSize, requireMatch, type Collection } from '../../../core/engine/collection.ts';
import type { Call, Handler } from '../../../core/engine/operation.ts';
import { isText, getMember, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { COLLECTIONS } from '../collections.ts';
import { createDeviceTest, type QueryFields } from './device-query.ts';
import {
  createDeviceSource,
  removeOrderRows,
  buildDeviceIndex,
  updateOrderRows,
  type DeviceRows,
} from './device-rows.ts';
import { answerRowPage, readRowPage } from '../../../core/engine/filtered-list.ts';
import { requireCustomer } from '../keys.ts';

/** Mobile devices in the store: id = resource id. */
export const mobileRows: DeviceRows = {
  collection: COLLECTIONS.mobileDevices,
  orders: ['email', 'lastSync', 'status', 'name', 'model', 'os', 'type', 'deviceId'],
};

/** What `projection=BASIC` shows. */
const BASIC_FIELDS = new Set(['resourceId', 'deviceId', 'email', 'name', 'model', 'os', 'type', 'status', 'lastSync']);

export const mobileDevices: Collection = {
  name: COLLECTIONS.mobileDevices,
  schema: 'MobileDevice',
  kind: 'admin#directory#mobiledevice',
  listKind: 'admin#directory#mobiledevices',
  items: 'mobiledevices',
  page: { parameter: 'maxResults', default: 100, max: 100 },
  find: ({ path }, context) => {
    requireCustomer(path['customerId'] ?? '', context);
    const row = context.store.get(COLLECTIONS.mobileDevices, '', path['resourceId'] ?? '');
    if (row === undefined) throw vendorRefusals.notFound('resourceId');
    return row;
  },
  create: () => {
    throw new Error('Mobile devices enrol themselves: no method makes one');
  },
  removed: ({ id }, _call, context) => removeOrderRows(mobileRows, id, context),
  view: ({ body }, call) => (call.query['projection'] === 'BASIC' ? selectBasicFields(body) : body),
};

/** The vendor's "Mobile device search fields" that look at what a device of ours has. */
const QUERY_FIELDS: QueryFields = {
  serial: { of: ['serialNumber'], how: 'text' },
  email: { of: ['email'], how: 'text' },
  name: { of: ['name'], how: 'text' },
  model: { of: ['model'], how: 'text' },
  brand: { of: ['brand'], how: 'text' },
  manufacturer: { of: ['manufacturer'], how: 'text' },
  os: { of: ['os'], how: 'text' },
  type: { of: ['type'], how: 'text' },
  imei: { of: ['imei'], how: 'text' },
  meid: { of: ['meid'], how: 'text' },
  hardware: { of: ['hardware'], how: 'text' },
  hardware_id: { of: ['hardwareId'], how: 'text' },
  build_number: { of: ['buildNumber'], how: 'text' },
  bootloader_version: { of: ['bootloaderVersion'], how: 'text' },
  carrier: { of: ['networkOperator'], how: 'text' },
  default_language: { of: ['defaultLanguage'], how: 'text' },
  id: { of: ['resourceId', 'deviceId'], how: 'text' },
  register: { of: ['firstSync'], how: 'time' },
  sync: { of: ['lastSync'], how: 'time' },
  status: { of: ['status'], how: 'word' },
};

/** From which states an action works, and what it makes of the device; absent: from any but those that are wiped. */
const ACTIONS: Readonly<Record<string, { from?: readonly string[]; to: string }>> = {
  approve: { to: 'APPROVED' },
  block: { to: 'BLOCKED' },
  admin_remote_wipe: { to: 'WIPING' },
  admin_account_wipe: { to: 'ACCOUNT_WIPING' },
  cancel_remote_wipe_then_activate: { from: ['WIPING', 'ACCOUNT_WIPING'], to: 'APPROVED' },
  cancel_remote_wipe_then_block: { from: ['WIPING', 'ACCOUNT_WIPING'], to: 'BLOCKED' },
};
/** A device of these is wiped, or waits to be: only a cancelled wipe leads back. */
const WIPE_STATES = ['WIPING', 'ACCOUNT_WIPING', 'WIPED', 'ACCOUNT_WIPED'];

export const listMobileDevices: Handler = (call, context) => {
  requireCustomer(call.path['customerId'] ?? '', context);
  const { orderBy, sortOrder, query } = call.query;
  const order = isText(orderBy) && orderBy !== '' ? orderBy : undefined;
  if (order === undefined && sortOrder === 'DESCENDING') throw vendorRefusals.invalidInput('sortOrder');
  const source = createDeviceSource(mobileRows, order, sortOrder === 'DESCENDING', context);
  const isMatch = isText(query) && query.trim() !== '' ? createDeviceTest(query, QUERY_FIELDS) : undefined;
  const size = readPageSize(call.query['maxResults'], { parameter: 'maxResults', default: 100, max: 100 });
  const page = readRowPage(source, size, context, isMatch && (({ body }) => isMatch(body)));
  return answerRowPage(mobileDevices, page, call, context);
};

export const handleMobileAction: Handler = (call, context) => {
  const before = mobileDevices.find(call, context);
  requireMatch(before, call, context);
  const { from, to } = requireAction(call);
  const status = getMember(before.body, 'status');
  const isAllowed = isText(status) && (from?.includes(status) ?? !WIPE_STATES.includes(status));
  if (!isAllowed) throw vendorRefusals.conditionNotMet('Illegal device state transition.');
  const body: JsonObject = { ...before.body, status: to };
  const address = { collection: before.collection, parent: '', id: before.id };
  context.store.put({ ...address, body, ...buildDeviceIndex(mobileRows, body, undefined) });
  updateOrderRows(mobileRows, before.id, before.body, body, context);
  return undefined;
};

function requireAction({ body }: Call): { from?: readonly string[]; to: string } {
  const { action } = body;
  if (!isText(action) || action === '') throw vendorRefusals.required('action');
  const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (known === undefined) throw vendorRefusals.invalidInput('action');
  return known;
}

const selectBasicFields = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => BASIC_FIELDS.has(name)));
