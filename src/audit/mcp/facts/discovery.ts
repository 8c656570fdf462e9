import { type AiCatalogDocument, isServerCardEntry, readAiCatalog } from '../../agent-files/facts/ai-catalog.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import type { Parser } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, getExchangeLookup } from '../../core/snapshot.ts';
import { findSecrets, type PublishedSecret } from '../../hidden-text/facts/secrets.ts';
import { readTextFile } from '../../llms-txt/facts/llms-files.ts';
import { getPageFacts } from '../../reach/facts/html-page.ts';
import { isJsonRecord } from '../../structured-data/facts/json-document.ts';
import { listCatalogCards, type CatalogUrl, listCatalogUrls, type ServerCardFinding, readCard } from './cards.ts';
import { type DocumentState, readDocument } from './document.ts';
import { toAbsoluteHttpUrl, type McpJson, readMcpJson } from './json.ts';
import { MCP_ROLES, WELL_KNOWN } from './places.ts';

/** URLs of one llms.txt that are looked at. */
const MAX_MENTIONS = 1000;

/** Relations seen in the wild for an MCP endpoint; none is registered. */
const RELATIONS = new Set(['mcp', 'mcp-server']);

/** The endpoints that the start page links to, by its `Link` header or a `link` element; empty when there are none. */
function listLinkedEndpoints(find: ExchangeLookup): readonly EndpointSource[] {
  const answer = find('page')?.answer;
  if (!answer?.ok) return [];
  const header = parseLinkHeader(answer.headers['link'] ?? '');
  const urls = [...header, ...getPageFacts(answer).linkTags]
    .filter(({ rels }) => rels.some((rel) => RELATIONS.has(rel)))
    .map(({ href }) => toAbsoluteHttpUrl(href, answer.url))
    .filter((url) => url !== undefined);
  const endpoints = [...new Set(urls)].map((url) => ({ url, templated: false }));
  return [{ name: 'link', url: answer.url, endpoints }];
}

/** The AI Catalogs that the start page leads to, by its `Link` header or a `link` element, each once. */
function listAdvertisedCatalogs(find: ExchangeLookup): readonly string[] {
  const answer = find('page')?.answer;
  if (!answer?.ok) return [];
  const links = [...parseLinkHeader(answer.headers['link'] ?? ''), ...getPageFacts(answer).linkTags];
  const urls = links
    .filter(({ rels }) => rels.includes('ai-catalog'))
    .flatMap(({ href }) => toAbsoluteHttpUrl(href, answer.url) ?? []);
  return [...new Set(urls)];
}

