import { dataUriChars, noteAria } from './attributes.ts';
import { frame as frameOpener } from './embeds.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import { type Frame, type Reading, hasRoom, noteId } from './state.ts';
import { oneLine } from '../../language/words.ts';

/**
 * Notes what matters of elements whose content a plain reader never sees: the address of a frame, the text of a
 * `noscript`, the size of a drawing, and the ids and ARIA of what stands in the rendered page all the same.
 */
export function noteSkipped(reading: Reading, frame: Frame): void {
  const inside = reading.stack.at(-1)?.skipped === true;
  if (frame.name === 'svg' && !reading.openSvg) openSvg(reading, frame, !inside);
  if (inside) {
    if (reading.openSvg?.live === true) noteId(reading, frame);
    return;
  }
  if (frame.name === 'template' || frame.name === 'style') return;
  if (frame.name === 'noscript') {
    openNoscript(reading, frame);
    return;
  }
  noteId(reading, frame);
  if (frame.name === 'iframe') frameOpener(reading, frame);
  if (hasAria(frame)) noteAria(reading, frame);
}

function hasAria(frame: Frame): boolean {
  for (const name in frame.attributes) if (name === 'role' || name.startsWith('aria-')) return true;
  return false;
}

function openSvg(reading: Reading, frame: Frame, live: boolean): void {
  const from = reading.tagStart;
  reading.openSvg = { from, live };
  frame.closers.push(() => {
    reading.openSvg = undefined;
    reading.inlineChars.svg += Math.max(0, reading.tagEnd - from);
  });
}

function openNoscript(reading: Reading, frame: Frame): void {
  if (!hasRoom(reading, 'noscripts')) return;
  const open = { parts: [] as string[], chars: 0 };
  reading.openNoscript = open;
  frame.closers.push(() => {
    reading.openNoscript = undefined;
    const text = oneLine(open.parts.join(' '));
    if (text !== '') reading.noscripts.push(text.slice(0, PAGE_LIMITS.attributeChars));
  });
}

const NO_TEXT = new Set(['script', 'iframe', 'template', 'svg', 'title']);

/** Text inside an inert element: kept of a `noscript`, measured of a style sheet. */
export function readInertText(reading: Reading, frame: Frame, text: string): void {
  if (frame.name === 'style') {
    if (!reading.openSvg) reading.inlineChars.dataUri += dataUriChars(text);
    return;
  }
  const { openNoscript: open } = reading;
  if (!open || NO_TEXT.has(frame.name) || open.chars > PAGE_LIMITS.attributeChars) return;
  open.parts.push(text);
  open.chars += text.length;
}
