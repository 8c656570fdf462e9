import { controlOpeners } from '../../controls/facts/page-controls.ts';
import { isQuestion } from '../../language/words.ts';
import { endPreamble, noteExtras } from './attributes.ts';
import { textOpeners } from './blocks.ts';
import { embedOpeners, noteSubresource } from './embeds.ts';
import { headOpeners } from './head.ts';
import type { Opener } from './opener.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import { noteSkipped } from './skipped.ts';
import {
  absolute,
  attribute,
  type Frame,
  hasRoom,
  isPixel,
  noteId,
  ownText,
  place,
  type Reading,
  tokens,
} from './state.ts';

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
const openItem: Opener = (reading, frame) => {
  const owner = reading.microdata[frame.item];
  const own = openScope(reading, frame);
  const names = attribute(frame, 'itemprop')
    .split(/\s+/)
    .filter((name) => name !== '');
  if (!owner || names.length === 0) return undefined;
  const value = own === undefined ? attributeValue(reading, frame) : '';
  const props = names
    .slice(0, Math.max(0, PAGE_LIMITS.microdataProps - owner.props.length))
    .map((name) => ({ name, value: value ?? '', ...(own === undefined ? {} : { item: own }) }));
  owner.props.push(...props);
  if (value !== undefined) return undefined;
  return () => {
    const text = ownText(reading, frame);
    for (const prop of props) prop.value = text;
  };
};

function openScope(reading: Reading, frame: Frame): number | undefined {
  if (frame.attributes['itemscope'] === undefined) return undefined;
  if (reading.microdata.length >= PAGE_LIMITS.microdataItems) {
    reading.capped.add('microdata');
    frame.item = -1;
    return undefined;
  }
  const types = attribute(frame, 'itemtype')
    .split(/\s+/)
    .filter((type) => type !== '');
  reading.microdata.push({ types, id: attribute(frame, 'itemid'), props: [], line: frame.line });
  frame.item = reading.microdata.length - 1;
  return frame.item;
}

function attributeValue(reading: Reading, frame: Frame): string | undefined {
  const url = URL_VALUES.get(frame.name);
  if (url !== undefined) return absolute(reading, attribute(frame, url));
  const plain = PLAIN_VALUES.get(frame.name) ?? 'content';
  return frame.attributes[plain] === undefined ? undefined : attribute(frame, plain).trim();
}

const COUNTED = new Set(
  (
    'article aside audio button canvas dialog embed figcaption figure footer form header hgroup iframe main nav noscript object picture ' +
    'section style svg table template video'
  ).split(' '),
);

/** Runs every collector that an element concerns and leaves its closers on the frame. */
export function openElement(reading: Reading, frame: Frame): void {
  if (COUNTED.has(frame.name)) reading.elements.set(frame.name, (reading.elements.get(frame.name) ?? 0) + 1);
  if (frame.skipped) {
    noteSkipped(reading, frame);
    return;
  }
  if (hasAttributes(frame)) for (const opener of GENERAL) run(opener, reading, frame);
  const own = openers.get(frame.name);
  if (own) run(own, reading, frame);
}

function run(opener: Opener, reading: Reading, frame: Frame): void {
  const closer = opener(reading, frame);
  if (closer) frame.closers.push(closer);
}

function hasAttributes(frame: Frame): boolean {
  for (const _ in frame.attributes) return true;
  return false;
}

const heading: Opener = (reading, frame) => {
  if (frame.name === 'h1') endPreamble(reading, frame);
  if (!hasRoom(reading, 'headings')) return undefined;
  const entry = {
    ...place(frame),
    level: Number(frame.name.slice(1)),
    text: '',
    order: reading.headings.length,
    question: false,
    id: attribute(frame, 'id'),
    sectionId: sectionId(reading),
  };
  const bounds = { from: frame.from, to: frame.from };
  reading.headings.push(entry);
  reading.headingBounds.push(bounds);
  return () => {
    entry.text = ownText(reading, frame);
    entry.question = isQuestion(entry.text);
    bounds.to = reading.stream.pieces.length;
  };
};

/** Elements looked at around a heading: its section, with a header or wrapper between them. */
const SECTION_REACH = 3;

/** The id of the section whose first heading opens now; a div counts only directly around it. */
function sectionId(reading: Reading): string {
  const around = reading.stack.slice(-SECTION_REACH).toReversed();
  const section = around.find(({ name, attributes, headings }, distance) => {
    const opens = name === 'section' || name === 'article' || (name === 'div' && distance === 0);
    return opens && headings === reading.headings.length && (attributes['id'] ?? '') !== '';
  });
  return section ? attribute(section, 'id') : '';
}

