import { getMember, getTextMember, isText, type JsonObject } from '../../lib/json.ts';
import { vendorRefusals } from '../../lib/refusal.ts';
import type { Context } from '../core/engine/operation.ts';
import { chromeRows, insertDevice, mobileRows } from '../interfaces/directory/devices/rows.ts';
import { requireOrgUnit, ROOT_PATH } from '../interfaces/directory/org-units/rows.ts';
import { COLLECTIONS, requireUser } from '../interfaces/directory/rows.ts';
import { putUser } from '../interfaces/directory/users/rows.ts';

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

const MAX_ASP_ID = 2_147_483_647;

/**
 * Puts an application password into a user's list: by itself none ever comes there, for they are made by people at the
 * vendor's account pages. The emulator's seed calls it. The password itself does not exist.
 * @param given an Asp. `codeId` is 1 to 2,147,483,647; times are Unix milliseconds, now and never used when absent
 * @returns its id
 * @throws Refusal for an unknown user, or an id that is none or that the user has already
 */
export function seedAsp(context: Context, userKey: string, given: JsonObject): number {
  const { codeId } = given;
  const isId = typeof codeId === 'number' && Number.isInteger(codeId) && codeId >= 1 && codeId <= MAX_ASP_ID;
  if (!isId) throw vendorRefusals.invalidInput('codeId');
  seed(context, COLLECTIONS.asps, userKey, String(codeId), {
    codeId,
    name: getTextMember(given, 'name'),
    creationTime: getTextMember(given, 'creationTime') || String(context.now()),
    lastTimeUsed: getTextMember(given, 'lastTimeUsed') || '0',
  });
  return codeId;
}

/**
 * Puts the token of an application into a user's list, as when the user had allowed it. There is no secret in it.
 * @param given a Token. `clientId` is required; `displayText` is the same when absent
 * @returns its client id
 * @throws Refusal for an unknown user, or an application that has a token of the user already
 */
export function seedToken(context: Context, userKey: string, given: JsonObject): string {
  const clientId = getTextMember(given, 'clientId');
  if (clientId === '') throw vendorRefusals.required('clientId');
  seed(context, COLLECTIONS.tokens, userKey, clientId, {
    clientId,
    displayText: getTextMember(given, 'displayText') || clientId,
    scopes: Array.isArray(given['scopes']) ? given['scopes'] : [],
    anonymous: given['anonymous'] === true,
    nativeApp: given['nativeApp'] === true,
  });
  return clientId;
}

/** Enrols a user in 2-step verification, which only the user can do at the vendor. @returns the user's id. @throws Refusal for an unknown user */
export function seedEnrolment(context: Context, userKey: string): string {
  const user = requireUser(userKey, context);
  return putUser(user, { ...user.body, isEnrolledIn2Sv: true }, context).id;
}

function seed(context: Context, collection: string, userKey: string, id: string, body: JsonObject): void {
  const { id: parent } = requireUser(userKey, context);
  const row = context.store.insert({ collection, parent, id, body: { ...body, userKey: parent } });
  if (row === undefined) throw vendorRefusals.duplicate();
}
