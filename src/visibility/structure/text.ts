import type { Token } from 'markdown-it';

/** Bold texts of a line that are kept, and characters of each. */
const MAX_BOLD = 50;

/** A line of a block. `text` is clean; `raw` and the positions in it are for finding the name at the front. */
export type TextLine = {
  text: string;
  raw: string;
  /** Parts of `raw` that are set in bold, in order. */
  bold: readonly { start: number; end: number }[];
  /** Where a link at the very front ends in `raw`; undefined when there is none. */
  linkEnd: number | undefined;
};

/** A citation that engines write into the text: [1], [^1], [1, 2], 【4†source】, and the forms that leak from interfaces. */
const CITATIONS = [
  /\[(?:\^|citation:)?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,9}\]/gu,
  /【[^【】]{0,100}】/gu,
  /\uE200[^\uE200\uE201]{0,200}\uE201/gu,
  /:contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?/gu,
  /(?<=[.!?] ?)\(\d{1,2}\)/gu,
  /(?<=\p{L}{3}|[.!?,;:)])[⁰¹²³⁴-⁹]{1,3}/gu,
] as const;

const URL_WITH_SCHEME = / ?(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[!-;=?-~]{1,2000}/giu;
const DOMAIN_WITH_PATH = / ?(?<![\p{L}\p{N}.@_-])((?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24})\/([!-;=?-~]{0,2000})/giu;

/** No one sees these: controls, soft hyphens, zero-width and bidirectional characters, private use, halves of pairs. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** A link in parentheses whose text is only a domain is a citation: "... from 20 dollars ([acme.com](https://...))". */
const BARE_DOMAIN = /^(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}$/iu;

/**
 * The lines of an inline token, split where a reader sees a new line that says something of its own: at hard breaks, before
 * bold and after a line that is all bold. Other soft breaks are spaces.
 */
export function splitTextLines(children: readonly Token[]): readonly TextLine[] {
  const starts = children.flatMap((token, index) => (isLineEnd(children, token, index) ? [index] : []));
  const bounds = [-1, ...starts, children.length];
  return bounds.slice(0, -1).map((bound, index) => buildTextLine(children.slice(bound + 1, bounds[index + 1])));
}

/** Text as a person reads it: without URLs, citation markers and unseen characters, with single spaces. */
export function cleanText(raw: string): string {
  if (!HAS_ODD.test(raw)) return raw.trim();
  const text = withoutUrls(HAS_CITATION.test(raw) ? withoutCitations(raw) : raw);
  const seen = IS_ASCII.test(text) ? text : text.replaceAll(UNSEEN, '');
  const whole = seen.includes('**') ? seen.replaceAll('**', '') : seen;
  const filled = HAS_BRACKET.test(whole) ? whole.replaceAll(/\(\s{0,3}\)|\[\s{0,3}\]/gu, '') : whole;
  const spaced = HAS_ODD_SPACE.test(filled) ? filled.replaceAll(/\s+/gu, ' ') : filled;
  const closed = spaced.includes(' .') || spaced.includes(' ,') ? spaced.replaceAll(/ (?=[.,](?:\s|$))/gu, '') : spaced;
  return closed.trim();
}

/** What any of the steps may change: a rare character, a bracket, a slash, two marks or spaces. Most lines have none. */
const HAS_ODD = /[^ -~\u00C0-\u024F–—‘’“”€]|[[(/]|:c|\*\*| [ .,]|[Ww]{3}\./u;

/** Of the others, most have none of what the costlier expressions look for. */
const HAS_CITATION = /[[【\uE200(⁰¹²³⁴-⁹]|:c/u;
const IS_ASCII = /^[ -~]*$/u;
const HAS_BRACKET = /[([]/u;
const HAS_ODD_SPACE = / {2}|[^\S ]/u;

const withoutCitations = (raw: string): string => CITATIONS.reduce((text, marker) => text.replaceAll(marker, ''), raw);

function withoutUrls(text: string): string {
  if (!text.includes('/') && !/www\./iu.test(text)) return text;
  return text
    .replaceAll(URL_WITH_SCHEME, (url) => keepTrailingMarks(url))
    .replaceAll(DOMAIN_WITH_PATH, (url, domain: string, path: string) =>
      isTwoNames(domain, path) ? url : keepTrailingMarks(url),
    );
}

function isLineEnd(children: readonly Token[], token: Token, index: number): boolean {
  if (token.type === 'hardbreak') return true;
  if (token.type !== 'softbreak') return false;
  // An empty text precedes marks that open a line.
  const next = children.slice(index + 1, index + 3).find((one) => one.type !== 'text' || one.content !== '');
  if (next?.type === 'strong_open') return true;
  if (next?.type === 'text' && /^\p{Extended_Pictographic}/u.test(next.content)) return true;
  const before = children
    .slice(Math.max(0, index - 2), index)
    .findLast((one) => one.content !== '' || one.nesting !== 0);
  return before?.type === 'strong_close';
}

function buildTextLine(children: readonly Token[]): TextLine {
  let raw = '';
  let depth = 0;
  let boldStart = 0;
  let linkStart: number | undefined;
  let linkEnd: number | undefined;
  const bold: { start: number; end: number }[] = [];
  for (const token of children) {
    if (token.type === 'strong_open' && depth++ === 0) boldStart = raw.length;
    if (token.type === 'strong_close' && --depth === 0 && bold.length < MAX_BOLD)
      bold.push({ start: boldStart, end: raw.length });
    if (token.type === 'link_open') linkStart = raw.length;
    if (token.type === 'link_close' && linkStart !== undefined) {
      if (isCitationLink(raw, linkStart)) raw = raw.slice(0, linkStart);
      if (raw.slice(0, linkStart).trim() === '') linkEnd = raw.length;
      linkStart = undefined;
    }
    const part = getTokenText(token);
    // A word that is parted at the end of a line: "Team-" and "viewer".
    if (PARTED.test(raw.slice(-4)) && /^\p{Ll}{2}/u.test(part) && !COORDINATED.test(part)) raw = raw.slice(0, -2);
    raw += part;
  }
  return { text: cleanText(raw), raw, bold, linkEnd };
}

const PARTED = /\p{L}- $/u;
/** "Vor- und Nachteile": the hyphen is for a word that follows later. */
const COORDINATED = /^(?:und|oder|bzw|bis|sowie|en|of|and|or|to|et|ou|e|o|y|u)(?!\p{L})/u;

function getTokenText({ type, content }: Token): string {
  if (type === 'softbreak') return ' ';
  return type === 'text' || type === 'text_special' || type === 'code_inline' ? content : '';
}

/** Whether the link that starts at `start` and ends `raw` is the marker of a source. */
function isCitationLink(raw: string, start: number): boolean {
  const text = raw.slice(start);
  if (/^\[?\^?\d{1,3}\]?$/u.test(text)) return true;
  return raw.slice(0, start).endsWith('(') && BARE_DOMAIN.test(text);
}

/** "Booking.com/Expedia" is two names, "Node.js/Deno" as well; "acme.com/pricing" is an address. */
function isTwoNames(domain: string, path: string): boolean {
  if (!/^\p{Lu}/u.test(path)) return false;
  return /^\p{Lu}/u.test(domain) || /\.js$/iu.test(domain);
}

/** What stays where a URL is taken out: the sentence's own marks at its end, else a space. */
function keepTrailingMarks(url: string): string {
  let end = url.length;
  while (end > 0 && '.,;:!?)]*"\''.includes(url.charAt(end - 1))) end -= 1;
  // A parenthesis that the URL itself opened ends with it.
  const marks = url.slice(0, end).includes('(') ? url.slice(end).replace(')', '') : url.slice(end);
  return marks === '' || marks.startsWith('*') ? ` ${marks}` : marks;
}
