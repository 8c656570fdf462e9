/** An unbroken run of letters, digits and marks inside a text. `key` is its lower-case form. */
export type Piece = { text: string; key: string; start: number; end: number };

const PIECE = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** The words of a text, with their places. */
export const piecesOf = (text: string): readonly Piece[] =>
  IS_ASCII.test(text)
    ? asciiPiecesOf(text)
    : Array.from(text.matchAll(PIECE), (match) => pieceOf(match[0], match.index));

const IS_ASCII = /^[\n\r\t -~]*$/u;

const pieceOf = (text: string, start: number): Piece => ({
  text,
  key: text.toLowerCase(),
  start,
  end: start + text.length,
});

/** The same for most lines of most answers, at a third of the cost. */
function asciiPiecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const isWord = at < text.length && isAsciiWord(text.charCodeAt(at));
    if (isWord && start === -1) start = at;
    if (isWord || start === -1) continue;
    pieces.push(pieceOf(text.slice(start, at), start));
    start = -1;
  }
  return pieces;
}

const isAsciiWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Whether a word begins with a lower-case letter. */
export function isLower(word: string): boolean {
  const code = word.charCodeAt(0);
  return code < 128 ? code >= 97 && code <= 122 : /^\p{Ll}/u.test(word);
}
