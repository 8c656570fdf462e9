import { requireMatch } from '../../../core/engine/collection.ts';
import type { Call, Context, Handler } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { isText, getMember, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { requireChromeDevice, requireOrgUnit, putChromeDevice } from './chrome-rows.ts';
import { COLLECTIONS } from '../collections.ts';
import { requireCustomer } from '../keys.ts';

type ActionName = 'deprovision' | 'disable' | 'reenable';

/** From which states an action works, and what it makes of the device. Nothing leads out of DEPROVISIONED: such a device is wiped and enrolled anew. */
const ACTIONS: Readonly<Record<ActionName, { from: readonly string[]; to: string }>> = {
  deprovision: { from: ['ACTIVE', 'DISABLED'], to: 'DEPROVISIONED' },
  disable: { from: ['ACTIVE'], to: 'DISABLED' },
  reenable: { from: ['DISABLED'], to: 'ACTIVE' },
};

/** Reasons as the older method takes them, and as devices show them. */
const REASONS: Readonly<Record<string, string>> = {
  different_model_replacement: 'DEPROVISION_REASON_DIFFERENT_MODEL_REPLACEMENT',
  retiring_device: 'DEPROVISION_REASON_RETIRING_DEVICE',
  same_model_replacement: 'DEPROVISION_REASON_SAME_MODEL_REPLACEMENT',
  upgrade_transfer: 'DEPROVISION_REASON_UPGRADE_TRANSFER',
};
/** Reasons that a batch takes: all of the discovery document but the unspecified one. */
const BATCH_REASONS: ReadonlySet<string> = new Set([
  ...Object.values(REASONS),
  'DEPROVISION_REASON_UPGRADE',
  'DEPROVISION_REASON_DOMAIN_MOVE',
  'DEPROVISION_REASON_SERVICE_EXPIRATION',
  'DEPROVISION_REASON_OTHER',
  'DEPROVISION_REASON_NOT_REQUIRED',
  'DEPROVISION_REASON_REPAIR_CENTER',
]);

const BATCH_PREFIX = 'CHANGE_CHROME_OS_DEVICE_STATUS_ACTION_';
/** Devices that one batch may name (discovery document). */
const MAX_BATCH_DEVICES = 50;
/** google.rpc.Code of what can go wrong with one device of a batch. */
const RPC_NOT_FOUND = 5;
const RPC_FAILED_PRECONDITION = 9;

export const handleChromeAction: Handler = (call, context) => {
  const device = requireChromeDevice(call, context, 'resourceId');
  requireMatch(device, call, context);
  const { action, deprovisionReason } = call.body;
  const name = requireAction(action);
  const reason = isText(deprovisionReason) ? convertReason(deprovisionReason) : undefined;
  if (name === 'deprovision' && reason === undefined) throw vendorRefusals.required('deprovisionReason');
  if (reason === '') throw vendorRefusals.invalidInput('deprovisionReason');
  if (!apply(device, name, reason, context)) throw vendorRefusals.conditionNotMet('Illegal device state transition.');
  return undefined;
};

export const changeChromeStatuses: Handler = (call, context) => {
  requireCustomer(call.path['customerId'] ?? '', context);
  const ids = requireDeviceIds(call);
  const { changeChromeOsDeviceStatusAction: action, deprovisionReason: reason } = call.body;
  if (!isText(action)) throw vendorRefusals.required('changeChromeOsDeviceStatusAction');
  const name = requireAction(action.replace(BATCH_PREFIX, '').toLowerCase(), 'changeChromeOsDeviceStatusAction');
  const hasReason = isText(reason) && reason !== 'DEPROVISION_REASON_UNSPECIFIED';
  if (name === 'deprovision' && !hasReason) throw vendorRefusals.required('deprovisionReason');
  if (hasReason && (name !== 'deprovision' || !BATCH_REASONS.has(reason))) {
    throw vendorRefusals.invalidInput('deprovisionReason');
  }
  const results = ids.map((id): JsonObject => {
    const device = context.store.get(COLLECTIONS.chromeDevices, '', id);
    if (device === undefined) return buildFailure(id, RPC_NOT_FOUND, 'Resource Not Found: deviceId');
    const isDone = apply(device, name, hasReason ? reason : undefined, context);
    return isDone
      ? { deviceId: id, response: {} }
      : buildFailure(id, RPC_FAILED_PRECONDITION, 'Illegal device state transition.');
  });
  return { changeChromeOsDeviceStatusResults: results };
};

/** All of them or none. */
export const moveDevicesToOu: Handler = (call, context) => {
  requireCustomer(call.path['customerId'] ?? '', context);
  const ids = requireDeviceIds(call);
  const path = call.query['orgUnitPath'];
  if (!isText(path) || path === '') throw vendorRefusals.required('orgUnitPath');
  const unit = requireOrgUnit(path, context);
  for (const id of ids) {
    const device = context.store.get(COLLECTIONS.chromeDevices, '', id);
    if (device === undefined) throw vendorRefusals.notFound('deviceId');
    putChromeDevice(device, { ...device.body, orgUnit: unit.id }, context);
  }
  return undefined;
};

function requireDeviceIds({ body }: Call): string[] {
  const { deviceIds } = body;
  const ids = Array.isArray(deviceIds) ? deviceIds.filter(isText) : [];
  if (ids.length === 0) throw vendorRefusals.required('deviceIds');
  if (ids.length > MAX_BATCH_DEVICES) throw vendorRefusals.invalidInput('deviceIds');
  return [...new Set(ids)];
}

function requireAction(action: Json | undefined, field = 'action'): ActionName {
  if (!isText(action) || action === '') throw vendorRefusals.required(field);
  if (!isAction(action)) throw vendorRefusals.invalidInput(field);
  return action;
}

/** '' for a word that is no reason. */
const convertReason = (word: string): string => (Object.hasOwn(REASONS, word) ? (REASONS[word] ?? '') : '');

const isAction = (text: string): text is ActionName => Object.hasOwn(ACTIONS, text);

/** @returns whether the device's state allowed it */
function apply(device: ResourceRow, name: ActionName, reason: string | undefined, context: Context): boolean {
  const { from, to } = ACTIONS[name];
  const status = getMember(device.body, 'status');
  if (!isText(status) || !from.includes(status)) return false;
  const body: JsonObject = { ...device.body, status: to };
  if (name === 'deprovision') {
    if (reason !== undefined) body['deprovisionReason'] = reason;
    body['lastDeprovisionTimestamp'] = new Date(context.now()).toISOString();
  }
  putChromeDevice(device, body, context);
  return true;
}

const buildFailure = (deviceId: string, code: number, message: string): JsonObject => ({
  deviceId,
  error: { code, message },
});
