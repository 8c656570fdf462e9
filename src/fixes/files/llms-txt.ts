import { readAgentCards } from '../../audit/agent-files/facts/agent-files.ts';
import { readApiDescription } from '../../audit/api/facts/api-description.ts';
import { getExchangeLookup } from '../../audit/core/snapshot.ts';
import { readLlmsFile } from '../../audit/llms-txt/facts/llms-files.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { readSitemapsArtifact } from '../../audit/sitemaps/facts/sitemap.ts';
import { countOccurrences } from '../../lib/numbers.ts';
import { escapeMarkdownText, formatCodeSpan } from '../../lib/safe-text.ts';
import { formatSlot } from '../core/fix-slots.ts';
import { capitalise } from '../../lib/text.ts';
import { type Audited, createSiteFile, type DeployableFile } from './generated-file.ts';
import { describeLinks } from './llms-txt-amend.ts';
import { type OwnedSection, readOwnedFile } from './llms-txt-owned.ts';
import { MAX_PAGE_NAME_CHARS, normalisePageKey } from './llms-txt-known.ts';
import { readSiteIdentity } from './site-identity.ts';
import { type LlmsPage, selectLlmsPages } from './llms-txt-pages.ts';
import { findObservedEndpoint } from './mcp-json-endpoint.ts';
import { cleanSiteText, normaliseOwnUrl } from './safe-site.ts';

/** Pages below one folder from which they get a section of their own. */
const MIN_GROUP = 2;
const MAX_TITLE_CHARS = 60;

type LlmsSection = { title: string; pages: readonly LlmsPage[] };

const MAIN = 'Main pages';
const MORE = 'More pages';
const OPTIONAL = 'Optional';

/**
 * Pages in sections: those of the navigation and the start page, a section for each folder that holds several pages,
 * what is left, and `Optional` last. A folder is named as the site names the page at its top, else by its path.
 */
function groupLlmsPages(pages: readonly LlmsPage[]): readonly LlmsSection[] {
  const required = pages.filter(({ optional }) => !optional);
  const folders = countOccurrences(required.map(({ path }) => getFolder(path)));
  const titles = new Map<string, LlmsPage[]>([[MAIN, []]]);
  for (const page of required) {
    const folder = getFolder(page.path);
    const grouped = folder !== '' && (folders.get(folder) ?? 0) >= MIN_GROUP;
    const rest = page.from === 'sample' ? MORE : MAIN;
    const title = grouped ? formatFolderTitle(folder, required) : rest;
    titles.set(title, [...(titles.get(title) ?? []), page]);
  }
  const more = titles.get(MORE) ?? [];
  titles.delete(MORE);
  const optional = pages.filter((page) => page.optional);
  return [...titles, [MORE, more] as const, [OPTIONAL, optional] as const]
    .map(([title, members]) => ({ title, pages: members }))
    .filter((section) => section.pages.length > 0);
}

/** The first part of a path, a language code before it left out: `docs` for `/en/docs/start`; '' for `/`. */
function getFolder(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const [first = '', second = ''] = parts;
  const folder = /^[a-z]{2}(?:-[a-z]{2})?$/iu.test(first) ? second : first;
  return folder.replace(/\.\w{1,5}$/u, '').toLowerCase();
}

function formatFolderTitle(folder: string, pages: readonly LlmsPage[]): string {
  const top = pages.find(({ path }) => getFolder(path) === folder && path.replace(/\/$/u, '').endsWith(`/${folder}`));
  const words = cleanSiteText(folder.replaceAll(/%[0-9A-Fa-f]{2}|[-_+.]/gu, ' '), MAX_TITLE_CHARS);
  const title = cleanSiteText(top?.name ?? '', MAX_TITLE_CHARS) || capitalise(words);
  return title === '' || title === OPTIONAL ? MORE : title;
}

/** A document to link, or an address that answers programs only and is therefore named, not linked. Our words throughout. */
type LlmsResource = { name: string; note: string } & ({ href: string } | { address: string });

