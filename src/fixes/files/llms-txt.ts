import { brandNames } from '../../audit/structured-data/facts/brand-names.ts';
import { jsonLdOf } from '../../audit/structured-data/facts/json-ld.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { nodesOfType, textsAt } from '../../audit/structured-data/facts/schema-nodes.ts';
import { readPageFacts } from '../../audit/reach/facts/site-files.ts';
import type { Audited } from './audited.ts';
import { type GeneratedFile, generatedFile } from './generated-file.ts';
import { descriptionOf, MAX_NAME_CHARS } from './llms-txt-known.ts';
import { llmsPages } from './llms-txt-pages.ts';
import { agentLinks, type LlmsResource, optionalLinks } from './llms-txt-resources.ts';
import { llmsSections } from './llms-txt-sections.ts';
import { firstText, siteText } from './safe-site.ts';
import { codeSpan, markdownText } from '../../lib/safe-text.ts';
import { factNeeded } from '../../lib/slots.ts';

/** Characters of the file: below the 50,000 that `agent.llms.size` asks for, so that it fits one fetch of any agent. */
export const MAX_LLMS_CHARS = 45_000;

const MAX_SUMMARY_CHARS = 300;
const MAX_TOPICS = 8;
const MAX_TOPIC_CHARS = 100;

/**
 * Builds /llms.txt (v2, August 2026) from what the audit read: name, summary, topics of the start page, then sections of
 * links. What the site does not say is a `[FACT NEEDED: ...]` slot. The file passes the `agent.llms.*` checks wherever
 * its text decides; where the pages themselves are empty or gone, they must be mended first.
 * @see https://llmstxt.org/
 */
export async function generateLlmsTxt(audited: Audited): Promise<readonly GeneratedFile[]> {
  return [await generatedFile('llms.txt', 'text/markdown', llmsText(audited))];
}

/** The text of the file. */
export function llmsText(audited: Audited): string {
  const { snapshot, site } = audited;
  const artifact = readPageFacts(snapshot);
  const page = artifact.state === 'ready' ? artifact.value : undefined;
  const name = page ? siteName(page) : '';
  const summary = page ? siteSummary(page) : '';
  const head = [
    `# ${markdownText(name || site.start.host, MAX_NAME_CHARS)}`,
    '',
    `> ${summary === '' ? factNeeded('one sentence that says what the site offers and to whom') : markdownText(summary, MAX_SUMMARY_CHARS)}`,
    ...topicLines(page ? topicsOf(page) : []),
  ];
  return `${[...head, ...sectionLines(audited, head.join('\n').length)].join('\n')}\n`;
}

/** The site's name: what its structured data, its Open Graph tag or its title call it; '' when nothing does. */
export function siteName(page: PageFacts): string {
  const names = brandNames(page, jsonLdOf(page));
  const ordered = ['WebSite.name', 'Organization.name', 'og:site_name', 'title'].map(
    (place) => names.find(({ from }) => from === place)?.name,
  );
  return firstText([...ordered, page.titles[0]], MAX_NAME_CHARS);
}

/** What the site says it is, in one line; '' when it says nothing. */
export function siteSummary(page: PageFacts): string {
  const described = descriptionOf(page, MAX_SUMMARY_CHARS);
  if (described !== '') return described;
  const { graph } = jsonLdOf(page);
  const nodes = [...nodesOfType(graph, 'WebSite'), ...nodesOfType(graph, 'Organization')].slice(0, 10);
  return firstText(
    nodes.flatMap((node) => textsAt(graph, node, 'description')),
    MAX_SUMMARY_CHARS,
  );
}

/** Level-2 headings of the start page's content. */
function topicsOf(page: PageFacts): readonly string[] {
  const headings = page.headings.filter(
    ({ level, region, hidden }) => level === 2 && hidden === undefined && (region === 'main' || region === 'none'),
  );
  const texts = headings.slice(0, 10 * MAX_TOPICS).map(({ text }) => siteText(text, MAX_TOPIC_CHARS));
  return [...new Set(texts.filter((text) => text !== ''))].slice(0, MAX_TOPICS);
}

const topicLines = (topics: readonly string[]): readonly string[] =>
  topics.length < 2
    ? []
    : ['', 'The start page covers:', '', ...topics.map((topic) => `- ${markdownText(topic, MAX_TOPIC_CHARS)}`)];

type Line = { section: string; text: string };

/** Sections with their links, as many lines as `MAX_LLMS_CHARS` leaves after `used` characters. */
function sectionLines(audited: Audited, used: number): readonly string[] {
  const [forAgents, others] = [agentLinks(audited), optionalLinks(audited)];
  const agents = forAgents.map((link) => ({ section: 'For agents', text: resourceLine(link) }));
  const optional = others.map((link) => ({ section: 'Optional', text: resourceLine(link) }));
  const listed = new Set([...forAgents, ...others].map((link) => ('href' in link ? link.href : '')));
  const all = llmsPages(audited).filter(({ url }) => !listed.has(url));
  // A start page that says nothing helps nobody, unless it is all there is.
  const alone = all.length + forAgents.length + others.length === 1;
  const sections = llmsSections(all.filter(({ from, thin }) => alone || from !== 'start' || !thin));
  const pages = sections.flatMap(({ title, pages: members }) =>
    members.map(({ name, url, note }) => ({ section: title, text: linkLine(name, url, note) })),
  );
  const isLast = ({ section }: Line): boolean => section === 'Optional';
  // What agents need most keeps its place when the file is full.
  const room = MAX_LLMS_CHARS - used - sizeOf([...agents, ...optional]);
  const kept = withinRoom(pages, room);
  return inSections([...kept.filter((line) => !isLast(line)), ...agents, ...kept.filter(isLast), ...optional]);
}

/** Characters of a heading with the blank lines around it. */
const HEADING_CHARS = 80;

const sizeOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { text }) => sum + text.length + 1, 2 * HEADING_CHARS);

function withinRoom(lines: readonly Line[], room: number): readonly Line[] {
  const kept: Line[] = [];
  let left = room;
  for (const line of lines) {
    left -= line.text.length + 1 + (kept.at(-1)?.section === line.section ? 0 : HEADING_CHARS);
    if (left < 0) break;
    kept.push(line);
  }
  return kept;
}

function inSections(lines: readonly Line[]): readonly string[] {
  return lines.flatMap(({ section, text }, index) =>
    lines[index - 1]?.section === section ? [text] : ['', `## ${markdownText(section, HEADING_CHARS)}`, '', text],
  );
}

/** `- [name](url): note`, readable by CommonMark and by the expression of the llms.txt reference parser alike. */
function linkLine(name: string, url: string, note: string): string {
  const label = markdownText(name.replaceAll('[', '(').replaceAll(']', ')'), MAX_NAME_CHARS);
  const text = note === '' ? factNeeded('what this page answers, in one line') : markdownText(note, note.length);
  return `- [${label}](${url}): ${text}`;
}

const resourceLine = (resource: LlmsResource): string =>
  'href' in resource
    ? `- [${resource.name}](${resource.href}): ${resource.note}`
    : `- ${resource.name}: ${codeSpan(resource.address)}. ${resource.note}`;
