import { skipBlanks } from '../../../lib/text.ts';

/** Characters of one link (text, target, title) that are looked at: no honest link is longer. */
export const MAX_LINK_CHARS = 2_000;

/** `end` is the offset after the link. `href` is as written: relative references stay relative. */
export type MarkdownLink = { name: string; href: string; end: number };

/** Link reference definitions (`[label]: target`) by folded label. */
export type LinkDefinitions = ReadonlyMap<string, string>;

/**
 * Reads the inline, reference or autolink at `from`, or undefined when none starts there (CommonMark 0.31 sections 4.7,
 * 6.3 and 6.5). Images are not links. Reads at most `MAX_LINK_CHARS`.
 * @see https://spec.commonmark.org/0.31.2/#links
 */
export function readLink(line: string, from: number, references: LinkDefinitions): MarkdownLink | undefined {
  const text = line.slice(from, from + MAX_LINK_CHARS);
  const found = text.startsWith('<') ? parseAutolink(text) : parseBracketLink(text, references);
  return found && { ...found, end: from + found.end };
}

/** `[label]: target "title"` on a line of its own, up to three spaces in; undefined when the line is none. */
export function readDefinition(line: string): { label: string; href: string } | undefined {
  const text = line.slice(0, MAX_LINK_CHARS);
  const start = /^ {0,3}\[/.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const close = findClosingBracket(text, start);
  if (close === undefined || text[close + 1] !== ':') return undefined;
  const label = foldLabel(text.slice(start, close));
  const target = readTarget(text, skipBlanks(text, close + 2));
  return label === '' || !target || target.href === '' ? undefined : { label, href: target.href };
}

/** Labels match without letter case and with white space collapsed. */
const foldLabel = (label: string): string => label.trim().replaceAll(/\s+/g, ' ').toLowerCase();

function parseAutolink(text: string): MarkdownLink | undefined {
  const href = /^<(https?:[^\s<>]{1,1900})>/i.exec(text)?.[1];
  return href === undefined ? undefined : { name: href, href, end: href.length + 2 };
}

function parseBracketLink(text: string, references: LinkDefinitions): MarkdownLink | undefined {
  if (!text.startsWith('[')) return undefined;
  const close = findClosingBracket(text, 1);
  if (close === undefined) return undefined;
  const name = extractPlainText(text.slice(1, close));
  const after = text[close + 1];
  if (after === '(') {
    const target = readInlineTarget(text, close + 2);
    if (target) return { name, ...target };
  }
  if (after === '[') {
    const end = findClosingBracket(text, close + 2);
    if (end !== undefined)
      return resolveReferenceLink(name, text.slice(close + 2, end) || text.slice(1, close), end + 1, references);
  }
  return resolveReferenceLink(name, text.slice(1, close), close + 1, references);
}

function resolveReferenceLink(
  name: string,
  label: string,
  end: number,
  references: LinkDefinitions,
): MarkdownLink | undefined {
  const href = references.get(foldLabel(label));
  return href === undefined ? undefined : { name, href, end };
}

/** Offset of the `]` that closes the bracket opened before `from`; escaped and nested brackets are stepped over. */
function findClosingBracket(text: string, from: number): number | undefined {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '[') depth += 1;
    else if (char === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

/** The target and optional title of `](target "title")`, from after the parenthesis to after its partner. */
function readInlineTarget(text: string, from: number): { href: string; end: number } | undefined {
  const target = readTarget(text, skipBlanks(text, from));
  if (!target) return undefined;
  let at = skipBlanks(text, target.end);
  const closer = { '"': '"', "'": "'", '(': ')' }[text[at] ?? ''];
  if (closer !== undefined) {
    const end = text.indexOf(closer, at + 1);
    if (end === -1) return undefined;
    at = skipBlanks(text, end + 1);
  }
  return text[at] === ')' ? { href: target.href, end: at + 1 } : undefined;
}

/** `<any text>` or a run without spaces whose parentheses balance. */
function readTarget(text: string, from: number): { href: string; end: number } | undefined {
  if (text[from] === '<') {
    const end = text.indexOf('>', from);
    return end === -1 ? undefined : { href: unescape(text.slice(from + 1, end)), end: end + 1 };
  }
  let depth = 0;
  let at = from;
  for (; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\\') at += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') {
      if (depth === 0) break;
      depth -= 1;
    } else if (/\s/.test(char)) break;
  }
  return { href: unescape(text.slice(from, at)), end: at };
}

const unescape = (text: string): string => text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');

/** Link text without emphasis, code ticks and images. */
const extractPlainText = (text: string): string =>
  unescape(text.replaceAll(/[*_`]{1,3}/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();
