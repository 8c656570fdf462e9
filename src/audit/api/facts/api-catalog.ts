import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { readApiDescription } from './api-description.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { isJsonRecord, getString } from '../../structured-data/facts/json-document.ts';
import { type DocumentState, readDocument } from '../../mcp/facts/document.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { findExchange } from './service-links.ts';

/** Contexts of a catalogue, links of one context and targets that are looked at. */
const MAX_CONTEXTS = 50;
const MAX_LINKS = 20;
/** Targets that are asked for beyond those the audit read anyway. */
export const MAX_CATALOG_TARGETS = 2;

/** Relations whose target describes an API, in the order in which they are followed (RFC 8631). */
const TOLD_BY = ['service-desc', 'service-doc', 'status', 'service-meta'] as const;
/** Relations by which a catalogue lists APIs without telling about them, or leads to another one (RFC 9727, 3.1 and 4). */
const LISTED_BY = ['item', 'api-catalog'] as const;

/** An API of a catalogue. `anchor` is undefined when it is no string; `targets` tell about it. */
export type CatalogContext = {
  pointer: string;
  anchor: string | undefined;
  targets: readonly { rel: string; url: string }[];
  lists: boolean;
};

/** A target that was asked for, and whether it is there; `unread` when we could not look or had no reason to. */
export type CatalogTarget = { url: string; state: 'resolves' | 'dead' | 'unread'; exchange: Exchange | undefined };

export type ApiCatalog = {
  catalog: DocumentState<readonly CatalogContext[]>;
  targets: readonly CatalogTarget[];
  /** What else on the site speaks of an API, in our words. */
  evidence: readonly string[];
};

/** Artifact `apiCatalog`: /.well-known/api-catalog and what it leads to. Never fails as a whole. */
export function readApiCatalog(snapshot: Snapshot): Artifact<ApiCatalog> {
  const find = getExchangeLookup(snapshot);
  const catalog = readCatalog(find);
  const api = readApiDescription(snapshot);
  const evidence =
    api.state === 'ready' ? [...(api.value.found ? ['an API description'] : []), ...api.value.evidence] : [];
  const urls = catalog.state === 'found' ? listTargetUrls(catalog.document) : [];
  const targets = urls.map((url) => buildCatalogTarget(url, findExchange(snapshot, url), find('control')));
  return { state: 'ready', value: { catalog, targets, evidence } };
}

/** The catalogue among the exchanges so far. */
export const readCatalog = (find: ExchangeLookup): DocumentState<readonly CatalogContext[]> =>
  readDocument(find('api-catalog'), find('control'), readContexts);

/** What a catalogue's targets are, each once, those that describe an API first. */
export function listTargetUrls(contexts: readonly CatalogContext[]): readonly string[] {
  const all = contexts.flatMap(({ targets }) => targets);
  const ordered = TOLD_BY.flatMap((rel) => all.filter((target) => target.rel === rel));
  return [...new Set(ordered.map(({ url }) => url))].slice(0, MAX_CONTEXTS);
}

function readContexts(value: unknown, base: string): readonly CatalogContext[] | undefined {
  const linkset = isJsonRecord(value) ? value['linkset'] : undefined;
  if (!Array.isArray(linkset)) return undefined;
  return linkset.slice(0, MAX_CONTEXTS).map((context: unknown, at) => ({
    pointer: `/linkset/${at}`,
    anchor: getString(context, 'anchor')?.slice(0, 2048),
    targets: TOLD_BY.flatMap((rel) => listRelationUrls(context, rel, base).map((url) => ({ rel, url }))),
    lists: LISTED_BY.some((rel) => listRelationUrls(context, rel, base).length > 0),
  }));
}

function listRelationUrls(context: unknown, rel: string, base: string): readonly string[] {
  const links = isJsonRecord(context) && Object.hasOwn(context, rel) ? context[rel] : undefined;
  if (!Array.isArray(links)) return [];
  return links.slice(0, MAX_LINKS).flatMap((link: unknown) => {
    const href = getString(link, 'href') ?? '';
    const url = href === '' || href.length > 2048 ? null : URL.parse(href, base);
    if (!url || !/^https?:$/u.test(url.protocol)) return [];
    url.hash = '';
    return [url.href];
  });
}

function buildCatalogTarget(url: string, exchange: Exchange | undefined, control: Exchange | undefined): CatalogTarget {
  const answer = exchange?.answer;
  if (!exchange || !answer?.ok || [401, 403, 429].includes(answer.status) || answer.status >= 500)
    return { url, state: 'unread', exchange };
  const own = control && isSameOwner(new URL(url), new URL(control.url)) ? control : undefined;
  const { state } = readExistence(exchange, own, 'any');
  if (state === 'absent') return { url, state: 'dead', exchange };
  return { url, state: state === 'unknown' && own !== undefined ? 'unread' : 'resolves', exchange };
}
