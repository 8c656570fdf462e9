import { type FoldedText, originalIndex } from './folded-text.ts';
import { headNotOffering } from './recommending-data.ts';
import type { Block } from '../structure/structure.ts';

/**
 * How a name stands in its block: as the entry itself (it heads a list item, a heading, a bold entry or a row), as an entry
 * that offers nothing ("Acme vs Beta", "Slack integration"), or inside the text.
 */
export type EntryKind = 'entry' | 'no_offer' | 'text';

/** The kind of the place from `start` to `end` of the folded text of `block`. */
export function entryKindOf(block: Block, text: FoldedText, start: number, end: number): EntryKind {
  const from = originalIndex(text, start);
  const to = originalIndex(text, end);
  const title = titleAround(block, from, to);
  if (title === undefined) return isBareEntry(block, text, start, end) ? 'entry' : 'text';
  const before = block.text.slice(title.from, from);
  const after = block.text.slice(to, title.to);
  if (/[?？]\s?$/u.test(after) || NOT_OF_NAME.test(after) || headNotOffering.test(`${before} | ${after}`.toLowerCase()))
    return 'no_offer';
  return isFront(before) ? 'entry' : 'text';
}

/** Whether the place is all of the title it stands in ("**Acme**: ..."), marks aside. */
export function isWholeTitle(block: Block, text: FoldedText, start: number, end: number): boolean {
  const from = originalIndex(text, start);
  const to = originalIndex(text, end);
  const title = titleAround(block, from, to);
  return (
    title !== undefined && !/[\p{L}\p{N}]/u.test(block.text.slice(title.from, from) + block.text.slice(to, title.to))
  );
}

/** Whether the place, the first of its words in the block, is set in bold by itself. */
export function isBoldAlone({ bold, text }: Block, folded: FoldedText, start: number, end: number): boolean {
  const from = originalIndex(folded, start);
  const name = text.slice(from, originalIndex(folded, end));
  return bold.slice(0, MAX_BOLD).some((one) => one.replace(/ ?[:.]$/u, '') === name) && text.indexOf(name) === from;
}

/** Bold texts of a block that are compared. */
const MAX_BOLD = 40;

/** The head that the place lies in, or the bold text that a mark parts from what is said about it: "**Acme**: ...". */
function titleAround({ head, bold, text }: Block, from: number, to: number): { from: number; to: number } | undefined {
  for (const title of head === undefined ? bold : [head, ...bold]) {
    // Only a title that begins no farther away than it is long can hold the place.
    const low = Math.max(0, from - title.length);
    const at = text.slice(low, from + title.length).lastIndexOf(title, from - low);
    const start = low + at;
    const end = start + title.length;
    if (title === '' || at === -1 || to > end) continue;
    if (title === head || /^ ?[:–—(]|^ - |^$/u.test(text.slice(end, end + 3)) || /[:–—] ?$/u.test(title))
      return { from: start, to: end };
  }
  return undefined;
}

/** A short item or heading that starts with the name and has nothing but a mark behind it, or a number inside a line. */
function isBareEntry({ kind }: Block, text: FoldedText, start: number, end: number): boolean {
  if (INLINE_FRONT.test(text.exact.slice(Math.max(0, start - 10), start))) return true;
  if (kind !== 'item' && kind !== 'heading') return false;
  const rest = text.exact.slice(end, end + 4);
  return (
    !/[\p{L}\p{N}]/u.test(text.exact.slice(Math.max(0, start - 20), start)) &&
    /^(?:[!.]?\s?$| ?[,(:–—|/]| - )/u.test(rest) &&
    start <= 20
  );
}

/** Lists on one line: "1. Acme - fast 2. Beta - cheap", and the answer to a case: "Tight budget → Acme". */
const INLINE_FRONT = /(?:(?:^|\s)\(?\d{1,2}[.)]|→|[-=]>) $/u;

/** Before a name that a title is about: nothing, a label with a mark, an article, or names and grades in capitals. */
const isFront = (before: string): boolean =>
  !/\p{L}/u.test(before) ||
  /[:–—|-] ?[^\p{L}]{0,10}$/u.test(before) ||
  !SMALL_WORD.test(before) ||
  /^(?:the|a) $|(?:and|&) $|(?:→|[-=]>) ?$/iu.test(before);

const SMALL_WORD = /(?<!\p{L})\p{Ll}/u;

const NOT_OF_NAME =
  /^-\p{L}|^(?:'s|’s)? ?(?:pricing|prices|alternatives?|competitors?|users?|customers?|accounts?|integrations?|reviews?|limits|limitations|drawbacks|audience|support for)(?!\p{L})/iu;
