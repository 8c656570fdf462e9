import { extractEmailDomain } from '../../../../lib/email.ts';
import { getTextMember, isObject, type JsonObject } from '../../../../lib/json.ts';
import { vendorRefusals } from '../../../../lib/refusal.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { isOwnDomain } from '../rows.ts';
import { isEmail, requireShortTexts } from '../schemas.ts';

/** Characters of a line of an address, and of other texts. */
const MAX_ADDRESS_CHARS = 255;
const ADDRESS_LINES = [
  'addressLine1',
  'addressLine2',
  'addressLine3',
  'contactName',
  'locality',
  'organizationName',
  'postalCode',
  'region',
];
const COUNTRY = /^[A-Z]{2}$/;
const LANGUAGE = /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}$/;
const PHONE = /^\+?[0-9][0-9 ().-]{2,30}$/;

/** @throws Refusal 400 for an address, language or telephone number of a customer that is none */
export function requireContact(body: JsonObject): void {
  const alternate = getTextMember(body, 'alternateEmail');
  const isOutside = isEmail(alternate) && extractEmailDomain(alternate) !== body['customerDomain'];
  if (alternate !== '' && !isOutside) throw vendorRefusals.invalidInput('alternateEmail');
  requireForm(body, 'language', LANGUAGE);
  requireForm(body, 'phoneNumber', PHONE);
  const { postalAddress } = body;
  if (!isObject(postalAddress)) return;
  if (getTextMember(postalAddress, 'countryCode') === '') throw vendorRefusals.required('postalAddress.countryCode');
  requireForm(postalAddress, 'countryCode', COUNTRY);
  requireShortTexts(postalAddress, Object.fromEntries(ADDRESS_LINES.map((line) => [line, MAX_ADDRESS_CHARS])));
}

function requireForm(body: JsonObject, name: string, form: RegExp): void {
  const value = getTextMember(body, name);
  if (value !== '' && !form.test(value)) throw vendorRefusals.invalidInput(name);
}

/** RFC 1035: a name of at most 253 characters with labels of at most 63, here at least two of them. */
const MAX_DOMAIN_CHARS = 253;
const MAX_LABEL_CHARS = 63;
const LABEL = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/;

/** A name that is neither a domain nor an alias of one yet, in lower case. @throws Refusal */
export function requireNewDomain(body: JsonObject, field: string, context: Context): string {
  const name = getTextMember(body, field).toLowerCase();
  if (!isDomain(name)) throw vendorRefusals.invalidInput(field);
  if (isOwnDomain(name, context)) throw vendorRefusals.duplicate();
  return name;
}

function isDomain(name: string): boolean {
  if (name.length > MAX_DOMAIN_CHARS) return false;
  const labels = name.split('.');
  return labels.length > 1 && labels.every((label) => label.length <= MAX_LABEL_CHARS && LABEL.test(label));
}
