import {
  type FirstBlockPorts,
  judgeFirstBlocks,
  type NetworkNode,
  type NodeMemory,
  UNREAD_NODE_MS,
} from '../payment/chain/first-blocks.ts';
import { buildProblem } from '../problems/codes.ts';
import type { ProblemInput } from '../problems/problem.ts';

/** By seller, so that nodes are asked once in an isolate. */
const memories = new WeakMap<object, NodeMemory>();

/** `unread`: the networks whose nodes did not show what they serve. They are asked again later, and nothing is sold there now. */
type NodesOutcome = { ok: true; unread: ReadonlySet<string> } | { ok: false; problem: ProblemInput };

/** Looks at the nodes of all networks of a seller. A configuration that mixes real money and test chains sells nothing. */
export async function judgeSellersNodes(
  ports: Pick<FirstBlockPorts, 'isGenuine' | 'now' | 'waitUntil' | 'local'>,
  seller: { on: ReadonlyMap<string, NetworkNode> },
): Promise<NodesOutcome> {
  const memory = memories.get(seller) ?? new Map<string, never>();
  memories.set(seller, memory);
  const found = await judgeFirstBlocks({ ...ports, memory }, [...seller.on.values()]);
  if (found.is === 'alike') return { ok: true, unread: found.unread };
  const detail = `The node of ${found.others.join(', ')} serves another chain: real money and test chains are never mixed`;
  return { ok: false, problem: buildProblem('not_configured', { detail }) };
}

const MS_PER_S = 1_000;

/** Why nothing new is sold on these networks now. What was sold there is served all the same. */
export const refuseUnread = (networkIds: ReadonlySet<string>): ProblemInput =>
  buildProblem('capability_unavailable', {
    detail: `The first block of ${[...networkIds].join(', ')} cannot be read. No payment is taken there; what was bought can still be read`,
    retryAfterS: UNREAD_NODE_MS / MS_PER_S,
  });

/** What is made once for each set of networks, of which four have 16. That of none is made at once. */
export function rememberByNetworks<Made>(
  make: (networkIds: ReadonlySet<string>) => Made,
): (networkIds: ReadonlySet<string>) => Made {
  const none = make(new Set());
  const known = new Map<string, Made>();
  return (networkIds) => {
    if (networkIds.size === 0) return none;
    const key = [...networkIds].join();
    const made = known.get(key) ?? make(networkIds);
    known.set(key, made);
    return made;
  };
}
