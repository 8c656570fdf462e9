import { findFirstSlot, isSlot, removeSlots } from '../../../lib/slots.ts';
import type { PageFacts } from './page-facts.ts';
import { type Attributes, hasListRoom, type PageReadState } from './state.ts';

/** Characters up to which the rest of a slot is looked for in the next part of its text. */
const MAX_SLOT_CHARS = 200;

/** Elements whose text shows code: a slot there is an example. */
const CODE = new Set(['code', 'pre', 'kbd', 'samp', 'tt']);

/** The attributes without those that have an open slot. The places are noted. */
export function readFilledAttributes(
  reading: PageReadState,
  name: string,
  attributes: Attributes,
  line: number,
): Attributes {
  let open = false;
  for (const key in attributes) {
    const value = attributes[key] ?? '';
    if (!isSlot(value)) continue;
    open = true;
    recordSlot(reading, value, `${name}[${key}]`, line);
  }
  return open ? Object.fromEntries(Object.entries(attributes).filter(([, value]) => !isSlot(value))) : attributes;
}

/**
 * A part of a text node without its open slots. The parser ends a part at each entity, so that a slot may go on in the
 * next one.
 */
export function readFilledText(reading: PageReadState, text: string): string {
  const frame = reading.stack.at(-1);
  if (reading.openSlot !== undefined && reading.openSlot === frame) return skipRestOfSlot(reading, text);
  reading.openSlot = undefined;
  if (!isSlot(text) || !frame || isShownAsCode(reading)) return text;
  recordSlot(reading, text, frame.name, frame.line);
  const last = text.slice(text.lastIndexOf('['));
  if (isSlot(last) && !last.includes(']')) reading.openSlot = frame;
  return removeSlots(text);
}

function skipRestOfSlot(reading: PageReadState, text: string): string {
  const end = text.slice(0, MAX_SLOT_CHARS).indexOf(']');
  if (end === -1 && text.length < MAX_SLOT_CHARS) return '';
  reading.openSlot = undefined;
  return text.slice(end + 1);
}

const isShownAsCode = ({ stack }: PageReadState): boolean => stack.some(({ name }) => CODE.has(name));

function recordSlot(reading: PageReadState, text: string, where: string, line: number): void {
  if (hasListRoom(reading, 'slots')) reading.slots.push({ text: findFirstSlot(text), where, line });
}

/** The open slots of a page, those of its structured data included, in the order of their lines. */
export function listOpenSlots({ slots, jsonLd }: Pick<PageReadState, 'slots' | 'jsonLd'>): PageFacts['slots'] {
  const stated = jsonLd.flatMap(({ text, line }) =>
    isSlot(text) ? [{ text: findFirstSlot(text), where: 'script', line }] : [],
  );
  return [...slots, ...stated].toSorted((a, b) => a.line - b.line);
}
