import { PAGE_LIMITS, type PageFacts, type Paragraph } from './page-facts.ts';
import { Parser } from 'htmlparser2';
import { countBlockText, createContentBlock, hasRoomForBlock, isContentBlock, readLinkKind } from './content-blocks.ts';
import { openElement } from './elements.ts';
import { finishPage } from './finish.ts';
import type { HiddenHow, Region } from './element-facts.ts';
import { findHiddenReason } from './hidden.ts';
import { readFilledAttributes, readFilledText } from './open-slots.ts';
import { capAttributes, capDepth, isVoidElement } from './parser-depth.ts';
import { hasNoscriptText, readInertText } from './skipped.ts';
import {
  createPageReadState,
  hasListRoom,
  splitAttributeTokens,
  type Attributes,
  type Frame,
  type PageReadState,
} from './state.ts';
import { addText, endBlock, endText } from './text.ts';

/**
 * Reads the facts of an HTML page in one streaming pass, linear in its size. Never throws for what a page holds:
 * anything is HTML to a browser. Whether it was served as HTML is the caller's question (`isHtml`).
 * @param html decoded text; `bodyBytes` its size on the wire; `url` the final URL, base of relative links.
 */
export function parsePage(html: string, from: { url: string; bodyBytes: number }): PageFacts {
  const page = readPage(html, from);
  const all = page.words < FEW_SHOWN_WORDS && page.hiddenChars > MANY_HIDDEN_CHARS;
  return all ? readPage(html, { ...from, showAll: true }) : page;
}

/** A page that hides nearly all of itself shows it by a script; readers without styles get the text. */
const FEW_SHOWN_WORDS = 20;
const MANY_HIDDEN_CHARS = 2000;

/** The content of the first meta with this name or property (lower case), or '' when there is none. */
export function getMetaContent(page: PageFacts, name: string): string {
  return page.metas.find((meta) => meta.name === name || meta.property === name)?.content ?? '';
}

/** First paragraph below a heading (by its `order`) and before the next one. */
export function findParagraphBelow(page: PageFacts, heading: number): Paragraph | undefined {
  return page.paragraphs.find((paragraph) => paragraph.heading === heading && paragraph.text !== '');
}

/** Where in the page's text its main content begins: its first lines together, since menus repeat a headline. */
export function findContentStart({ text, contentText }: Pick<PageFacts, 'text' | 'contentText'>): number {
  if (contentText === '') return 0;
  const lines = contentText.split('\n', FIRST_LINES);
  const together = text.indexOf(lines.join('\n').slice(0, SOUGHT_CHARS));
  if (together >= 0) return together;
  // A menu or a list of news may have the first line too: it is the one before the first sentences.
  const prose = contentText.split('\n', PROSE_LINES).find((line) => line.length >= MIN_PROSE_CHARS) ?? '';
  const proseAt = prose === '' ? -1 : text.indexOf(prose.slice(0, SOUGHT_CHARS));
  const first = (lines[0] ?? '').slice(0, SOUGHT_CHARS);
  const firstAt = proseAt < 0 ? text.indexOf(first) : text.lastIndexOf(first, proseAt);
  return Math.max(0, firstAt < 0 ? proseAt : firstAt);
}

const PROSE_LINES = 20;
const MIN_PROSE_CHARS = 80;

const FIRST_LINES = 3;

/** Enough to find a place by; a search for more costs its length times that of the page where both repeat one letter. */
const SOUGHT_CHARS = 300;

/** Elements whose content is no text of the page, and among them those that hold nothing a plain reader sees. */
const INERT = new Set(
  'iframe noembed noframes noscript script select style svg template textarea datalist title'.split(' '),
);
const SKIPPED = new Set('iframe noembed noframes noscript style svg template'.split(' '));

const SECTIONING = new Set('article aside main nav section'.split(' '));