/** The URLs in llms.txt whose path ends in `mcp` or `sse`, as endpoints of MCP servers are named. */
function listMentionedEndpoints(
  llms: Exchange | undefined,
  control: Exchange | undefined,
): { url: string; endpoints: readonly string[] } {
  const file = readTextFile(llms, control);
  if (file.state !== 'found') return { url: llms?.url ?? '', endpoints: [] };
  const mentions = [...file.answer.body.matchAll(/https?:\/\/[^\s<>()[\]"'`]{1,500}/gi)].slice(0, MAX_MENTIONS);
  const urls = mentions.flatMap(
    ([mention]) => toAbsoluteHttpUrl(mention.replace(/[.,;:!?*]{1,9}$/, ''), file.url) ?? [],
  );
  return {
    url: file.url,
    endpoints: [...new Set(urls)].filter((url) => /\/(?:mcp|sse)\/?$/i.test(new URL(url).pathname)),
  };
}

/** What names endpoints: a document (all cards that a catalog leads to count as one) or a link of the start page. */
export type EndpointSource = {
  name: 'Server Card' | 'older Server Card' | 'mcp.json' | 'servers.json' | 'link';
  url: string;
  endpoints: readonly EndpointCandidate[];
};

/** An endpoint a document names. A `templated` URL has variables that a client must fill in first. */
type EndpointCandidate = { url: string; transport?: string; templated: boolean; versions?: readonly string[] };

/** A discovery file of an older form, and the secrets it gives away. */
export type LegacyDocument = McpJson & { secrets: readonly PublishedSecret[] };

/** A place that was asked, and what was there in a few words; `blind` when it could not be seen. */
export type Tried = { exchange: Exchange; saw: string; blind: boolean };

/**
 * Every route by which a client could find an MCP server of the site, and what each held. `documents` is `unknown` when
 * none was found but some place could not be read; a link to an endpoint is no document.
 */
export type McpDiscovery = {
  documents: 'found' | 'none' | 'unknown';
  tried: readonly Tried[];
  catalog: DocumentState<AiCatalogDocument>;
  /** Catalogs that the start page leads to. */
  advertised: readonly string[];
  catalogUrls: readonly CatalogUrl[];
  mcpJson: DocumentState<LegacyDocument>;
  servers: DocumentState<LegacyDocument>;
  card: ServerCardFinding | undefined;
  /** In the order in which a client should believe them: catalog, card, mcp.json, servers.json, link. */
  sources: readonly EndpointSource[];
  /** URLs in llms.txt that look like MCP endpoints: prose for a model, never a reason to probe. */
  mentioned: { url: string; endpoints: readonly string[] };
};

/** The artifact: what the discovery gatherer read. Never fails as a whole; each document has its own state. */
export const parseMcpDiscovery: Parser<McpDiscovery> = (snapshot) => ({
  state: 'ready',
  value: readDiscovery(getExchangeLookup(snapshot)),
});

/** Reads the discovery documents among the exchanges so far; the gatherer calls it to decide what to fetch next. */
export function readDiscovery(find: ExchangeLookup): McpDiscovery {
  const control = find('control');
  const catalog = readCatalog(find);
  const mcpJson = readDocument(find(WELL_KNOWN.mcpJson.role), control, recogniseLegacy);
  const servers = readDocument(find(WELL_KNOWN.servers.role), control, recogniseLegacy);
  const catalogUrls = catalog.state === 'found' ? listCatalogUrls(catalog, find) : [];
  const cards = [
    ...(catalog.state === 'found' ? listCatalogCards(catalog, catalogUrls) : []),
    readCard(find(MCP_ROLES.card), control, 'beside_endpoint'),
    readCard(find(WELL_KNOWN.cardJson.role), control, 'well_known'),
    readCard(find(WELL_KNOWN.card.role), control, 'well_known'),
  ].filter((card) => card !== undefined);
  const linkedCatalog = find(MCP_ROLES.linkedCatalog);
  const places = [
    ...Object.values(WELL_KNOWN).map(({ role }) => find(role)),
    ...(linkedCatalog ? [linkedCatalog] : []),
  ];
  const found = cards.length > 0 || mcpJson.state === 'found' || servers.state === 'found' || hasListedServers(catalog);
  const tried = places.flatMap((exchange) => (exchange ? [buildTried(exchange, control)] : []));
  const complete = tried.length === places.length && !tried.some(({ blind }) => blind);
  return {
    documents: found ? 'found' : complete ? 'none' : 'unknown',
    tried,
    catalog,
    advertised: listAdvertisedCatalogs(find),
    catalogUrls,
    mcpJson,
    servers,
    card: cards[0],
    sources: [
      ...cards.map(buildCardSource),
      ...listLegacySources('mcp.json', mcpJson),
      ...listLegacySources('servers.json', servers),
      ...listLinkedEndpoints(find),
    ].filter(({ endpoints }) => endpoints.length > 0),
    mentioned: listMentionedEndpoints(find('llms'), control),
  };
}

/** The catalog at its well-known place, else the one that the start page leads to. */
function readCatalog(find: ExchangeLookup): DocumentState<AiCatalogDocument> {
  const control = find('control');
  const wellKnown = readDocument(find(WELL_KNOWN.catalog.role), control, recogniseCatalog);
  const linked = find(MCP_ROLES.linkedCatalog);
  if (wellKnown.state === 'found' || !linked) return wellKnown;
  const sameHost = control && URL.parse(linked.url)?.host === URL.parse(control.url)?.host;
  const state = readDocument(linked, sameHost ? control : undefined, recogniseCatalog);
  return state.state === 'found' ? state : wellKnown;
}

function recogniseCatalog(value: unknown): AiCatalogDocument | undefined {
  return isJsonRecord(value) && Array.isArray(value['entries']) ? readAiCatalog(value) : undefined;
}

function recogniseLegacy(value: unknown, url: string): LegacyDocument | undefined {
  const read = readMcpJson(value, url);
  return read.shapes.length > 0 ? { ...read, secrets: findSecrets(value) } : undefined;
}

const hasListedServers = (catalog: DocumentState<AiCatalogDocument>): boolean =>
  catalog.state === 'found' && catalog.document.entries.some(isServerCardEntry);

function buildTried(exchange: Exchange, control: Exchange | undefined): Tried {
  const state = readDocument(exchange, control, () => true);
  const saw = state.state === 'found' ? `answered ${state.answer.status} with JSON` : state.why;
  return { exchange, saw, blind: state.state === 'unreadable' };
}

function buildCardSource({ where, url, card, legacy }: ServerCardFinding): EndpointSource {
  const remotes = card.remotes.map((remote) => ({
    url: remote.url,
    transport: remote.type,
    templated: /[{}]/.test(remote.url),
    ...(remote.versions === undefined ? {} : { versions: remote.versions }),
  }));
  const known = new Set(remotes.map((remote) => remote.url));
  const older = legacy.endpoints.filter((endpoint) => !known.has(endpoint.url));
  return {
    name: where === 'well_known' ? 'older Server Card' : 'Server Card',
    url,
    endpoints: [...remotes, ...older.map((endpoint) => ({ ...endpoint, templated: false }))],
  };
}

function listLegacySources(name: EndpointSource['name'], state: DocumentState<LegacyDocument>): EndpointSource[] {
  if (state.state !== 'found') return [];
  const endpoints = state.document.endpoints.map((endpoint) => ({ ...endpoint, templated: false }));
  return [{ name, url: state.url, endpoints }];
}
