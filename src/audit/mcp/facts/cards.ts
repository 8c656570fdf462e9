import { type AiCatalogDocument, type CatalogEntry, isServerCardEntry } from '../../agent-files/facts/ai-catalog.ts';
import type { Exchange, ExchangeLookup } from '../../core/snapshot.ts';
import { findSecrets, type PublishedSecret } from '../../hidden-text/facts/secrets.ts';
import { isJsonRecord, type JsonRecord } from '../../structured-data/facts/json-document.ts';
import { type AvailableDocument, readDocument } from './document.ts';
import { toAbsoluteHttpUrl, type McpJson, readMcpJson } from './json.ts';
import { MAX_CATALOG_FETCHES, MAX_CATALOG_URLS, MCP_ROLES } from './places.ts';
import { isServerCardShape, readServerCard, type ServerCardDocument } from './server-card.ts';

/** Inline cards of one catalog that are read; with those behind URLs they are all a client would compare. */
export const MAX_INLINE_CARDS = 5;

/**
 * The first `MAX_CATALOG_URLS` entries with a URL, in order. Those to be fetched carry `fetchAs`, the number of their
 * exchange: entries for Server Cards before others, since everything else depends on the card.
 */
export function listCatalogUrls(
  catalog: AvailableDocument<AiCatalogDocument>,
  find: ExchangeLookup,
): readonly CatalogUrl[] {
  const listed = catalog.document.entries.flatMap((entry) => {
    const url = entry.url === undefined ? undefined : toAbsoluteHttpUrl(entry.url, catalog.url);
    return url === undefined ? [] : [{ entry, url }];
  });
  const considered = listed.slice(0, MAX_CATALOG_URLS);
  const chosen = [
    ...considered.filter(({ entry }) => isServerCardEntry(entry)),
    ...considered.filter(({ entry }) => !isServerCardEntry(entry)),
  ].slice(0, MAX_CATALOG_FETCHES);
  return considered.map((item) => {
    const fetchAs = chosen.indexOf(item);
    if (fetchAs === -1) return item;
    const role = `${MCP_ROLES.catalogUrl}:${fetchAs}`;
    const exchange = find(role);
    return { ...item, role, ...(exchange ? { exchange } : {}) };
  });
}

/** The cards of a catalog in the order of its entries: inline ones, and those whose URL answered with one. */
export function listCatalogCards(
  catalog: AvailableDocument<AiCatalogDocument>,
  urls: readonly CatalogUrl[],
): readonly ServerCardFinding[] {
  const inline = catalog.document.entries
    .flatMap((entry) =>
      isServerCardEntry(entry) && isJsonRecord(entry.data) ? [{ index: entry.index, data: entry.data }] : [],
    )
    .slice(0, MAX_INLINE_CARDS)
    .map(({ index, data }) => ({ index, card: toCard(data, catalog.url, 'catalog') }));
  const linked = urls.flatMap(({ entry, exchange }) => {
    const card = isServerCardEntry(entry) ? readCard(exchange, undefined, 'catalog') : undefined;
    return card ? [{ index: entry.index, card }] : [];
  });
  return [...inline, ...linked].toSorted((a, b) => a.index - b.index).map(({ card }) => card);
}

/** The card an answer holds; undefined when there is none. A catalog says what its URL is, other places must look like one. */
export function readCard(
  exchange: Exchange | undefined,
  control: Exchange | undefined,
  where: ServerCardFinding['where'],
): ServerCardFinding | undefined {
  const wanted = where === 'catalog' ? isJsonRecord : isServerCardShape;
  const state = readDocument(exchange, control, (value) => (wanted(value) ? value : undefined));
  if (state.state !== 'found') return undefined;
  return { ...toCard(state.document, state.url, where), exchange: state.exchange };
}

function toCard(value: JsonRecord, url: string, where: ServerCardFinding['where']): ServerCardFinding {
  return { where, url, card: readServerCard(value), legacy: readMcpJson(value, url), secrets: findSecrets(value) };
}

/** A Server Card and where it was found: listed in the catalog, beside its endpoint, or at a place of older drafts. */
export type ServerCardFinding = {
  where: 'catalog' | 'beside_endpoint' | 'well_known';
  url: string;
  /** The answer that carried it; undefined when the catalog holds the card inline, which then has no headers. */
  exchange?: Exchange;
  card: ServerCardDocument;
  /** Endpoints of older members (`transport.endpoint`), absolute. */
  legacy: McpJson;
  secrets: readonly PublishedSecret[];
};

/** A catalog entry with a URL; `role` names its request if it is among those fetched, `exchange` the answer. */
export type CatalogUrl = { entry: CatalogEntry; url: string; role?: string; exchange?: Exchange };
