import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, type Snapshot, getExchangeLookup } from '../../core/snapshot.ts';
import { readA2aCard } from './a2a-card.ts';
import { readDocument } from '../../mcp/facts/document.ts';

/** Roles of the requests to the interface of an agent card. */
export const A2A_ROLES = { get: 'a2a-interface', options: 'a2a-interface-options' } as const;

/** `card` says whether there is one to judge; `written` is the address as written in the card. */
export type A2aInterfaceFacts = {
  card: 'found' | 'none' | 'unknown';
  exchange: Exchange | undefined;
  written: string;
  url: URL | undefined;
  get: Exchange | undefined;
  options: Exchange | undefined;
};

/** Artifact `a2aInterface`: the first interface of the agent card and how it answered. Never fails as a whole. */
export function readA2aInterface(snapshot: Snapshot): Artifact<A2aInterfaceFacts> {
  const find = getExchangeLookup(snapshot);
  const card = readAgentCard(find);
  const value = {
    card: card.state === 'found' ? 'found' : card.state === 'absent' || card.state === 'invalid' ? 'none' : 'unknown',
    exchange: card.exchange,
    written: card.state === 'found' ? (card.document.interfaces[0]?.url ?? '') : '',
    url: findInterfaceUrl(find),
    get: find(A2A_ROLES.get),
    options: find(A2A_ROLES.options),
  } as const;
  return { state: 'ready', value };
}

const readAgentCard = (find: ExchangeLookup) => readDocument(find('agent-card'), find('control'), readA2aCard);

/** The address of the first interface of the card among the exchanges so far; undefined when there is none to ask. */
export function findInterfaceUrl(find: ExchangeLookup): URL | undefined {
  const card = readAgentCard(find);
  const url = card.state === 'found' ? URL.parse(card.document.interfaces[0]?.url ?? '') : null;
  return url && /^https?:$/u.test(url.protocol) ? url : undefined;
}
