import { readAgentCards } from '../../audit/agent-files/facts/agent-files.ts';
import { readApiDescription } from '../../audit/api/facts/api-description.ts';
import { readLlmsFile } from '../../audit/llms-txt/facts/llms-files.ts';
import { readSitemaps } from '../../audit/sitemaps/facts/sitemap-files.ts';
import { lookup } from '../../audit/core/snapshot.ts';
import type { Audited } from './audited.ts';
import { seenEndpoint } from './mcp-json-endpoint.ts';
import { ownUrl } from './safe-site.ts';

/** A document to link, or an address that answers programs only and is therefore named, not linked. Our words throughout. */
export type LlmsResource = { name: string; note: string } & ({ href: string } | { address: string });

/** What the site serves to programs, as far as the audit saw it. */
export function agentLinks(audited: Audited): readonly LlmsResource[] {
  const { snapshot, site } = audited;
  const find = lookup(snapshot);
  const link = (address: string | undefined, name: string, note: string): readonly LlmsResource[] => {
    const href = address === undefined ? undefined : ownUrl(address, site.start);
    return href === undefined ? [] : [{ name, href, note }];
  };
  const api = readApiDescription(snapshot);
  const found = api.state === 'ready' ? api.value.found : undefined;
  const full = readLlmsFile(find('llms-full'), find('control'));
  const cards = readAgentCards(snapshot);
  const card = cards.state === 'ready' && cards.value.card.state === 'found' ? cards.value.card.url : undefined;
  const endpoint = seenEndpoint(audited);
  const address = endpoint?.seen === 'live' ? ownUrl(endpoint.url, site.start) : undefined;
  const serverCard = endpoint?.card?.exchange ? endpoint.card.url : undefined;
  return [
    ...link(found?.answer.url, 'API description', apiNote(found?.document)),
    ...(address === undefined
      ? []
      : [{ name: 'MCP server', address, note: 'Streamable HTTP; the protocol lists its tools.' }]),
    ...link(serverCard, 'MCP Server Card', 'how to connect to the MCP server'),
    ...link(card, 'A2A agent card', 'what the agent of this site does and where it answers'),
    ...link(full.state === 'found' ? full.url : undefined, 'Full text', 'the documentation in one Markdown file'),
  ];
}

function apiNote(document: { kind: string; operations: readonly unknown[] } | undefined): string {
  if (!document) return '';
  const count = document.operations.length;
  const version = document.kind === '2.0' ? 'Swagger 2.0' : 'OpenAPI 3';
  return `${version}, ${count} ${count === 1 ? 'operation' : 'operations'}`;
}

/** The sitemap that answered first, unless it is packed: a model reads text. */
export function optionalLinks({ snapshot, site }: Audited): readonly LlmsResource[] {
  const sitemaps = readSitemaps(snapshot);
  const found = sitemaps.state === 'ready' ? sitemaps.value.tries.find(({ state }) => state === 'found') : undefined;
  const href = found ? ownUrl(found.exchange.url, site.start) : undefined;
  return href === undefined || href.endsWith('.gz')
    ? []
    : [{ name: 'Sitemap', href, note: 'the addresses of all pages' }];
}
