import {
  getMember,
  isObject,
  isText,
  type Json,
  type JsonObject,
  getTextList,
  parseJson,
} from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { MINUTE_MS, DAY_MS } from '../../../../lib/time.ts';
import type { Call, Context } from '../../../core/engine/operation.ts';
import { formatOrgUnitId, requireOrgUnit } from '../org-units/rows.ts';

/** What an administrator may write, with the longest text of each (discovery document). */
const WRITABLE: Readonly<Record<string, number>> = {
  annotatedUser: 100,
  annotatedLocation: 200,
  annotatedAssetId: 200,
  notes: 500,
};

/** A device after a write: of what is sent, only what an administrator may write counts. @throws Refusal 400 */
export function applyWritableFields(before: JsonObject, sent: JsonObject): JsonObject {
  const body: JsonObject = { ...before };
  for (const [name, maxChars] of Object.entries(WRITABLE)) {
    const value = getMember(sent, name);
    if (isText(value) && value.length > maxChars) throw vendorRefusals.invalidInput(name);
    if (value === undefined) delete body[name];
    else body[name] = value;
  }
  return body;
}

/**
 * The unit that a device is moved to: the path or the id that names another one than `present` counts, because who reads,
 * changes one and writes sends both. A device cannot be without an org unit: nothing sent leaves it where it is.
 * @throws Refusal 400 where both name others, and not the same
 */
