import type { PageFacts } from '../../page/facts/page-facts.ts';
import { siteText } from '../../../fixes/files/safe-site.ts';
import { fenced, markdownText } from '../../../lib/safe-text.ts';
import { withoutSlots } from '../../../lib/slots.ts';
import { known, slot } from '../../../fixes/core/fix-slots.ts';
import type { Fixing } from '../../../fixes/core/fix-context.ts';

/** Bounds of one Markdown copy. */
const MAX_BLOCKS = 1500;
const MAX_BLOCK_CHARS = 20_000;
const MAX_ITEMS = 100;

/** Regions that are on every page of a site, so that a copy of one page leaves them out. */
const FRAME = new Set(['nav', 'header', 'footer', 'aside']);

type Block = { line: number; order: number; text: string };

/** The Markdown copy of the audited page: its headings, paragraphs, lists and code in their order. */
export function pageMarkdown({ page, words }: Fixing): string {
  if (!page) return `# ${known(words.name, 'name')}\n\n${slot('about')}\n`;
  const title = words.heading ?? words.title;
  const blocks = [...headingBlocks(page), ...paragraphBlocks(page), ...listBlocks(page), ...codeBlocks(page)]
    .toSorted((a, b) => a.line - b.line || a.order - b.order)
    .slice(0, MAX_BLOCKS)
    .map(({ text }) => text);
  const head = [`# ${title === undefined ? slot('pageTitle') : markdownText(title, 200)}`];
  const summary = words.description === undefined ? [] : [`> ${markdownText(words.description, 300)}`];
  const body = blocks.length === 0 ? [slot('passage')] : blocks;
  return `${[...head, ...summary, ...body].join('\n\n')}\n`;
}

const isContent = ({ region, hidden }: { region: string; hidden?: unknown }): boolean =>
  !FRAME.has(region) && hidden === undefined;
const escaped = (text: string): string => markdownText(siteText(text, MAX_BLOCK_CHARS), MAX_BLOCK_CHARS);

/** The first h1 is the title of the copy already. */
function headingBlocks(page: PageFacts): readonly Block[] {
  const [first] = page.headings.filter(({ level, text }) => level === 1 && text !== '');
  return page.headings
    .filter((heading) => heading !== first && heading.text !== '' && isContent(heading))
    .map(({ level, text, line }) => ({ line, order: 0, text: `${'#'.repeat(Math.max(2, level))} ${escaped(text)}` }));
}

/** Paragraphs inside list items are part of their lists. */
function paragraphBlocks(page: PageFacts): readonly Block[] {
  const listed = new Set(page.lists.flatMap(({ items }) => items));
  return page.paragraphs
    .filter((paragraph) => paragraph.text !== '' && isContent(paragraph) && !listed.has(paragraph.text))
    .map(({ text, line }) => ({ line, order: 1, text: escaped(text) }))
    .filter(({ text }) => text !== '');
}

function listBlocks(page: PageFacts): readonly Block[] {
  return page.lists
    .filter((list) => list.items.length > 0 && isContent(list))
    .map(({ items, ordered, line }) => ({
      line,
      order: 2,
      text: items
        .slice(0, MAX_ITEMS)
        .filter((item) => item !== '')
        .map((item, index) => `${ordered ? `${index + 1}.` : '-'} ${escaped(item)}`)
        .join('\n'),
    }));
}

const codeBlocks = (page: PageFacts): readonly Block[] =>
  page.codeBlocks.map(({ text, language, line }) => ({ line, order: 3, text: fenced(withoutSlots(text), language) }));
