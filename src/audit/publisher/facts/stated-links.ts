import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import {
  listNodesOfType,
  listPropertyNodes,
  listPropertyTexts,
  type SchemaGraph,
  type SchemaNode,
} from '../../structured-data/facts/schema-nodes.ts';
import { listHtmlPages, readPageFacts } from '../../reach/facts/site-files.ts';

/**
 * What a page names by a link, and what the address answered; `exchange` is undefined when it was not asked. `at` is the
 * sampled page that names it, where the start page does not.
 */
export type StatedLink<T> = {
  link: T;
  at?: Exchange;
  exchange: Exchange | undefined;
  control: Exchange | undefined;
};

/** Where a page says that its author can be looked up; `name` is '' when the page names no author there. */
export type AuthorLink = { url: string; name: string; from: 'author.url' | 'rel=author' };

/** Role of the exchange for the author's page. */
export const AUTHOR_ROLE = 'author';

/** Link texts that name the page, not the person. */
const NO_NAME = /^(?:about|author|bio|profile|more|view|see|read)\b/i;

/** The author's page: `url` of an article's author in structured data, else a link with `rel=author`. */
export function findAuthorLink(page: PageFacts): AuthorLink | undefined {
  const { graph } = getJsonLd(page);
  for (const author of listNodesOfType(graph, 'Article').flatMap((article) =>
    listPropertyNodes(graph, article, 'author'),
  )) {
    const url = listPropertyTexts(graph, author, 'url').map((text) => findPageUrl(text, page.baseUrl))[0];
    const name = listPropertyTexts(graph, author, 'name')[0] ?? '';
    if (url !== undefined) return { url, name, from: 'author.url' };
  }
  const anchor = page.anchors.find(
    ({ rels, href }) => rels.includes('author') && findPageUrl(href, page.baseUrl) !== undefined,
  );
  const tag = page.linkTags.find(
    ({ rels, href }) => rels.includes('author') && findPageUrl(href, page.baseUrl) !== undefined,
  );
  const url = findPageUrl(anchor?.href ?? tag?.href ?? '', page.baseUrl);
  if (url === undefined) return undefined;
  const text = anchor?.text.trim() ?? '';
  return { url, name: NO_NAME.test(text) ? '' : text, from: 'rel=author' };
}

