import type { Artifact } from '../../core/artifact.ts';
import { type Answer, type Exchange, type Snapshot, lookup } from '../../core/snapshot.ts';
import { readAgentCards } from './agent-files.ts';
import { readApiDescription } from '../../api/facts/api-description.ts';
import { readLlmsFile } from '../../llms-txt/facts/llms-files.ts';
import { readDiscovery } from '../../mcp/facts/discovery.ts';
import { readRobotsFile } from '../../crawlers/facts/robots-file.ts';

/** A file by which agents find their way, and whether programs in a browser read it too. */
export type AgentFile = { name: string; exchange: Exchange; answer: Answer; forBrowsers: boolean };

/** `blind`: some place could not be read, so a file may be there that is not listed. */
export type AgentDiscovery = { files: readonly AgentFile[]; blind: boolean };

/** Read by programs, and no file of configuration: how long it is kept is not judged. */
export const API_FILE = 'the API description';

/** Artifact `agentDiscovery`: the files for agents that are there. Never fails as a whole. */
export function readAgentDiscovery(snapshot: Snapshot): Artifact<AgentDiscovery> {
  const find = lookup(snapshot);
  const robots = readRobotsFile(snapshot);
  const llms = readLlmsFile(find('llms'), find('control'));
  const cards = readAgentCards(snapshot);
  const { catalog, card } = readDiscovery(find);
  const api = readApiDescription(snapshot);
  const agentCard = cards.state === 'ready' ? cards.value.card : undefined;
  const description = api.state === 'ready' ? api.value.found : undefined;
  const files = [
    robots.state === 'ready' && robots.value.kind === 'file'
      ? file('robots.txt', robots.value.exchange, false)
      : undefined,
    llms.state === 'found' ? file('llms.txt', llms.exchange, true) : undefined,
    agentCard?.state === 'found' ? file('the agent card', agentCard.exchange, true) : undefined,
    catalog.state === 'found' ? file('the AI catalog', catalog.exchange, true) : undefined,
    card?.exchange ? file('the MCP server card', card.exchange, false) : undefined,
    description ? file(API_FILE, description.exchange, true) : undefined,
  ].filter((one) => one !== undefined);
  const blind = robots.state === 'failed' || [llms, agentCard, catalog].some((one) => one?.state === 'unreadable');
  return { state: 'ready', value: { files, blind } };
}

function file(name: string, exchange: Exchange, forBrowsers: boolean): AgentFile | undefined {
  return exchange.answer.ok ? { name, exchange, answer: exchange.answer, forBrowsers } : undefined;
}
