import {
  buildElementPlace,
  extractElementText,
  extractRawText,
  getAttribute,
  hasListRoom,
  type ElementCollector,
  type Frame,
  type PageReadState,
} from './state.ts';
import { PAGE_LIMITS } from './page-facts.ts';
import { countWords, toOneLine } from '../../language/words.ts';

const getHeadingAbove = (reading: PageReadState): number => reading.headings.length - 1;

const collectParagraph: ElementCollector = (reading, frame) => {
  if (!hasListRoom(reading, 'paragraphs')) return undefined;
  const entry = {
    ...buildElementPlace(frame),
    text: '',
    words: 0,
    links: [] as string[],
    heading: getHeadingAbove(reading),
  };
  const at = reading.paragraphs.push(entry) - 1;
  reading.boldText = '';
  const firstAnchor = reading.anchors.length;
  return () => {
    entry.text = extractElementText(reading, frame, PAGE_LIMITS.proseChars);
    entry.words = countWords(entry.text);
    entry.links = reading.anchors.slice(firstAnchor).map((anchor) => anchor.href);
    if (entry.text !== '' && entry.text === reading.boldText) reading.paragraphs[at] = { ...entry, bold: true };
  };
};

const collectBold: ElementCollector = (reading, frame) => () => {
  reading.boldText = extractElementText(reading, frame);
};

const list: ElementCollector = (reading, frame) => {
  if (!hasListRoom(reading, 'lists')) {
    reading.openLists.push(undefined);
    return () => void reading.openLists.pop();
  }
  const entry = {
    ...buildElementPlace(frame),
    ordered: frame.name === 'ol',
    items: [] as string[],
    heading: getHeadingAbove(reading),
  };
  reading.lists.push(entry);
  reading.openLists.push(entry);
  return () => void reading.openLists.pop();
};

const listItem: ElementCollector = (reading, frame) => {
  const open = reading.openLists.at(-1);
  if (!open || open.items.length >= PAGE_LIMITS.listItems) return undefined;
  const index = open.items.push('') - 1;
  return () => {
    open.items[index] = extractElementText(reading, frame);
  };
};

const collectTable: ElementCollector = (reading, frame) => {
  const entry = hasListRoom(reading, 'tables')
    ? {
        ...buildElementPlace(frame),
        rows: 0,
        columns: 0,
        headerCells: 0,
        scopedHeaders: 0,
        caption: '',
        heading: getHeadingAbove(reading),
      }
    : undefined;
  if (entry) reading.tables.push(entry);
  reading.openTables.push(entry);
  return () => void reading.openTables.pop();
};

const collectRow: ElementCollector = (reading) => {
  const open = reading.openTables.at(-1);
  if (open) open.rows += 1;
  reading.rowCells = 0;
};

const collectCell: ElementCollector = (reading, frame) => {
  const open = reading.openTables.at(-1);
  if (!open) return;
  reading.rowCells += 1;
  open.columns = Math.max(open.columns, reading.rowCells);
  if (frame.name === 'th') open.headerCells += 1;
  if (frame.name === 'th' && frame.attributes['scope'] !== undefined) open.scopedHeaders += 1;
};

const collectCaption: ElementCollector = (reading, frame) => {
  const open = reading.openTables.at(-1);
  if (!open) return undefined;
  return () => {
    open.caption = extractElementText(reading, frame);
  };
};

const collectTerm: ElementCollector = (reading, frame) => () => {
  reading.term = extractElementText(reading, frame);
};

const collectDefinition: ElementCollector = (reading, frame) => {
  if (!hasListRoom(reading, 'definitions')) return undefined;
  const entry = { term: reading.term, text: '', line: frame.line };
  reading.definitions.push(entry);
  return () => {
    entry.text = extractElementText(reading, frame, PAGE_LIMITS.attributeChars);
  };
};

const collectDetails: ElementCollector = (reading, frame) => {
  const entry = hasListRoom(reading, 'details') ? { ...buildElementPlace(frame), summary: '', text: '' } : undefined;
  if (entry) reading.details.push(entry);
  reading.openDetails.push(entry);
  return () => {
    reading.openDetails.pop();
    if (entry) entry.text = extractElementText(reading, frame, PAGE_LIMITS.proseChars);
  };
};

