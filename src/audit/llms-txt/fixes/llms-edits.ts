import type { CheckResult } from '../../core/scores.ts';
import { selectLlmsPages } from '../../../fixes/files/llms-txt-pages.ts';
import { formatLlmsTxt } from '../../../fixes/files/llms-txt.ts';
import { escapeMarkdownText, formatPlainBlock } from '../../../lib/safe-text.ts';
import { findFetchedText } from '../../../fixes/core/file-recipe.ts';
import { getKnownOrSlot, formatSlot } from '../../../fixes/core/fix-slots.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';

/** Pages that one fix adds to the file. */
const MAX_ADDED = 100;
const MAX_NOTE_CHARS = 200;

/** Edits the present text of llms.txt and drops invisible characters; makes the whole file where there is none. */
export const buildLlmsEdit =
  (edit: (lines: readonly string[], fixing: FixContext, judged: CheckResult) => readonly string[]) =>
  (fixing: FixContext, judged: CheckResult): string => {
    const present = findFetchedText(fixing, 'llms', 'text');
    if (present === undefined) return formatLlmsTxt(fixing.audited);
    return edit(formatPlainBlock(present).split('\n'), fixing, judged).join('\n');
  };

/** Lines outside of fenced code, which is shown and not read. */
function mapProseLines(lines: readonly string[], change: (line: string, index: number) => string): readonly string[] {
  let fence = '';
  return lines.map((line, index) => {
    const mark = /^ {0,3}(`{3,20}|~{3,20})/.exec(line)?.[1] ?? '';
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    else if (fence === '') return change(line, index);
    return line;
  });
}

const isH1 = (line: string): boolean => /^# \S/.test(line);

/** The name of the site first, and no second heading of its level. */
export const withNameFirst = (lines: readonly string[], { words, audited }: FixContext): readonly string[] => {
  const start = lines.findIndex((line) => line.replace(/^\uFEFF/, '').trim() !== '');
  const leads = start !== -1 && isH1((lines[start] ?? '').replace(/^\uFEFF/, ''));
  const rest = mapProseLines(lines, (line, index) => (isH1(line) && !(leads && index === start) ? `#${line}` : line));
  return leads ? rest : [`# ${escapeMarkdownText(words.name ?? audited.site.start.host, 100)}`, '', ...rest];
};

/** One sentence about the site below the name. */
export const withSummaryBelow = (lines: readonly string[], fixing: FixContext): readonly string[] => {
  const titled = withNameFirst(lines, fixing);
  const at = titled.findIndex((line) => isH1(line.replace(/^\uFEFF/, '')));
  const { description, lead } = fixing.words;
  const text = description ?? lead[0];
  const summary = `> ${text === undefined ? getKnownOrSlot(undefined, 'about') : escapeMarkdownText(text, 300)}`;
  const below = titled.slice(at + 1);
  const gap = below[0]?.trim() === '' ? [] : [''];
  return [...titled.slice(0, at + 1), '', summary, ...gap, ...below];
};

/** Notes for links that have none, from what the pages say. */
export const describeLinks = (lines: readonly string[], { audited }: FixContext): readonly string[] => {
  const notes = new Map(selectLlmsPages(audited).map(({ url, note }) => [normalisePageUrl(url), note]));
  return mapProseLines(lines, (line) => {
    const bare = /^(\s{0,8}[-*+] \[[^\]]{1,300}\]\(([^()\s]{1,2000})\)):?$/.exec(line.trimEnd());
    if (!bare) return line;
    const href = URL.parse(bare[2] ?? '', audited.site.start.href)?.href ?? '';
    const note = notes.get(normalisePageUrl(href)) ?? '';
    return `${bare[1] ?? ''}: ${note === '' ? formatSlot('passage') : escapeMarkdownText(note, MAX_NOTE_CHARS)}`;
  });
};

const normalisePageUrl = (url: string): string =>
  (url.split('#')[0] ?? url).replace(/(?:\/index)?\.(?:md|html?)$/, '').replace(/\/$/, '');

/** List items whose link leads nowhere go. */
export const dropDeadLinks = (
  lines: readonly string[],
  _fixing: FixContext,
  { outcome }: CheckResult,
): readonly string[] => {
  const dead = outcome.evidence.filter(({ status }) => status !== undefined && status >= 400).map(({ url }) => url);
  const isDead = (line: string): boolean =>
    dead.some((url) => line.includes(`](${url})`) || line.includes(`](${new URL(url).pathname})`));
  return lines.filter((line) => !(/^\s{0,8}[-*+] \[/.test(line) && isDead(line)));
};

/** Pages of the navigation that the file does not list, in a section of their own. */
export const addPages = (lines: readonly string[], { audited }: FixContext): readonly string[] => {
  const text = lines.join('\n');
  const missing = selectLlmsPages(audited).filter(
    ({ url, path }) => !text.includes(`](${url})`) && !text.includes(`](${path})`),
  );
  const items = missing
    .slice(0, MAX_ADDED)
    .map(
      ({ name, url, note }) =>
        `- [${escapeMarkdownText(name, 100)}](${url}): ${note === '' ? formatSlot('passage') : escapeMarkdownText(note, MAX_NOTE_CHARS)}`,
    );
  if (items.length === 0) return lines;
  const body = text.replace(/\n{0,20}$/, '');
  return [body, '', '## More pages', '', ...items, ''];
};

/** Lines that order agents about go. */
export const dropOrders = (
  lines: readonly string[],
  { find }: FixContext,
  { outcome }: CheckResult,
): readonly string[] => {
  const exchange = find('llms');
  const own = exchange?.answer.ok === true ? exchange.answer.url : '';
  const numbers = new Set(outcome.evidence.filter(({ url }) => url === own).map(({ line }) => line));
  return lines.filter((_, index) => !numbers.has(index + 1));
};
