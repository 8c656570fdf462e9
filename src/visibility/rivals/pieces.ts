import { isOpeningWord, isTrailingLabel } from './more-words.ts';
import { stopFirstWords } from './words-data.ts';

/** An unbroken run of letters, digits and marks inside a text. `key` is its lower-case form. */
export type Piece = { text: string; key: string; start: number; end: number };

const PIECE = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** The words of a text, with their places. */
export const splitPieces = (text: string): readonly Piece[] =>
  IS_LATIN.test(text) ? splitLatinPieces(text) : splitOtherPieces(text);

function splitOtherPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  PIECE.lastIndex = 0;
  for (let word = PIECE.exec(text); word !== null; word = PIECE.exec(text)) pieces.push(readPiece(word[0], word.index));
  return pieces;
}

/** ASCII, letters of the languages of Europe, and the spaces, quotes and dashes of all: no marks, and no other numbers. */
const IS_LATIN = /^[\n\r\t -~\u00A0«·»\u00C0-\u024F\u2010-\u2027€]*$/u;

const readPiece = (text: string, start: number): Piece => ({
  text,
  key: text.toLowerCase(),
  start,
  end: start + text.length,
});

/** The same for most lines of most answers, at a third of the cost. */
function splitLatinPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const isWord = at < text.length && isLatinWord(text.charCodeAt(at));
    if (isWord && start === -1) start = at;
    if (isWord || start === -1) continue;
    pieces.push(readPiece(text.slice(start, at), start));
    start = -1;
  }
  return pieces;
}

const isLatinWord = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  (code >= FIRST_ACCENTED && code <= LAST_ACCENTED && code !== TIMES && code !== DIVIDED);

/** "À" to "ɏ": all are letters but two. */
const [FIRST_ACCENTED, LAST_ACCENTED, TIMES, DIVIDED] = [0xc0, 0x24f, 0xd7, 0xf7];

/** Whether a word begins with a lower-case letter. */
export function isLower(word: string): boolean {
  const code = word.charCodeAt(0);
  return code < 128 ? code >= 97 && code <= 122 : /^\p{Ll}/u.test(word);
}

const MAX_RUN_PIECES = 6;
/** Between the pieces of one name: "Help Scout", "Coca-Cola", "AT&T", "Johnson & Johnson", "De'Longhi". */
const NAME_GAP = /^(?: |-| ?& ?|['’]|\.)$/u;

/** Adjacent capitalised words: pieces `first` to `last`, from `start` to `end` in the text. `isJoined`: small words are between them. */
export type CapitalisedRun = { first: number; last: number; start: number; end: number; isJoined?: boolean };

/** The words of one block, and the capitalised runs among them. */
export type BlockWords = { pieces: readonly Piece[]; runs: readonly CapitalisedRun[] };

/** The capitalised runs of a text; a first word of a sentence that is a common one is left out. */
export function findRuns(text: string, pieces: readonly Piece[]): readonly CapitalisedRun[] {
  const runs: CapitalisedRun[] = [];
  const isEnglish = pieces.some(({ text: word }) => ENGLISH.has(word));
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (piece === undefined || !isNameOpening(text, pieces, index)) continue;
    const isSurname = piece.text === 'O' && /^['’]\p{Lu}/u.test(text.slice(piece.end, piece.end + 2));
    if (!isSurname && (stopFirstWords.has(piece.key) || isSentenceWord(text, pieces, index, isEnglish))) continue;
    let last = index;
    while (last - index < MAX_RUN_PIECES - 1 && isNameContinued(text, pieces, last)) last += 1;
    runs.push({ first: index, last, start: piece.start, end: pieces[last]?.end ?? piece.end });
    index = last;
  }
  return runs;
}

/**
 * A function word of a language whose words are not all in `stopFirstWords`, capitalised as the first of a sentence. Inside
 * a sentence the capital of an article is that of a name: "chez La Redoute".
 */
const isSentenceWord = (text: string, pieces: readonly Piece[], index: number, isEnglish: boolean): boolean => {
  const piece = pieces[index];
  if (piece === undefined || !isOpeningWord(piece.key, isEnglish)) return false;
  const [before, next] = [pieces[index - 1], pieces[index + 1]];
  const gap = next === undefined ? '' : text.slice(piece.end, next.start);
  const isInside = before !== undefined && isLower(before.text) && text.slice(before.end, piece.start) === ' ';
  if (isInside && ARTICLES.has(piece.key) && gap === ' ' && next !== undefined && !isLower(next.text)) return false;
  return gap !== '-';
};

/** Words of English that no other of the languages has. */
const ENGLISH: ReadonlySet<string> = new Set(['the', 'and', 'with', 'your', 'you']);

/** What has a full stop inside a name: "Praxis Dr. Acme". */
const TITLES: ReadonlySet<string> = new Set('dr dra prof st mr mrs'.split(' '));

/** What a name of several words may begin with. */
const ARTICLES: ReadonlySet<string> = new Set('la le les el los las il lo i gli o os as de het die der das'.split(' '));

function isNameOpening(text: string, pieces: readonly Piece[], index: number): boolean {
  const piece = pieces[index];
  if (piece === undefined) return false;
  if (isPlainSmall(piece.text)) return isDomainTail(text, piece, pieces[index + 1]);
  if (/^\p{N}/u.test(piece.text)) return /^\d{1,3}\p{L}{2}/u.test(piece.text);
  if (!isLower(piece.text)) return true;
  if (/^\p{Ll}{1,3}\p{Lu}/u.test(piece.text)) return true;
  return isDomainTail(text, piece, pieces[index + 1]);
}

/** Letters of a word that show how it opens: "eBay", "xAI". */
const OPENING_CHARS = 4;

/** Whether a word opens with small letters from "a" to "z", as most words do. */
function isPlainSmall(word: string): boolean {
  for (let at = 0; at < word.length && at < OPENING_CHARS; at += 1) {
    const code = word.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

function isNameContinued(text: string, pieces: readonly Piece[], index: number): boolean {
  const [piece, next] = [pieces[index], pieces[index + 1]];
  if (piece === undefined || next === undefined) return false;
  if (isDomainTail(text, piece, next)) return true;
  if (isTrailingLabel(next.key)) return false;
  const gap = text.slice(piece.end, next.start);
  if (gap === '. ' && TITLES.has(piece.key)) return !isLower(next.text);
  if (!NAME_GAP.test(gap) || (gap === '.' && isLower(next.text))) return false;
  if (/^['’]$/u.test(gap) && next.text.length === 1) return false;
  return !isLower(next.text);
}

const isDomainTail = (text: string, piece: Piece, next: Piece | undefined): boolean =>
  next !== undefined &&
  next.start === piece.end + 1 &&
  text.charAt(piece.end) === '.' &&
  /^(?:com|io|ai|app|co|dev|so|net|js|org|de|fr|es)$/u.test(next.text);
