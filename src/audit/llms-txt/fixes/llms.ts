import { defineFileRecipe } from '../../../fixes/core/file-recipe.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import { defineAdvice, FIX_FILES, reportOnly, type Recipe, type Recipes } from '../../../fixes/core/recipe.ts';
import { getKnownOrSlot, formatSlot } from '../../../fixes/core/fix-slots.ts';
import { type ServerSetting, setHeaders } from '../../../fixes/core/host-headers.ts';
import { isPlainPath } from '../../../fixes/core/server-plan.ts';
import { markdownNegotiation } from '../../../fixes/core/host-settings.ts';
import { cleanSiteText, formatMarkdownAddress } from '../../../fixes/files/safe-site.ts';
import { formatLlmsTxt } from '../../../fixes/files/llms-txt.ts';
import { fenceCodeBlock, escapeMarkdownText } from '../../../lib/safe-text.ts';
import { withoutSlots } from '../../../lib/slots.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { buildServerSetting } from '../../reach/fixes/reach.ts';
import {
  addPages,
  dropDeadLinks,
  dropOrders,
  withNameFirst,
  buildLlmsEdit,
  withNotes,
  withSummaryBelow,
} from './llms-edits.ts';

/** Bounds of one Markdown copy. */
const MAX_BLOCKS = 1500;
const MAX_BLOCK_CHARS = 20_000;
const MAX_ITEMS = 100;

/** Regions that are on every page of a site, so that a copy of one page leaves them out. */
const FRAME = new Set(['nav', 'header', 'footer', 'aside']);

type Block = { line: number; order: number; text: string };

/** The Markdown copy of the audited page: its headings, paragraphs, lists and code in their order. */
function renderPageMarkdown({ page, words }: FixContext): string {
  if (!page) return `# ${getKnownOrSlot(words.name, 'name')}\n\n${formatSlot('about')}\n`;
  const title = words.heading ?? words.title;
  const blocks = [
    ...listHeadingBlocks(page),
    ...listParagraphBlocks(page),
    ...listBlocks(page),
    ...listCodeBlocks(page),
  ]
    .toSorted((a, b) => a.line - b.line || a.order - b.order)
    .slice(0, MAX_BLOCKS)
    .map(({ text }) => text);
  const head = [`# ${title === undefined ? formatSlot('pageTitle') : escapeMarkdownText(title, 200)}`];
  const summary = words.description === undefined ? [] : [`> ${escapeMarkdownText(words.description, 300)}`];
  const body = blocks.length === 0 ? [formatSlot('passage')] : blocks;
  return `${[...head, ...summary, ...body].join('\n\n')}\n`;
}

const isContent = ({ region, hidden }: { region: string; hidden?: unknown }): boolean =>
  !FRAME.has(region) && hidden === undefined;
const escapeMarkdown = (text: string): string =>
  escapeMarkdownText(cleanSiteText(text, MAX_BLOCK_CHARS), MAX_BLOCK_CHARS);

/** The first h1 is the title of the copy already. */
function listHeadingBlocks(page: PageFacts): readonly Block[] {
  const [first] = page.headings.filter(({ level, text }) => level === 1 && text !== '');
  return page.headings
    .filter((heading) => heading !== first && heading.text !== '' && isContent(heading))
    .map(({ level, text, line }) => ({
      line,
      order: 0,
      text: `${'#'.repeat(Math.max(2, level))} ${escapeMarkdown(text)}`,
    }));
}

/** Paragraphs inside list items are part of their lists. */
function listParagraphBlocks(page: PageFacts): readonly Block[] {
  const listed = new Set(page.lists.flatMap(({ items }) => items));
  return page.paragraphs
    .filter((paragraph) => paragraph.text !== '' && isContent(paragraph) && !listed.has(paragraph.text))
    .map(({ text, line }) => ({ line, order: 1, text: escapeMarkdown(text) }))
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
        .map((item, index) => `${ordered ? `${index + 1}.` : '-'} ${escapeMarkdown(item)}`)
        .join('\n'),
    }));
}

