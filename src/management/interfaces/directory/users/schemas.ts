import { countUtf8Bytes } from '../../../../lib/utf8.ts';
import { getMember, getTextMember, isObject, isText, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { listDerivedAddresses } from '../customers/rows.ts';
import { getOrgUnitRef, requireOrgUnit } from '../org-units/rows.ts';
import { listAliases, requireOwnDomain } from '../rows.ts';
import { isEmail } from '../schemas.ts';
import { PROFILE_FIELDS } from './fields-data.ts';

/** What no body sets. Everything else of a stored user is what was written. */
export const SERVER_FIELDS = [
  'id',
  'isAdmin',
  'isDelegatedAdmin',
  'lastLoginTime',
  'creationTime',
  'deletionTime',
  'agreedToTerms',
  'customerId',
  'isMailboxSetup',
  'isEnrolledIn2Sv',
  'isEnforcedIn2Sv',
  'isGuestUser',
  'guestAccountInfo',
  'aliases',
  'nonEditableAliases',
  'orgUnitId',
  'thumbnailPhotoEtag',
  'thumbnailPhotoUrl',
] as const;

/**
 * A written body in the form it is stored in: judged, and without what is the server's to say.
 * @param primaries the primary address that the user has so far, and the one that it gets
 */
export function buildUserBody(written: JsonObject, primaries: readonly string[], context: Context): JsonObject {
  requireProfile(written);
  const { emails, customSchemas: _values, customFieldIds: _ids, orgUnitPath: _, ...rest } = written;
  const body = Object.fromEntries(Object.entries(rest).filter(([name]) => !isServerField(name)));
  return {
    ...body,
    ...(Array.isArray(emails) && {
      emails: selectExtraEmails(emails, [...primaries, ...listAliases(written)], context),
    }),
  };
}

const serverFields: ReadonlySet<string> = new Set(SERVER_FIELDS);
const isServerField = (name: string): boolean => serverFields.has(name);

/**
 * Of the `emails` in a written body, those that are kept as they were written. A user's own addresses are not: they are
 * shown from where they are kept, so that a user who is read and written back stays the same.
 * @param addresses all that the user has and gets, primary and alias
 */
function selectExtraEmails(emails: readonly Json[], addresses: readonly string[], context: Context): Json[] {
  const own = new Set(addresses.flatMap((address) => [address, ...listDerivedAddresses(address, context)]));
  return emails.filter(isObject).flatMap((sent) => {
    const entry = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'primary'));
    const address = getTextMember(entry, 'address').toLowerCase();
    return own.has(address) ? [] : [entry];
  });
}

const MAX_NAME_CHARS = 60;
const MAX_DISPLAY_NAME_CHARS = 256;
/** E.164: a plus sign and at most 15 digits. */
const E164 = /^\+[1-9][0-9]{1,14}$/;

/** Names with the full name made of them. @throws Refusal for names that are missing or too long */
export function buildUserName(body: JsonObject): JsonObject {
  const sent = getMember(body, 'name');
  const name = isObject(sent) ? sent : {};
  const givenName = requireNamePart(name, 'givenName', 'GivenName');
  const familyName = requireNamePart(name, 'familyName', 'FamilyName');
  const displayName = getMember(name, 'displayName');
  if (isText(displayName) && countChars(displayName) > MAX_DISPLAY_NAME_CHARS)
    throw vendorRefusals.invalidInput('displayName');
  const fullName = `${givenName} ${familyName}`.trim();
  return { givenName, familyName, fullName, ...(isText(displayName) && displayName !== '' && { displayName }) };
}

function requireNamePart(name: JsonObject, field: string, shown: string): string {
  const part = getMember(name, field);
  if (!isText(part) || part.trim() === '' || countChars(part) > MAX_NAME_CHARS) {
    throw vendorRefusals.invalid(`Invalid Given/Family Name: ${shown}`);
  }
  return part;
}

/** Unicode characters, as the vendor counts them. */
const countChars = (text: string): number => Array.from(text).length;

/** @throws Refusal for a list that is none, is too large, or names two first choices; or a recovery address that is none */
export function requireProfile(body: JsonObject): void {
  for (const [field, { shape, maxBytes }] of Object.entries(PROFILE_FIELDS)) {
    const value = getMember(body, field);
    if (value !== undefined && !isValidField(value, shape, maxBytes)) throw vendorRefusals.invalidInput(field);
  }
  const { recoveryEmail, recoveryPhone } = body;
  if (isText(recoveryEmail) && recoveryEmail !== '' && !isEmail(recoveryEmail))
    throw vendorRefusals.invalidInput('recoveryEmail');
  if (isText(recoveryPhone) && recoveryPhone !== '' && !E164.test(recoveryPhone))
    throw vendorRefusals.invalidInput('recoveryPhone');
}

