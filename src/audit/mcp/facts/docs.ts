import type { Artifact } from '../../core/artifact.ts';
import {
  type Exchange,
  type ExchangeLookup,
  getExchangeLookup,
  listNumberedExchanges,
  type Snapshot,
} from '../../core/snapshot.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { readLlmsFile, readTextFile } from '../../llms-txt/facts/llms-files.ts';
import type { McpDiscovery } from './discovery.ts';
import { toAbsoluteHttpUrl } from './json.ts';
import { MCP_ROLES } from './places.ts';
import { getPageFacts } from '../../reach/facts/page-of.ts';
import { isSameOwner } from '../../publisher/facts/same-owner.ts';
import { isRefusalStatus } from '../../reach/facts/blocked-crawler.ts';

/** Characters of one text that are searched. */
const MAX_TEXT = 1_000_000;

/** Texts for people that may tell how to connect: the start page, llms.txt, a page about MCP that they link to, the sample. */
export type McpDocs = {
  texts: readonly { exchange: Exchange; text: string }[];
  /** A text that should be there and could not be read; a sampled page is only one of many. */
  unread?: Exchange;
};

/** The artifact: the texts that were read. Never fails as a whole. */
export function parseMcpDocs(snapshot: Snapshot): Artifact<McpDocs> {
  const find = getExchangeLookup(snapshot);
  const linked = find(MCP_ROLES.docs);
  const exchanges = [find('page'), find('llms'), linked, ...listNumberedExchanges(snapshot, 'sample')];
  const texts = exchanges.flatMap((exchange) => {
    const text = exchange && extractText(exchange, find('control'));
    return exchange && text !== undefined ? [{ exchange, text }] : [];
  });
  const unread = [find('page'), find('llms'), linked].find((exchange) => exchange && isUnread(exchange));
  return { state: 'ready', value: { texts, ...(unread ? { unread } : {}) } };
}

const isUnread = ({ answer }: Exchange): boolean =>
  !answer.ok || isRefusalStatus(answer.status) || answer.status >= 500;

function extractText(exchange: Exchange, control: Exchange | undefined): string | undefined {
  const { answer } = exchange;
  if (!answer.ok || answer.status < 200 || answer.status > 299) return undefined;
  if (isHtmlAnswer(answer)) return getPageFacts(answer).text.slice(0, MAX_TEXT);
  const file = readTextFile(exchange, control);
  return file.state === 'found' ? file.answer.body.slice(0, MAX_TEXT) : undefined;
}

const MCP_WORD = /(?:^|[^a-z0-9])mcp(?:$|[^a-z0-9])/i;

/**
 * The first page of the same owner that the start page, or else llms.txt, links to with MCP in the link's text or
 * address; undefined when there is none. Endpoints and documents for programs are no such pages.
 */
export function findDocsLink(find: ExchangeLookup, discovery: McpDiscovery, start: URL): string | undefined {
  const endpoints = new Set(discovery.sources.flatMap((source) => source.endpoints.map(({ url }) => url)));
  return [...listPageLinks(find), ...listLlmsLinks(find)]
    .filter(({ text, url }) => MCP_WORD.test(text) || MCP_WORD.test(new URL(url).pathname))
    .map(({ url }) => url.split('#')[0] ?? url)
    .find((url) => !endpoints.has(url) && isDocument(new URL(url), start));
}

function listPageLinks(find: ExchangeLookup): readonly { text: string; url: string }[] {
  const answer = find('page')?.answer;
  if (!answer?.ok || !isHtmlAnswer(answer)) return [];
  return getPageFacts(answer).anchors.flatMap(({ href, text }) => (/^https?:/.test(href) ? [{ text, url: href }] : []));
}

function listLlmsLinks(find: ExchangeLookup): readonly { text: string; url: string }[] {
  const file = readLlmsFile(find('llms'), find('control'));
  if (file.state !== 'found') return [];
  return file.file.links.flatMap(({ name, note, href }) => {
    const url = toAbsoluteHttpUrl(href, file.url);
    return url === undefined ? [] : [{ text: `${name} ${note}`, url }];
  });
}

const isDocument = (url: URL, start: URL): boolean =>
  isSameOwner(url, start) &&
  !url.pathname.startsWith('/.well-known/') &&
  !/\/server-card$|\.(?:json|ya?ml|xml|zip|gz|tgz|mcpb|png|svg)$/i.test(url.pathname);
