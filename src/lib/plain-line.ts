/** White space that ends or moves a line, kept apart from hidden characters because it parts words. */
const LINE_SPACE = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

/**
 * Characters no one sees: C0 and C1 controls, bidirectional overrides, tag characters, zero-width and other default
 * ignorable characters, variation selectors, private use, lone surrogates, noncharacters. All of them have carried
 * hidden instructions. The price is known: joiners of emoji and of some scripts go too, and the text stays readable.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** Controls that no page shows: C0 but for tab and line ends, DEL, C1. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu;

/** Text for a page: controls are written out, ESC as `\u001b`, so that they are seen and reach no terminal. */
export const escapeControls = (text: string): string =>
  text.replaceAll(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value of JSON with the controls of all its texts written out; names of members stay as they are. */
export const escapeControlsIn = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
    typeof each === 'string' ? escapeControls(each) : each,
  ) as T;

/** Marks stacked on one letter: written languages need at most four. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Characters of input looked at for each character of output: hidden ones must not crowd out the text. */
const READ_AHEAD = 8;

/** One line without hidden characters, of at most `maxChars` UTF-16 units; longer text ends in an ellipsis. */
export function formatPlainLine(text: string, maxChars: number): string {
  const line = removeHiddenCharacters(text.slice(0, maxChars * READ_AHEAD).replaceAll(LINE_SPACE, ' '));
  return clip(line.replaceAll(/\s+/gu, ' ').trim(), maxChars);
}

/** Text without hidden characters and piles of marks. */
export const removeHiddenCharacters = (text: string): string =>
  text.replaceAll(HIDDEN, '').replaceAll(STACKED_MARKS, '$1');

/** Cuts after a whole character, at the last space when there is one in the second half. */
function clip(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  if (maxChars < 1) return '';
  const cut = line.slice(0, maxChars - 1).replace(/\p{Cs}$/u, '');
  const space = cut.lastIndexOf(' ');
  const whole = space > maxChars / 2 ? cut.slice(0, space) : cut;
  return `${whole.trimEnd()}…`;
}