/** What the site serves to programs, as far as the audit saw it. */
function listAgentLinks(audited: Audited): readonly LlmsResource[] {
  const { snapshot, site } = audited;
  const find = getExchangeLookup(snapshot);
  const link = (address: string | undefined, name: string, note: string): readonly LlmsResource[] => {
    const href = address === undefined ? undefined : normaliseOwnUrl(address, site.start);
    return href === undefined ? [] : [{ name, href, note }];
  };
  const api = readApiDescription(snapshot);
  const found = api.state === 'ready' ? api.value.found : undefined;
  const full = readLlmsFile(find('llms-full'), find('control'));
  const cards = readAgentCards(snapshot);
  const card = cards.state === 'ready' && cards.value.card.state === 'found' ? cards.value.card.url : undefined;
  const endpoint = findObservedEndpoint(audited);
  const address = endpoint?.seen === 'live' ? normaliseOwnUrl(endpoint.url, site.start) : undefined;
  const serverCard = endpoint?.card?.exchange ? endpoint.card.url : undefined;
  return [
    ...link(found?.answer.url, 'API description', describeApi(found?.document)),
    ...(address === undefined
      ? []
      : [{ name: 'MCP server', address, note: 'Streamable HTTP; the protocol lists its tools.' }]),
    ...link(serverCard, 'MCP Server Card', 'how to connect to the MCP server'),
    ...link(card, 'A2A agent card', 'what the agent of this site does and where it answers'),
    ...link(full.state === 'found' ? full.url : undefined, 'Full text', 'the documentation in one Markdown file'),
  ];
}

function describeApi(document: { kind: string; operations: readonly unknown[] } | undefined): string {
  if (!document) return '';
  const count = document.operations.length;
  const version = document.kind === '2.0' ? 'Swagger 2.0' : 'OpenAPI 3';
  return `${version}, ${count} ${count === 1 ? 'operation' : 'operations'}`;
}

/** Lines of ours about a site: neither is a sentence of its own. */
export const SITEMAP_NAME = 'Sitemap';
export const TOPICS_HEAD = 'The start page covers:';

/** The sitemap that answered first, unless it is packed: a model reads text. */
function listOptionalLinks({ snapshot, site }: Audited): readonly LlmsResource[] {
  const sitemaps = readSitemapsArtifact(snapshot);
  const found = sitemaps.state === 'ready' ? sitemaps.value.tries.find(({ state }) => state === 'found') : undefined;
  const href = found ? normaliseOwnUrl(found.exchange.url, site.start) : undefined;
  return href === undefined || href.endsWith('.gz')
    ? []
    : [{ name: SITEMAP_NAME, href, note: 'the addresses of all pages' }];
}

/** Characters of the file: below the 50,000 that `agent.llms.size` asks for, so that it fits one fetch of any agent. */
export const MAX_LLMS_CHARS = 45_000;

const MAX_SUMMARY_CHARS = 300;
const MAX_TOPICS = 8;
const MAX_TOPIC_CHARS = 100;

/**
 * Builds /llms.txt (v2, August 2026) from what the audit read: name, summary, topics of the start page, then sections
 * of links. What the site does not say is a `[FACT NEEDED: ...]` slot. The file passes the `agent.llms.*` checks
 * wherever its text decides; where the pages themselves are empty or gone, they must be fixed first.
 * @see https://llmstxt.org/
 */
export async function generateLlmsTxt(audited: Audited): Promise<readonly DeployableFile[]> {
  return [await createSiteFile('llms.txt', 'text/markdown', formatLlmsTxt(audited))];
}

/**
 * The text of the file. What the owner has written stays: name, summary, sections, links and prose; what is missing is
 * added. Without a file of the owner's everything comes from the site.
 */
export function formatLlmsTxt(audited: Audited): string {
  const { name, title, summary, home } = readSiteIdentity(audited);
  const owned = readOwnedFile(audited);
  const about = owned?.summary || summary;
  const head = [
    `# ${escapeMarkdownText(owned?.name || name || title || audited.site.start.host, MAX_PAGE_NAME_CHARS)}`,
    '',
    `> ${about === '' ? formatSlot('siteSummary') : escapeMarkdownText(about, MAX_SUMMARY_CHARS)}`,
    ...(owned ? formatOwned(owned.sections) : formatTopics(home ? listTopics(home) : [])),
  ];
  const lines = [...head, ...formatSections(audited, head.join('\n').length, owned?.listed ?? new Set())];
  return `${describeLinks(lines, selectLlmsPages(audited)).join('\n')}\n`;
}

/** Paragraphs are apart, items of a list are together. A list that no section holds gets one. */
function formatOwned(sections: readonly OwnedSection[]): readonly string[] {
  return sections.flatMap(({ title, lines }) => {
    const needsTitle = title === '' && lines.some((line) => line.startsWith('- ['));
    const heading = title === '' ? (needsTitle ? MAIN : '') : title;
    const body = lines.flatMap((line, index) =>
      line.startsWith('- ') && lines[index - 1]?.startsWith('- ') === true ? [line] : ['', line],
    );
    return [...(heading === '' ? [] : ['', `## ${escapeMarkdownText(heading, HEADING_CHARS)}`]), ...body];
  });
}

