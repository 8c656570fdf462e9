import { escapeMarkdownText } from '../../lib/safe-text.ts';
import { formatSlot } from '../core/fix-slots.ts';
import { normalisePageKey } from './llms-txt-known.ts';
import type { LlmsPage } from './llms-txt-pages.ts';

/** Pages that are added to a file of the owner's. */
const MAX_ADDED = 100;
const MAX_NAME_CHARS = 100;
const MAX_NOTE_CHARS = 200;
const MAX_SUMMARY_CHARS = 300;

/** The share of links that should have a note: below it, what is not known is asked for. */
const MIN_DESCRIBED = 0.8;

/** Lines outside of fenced code, which is shown and not read. */
export function mapProseLines(
  lines: readonly string[],
  change: (line: string, index: number) => string,
): readonly string[] {
  let fence = '';
  return lines.map((line, index) => {
    const mark = /^ {0,3}(`{3,20}|~{3,20})/.exec(line)?.[1] ?? '';
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    else if (fence === '') return change(line, index);
    return line;
  });
}

const isH1 = (line: string): boolean => /^# \S/.test(line.replace(/^\uFEFF/, ''));

/** The name of the site first, and no second heading of its level. */
export function putNameFirst(lines: readonly string[], name: string): readonly string[] {
  const start = lines.findIndex((line) => line.replace(/^\uFEFF/, '').trim() !== '');
  const leads = start !== -1 && isH1(lines[start] ?? '');
  const rest = mapProseLines(lines, (line, index) => (isH1(line) && !(leads && index === start) ? `#${line}` : line));
  return leads ? rest : [`# ${escapeMarkdownText(name, MAX_NAME_CHARS)}`, '', ...rest];
}

/** One sentence about the site below its name, unless the owner has one there. */
export function summariseBelow(lines: readonly string[], summary: string): readonly string[] {
  const at = lines.findIndex(isH1);
  const below = lines.slice(at + 1);
  const section = below.findIndex((line) => line.startsWith('##'));
  const own = below.slice(0, section === -1 ? below.length : section);
  if (own.some((line) => /^ {0,3}>\s{0,9}\S/.test(line))) return lines;
  const text = summary === '' ? formatSlot('siteSummary') : escapeMarkdownText(summary, MAX_SUMMARY_CHARS);
  const gap = below[0]?.trim() === '' ? [] : [''];
  return [...lines.slice(0, at + 1), '', `> ${text}`, ...gap, ...below];
}

/** List items whose link leads nowhere go. */
export function withoutDeadLinks(lines: readonly string[], dead: readonly string[]): readonly string[] {
  const isDead = (line: string): boolean =>
    dead.some((url) => line.includes(`](${url})`) || line.includes(`](${URL.parse(url)?.pathname ?? url})`));
  return lines.filter((line) => !(/^\s{0,8}[-*+] \[/.test(line) && isDead(line)));
}

/** One key for all spellings of a page; '' for what is no address. */
function toPageKey(href: string, base?: string): string {
  const url = URL.parse(href, base);
  return url && /^https?:$/.test(url.protocol) ? normalisePageKey(url.href) : '';
}

/** Pages that the file does not list, in a section of their own. */
export function listMissingPages(lines: readonly string[], pages: readonly LlmsPage[]): readonly string[] {
  const linked = new Set(
    lines.flatMap((line) =>
      [...line.matchAll(/\]\(([^()\s]{1,2000})\)/g)].map(([, href = '']) => toPageKey(href, pages[0]?.url)),
    ),
  );
  const missing = pages.filter(({ url }) => !linked.has(toPageKey(url))).slice(0, MAX_ADDED);
  if (missing.length === 0) return lines;
  const body = lines.join('\n').replace(/\n{0,20}$/, '');
  return [body, '', '## More pages', '', ...missing.map(({ name, url, note }) => formatLink(name, url, note)), ''];
}

const formatLink = (name: string, url: string, note: string): string =>
  `- [${escapeMarkdownText(name.replaceAll('[', '(').replaceAll(']', ')'), MAX_NAME_CHARS)}](${url})${note === '' ? '' : `: ${escapeMarkdownText(note, MAX_NOTE_CHARS)}`}`;

const BARE_LINK = /^(\s{0,8}[-*+] \[[^\]]{1,300}\]\(([^()\s]{1,2000})\)):?$/;
const NOTED_LINK = /^\s{0,8}[-*+] \[[^\]]{1,300}\]\([^()\s]{1,2000}\):? {1,9}\S/;

/** Notes for links that have none: what their pages say, else a question where too many would be left without. */
export function describeLinks(lines: readonly string[], pages: readonly LlmsPage[]): readonly string[] {
  const notes = new Map(pages.map(({ url, note }) => [toPageKey(url), note]));
  const noteOf = (href: string): string => notes.get(toPageKey(href, pages[0]?.url)) ?? '';
  const known = mapProseLines(lines, (line) => {
    const [, link, href = ''] = BARE_LINK.exec(line.trimEnd()) ?? [];
    const note = link === undefined ? '' : noteOf(href);
    return link === undefined || note === '' ? line : `${link}: ${escapeMarkdownText(note, MAX_NOTE_CHARS)}`;
  });
  const bare = known.filter((line) => BARE_LINK.test(line.trimEnd())).length;
  const noted = known.filter((line) => NOTED_LINK.test(line)).length;
  if (noted >= MIN_DESCRIBED * (bare + noted)) return known;
  return mapProseLines(known, (line) => {
    const [, link] = BARE_LINK.exec(line.trimEnd()) ?? [];
    return link === undefined ? line : `${link}: ${formatSlot('pageNote')}`;
  });
}
