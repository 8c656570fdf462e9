/** Longest name in a result, and longest quote, in UTF-16 units. */
export const MAX_NAME_CHARS = 120;
export const MAX_QUOTE_CHARS = 240;

/** White space that ends or moves a line, kept apart from hidden characters because it parts words. */
const SPACE = /[\s\u0085]+/gu;

/** Characters nobody sees: controls, bidirectional overrides, tag characters, zero-width ones, private use, half pairs. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/**
 * Text of an answer, or a name, on one line without hidden characters: at most `maxChars` UTF-16 units, and never half a
 * character. It is still foreign text, not markup.
 */
export function oneLine(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * READ_AHEAD)
    .replaceAll(SPACE, ' ')
    .replaceAll(HIDDEN, '');
  const single = line.replaceAll(/ {2,}/gu, ' ').trim();
  if (single.length <= maxChars) return single;
  return `${single
    .slice(0, maxChars - 1)
    .replace(/\p{Cs}$/u, '')
    .trimEnd()}…`;
}

/** Characters of input looked at for each character of output: hidden ones must not crowd out the text. */
const READ_AHEAD = 4;
