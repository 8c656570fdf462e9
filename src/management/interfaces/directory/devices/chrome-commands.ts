import type { Handler } from '../../../core/engine/operation.ts';
import { isObject, isText, getMember, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { requireChromeDevice } from './chrome-rows.ts';
import { COLLECTIONS } from '../collections.ts';
import { generateDigits } from '../keys.ts';

type CommandRule = {
  /** Only a device in kiosk mode takes it. */
  kioskOnly?: true;
  /** `none`: a payload is refused. Otherwise a JSON object, which the rule judges. */
  payload: 'none' | 'optional' | 'required';
  isPayload?: (payload: JsonObject) => boolean;
  validMs: number;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A command that no device fetched in this time is dead; wipes wait for a lost device to come back. */
const COMMAND_MS = 10 * MINUTE_MS;
const WIPE_MS = 180 * DAY_MS;
const MAX_VOLUME = 100;
const MAX_REBOOT_DELAY_S = 300;
const MAX_PAYLOAD_CHARS = 4_096;
/** Digits of command ids: an int64. */
const COMMAND_ID_DIGITS = 18;

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

export const issue: Handler = (call, context) => {
  const device = requireChromeDevice(call, context);
  const { commandType, payload } = call.body;
  if (!isText(commandType) || commandType === '') throw vendorRefusals.required('commandType');
  const rule = Object.hasOwn(COMMANDS, commandType) ? COMMANDS[commandType] : undefined;
  if (rule === undefined) throw vendorRefusals.invalidInput('commandType');
  if (getMember(device.body, 'status') !== 'ACTIVE') throw vendorRefusals.invalid('The device is not active');
  if (rule.kioskOnly === true && device.body['kiosk'] !== true) {
    throw vendorRefusals.invalid(`${commandType} is for devices in kiosk mode only`);
  }
  requirePayload(rule, payload);
  const commandId = generateDigits(context, COMMAND_ID_DIGITS);
  const body: JsonObject = {
    commandId,
    type: commandType,
    issueTime: new Date(context.now()).toISOString(),
    commandExpireTime: new Date(context.now() + rule.validMs).toISOString(),
    ...(isText(payload) && payload !== '' && { payload }),
  };
  context.store.insert({ collection: COLLECTIONS.chromeCommands, parent: device.id, id: commandId, body });
  return { commandId };
};

/** No device fetches commands here: one is PENDING until its time is over. */
export const getChromeCommand: Handler = (call, context) => {
  const device = requireChromeDevice(call, context);
  const row = context.store.get(COLLECTIONS.chromeCommands, device.id, call.path['commandId'] ?? '');
  if (row === undefined) throw vendorRefusals.notFound('commandId');
  const { commandExpireTime } = row.body;
  const isOver = isText(commandExpireTime) && Date.parse(commandExpireTime) <= context.now();
  return { ...row.body, state: isOver ? 'EXPIRED' : 'PENDING' };
};

function requirePayload({ payload: need, isPayload }: CommandRule, sent: Json | undefined): void {
  if (!isText(sent) || sent === '') {
    if (need === 'required') throw vendorRefusals.required('payload');
    return;
  }
  const parsed = need === 'none' ? undefined : parseJsonObject(sent);
  if (parsed === undefined || isPayload?.(parsed) === false) throw vendorRefusals.invalidInput('payload');
}

function parseJsonObject(text: string): JsonObject | undefined {
  if (text.length > MAX_PAYLOAD_CHARS) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // Not JSON: the caller refuses it.
  }
}

const isWithin = (value: unknown, max: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
