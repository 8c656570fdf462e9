import MarkdownIt, { type Token } from 'markdown-it';
import { MAX_ANSWER_BYTES } from '../../models/port.ts';
import { readHead, MAX_HEAD_CHARS } from './head.ts';
import { extractVisibleSource } from './source.ts';
import { cleanText, type TextLine, splitTextLines } from './text.ts';

/** A part of an answer that is separate on the page. */
export type AnswerBlock = {
  kind: 'heading' | 'item' | 'row' | 'paragraph' | 'quote';
  /** Heading level 1-6; nesting of a list item (0 = outermost); 0 for the rest. */
  depth: number;
  /** Visible text without markup, link targets, bare URLs, citation markers and fenced code; entities decoded. */
  text: string;
  /**
   * The name at its front: a bold start ("**Zendesk** - a ..."), the words before a dash or colon of a list
   * item, the first cell of a table row, a heading without its numbering and emoji. Undefined when there is none.
   */
  head: string | undefined;
  /** Texts set in bold inside the block, in order. */
  bold: readonly string[];
  /** Index in `blocks` of the heading (or of the list item) above this block; undefined at the top. */
  parent: number | undefined;
};

/** An answer read as a person sees it. Blocks are in reading order. */
export type AnswerStructure = { blocks: readonly AnswerBlock[] };

/** Blocks of an answer that are read; an answer of 3 kB has some 40. */
export const MAX_BLOCKS = 2000;
/** The separator of cells in the text of a row. */
export const CELL_SEPARATOR = ' | ';
/**
 * Characters of a bold line that represents a heading, and how many of them need not be bold: a number, a picture, a
 * colon.
 */
const MAX_TITLE_CHARS = 100;
const MAX_UNBOLD_CHARS = 5;
const BOLD_TITLE_LEVEL = 6;
const MAX_ROW_BOLD = 100;

/**
 * Reads an answer in Markdown (GFM tables, HTML dropped) into blocks, at most 2,000. A paragraph that is only a bold
 * line is a heading of level 6, as people see one; bullets straight after a numbered item belong to it. The cells of a
 * row are joined by ` | `, and a header row has no head. Text beyond 32 kB is not read. Takes any string and never
 * throws; linear in its length.
 */
export function parseStructure(markdown: string): AnswerStructure {
  const tokens = markdownParser.parse(extractVisibleSource(markdown.slice(0, MAX_ANSWER_BYTES)), {});
  const reader = createStructureReader();
  for (const [index, token] of tokens.entries()) {
    if (reader.blocks.length >= MAX_BLOCKS) break;
    readToken(reader, token, tokens[index - 1]);
  }
  return { blocks: reader.blocks.slice(0, MAX_BLOCKS) };
}

/** Only what answers use and what is text; `html: false` leaves tags to `extractVisibleSource`. */
const markdownParser = new MarkdownIt('zero', {
  html: false,
  linkify: false,
  typographer: false,
  maxNesting: 24,
}).enable([
  'heading',
  'lheading',
  'list',
  'table',
  'code',
  'fence',
  'blockquote',
  'hr',
  'reference',
  'emphasis',
  'strikethrough',
  'link',
  'image',
  'autolink',
  'backticks',
  'escape',
  'entity',
  'newline',
  'balance_pairs',
]);

/**
 * Levels that the label of a link or picture counts for: the parser tries every open bracket within another one as a label of
 * its own, down to `maxNesting`. A picture in a link, with brackets in its text, needs three labels.
 */
const LABEL_LEVELS = 8;
const { parseLinkLabel } = markdownParser.helpers;
markdownParser.helpers.parseLinkLabel = (state, start, disableNested) => {
  state.level += LABEL_LEVELS - 1;
  const end = parseLinkLabel(state, start, disableNested);
  state.level -= LABEL_LEVELS - 1;
  return end;
};