const collectSummary: ElementCollector = (reading, frame) => {
  const open = reading.openDetails.at(-1);
  if (!open) return undefined;
  return () => {
    open.summary = extractElementText(reading, frame);
  };
};

const quote =
  (kind: 'blockquote' | 'q' | 'cite'): ElementCollector =>
  (reading, frame) => {
    if (!hasListRoom(reading, 'quotes')) return undefined;
    const entry = { ...buildElementPlace(frame), kind, text: '', cite: getAttribute(frame, 'cite') };
    reading.quotes.push(entry);
    return () => {
      entry.text = extractElementText(reading, frame, PAGE_LIMITS.attributeChars);
    };
  };

const collectTime: ElementCollector = (reading, frame) => {
  if (!hasListRoom(reading, 'times')) return undefined;
  const entry = {
    ...buildElementPlace(frame),
    datetime: getAttribute(frame, 'datetime').trim(),
    text: '',
    aside: false,
  };
  reading.times.push(entry);
  return () => {
    entry.text = extractElementText(reading, frame);
  };
};

const collectPre: ElementCollector = (reading, frame) => {
  if (!hasListRoom(reading, 'codeBlocks')) return undefined;
  const around = reading.stack.slice(-LANGUAGE_REACH).toReversed();
  const language = [frame, ...around].map(detectCodeLanguage).find((name) => name !== '') ?? '';
  const entry = { language, code: false, text: '', line: frame.line };
  reading.codeBlocks.push(entry);
  return () => {
    entry.text = extractRawText(reading, frame, PAGE_LIMITS.attributeChars).replaceAll('\u2029', '');
  };
};

/** The language of a `code` inside a `pre` belongs to that block. */
const collectCode: ElementCollector = (reading, frame) => {
  const block = reading.codeBlocks.at(-1);
  if (!block || reading.stack.at(-1)?.name !== 'pre') return;
  block.code = true;
  block.language = detectCodeLanguage(frame) || block.language;
};

/** Wrappers of a highlighted block that may name its language: two in Sphinx, Rouge and GitHub. */
const LANGUAGE_REACH = 2;

function detectCodeLanguage(frame: Frame): string {
  const named = getAttribute(frame, 'data-lang') || getAttribute(frame, 'data-language');
  if (/^[\w+#.-]{1,40}$/.test(named.trim())) return named.trim().toLowerCase();
  const [, name = ''] =
    /(?:^| )(?:language|lang|highlight-source|highlight)-([\w+#-]{1,40})/i.exec(
      toOneLine(getAttribute(frame, 'class')),
    ) ?? [];
  return name.toLowerCase();
}

const STRUCK = new Set(['s', 'del', 'strike']);

/** What is struck through and seen, once: not inside another such element, nor inside a link, whose text has it already. */
const collectStruck: ElementCollector = (reading, frame) => {
  if (frame.hidden !== undefined && frame.hidden !== 'aria-hidden') return undefined;
  if (reading.stack.some(({ name }) => name === 'a' || STRUCK.has(name))) return undefined;
  if (!hasListRoom(reading, 'struck')) return undefined;
  const index = reading.struck.push('') - 1;
  return () => {
    reading.struck[index] = extractElementText(reading, frame);
  };
};

export const textOpeners: readonly (readonly [string, ElementCollector])[] = [
  ['p', collectParagraph],
  ['strong', collectBold],
  ['b', collectBold],
  ['ul', list],
  ['ol', list],
  ['li', listItem],
  ['table', collectTable],
  ['tr', collectRow],
  ['td', collectCell],
  ['th', collectCell],
  ['caption', collectCaption],
  ['dt', collectTerm],
  ['dd', collectDefinition],
  ['details', collectDetails],
  ['summary', collectSummary],
  ['blockquote', quote('blockquote')],
  ['q', quote('q')],
  ['cite', quote('cite')],
  ['time', collectTime],
  ...[...STRUCK].map((name) => [name, collectStruck] as const),
  ['pre', collectPre],
  ['code', collectCode],
];