/** Elements that hold running text: a link in them is part of what the page says. */
const PROSE = new Set('p li blockquote q dd td figcaption'.split(' '));

const ROLES: ReadonlyMap<string, Region> = new Map([
  ['main', 'main'],
  ['navigation', 'nav'],
  ['banner', 'header'],
  ['contentinfo', 'footer'],
  ['complementary', 'aside'],
]);

/** The element that opens now, with what it takes over from the element around it. */
function createFrame(
  reading: PageReadState,
  name: string,
  attributes: Attributes,
  { line, readable }: { line: number; readable: boolean },
): Frame {
  const parent = reading.stack.at(-1);
  const role = getRole(attributes);
  const region = findRegion(name, role, parent?.sectioned ?? false) ?? parent?.region ?? 'none';
  // A page that hides itself whole waits for a script or a font, and is read all the same.
  const ignored = reading.showAll || name === 'html' || name === 'body';
  const own = ignored ? undefined : findHiddenReason(attributes);
  const hidden = selectStrongestHiding(parent?.hidden, own);
  let block = parent?.block ?? -1;
  if (isContentBlock(name) && hasRoomForBlock(reading.blocks)) {
    const inQuote = parent?.name === 'blockquote';
    const place = { parent: block, region, hidden: hidden !== undefined && hidden !== 'aria-hidden', inQuote };
    block = reading.blocks.push(createContentBlock(name, attributes, place)) - 1;
  }
  return {
    name,
    attributes,
    line,
    region,
    sectioned: (parent?.sectioned ?? false) || SECTIONING.has(name),
    inProse: (parent?.inProse ?? false) || PROSE.has(name),
    hidden,
    block,
    inLink: name === 'a' ? readLinkKind(attributes['href'], reading.host) : (parent?.inLink ?? 'no'),
    inert: (parent?.inert ?? false) || (INERT.has(name) && !readable),
    skipped: (parent?.skipped ?? false) || (SKIPPED.has(name) && !readable),
    nosnippet: (parent?.nosnippet ?? false) || attributes['data-nosnippet'] !== undefined,
    item: parent?.item ?? -1,
    from: reading.stream.pieces.length,
    headings: reading.headings.length,
    closers: [],
  };
}

function getRole(attributes: Attributes): string {
  const role = attributes['role'];
  return role === undefined ? '' : (splitAttributeTokens(role.slice(0, PAGE_LIMITS.labelChars))[0] ?? '');
}

function findRegion(name: string, role: string, sectioned: boolean): Region | undefined {
  const byRole = ROLES.get(role);
  if (byRole) return byRole;
  if (name === 'main' || name === 'nav' || name === 'aside') return name;
  if (name !== 'header' && name !== 'footer') return undefined;
  return sectioned ? undefined : name;
}

/** A hidden ancestor hides for good; `aria-hidden` only gives way to what hides more. */
function selectStrongestHiding(outer: HiddenHow | undefined, own: HiddenHow | undefined): HiddenHow | undefined {
  if (outer === undefined || outer === 'aria-hidden') return own === undefined ? outer : own;
  return outer;
}

