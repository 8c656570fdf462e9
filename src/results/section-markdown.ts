import { escapeMarkdownText, fenceCodeBlock, formatCodeSpan } from '../lib/safe-text.ts';
import { capitalise } from '../lib/text.ts';
import type { SectionPage } from './section-page.ts';

/** Longest line of a text that is shown as prose, in characters; longer ones and those with line ends are blocks. */
const MAX_LINE_CHARS = 1_000;
/** Levels of members that are shown as lists; what is below them is JSON. */
const MAX_DEPTH = 2;

type Item = Readonly<Record<string, unknown>>;

/** A page of a section as Markdown. Text of sites and engines is escaped, or in code blocks. */
export function formatSectionMarkdown({
  section,
  capability,
  total,
  items,
  report_url,
  next_cursor,
  links,
}: SectionPage): string {
  const place = report_url === undefined ? '' : ` of ${report_url}`;
  const shown = items.length === total ? '' : ` ${items.length} are on this page.`;
  const lines = [
    `# ${capitalise(section)}`,
    `Section ${section} of ${capability}${place}: ${total} in all.${shown}`,
    ...items.map((item, at) => formatItem(item, at)),
    ...(next_cursor === undefined ? [] : [`Next page: ${links?.next ?? `cursor ${next_cursor}`}`]),
  ];
  return `${lines.join('\n\n')}\n`;
}

/** The heading of an item is the first of these that it has. */
const HEADINGS = ['title', 'path', 'check_id', 'prompt', 'url', 'role'] as const;

function formatItem(item: Item, at: number): string {
  const named = HEADINGS.find((name) => typeof item[name] === 'string');
  const heading = named === undefined ? `Item ${at + 1}` : escapeMarkdownText(String(item[named]), MAX_LINE_CHARS);
  const { blocks, lines } = splitMembers(Object.entries(item).filter(([name]) => name !== named));
  return [`## ${heading}`, lines.join('\n'), ...blocks].filter((part) => part !== '').join('\n\n');
}

function splitMembers(members: readonly (readonly [string, unknown])[]): { lines: string[]; blocks: string[] } {
  const blocks: string[] = [];
  const lines: string[] = [];
  for (const [name, value] of members) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    if (typeof value === 'string' && isBlock(value)) blocks.push(`${name}:\n\n${fenceCodeBlock(value, '')}`);
    else lines.push(`- ${name}: ${formatValue(value, 1)}`);
  }
  return { lines, blocks };
}

const isBlock = (text: string): boolean => text.length > MAX_LINE_CHARS || /[\r\n]/.test(text);

function formatValue(value: unknown, depth: number): string {
  if (typeof value === 'string') return formatText(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one === 'string')) return value.map(formatText).join(', ');
    return value.map((one) => `\n${'  '.repeat(depth)}- ${formatInside(one, depth + 1)}`).join('');
  }
  return formatInside(value, depth + 1);
}

function formatInside(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return formatValue(value, depth);
  if (depth > MAX_DEPTH + 1) return formatCodeSpan(JSON.stringify(value));
  return Object.entries(value)
    .map(([name, member]) => `${name} ${formatValue(member, depth)}`)
    .join(', ');
}

/** Addresses and commands as code, so that they are copied as they are; words as text. */
const formatText = (text: string): string =>
  /^(?:https?:\/\/|curl |\/)/.test(text)
    ? formatCodeSpan(text, MAX_LINE_CHARS)
    : escapeMarkdownText(text, MAX_LINE_CHARS);
