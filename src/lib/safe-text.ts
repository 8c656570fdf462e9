import { formatPlainLine, removeHiddenCharacters } from './plain-line.ts';

export { formatPlainLine } from './plain-line.ts';

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
