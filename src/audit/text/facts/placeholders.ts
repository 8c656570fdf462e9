import type { PageFacts } from '../../page/facts/page-facts.ts';

/** Characters of element texts that are kept in all. */
const MAX_CHARS = 1_000_000;
const MAX_ELEMENTS = 5000;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/**
 * Texts of elements of the given names in raw HTML, for questions that the page facts do not answer (inline code, `dfn`).
 * A scan, not a parser: nested elements of one name end with the first end tag. Linear; comments are not left out.
 */
export function extractElementTexts(html: string, names: readonly string[]): readonly string[] {
  const opens = new RegExp(`<(${names.join('|')})(?=[\\s/>])[^<>]{0,2000}>`, 'gi');
  const closesOf = new Map(names.map((name) => [name, new RegExp(`</${name}(?=[\\s>])`, 'gi')]));
  const found: string[] = [];
  let chars = 0;
  for (let match = opens.exec(html); match; match = opens.exec(html)) {
    const from = match.index + match[0].length;
    const closes = closesOf.get((match[1] ?? '').toLowerCase());
    if (closes) closes.lastIndex = from;
    const end = closes?.exec(html)?.index;
    if (end === undefined) break;
    const text = toPlainText(html.slice(from, Math.min(end, from + MAX_CHARS - chars)));
    found.push(text);
    chars += text.length;
    if (chars >= MAX_CHARS || found.length >= MAX_ELEMENTS) break;
    opens.lastIndex = end;
  }
  return found;
}

const toPlainText = (html: string): string =>
  html
    .replace(/<[^<>]{0,2000}>/g, '')
    .replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/&#(\d{2,3});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([\da-f]{2});/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

/** Text that was meant to be replaced before publication, as written, and what it is. */
export type Placeholder = { text: string; what: string };

const MAX_FOUND = 20;

/**
 * `hints`: every match contains one of them, in lower case; searching for them is faster than the expression.
 * `quotable`: documentation writes it as an example, so it counts only outside code and outside pages of documentation.
 */
type Pattern = { what: string; hints: readonly string[]; pattern: RegExp; quotable: boolean };

const PATTERNS: readonly Pattern[] = [
  {
    what: 'filler text',
    hints: ['lorem ipsum'],
    pattern: /(?<!\p{Pi}|["„‚»])lorem ipsum dolor sit amet/giu,
    quotable: false,
  },
  {
    what: 'text of a template',
    hints: ['edit button', 'your', 'sample page', 'example page', 'welcome to wordpress'],
    pattern:
      /click (?:the )?edit button to change this text|add your (?:text|heading|title|content|description) here|your (?:text|title|tagline|company name|content|headline) (?:goes )?here|this is (?:a sample page|an example page)\. it[’']s different from a blog post|welcome to wordpress\. this is your first post/giu,
    quotable: false,
  },
  {
    what: 'a slot in brackets',
    hints: ['['],
    pattern: /\[(?:your|insert|enter|add|company|client) (?:[\p{L}'’ ]{1,40})\]/giu,
    quotable: true,
  },
  {
    what: 'a template variable',
    hints: ['{{', '{%', '<%', '${'],
    pattern: /\{\{[^{}\n]{1,80}\}\}|\{%[^{}%\n]{1,80}%\}|<%[^<>%\n]{1,80}%>|\$\{[^{}\n]{1,80}\}/gu,
    quotable: true,
  },
  { what: 'an object without its text', hints: ['[object'], pattern: /\[object Object\]/gu, quotable: true },
  {
    what: 'a missing value',
    hints: ['undefined', 'null', 'nan', 'invalid date'],
    pattern:
      /^(?:undefined|null|NaN|Invalid Date)$|(?<=[:$€£¥]\s?)(?:undefined|NaN|Invalid Date)$|(?:[$€£¥]\s?NaN|NaN\s?[%€£¥])(?!\p{L})/gmu,
    quotable: true,
  },
  {
    what: 'a note of the author',
    hints: ['todo', 'fixme', 'xxx'],
    pattern: /(?<![\p{L}\p{N}])(?:TODO|FIXME|XXX)(?=:\s|\])/gu,
    quotable: true,
  },
];

/** Elements whose text shows code. */
const CODE = ['code', 'pre', 'kbd', 'samp', 'tt'];

/**
 * Placeholders in the visible text of a page, at most twenty. The text of code elements, what a page of documentation
 * shows as an example, and filler text on a page about filler text do not count.
 * @param html the raw page, searched for its code only when the text gives a hint.
 */
export function findPlaceholders(
  page: PageFacts,
  html: string,
  options: { documentation: boolean },
): readonly Placeholder[] {
  const about = [
    ...page.titles.slice(0, 1),
    ...page.headings.filter(({ level }) => level === 1).map(({ text }) => text),
  ].join(' ');
  if (/lorem ipsum|placeholder|template/i.test(about)) return [];
  const found: Placeholder[] = [];
  const lower = page.text.toLowerCase();
  let code: string | undefined;
  for (const { what, hints, pattern, quotable } of PATTERNS) {
    if ((quotable && options.documentation) || !hints.some((hint) => lower.includes(hint))) continue;
    code ??= quotable ? extractElementTexts(html, CODE).join('\n') : undefined;
    const shown = new Set(quotable ? code?.match(pattern) : []);
    for (const match of page.text.matchAll(pattern)) {
      if (shown.has(match[0])) continue;
      found.push({ text: match[0], what });
      if (found.length === MAX_FOUND) return found;
    }
  }
  return found;
}
