import { type ElementEdit, hasClosingTags, type PageEdit } from '../../../fixes/core/page-edits.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import type { RewriterElement } from '../../../fixes/files/html-rewriter.ts';
import { cleanSiteText } from '../../../fixes/files/safe-site.ts';
import { capitalise } from '../../../lib/text.ts';
import type { ControlFacts, PageFacts } from '../../page/facts/page-facts.ts';
import { buildLinkNamesEdit } from '../../page/fixes/link-edits.ts';
import { type AriaFault, listAriaFaults } from '../facts/aria.ts';

/** Takes out roles, attributes and references that mean nothing, and gives later elements of one id another. */
export const buildAriaEdit: PageEdit = ({ page }) => {
  if (!page) return undefined;
  const faults = listAriaFaults(page, !page.tooDeep);
  return faults.length === 0
    ? undefined
    : { elements: [...faults.flatMap(listFaultEdits), buildUniqueIdsEdit(faults)] };
};

/** Attribute names are the page's own words: only plain ones become a selector. */
const PLAIN_NAME = /^aria-[a-z]{1,40}$/;

function listFaultEdits({ kind, selector, detail }: AriaFault): readonly ElementEdit[] {
  if (kind === 'duplicate_id') return [];
  const isRole = kind === 'unknown_role' || kind === 'abstract_role';
  const named = kind === 'invalid_value' ? detail.split('=')[0] : selector.slice(selector.indexOf('[') + 1, -1);
  const name = isRole ? 'role' : (named ?? '');
  if (!isRole && !PLAIN_NAME.test(name)) return [];
  return [
    {
      selector: `[${name}]`,
      edit(element) {
        if (kind === 'unknown_attribute' || isFaultValue(element.getAttribute(name) ?? '', name, detail))
          element.removeAttribute(name);
      },
    },
  ];
}

/** Whether the value is the one of the fault, in any of the ways a fault writes it. */
function isFaultValue(value: string, name: string, detail: string): boolean {
  const plain = value.trim();
  const words = plain.split(/\s+/).join(' ').slice(0, 100);
  return (
    words === detail || value.toLowerCase().slice(0, 100) === detail || `${name}="${plain.slice(0, 100)}"` === detail
  );
}

function buildUniqueIdsEdit(faults: readonly AriaFault[]): ElementEdit {
  const twice = new Set(faults.filter(({ kind }) => kind === 'duplicate_id').map(({ detail }) => detail));
  const counts = new Map<string, number>();
  return {
    selector: twice.size === 0 ? '[id="sightline-no-such-id"]' : '[id]',
    edit(element) {
      const id = element.getAttribute('id') ?? '';
      if (!twice.has(id)) return;
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      if (count > 1) element.setAttribute('id', `${id}-${count}`);
    },
  };
}

const MAX_NAME_CHARS = 80;
const TAGS = ['input', 'select', 'textarea', 'button'];
const BUTTON_TYPES = new Set(['submit', 'reset', 'button', 'image']);

const isButton = ({ tag, type }: ControlFacts): boolean =>
  tag === 'button' || (tag === 'input' && BUTTON_TYPES.has(type));

/** One edit for all controls, which are counted together as the page facts count them. */
function onControls(
  page: PageFacts,
  edit: (element: RewriterElement, control: ControlFacts) => void,
): readonly ElementEdit[] {
  let order = 0;
  return TAGS.map((selector) => ({
    selector,
    edit(element) {
      const control = page.controls[order];
      order += 1;
      if (control) edit(element, control);
    },
  }));
}

/** Fields without a name get the placeholder's text or the words of their `name`. */
export const buildFieldNamesEdit: PageEdit = ({ page }) =>
  page && {
    elements: onControls(page, (element, control) => {
      const weak = control.labelSource === 'none' || control.labelSource === 'placeholder';
      if (!weak || control.hidden !== undefined || control.type === 'hidden' || isButton(control)) return;
      element.setAttribute('aria-label', buildFieldName(control));
    }),
  };

function buildFieldName({ label, labelSource, name, id, type }: ControlFacts): string {
  if (labelSource === 'placeholder') return cleanSiteText(label, MAX_NAME_CHARS) || formatSlot('fieldName');
  if (type === 'search') return 'Search';
  const words = (name || id)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_.[\]]+/g, ' ')
    .trim()
    .toLowerCase();
  if (!/^[a-z]{3,20}(?: [a-z]{2,20}){0,3}$/.test(words)) return formatSlot('fieldName');
  return cleanSiteText(capitalise(words), MAX_NAME_CHARS) || formatSlot('fieldName');
}

/** Buttons without a name ask for one; links are named by their targets. */
export const buildControlNamesEdit: PageEdit = (fixing) => {
  const { page } = fixing;
  if (!page) return undefined;
  const buttons = onControls(page, (element, control) => {
    if (isButton(control) && control.labelSource === 'none' && control.hidden === undefined)
      element.setAttribute('aria-label', formatSlot('buttonName'));
  });
  return { elements: [...buttons, ...(buildLinkNamesEdit(fixing)?.elements ?? [])] };
};

