import type { Lookup } from '../snapshot.ts';
import { parseLinkHeader } from './link-header.ts';
import { absoluteHttpUrl } from './mcp-json.ts';
import type { EndpointSource } from './mcp-discovery.ts';

/** Links of the start page that are read. */
export const MAX_LINKS = 100;

/** Relations seen in the wild for an MCP endpoint; none is registered. */
const RELATIONS = new Set(['mcp', 'mcp-server']);

/** The endpoints that the start page links to, by its `Link` header or a `link` element; empty when there are none. */
export function linkedEndpoints(find: Lookup): readonly EndpointSource[] {
  const answer = find('page')?.answer;
  if (!answer?.ok) return [];
  const header = parseLinkHeader(answer.headers['link'] ?? '');
  // The whole page is parsed elsewhere; here a look at its link elements is enough, and much cheaper.
  const elements = [...answer.body.matchAll(/<link\s[^<>]{1,2000}>/gi)].slice(0, MAX_LINKS).map(([tag]) => ({
    href: attribute(tag, 'href'),
    rels: attribute(tag, 'rel').toLowerCase().split(/\s+/),
  }));
  const urls = [...header, ...elements]
    .filter(({ rels }) => rels.some((rel) => RELATIONS.has(rel)))
    .map(({ href }) => absoluteHttpUrl(href, answer.url))
    .filter((url) => url !== undefined);
  const endpoints = [...new Set(urls)].map((url) => ({ url, templated: false }));
  return [{ name: 'link', url: answer.url, endpoints }];
}

function attribute(tag: string, name: 'href' | 'rel'): string {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').replaceAll('&amp;', '&').trim();
}
