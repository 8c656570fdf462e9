import { controlOpeners } from '../../controls/facts/page-controls.ts';
import { isQuestion } from '../../language/words.ts';
import { endPreamble, recordExtras } from './attributes.ts';
import { textOpeners } from './blocks.ts';
import { embedOpeners, recordSubresource } from './embeds.ts';
import { headOpeners } from './head.ts';
import {
  buildElementPlace,
  type ElementCollector,
  extractElementText,
  type Frame,
  getAttribute,
  hasListRoom,
  isPixel,
  type PageReadState,
  recordId,
  splitAttributeTokens,
  toAbsolutePageUrl,
} from './state.ts';
import { openInnerNames, recordInnerName } from './inner-names.ts';
import { recordNamed } from './named.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import { recordSkipped } from './skipped.ts';

/** Attributes that hold the value of a property, by element (HTML, 5.2.4); others have their text. */
const URL_VALUES: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['link', 'href'],
  ['audio', 'src'],
  ['embed', 'src'],
  ['iframe', 'src'],
  ['img', 'src'],
  ['source', 'src'],
  ['track', 'src'],
  ['video', 'src'],
  ['object', 'data'],
]);
const PLAIN_VALUES: ReadonlyMap<string, string> = new Map([
  ['meta', 'content'],
  ['data', 'value'],
  ['meter', 'value'],
  ['time', 'datetime'],
]);

/** Starts an item at `itemscope` and adds `itemprop` to the item around it. */
const openItem: ElementCollector = (reading, frame) => {
  const owner = reading.microdata[frame.item];
  const own = openScope(reading, frame);
  const names = getAttribute(frame, 'itemprop')
    .split(/\s+/)
    .filter((name) => name !== '');
  if (!owner || names.length === 0) return undefined;
  const value = own === undefined ? extractAttributeValue(reading, frame) : '';
  const props = names
    .slice(0, Math.max(0, PAGE_LIMITS.microdataProps - owner.props.length))
    .map((name) => ({ name, value: value ?? '', ...(own === undefined ? {} : { item: own }) }));
  owner.props.push(...props);
  if (value !== undefined) return undefined;
  return () => {
    const text = extractElementText(reading, frame);
    for (const prop of props) prop.value = text;
  };
};

function openScope(reading: PageReadState, frame: Frame): number | undefined {
  if (frame.attributes['itemscope'] === undefined) return undefined;
  if (reading.microdata.length >= PAGE_LIMITS.microdataItems) {
    reading.capped.add('microdata');
    frame.item = -1;
    return undefined;
  }
  const types = getAttribute(frame, 'itemtype')
    .split(/\s+/)
    .filter((type) => type !== '');
  reading.microdata.push({ types, id: getAttribute(frame, 'itemid'), props: [], line: frame.line });
  frame.item = reading.microdata.length - 1;
  return frame.item;
}

function extractAttributeValue(reading: PageReadState, frame: Frame): string | undefined {
  const url = URL_VALUES.get(frame.name);
  if (url !== undefined) return toAbsolutePageUrl(reading, getAttribute(frame, url));
  const plain = PLAIN_VALUES.get(frame.name) ?? 'content';
  return frame.attributes[plain] === undefined ? undefined : getAttribute(frame, plain).trim();
}

const COUNTED = new Set(
  (
    'article aside audio button canvas dialog embed figcaption figure footer form header hgroup iframe main nav noscript object picture ' +
    'section style svg table template video'
  ).split(' '),
);

/** Runs every collector that an element concerns and leaves its closers on the frame. */
export function openElement(reading: PageReadState, frame: Frame): void {
  if (COUNTED.has(frame.name)) reading.elements.set(frame.name, (reading.elements.get(frame.name) ?? 0) + 1);
  if (frame.skipped) {
    recordSkipped(reading, frame);
    return;
  }
  if (hasAttributes(frame)) for (const opener of GENERAL) run(opener, reading, frame);
  const own = openers.get(frame.name);
  if (own) run(own, reading, frame);
}

function run(opener: ElementCollector, reading: PageReadState, frame: Frame): void {
  const closer = opener(reading, frame);
  if (closer) frame.closers.push(closer);
}

