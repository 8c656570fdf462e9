import { type AiCatalog, isServerCardEntry, readAiCatalog } from '../../agent-files/facts/ai-catalog.ts';
import { parseLinkHeader } from '../../api/facts/link-header.ts';
import type { Parser } from '../../core/artifact.ts';
import { type Exchange, type Lookup, lookup } from '../../core/snapshot.ts';
import { findSecrets, type PublishedSecret } from '../../hidden-text/facts/secrets.ts';
import { readTextFile } from '../../llms-txt/facts/llms-files.ts';
import { pageOf } from '../../reach/facts/page-of.ts';
import { isObject } from '../../structured-data/facts/json-document.ts';
import { catalogCards, type CatalogUrl, catalogUrlsOf, type FoundCard, readCard } from './cards.ts';
import { type DocumentState, readDocument } from './document.ts';
import { absoluteHttpUrl, type McpJson, readMcpJson } from './json.ts';
import { MCP_ROLES, WELL_KNOWN } from './places.ts';

/** URLs of one llms.txt that are looked at. */
const MAX_MENTIONS = 1000;

/** Relations seen in the wild for an MCP endpoint; none is registered. */
const RELATIONS = new Set(['mcp', 'mcp-server']);

/** The endpoints that the start page links to, by its `Link` header or a `link` element; empty when there are none. */
function linkedEndpoints(find: Lookup): readonly EndpointSource[] {
  const answer = find('page')?.answer;
  if (!answer?.ok) return [];
  const header = parseLinkHeader(answer.headers['link'] ?? '');
  const urls = [...header, ...pageOf(answer).linkTags]
    .filter(({ rels }) => rels.some((rel) => RELATIONS.has(rel)))
    .map(({ href }) => absoluteHttpUrl(href, answer.url))
    .filter((url) => url !== undefined);
  const endpoints = [...new Set(urls)].map((url) => ({ url, templated: false }));
  return [{ name: 'link', url: answer.url, endpoints }];
}

/** The AI Catalogs that the start page leads to, by its `Link` header or a `link` element, each once. */
function advertisedCatalogs(find: Lookup): readonly string[] {
  const answer = find('page')?.answer;
  if (!answer?.ok) return [];
  const links = [...parseLinkHeader(answer.headers['link'] ?? ''), ...pageOf(answer).linkTags];
  const urls = links
    .filter(({ rels }) => rels.includes('ai-catalog'))
    .flatMap(({ href }) => absoluteHttpUrl(href, answer.url) ?? []);
  return [...new Set(urls)];
}