/** Level-2 headings of the start page's content. */
function listTopics(page: PageFacts): readonly string[] {
  const headings = page.headings.filter(
    ({ level, region, hidden }) => level === 2 && hidden === undefined && (region === 'main' || region === 'none'),
  );
  const texts = headings.slice(0, 10 * MAX_TOPICS).map(({ text }) => cleanSiteText(text, MAX_TOPIC_CHARS));
  return [...new Set(texts.filter((text) => text !== ''))].slice(0, MAX_TOPICS);
}

const formatTopics = (topics: readonly string[]): readonly string[] =>
  topics.length < 2
    ? []
    : ['', TOPICS_HEAD, '', ...topics.map((topic) => `- ${escapeMarkdownText(topic, MAX_TOPIC_CHARS)}`)];

type Line = { section: string; text: string };

/** Sections with their links, as many lines as `MAX_LLMS_CHARS` leaves after `used` characters. */
function formatSections(audited: Audited, used: number, owned: ReadonlySet<string>): readonly string[] {
  const isNew = (link: LlmsResource): boolean => !('href' in link) || !owned.has(normalisePageKey(link.href));
  const [forAgents, others] = [listAgentLinks(audited).filter(isNew), listOptionalLinks(audited).filter(isNew)];
  const agents = forAgents.map((link) => ({ section: 'For agents', text: formatResourceLine(link) }));
  const optional = others.map((link) => ({ section: 'Optional', text: formatResourceLine(link) }));
  const listed = new Set([...forAgents, ...others].map((link) => ('href' in link ? link.href : '')));
  const all = selectLlmsPages(audited).filter(({ url }) => !listed.has(url) && !owned.has(normalisePageKey(url)));
  // A start page that says nothing helps no one, unless it is all there is.
  const alone = all.length + forAgents.length + others.length === 1;
  const sections = groupLlmsPages(all.filter(({ from, thin }) => alone || from !== 'start' || !thin));
  const pages = sections.flatMap(({ title, pages: members }) =>
    members.map(({ name, url, note }) => ({ section: title, text: formatLinkLine(name, url, note) })),
  );
  const isLast = ({ section }: Line): boolean => section === 'Optional';
  // What agents need most keeps its place when the file is full.
  const room = MAX_LLMS_CHARS - used - measureLines([...agents, ...optional]);
  const kept = selectFittingLines(pages, room);
  return insertSectionHeadings([
    ...kept.filter((line) => !isLast(line)),
    ...agents,
    ...kept.filter(isLast),
    ...optional,
  ]);
}

/** Characters of a heading with the blank lines around it. */
const HEADING_CHARS = 80;

const measureLines = (lines: readonly Line[]): number =>
  lines.reduce((sum, { text }) => sum + text.length + 1, 2 * HEADING_CHARS);

/** A link without a note may get a slot for one. */
const OPEN_NOTE_CHARS = formatSlot('pageNote').length + 2;

function selectFittingLines(lines: readonly Line[], room: number): readonly Line[] {
  const kept: Line[] = [];
  let left = room;
  for (const line of lines) {
    left -=
      line.text.length +
      1 +
      (line.text.endsWith(')') ? OPEN_NOTE_CHARS : 0) +
      (kept.at(-1)?.section === line.section ? 0 : HEADING_CHARS);
    if (left < 0) break;
    kept.push(line);
  }
  return kept;
}

function insertSectionHeadings(lines: readonly Line[]): readonly string[] {
  return lines.flatMap(({ section, text }, index) =>
    lines[index - 1]?.section === section ? [text] : ['', `## ${escapeMarkdownText(section, HEADING_CHARS)}`, '', text],
  );
}

/** `- [name](url): note`, readable by CommonMark and by the expression of the llms.txt reference parser alike. */
function formatLinkLine(name: string, url: string, note: string): string {
  const label = escapeMarkdownText(name.replaceAll('[', '(').replaceAll(']', ')'), MAX_PAGE_NAME_CHARS);
  return `- [${label}](${url})${note === '' ? '' : `: ${escapeMarkdownText(note, note.length)}`}`;
}

const formatResourceLine = (resource: LlmsResource): string =>
  'href' in resource
    ? `- [${resource.name}](${resource.href}): ${resource.note}`
    : `- ${resource.name}: ${formatCodeSpan(resource.address)}. ${resource.note}`;