const listCodeBlocks = (page: PageFacts): readonly Block[] =>
  page.codeBlocks.map(({ text, language, line }) => ({
    line,
    order: 3,
    text: fenceCodeBlock(withoutSlots(text), language),
  }));

/** The copy that the site has, else the one that a fix makes, names its page. Nothing is set where a path is no plain one. */
function setCopyCanonical({ words, read }: FixContext): ServerSetting {
  const copies = read('markdownCopies');
  const seen = copies && copies.copy !== 'none' && copies.copy !== 'unknown' ? copies.copy.answer.url : undefined;
  const copy = URL.parse(seen ?? formatMarkdownAddress(words.pageUrl))?.pathname ?? '';
  const page = URL.parse(words.pageUrl)?.pathname ?? '';
  if (!isPlainPath(copy) || !isPlainPath(page)) return { parts: [], texts: {} };
  return setHeaders(copy, { Link: `<${page}>; rel="canonical"` });
}

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

const buildLlmsRecipe = (make: Parameters<typeof defineFileRecipe>[0]['make'], expect: string, how?: string): Recipe =>
  defineFileRecipe({
    file: FIX_FILES.llms,
    mediaType: 'text/markdown',
    role: 'llms',
    kind: 'text',
    make,
    expect,
    ...(how === undefined ? {} : { how }),
  });

const generateLlmsText = ({ audited }: { audited: Parameters<typeof formatLlmsTxt>[0] }): string =>
  formatLlmsTxt(audited);

/** The part of its HTML that a copy should have at most. */
const MAX_COPY_SHARE = 0.5;

/** The copy is whole where it is as small as it should be: of a page with next to no markup no copy is. */
function buildSmallCopyRecipe(): Recipe {
  const whole = defineFileRecipe({
    file: FIX_FILES.pageMarkdown,
    mediaType: 'text/markdown',
    make: renderPageMarkdown,
    at: ({ words }) => formatMarkdownAddress(words.pageUrl),
    effort: 'hours',
    how: 'The copy below has the content of the audited page only.',
    expect: 'The copy has at most half the size of the HTML.',
  });
  return {
    async remedy(fixing, judged) {
      const { ready: _ready, ...draft } = await whole.remedy(fixing, judged);
      const chars = fixing.source.ok ? fixing.source.html.length : 0;
      return (draft.content?.length ?? chars) <= MAX_COPY_SHARE * chars ? { ...draft, ready: true } : draft;
    },
  };
}

