import { detectLanguage } from '../../language/language.ts';
import { type MarkdownLine, readFences, readHeading, splitFrontMatter } from './markdown-quality.ts';
import { type MarkdownLink, type LinkDefinitions, readDefinition, readLink } from './markdown-links.ts';

/** Bounds of one file: what lies beyond is not looked at, and `capped` says so. */
export const LLMS_LIMITS = {
  chars: 1_000_000,
  lines: 50_000,
  links: 5_000,
  sections: 1_000,
} as const;

/** A list item that leads with a link. `href` as written; `note` is the text after it, '' when there is none. */
export type LlmsLink = { name: string; href: string; note: string; section: string | null; line: number };

export type LlmsSection = { title: string; line: number; links: number };

/** The line that must be the H1: `text` of the first block, undefined for a file without any. */
export type FirstBlock = { kind: 'h1' | 'heading' | 'text'; text: string; line: number };

export type LlmsSummary = { kind: 'blockquote' | 'paragraph' | 'none'; text: string; line: number };

/** `tokens` is an estimate by the method named; the shares are null for a file without links. */
export type LlmsStatistics = {
  bytes: number;
  chars: number;
  tokens: { estimate: number; method: 'characters / 4' };
  h2: number;
  links: number;
  describedShare: number | null;
  markdownShare: number | null;
  language: string;
};

/**
 * An llms.txt (v2, August 2026) as read: only the H1 is required by it, all else is optional.
 * Fenced code and front matter hold no headings and no links.
 */
export type LlmsTxt = {
  firstBlock: FirstBlock | undefined;
  h1s: readonly { text: string; line: number }[];
  summary: LlmsSummary;
  sections: readonly LlmsSection[];
  links: readonly LlmsLink[];
  statistics: LlmsStatistics;
  capped: boolean;
};

/**
 * Reads an llms.txt. Never throws: any text is Markdown. Time is linear in the text, up to `LLMS_LIMITS`.
 * @param bodyBytes size on the wire, for the statistics.
 * @see https://llmstxt.org/
 */
export function parseLlmsTxt(body: string, bodyBytes: number): LlmsTxt {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body;
  const all = text.slice(0, LLMS_LIMITS.chars).split(/\r\n|\n|\r/u);
  const lines = splitFrontMatter(readFences(all.slice(0, LLMS_LIMITS.lines)).lines).rest;
  const headings = lines.flatMap(readHeading);
  const { sections, links, capped } = readLinks(lines, listLinkDefinitions(lines));
  const described = links.filter((link) => link.note !== '').length;
  const markdown = links.filter((link) => isMarkdownHref(link.href)).length;
  return {
    firstBlock: findFirstBlock(lines),
    h1s: headings.filter((heading) => heading.level === 1).map(({ text: title, line }) => ({ text: title, line })),
    summary: extractSummary(lines),
    sections,
    links,
    statistics: {
      bytes: bodyBytes,
      chars: body.length,
      tokens: { estimate: Math.ceil(body.length / 4), method: 'characters / 4' },
      h2: headings.filter((heading) => heading.level === 2).length,
      links: links.length,
      describedShare: links.length === 0 ? null : share(described, links.length),
      markdownShare: links.length === 0 ? null : share(markdown, links.length),
      language: detectLanguage(text),
    },
    capped: capped || text.length > LLMS_LIMITS.chars || all.length > LLMS_LIMITS.lines,
  };
}

const share = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 1000;

