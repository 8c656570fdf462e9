import type { SaleNetwork } from '../terms/networks-data.ts';
import { ChainUnreachable } from './chain.ts';

/** A network with the node that is asked about it. */
export type NetworkNode = { network: SaleNetwork; rpcUrl: string };

/** Whether a node serves the chain that its network is known by: its first block is that of the network (rule P8). */
export type IsGenuine = (node: NetworkNode) => Promise<boolean>;

/** `mixed`: real chains and others stand side by side; `others` are those that are not real. */
export type FirstBlocks = { is: 'alike' } | { is: 'unread' } | { is: 'mixed'; others: readonly string[] };

const ALIKE: FirstBlocks = { is: 'alike' };

/**
 * Real money and a test chain are never sold side by side (rule P8): of several networks, all nodes serve the chains that they
 * are configured for, or none does, as on a local stack.
 */
export async function judgeFirstBlocks(isGenuine: IsGenuine, nodes: readonly NetworkNode[]): Promise<FirstBlocks> {
  if (nodes.length < 2) return ALIKE;
  try {
    const found = await Promise.all(nodes.map(async (node) => [node.network.id, await isGenuine(node)] as const));
    const others = found.flatMap(([id, isReal]) => (isReal ? [] : [id]));
    return others.length === 0 || others.length === found.length ? ALIKE : { is: 'mixed', others };
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    return { is: 'unread' };
  }
}