/** The http(s) address without its fragment; undefined for anything else. */
function findPageUrl(text: string, base: string): string | undefined {
  if (text === '' || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  url.hash = '';
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Artifact `authorPage`: the author's link of the start page, else of a sampled one, and what its address answered. */
export function readAuthorPage(snapshot: Snapshot): Artifact<StatedLink<AuthorLink> | 'none'> {
  const own = readStatedLink(snapshot, findAuthorLink, AUTHOR_ROLE);
  if (own.state === 'failed' || own.value !== 'none') return own;
  const find = getExchangeLookup(snapshot);
  const sampled = findSampledAuthor(find);
  if (!sampled) return own;
  return { state: 'ready', value: { ...sampled, exchange: find(AUTHOR_ROLE), control: find('control') } };
}

/** Sampled pages that are asked for their author. */
const MAX_ASKED = 8;

/** The first author's link of the sampled pages that leads to a page which the sample does not have. */
export function findSampledAuthor(find: ExchangeLookup): { link: AuthorLink; at: Exchange } | undefined {
  const sample = Array.from({ length: MAX_ASKED }, (_, index) => find(`sample:${index}`)).filter(
    (exchange) => exchange !== undefined,
  );
  const known = new Set(sample.map(({ url }) => url));
  for (const { exchange: at, page } of listHtmlPages(sample)) {
    const link = findAuthorLink(page);
    if (link && !known.has(link.url)) return { link, at };
  }
  return undefined;
}

/** A reuse licence that a page names: an address, or words when `url` is ''. */
export type Licence = { url: string; text: string; from: 'link' | 'a' | 'json-ld'; line: number };

/** Role of the exchange for the licence's text. */
export const LICENCE_ROLE = 'licence';

const MAX_NODES = 500;

/**
 * The licence that a page states for its content: `link` or `a` with `rel=license`, else `license` in structured data.
 * Machine-readable terms (`type="application/rsl+xml"`) are left to agent.prefs.rsl, which reads them.
 */
export function findLicence(page: PageFacts): Licence | undefined {
  const tag = page.linkTags.find(({ rels, type }) => rels.includes('license') && !/rsl\+xml/i.test(type));
  if (tag) return { url: toWebUrl(tag.href, page.baseUrl), text: tag.rawHref, from: 'link', line: tag.line };
  const anchor = page.anchors.find(({ rels }) => rels.includes('license'));
  if (anchor) return { url: toWebUrl(anchor.href, page.baseUrl), text: anchor.rawHref, from: 'a', line: anchor.line };
  const { graph } = getJsonLd(page);
  for (const node of graph.nodes.slice(0, MAX_NODES)) {
    const [text] = listLicenceTexts(graph, node);
    if (text !== undefined) return { url: toWebUrl(text, page.baseUrl), text, from: 'json-ld', line: node.line };
  }
  return undefined;
}

const listLicenceTexts = (graph: SchemaGraph, node: SchemaNode): readonly string[] => [
  ...listPropertyNodes(graph, node, 'license').flatMap((target) => listPropertyTexts(graph, target, 'url')),
  ...listPropertyTexts(graph, node, 'license'),
];

/** Words such as "CC BY 4.0" are no address, though they could be read as a relative one. */
function toWebUrl(text: string, base: string): string {
  const looksLikeUrl = /^(?:https?:)?\/|^[\w.%~-]{1,200}(?:\/|\.html?)/i.test(text.trim());
  const url = looksLikeUrl ? URL.parse(text.trim(), base) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return '';
  url.hash = '';
  return url.href;
}

/** Addresses of public licences that are known by their form; they need not be asked. */
const KNOWN = [
  /^https?:\/\/(?:www\.)?creativecommons\.org\/licenses\/by(?:-nc)?(?:-nd|-sa)?\/(?:1\.0|2\.0|2\.5|3\.0|4\.0)(?:\/|$)/i,
  /^https?:\/\/(?:www\.)?creativecommons\.org\/publicdomain\/(?:zero|mark)\/1\.0(?:\/|$)/i,
  /^https?:\/\/(?:www\.)?opensource\.org\/licen[cs]es?\/[\w.-]{2,60}\/?$/i,
  /^https?:\/\/spdx\.org\/licenses\/[\w.+-]{2,60}$/i,
  /^https?:\/\/(?:www\.)?gnu\.org\/licenses\/[\w.-]{2,60}$/i,
  /^https?:\/\/(?:www\.)?apache\.org\/licenses\/LICENSE-[\d.]{1,5}(?:\.html|\.txt)?$/i,
  /^https?:\/\/(?:www\.)?nationalarchives\.gov\.uk\/doc\/open-government-licence\/version\/[123]\/?$/i,
];

export const isKnownLicence = (url: string): boolean => KNOWN.some((pattern) => pattern.test(url));

/** Artifact `licence`: what the page states, and what its address answered where it was asked. */
export const readLicence = (snapshot: Snapshot): Artifact<StatedLink<Licence> | 'none'> =>
  readStatedLink(snapshot, findLicence, LICENCE_ROLE);

function readStatedLink<T>(
  snapshot: Snapshot,
  findLink: (page: PageFacts) => T | undefined,
  role: string,
): Artifact<StatedLink<T> | 'none'> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  const link = findLink(page.value);
  const find = getExchangeLookup(snapshot);
  const value = link === undefined ? 'none' : { link, exchange: find(role), control: find('control') };
  return { state: 'ready', value };
}
