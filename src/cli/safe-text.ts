/**
 * Characters that steer a terminal or hide what a line says: controls (C0, C1, ESC), format characters (bidi marks and
 * overrides, zero-width characters, soft hyphen, tags), and separators of lines and paragraphs.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Foreign text as one harmless line for a terminal, at most `maxCharacters` long (rule X8). */
export function safeLine(text: string, maxCharacters = 300): string {
  const line = text.replaceAll(/[\t\n\r]+/g, ' ').replaceAll(UNSAFE, '');
  const characters = Array.from(line); // By code point: a cut never halves a surrogate pair.
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
