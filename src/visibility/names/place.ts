import type { FoldedText } from './folded-text.ts';

/** A place of a name, and what it is written in. Positions are in the folded text. */
export type Place = {
  text: FoldedText;
  start: number;
  end: number;
  /** The sentence around it. */
  from: number;
  to: number;
  /** Whether it is in a heading, or as the front of a list item or row, where words get capitals for their place. */
  isTitle: boolean;
  /** Whether it is in the header row of a table. */
  isColumnHead: boolean;
  /** Whether it is all of a heading, of a bold entry, or of the part before the mark of a list item or row. */
  isHead: boolean;
  /** Whether it is set in bold by itself. */
  isBold: boolean;
  /** Whether an entry nearby is headed by another day of the week. */
  isAmongDays: boolean;
  /** What follows the name in its block, or the block below when nothing does; at most 60 characters, as written. */
  following: string;
  /** Whether the answer begins its sentences with capitals. */
  isCased: boolean;
  /** Whether the answer uses the word of the name as a word, small inside a sentence and never with a capital there. */
  isUsedSmall: () => boolean;
};

/** How the name that was looked for is written there, and what the other answers of the run say of it. */
export type Use = {
  /** Whether it is the first part of a domain such as "Booking.com", without the ending. */
  isStem: boolean;
  /** Whether the run surely names the brand somewhere. */
  isSure: boolean;
  /** How the answers write it small inside sentences, where none surely has it as a name: behind an article, or otherwise. */
  smallUse: 'thing' | 'word' | undefined;
};

/** Characters around a name that are looked at. */
export const MAX_NEAR_CHARS = 60;

/** The words next to a name. */
export type Near = {
  word: string;
  wordExact: string;
  /** Text of the sentence before the name and after it, at most 60 characters each, lower case and as written. */
  before: string;
  after: string;
  beforeExact: string;
  afterExact: string;
  /** Words next to it, when only spaces are between. */
  previous: string;
  next: string;
  nextExact: string;
  /** Whether it is the first word of its sentence, cell or line. */
  opens: boolean;
};

/** Reads what is next to a name. */
export function readNeighbours({ text, start, end, from, to }: Place): Near {
  const low = Math.max(from, start - MAX_NEAR_CHARS);
  const high = Math.min(to, end + MAX_NEAR_CHARS);
  const before = text.lower.slice(low, start);
  const after = text.lower.slice(end, high);
  const next = /^ {1,3}([\p{L}\p{N}][\p{L}\p{N}']{0,40})/u.exec(text.exact.slice(end, high))?.[1] ?? '';
  return {
    word: text.lower.slice(start, end),
    wordExact: text.exact.slice(start, end),
    before,
    after,
    beforeExact: text.exact.slice(low, start),
    afterExact: text.exact.slice(end, high),
    previous: readPrevious(before),
    next: next.toLowerCase(),
    nextExact: next,
    opens: OPENING.test(before),
  };
}

const MAX_PREVIOUS_CHARS = 40;
const MAX_SPACES = 3;

/** The last word of a text that ends in one to three spaces. */
function readPrevious(before: string): string {
  const bare = before.trimEnd();
  const spaces = before.length - bare.length;
  if (spaces < 1) return '';
  let start = bare.length;
  while (isPlainLetter(bare.charCodeAt(start - 1))) start -= 1;
  const isPlain = start === 0 || bare.charCodeAt(start - 1) < 128;
  if (
    isPlain &&
    spaces <= MAX_SPACES &&
    !/[^ ]/u.test(before.slice(bare.length)) &&
    bare.length - start <= MAX_PREVIOUS_CHARS
  )
    return bare.slice(start);
  return PREVIOUS.exec(before.slice(-MAX_PREVIOUS_CHARS - MAX_SPACES - 1))?.[1] ?? '';
}

const PREVIOUS = /([\p{L}\p{N}']{1,40}) {1,3}$/u;

/** A letter or figure of ASCII, or an apostrophe inside a word. */
const isPlainLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 39;

/** Only marks, pictures and numbers precede it, or a mark after which people begin anew. */
const OPENING = /(?:^|[:|–—•;"(] ?)[^\p{L}:|–—•;"(]{0,20}$/u;

export const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word);

/** Nothing else with letters is on the line, or a mark parts it from the rest. */
export const isAlone = ({ opens, after }: Near): boolean =>
  opens && /^(?:[^\p{L}\p{N}]{0,60}$| ?[:|–—(]| - )/u.test(after);

/** Words of a list in which each is looked up; parted by spaces. */
export const createWordSet = (words: string): ReadonlySet<string> =>
  new Set(words.split(/\s+/u).filter((word) => word !== ''));

/**
 * Whether it is in a row of names with capitals: "Asana, Monday and ClickUp". A comma at the very start of a sentence
 * needs a row of three, since "Next, Acme ..." has one as well. `isName` judges the neighbour, lower case.
 */
export function isListed({ beforeExact, afterExact }: Near, isName: (word: string) => boolean): boolean {
  const before = LISTED_BEFORE.exec(beforeExact.slice(-MAX_NEAR_CHARS))?.[1];
  if (before !== undefined && isName(before.toLowerCase())) return true;
  const after = LISTED_AFTER.exec(afterExact)?.[1];
  if (after === undefined || !isName(after.toLowerCase())) return false;
  const isStart = !/[\p{L}:(]/u.test(beforeExact);
  return !isStart || !afterExact.startsWith(',') || ROW_OF_THREE.test(afterExact);
}

const LISTED_BEFORE =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}\p{N}]{1,30})(?:, (?:(?:and|or|und|oder|et|ou|y|o) )?| (?:and|or|und|oder|et|ou|y|o|vs\.?|&) |\/)$/u;
const LISTED_AFTER =
  /^(?:, (?:(?:and|or|und|oder|et|ou|y|o) )?| (?:and|or|und|oder|et|ou|y|o|vs\.?|&) |\/)(\p{Lu}[\p{L}\p{N}]{1,30})/u;
const ROW_OF_THREE =
  /^, \p{Lu}[^,.;:!?]{0,40}(?:, | and | or | und | oder | et | ou | y )(?:(?:and|or|und|oder|et|ou|y) )?\p{Lu}/u;
