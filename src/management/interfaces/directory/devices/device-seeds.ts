import type { Context } from '../../../core/engine/operation.ts';
import { isText, getMember, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { chromeRows, requireOrgUnit } from './chrome-rows.ts';
import { insertDevice } from './device-rows.ts';
import { mobileRows } from './mobile-devices.ts';
import { ROOT_PATH } from '../org-units/org-unit-keys.ts';

/** Makers and models that seeded devices take turns with. */
const CHROME_MODELS = ['Acer Chromebook 314', 'HP Chromebook 14', 'Lenovo 100e', 'ASUS Chromebox 4'];
const MOBILES = [
  { type: 'ANDROID', os: 'Android 16', model: 'Pixel 9', brand: 'google', manufacturer: 'Google' },
  { type: 'IOS_SYNC', os: 'iOS 19.1', model: 'iPhone 17', brand: 'apple', manufacturer: 'Apple' },
];
const CHROME_ID_BYTES = 16;
const MOBILE_ID_BYTES = 24;
const SERIAL_BYTES = 5;
const MAC_BYTES = 6;

/**
 * Enrols a Chrome device, as the device itself would: there is no method for it. Members of `given` are used as they
 * are; the rest is generated. `orgUnitPath` places it (the root otherwise); `kiosk: true` enrols it as a kiosk.
 * @returns the device's id
 * @throws Refusal 409 for an id that is taken, 400 for an org unit that does not exist
 */
export function seedChromeDevice(context: Context, given: JsonObject = {}): string {
  const { orgUnitPath, orgUnitId: _derived, ...sent } = given;
  const unit = requireOrgUnit(isText(orgUnitPath) && orgUnitPath !== '' ? orgUnitPath : ROOT_PATH, context);
  const nowIso = new Date(context.now()).toISOString();
  const serial = context.random(SERIAL_BYTES);
  const body: JsonObject = {
    deviceId: formatUuid(context.random(CHROME_ID_BYTES)),
    serialNumber: serial.toUpperCase(),
    status: 'ACTIVE',
    lastSync: nowIso,
    firstEnrollmentTime: nowIso,
    lastEnrollmentTime: nowIso,
    model: pick(CHROME_MODELS, serial),
    osVersion: '142.0.7444.59',
    platformVersion: '16433.41.0 (Official Build) stable-channel',
    firmwareVersion: 'Google_Volteer.13672.447.0',
    bootMode: 'Verified',
    macAddress: context.random(MAC_BYTES),
    ...sent,
    orgUnit: unit.id,
  };
  const deviceId = requireTextMember(body, 'deviceId');
  if (insertDevice(chromeRows, deviceId, body, unit.id, context) === undefined) throw vendorRefusals.duplicate();
  return deviceId;
}

/**
 * Enrols a mobile device, as its owner's sign-in would. Members of `given` are used as they are; the rest is generated.
 * @returns its resource id
 * @throws Refusal 409 for an id that is taken
 */
export function seedMobileDevice(context: Context, given: JsonObject = {}): string {
  const nowIso = new Date(context.now()).toISOString();
  const serial = context.random(SERIAL_BYTES);
  const owner = `owner-${serial}@${context.tenant.domain}`;
  const body: JsonObject = {
    resourceId: context.random(MOBILE_ID_BYTES),
    deviceId: context.random(CHROME_ID_BYTES),
    serialNumber: serial.toUpperCase(),
    name: [`Owner ${serial}`],
    email: [owner],
    status: 'APPROVED',
    firstSync: nowIso,
    lastSync: nowIso,
    ...pick(MOBILES, serial),
    ...given,
  };
  const resourceId = requireTextMember(body, 'resourceId');
  if (insertDevice(mobileRows, resourceId, body, undefined, context) === undefined) throw vendorRefusals.duplicate();
  return resourceId;
}

/** One of a list, as the last hex digit says: the same serial number gets the same. */
function pick<T>(list: readonly T[], hex: string): T {
  const chosen = list[Number.parseInt(hex.slice(-1), 16) % list.length] ?? list[0];
  if (chosen === undefined) throw new Error('Nothing to choose from');
  return chosen;
}

const UUID_PARTS = [0, 8, 12, 16, 20, 32] as const;

const formatUuid = (hex: string): string =>
  UUID_PARTS.slice(1)
    .map((end, index) => hex.slice(UUID_PARTS[index], end))
    .join('-');

function requireTextMember(body: JsonObject, name: string): string {
  const value = getMember(body, name);
  if (!isText(value) || value === '') throw vendorRefusals.required(name);
  return value;
}
