import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import {
  listPropertyNodes,
  type SchemaGraph,
  type SchemaNode,
  listPropertyTexts,
} from '../../structured-data/facts/schema-nodes.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';

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
export function readLicence(
  snapshot: Snapshot,
): Artifact<{ licence: Licence; exchange: Exchange | undefined; control: Exchange | undefined } | 'none'> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  const find = getExchangeLookup(snapshot);
  const licence = findLicence(page.value);
  return {
    state: 'ready',
    value: licence === undefined ? 'none' : { licence, exchange: find(LICENCE_ROLE), control: find('control') },
  };
}
