import type { Parser } from '../artifacts.ts';
import { type Exchange, type Lookup, lookup } from '../snapshot.ts';
import { type AiCatalog, type CatalogEntry, isServerCardEntry, readAiCatalog } from './ai-catalog.ts';
import { isObject } from './json-document.ts';
import { catalogCards, catalogUrlsOf, readCard } from './mcp-cards.ts';
import { type DocumentState, readDocument } from './mcp-document.ts';
import { type McpJson, readMcpJson } from './mcp-json.ts';
import { advertisedCatalogs, linkedEndpoints, mentionedEndpoints } from './mcp-links.ts';
import { MCP_ROLES, WELL_KNOWN } from './mcp-places.ts';
import { findSecrets, type PublishedSecret } from './secrets.ts';
import type { ServerCard } from './server-card.ts';

/** A discovery file of an older form, and the secrets it gives away. */
export type LegacyDocument = McpJson & { secrets: readonly PublishedSecret[] };

/** A Server Card and where it was found: listed in the catalog, beside its endpoint, or at a place of older drafts. */
export type FoundCard = {
  where: 'catalog' | 'beside_endpoint' | 'well_known';
  url: string;
  /** The answer that carried it; undefined when the catalog holds the card inline, which then has no headers. */
  exchange?: Exchange;
  card: ServerCard;
  /** Endpoints of older members (`transport.endpoint`), absolute. */
  legacy: McpJson;
  secrets: readonly PublishedSecret[];
};

/** A catalog entry with a URL; `role` names its request if it is among those fetched, `exchange` the answer. */
export type CatalogUrl = { entry: CatalogEntry; url: string; role?: string; exchange?: Exchange };

/** An endpoint a document names. A `templated` URL has variables that a client must fill in first. */
export type NamedEndpoint = { url: string; transport?: string; templated: boolean; versions?: readonly string[] };

/** What names endpoints: a document (all cards that a catalog leads to count as one) or a link of the start page. */
export type EndpointSource = {
  name: 'Server Card' | 'older Server Card' | 'mcp.json' | 'servers.json' | 'link';
  url: string;
  endpoints: readonly NamedEndpoint[];
};

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
