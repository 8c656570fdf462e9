import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, type Lookup, type Snapshot, lookup } from '../../core/snapshot.ts';
import { readA2aCard } from './a2a-card.ts';
import { readDocument } from '../../mcp/facts/document.ts';

/** Roles of the requests to the interface of an agent card. */
export const A2A_ROLES = { get: 'a2a-interface', options: 'a2a-interface-options' } as const;

/** `card` tells whether there is one to judge; `written` is the address as the card has it. */
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
  const find = lookup(snapshot);
  const card = cardAt(find);
  const value = {
    card: card.state === 'found' ? 'found' : card.state === 'absent' || card.state === 'invalid' ? 'none' : 'unknown',
    exchange: card.exchange,
    written: card.state === 'found' ? (card.document.interfaces[0]?.url ?? '') : '',
    url: interfaceUrl(find),
    get: find(A2A_ROLES.get),
    options: find(A2A_ROLES.options),
  } as const;
  return { state: 'ready', value };
}

const cardAt = (find: Lookup) => readDocument(find('agent-card'), find('control'), readA2aCard);

/** The address of the first interface of the card among the exchanges so far; undefined when there is none to ask. */
export function interfaceUrl(find: Lookup): URL | undefined {
  const card = cardAt(find);
  const url = card.state === 'found' ? URL.parse(card.document.interfaces[0]?.url ?? '') : null;
  return url && /^https?:$/u.test(url.protocol) ? url : undefined;
}
