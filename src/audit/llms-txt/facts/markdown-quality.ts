import { rememberPerObject } from '../../../lib/memo.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';
import { readDefinition, readLink, type LinkDefinitions } from './markdown-links.ts';

/** One line of a Markdown text; `number` is 1-based, `code` marks lines of a fenced block, fences included. */
export type MarkdownLine = { text: string; number: number; code: boolean };

/** Lines that front matter may have; a longer opening block is text. */
const FRONT_MATTER_LINES = 200;

/**
 * Marks the lines of fenced code blocks (CommonMark 4.5). `leftOpen` is the number of the line that opens a fence which
 * never closes: all that follows is code to a reader.
 */
export function readFences(texts: readonly string[]): { lines: readonly MarkdownLine[]; leftOpen: number | undefined } {
  let fence = '';
  let opened = 0;
  const lines = texts.map((text, index) => {
    const marker = /^ {0,3}(`{3,}|~{3,})/u.exec(text)?.[1] ?? '';
    const closes = fence !== '' && marker.startsWith(fence) && text.trim() === marker;
    const opens =
      fence === '' && marker !== '' && !(marker.startsWith('`') && text.trim().slice(marker.length).includes('`'));
    const code = fence !== '' || opens;
    if (opens) opened = index + 1;
    if (closes) fence = '';
    else if (opens) fence = marker;
    return { text, number: index + 1, code };
  });
  return { lines, leftOpen: fence === '' ? undefined : opened };
}

/** Parts a file into the YAML block that opens it, delimiters left out, and the rest; a block that never closes is text. */
export function splitFrontMatter(lines: readonly MarkdownLine[]): {
  matter: readonly MarkdownLine[];
  rest: readonly MarkdownLine[];
} {
  if (lines[0]?.text.trimEnd() !== '---') return { matter: [], rest: lines };
  const end = lines.slice(1, FRONT_MATTER_LINES).findIndex(({ text }) => /^(?:---|\.\.\.)\s*$/u.test(text));
  return end === -1 ? { matter: [], rest: lines } : { matter: lines.slice(1, end + 1), rest: lines.slice(end + 2) };
}

/** An ATX heading outside code, as a list of none or one; `line` is 1-based. */
export function readHeading({ text, number, code }: MarkdownLine): { level: number; text: string; line: number }[] {
  const marks = code ? undefined : /^ {0,3}(#{1,6})(?=[ \t]|$)/u.exec(text);
  if (!marks?.[1]) return [];
  const title = text.slice(marks[0].length).trim();
  return [{ level: marks[1].length, text: withoutClosingMarks(title), line: number }];
}

function withoutClosingMarks(title: string): string {
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  return end === 0 || title[end - 1] === ' ' ? title.slice(0, end).trim() : title;
}

/** Characters and lines of a copy that are looked at. */
const MAX_CHARS = 1_000_000;
const MAX_LINES = 50_000;
/** Brackets that are tried as links, and reference definitions that are kept. */
const MAX_BRACKETS = 2_000;
const MAX_DEFINITIONS = 2_000;

export type MarkdownHref = { href: string; line: number };

/**
 * What a Markdown text is made of. `openFence` is the line of a code fence that never closes; `tagShare` the share of the
 * characters outside code that are HTML tags, 0 to 1; `heading` the first one, with the lines of text above it (front
 * matter not counted); `named` what the front matter names as the page's address; `links` are targets of links outside code.
 */
export type MarkdownQuality = {
  openFence: number | undefined;
  tagShare: number;
  heading: { text: string; line: number; above: number } | undefined;
  named: MarkdownHref | undefined;
  links: readonly MarkdownHref[];
};

/** The make-up of an answer that is Markdown, read once per answer. */
export const getMarkdownQuality = rememberPerObject(({ body }: SnapshotAnswer): MarkdownQuality =>
  readMarkdownQuality(body),
);

/** Reads a Markdown text. Never throws; linear in the text up to its bounds. */
export function readMarkdownQuality(body: string): MarkdownQuality {
  const text = (body.startsWith('\uFEFF') ? body.slice(1) : body).slice(0, MAX_CHARS);
  const { lines, leftOpen } = readFences(text.split(/\r\n|\n|\r/u).slice(0, MAX_LINES));
  const { matter, rest } = splitFrontMatter(lines);
  const prose = rest
    .filter(({ code }) => !code)
    .map((line) => ({ ...line, text: line.text.replaceAll(/`[^`\n]{1,500}`/gu, '') }));
  return {
    openFence: leftOpen,
    tagShare: computeTagShare(prose),
    heading: findFirstHeading(rest),
    named: findNamedAddress(matter),
    links: listMarkdownLinks(prose),
  };
}