/** `/guide.md`, `/guide.html.md`, also before a query or fragment. */
export const isMarkdownHref = (href: string): boolean => /\.mdx?(?=$|[?#])/iu.test(href.slice(0, 2048));

function findFirstBlock(lines: readonly MarkdownLine[]): FirstBlock | undefined {
  const first = lines.find((line) => line.text.trim() !== '');
  if (!first) return undefined;
  const heading = readHeading(first)[0];
  if (!heading) return { kind: 'text', text: first.text.trim().slice(0, 300), line: first.number };
  const kind = heading.level === 1 && heading.text !== '' ? 'h1' : 'heading';
  return { kind, text: heading.text.slice(0, 300), line: first.number };
}

/** The first blockquote between the H1 and the first H2; failing that, the first paragraph there. */
function extractSummary(lines: readonly MarkdownLine[]): LlmsSummary {
  const isH = (line: MarkdownLine, level: number): boolean => readHeading(line)[0]?.level === level;
  const from = lines.findIndex((line) => isH(line, 1)) + 1;
  const preamble = lines.slice(from);
  const end = preamble.findIndex((line) => isH(line, 2));
  const prose = preamble.slice(0, end === -1 ? undefined : end).filter((line) => !line.code);
  const quoted = prose.find(({ text }) => /^ {0,3}>\s*[^\s>]/u.test(text));
  const found = quoted ?? prose.find((line) => /^ {0,3}[^\s>#\-*+<]/u.test(line.text));
  if (!found) return { kind: 'none', text: '', line: 0 };
  const text = found.text
    .replace(/^[\s>]+/u, '')
    .trim()
    .slice(0, 300);
  return { kind: quoted ? 'blockquote' : 'paragraph', text, line: found.number };
}

function listLinkDefinitions(lines: readonly MarkdownLine[]): LinkDefinitions {
  const references = new Map<string, string>();
  for (const line of lines) {
    const found = line.code ? undefined : readDefinition(line.text);
    if (found && !references.has(found.label)) references.set(found.label, found.href);
    if (references.size >= LLMS_LIMITS.links) break;
  }
  return references;
}

function readLinks(
  lines: readonly MarkdownLine[],
  references: LinkDefinitions,
): Pick<LlmsTxt, 'sections' | 'links' | 'capped'> {
  const sections: LlmsSection[] = [];
  const links: LlmsLink[] = [];
  for (const [index, line] of lines.entries()) {
    if (links.length >= LLMS_LIMITS.links || sections.length >= LLMS_LIMITS.sections)
      return { sections, links, capped: true };
    const heading = readHeading(line)[0];
    if (heading?.level === 2) sections.push({ title: heading.text.slice(0, 300), line: heading.line, links: 0 });
    const item = line.code ? undefined : readItem(line.text, references);
    if (!item) continue;
    const section = sections.at(-1);
    if (section) section.links += 1;
    const note = extractNote(line.text.slice(item.end)) || findContinuation(lines[index + 1]);
    links.push({ name: item.name, href: item.href, note, section: section?.title ?? null, line: line.number });
  }
  return { sections, links, capped: false };
}

/** A list item (bullet or number, any indentation) whose first content is a link, in emphasis or not. */
function readItem(line: string, references: LinkDefinitions): MarkdownLink | undefined {
  const start = /^\s{0,32}(?:-|[*+](?=\s)|\d{1,9}[.)](?=\s))\s{0,8}(?:\[[ xX]\]\s{1,4})?[*_]{0,3}(?=[[<])/u.exec(
    line,
  )?.[0].length;
  return start === undefined ? undefined : readLink(line, start, references);
}

/** `: note`, ` - note`, ` — note`, `(note)` or plain words after the link. */
function extractNote(rest: string): string {
  const text = rest
    .slice(0, 2_000)
    .replace(/^[*_]{0,3}\s*(?:[:：\-–—]\s*)?[*_]{0,3}/u, '')
    .trim();
  return /[\p{L}\p{N}]/u.test(text) ? text.slice(0, 500) : '';
}

/** An indented line below an item belongs to it, unless it is an item itself. */
function findContinuation(next: MarkdownLine | undefined): string {
  if (!next || next.code || !/^(?: {2,}|\t)\S/u.test(next.text)) return '';
  return /^\s*(?:[-*+]\s|\d{1,9}[.)]\s)/u.test(next.text) ? '' : next.text.trim().slice(0, 500);
}