function hasAttributes(frame: Frame): boolean {
  for (const _ in frame.attributes) return true;
  return false;
}

const collectHeading: ElementCollector = (reading, frame) => {
  if (frame.name === 'h1') endPreamble(reading, frame);
  if (!hasListRoom(reading, 'headings')) return undefined;
  const entry = {
    ...buildElementPlace(frame),
    level: Number(frame.name.slice(1)),
    text: '',
    order: reading.headings.length,
    question: false,
    id: getAttribute(frame, 'id'),
    sectionId: findSectionId(reading),
  };
  const bounds = { from: frame.from, to: frame.from };
  reading.headings.push(entry);
  reading.headingBounds.push(bounds);
  return () => {
    entry.text = extractElementText(reading, frame);
    entry.question = isQuestion(entry.text);
    bounds.to = reading.stream.pieces.length;
  };
};

/** Elements looked at around a heading: its section, with a header or wrapper between them. */
const SECTION_REACH = 3;

/** The id of the section whose first heading opens now; a div counts only directly around it. */
function findSectionId(reading: PageReadState): string {
  const around = reading.stack.slice(-SECTION_REACH).toReversed();
  const section = around.find(({ name, attributes, headings }, distance) => {
    const opens = name === 'section' || name === 'article' || (name === 'div' && distance === 0);
    return opens && headings === reading.headings.length && (attributes['id'] ?? '') !== '';
  });
  return section ? getAttribute(section, 'id') : '';
}

const collectAnchor: ElementCollector = (reading, frame) => {
  if (frame.attributes['href'] === undefined || !hasListRoom(reading, 'anchors')) return undefined;
  const rawHref = getAttribute(frame, 'href');
  const rels = splitAttributeTokens(getAttribute(frame, 'rel'));
  const entry = {
    ...buildElementPlace(frame),
    href: toAbsolutePageUrl(reading, rawHref),
    rawHref,
    text: '',
    rels,
    type: getAttribute(frame, 'type'),
    inProse: frame.inProse,
  };
  reading.anchors.push(entry);
  const firstImage = reading.images.length;
  const closeNames = openInnerNames(reading, frame);
  return () => {
    const inner = closeNames();
    const alts = reading.images.slice(firstImage, firstImage + 5).map((image) => image.alt ?? '');
    const names = [
      extractElementText(reading, frame),
      getAttribute(frame, 'aria-label'),
      alts.join(' ').trim(),
      inner,
      getAttribute(frame, 'title'),
    ];
    entry.text = (names.find((name) => name.trim() !== '') ?? '').trim().slice(0, PAGE_LIMITS.labelChars);
  };
};

const collectImage: ElementCollector = (reading, frame) => {
  if (!hasListRoom(reading, 'images')) return;
  const alt =
    frame.attributes['alt'] === undefined ? null : getAttribute(frame, 'alt').trim().slice(0, PAGE_LIMITS.labelChars);
  const rawSrc = getAttribute(frame, 'src');
  const src = toAbsolutePageUrl(reading, rawSrc);
  if (rawSrc.trim() !== '') recordSubresource(reading, frame, src);
  reading.images.push({ ...buildElementPlace(frame), src, alt, decorative: isDecorative(frame) });
};

const DECORATIVE_ROLES = new Set(['presentation', 'none']);

/** By its role, or as a pixel that only counts visits. */
function isDecorative(frame: Frame): boolean {
  if (DECORATIVE_ROLES.has(frame.attributes['role']?.trim().toLowerCase() ?? '')) return true;
  return isPixel(frame);
}

const openers: ReadonlyMap<string, ElementCollector> = new Map<string, ElementCollector>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, collectHeading] as const),
  ['a', collectAnchor],
  ['img', collectImage],
  ['app-root', (reading, frame) => (hasAttributes(frame) ? undefined : recordAppRoot(reading, frame))],
  ...headOpeners,
  ...textOpeners,
  ...controlOpeners,
  ...embedOpeners,
  ['main', endPreamble],
]);