/** A tag by its name, so that an autolink (`<https://...>`) and a comparison are none. */
const TAG = /<\/?[a-z][a-z\d-]{0,30}(?:[\s/][^<>]{0,1000})?>/giu;

function computeTagShare(lines: readonly MarkdownLine[]): number {
  let all = 0;
  let tags = 0;
  for (const { text } of lines) {
    all += text.length;
    for (const [tag] of text.matchAll(TAG)) tags += tag.length;
  }
  return all === 0 ? 0 : tags / all;
}

/** The first ATX heading, or a line that is underlined as a heading (setext). */
function findFirstHeading(lines: readonly MarkdownLine[]): MarkdownQuality['heading'] {
  for (const [above, line] of lines.entries()) {
    const found = readHeading(line)[0];
    if (found && found.text !== '') return { text: found.text.slice(0, 300), line: found.line, above };
    const next = lines[above + 1];
    const underlined = !line.code && line.text.trim() !== '' && next !== undefined && !next.code;
    if (underlined && /^ {0,3}={2,200}\s{0,20}$/u.test(next.text))
      return { text: line.text.trim().slice(0, 300), line: line.number, above };
  }
  return undefined;
}

const ADDRESS_KEYS = new Set([
  'canonical',
  'canonical_url',
  'canonicalurl',
  'url',
  'source',
  'source_url',
  'permalink',
]);

function findNamedAddress(matter: readonly MarkdownLine[]): MarkdownHref | undefined {
  for (const { text, number } of matter) {
    const found = /^([A-Za-z_-]{1,40})\s{0,9}:\s{1,9}["']?([^\s"']{1,2000})/u.exec(text);
    const key = (found?.[1] ?? '').toLowerCase().replaceAll('-', '_');
    if (ADDRESS_KEYS.has(key)) return { href: found?.[2] ?? '', line: number };
  }
  return undefined;
}

function listMarkdownLinks(lines: readonly MarkdownLine[]): readonly MarkdownHref[] {
  const references = listLinkDefinitions(lines);
  const links: MarkdownHref[] = [];
  let tried = 0;
  for (const { text, number } of lines) {
    let at = readDefinition(text) ? -1 : findNextBracket(text, 0);
    while (at !== -1 && tried < MAX_BRACKETS) {
      tried += 1;
      const found = text[at - 1] === '!' ? undefined : readLink(text, at, references);
      if (found) links.push({ href: found.href, line: number });
      at = findNextBracket(text, found ? found.end : at + 1);
    }
    if (tried >= MAX_BRACKETS) break;
  }
  return links;
}

function findNextBracket(text: string, from: number): number {
  const [square, angle] = [text.indexOf('[', from), text.indexOf('<', from)];
  if (square === -1 || angle === -1) return Math.max(square, angle);
  return Math.min(square, angle);
}

function listLinkDefinitions(lines: readonly MarkdownLine[]): LinkDefinitions {
  const references = new Map<string, string>();
  for (const { text } of lines) {
    const found = references.size < MAX_DEFINITIONS ? readDefinition(text) : undefined;
    if (found && !references.has(found.label)) references.set(found.label, found.href);
  }
  return references;
}
