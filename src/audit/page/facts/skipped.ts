import { countDataUriChars, recordAria } from './attributes.ts';
import { collectFrame as frameOpener, recordSubresource } from './embeds.ts';
import { recordInnerName, recordInnerText } from './inner-names.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import { type Frame, hasListRoom, type PageReadState, recordId, toAbsolutePageUrl } from './state.ts';
import { countWords, toOneLine } from '../../language/words.ts';

/**
 * Records what matters of elements whose content a plain reader never sees: the address of a frame, the text of a
 * `noscript`, the size of a drawing, and the ids and ARIA of what the rendered page contains all the same.
 */
export function recordSkipped(reading: PageReadState, frame: Frame): void {
  const inside = reading.stack.at(-1)?.skipped === true;
  if (frame.name === 'svg' && !reading.openSvg) openSvg(reading, frame, !inside);
  if (inside) {
    if (reading.openSvg?.live === true) recordId(reading, frame);
    return;
  }
  if (frame.name === 'template' || frame.name === 'style') return;
  if (frame.name === 'noscript') {
    openNoscript(reading, frame);
    return;
  }
  recordId(reading, frame);
  if (frame.name === 'iframe') frameOpener(reading, frame);
  if (hasAria(frame)) recordAria(reading, frame);
}

function hasAria(frame: Frame): boolean {
  for (const name in frame.attributes) if (name === 'role' || name.startsWith('aria-')) return true;
  return false;
}

function openSvg(reading: PageReadState, frame: Frame, live: boolean): void {
  const from = reading.tagStart;
  const said = live && frame.hidden === reading.stack.at(-1)?.hidden;
  reading.openSvg = { from, live, said };
  if (said) recordInnerName(reading, frame);
  frame.closers.push(() => {
    reading.openSvg = undefined;
    reading.inlineChars.svg += Math.max(0, reading.tagEnd - from);
  });
}

function openNoscript(reading: PageReadState, frame: Frame): void {
  if (!hasListRoom(reading, 'noscripts')) return;
  const open = { parts: [] as string[], chars: 0 };
  reading.openNoscript = open;
  frame.closers.push(() => {
    reading.openNoscript = undefined;
    const text = toOneLine(open.parts.join(' '));
    if (text !== '') reading.noscripts.push(text.slice(0, PAGE_LIMITS.attributeChars));
  });
}

/** A `noscript` of fewer words is a notice, a pixel or a second copy of an image. */
const NOSCRIPT_WORDS = 40;
/** A `noscript` is looked at this far. */
const NOSCRIPT_CHARS = 100_000;

/**
 * Whether a `noscript` holds text of the page, which readers without scripts see: enough words between its tags.
 * @param from where its content begins in the HTML.
 */
export function hasNoscriptText(html: string, from: number): boolean {
  const content = html.slice(from, from + NOSCRIPT_CHARS);
  const end = content.search(/<\/noscript/i);
  const text = content.slice(0, end < 0 ? undefined : end).replace(/<[^<>]{0,4000}>/g, ' ');
  return countWords(text.slice(0, NOSCRIPT_TEXT_CHARS)) >= NOSCRIPT_WORDS;
}
/** Enough to count the words in. */
const NOSCRIPT_TEXT_CHARS = 4000;

/** Style sheets and fonts that an inline style sheet loads: browsers treat them as parts of the page. */
const STYLE_LOADS =
  /@import\s{1,9}(?:url\(\s{0,9})?["']?([^\s"');]{1,2000})|@font-face\s{0,9}\{[^}]{0,2000}?url\(\s{0,9}["']?([^\s"')]{1,2000})/giu;
const MAX_STYLE_LOADS = 20;

function recordStyleImports(reading: PageReadState, frame: Frame, text: string): void {
  if (frame.skipped && reading.stack.some(({ name }) => name === 'template' || name === 'noscript')) return;
  if (!text.includes('@')) return;
  for (const [, sheet, font] of [...text.matchAll(STYLE_LOADS)].slice(0, MAX_STYLE_LOADS))
    recordSubresource(reading, frame, toAbsolutePageUrl(reading, sheet ?? font ?? ''));
}

const NO_TEXT = new Set(['script', 'iframe', 'template', 'svg', 'title']);

/** Text inside an inert element: kept of a `noscript`, measured of a style sheet. */
export function readInertText(reading: PageReadState, frame: Frame, text: string): void {
  if (frame.name === 'style') {
    recordStyleImports(reading, frame, text);
    if (!reading.openSvg) reading.inlineChars.dataUri += countDataUriChars(text);
    return;
  }
  if (frame.name === 'title' && reading.openSvg?.said === true) recordInnerText(reading, text);
  const { openNoscript: open } = reading;
  if (!open || NO_TEXT.has(frame.name) || open.chars > PAGE_LIMITS.attributeChars) return;
  open.parts.push(text);
  open.chars += text.length;
}
