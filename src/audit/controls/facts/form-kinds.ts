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
