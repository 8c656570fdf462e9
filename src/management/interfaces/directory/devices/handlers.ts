import { getMember, isText, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import {
  type Collection,
  defineCollectionHandlers,
  readPageSize,
  requireMatch,
} from '../../../core/engine/collection.ts';
import { answerRowPage, readRowPage, type RowSource } from '../../../core/engine/filtered-list.ts';
import { listReadMembers } from '../../../core/engine/item-selection.ts';
import { createHoldingSource } from '../../../core/engine/narrowed-source.ts';
import type { Call, Context, Handlers } from '../../../core/engine/operation.ts';
import type { ListCursor, ResourceRow } from '../../../core/engine/stored-row.ts';
import { listUnitsBelow, requireOrgUnit } from '../org-units/rows.ts';
import { ILLEGAL_TRANSITION, refuseTransition } from '../refusals.ts';
import { COLLECTIONS, defineCustomerCollection, generateDigits, requireCustomer, requireRow } from '../rows.ts';
import { createDeviceTest, listDevicePatterns } from './query.ts';
import { CHROME_QUERY_FIELDS, MOBILE_QUERY_FIELDS, type QueryFields } from './query-data.ts';
import {
  buildDeviceIndex,
  chromeRows,
  createDeviceSource,
  createOrgUnitSource,
  type DeviceOrder,
  type DeviceRows,
  findOwnOrder,
  getOrgUnitId,
  mobileRows,
  putDevice,
  removeOrderRows,
  requireChromeDevice,
  toChromeResource,
  toMobileResource,
  updateOrderRows,
} from './rows.ts';
import {
  applyWritableFields,
  CHROME_ACTIONS,
  type ChromeAction,
  readBatchAction,
  readChromeAction,
  readDeviceOrder,
  readSentOrgUnit,
  requireCommandRule,
  requireDeviceIds,
  requireMobileAction,
  requirePayload,
  WIPE_STATES,
} from './schemas.ts';

const CHROME_PAGE = { parameter: 'maxResults', default: 100, max: 300 } as const;
const MOBILE_PAGE = { parameter: 'maxResults', default: 100, max: 100 } as const;
/** Devices that are read at once where all are counted. */
const COUNT_BATCH = 1_000;
/** Org units below one that a list looks into. */
const MAX_LISTED_UNITS = 5_000;
/** google.rpc.Code of what can go wrong with one device of a batch. */
const RPC_NOT_FOUND = 5;
const RPC_FAILED_PRECONDITION = 9;
/** Digits of command ids: an int64. */
const COMMAND_ID_DIGITS = 18;

const chromeDevices: Collection = {
  name: COLLECTIONS.chromeDevices,
  schema: 'ChromeOsDevice',
  kind: 'admin#directory#chromeosdevice',
  listKind: 'admin#directory#chromeosdevices',
  items: 'chromeosdevices',
  page: CHROME_PAGE,
  find: (call, context) => requireChromeDevice(call, context),
  create: () => {
    throw new Error('Chrome devices enrol themselves: no method makes one');
  },
  change: buildChangedDevice,
  updated: (before, row, _call, context) => updateOrderRows(chromeRows, row.id, before.body, row.body, context),
  view: toChromeResource,
  parts: { orgUnitPath: ['orgUnit'], orgUnitId: ['orgUnit'] },
};

function buildChangedDevice(before: ResourceRow, sent: JsonObject, call: Call, context: Context) {
  const body = applyWritableFields(before.body, sent);
  const unit = readSentOrgUnit(call.body, getOrgUnitId(body), context);
  if (unit !== undefined) body['orgUnit'] = unit;
  return { body, ...buildDeviceIndex(chromeRows, body, getOrgUnitId(body)) };
}

const mobileDevices: Collection = {
  name: COLLECTIONS.mobileDevices,
  schema: 'MobileDevice',
  kind: 'admin#directory#mobiledevice',
  listKind: 'admin#directory#mobiledevices',
  items: 'mobiledevices',
  page: MOBILE_PAGE,
  find: defineCustomerCollection('customerId', (path, context) =>
    requireRow(COLLECTIONS.mobileDevices, path['resourceId'] ?? '', 'resourceId', context),
  ).find,
  create: () => {
    throw new Error('Mobile devices enrol themselves: no method makes one');
  },
  removed: ({ id }, _call, context) => removeOrderRows(mobileRows, id, context),
  view: toMobileResource,
  parts: {},
};

/** Chrome and mobile devices. */
export const handlers: Handlers = {
  ...defineCollectionHandlers(chromeDevices, {
    get: 'directory.chromeosdevices.get',
    patch: 'directory.chromeosdevices.patch',
    update: 'directory.chromeosdevices.update',
  }),
  'directory.chromeosdevices.list': listChromeDevices,
  'directory.chromeosdevices.action': handleChromeAction,
  'directory.chromeosdevices.moveDevicesToOu': moveDevicesToOu,
  'admin.customer.devices.chromeos.batchChangeStatus': changeChromeStatuses,
  'admin.customer.devices.chromeos.countChromeOsDevices': countChromeDevices,
  'admin.customer.devices.chromeos.issueCommand': issueCommand,
  'admin.customer.devices.chromeos.commands.get': getChromeCommand,
  ...defineCollectionHandlers(mobileDevices, {
    get: 'directory.mobiledevices.get',
    delete: 'directory.mobiledevices.delete',
  }),
  'directory.mobiledevices.list': listMobileDevices,
  'directory.mobiledevices.action': handleMobileAction,
};

function listChromeDevices(call: Call, context: Context): JsonObject {
  requireCustomer(call.path['customerId'] ?? '', context);
  const units = findOrgUnitIds(call, context);
  const size = readPageSize(call.query['maxResults'], CHROME_PAGE);
  const { order, descending } = readDeviceOrder(call);
  const isByUnit = units !== undefined && order === undefined;
  const matches = createChromeTest(call.query['query'], isByUnit ? undefined : units);
  const members = matches === undefined ? listReadMembers(chromeDevices, call) : undefined;
  const asked = { order, descending, members };
  const source = isByUnit
    ? createOrgUnitSource(units, context)
    : (createHeldSource(chromeRows, call.query['query'], CHROME_QUERY_FIELDS, asked, context) ??
      createDeviceSource(chromeRows, asked, context));
  return answerRowPage(chromeDevices, readRowPage(source, size, context, matches), call, context);
}

/** Devices that hold the texts of a query, where it has some, and few do. */
function createHeldSource(
  rows: DeviceRows,
  query: unknown,
  fields: QueryFields,
  { order, descending }: DeviceOrder,
  context: Context,
): RowSource | undefined {
  const by = findOwnOrder(rows, order);
  if (!isText(query) || query.trim() === '' || by === undefined) return undefined;
  const list = { collection: rows.collection, order: { by, descending } };
  return createHoldingSource(list, listDevicePatterns(query, fields), context);
}

function countChromeDevices(call: Call, context: Context): JsonObject {
  requireCustomer(call.path['customerId'] ?? '', context);
  const units = findOrgUnitIds(call, context);
  const matches = createChromeTest(call.query['filter'], undefined);
  if (units === undefined && matches === undefined) {
    return { count: String(context.store.count(COLLECTIONS.chromeDevices, '')) };
  }
  const source =
    units === undefined
      ? createDeviceSource(chromeRows, { descending: false }, context)
      : createOrgUnitSource(units, context);
  return { count: String(countMatches(source, matches ?? (() => true))) };
}

/** Ends by the store's own limit of statements. */
function countMatches(source: RowSource, matches: (row: ResourceRow) => boolean): number {
  let sum = 0;
  let after: ListCursor | undefined;
  for (;;) {
    const batch = source(after, COUNT_BATCH);
    sum += batch.filter(({ row }) => matches(row)).length;
    after = batch.at(-1)?.cursor;
    if (batch.length < COUNT_BATCH || after === undefined) return sum;
  }
}

function createChromeTest(
  query: unknown,
  units: readonly string[] | undefined,
): ((row: ResourceRow) => boolean) | undefined {
  const isDevice = isText(query) && query.trim() !== '' ? createDeviceTest(query, CHROME_QUERY_FIELDS) : undefined;
  const within = units && new Set(units);
  if (isDevice === undefined && within === undefined) return undefined;
  return ({ body }) => (within?.has(getOrgUnitId(body) ?? '') ?? true) && (isDevice?.(body) ?? true);
}

/** The ids of the org units that are asked for, in order; undefined for all. */
function findOrgUnitIds({ query }: Call, context: Context): string[] | undefined {
  const { orgUnitPath, includeChildOrgunits } = query;
  if (!isText(orgUnitPath) || orgUnitPath === '') {
    if (includeChildOrgunits === true) throw vendorRefusals.required('orgUnitPath');
    return undefined;
  }
  const unit = requireOrgUnit(orgUnitPath, context);
  if (includeChildOrgunits !== true) return [unit.id];
  return [unit.id, ...listUnitsBelow(unit, MAX_LISTED_UNITS, context).map(({ id }) => id)].toSorted();
}

function handleChromeAction(call: Call, context: Context): undefined {
  const device = requireChromeDevice(call, context, 'resourceId');
  requireMatch(device, call, context);
  const { name, reason } = readChromeAction(call);
  if (!applyChromeAction(device, name, reason, context)) throw refuseTransition();
}

function changeChromeStatuses(call: Call, context: Context): JsonObject {
  requireCustomer(call.path['customerId'] ?? '', context);
  const ids = requireDeviceIds(call);
  const { name, reason } = readBatchAction(call);
  const results = ids.map((id): JsonObject => {
    const device = context.store.get(COLLECTIONS.chromeDevices, '', id);
    if (device === undefined) return buildFailure(id, RPC_NOT_FOUND, 'Resource Not Found: deviceId');
    const isDone = applyChromeAction(device, name, reason, context);
    return isDone ? { deviceId: id, response: {} } : buildFailure(id, RPC_FAILED_PRECONDITION, ILLEGAL_TRANSITION);
  });
  return { changeChromeOsDeviceStatusResults: results };
}

/** All of them or none. */
function moveDevicesToOu(call: Call, context: Context): undefined {
  requireCustomer(call.path['customerId'] ?? '', context);
  const ids = requireDeviceIds(call);
  const path = call.query['orgUnitPath'];
  if (!isText(path) || path === '') throw vendorRefusals.required('orgUnitPath');
  const unit = requireOrgUnit(path, context);
  for (const id of ids) {
    const device = requireRow(COLLECTIONS.chromeDevices, id, 'deviceId', context);
    putDevice(chromeRows, device, { ...device.body, orgUnit: unit.id }, unit.id, context);
  }
}

/** @returns whether the device's state allowed it */
function applyChromeAction(
  device: ResourceRow,
  name: ChromeAction,
  reason: string | undefined,
  context: Context,
): boolean {
  const { from, to } = CHROME_ACTIONS[name];
  const status = getMember(device.body, 'status');
  if (!isText(status) || !from.includes(status)) return false;
  const body: JsonObject = { ...device.body, status: to };
  if (name === 'deprovision') {
    if (reason !== undefined) body['deprovisionReason'] = reason;
    body['lastDeprovisionTimestamp'] = new Date(context.now()).toISOString();
  }
  putDevice(chromeRows, device, body, getOrgUnitId(body), context);
  return true;
}

const buildFailure = (deviceId: string, code: number, message: string): JsonObject => ({
  deviceId,
  error: { code, message },
});

function issueCommand(call: Call, context: Context): JsonObject {
  const device = requireChromeDevice(call, context);
  const { commandType, payload } = call.body;
  const { type, rule } = requireCommandRule(commandType);
  if (getMember(device.body, 'status') !== 'ACTIVE') throw vendorRefusals.invalid('The device is not active');
  if (rule.kioskOnly === true && device.body['kiosk'] !== true) {
    throw vendorRefusals.invalid(`${type} is for devices in kiosk mode only`);
  }
  requirePayload(rule, payload);
  const commandId = generateDigits(context, COMMAND_ID_DIGITS);
  const body: JsonObject = {
    commandId,
    type,
    issueTime: new Date(context.now()).toISOString(),
    commandExpireTime: new Date(context.now() + rule.validMs).toISOString(),
    ...(isText(payload) && payload !== '' && { payload }),
  };
  context.store.insert({ collection: COLLECTIONS.chromeCommands, parent: device.id, id: commandId, body });
  return { commandId };
}

/** No device fetches commands here: one is PENDING until its time is over. */
function getChromeCommand(call: Call, context: Context): JsonObject {
  const device = requireChromeDevice(call, context);
  const row = context.store.get(COLLECTIONS.chromeCommands, device.id, call.path['commandId'] ?? '');
  if (row === undefined) throw vendorRefusals.notFound('commandId');
  const { commandExpireTime } = row.body;
  const isOver = isText(commandExpireTime) && Date.parse(commandExpireTime) <= context.now();
  return { ...row.body, state: isOver ? 'EXPIRED' : 'PENDING' };
}

function listMobileDevices(call: Call, context: Context): JsonObject {
  requireCustomer(call.path['customerId'] ?? '', context);
  const { order, descending } = readDeviceOrder(call);
  const { query } = call.query;
  const isMatch = isText(query) && query.trim() !== '' ? createDeviceTest(query, MOBILE_QUERY_FIELDS) : undefined;
  const members = isMatch === undefined ? listReadMembers(mobileDevices, call) : undefined;
  const asked = { order, descending, members };
  const source =
    createHeldSource(mobileRows, query, MOBILE_QUERY_FIELDS, asked, context) ??
    createDeviceSource(mobileRows, asked, context);
  const size = readPageSize(call.query['maxResults'], MOBILE_PAGE);
  const page = readRowPage(source, size, context, isMatch && (({ body }) => isMatch(body)));
  return answerRowPage(mobileDevices, page, call, context);
}

function handleMobileAction(call: Call, context: Context): undefined {
  const before = mobileDevices.find(call, context);
  requireMatch(before, call, context);
  const { from, to } = requireMobileAction(call);
  const status = getMember(before.body, 'status');
  const isAllowed = isText(status) && (from?.includes(status) ?? !WIPE_STATES.includes(status));
  if (!isAllowed) throw refuseTransition();
  putDevice(mobileRows, before, { ...before.body, status: to }, undefined, context);
}
