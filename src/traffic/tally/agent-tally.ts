import { copyText } from '../byte-string.ts';
import type { VisitorClaim, VisitorClass } from '../agents/agent-class.ts';
import type { Verification } from '../ranges/verify.ts';
import type { LogRecord } from '../record.ts';
import { type Counts, countAgentRequest, countRequest, createCounts, type Page } from './counts.ts';

/** Addresses of one agent that are remembered; those beyond are verified again and again, and not counted. */
export const MAX_ADDRESSES_OF_AGENT = 5_000;
/** No address is longer. */
const MAX_ADDRESS_CHARS = 100;

export type AgentPorts = {
  verify: (token: string, address: string) => Verification;
  /** Whether robots.txt keeps an agent from a path; absent where the file is not known. */
  isDisallowed?: ((token: string, path: string) => boolean) | undefined;
};

export type AgentOptions = {
  /** Agents whose addresses, unless they are verified, are counted one by one until their names were looked up. */
  apart?: { limit: number; has: (token: string) => boolean } | undefined;
  /** Paths that the owner lists. */
  sitemap?: ReadonlySet<string> | undefined;
};

/** One agent of the roster: its counts by verification, and by address where that was not decided. */
export type AgentTally = {
  token: string;
  owner: string;
  class: VisitorClass;
  states: Record<Verification, Counts>;
  /** The counts of each address that came: those of a state, or its own. */
  byAddress: Map<string, Counts>;
  apart: { address: string; verification: Verification; counts: Counts }[];
  hasMoreAddresses: boolean;
};

/** What an agent asked for. `order`: its place among all requests. */
type Asked = { path: string; page: Page; order: number };

export type AgentTallies = {
  agents: ReadonlyMap<string, AgentTally>;
  find: (claim: VisitorClaim, token: string) => AgentTally;
  count: (agent: AgentTally, record: LogRecord, asked: Asked) => void;
  /** Paths of the sitemap that agents asked for. */
  asked: ReadonlySet<string>;
};

/** Counts the requests of agents of the roster. */
export function createAgents(ports: AgentPorts, options: AgentOptions): AgentTallies {
  const agents = new Map<string, AgentTally>();
  const asked = new Set<string>();
  let apart = options.apart?.limit ?? 0;
  const locate = (agent: AgentTally, address: string): Counts => {
    const before = agent.byAddress.get(address);
    if (before !== undefined) return before;
    const verification = ports.verify(agent.token, address);
    const state = agent.states[verification];
    if (agent.byAddress.size >= MAX_ADDRESSES_OF_AGENT || address.length > MAX_ADDRESS_CHARS) {
      agent.hasMoreAddresses = true;
      return state;
    }
    const key = copyText(address);
    const isApart = verification !== 'verified' && apart > 0 && options.apart?.has(agent.token) === true;
    const counts = isApart ? createCounts(verification === 'pretended') : state;
    counts.addresses += 1;
    if (counts !== state) {
      apart -= 1;
      agent.apart.push({ address: key, verification, counts });
    }
    agent.byAddress.set(key, counts);
    return counts;
  };
  return {
    agents,
    asked,
    find: (claim, token) => {
      const agent = agents.get(token) ?? createAgent(claim, token);
      agents.set(token, agent);
      return agent;
    },
    count: (agent, record, { path, page, order }) => {
      const counts = locate(agent, record.address);
      countRequest(counts, record);
      const isDisallowed = ports.isDisallowed?.(agent.token, record.path) ?? false;
      countAgentRequest(counts, page, { status: record.status, order: record.atMs ?? order, isDisallowed });
      if (counts.isPretended) return;
      page.agents += 1;
      if (options.sitemap?.has(path) === true && !asked.has(path)) asked.add(copyText(path));
    },
  };
}

const createAgent = (claim: VisitorClaim, token: string): AgentTally => ({
  token,
  owner: claim.owner ?? '',
  class: claim.class,
  states: { verified: createCounts(), pretended: createCounts(true), claimed: createCounts() },
  byAddress: new Map(),
  apart: [],
  hasMoreAddresses: false,
});
