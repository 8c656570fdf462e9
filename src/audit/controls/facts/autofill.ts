import { isField } from './form-kinds.ts';
import type { ControlFacts } from '../../page/facts/page-facts.ts';

/** Autofill field names of HTML, section 4.10.18.7.1; those of `CONTACT` may say which address or number they mean. */
const FIELDS = new Set(
  (
    'name honorific-prefix given-name additional-name family-name honorific-suffix nickname username new-password ' +
    'current-password one-time-code organization-title organization street-address address-line1 address-line2 ' +
    'address-line3 address-level4 address-level3 address-level2 address-level1 country country-name postal-code cc-name ' +
    'cc-given-name cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type ' +
    'transaction-currency transaction-amount language bday bday-day bday-month bday-year sex url photo'
  ).split(' '),
);
const CONTACT = new Set(
  'tel tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp'.split(
    ' ',
  ),
);
const PLACES = new Set(['shipping', 'billing']);
const NUMBERS = new Set(['home', 'work', 'mobile', 'fax', 'pager']);

/**
 * Whether an `autocomplete` value names a field as HTML spells it: an optional `section-*`, `shipping` or
 * `billing`, for contact fields the kind of number, the field, and an optional `webauthn`. `on` and `off` name none.
 */
export function isAutofillToken(value: string): boolean {
  const words = value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.at(-1) === 'webauthn') words.pop();
  const field = words.pop() ?? '';
  if (!FIELDS.has(field) && !CONTACT.has(field)) return false;
  if (CONTACT.has(field) && NUMBERS.has(words.at(-1) ?? '')) words.pop();
  if (PLACES.has(words.at(-1) ?? '')) words.pop();
  if (words.at(-1)?.startsWith('section-') === true) words.pop();
  return words.length === 0;
}

/** Names of fields about the person who fills them in, without separators. Names of other things (`username`) are none. */
const PERSONAL =
  /^(?:(?:your|my|contact|customer|billing|shipping)?(?:e?mail(?:address)?|(?:tele)?phone(?:number)?|tel|mobile(?:number|phone)?|(?:full|first|last|given|family|sur|middle)?name|[fl]name|(?:street|postal|home)?address(?:line)?[123]?|street|zip(?:code)?|post(?:al)?code)|user(?:e?mail|phone)|vorname|nachname|telefon|strasse|plz|nom|prenom|nombre|apellidos?|correo|telefono)$/;
const PERSONAL_TYPES = new Set(['email', 'tel']);
const TEXT_TYPES = new Set(['text', 'textarea', 'email', 'tel', 'search']);

/** Whether a field asks for an email address, telephone number, name or postal address, by its type or its name. */
export function isPersonal(control: ControlFacts): boolean {
  if (!isField(control)) return false;
  if (PERSONAL_TYPES.has(control.type)) return true;
  return (
    TEXT_TYPES.has(control.type) && [control.name, control.id].some((name) => PERSONAL.test(normaliseFieldName(name)))
  );
}

/** `billing[first_name]` and `billing-firstName` as `billingfirstname`. */
const normaliseFieldName = (name: string): string =>
  name
    .slice(0, 80)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');
