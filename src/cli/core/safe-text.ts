/**
 * Characters that steer a terminal or hide what a line says: controls (C0, C1, ESC), format characters (bidi marks and
 * overrides, zero-width characters, soft hyphen, tags), and separators of lines and paragraphs.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Foreign text as one harmless line for a terminal, at most `maxCharacters` long (rule X8). */
export function formatSafeLine(text: string, maxCharacters = 300): string {
  const line = text.replaceAll(/[\t\n\r]+/g, ' ').replaceAll(UNSAFE, '');
  const characters = Array.from(line); // By code point: a cut never halves a surrogate pair.
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

/** JSON for a terminal and for programs alike: the same value, with such characters as escapes (rule X8). */
export const formatSafeJson = (value: unknown): string =>
  // A raw line feed is one of the layout: those in texts are escaped already.
  JSON.stringify(value, null, 2).replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : escapeTerminal(character),
  );

/** A document as a terminal may show it: such characters as visible escapes. A file or a pipe gets it as it is. */
export const onScreen = (text: string, { isTTY }: { isTTY?: boolean | undefined }): string =>
  isTTY === true
    ? text.replaceAll(UNSAFE, (character) => (/[\n\t]/.test(character) ? character : escapeTerminal(character)))
    : text;

const escapeTerminal = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index); // JSON escapes UTF-16 units, a surrogate pair as two.
    return `\\u${unit.toString(16).padStart(4, '0')}`;
  }).join('');
