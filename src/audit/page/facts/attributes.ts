import { countHeld } from './embeds.ts';
import {
  buildElementPlace,
  getAttribute,
  hasListRoom,
  splitAttributeTokens,
  toAbsolutePageUrl,
  type ElementCollector,
  type Frame,
  type PageReadState,
} from './state.ts';
import { PAGE_LIMITS } from './page-facts.ts';

/** What an element's attributes say beside its name: ARIA, includes, captcha widgets and data: URIs, in one round over them. */
export const recordExtras: ElementCollector = (reading, frame) => {
  let aria = frame.attributes['role'] !== undefined;
  for (const name in frame.attributes) {
    const value = frame.attributes[name] ?? '';
    if (value.length >= MIN_DATA_URI_CHARS && value.includes('data:'))
      reading.inlineChars.dataUri += countDataUriChars(value);
    // Nearly all attributes are `class`, `href`, `src` and `style`: their first letter rules them out.
    if (!'adhnw'.includes(name.charAt(0))) continue;
    aria ||= name.startsWith('aria-');
    INCLUDES.get(name)?.(reading, frame, name);
  }
  if (frame.attributes['data-sitekey'] !== undefined) recordWidget(reading, frame);
  if (INCLUDE_ELEMENTS.has(frame.name)) recordInclude(reading, frame, frame.name, getAttribute(frame, 'src'));
  return aria ? recordAria(reading, frame) : undefined;
};

/** Notes role and ARIA attributes; the text of a tab panel is measured when it closes. */
export function recordAria(reading: PageReadState, frame: Frame): (() => void) | undefined {
  const role = getAttribute(frame, 'role').trim().toLowerCase();
  const [first = ''] = splitAttributeTokens(role);
  if (hasListRoom(reading, 'aria')) {
    const attributes = Object.keys(frame.attributes).filter((name) => name.startsWith('aria-'));
    reading.aria.push({
      tag: frame.name,
      role,
      attributes: Object.fromEntries(attributes.map((name) => [name, getAttribute(frame, name)])),
      line: frame.line,
    });
  }
  if (first === '') return undefined;
  countRole(reading, first.slice(0, PAGE_LIMITS.labelChars));
  if (first === 'main') endPreamble(reading, frame);
  return first === 'tabpanel' ? openTabPanel(reading, frame) : undefined;
}

function countRole(reading: PageReadState, role: string): void {
  const known = reading.roles.get(role);
  if (known === undefined && reading.roles.size >= PAGE_LIMITS.roles) {
    reading.capped.add('roles');
    return;
  }
  reading.roles.set(role, (known ?? 0) + 1);
}

function openTabPanel(reading: PageReadState, frame: Frame): (() => void) | undefined {
  if (!hasListRoom(reading, 'tabPanels')) return undefined;
  const entry = { ...buildElementPlace(frame), id: getAttribute(frame, 'id'), chars: 0, others: 0 };
  const { stream } = reading;
  reading.tabPanels.push(entry);
  const charsBefore = stream.shownChars + stream.hiddenChars;
  const othersBefore = countOthers(reading);
  return () => {
    entry.chars = stream.shownChars + stream.hiddenChars - charsBefore;
    entry.others = countOthers(reading) - othersBefore;
  };
}

function countOthers(reading: PageReadState): number {
  const { media, image } = countHeld(reading);
  return media + image + reading.controls.length;
}

/** The text before the first visible headline or main part is what a reader must get through first. */
export function endPreamble(reading: PageReadState, frame: Frame): void {
  if (frame.hidden === undefined || frame.hidden === 'aria-hidden') reading.preambleEnd ??= frame.from;
}

const WIDGETS = new Map([
  ['g-recaptcha', 'recaptcha'],
  ['h-captcha', 'hcaptcha'],
  ['cf-turnstile', 'turnstile'],
]);

function recordWidget(reading: PageReadState, frame: Frame): void {
  for (const name of splitAttributeTokens(getAttribute(frame, 'class'))) {
    const service = WIDGETS.get(name);
    if (service !== undefined) reading.captchas.add(service);
  }
}

/** Shorter ones are pixels and the like. */
const MIN_DATA_URI_CHARS = 40;

/** Characters of data: URIs in an attribute value or a style sheet; one that is quoted or in brackets ends where they do. */
export function countDataUriChars(value: string): number {
  if (/^\s{0,9}data:/i.test(value)) return value.trim().length;
  let chars = 0;
  let at = value.indexOf('data:');
  while (at !== -1) {
    const end = endOfUri(value, at);
    chars += end - at;
    at = value.indexOf('data:', Math.max(end, at + 5));
  }
  return chars;
}

function endOfUri(value: string, at: number): number {
  const before = at === 0 ? ' ' : (value[at - 1] ?? ' ');
  if (!/[\s"'(,]/.test(before) || !/[a-z;,]/i.test(value.charAt(at + 5))) return at;
  const closing = before === '(' ? ')' : before === '"' || before === "'" ? before : ' ';
  const end = value.indexOf(closing, at);
  return end === -1 ? value.length : end;
}

/** Elements that fetch what they show when the page is open. */
const INCLUDE_ELEMENTS = new Set(['turbo-frame', 'include-fragment', 'html-include', 'sl-include', 'wa-include']);

type Including = (reading: PageReadState, frame: Frame, name: string) => void;

/** An htmx request without a click: on load, when it comes into view, or after a time. */
const collectHtmxRequest: Including = (reading, frame, name) => {
  const trigger = getAttribute(frame, 'hx-trigger') || getAttribute(frame, 'data-hx-trigger');
  if (/\b(?:load|revealed|intersect|every)\b/.test(trigger.slice(0, 500)))
    recordInclude(reading, frame, name, getAttribute(frame, name));
};

const include: Including = (reading, frame, name) =>
  recordInclude(reading, frame, name, getAttribute(frame, name).replaceAll(/^['"]|['"]$/g, ''));

const INCLUDES: ReadonlyMap<string, Including> = new Map([
  ['hx-get', collectHtmxRequest],
  ['data-hx-get', collectHtmxRequest],
  ['w3-include-html', include],
  ['ng-include', include],
  ['data-ng-include', include],
  ['data-include', include],
]);

function recordInclude(reading: PageReadState, frame: Frame, how: string, raw: string): void {
  const path = raw.trim();
  // Without a dot or slash it names a variable or a flag of the page's own scripts, not a file.
  if (!/[./]/.test(path) || !hasListRoom(reading, 'includes')) return;
  reading.includes.push({ ...buildElementPlace(frame), how, url: toAbsolutePageUrl(reading, path) });
}
