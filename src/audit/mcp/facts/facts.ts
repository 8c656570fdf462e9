import type { Artifact } from '../../core/artifact.ts';
import { getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { type AgentCards, readAgentCards } from '../../agent-files/facts/agent-files.ts';
import { isServerCardEntry } from '../../agent-files/facts/ai-catalog.ts';
import { getString } from '../../structured-data/facts/json-document.ts';
import { type McpDiscovery, readDiscovery } from './discovery.ts';
import type { DocumentState } from './document.ts';
import { type McpEndpoint, readEndpoint, findServerInfo } from './endpoint.ts';

/** Characters of a site's own text that a fact may show. */
const MAX_TEXT = 200;

type Facts = Readonly<Record<string, unknown>>;

/**
 * Facts of `check_mcp`: what was found at each place, and how the declared endpoint answers. `unknown` marks what could
 * not be read, which is not "absent".
 */
export function buildMcpFacts(snapshot: Snapshot): Facts {
  const find = getExchangeLookup(snapshot);
  const discovery = readDiscovery(find);
  return {
    mcp_json: buildDocumentFact(discovery.mcpJson, ({ shapes, endpoints }) => ({
      members: shapes,
      endpoints: endpoints.map(({ url }) => url.slice(0, MAX_TEXT)),
    })),
    agent_json: buildAgentCardFact(readAgentCards(snapshot)),
    server_card: buildCardFact(discovery),
    ai_catalog: buildDocumentFact(discovery.catalog, ({ entries, issues }) => ({
      entries: entries.length,
      mcp_servers: entries.filter(isServerCardEntry).length,
      valid: issues.length === 0,
    })),
    endpoint: buildEndpointFact(readEndpoint(find, discovery, new URL(snapshot.url))),
    places_tried: discovery.tried.map(({ exchange, saw }) => ({ url: exchange.url, saw })),
  };
}

function buildDocumentFact<T>(state: DocumentState<T>, describe: (document: T) => Facts): Facts {
  if (state.state === 'found') return { state: 'found', url: state.url, ...describe(state.document) };
  const known = state.state === 'absent' || state.state === 'invalid';
  return { state: known ? state.state : 'unknown', why: state.why };
}

function buildAgentCardFact(cards: Artifact<AgentCards>): Facts {
  if (cards.state === 'failed') return { state: 'unknown', why: cards.reason };
  const { card, legacy } = cards.value;
  const chosen = legacy.state === 'found' && card.state !== 'found' ? legacy : card;
  return buildDocumentFact(chosen, ({ shape, name }) => ({ a2a: shape, name: name.slice(0, MAX_TEXT) }));
}

function buildCardFact({ card, tried }: McpDiscovery): Facts {
  if (!card) return { state: tried.some(({ blind }) => blind) ? 'unknown' : 'absent' };
  const { name, version, issues } = card.card;
  return {
    state: 'found',
    url: card.url,
    where: card.where,
    name: name?.slice(0, MAX_TEXT) ?? null,
    version: version?.slice(0, MAX_TEXT) ?? null,
    valid: issues.length === 0,
  };
}

function buildEndpointFact(endpoint: McpEndpoint): Facts {
  if (endpoint.state === 'undeclared') return { state: 'undeclared' };
  const url = endpoint.url.slice(0, MAX_TEXT);
  if (endpoint.state === 'not_probed') return { state: 'not_probed', url, why: endpoint.why };
  const { access, era, accepted, handshake, tools } = endpoint;
  const info = handshake && findServerInfo(handshake);
  return {
    state: 'probed',
    url,
    access,
    era,
    protocol_versions: accepted.slice(0, 20).map((version) => version.slice(0, MAX_TEXT)),
    server_name: getString(info, 'name')?.slice(0, MAX_TEXT) ?? null,
    tools: tools.state === 'listed' ? tools.tools.length : null,
  };
}