const recordRdfa: ElementCollector = (reading, frame) => {
  const types = getAttribute(frame, 'typeof').trim();
  if (types !== '' && hasListRoom(reading, 'rdfaTypes')) reading.rdfaTypes.push(types);
  const about = getAttribute(frame, 'about').trim();
  const isOfPage = types !== '' && about !== '' && toAbsolutePageUrl(reading, about) === reading.url.split('#')[0];
  if (isOfPage && hasListRoom(reading, 'rdfaPageTypes')) reading.rdfaPageTypes.push(types);
  const property = frame.name === 'meta' ? '' : getAttribute(frame, 'property').trim();
  if (property !== '' && hasListRoom(reading, 'rdfaProperties')) reading.rdfaProperties.push(property);
};

const SAYING = ['alt', 'title', 'aria-label', 'aria-description'] as const;

/** Shorter attribute texts are names of things; what they could tell a reader is in other facts. */
const MIN_SAYING_CHARS = 12;

const recordAttributes: ElementCollector = (reading, frame) => {
  for (const name of SAYING) {
    if (frame.attributes[name] === undefined) continue;
    const text = getAttribute(frame, name).trim();
    if (text.length < MIN_SAYING_CHARS || !hasListRoom(reading, 'attributeTexts')) continue;
    reading.attributeTexts.push({ attribute: name, tag: frame.name, text, line: frame.line });
  }
};

/** Notes text that is hidden by this very element, not by one around it. */
const recordHiddenText: ElementCollector = (reading, frame) => {
  if (frame.hidden === undefined || frame.hidden === reading.stack.at(-1)?.hidden) return undefined;
  const how = frame.hidden;
  return () => {
    const text = extractElementText(reading, frame, PAGE_LIMITS.proseChars);
    if (text !== '' && hasListRoom(reading, 'hiddenTexts'))
      reading.hiddenTexts.push({ text, how, tag: frame.name, line: frame.line });
  };
};

const ROOT_IDS = new Set(['root', 'app', '__next', '__nuxt', '___gatsby', 'svelte', 'app-root']);

/** More mount points than this say nothing new. */
const MAX_APP_ROOTS = 10;

const recordAppRoot: ElementCollector = (reading, frame) => {
  const id = frame.attributes['id'] ?? '';
  const byId = ROOT_IDS.has(id) ? `#${id}` : undefined;
  const byName = frame.name === 'app-root' ? 'app-root' : undefined;
  const marker = byId ?? byName ?? (frame.attributes['ng-version'] === undefined ? undefined : '[ng-version]');
  if (marker === undefined || reading.appRoots.length >= MAX_APP_ROOTS) return undefined;
  const entry = { marker, textChars: 0, line: frame.line };
  reading.appRoots.push(entry);
  const before = reading.stream.shownChars;
  return () => {
    entry.textChars = reading.stream.shownChars - before;
  };
};

const NATIVE = new Set('area body button details form html input label option select summary textarea'.split(' '));

/** How a handler is written in HTML: by HTML itself, and by the libraries that read it from there. */
const CLICK_HANDLERS = [
  'onclick',
  '@click',
  '@click.prevent',
  'v-on:click',
  'x-on:click',
  'ng-click',
  '(click)',
  'wire:click',
];

const recordClickable: ElementCollector = (reading, frame) => {
  if (NATIVE.has(frame.name) || (frame.name === 'a' && frame.attributes['href'] !== undefined)) return undefined;
  const role = getAttribute(frame, 'role').trim().toLowerCase();
  const onclick = CLICK_HANDLERS.some((name) => frame.attributes[name] !== undefined);
  if (!onclick && role !== 'button' && role !== 'link') return undefined;
  if (!hasListRoom(reading, 'clickables')) return undefined;
  const entry = {
    ...buildElementPlace(frame),
    tag: frame.name,
    role,
    tabindex: getAttribute(frame, 'tabindex'),
    onclick,
    text: '',
  };
  reading.clickables.push(entry);
  return () => {
    entry.text = extractElementText(reading, frame) || getAttribute(frame, 'aria-label');
  };
};

/** What concerns an element of any name; each needs an attribute to say something (`app-root` has its own row). */
const GENERAL: readonly ElementCollector[] = [
  recordId,
  openItem,
  recordRdfa,
  recordAttributes,
  recordHiddenText,
  recordAppRoot,
  recordClickable,
  recordNamed,
  recordInnerName,
  recordExtras,
];
