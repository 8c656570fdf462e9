import { readPageFacts } from '../../audit/reach/facts/site-files.ts';
import { isSlot } from '../../lib/slots.ts';
import { computeFilledShare, type FilledShare, listJsonTexts, listMarkdownSentences } from './filled-share.ts';
import type { Audited, DeployableFile } from './generated-file.ts';
import { selectLlmsPages } from './llms-txt-pages.ts';
import { SITEMAP_NAME, TOPICS_HEAD } from './llms-txt.ts';

/** Pages that are named one by one. */
const MAX_NAMED_PAGES = 5;

/** How much of generated files is filled, all of them together. */
export const measureFiles = (files: readonly DeployableFile[]): FilledShare =>
  computeFilledShare(
    files.flatMap(({ media_type: type, content }) =>
      type.endsWith('json') ? listJsonTexts(JSON.parse(content)) : listMarkdownSentences(content),
    ),
  );

/**
 * What is missing for an llms.txt, page by page; undefined when the file has a sentence of the site's own, or a page or a
 * document beside its start page to lead to.
 */
export function explainEmptyLlmsTxt(audited: Audited, files: readonly DeployableFile[]): string | undefined {
  const lines = files.flatMap(({ content }) => listMarkdownSentences(content));
  if (lines.some((line) => isOwnLine(line, audited))) return undefined;
  const page = readPageFacts(audited.snapshot);
  const words = page.state === 'ready' ? page.value.words : 0;
  const silent = selectLlmsPages(audited).filter(({ note }) => note === '');
  const named = silent.slice(0, MAX_NAMED_PAGES).map(({ path }) => path);
  const more = silent.length - named.length;
  return [
    'No sentence of the site could be read for llms.txt. Missing: a description of the site (meta description, or a first paragraph of its start page), and for each page what it answers.',
    `The start page has ${words} words without JavaScript, and no other page is linked from it or answers.`,
    ...(named.length === 0
      ? []
      : [`Pages that say nothing: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]),
  ].join(' ');
}

/** Whether a line says something of the site: its summary, a topic, or a link elsewhere than to its start page. */
function isOwnLine(line: string, { site }: Audited): boolean {
  if (line === TOPICS_HEAD || line.startsWith(`- [${SITEMAP_NAME}](`)) return false;
  const href = /^- \[.{1,400}?\]\(([^()\s]{1,1000})\)/u.exec(line)?.[1];
  if (href === undefined) return !isSlot(line);
  return !isSlot(line) || (!isSlot(href) && URL.parse(href, site.start.href)?.pathname !== '/');
}

/** What is missing for mcp.json and the cards beside it, field by field. */
export const NO_AGENT_OFFER =
  'The files would hold slots only. Missing: a description of the site (meta description, or a first paragraph of its start page), an MCP endpoint, an API description (openapi.json), an agent card, and a form or operation that becomes a site action.';