/** Letters that begin markup inside a line, or a new line; a line of a table or list seldom has one of them. */
const INLINE_MARK = /[\n\\`~*_[<&]/u;

const { inline } = markdownParser;
const parseInline = inline.parse.bind(inline);
/** Text without a mark is one token, and needs none of the rules. */
inline.parse = (source, parser, env, tokens) => {
  if (INLINE_MARK.test(source)) {
    parseInline(source, parser, env, tokens);
    return;
  }
  const state = new inline.State(source, parser, env, tokens);
  state.pending = source;
  if (source !== '') state.pushPending();
};

type ListItem = { index: number | undefined };

type StructureReader = {
  blocks: AnswerBlock[];
  /** Headings that are open, the innermost last. */
  headings: { level: number; index: number }[];
  /** List items that are open, the innermost last; an adopting item represents a numbered one just closed. */
  items: ListItem[];
  /** For each open list, whether an adopting item contains it. */
  lists: boolean[];
  /** The item that closed last, per list just closed. */
  lastItem: ListItem | undefined;
  open: string[];
  headingLevel: number;
  isHeaderRow: boolean;
  cells: TextLine[];
};

const createStructureReader = (): StructureReader => ({
  blocks: [],
  headings: [],
  items: [],
  lists: [],
  lastItem: undefined,
  open: [],
  headingLevel: 0,
  isHeaderRow: false,
  cells: [],
});

function readToken(reader: StructureReader, token: Token, previous: Token | undefined): void {
  if (token.type === 'inline') return readInline(reader, splitTextLines(token.children ?? []));
  if (token.nesting === 1) {
    reader.open.push(token.type);
    return openBlock(reader, token, previous);
  }
  if (token.nesting !== -1) return;
  reader.open.pop();
  closeBlock(reader, token);
}

function openBlock(reader: StructureReader, token: Token, previous: Token | undefined): void {
  if (token.type === 'heading_open') reader.headingLevel = Number(token.tag.slice(1));
  if (token.type === 'thead_open') reader.isHeaderRow = true;
  if (token.type === 'tr_open') reader.cells = [];
  if (token.type === 'list_item_open') reader.items.push({ index: undefined });
  if (token.type !== 'bullet_list_open' && token.type !== 'ordered_list_open') return;
  const isAdopted = token.type === 'bullet_list_open' && previous?.type === 'ordered_list_close';
  if (isAdopted && reader.lastItem !== undefined) reader.items.push(reader.lastItem);
  reader.lists.push(isAdopted && reader.lastItem !== undefined);
}

function closeBlock(reader: StructureReader, token: Token): void {
  if (token.type === 'thead_close') reader.isHeaderRow = false;
  if (token.type === 'tr_close') addRow(reader);
  if (token.type === 'list_item_close') reader.lastItem = reader.items.pop();
  if (token.type !== 'bullet_list_close' && token.type !== 'ordered_list_close') return;
  if (reader.lists.pop() === true) reader.items.pop();
}

function readInline(reader: StructureReader, lines: readonly TextLine[]): void {
  const holder = reader.open.at(-1);
  if (holder === 'th_open' || holder === 'td_open') {
    reader.cells.push(...lines);
    return;
  }
  for (const line of lines) {
    if (line.text === '') continue;
    if (holder === 'heading_open') addHeading(reader, line, reader.headingLevel);
    else addLine(reader, line);
  }
}

function addHeading(reader: StructureReader, line: TextLine, level: number): void {
  const item = reader.items.at(-1);
  while ((reader.headings.at(-1)?.level ?? 0) >= level) reader.headings.pop();
  const index = reader.blocks.length;
  add(reader, line, { kind: 'heading', depth: level, head: readHead(line, true), parent: findParent(reader) });
  if (item === undefined) reader.headings.push({ level, index });
  else item.index ??= index;
}

function addLine(reader: StructureReader, line: TextLine): void {
  const item = reader.items.at(-1);
  const isQuoted = reader.open.includes('blockquote_open');
  if (item === undefined && !isQuoted && isBoldTitle(line)) {
    addHeading(reader, line, BOLD_TITLE_LEVEL);
    return;
  }
  const parent = findParent(reader);
  const isItem = item !== undefined && item.index === undefined;
  if (isItem) item.index = reader.blocks.length;
  const rest = isQuoted ? 'quote' : 'paragraph';
  add(reader, line, {
    kind: isItem ? 'item' : rest,
    depth: isItem ? reader.items.length - 1 : 0,
    head: readHead(line, isItem),
    parent,
  });
}

function addRow(reader: StructureReader): void {
  const [first] = reader.cells;
  const text = reader.cells.map((cell) => cell.text.replaceAll('|', '¦')).join(CELL_SEPARATOR);
  if (first === undefined || text.replaceAll('|', '').trim() === '') return;
  const name = reader.isHeaderRow ? undefined : (readHead(first, true) ?? readShortCell(first.text));
  reader.blocks.push({
    kind: 'row',
    depth: 0,
    text,
    head: name,
    bold: reader.cells.flatMap(listBoldTexts).slice(0, MAX_ROW_BOLD),
    parent: findParent(reader),
  });
}

const readShortCell = (text: string): string | undefined =>
  text === '' || text.length > MAX_HEAD_CHARS ? undefined : text;

const add = (reader: StructureReader, line: TextLine, rest: Omit<AnswerBlock, 'text' | 'bold'>): void => {
  reader.blocks.push({ ...rest, text: line.text, bold: listBoldTexts(line) });
};

const listBoldTexts = ({ raw, bold }: TextLine): readonly string[] =>
  bold.map(({ start, end }) => cleanText(raw.slice(start, end))).filter((text) => text !== '');

/** The innermost list item that has a text, else the innermost heading. */
const findParent = ({ items, headings }: StructureReader): number | undefined =>
  items.findLast(({ index }) => index !== undefined)?.index ?? headings.at(-1)?.index;

/** A line of its own that is bold from end to end and no sentence. */
function isBoldTitle({ raw, bold, text }: TextLine): boolean {
  const [first] = bold;
  if (first === undefined || bold.length > 1 || text.length > MAX_TITLE_CHARS || /[.!]$/u.test(text)) return false;
  return cleanText(raw.slice(first.start, first.end)).length + MAX_UNBOLD_CHARS >= text.length;
}
