import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { readAgentCards } from '../../agent-files/facts/agent-files.ts';
import { readApiDescription } from './api-description.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { parseLinkHeader } from './link-header.ts';
import { readDiscovery } from '../../mcp/facts/discovery.ts';
import { type ExchangeWithAnswer, readStartPageArtifact } from '../../reach/facts/site-files.ts';

/** Relations by which a Link header leads programs to a service, its description or a catalogue of them. */
const SERVICE_RELS = ['api-catalog', 'service-desc', 'service-doc', 'describedby', 'ai-catalog'] as const;
/** Links of one header that are kept. */
const MAX_LINKS = 10;

/** A link of the start page's Link header. `unread` when the audit had no other reason to follow it. */
export type ServiceLink = {
  rel: string;
  href: string;
  target: 'resolves' | 'dead' | 'unread';
  exchange: Exchange | undefined;
};

/** `surfaces` names what the site offers to programs, in our words; empty for a site of pages. */
export type ServiceLinks = { start: ExchangeWithAnswer; links: readonly ServiceLink[]; surfaces: readonly string[] };

/** Artifact `serviceLinks`: what the start page's Link header advertises; failed when the page gave no answer. */
export function readServiceLinks(snapshot: Snapshot): Artifact<ServiceLinks> {
  const start = readStartPageArtifact(snapshot);
  if (start.state === 'failed') return start;
  const { answer } = start.value;
  const links = parseLinkHeader(answer.headers['link'] ?? '').flatMap(({ href, rels }) => {
    const rel = SERVICE_RELS.find((known) => rels.includes(known));
    const url = URL.parse(href, answer.url);
    return rel !== undefined && url && /^https?:$/u.test(url.protocol) ? [{ rel, href: url.href }] : [];
  });
  const find = getExchangeLookup(snapshot);
  const known = links.slice(0, MAX_LINKS).map((link) => ({ ...link, ...readLinkTarget(snapshot, find, link.href) }));
  return { state: 'ready', value: { start: start.value, links: known, surfaces: listServiceSurfaces(snapshot, find) } };
}

function readLinkTarget(
  snapshot: Snapshot,
  find: ExchangeLookup,
  href: string,
): Pick<ServiceLink, 'target' | 'exchange'> {
  const plain = href.split('#')[0] ?? href;
  const exchange = findExchange(snapshot, plain);
  if (!exchange?.answer.ok || [401, 403, 429].includes(exchange.answer.status) || exchange.answer.status >= 500)
    return { target: 'unread', exchange };
  const { state } = readExistence(exchange, find('control'), 'any');
  return { target: TARGETS[state], exchange };
}

const TARGETS = { exists: 'resolves', absent: 'dead', unknown: 'unread' } as const;

/** The GET of an address that the audit made for whatever reason; one that was answered before one that was not. */
export function findExchange(snapshot: Snapshot, url: string): Exchange | undefined {
  const made = snapshot.exchanges.filter((exchange) => exchange.method === 'GET' && exchange.url === url);
  return made.find(({ answer }) => answer.ok) ?? made[0];
}

function listServiceSurfaces(snapshot: Snapshot, find: ExchangeLookup): readonly string[] {
  const api = readApiDescription(snapshot);
  const cards = readAgentCards(snapshot);
  return [
    ...(api.state === 'ready' && api.value.found ? ['an API description'] : []),
    ...(api.state === 'ready' ? api.value.evidence : []),
    ...(cards.state === 'ready' && cards.value.card.state === 'found' ? ['an agent card'] : []),
    ...(readDiscovery(find).documents === 'found' ? ['an MCP document'] : []),
  ];
}
