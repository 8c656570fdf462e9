import type { SaleNetwork } from '../terms/networks-data.ts';
import { ChainUnreachable } from './chain.ts';

/** A network with the node that is asked about it. */
export type NetworkNode = { network: SaleNetwork; rpcUrl: string };

/** Whether a node serves the chain that its network is known by: its first block is that of the network (rule P8). */
export type IsGenuine = (node: NetworkNode) => Promise<boolean>;

/** How long a node that did not show its first block is not asked again, in milliseconds. */
export const UNREAD_NODE_MS = 10_000;

/** How long the first answer of an isolate waits for a node, in milliseconds. Then its network is unread for that answer. */
export const FIRST_LOOK_MS = 1_000;

/** What nodes showed, by network: nodes keep their first block, and one that showed none is asked again later. */
export type NodeMemory = Map<string, boolean | { askAgainMs: number }>;

/** `mixed`: real chains and others stand side by side; `others` are those that are not real. */
export type FirstBlocks =
  | { is: 'mixed'; others: readonly string[] }
  /** Nothing is known against those that were read. On the others nothing is sold now. */
  | { is: 'alike'; unread: ReadonlySet<string> };

export type FirstBlockPorts = {
  isGenuine: IsGenuine;
  memory: NodeMemory;
  now: () => number;
  /** Keeps the Worker alive for a look that no answer waits for. */
  waitUntil: (looking: Promise<unknown>) => void;
  /** Only the entry of the local stack sets it: all its chains are local ones. */
  local: boolean;
};

/**
 * Real money and a test chain are never sold side by side (rule P8): of several networks, all nodes serve the chains that they
 * are configured for, or none does, as on a local stack. A node that does not answer keeps its own network from being sold.
 */
export async function judgeFirstBlocks(ports: FirstBlockPorts, nodes: readonly NetworkNode[]): Promise<FirstBlocks> {
  if (nodes.length < 2) return { is: 'alike', unread: new Set() };
  const found = await Promise.all(nodes.map(async (node) => [node.network.id, await lookOnce(ports, node)] as const));
  const select = (wanted: boolean | undefined): readonly string[] =>
    found.flatMap(([id, isReal]) => (isReal === wanted ? [id] : []));
  const [real, others, unread] = [select(true), select(false), select(undefined)];
  if (real.length > 0 && others.length > 0) return { is: 'mixed', others };
  // Beside a chain that is not the real one, a real one may be among those that were not read.
  const isOpen = unread.length === 0 || others.length === 0 || ports.local;
  return { is: 'alike', unread: new Set(isOpen ? unread : found.map(([id]) => id)) };
}

/**
 * What a node showed, or undefined where it did not. Only the first look of an isolate is waited for, and not for long. A node
 * that showed nothing is asked again behind an answer: its network is closed until a later one, and no request waits for it.
 */
async function lookOnce(ports: FirstBlockPorts, node: NetworkNode): Promise<boolean | undefined> {
  const { memory, now, waitUntil } = ports;
  const { id } = node.network;
  const before = memory.get(id);
  if (typeof before === 'boolean') return before;
  if (before === undefined) return lookBriefly(ports, node);
  if (before.askAgainMs > now()) return undefined;
  putOff(ports, id); // One request asks again.
  waitUntil(ask(ports, node));
  return undefined;
}

async function lookBriefly(ports: FirstBlockPorts, node: NetworkNode): Promise<boolean | undefined> {
  const asking = ask(ports, node);
  if (ports.local) return asking; // Its nodes start beside it, on a machine that may be busy.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), FIRST_LOOK_MS);
  });
  try {
    const found = await Promise.race([asking, late]);
    if (found !== 'late') return found;
  } finally {
    clearTimeout(timer);
  }
  ports.waitUntil(asking);
  const seen = ports.memory.get(node.network.id); // Another request may have heard by now.
  if (typeof seen === 'boolean') return seen;
  putOff(ports, node.network.id);
  return undefined;
}

/** Asks a node and remembers what it showed. */
async function ask(ports: FirstBlockPorts, node: NetworkNode): Promise<boolean | undefined> {
  const { isGenuine, memory } = ports;
  const { id } = node.network;
  try {
    const isReal = await isGenuine(node);
    memory.set(id, isReal);
    return isReal;
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    if (typeof memory.get(id) !== 'boolean') putOff(ports, id);
    return undefined;
  }
}

const putOff = ({ memory, now }: FirstBlockPorts, id: string): void =>
  void memory.set(id, { askAgainMs: now() + UNREAD_NODE_MS });