/** llms.txt and the Markdown copies of pages. */
export const llmsRecipes: Recipes = {
  'agent.llms.exists': buildLlmsRecipe(
    generateLlmsText,
    'Status 200 with Markdown that begins with "# ".',
    'The file below is built from what the site says.',
  ),
  'agent.llms.content-type': buildServerSetting(setHeaders('/llms.txt', { 'Content-Type': MARKDOWN_TYPE }), {
    expect: 'Content-Type is text/markdown or text/plain, with charset utf-8.',
    at: '/llms.txt',
  }),
  'agent.llms.h1-first': buildLlmsRecipe(
    buildLlmsEdit(withNameFirst),
    'The first line is "# " and the name of the site, and no other line is a heading of level 1.',
  ),
  'agent.llms.summary': buildLlmsRecipe(
    buildLlmsEdit(withSummaryBelow),
    'A line that begins with "> " follows the first heading.',
  ),
  'agent.llms.sections': buildLlmsRecipe(
    generateLlmsText,
    'At least one "## " heading with a list of links below it.',
    'Keep what you wrote beside the lists.',
  ),
  'agent.llms.links-described': buildLlmsRecipe(
    buildLlmsEdit(withNotes),
    'At least four of five links are followed by a colon and a note.',
  ),
  'agent.llms.links-resolve': buildLlmsRecipe(
    buildLlmsEdit(dropDeadLinks),
    'Every link of the file answers 200.',
    'Dead links are taken out: put the new address in their place where there is one.',
  ),
  'agent.llms.links-text': defineAdvice({
    file: FIX_FILES.llms,
    action: 'replace',
    effort: 'hours',
    how: 'A Markdown copy has the address of its page with .md appended.',
    expect: 'The links lead to Markdown, plain text, or HTML with at least 60 words.',
    at: '/llms.txt',
  }),
  'agent.llms.size': defineAdvice({
    file: FIX_FILES.llms,
    action: 'replace',
    effort: 'hours',
    how: 'A part has its own at its root, for example /docs/llms.txt.',
    expect: 'The file has at most 50,000 characters.',
    at: '/llms.txt',
  }),
  'agent.llms.coverage': buildLlmsRecipe(buildLlmsEdit(addPages), 'The pages of the navigation are listed.'),
  'agent.llms.same-site': defineAdvice({
    file: FIX_FILES.llms,
    action: 'replace',
    effort: 'minutes',
    how: 'Links that a reader may skip go to a section "Optional" at the end.',
    expect: 'At least four of five links lead to this site.',
    at: '/llms.txt',
  }),
  'agent.llms.full': defineAdvice({
    file: FIX_FILES.llmsFull,
    action: 'create',
    effort: 'hours',
    how: 'The build can join the Markdown sources of all pages, each below a heading of level 1.',
    expect: 'Text of at least 1 KB that begins with a heading, or status 404.',
    at: '/llms-full.txt',
  }),
  'agent.llms.statistics': reportOnly(),
  'agent.llms.no-injection': buildLlmsRecipe(
    buildLlmsEdit(dropOrders),
    'The lines of the evidence are gone.',
    'Check AGENTS.md, SKILL.md and llms-full.txt as well, where the evidence names them.',
  ),
  'agent.md.negotiation': buildServerSetting(markdownNegotiation, {
    effort: 'hours',
    how: 'The Markdown copy has to be there first: see the file of agent.md.suffix.',
    expect: 'With "Accept: text/markdown" the Content-Type is text/markdown, with "Accept: text/html" it is text/html.',
    ask: 'markdown',
  }),
  'agent.md.vary': buildServerSetting(setHeaders('/*', { Vary: 'Accept' }), {
    expect: 'Both answers, for Markdown and for HTML, have Vary with Accept.',
    ask: 'markdown',
  }),
  'agent.md.q-values': buildServerSetting(markdownNegotiation, {
    effort: 'hours',
    how: 'Frameworks bring one (accepts, negotiator); the setting for Cloudflare below has one written out.',
    expect: 'With "Accept: text/html, text/markdown;q=0.1" the Content-Type is text/html.',
    ask: 'htmlFirst',
  }),
  'agent.md.suffix': defineFileRecipe({
    file: FIX_FILES.pageMarkdown,
    mediaType: 'text/markdown',
    make: renderPageMarkdown,
    at: ({ words }) => formatMarkdownAddress(words.pageUrl),
    effort: 'hours',
    how: 'This is the copy of the audited page; the build can write one beside every page.',
    expect: 'Status 200 with Content-Type text/markdown.',
  }),
  'agent.md.canonical': buildServerSetting(setCopyCanonical, {
    how: 'Each copy names the page it was made from: this one is that of the audited page.',
    expect: 'A Link header with rel="canonical" that names the HTML page.',
  }),
  'agent.md.size-win': buildSmallCopyRecipe(),
  'agent.md.valid': defineFileRecipe({
    file: FIX_FILES.pageMarkdown,
    mediaType: 'text/markdown',
    make: renderPageMarkdown,
    at: ({ words }) => formatMarkdownAddress(words.pageUrl),
    effort: 'hours',
    how: 'Converters have a setting for tags without Markdown.',
    expect: 'Balanced fences, a heading near the top, hardly a tag.',
  }),
  'agent.md.links-portable': defineAdvice(({ words }) => ({
    file: FIX_FILES.pageMarkdown,
    action: 'replace',
    effort: 'hours',
    how: 'Give the converter the address of the page as its base (turndown: a rule for links; pandoc: a filter).',
    expect: 'Links of the copy begin with https:// or /.',
    at: formatMarkdownAddress(words.pageUrl),
  })),
};
