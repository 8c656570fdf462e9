import type { ControlFacts, FormFacts, PageFacts } from '../../page/facts/page-facts.ts';

/** What a form is for, as far as its fields tell. `letter` is a newsletter or the like: an address and little else. */
export type FormKind = 'search' | 'letter' | 'other';

const BUTTONS = new Set(['submit', 'reset', 'button', 'image']);

export const isButton = ({ tag, type }: ControlFacts): boolean =>
  tag === 'button' || (tag === 'input' && BUTTONS.has(type));

/** Something a person fills in: no button, not hidden from everybody. */
export const isField = (control: ControlFacts): boolean => !isButton(control) && control.type !== 'hidden';

/**
 * Whether a checkbox or radio without a label moves a menu or a slide, which style sheets do without a script: pictures beside it
 * are pressed, and it asks for nothing.
 */
export const isSwitch = ({ type, movesPage, labelSource }: ControlFacts): boolean =>
  TICKS.has(type) && movesPage === true && labelSource === 'none';

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

/** Why a form cannot be sent without scripts, or must not be sent as it is. */
export type FormFault = 'no_action' | 'nameless' | 'no_submit' | 'exposed';

/** Fields of what a person keeps to themselves or writes at length; in an address it is seen, stored and cut. */
const EXPOSED = new Set(['password', 'textarea', 'file']);
const SUBMITS = new Set(['submit', 'image']);

/**
 * What is wrong with a form, by its place in `page.forms`; `unused` for one without controls, and for one that only closes
 * a dialog.
 */
export function findFormFault(page: PageFacts, index: number): FormFault | 'unused' | undefined {
  const form = page.forms[index];
  const controls = page.controls.filter((control) => control.form === index);
  if (!form || form.method === 'dialog' || controls.length === 0) return 'unused';
  if (!hasAction(form)) return 'no_action';
  const fields = listFormFields(page, index);
  if (fields.length > 0 && controls.every(({ name }) => name.trim() === '')) return 'nameless';
  // A form of one text field is sent by the Enter key; of several only where a button sends it (HTML, 4.10.21.2).
  const buttons = controls.filter(isButton);
  const texts = fields.filter(({ type }) => !TICKS.has(type) && type !== 'select');
  if (texts.length > 1 && buttons.length > 0 && !buttons.some(({ type }) => SUBMITS.has(type))) return 'no_submit';
  return form.method === 'get' && fields.some(({ type }) => EXPOSED.has(type)) ? 'exposed' : undefined;
}

/** An action that leads somewhere: no fragment, no script, not empty. */
const hasAction = ({ action, rawAction }: FormFacts): boolean =>
  rawAction !== null && rawAction !== '' && !rawAction.startsWith('#') && /^https?:/i.test(action);

/** Fields that only a form which writes something has, outside any form. */
export const listLooseFields = (page: PageFacts): readonly ControlFacts[] =>
  page.controls.filter((control) => control.form === -1 && LOOSE.has(control.type));

const LOOSE = new Set(['textarea', 'password', 'email', 'tel']);

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
  /^(?:(?:your|my|contact|customer|billing|shipping|guest|booker|ihr|ihre|dein|deine|gast|kunden?|rechnungs?|liefer|votre|notre|tu|su|il(?:tuo)?|uw|seu|client)?(?:e?mail(?:address|adresse)?|(?:tele)?phone(?:number|no)?|tel|mobile(?:number|phone)?|(?:full|first|last|given|family|sur|middle)?name|[fl]name|(?:street|postal|home)?address(?:line)?[123]?|street|zip(?:code)?|post(?:al)?code|vorname|nachname|familienname|telefon(?:nummer)?|handy(?:nummer)?|mobilnummer|fon|strasse|str|adresse|anschrift|plz|postleitzahl|nom|prenom|nomcomplet|telephone|codepostal|courriel|nombre|apellidos?|correo(?:electronico)?|telefono|direccion|nome|cognome|indirizzo|naam|voornaam|achternaam|telefoon(?:nummer)?|imie|nazwisko|imienazwisko|morada|endereco|apelido|telefone)|user(?:e?mail|phone))$/;
const PERSONAL_TYPES = new Set(['email', 'tel']);
const PERSONAL_INPUTS = new Set(['text', 'textarea', 'email', 'tel', 'search']);

/** Whether a field asks for an email address, telephone number, name or postal address, by its type, its name or its label. */
export function isPersonal(control: ControlFacts): boolean {
  if (!isField(control)) return false;
  if (PERSONAL_TYPES.has(control.type)) return true;
  return (
    PERSONAL_INPUTS.has(control.type) &&
    [control.name, control.id, control.label].some((name) => PERSONAL.test(normaliseFieldName(name)))
  );
}

/** `billing[first_name]` and `billing-firstName` as `billingfirstname`; accents and remarks in brackets are left out. */
const normaliseFieldName = (name: string): string =>
  name
    .slice(0, 80)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\((?:required|optional|pflichtfeld|erforderlich|obligatoire|requis|obligatorio|opcional)\)/g, '')
    .replaceAll(/[^a-z\d]/g, '');
