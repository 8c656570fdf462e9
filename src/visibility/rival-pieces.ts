/** An unbroken run of letters, digits and marks inside a text. `key` is its lower-case form. */
export type Piece = { text: string; key: string; start: number; end: number };

const PIECE = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** The words of a text, with their places. */
export const piecesOf = (text: string): readonly Piece[] =>
  Array.from(text.matchAll(PIECE), (match) => ({
    text: match[0],
    key: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));

/** Whether a word begins with a lower-case letter. */
export function isLower(word: string): boolean {
  const code = word.charCodeAt(0);
  return code < 128 ? code >= 97 && code <= 122 : /^\p{Ll}/u.test(word);
}
