import type { Opener } from './opener.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import { type Frame, type Reading, attribute, hasRoom, ownText, place, rawText } from './state.ts';
import { countWords, oneLine } from '../../language/words.ts';

const headingAbove = (reading: Reading): number => reading.headings.length - 1;

const paragraph: Opener = (reading, frame) => {
  if (!hasRoom(reading, 'paragraphs')) return undefined;
  const entry = { ...place(frame), text: '', words: 0, links: [] as string[], heading: headingAbove(reading) };
  reading.paragraphs.push(entry);
  const firstAnchor = reading.anchors.length;
  return () => {
    entry.text = ownText(reading, frame, PAGE_LIMITS.proseChars);
    entry.words = countWords(entry.text);
    entry.links = reading.anchors.slice(firstAnchor).map((anchor) => anchor.href);
  };
};

const list: Opener = (reading, frame) => {
  if (!hasRoom(reading, 'lists')) {
    reading.openLists.push(undefined);
    return () => void reading.openLists.pop();
  }
  const entry = {
    ...place(frame),
    ordered: frame.name === 'ol',
    items: [] as string[],
    heading: headingAbove(reading),
  };
  reading.lists.push(entry);
  reading.openLists.push(entry);
  return () => void reading.openLists.pop();
};

const listItem: Opener = (reading, frame) => {
  const open = reading.openLists.at(-1);
  if (!open || open.items.length >= PAGE_LIMITS.listItems) return undefined;
  const index = open.items.push('') - 1;
  return () => {
    open.items[index] = ownText(reading, frame);
  };
};

const table: Opener = (reading, frame) => {
  const entry = hasRoom(reading, 'tables')
    ? {
        ...place(frame),
        rows: 0,
        columns: 0,
        headerCells: 0,
        scopedHeaders: 0,
        caption: '',
        heading: headingAbove(reading),
      }
    : undefined;
  if (entry) reading.tables.push(entry);
  reading.openTables.push(entry);
  return () => void reading.openTables.pop();
};

const row: Opener = (reading) => {
  const open = reading.openTables.at(-1);
  if (open) open.rows += 1;
  reading.rowCells = 0;
};

const cell: Opener = (reading, frame) => {
  const open = reading.openTables.at(-1);
  if (!open) return;
  reading.rowCells += 1;
  open.columns = Math.max(open.columns, reading.rowCells);
  if (frame.name === 'th') open.headerCells += 1;
  if (frame.name === 'th' && frame.attributes['scope'] !== undefined) open.scopedHeaders += 1;
};

const caption: Opener = (reading, frame) => {
  const open = reading.openTables.at(-1);
  if (!open) return undefined;
  return () => {
    open.caption = ownText(reading, frame);
  };
};

const term: Opener = (reading, frame) => () => {
  reading.term = ownText(reading, frame);
};

const definition: Opener = (reading, frame) => {
  if (!hasRoom(reading, 'definitions')) return undefined;
  const entry = { term: reading.term, text: '', line: frame.line };
  reading.definitions.push(entry);
  return () => {
    entry.text = ownText(reading, frame, PAGE_LIMITS.attributeChars);
  };
};

const details: Opener = (reading, frame) => {
  const entry = hasRoom(reading, 'details') ? { ...place(frame), summary: '', text: '' } : undefined;
  if (entry) reading.details.push(entry);
  reading.openDetails.push(entry);
  return () => {
    reading.openDetails.pop();
    if (entry) entry.text = ownText(reading, frame, PAGE_LIMITS.proseChars);
  };
};

const summary: Opener = (reading, frame) => {
  const open = reading.openDetails.at(-1);
  if (!open) return undefined;
  return () => {
    open.summary = ownText(reading, frame);
  };
};

const quote =
  (kind: 'blockquote' | 'q' | 'cite'): Opener =>
  (reading, frame) => {
    if (!hasRoom(reading, 'quotes')) return undefined;
    const entry = { ...place(frame), kind, text: '', cite: attribute(frame, 'cite') };
    reading.quotes.push(entry);
    return () => {
      entry.text = ownText(reading, frame, PAGE_LIMITS.attributeChars);
    };
  };

const time: Opener = (reading, frame) => {
  if (!hasRoom(reading, 'times')) return undefined;
  const entry = { ...place(frame), datetime: attribute(frame, 'datetime').trim(), text: '' };
  reading.times.push(entry);
  return () => {
    entry.text = ownText(reading, frame);
  };
};

const pre: Opener = (reading, frame) => {
  if (!hasRoom(reading, 'codeBlocks')) return undefined;
  const around = reading.stack.slice(-LANGUAGE_REACH).toReversed();
  const language = [frame, ...around].map(languageOf).find((name) => name !== '') ?? '';
  const entry = { language, code: false, text: '', line: frame.line };
  reading.codeBlocks.push(entry);
  return () => {
    entry.text = rawText(reading, frame, PAGE_LIMITS.attributeChars).replaceAll('\u2029', '');
  };
};

/** The language of a `code` inside a `pre` belongs to that block. */
const code: Opener = (reading, frame) => {
  const block = reading.codeBlocks.at(-1);
  if (!block || reading.stack.at(-1)?.name !== 'pre') return;
  block.code = true;
  block.language = languageOf(frame) || block.language;
};

/** Wrappers of a highlighted block that may name its language: two in Sphinx, Rouge and GitHub. */
const LANGUAGE_REACH = 2;

function languageOf(frame: Frame): string {
  const named = attribute(frame, 'data-lang') || attribute(frame, 'data-language');
  if (/^[\w+#.-]{1,40}$/.test(named.trim())) return named.trim().toLowerCase();
  const [, name = ''] =
    /(?:^| )(?:language|lang|highlight-source|highlight)-([\w+#-]{1,40})/i.exec(oneLine(attribute(frame, 'class'))) ??
    [];
  return name.toLowerCase();
}

export const textOpeners: readonly (readonly [string, Opener])[] = [
  ['p', paragraph],
  ['ul', list],
  ['ol', list],
  ['li', listItem],
  ['table', table],
  ['tr', row],
  ['td', cell],
  ['th', cell],
  ['caption', caption],
  ['dt', term],
  ['dd', definition],
  ['details', details],
  ['summary', summary],
  ['blockquote', quote('blockquote')],
  ['q', quote('q')],
  ['cite', quote('cite')],
  ['time', time],
  ['pre', pre],
  ['code', code],
];
