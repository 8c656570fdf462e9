import type { Context } from '../../../core/engine/operation.ts';
import { isObject, isText, getMember, type Json, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import { isEmail } from '../keys.ts';
import { findOrgUnit, getOrgUnitRef } from '../org-units/org-unit-keys.ts';
import { PROFILE_FIELDS } from './fields-data.ts';

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
  if (new TextEncoder().encode(JSON.stringify(value)).length > maxBytes) return false;
  if (shape === 'object') return isObject(value);
  return Array.isArray(value) && value.every(isObject) && value.filter(isPrimary).length <= 1;
}

const isPrimary = (entry: Json): boolean => isObject(entry) && entry['primary'] === true;

/**
 * The org unit that a body names: its id without `id:`, and nothing for the root.
 * @throws Refusal 400 `Invalid Input: INVALID_OU_ID` for one that is not there
 */
export function resolveOrgUnitId(path: Json | undefined, context: Context): string | undefined {
  if (!isText(path) || path === '' || path === '/') return undefined;
  const unit = findOrgUnit(path, context);
  if (unit === undefined) throw vendorRefusals.invalidInput('INVALID_OU_ID');
  return getOrgUnitRef(unit);
}