export function readSentOrgUnit(sent: JsonObject, present: string | undefined, context: Context): string | undefined {
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

/** What can be done to a Chrome device. */
export type ChromeAction = 'deprovision' | 'disable' | 'reenable';

/** From which states an action works, and what it makes of the device. Nothing leads out of DEPROVISIONED: such a device is wiped and enrolled anew. */
export const CHROME_ACTIONS: Readonly<Record<ChromeAction, { from: readonly string[]; to: string }>> = {
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

/** The order that a list of devices is asked for. @throws Refusal 400 for a direction without one */
export function readDeviceOrder({ query }: Call): { order: string | undefined; descending: boolean } {
  const { orderBy, sortOrder } = query;
  const order = isText(orderBy) && orderBy !== '' ? orderBy : undefined;
  const descending = sortOrder === 'DESCENDING';
  if (order === undefined && descending) throw vendorRefusals.invalidInput('sortOrder');
  return { order, descending };
}

/** The action that a body names, and the reason where it has one. @throws Refusal 400 */
export function readChromeAction({ body }: Call): { name: ChromeAction; reason: string | undefined } {
  const { action, deprovisionReason } = body;
  const name = requireChromeAction(action);
  const reason = isText(deprovisionReason) ? convertReason(deprovisionReason) : undefined;
  if (name === 'deprovision' && reason === undefined) throw vendorRefusals.required('deprovisionReason');
  if (reason === '') throw vendorRefusals.invalidInput('deprovisionReason');
  return { name, reason };
}

/** The action of a batch, and the reason where it has one. @throws Refusal 400 */
export function readBatchAction({ body }: Call): { name: ChromeAction; reason: string | undefined } {
  const { changeChromeOsDeviceStatusAction: action, deprovisionReason: reason } = body;
  if (!isText(action)) throw vendorRefusals.required('changeChromeOsDeviceStatusAction');
  const name = requireChromeAction(action.replace(BATCH_PREFIX, '').toLowerCase(), 'changeChromeOsDeviceStatusAction');
  const hasReason = isText(reason) && reason !== 'DEPROVISION_REASON_UNSPECIFIED';
  if (name === 'deprovision' && !hasReason) throw vendorRefusals.required('deprovisionReason');
  if (hasReason && (name !== 'deprovision' || !BATCH_REASONS.has(reason))) {
    throw vendorRefusals.invalidInput('deprovisionReason');
  }
  return { name, reason: hasReason ? reason : undefined };
}

/** @throws Refusal 400 for a word that is no action */
function requireChromeAction(action: Json | undefined, field = 'action'): ChromeAction {
  if (!isText(action) || action === '') throw vendorRefusals.required(field);
  if (!isChromeAction(action)) throw vendorRefusals.invalidInput(field);
  return action;
}

/** '' for a word that is no reason. */
const convertReason = (word: string): string => (Object.hasOwn(REASONS, word) ? (REASONS[word] ?? '') : '');

const isChromeAction = (text: string): text is ChromeAction => Object.hasOwn(CHROME_ACTIONS, text);

/** The devices that a batch names, each once. @throws Refusal 400 for none or too many */
export function requireDeviceIds({ body }: Call): string[] {
  const ids = getTextList(body, 'deviceIds');
  if (ids.length === 0) throw vendorRefusals.required('deviceIds');
  if (ids.length > MAX_BATCH_DEVICES) throw vendorRefusals.invalidInput('deviceIds');
  return [...new Set(ids)];
}

type MobileAction = { from?: readonly string[]; to: string };

/** From which states an action works, and what it makes of the device; absent: from any but those that are wiped. */
const MOBILE_ACTIONS: Readonly<Record<string, MobileAction>> = {
  approve: { to: 'APPROVED' },
  block: { to: 'BLOCKED' },
  admin_remote_wipe: { to: 'WIPING' },
  admin_account_wipe: { to: 'ACCOUNT_WIPING' },
  cancel_remote_wipe_then_activate: { from: ['WIPING', 'ACCOUNT_WIPING'], to: 'APPROVED' },
  cancel_remote_wipe_then_block: { from: ['WIPING', 'ACCOUNT_WIPING'], to: 'BLOCKED' },
};
/** A device of these is wiped, or waits to be: only a cancelled wipe leads back. */
export const WIPE_STATES = ['WIPING', 'ACCOUNT_WIPING', 'WIPED', 'ACCOUNT_WIPED'];

/** @throws Refusal 400 for a word that is no action */
export function requireMobileAction({ body }: Call): MobileAction {
  const { action } = body;
  if (!isText(action) || action === '') throw vendorRefusals.required('action');
  const known = Object.hasOwn(MOBILE_ACTIONS, action) ? MOBILE_ACTIONS[action] : undefined;
  if (known === undefined) throw vendorRefusals.invalidInput('action');
  return known;
}

/** What a command needs, and how long a device may fetch it. */
export type CommandRule = {
  /** Only a device in kiosk mode takes it. */
  kioskOnly?: true;
  /** `none`: a payload is refused. Otherwise a JSON object, which the rule judges. */
  payload: 'none' | 'optional' | 'required';
  isPayload?: (payload: JsonObject) => boolean;
  validMs: number;
};

/** A command that no device fetched in this time is dead; wipes wait for a lost device to come back. */
const COMMAND_MS = 10 * MINUTE_MS;
const WIPE_MS = 180 * DAY_MS;
const MAX_VOLUME = 100;
const MAX_REBOOT_DELAY_S = 300;
const MAX_PAYLOAD_CHARS = 4_096;

/** What each command needs (discovery document, "commandType" and "payload"). */
const COMMANDS: Readonly<Record<string, CommandRule>> = {
  REBOOT: {
    payload: 'optional',
    isPayload: (payload) => isWithin(payload['user_session_delay_seconds'], MAX_REBOOT_DELAY_S),
    validMs: COMMAND_MS,
  },
  TAKE_A_SCREENSHOT: { kioskOnly: true, payload: 'none', validMs: COMMAND_MS },
  SET_VOLUME: {
    kioskOnly: true,
    payload: 'required',
    isPayload: (payload) => isWithin(payload['volume'], MAX_VOLUME),
    validMs: COMMAND_MS,
  },
  WIPE_USERS: { payload: 'none', validMs: WIPE_MS },
  REMOTE_POWERWASH: { payload: 'none', validMs: WIPE_MS },
  DEVICE_START_CRD_SESSION: { payload: 'optional', validMs: COMMAND_MS },
  CAPTURE_LOGS: { kioskOnly: true, payload: 'none', validMs: COMMAND_MS },
  FETCH_CRD_AVAILABILITY_INFO: { payload: 'none', validMs: COMMAND_MS },
  FETCH_SUPPORT_PACKET: { payload: 'optional', validMs: COMMAND_MS },
};

/** What a command of this type needs. @throws Refusal 400 */
export function requireCommandRule(commandType: Json | undefined): { type: string; rule: CommandRule } {
  if (!isText(commandType) || commandType === '') throw vendorRefusals.required('commandType');
  const rule = Object.hasOwn(COMMANDS, commandType) ? COMMANDS[commandType] : undefined;
  if (rule === undefined) throw vendorRefusals.invalidInput('commandType');
  return { type: commandType, rule };
}

/** @throws Refusal 400 for a payload that is missing, that is none, or that the command does not take */
export function requirePayload({ payload: need, isPayload }: CommandRule, sent: Json | undefined): void {
  if (!isText(sent) || sent === '') {
    if (need === 'required') throw vendorRefusals.required('payload');
    return;
  }
  const parsed = need === 'none' ? undefined : parseJsonObject(sent);
  if (parsed === undefined || isPayload?.(parsed) === false) throw vendorRefusals.invalidInput('payload');
}

function parseJsonObject(text: string): JsonObject | undefined {
  const value = text.length > MAX_PAYLOAD_CHARS ? undefined : parseJson(text);
  return isObject(value) ? value : undefined;
}

const isWithin = (value: unknown, max: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