/** The URLs in llms.txt whose path ends in `mcp` or `sse`, as endpoints of MCP servers are named. */
function mentionedEndpoints(
  llms: Exchange | undefined,
  control: Exchange | undefined,
): { url: string; endpoints: readonly string[] } {
  const file = readTextFile(llms, control);
  if (file.state !== 'found') return { url: llms?.url ?? '', endpoints: [] };
  const mentions = [...file.answer.body.matchAll(/https?:\/\/[^\s<>()[\]"'`]{1,500}/gi)].slice(0, MAX_MENTIONS);
  const urls = mentions.flatMap(([mention]) => absoluteHttpUrl(mention.replace(/[.,;:!?*]{1,9}$/, ''), file.url) ?? []);
  return {
    url: file.url,
    endpoints: [...new Set(urls)].filter((url) => /\/(?:mcp|sse)\/?$/i.test(new URL(url).pathname)),
  };
}

/** What names endpoints: a document (all cards that a catalog leads to count as one) or a link of the start page. */
export type EndpointSource = {
  name: 'Server Card' | 'older Server Card' | 'mcp.json' | 'servers.json' | 'link';
  url: string;
  endpoints: readonly NamedEndpoint[];
};

/** An endpoint a document names. A `templated` URL has variables that a client must fill in first. */
type NamedEndpoint = { url: string; transport?: string; templated: boolean; versions?: readonly string[] };

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
  catalog: DocumentState<AiCatalog>;
  /** Catalogs that the start page leads to. */
  advertised: readonly string[];
  catalogUrls: readonly CatalogUrl[];
  mcpJson: DocumentState<LegacyDocument>;
  servers: DocumentState<LegacyDocument>;
  card: FoundCard | undefined;
  /** In the order in which a client should believe them: catalog, card, mcp.json, servers.json, link. */
  sources: readonly EndpointSource[];
  /** URLs in llms.txt that look like MCP endpoints: prose for a model, never a reason to probe. */
  mentioned: { url: string; endpoints: readonly string[] };
};

/** The artifact: what the discovery gatherer read. Never fails as a whole; each document has its own state. */
export const parseMcpDiscovery: Parser<McpDiscovery> = (snapshot) => ({
  state: 'ready',
  value: readDiscovery(lookup(snapshot)),
});

/** Reads the discovery documents among the exchanges so far; the gatherer calls it to decide what to fetch next. */
export function readDiscovery(find: Lookup): McpDiscovery {
  const control = find('control');
  const catalog = readCatalog(find);
  const mcpJson = readDocument(find(WELL_KNOWN.mcpJson.role), control, recogniseLegacy);
  const servers = readDocument(find(WELL_KNOWN.servers.role), control, recogniseLegacy);
  const catalogUrls = catalog.state === 'found' ? catalogUrlsOf(catalog, find) : [];
  const cards = [
    ...(catalog.state === 'found' ? catalogCards(catalog, catalogUrls) : []),
    readCard(find(MCP_ROLES.card), control, 'beside_endpoint'),
    readCard(find(WELL_KNOWN.cardJson.role), control, 'well_known'),
    readCard(find(WELL_KNOWN.card.role), control, 'well_known'),
  ].filter((card) => card !== undefined);
  const linkedCatalog = find(MCP_ROLES.linkedCatalog);
  const places = [
    ...Object.values(WELL_KNOWN).map(({ role }) => find(role)),
    ...(linkedCatalog ? [linkedCatalog] : []),
  ];
  const found = cards.length > 0 || mcpJson.state === 'found' || servers.state === 'found' || listsServers(catalog);
  const tried = places.flatMap((exchange) => (exchange ? [triedOf(exchange, control)] : []));
  const complete = tried.length === places.length && !tried.some(({ blind }) => blind);
  return {
    documents: found ? 'found' : complete ? 'none' : 'unknown',
    tried,
    catalog,
    advertised: advertisedCatalogs(find),
    catalogUrls,
    mcpJson,
    servers,
    card: cards[0],
    sources: [
      ...cards.map(cardSource),
      ...legacySource('mcp.json', mcpJson),
      ...legacySource('servers.json', servers),
      ...linkedEndpoints(find),
    ].filter(({ endpoints }) => endpoints.length > 0),
    mentioned: mentionedEndpoints(find('llms'), control),
  };
}

/** The catalog at its well-known place, else the one that the start page leads to. */
function readCatalog(find: Lookup): DocumentState<AiCatalog> {
  const control = find('control');
  const wellKnown = readDocument(find(WELL_KNOWN.catalog.role), control, recogniseCatalog);
  const linked = find(MCP_ROLES.linkedCatalog);
  if (wellKnown.state === 'found' || !linked) return wellKnown;
  const sameHost = control && URL.parse(linked.url)?.host === URL.parse(control.url)?.host;
  const state = readDocument(linked, sameHost ? control : undefined, recogniseCatalog);
  return state.state === 'found' ? state : wellKnown;
}

function recogniseCatalog(value: unknown): AiCatalog | undefined {
  return isObject(value) && Array.isArray(value['entries']) ? readAiCatalog(value) : undefined;
}

function recogniseLegacy(value: unknown, url: string): LegacyDocument | undefined {
  const read = readMcpJson(value, url);
  return read.shapes.length > 0 ? { ...read, secrets: findSecrets(value) } : undefined;
}

const listsServers = (catalog: DocumentState<AiCatalog>): boolean =>
  catalog.state === 'found' && catalog.document.entries.some(isServerCardEntry);

function triedOf(exchange: Exchange, control: Exchange | undefined): Tried {
  const state = readDocument(exchange, control, () => true);
  const saw = state.state === 'found' ? `answered ${state.answer.status} with JSON` : state.why;
  return { exchange, saw, blind: state.state === 'unreadable' };
}

function cardSource({ where, url, card, legacy }: FoundCard): EndpointSource {
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

function legacySource(name: EndpointSource['name'], state: DocumentState<LegacyDocument>): EndpointSource[] {
  if (state.state !== 'found') return [];
  const endpoints = state.document.endpoints.map((endpoint) => ({ ...endpoint, templated: false }));
  return [{ name, url: state.url, endpoints }];
}
