import { rememberPerObject } from '../../lib/memo.ts';
import { type FoldedText, toOriginalIndex } from './folded-text.ts';

/** Longest quote, in UTF-16 units. */
export const MAX_SENTENCE_QUOTE_CHARS = 240;

/** How far from a name the ends of its sentence are looked for. */
const MAX_SENTENCE_CHARS = 1000;

/** A stretch of a folded text. */
export type Span = { from: number; to: number };

/** The sentence around `start` to `end`. A sentence does not end inside it, nor after abbreviations and initials. */
export function findSentence(text: FoldedText, start: number, end: number): Span {
  const base = Math.max(0, start - MAX_SENTENCE_CHARS);
  const limit = Math.min(text.exact.length, end + MAX_SENTENCE_CHARS);
  let from = base;
  const isWhole = base === 0 && limit === text.exact.length;
  for (const { index, next } of isWhole ? listEnds(text) : findEnds(text.exact, base, limit)) {
    if (next <= start) from = next;
    else if (index >= end) return { from, to: next };
  }
  return { from, to: limit };
}

/** The mark that ends a sentence, from `index` to the start of what follows. */
type SentenceEnd = { index: number; next: number };

function findEnds(exact: string, base: number, limit: number): readonly SentenceEnd[] {
  const part = exact.slice(base, limit);
  const ends: SentenceEnd[] = [];
  SENTENCE_END.lastIndex = 0;
  for (let mark = SENTENCE_END.exec(part); mark !== null; mark = SENTENCE_END.exec(part)) {
    const index = base + mark.index;
    const next = index + mark[0].length;
    if (isEnd(exact, index, next)) ends.push({ index, next });
  }
  return ends;
}

/** Those of a whole text, found once for all names in it. */
const listEnds = rememberPerObject(({ exact }: FoldedText) => findEnds(exact, 0, exact.length));

/** The part of a sentence between words that turn it ("but", "whereas") or semicolons and cell marks. */
export function findClause(text: FoldedText, sentence: Span, start: number, end: number): Span {
  let { from } = sentence;
  const part = text.lower.slice(sentence.from, sentence.to);
  // Without `matchAll`, which makes a copy of the expression each time.
  TURN.lastIndex = 0;
  for (let turn = TURN.exec(part); turn !== null; turn = TURN.exec(part)) {
    const at = sentence.from + turn.index;
    if (at + turn[0].length <= start) from = at + turn[0].length;
    else if (at >= end) return { from, to: at };
  }
  return { from, to: sentence.to };
}

/**
 * The original text of a sentence, at most 240 characters, trimmed. A longer one is cut at word ends, marked by
 * ellipses, so that the part from `start` to `end` is in it.
 */
export function formatQuote(text: FoldedText, sentence: Span, start: number, end: number): string {
  const from = toOriginalIndex(text, sentence.from);
  const whole = text.original.slice(from, toOriginalIndex(text, sentence.to));
  const lead = whole.length - whole.trimStart().length;
  return clipAround(whole.trim(), toOriginalIndex(text, start) - from - lead, toOriginalIndex(text, end) - from - lead);
}

const SENTENCE_END =
  /[.!?…]{1,10}["')\]]{0,3}\s{1,10}|[。！？]{1,10}[」』”]?|[!?]{1,10}(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])|\n/gu;

/** Before a dot, these do not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s("])(?:e\.g|i\.e|vs|dr|mr|mrs|ms|st|inc|ltd|corp|co|approx|no|nr|z\.b|u\.a|d\.h|bzw|ca|p\.ex|p\. ?ej|sr|\p{Lu})$/iu;
const MAX_ABBREVIATION_CHARS = 10;

const TURN =
  /[,.]? (?:but|however|whereas|although|though|while|yet|aber|sondern|jedoch|hingegen|wahrend|mais|tandis que|alors que|pero|sino|mientras|aunque)[ ,]|;| \| |、?(?:但是|但|不过|でも|しかし|が、)/gu;

function isEnd(exact: string, index: number, next: number): boolean {
  if (exact.charAt(index) === '\n') return true;
  if (/[。！？]/u.test(exact.charAt(index))) return true;
  // A sentence seldom starts with a small letter; "Yahoo! mail" goes on.
  if (/^\p{Ll}/u.test(exact.slice(next, next + 2))) return false;
  return (
    exact.charAt(index) !== '.' || !ABBREVIATION.test(exact.slice(Math.max(0, index - MAX_ABBREVIATION_CHARS), index))
  );
}

function clipAround(line: string, start: number, end: number): string {
  if (line.length <= MAX_SENTENCE_QUOTE_CHARS) return line;
  const room = MAX_SENTENCE_QUOTE_CHARS - 2;
  if (end <= room) return `${cutEnd(line.slice(0, room + 1))}…`;
  // A name may be longer than the rest of the quote; then the quote starts with it.
  const lead = Math.max(0, Math.floor((room - (end - start)) / 2));
  const from = Math.min(Math.max(0, start - lead), line.length - room);
  const tail = line.slice(findWordStart(line, from, start));
  return tail.length <= room ? `…${tail}` : `…${cutEnd(tail.slice(0, room))}…`;
}

/** The first start of a word from `from`, unless that is beyond the name. */
function findWordStart(line: string, from: number, start: number): number {
  if (from === 0) return 0;
  const space = line.indexOf(' ', from - 1);
  if (space !== -1 && space < start) return space + 1;
  return /[\uDC00-\uDFFF]/.test(line.charAt(from)) ? from + 1 : from;
}

/** Cut at the last space of the second half, and never inside a character. */
function cutEnd(line: string): string {
  const space = line.lastIndexOf(' ');
  const cut = space > line.length / 2 ? line.slice(0, space) : line.slice(0, -1);
  return cut.replace(/[\uD800-\uDBFF]$/u, '').trimEnd();
}