/** What a field is by its type or name, as HTML's autofill names it. The first that fits counts. */
const AUTOFILL: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/, 'email'],
  [/phone|mobile|\btel\b|telephone/, 'tel'],
  [/first ?name|given ?name|\bfname\b|vorname|prenom/, 'given-name'],
  [/last ?name|family ?name|sur ?name|\blname\b|nachname/, 'family-name'],
  [/organi[sz]ation|company|firma/, 'organization'],
  [/zip|post ?(?:al ?)?code|\bplz\b/, 'postal-code'],
  [/\bcity\b|town|\bort\b|ville/, 'address-level2'],
  [/country|land\b|pays/, 'country-name'],
  [/street|address ?(?:line ?)?1?\b|strasse|adresse/, 'street-address'],
  [/full ?name|your ?name|^name$/, 'name'],
  [/birth ?da(?:y|te)|\bdob\b/, 'bday'],
];

/** Fields for personal data carry the token that browsers and agents fill in by. */
export const buildAutocompleteEdit: PageEdit = ({ page }) =>
  page && {
    elements: onControls(page, (element, control) => {
      const token = findAutofillToken(control);
      if (token !== undefined && !AUTOFILL.some(([, known]) => control.autocomplete.split(' ').at(-1) === known))
        element.setAttribute('autocomplete', token);
    }),
  };

function findAutofillToken({ tag, type, name, id, label }: ControlFacts): string | undefined {
  if (tag === 'button' || BUTTON_TYPES.has(type) || ['hidden', 'search', 'checkbox', 'radio'].includes(type))
    return undefined;
  if (type === 'email' || type === 'tel') return type;
  const words = [name, id, label].map((text) =>
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll(/[-_.[\]]+/g, ' ')
      .trim()
      .toLowerCase(),
  );
  return AUTOFILL.find(([pattern]) => words.some((text) => pattern.test(text)))?.[1];
}

/** Elements that can become a button in place. */
const BOXES = ['div', 'span', 'i', 'em', 'b', 'strong'];
/** Share of other clickable things (table cells, list items, links by role) that a page may keep. */
const MAX_OTHERS = 0.05;

/** Clickable boxes become buttons, which the keyboard and every agent can press. */
export const buildNativeButtonsEdit: PageEdit = ({ page, source }) => {
  if (!page || !hasClosingTags(source, BOXES)) return undefined;
  const others = page.clickables.filter(({ tag, role }) => !BOXES.includes(tag) || role === 'link').length;
  const all = page.clickables.length + page.controls.length + page.anchors.length;
  if (others / all > MAX_OTHERS) return undefined;
  const selectors = BOXES.flatMap((tag) => [`${tag}[role="button"]`, `${tag}[onclick]`]);
  return { elements: selectors.map((selector) => ({ selector, edit: toButton })) };
};

function toButton(element: RewriterElement): void {
  if (element.tagName.toLowerCase() === 'button' || /^link$/i.test(element.getAttribute('role') ?? '')) return;
  element.tagName = 'button';
  element.setAttribute('type', 'button');
  element.removeAttribute('role');
  element.removeAttribute('tabindex');
}

const WEBMCP_NAMES: readonly (readonly [string, string])[] = [
  ['tool-name', 'toolname'],
  ['data-toolname', 'toolname'],
  ['data-tool-name', 'toolname'],
  ['tool-description', 'tooldescription'],
  ['data-tooldescription', 'tooldescription'],
  ['data-tool-description', 'tooldescription'],
  ['tool-param-description', 'toolparamdescription'],
  ['data-toolparamdescription', 'toolparamdescription'],
  ['data-tool-param-description', 'toolparamdescription'],
];

/** The attributes of declarative WebMCP under their right names, with a legal name and a description. */
export const buildWebMcpEdit: PageEdit = ({ page }) => {
  if (!page) return undefined;
  const taken = new Set<string>();
  return {
    elements: [
      ...WEBMCP_NAMES.map(([wrong, right]) => ({
        selector: `[${wrong}]`,
        edit(element: RewriterElement) {
          element.setAttribute(right, element.getAttribute(right) ?? element.getAttribute(wrong) ?? '');
          element.removeAttribute(wrong);
        },
      })),
      ...['form[toolname]', ...WEBMCP_NAMES.slice(0, 3).map(([wrong]) => `form[${wrong}]`)].map((selector) => ({
        selector,
        edit: (element: RewriterElement) => applyToolName(element, taken),
      })),
    ],
  };
};

function applyToolName(element: RewriterElement, taken: Set<string>): void {
  const written = element.getAttribute('toolname') ?? '';
  const legal = written
    .trim()
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .slice(0, 128);
  const name =
    legal === '' ? formatSlot('toolName') : taken.has(legal) ? `${legal.slice(0, 120)}_${taken.size + 1}` : legal;
  taken.add(name);
  if (name !== written) element.setAttribute('toolname', name);
  if ((element.getAttribute('tooldescription') ?? '').trim() === '')
    element.setAttribute('tooldescription', formatSlot('toolDescription'));
}
