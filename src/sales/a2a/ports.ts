import { type AgentTaskObject, getTaskShardName } from '../../a2a/protocol.ts';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FreeToolPorts } from '../mcp/mcp-free-tools.ts';
import type { EndedCall } from '../mcp/mcp-tools.ts';
import type { SalesPorts } from '../tools.ts';

/** One request of one caller, and what the agent works with. */
export type A2aPorts = {
  sales: SalesPorts;
  /** What limits count by, and the network that it is of. */
  caller: string;
  network: string;
  requestId: string;
  /** An audit of ours is asking: it may look, and never buy (rule F7). */
  isOwnAudit: boolean;
  /** Whether the headers of the request activate the x402 extension. */
  extensionHeader: string | undefined;
  /** The object of a shard, by its name. */
  taskShard: (name: string) => AgentTaskObject;
  /** The catalogue as this deployment sells it now. */
  catalogue: () => CallToolResult;
  free: FreeToolPorts;
  /** 128 random bits as hex digits. */
  newId: () => string;
  wait: (ms: number) => Promise<void>;
  /** Counts a task that named the price of a row and took nothing. */
  countUnpaid: (capability: string) => void;
  /** What a payment came to, for telemetry. */
  noteCall: (ended: EndedCall) => void;
  log: (event: Record<string, unknown>) => void;
};

/** The object that has a task. */
export const findTasks = ({ taskShard }: Pick<A2aPorts, 'taskShard'>, id: string): AgentTaskObject =>
  taskShard(getTaskShardName(id));