const anchor: Opener = (reading, frame) => {
  if (frame.attributes['href'] === undefined || !hasRoom(reading, 'anchors')) return undefined;
  const rawHref = attribute(frame, 'href');
  const rels = tokens(attribute(frame, 'rel'));
  const entry = {
    ...place(frame),
    href: absolute(reading, rawHref),
    rawHref,
    text: '',
    rels,
    type: attribute(frame, 'type'),
    inProse: frame.inProse,
  };
  reading.anchors.push(entry);
  const firstImage = reading.images.length;
  return () => {
    const alts = reading.images.slice(firstImage, firstImage + 5).map((image) => image.alt ?? '');
    const names = [
      ownText(reading, frame),
      attribute(frame, 'aria-label'),
      alts.join(' ').trim(),
      attribute(frame, 'title'),
    ];
    entry.text = (names.find((name) => name.trim() !== '') ?? '').trim().slice(0, PAGE_LIMITS.labelChars);
  };
};

const image: Opener = (reading, frame) => {
  if (!hasRoom(reading, 'images')) return;
  const alt =
    frame.attributes['alt'] === undefined ? null : attribute(frame, 'alt').trim().slice(0, PAGE_LIMITS.labelChars);
  const rawSrc = attribute(frame, 'src');
  const src = absolute(reading, rawSrc);
  if (rawSrc.trim() !== '') noteSubresource(reading, frame, src);
  reading.images.push({ ...place(frame), src, alt, decorative: isDecorative(frame) });
};

const DECORATIVE_ROLES = new Set(['presentation', 'none']);

/** By its role, or as a pixel that only counts visits. */
function isDecorative(frame: Frame): boolean {
  if (DECORATIVE_ROLES.has(frame.attributes['role']?.trim().toLowerCase() ?? '')) return true;
  return isPixel(frame);
}

const openers: ReadonlyMap<string, Opener> = new Map<string, Opener>([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, heading] as const),
  ['a', anchor],
  ['img', image],
  ['app-root', (reading, frame) => (hasAttributes(frame) ? undefined : noteAppRoot(reading, frame))],
  ...headOpeners,
  ...textOpeners,
  ...controlOpeners,
  ...embedOpeners,
  ['main', endPreamble],
]);

const noteRdfa: Opener = (reading, frame) => {
  const types = attribute(frame, 'typeof').trim();
  if (types !== '' && hasRoom(reading, 'rdfaTypes')) reading.rdfaTypes.push(types);
};

const SAYING = ['alt', 'title', 'aria-label', 'aria-description'] as const;

/** Shorter attribute texts are names of things; what they could tell a reader is in other facts. */
const MIN_SAYING_CHARS = 12;

const noteAttributes: Opener = (reading, frame) => {
  for (const name of SAYING) {
    if (frame.attributes[name] === undefined) continue;
    const text = attribute(frame, name).trim();
    if (text.length < MIN_SAYING_CHARS || !hasRoom(reading, 'attributeTexts')) continue;
    reading.attributeTexts.push({ attribute: name, tag: frame.name, text, line: frame.line });
  }
};

/** Notes text that is hidden by this very element, not by one around it. */
const noteHidden: Opener = (reading, frame) => {
  if (frame.hidden === undefined || frame.hidden === reading.stack.at(-1)?.hidden) return undefined;
  const how = frame.hidden;
  return () => {
    const text = ownText(reading, frame, PAGE_LIMITS.proseChars);
    if (text !== '' && hasRoom(reading, 'hiddenTexts'))
      reading.hiddenTexts.push({ text, how, tag: frame.name, line: frame.line });
  };
};

const ROOT_IDS = new Set(['root', 'app', '__next', '__nuxt', '___gatsby', 'svelte', 'app-root']);

/** More mount points than this say nothing new. */
const MAX_APP_ROOTS = 10;

const noteAppRoot: Opener = (reading, frame) => {
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

const noteClickable: Opener = (reading, frame) => {
  if (NATIVE.has(frame.name) || (frame.name === 'a' && frame.attributes['href'] !== undefined)) return undefined;
  const role = attribute(frame, 'role').trim().toLowerCase();
  const onclick = frame.attributes['onclick'] !== undefined;
  if (!onclick && role !== 'button' && role !== 'link') return undefined;
  if (!hasRoom(reading, 'clickables')) return undefined;
  const entry = { ...place(frame), tag: frame.name, role, tabindex: attribute(frame, 'tabindex'), onclick, text: '' };
  reading.clickables.push(entry);
  return () => {
    entry.text = ownText(reading, frame) || attribute(frame, 'aria-label');
  };
};

/** What concerns an element of any name; each needs an attribute to say something (`app-root` has its own row). */
const GENERAL: readonly Opener[] = [
  noteId,
  openItem,
  noteRdfa,
  noteAttributes,
  noteHidden,
  noteAppRoot,
  noteClickable,
  noteExtras,
];
