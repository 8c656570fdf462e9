import type { Changelog, ChangeSection } from '../../about/changelog-feed.ts';
import { brand } from '../brand.ts';
import {
  buildCode,
  buildLink,
  buildText,
  type Inline,
  type PageText,
  type TextBlock,
  type TextSection,
} from '../start/document.ts';

export const CHANGELOG_PATH = '/changelog';
export const FEED_PATH = '/feed.xml';
/** What the newest changes are below, until they have a version. */
const UNRELEASED = 'Unreleased';

/** The change log as a page. */
export const buildChangelogPage = ({ changed, sections }: Changelog): PageText => ({
  path: CHANGELOG_PATH,
  title: `Changes of ${brand.name}`,
  description: `What changed in ${brand.name}: what is new, what breaks and what to do about it, release by release. Also as a feed.`,
  changed,
  lead: [
    'What is new, what breaks, and what to do about it. ',
    buildLink('The feed', FEED_PATH),
    ' has the sections that changed last. What will go away is on ',
    buildLink('the page of deprecations', '/deprecations'),
    '.',
  ],
  sections: sections.map(buildChangeSection),
});

const buildChangeSection = ({ release, heading, id, markdown }: ChangeSection): TextSection => ({
  id,
  heading: release === heading || release === UNRELEASED ? heading : `${release}: ${heading}`,
  level: 2,
  blocks: readChangeBlocks(markdown),
});

/** Paragraphs and lists of a section: the change log has nothing else. A line that is indented goes on with its item. */
export function readChangeBlocks(markdown: string): readonly TextBlock[] {
  const blocks: ({ items: string[] } | { text: string })[] = [];
  let isOpen = false;
  for (const line of markdown.split('\n')) {
    const last = blocks.at(-1);
    if (line.startsWith('- ')) {
      if (last !== undefined && 'items' in last) last.items.push(line.slice(2));
      else blocks.push({ items: [line.slice(2)] });
    } else if (line.trim() !== '') {
      if (isOpen && last !== undefined && 'text' in last) last.text += ` ${line.trim()}`;
      else if (isOpen && last !== undefined && 'items' in last) last.items.push(`${last.items.pop()} ${line.trim()}`);
      else blocks.push({ text: line.trim() });
    }
    isOpen = line.trim() !== '';
  }
  return blocks.map((block) =>
    'text' in block ? buildText(...readInlines(block.text)) : { kind: 'list', items: block.items.map(readInlines) },
  );
}

/** Code, words with stars around them, or a link whose words have no brackets. */
const PIECE =
  /`(?<code>[^`]{1,2000})`|\*\*(?<strong>[^*`]{1,300})\*\*|\*(?<emphasis>[^*`\s][^*`]{0,300})\*|\[(?<words>[^[\]]{1,300})\]\((?<href>[^()\s]{1,500})\)/g;

/** Words, code and links of a line. Emphasis is not shown. */
export function readInlines(text: string): readonly Inline[] {
  const found: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(PIECE)) {
    if (match.index > at) found.push(text.slice(at, match.index));
    found.push(toInline(match.groups ?? {}));
    at = match.index + match[0].length;
  }
  return at < text.length ? [...found, text.slice(at)] : found;
}

function toInline({
  code,
  strong,
  emphasis,
  words = '',
  href = '',
}: Readonly<Partial<Record<string, string>>>): Inline {
  if (code !== undefined) return buildCode(code);
  return strong ?? emphasis ?? linkWords(words.replaceAll('`', ''), href);
}

/** Pages of `docs/` are served; other files of the repository are not, and are named in words alone. */
function linkWords(words: string, href: string): Inline {
  const docs = /^docs\/(?<page>[\w/-]{1,200})\.md(?<anchor>#[\w-]{1,200})?$/.exec(href)?.groups;
  if (docs?.['page'] !== undefined) return buildLink(words, `/docs/${docs['page']}${docs['anchor'] ?? ''}`);
  return /^(?:https:\/\/|\/)/.test(href) ? buildLink(words, href) : words;
}
