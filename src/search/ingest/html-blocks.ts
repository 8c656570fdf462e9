import { toOneLine } from '../../audit/language/words.ts';

/** A piece of a page as Markdown. `isTight`: it follows the one before without a blank line, as items of a list do. */
export type MarkdownBlock = {
  text: string;
  mark: 'content' | 'other' | 'around';
  isTight: boolean;
  /** Of a heading, else 0. */
  level: number;
};

/** Writes the blocks of a page as its elements open and close. */
export type Writer = {
  open: (name: string, attributes: Readonly<Record<string, string>>, mark: MarkdownBlock['mark']) => void;
  text: (text: string) => void;
  /** @param mark that of the element around */
  close: (name: string, mark: MarkdownBlock['mark']) => void;
  end: () => readonly MarkdownBlock[];
};

const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section summary table tbody ' +
    'tfoot thead ul'
  ).split(' '),
);
const LISTS = new Set(['ul', 'ol', 'menu', 'dir']);
/** What never occurs in a cell of data: a table that has one only arranges the page. */
const OF_LAYOUT = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'article', 'main', 'section', 'pre']);
/** Deeper lists are not indented further. */
const MAX_INDENT = 8;

type List = { isOrdered: boolean; count: number };
/** Cells of the row so far; undefined where the table only arranges the page. */
type Row = { cells: string[]; isData: boolean };

type State = {
  blocks: MarkdownBlock[];
  parts: string[];
  mark: MarkdownBlock['mark'];
  level: number;
  lists: List[];
  quotes: number;
  /** `- `, until the first text of the item has it. */
  bullet: string;
  rows: Row[];
  /** Open `pre` elements. */
  pres: number;
};

export function createMarkdownWriter(): Writer {
  const state: State = {
    blocks: [],
    parts: [],
    mark: 'other',
    level: 0,
    lists: [],
    quotes: 0,
    bullet: '',
    rows: [],
    pres: 0,
  };
  return {
    open: (name, attributes, mark) => open(state, name, attributes, mark),
    text: (text) => void state.parts.push(text),
    close: (name, mark) => close(state, name, mark),
    end() {
      flush(state);
      return state.blocks;
    },
  };
}

function open(
  state: State,
  name: string,
  attributes: Readonly<Record<string, string>>,
  mark: MarkdownBlock['mark'],
): void {
  if (name === 'br') state.parts.push(state.pres > 0 ? '\n' : ' ');
  if (OF_LAYOUT.has(name)) spreadRow(state);
  if (BLOCKS.has(name) || name === 'tr') startNextBlock(state);
  state.mark = mark;
  if (LISTS.has(name)) state.lists.push({ isOrdered: name === 'ol', count: Number(attributes['start'] ?? 1) - 1 || 0 });
  if (name === 'li') state.bullet = createNextBullet(state.lists.at(-1));
  if (name === 'blockquote') state.quotes += 1;
  if (name === 'pre') state.pres += 1;
  if (name === 'tr') state.rows.push({ cells: [], isData: true });
  if (name === 'td' || name === 'th') openCell(state);
  const level = parseHeadingLevel(name);
  if (level > 0) state.level = level;
}

function close(state: State, name: string, mark: MarkdownBlock['mark']): void {
  if (name === 'td' || name === 'th') closeCell(state);
  else if (name === 'tr') closeRow(state);
  else if (BLOCKS.has(name)) startNextBlock(state);
  if (LISTS.has(name)) state.lists.pop();
  if (name === 'li') state.bullet = '';
  if (name === 'blockquote') state.quotes -= 1;
  if (name === 'pre') state.pres -= 1;
  if (parseHeadingLevel(name) > 0) state.level = 0;
  state.mark = mark;
}

const parseHeadingLevel = (name: string): number => (/^h[1-6]$/.test(name) ? Number(name[1]) : 0);

function createNextBullet(list: List | undefined): string {
  if (list?.isOrdered !== true) return '- ';
  list.count += 1;
  return `${list.count}. `;
}

const isInCell = ({ rows }: State): boolean => rows.at(-1)?.isData === true;

/** Blocks within a cell of data are words apart, and no more. */
function startNextBlock(state: State): void {
  if (isInCell(state)) state.parts.push(' ');
  else flush(state);
}

function openCell(state: State): void {
  if (isInCell(state)) state.parts = [];
  else flush(state);
}

function closeCell(state: State): void {
  const row = state.rows.at(-1);
  if (row?.isData !== true) {
    flush(state);
    return;
  }
  row.cells.push(toOneLine(state.parts.join('')).replaceAll('|', '\\|'));
  state.parts = [];
}

function closeRow(state: State): void {
  const row = state.rows.pop();
  if (row?.isData !== true) {
    flush(state);
    return;
  }
  state.parts = [];
  if (row.cells.every((cell) => cell === '')) return;
  add(state, `| ${row.cells.join(' | ')} |`, { isTight: state.blocks.at(-1)?.text.startsWith('| ') === true });
}

/** The table only arranges the page: the cells so far are paragraphs, and so will the others be. */
function spreadRow(state: State): void {
  for (const row of state.rows) {
    if (!row.isData) continue;
    row.isData = false;
    for (const cell of row.cells) if (cell !== '') add(state, cell, { isTight: false });
  }
}

function flush(state: State): void {
  const raw = state.parts.join('');
  state.parts = [];
  if (state.pres > 0) {
    const code = raw.replace(/^\n/, '').trimEnd();
    if (code.trim() !== '') add(state, fenceCode(code, '').trimEnd(), { isTight: false });
    return;
  }
  const text = toOneLine(raw);
  if (text === '') return;
  const isItem = state.bullet !== '';
  const indent = '  '.repeat(Math.min(MAX_INDENT, Math.max(0, state.lists.length - 1)));
  const before = state.blocks.at(-1)?.text.trimStart() ?? '';
  const isTight = isItem && /^(?:- |\d{1,9}\. )/.test(before);
  add(state, `${indent}${formatBlockPrefix(state)}${escapeParagraph(state, text)}`, { isTight });
  state.bullet = '';
}

function formatBlockPrefix({ level, bullet, lists, quotes }: State): string {
  if (bullet !== '') return bullet;
  if (level > 0) return `${'#'.repeat(level)} `;
  if (lists.length > 0) return '  ';
  return quotes > 0 ? '> ' : '';
}

/** A paragraph that begins like a heading or a fence is none. */
const escapeParagraph = ({ level, bullet }: State, text: string): string =>
  level === 0 && bullet === '' && /^(?:#{1,6} |`{3}|~{3})/.test(text) ? `\\${text}` : text;

function add(state: State, text: string, how: { isTight: boolean }): void {
  const { mark, level, bullet } = state;
  state.blocks.push({ text, mark, isTight: how.isTight, level: bullet === '' ? level : 0 });
}

/** A fenced block of Markdown, whose fence is longer than any in the text. */
export function fenceCode(text: string, language: string): string {
  const longest = [...text.matchAll(/`{3,1000}/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}
