import { PAID_ANSWER, readApiDescription } from '../../api/facts/api-description.ts';
import { readApiCatalog } from '../../api/facts/api-catalog.ts';
import type { Artifact } from '../../core/artifact.ts';
import { buildRequestEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { type Exchange, getExchangeLookup, listNumberedExchanges, type Snapshot } from '../../core/snapshot.ts';
import { readLlmsFile } from '../../llms-txt/facts/llms-files.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { readDiscovery } from './discovery.ts';

/** Something on the site that speaks of MCP or of an API, in our words, and where it was seen. */
export type McpSign = { text: string; at: CheckEvidence };

/** What of the site speaks of MCP or an API: without any sign, no MCP server is expected of it. */
export type McpMention = { signs: readonly McpSign[] };

/** Characters of one text that are searched. */
const MAX_TEXT = 500_000;
/** Characters of an excerpt before and after the words. */
const AROUND = 60;

/** `MCP` alone has other meanings, so that in running text its full name or what it is made of must be there. */
const MCP_TEXT =
  /\bModel Context Protocol\b|\bMCP[ -](?:servers?|endpoints?|clients?|tools?|connectors?|hosts?|integrations?)\b/i;
/** An API that the site offers; an article that only mentions APIs of others names none of these. */
const API_TEXT = /\b(?:our|the public|developer) API\b|\bAPI (?:reference|documentation|docs|keys?|tokens?)\b/i;
const MCP_WORD = /(?:^|[^a-z0-9])mcp(?:$|[^a-z0-9])/i;
/** Longer link texts are teasers of articles. */
const MAX_LINK_TEXT = 60;

/**
 * Artifact `mcpMention`: signs on the start page, the sampled pages and in llms.txt, and the API description or catalog,
 * of as much of them as the audit read. Never fails as a whole.
 */
export function readMcpMention(snapshot: Snapshot): Artifact<McpMention> {
  const find = getExchangeLookup(snapshot);
  const start = new URL(snapshot.url);
  const page = find('page');
  const pages = [...(page ? [page] : []), ...listNumberedExchanges(snapshot, 'sample')];
  const signs = [
    ...pages.flatMap((exchange) => findPageSign(exchange, start, exchange === page)),
    ...listLlmsSigns(find('llms'), find('control')),
    ...listDiscoverySigns(snapshot),
    ...listApiSigns(snapshot),
  ];
  return { state: 'ready', value: { signs } };
}

function findPageSign(exchange: Exchange, start: URL, isStart: boolean): readonly McpSign[] {
  const { answer } = exchange;
  if (!answer.ok || answer.status < 200 || answer.status > 299 || !isHtmlAnswer(answer)) return [];
  const page = getPageFacts(answer);
  const link = findMcpLink(page, start);
  if (link) {
    const at = buildRequestEvidence(exchange, { selector: 'a[href]', line: link.line, excerpt: link.href });
    return [{ text: 'a link that names MCP', at }];
  }
  // Of other pages only their links count: an article about MCP or an API offers none.
  if (!isStart) return [];
  const text = page.text.slice(0, MAX_TEXT);
  const [mcp, api] = [MCP_TEXT.exec(text), API_TEXT.exec(text)];
  return [
    ...(mcp ? [{ text: 'a text that names MCP', at: quoteText(exchange, text, mcp.index) }] : []),
    ...(api ? [{ text: 'a text that names an API', at: quoteText(exchange, text, api.index) }] : []),
  ];
}

const findMcpLink = (page: PageFacts, start: URL): PageFacts['anchors'][number] | undefined =>
  page.anchors.find(({ href, text }) => {
    const url = URL.parse(href);
    if (!url || !isSameOwner(url, start)) return false;
    const named = text.length <= MAX_LINK_TEXT && MCP_WORD.test(text);
    return named || /^mcp\./i.test(url.hostname) || /\/mcp(?:\/|\.html?$|$)/i.test(url.pathname);
  });

const quoteText = (exchange: Exchange, text: string, index: number): CheckEvidence =>
  buildRequestEvidence(exchange, { excerpt: text.slice(Math.max(0, index - AROUND), index + AROUND) });

function listLlmsSigns(llms: Exchange | undefined, control: Exchange | undefined): readonly McpSign[] {
  const file = readLlmsFile(llms, control);
  if (!llms || file.state !== 'found') return [];
  const named = file.file.links.find(({ name, note }) => MCP_WORD.test(name) || MCP_TEXT.test(note));
  return named ? [{ text: 'llms.txt', at: buildRequestEvidence(llms, { excerpt: named.name }) }] : [];
}

/** What documents and links for programs name, though nothing answers there. */
function listDiscoverySigns(snapshot: Snapshot): readonly McpSign[] {
  const { mentioned, catalog, advertised, sources } = readDiscovery(getExchangeLookup(snapshot));
  const quote = (text: string, url: string, [first]: readonly string[]): readonly McpSign[] =>
    first === undefined ? [] : [{ text, at: { url, excerpt: first.slice(0, AROUND * 2) } }];
  return [
    ...quote('an endpoint in llms.txt', mentioned.url, mentioned.endpoints),
    ...quote('a link to an AI Catalog', snapshot.url, advertised),
    ...(catalog.state === 'found' ? [{ text: 'an AI Catalog', at: { url: catalog.url } }] : []),
    ...sources.flatMap(({ url, endpoints }) =>
      quote(
        'an endpoint that is named for programs',
        url,
        endpoints.map((endpoint) => endpoint.url),
      ),
    ),
  ];
}

function listApiSigns(snapshot: Snapshot): readonly McpSign[] {
  const [api, catalog] = [readApiDescription(snapshot), readApiCatalog(snapshot)];
  if (api.state === 'failed' || catalog.state === 'failed') return [];
  const { found, evidence, link } = api.value;
  const at = link
    ? buildRequestEvidence(link.exchange, { selector: 'a[href]', line: link.line, excerpt: link.href })
    : { url: snapshot.url };
  return [
    ...(found ? [{ text: 'an API description', at: buildRequestEvidence(found.exchange) }] : []),
    ...(catalog.value.catalog.state === 'found'
      ? [{ text: 'an API catalog', at: { url: catalog.value.catalog.url } }]
      : []),
    ...evidence.filter((text) => text !== PAID_ANSWER).map((text) => ({ text, at })),
  ];
}
