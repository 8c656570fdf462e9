import { toOneLine } from '../../language/words.ts';
import { type ElementCollector, type Frame, getAttribute, type PageReadState } from './state.ts';

/** Names that are kept of what is in one link or button. */
const MAX_PARTS = 5;
const MAX_OPEN = 20;
const MAX_PART_CHARS = 200;

/** Starts to note what names the content of a link or a button; the returned function ends that, and says the name, '' for none. */
export function openInnerNames(reading: PageReadState, frame: Frame): () => string {
  if (reading.openNames.length >= MAX_OPEN) return () => '';
  const open = { hidden: frame.hidden, parts: [] as string[] };
  reading.openNames.push(open);
  return () => {
    reading.openNames = reading.openNames.filter((other) => other !== open);
    return toOneLine(open.parts.join(' '));
  };
}

/** Notes the `aria-label`, `alt` or `title` of an element in a link or a button, as the computation of accessible names has it. */
export const recordInnerName: ElementCollector = (reading, frame) => {
  const open = reading.openNames.at(-1);
  if (!open || frame.hidden !== open.hidden) return;
  const names = [
    getAttribute(frame, 'aria-label'),
    frame.name === 'img' ? getAttribute(frame, 'alt') : '',
    getAttribute(frame, 'title'),
  ];
  recordInnerText(reading, names.find((name) => name.trim() !== '') ?? '');
};

/** Notes a text that names something in the open link or button: the `title` of an `svg`. */
export function recordInnerText(reading: PageReadState, text: string): void {
  const open = reading.openNames.at(-1);
  const name = text.trim();
  if (open && name !== '' && open.parts.length < MAX_PARTS) open.parts.push(name.slice(0, MAX_PART_CHARS));
}
