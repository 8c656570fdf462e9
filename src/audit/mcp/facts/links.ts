import { parseLinkHeader } from '../../api/facts/link-header.ts';
import type { Exchange, Lookup } from '../../core/snapshot.ts';
import { readTextFile } from '../../llms-txt/facts/llms-files.ts';
import { pageOf } from '../../reach/facts/page-of.ts';
import { absoluteHttpUrl } from './json.ts';

/** URLs of one llms.txt that are looked at. */
export const MAX_MENTIONS = 1000;

/** Relations seen in the wild for an MCP endpoint; none is registered. */
const RELATIONS = new Set(['mcp', 'mcp-server']);

/** The endpoints that the start page links to, by its `Link` header or a `link` element; empty when there are none. */
export function linkedEndpoints(find: Lookup): readonly EndpointSource[] {
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
export function advertisedCatalogs(find: Lookup): readonly string[] {
  const answer = find('page')?.answer;
  if (!answer?.ok) return [];
  const links = [...parseLinkHeader(answer.headers['link'] ?? ''), ...pageOf(answer).linkTags];
  const urls = links
    .filter(({ rels }) => rels.includes('ai-catalog'))
    .flatMap(({ href }) => absoluteHttpUrl(href, answer.url) ?? []);
  return [...new Set(urls)];
}

/** The URLs in llms.txt whose path ends in `mcp` or `sse`, as endpoints of MCP servers are named. */
export function mentionedEndpoints(
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
export type NamedEndpoint = { url: string; transport?: string; templated: boolean; versions?: readonly string[] };