function isValidField(value: Json, shape: 'list' | 'object', maxBytes: number): boolean {
  if (countUtf8Bytes(JSON.stringify(value)) > maxBytes) return false;
  if (shape === 'object') return isObject(value);
  return Array.isArray(value) && value.every(isObject) && value.filter(isPrimary).length <= 1;
}

const isPrimary = (entry: Json): boolean => isObject(entry) && entry['primary'] === true;

/** An address for a user, in lower case. @throws Refusal for one that is none, or in no domain of the tenant */
export function requireNewAddress(address: Json | undefined, context: Context): string {
  if (!isText(address) || !isEmail(address)) throw vendorRefusals.invalidInput('primary_user_email');
  requireOwnDomain(address, context);
  return address.toLowerCase();
}

/**
 * The org unit that a body names: its id without `id:`, and nothing for the root.
 * @throws Refusal 400 `Invalid Input: INVALID_OU_ID` for one that is not there
 */
export const resolveOrgUnitId = (path: Json | undefined, context: Context): string | undefined =>
  !isText(path) || path === '' || path === '/' ? undefined : getOrgUnitRef(requireOrgUnit(path, context));

const MIN_PASSWORD_CHARS = 8;
const MAX_PASSWORD_CHARS = 100;
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/** What a hashed password looks like, by `hashFunction` (vendor's User resource: hex, or C crypt of DES, MD5, SHA-256, SHA-512). */
const HASHES: Readonly<Record<string, RegExp>> = {
  MD5: /^[0-9a-f]{32}$/i,
  'SHA-1': /^[0-9a-f]{40}$/i,
  crypt: /^(?:[./0-9A-Za-z]{13}|\$[156]\$(?:rounds=[0-9]{1,9}\$)?[./0-9A-Za-z]{0,16}\$[./0-9A-Za-z]{22,86})$/,
};

/**
 * The body without its password, which is looked at and thrown away: nothing here signs users in, so nothing of it is
 * kept (rule K7). @throws Refusal for a password that the vendor would not take
 */
export function withoutPassword(body: JsonObject): JsonObject {
  const { password, hashFunction, ...rest } = body;
  const isHashed = hashFunction !== undefined && hashFunction !== '' && hashFunction !== null;
  if (isHashed && !(isText(hashFunction) && Object.hasOwn(HASHES, hashFunction)))
    throw vendorRefusals.invalidInput('hashFunction');
  if (password === undefined) return rest;
  const fits = isHashed ? isText(password) && HASHES[hashFunction]?.test(password) === true : isPassword(password);
  if (!fits) throw vendorRefusals.invalid('Invalid Password');
  return rest;
}

const isPassword = (text: unknown): boolean =>
  isText(text) && text.length >= MIN_PASSWORD_CHARS && text.length <= MAX_PASSWORD_CHARS && PRINTABLE_ASCII.test(text);

const MAX_PHOTO_BYTES = 1_048_576;
/** URL-safe or plain Base64, padded with `=`, with the `*` of the vendor's description, or not at all. */
const BASE64 = /^[A-Za-z0-9+/_-]*[=*]{0,2}$/;
/** Of the first characters of the data so many are enough to tell the format. */
const HEAD_CHARS = 16;

/** Formats by their first bytes, in hex. */
const FORMATS = [
  { name: 'jpeg', magic: ['ffd8ff'] },
  { name: 'png', magic: ['89504e470d0a1a0a'] },
  { name: 'gif', magic: ['474946383761', '474946383961'] },
  { name: 'bmp', magic: ['424d'] },
  { name: 'tiff', magic: ['49492a00', '4d4d002a'] },
] as const;

/** The media type of a photo by its bytes. @throws Refusal for data that is no photo, too large, or not what it is said to be */
export function detectMimeType(photoData: string, said: unknown): string {
  const maxChars = Math.ceil(MAX_PHOTO_BYTES / 3) * 4;
  if (photoData.length > maxChars || !BASE64.test(photoData)) throw vendorRefusals.invalidInput('photoData');
  const head = toHex(photoData.slice(0, HEAD_CHARS));
  const format = FORMATS.find(({ magic }) => magic.some((bytes) => head.startsWith(bytes)));
  if (format === undefined) throw vendorRefusals.invalidInput('photoData');
  const isSaid = isText(said) && said !== '';
  if (isSaid && said.toLowerCase().replace('image/', '').replace('jpg', 'jpeg') !== format.name) {
    throw vendorRefusals.invalidInput('mimeType');
  }
  return `image/${format.name}`;
}

function toHex(base64: string): string {
  const plain = base64.replaceAll(/[=*]/g, '').replaceAll('-', '+').replaceAll('_', '/');
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain; // One character alone is no byte.
  return Array.from(atob(whole), (char) => (char.codePointAt(0) ?? 0).toString(16).padStart(2, '0')).join('');
}
