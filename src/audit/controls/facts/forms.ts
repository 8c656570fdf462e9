import type { ControlFacts, FormFacts, PageFacts } from '../../page/facts/page-facts.ts';

/** What a form is for, as far as its fields tell. `letter` is a newsletter or the like: an address and little else. */
export type FormKind = 'search' | 'letter' | 'other';

const BUTTONS = new Set(['submit', 'reset', 'button', 'image']);

export const isButton = ({ tag, type }: ControlFacts): boolean =>
  tag === 'button' || (tag === 'input' && BUTTONS.has(type));

/** Something a person fills in: no button, not hidden from everybody. */
export const isField = (control: ControlFacts): boolean => !isButton(control) && control.type !== 'hidden';

const SEARCH_NAMES =
  /^(?:q|qs|s|k|wd|query|search|search[-_]?(?:query|term|terms|text|word|words|key|keyword|string)|keywords?|find|suche|suchbegriff|recherche|buscar|busqueda|cerca|ricerca|pesquisa|zoek(?:en)?|szukaj|поиск)$/i;
const TEXT_TYPES = new Set(['text', 'search', 'textarea']);

/** A field for words to look for: by its type, or a text field by a name that says so. */
export const isSearchField = (control: ControlFacts): boolean =>
  control.type === 'search' || (TEXT_TYPES.has(control.type) && SEARCH_NAMES.test(control.name.trim()));

/** The fields of a form, by its place in `page.forms`. */
export const listFormFields = (page: PageFacts, form: number): readonly ControlFacts[] =>
  page.controls.filter((control) => control.form === form && isField(control));

/** Fields that a letter is not ordered with. */
const NO_LETTER = new Set(['password', 'textarea', 'file', 'date', 'datetime-local', 'number', 'search']);
const MAX_LETTER_FIELDS = 4;
const TICKS = new Set(['checkbox', 'radio']);

/** @param form its place in `page.forms`. */
export function classifyForm(page: PageFacts, form: number): FormKind {
  const fields = listFormFields(page, form).filter(({ type }) => !TICKS.has(type));
  if (fields.length > 0 && fields.length <= 2 && fields.some(isSearchField) && page.forms[form]?.method === 'get')
    return 'search';
  const mail = fields.some(({ type, name }) => type === 'email' || /e-?mail/i.test(name.slice(0, 60)));
  const small = fields.length <= MAX_LETTER_FIELDS && !fields.some(({ type }) => NO_LETTER.has(type));
  return mail && small ? 'letter' : 'other';
}

/** A form that the page itself can send; `method=dialog` closes a dialog and sends nothing. */
export const isSent = (form: FormFacts): boolean => form.method !== 'dialog';

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
const PERSONAL_INPUTS = new Set(['text', 'textarea', 'email', 'tel', 'search']);

/** Whether a field asks for an email address, telephone number, name or postal address, by its type or its name. */
export function isPersonal(control: ControlFacts): boolean {
  if (!isField(control)) return false;
  if (PERSONAL_TYPES.has(control.type)) return true;
  return (
    PERSONAL_INPUTS.has(control.type) &&
    [control.name, control.id].some((name) => PERSONAL.test(normaliseFieldName(name)))
  );
}

/** `billing[first_name]` and `billing-firstName` as `billingfirstname`. */
const normaliseFieldName = (name: string): string =>
  name
    .slice(0, 80)
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');

/** Words that name a change of state, as path segments, query keys and their values spell them. */
const VERBS =
  '(?:delete|remove|destroy|log[-_]?out|log[-_]?off|sign[-_]?out|unsubscribe|add[-_]?to[-_]?(?:cart|basket|bag))';
const SEGMENT = new RegExp(
  `^(?:${VERBS}|(?:delete|remove)[-_](?:item|account|user|product|post|comment|file|all))(?:\\.(?:php|aspx?|jsp|do|cgi))?$`,
  'i',
);
const KEY = new RegExp(`^(?:${VERBS}|(?:delete|remove)[-_](?:item|id|all))$`, 'i');
/** Query keys whose value says what is to be done. */
const ACTION_KEYS = new Set(['action', 'act', 'do', 'op', 'cmd', 'command', '_method', 'task']);

/** Places where such words are talked about rather than done. */
const TALKS_ABOUT =
  /\/(?:docs?|documentation|reference|api|apis|guides?|help|support|manual|man|learn|tutorials?|blog|news|articles?|wiki|kb|faqs?|glossary|examples?|changelog)(?:\/|$)/i;

/** Longer queries are not read to their end. */
const MAX_PARAMETERS = 50;

/** The word by which following a link would change something, in lower case; undefined when its address has none. */
export function findStateChangeWord(url: URL): string | undefined {
  if (!TALKS_ABOUT.test(url.pathname)) {
    const segment = url.pathname.split('/').find((part) => SEGMENT.test(part));
    if (segment !== undefined) return segment.toLowerCase();
  }
  let read = 0;
  for (const [key, value] of url.searchParams) {
    if (read >= MAX_PARAMETERS) return undefined;
    read += 1;
    if (KEY.test(key)) return key.toLowerCase();
    if (ACTION_KEYS.has(key.toLowerCase()) && KEY.test(value)) return value.toLowerCase();
  }
  return undefined;
}