/** The one pass behind `parsePage`. */
export function readPage(html: string, from: { url: string; bodyBytes: number; showAll?: boolean }): PageFacts {
  const reading = createPageReadState(from.url);
  reading.showAll = from.showAll === true;
  const lineAt = createLineCounter(html);
  const isVoid = (name: string): boolean => isVoidElement(parser, name);
  let ignored = false;
  let elements = 0;
  const isFull = (): boolean => elements > PAGE_LIMITS.elements;
  const parser: Parser = new Parser({
    onopentagname(name) {
      elements += 1;
      const isTooDeep = reading.stack.length >= PAGE_LIMITS.depth && !isVoid(name);
      ignored = isTooDeep || isFull();
      reading.tooDeep ||= isTooDeep;
      if (isFull()) reading.capped.add('elements');
      else endText(reading.stream);
    },
    onopentag(name, attributes) {
      reading.tagStart = parser.startIndex;
      if (ignored) return;
      const readable = name === 'noscript' && !reading.inHead && hasNoscriptText(html, parser.endIndex + 1);
      open(reading, name, attributes, { line: lineAt(parser.startIndex), isVoid: isVoid(name), readable });
    },
    onclosetag(name, implied) {
      endText(reading.stream);
      if (isVoid(name)) return;
      // An element without an end tag of its own ends where the tag that closes it begins.
      reading.tagEnd = implied ? parser.startIndex : parser.endIndex + 1;
      close(reading);
    },
    ontext: (text) => readText(reading, text),
    oncomment(text) {
      if (hasListRoom(reading, 'comments')) reading.comments.push(text.slice(0, PAGE_LIMITS.proseChars));
    },
    onprocessinginstruction(name) {
      reading.doctype ||= name.toLowerCase() === '!doctype';
    },
  });
  // It is asked before `onopentagname` has counted the element.
  capDepth(parser, PAGE_LIMITS.depth, () =>
    elements >= PAGE_LIMITS.elements ? PAGE_LIMITS.depth : reading.stack.length,
  );
  capAttributes(parser, PAGE_LIMITS.attributes, () => reading.capped.add('attributes'));
  parser.end(html);
  endText(reading.stream);
  return finishPage(reading, { htmlChars: html.length, htmlBytes: from.bodyBytes });
}

/** Lines of ascending offsets, each newline visited once. */
function createLineCounter(html: string): (offset: number) => number {
  let line = 1;
  let next = html.indexOf('\n');
  return (offset) => {
    while (next !== -1 && next < offset) {
      line += 1;
      next = html.indexOf('\n', next + 1);
    }
    return line;
  };
}

const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section summary table tbody td tfoot th ' +
    'thead tr ul'
  ).split(' '),
);

const METADATA = new Set('base link meta noscript script style template title bgsound basefont'.split(' '));

function open(
  reading: PageReadState,
  name: string,
  attributes: Attributes,
  at: { line: number; isVoid: boolean; readable: boolean },
): void {
  if (name === 'head') reading.inHead = true;
  else if (reading.stack.at(-1)?.name === 'head' && !METADATA.has(name)) reading.inHead = false;
  if (BLOCKS.has(name)) endBlock(reading.stream);
  const frame = createFrame(reading, name, readFilledAttributes(reading, name, attributes, at.line), at);
  openElement(reading, frame);
  if (at.isVoid) for (const closer of frame.closers) closer();
  else reading.stack.push(frame);
}

function close(reading: PageReadState): void {
  const frame = reading.stack.pop();
  if (!frame) return;
  for (const closer of frame.closers) closer();
  if (frame.name === 'head') reading.inHead = false;
  if (BLOCKS.has(frame.name)) endBlock(reading.stream);
}

function readText(reading: PageReadState, written: string): void {
  const { raw } = reading;
  // The text of a script is code or data: what reads the data looks for slots itself.
  const text = reading.stack.at(-1)?.name === 'script' ? written : readFilledText(reading, written);
  if (raw) {
    const kept = text.slice(0, Math.max(0, raw.limit - raw.chars));
    raw.chars += text.length;
    if (kept !== '') raw.parts.push(kept);
    return;
  }
  const frame = reading.stack.at(-1);
  if (frame?.name === 'head' && text.trim() !== '') reading.inHead = false;
  if (frame?.inert) readInertText(reading, frame, text);
  if (reading.inHead || frame?.inert) return;
  const shown = frame?.hidden === undefined || frame.hidden === 'aria-hidden';
  const block = frame?.block ?? -1;
  const counted = reading.blocks[block];
  if (counted && shown) countBlockText(counted, text, frame?.inLink ?? 'no');
  addText(reading.stream, text, { shown, block, nosnippet: frame?.nosnippet ?? false });
}
