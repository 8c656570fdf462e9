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

/** What is not printable ASCII, and double spaces. */
const HAS_ODD = /[^ -~]| {2}/u;

/** Marks stacked on one letter: written languages need at most four. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Characters of input looked at for each character of output: hidden ones must not crowd out the text. */
const READ_AHEAD = 8;

/** One line without hidden characters, of at most `maxChars` UTF-16 units; longer text ends in an ellipsis. */
export function formatPlainLine(text: string, maxChars: number): string {
  // Most lines have nothing to hide.
  if (text.length <= maxChars && !HAS_ODD.test(text)) return text.trim();
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

/**
 * Text of an audited site on its way into a file that people, agents and browsers read. Each function takes any string
 * and gives text that means only itself in its place: none of it can become markup, a command or an unseen instruction.
 */

/** Characters of a code span, unless the caller says another bound. */
export const MAX_SPAN_CHARS = 300;

/** Lines without hidden characters; line ends become LF, tabs stay. For text inside a fence or a file. */
export function formatPlainBlock(text: string): string {
  const lines = text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/gu, '\n').split('\n');
  return lines.map((line) => line.split('\t').map(removeHiddenCharacters).join('\t')).join('\n');
}

/**
 * Inline Markdown that renders as the plain line itself, wherever it is used: no link, image, emphasis, HTML, entity,
 * heading, list, table cell, or bare web or mail address comes of it. `maxChars` counts before escaping.
 * @see https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
export function escapeMarkdownText(text: string, maxChars: number): string {
  return formatPlainLine(text, maxChars)
    .replaceAll(/[\\`*_[\]<>#|~&@]/gu, String.raw`\$&`)
    .replaceAll(/:(?=\/\/)|(?<=www)\./giu, String.raw`\$&`)
    .replace(/^[-+=]/u, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])/u, String.raw`$1\$2`);
}

/**
 * A code span of one line whose fence is longer than any run of backticks inside. Not for table cells: see `formatCodeCell`.
 * @see https://spec.commonmark.org/0.31.2/#code-spans
 */
export function formatCodeSpan(text: string, maxChars: number = MAX_SPAN_CHARS): string {
  const line = formatPlainLine(text, maxChars);
  const fence = '`'.repeat(measureLongestRun(line, /`+/gu) + 1);
  const pad = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A code span for a table cell. Tables are split at `|` even inside code, so a broken bar takes its place. */
export const formatCodeCell = (text: string, maxChars: number = MAX_SPAN_CHARS): string =>
  formatCodeSpan(text.replaceAll('|', '¦'), maxChars);

/**
 * A fenced code block whose fence is longer than any run of backticks inside, at the left margin and without a final
 * line end. `language` keeps only characters of a language's name.
 * @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function fenceCodeBlock(text: string, language: string): string {
  const block = formatPlainBlock(text);
  const fence = '`'.repeat(Math.max(3, measureLongestRun(block, /`+/gu) + 1));
  const name = language.replaceAll(/[^A-Za-z0-9+#.-]/gu, '').slice(0, 20);
  return `${fence}${name}\n${block.endsWith('\n') ? block : `${block}\n`}${fence}`;
}

/**
 * JSON that parses back to `value` and may stand inside an HTML script element: `<` is `\u003c`, and hidden characters
 * are escaped so that a reader of the source sees them. Indented by two spaces.
 */
export function formatJsonForHtml(value: unknown): string {
  return (JSON.stringify(value, null, 2) ?? 'null')
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll(HIDDEN_BUT_LINE_ENDS, (character) => character.split('').map(escapeUnicode).join(''));
}

/** Text for an HTML element's content or a quoted attribute, without hidden characters. */
export const escapeHtml = (text: string): string =>
  formatPlainBlock(text).replaceAll(/[&<>"']/gu, (character) => HTML_ENTITIES[character] ?? '');

/** Text for XML 1.0 content or a quoted attribute: nothing outside its `Char` production, no hidden characters. */
export const escapeXml = (text: string): string =>
  formatPlainBlock(text).replaceAll(/[&<>"']/gu, (character) => XML_ENTITIES[character] ?? '');

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const XML_ENTITIES: Readonly<Record<string, string>> = { ...HTML_ENTITIES, "'": '&apos;' };

/** JSON's own indentation is a line end, and a control character: inside a string one is escaped already. */
const HIDDEN_BUT_LINE_ENDS =
  /(?!\n)[\u2028\u2029\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

const escapeUnicode = (unit: string): string => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const measureLongestRun = (text: string, run: RegExp): number =>
  [...text.matchAll(run)].reduce((longest, [match]) => Math.max(longest, match.length), 0);
