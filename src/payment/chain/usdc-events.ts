import { AUTHORIZATION_USED_TOPIC, TRANSFER_TOPIC, USDC_LOWER } from '../terms/constants.ts';
import type { UsdcEvent } from './chain.ts';

/** A log as JSON-RPC clients give it. */
export type RawLog = {
  address: string;
  topics: readonly string[];
  data: string;
  logIndex: number | null;
  removed?: boolean;
};

/**
 * The event of a log; undefined for logs of other contracts and other events. Only the pinned USDC contract counts:
 * fake tokens emit the same events.
 */
export function usdcEventOf(log: RawLog): UsdcEvent | undefined {
  const [topic, first, second] = log.topics;
  if (
    log.address.toLowerCase() !== USDC_LOWER ||
    first === undefined ||
    second === undefined ||
    log.logIndex === null
  ) {
    return undefined;
  }
  const at = { logIndex: log.logIndex, removed: log.removed ?? false };
  if (topic === TRANSFER_TOPIC) {
    return { name: 'Transfer', ...at, from: addressOf(first), to: addressOf(second), value: BigInt(log.data) };
  }
  if (topic === AUTHORIZATION_USED_TOPIC) {
    return { name: 'AuthorizationUsed', ...at, authorizer: addressOf(first), nonce: second.toLowerCase() };
  }
  return undefined;
}

/** The last 20 of the 32 bytes of an indexed address. */
const addressOf = (topic: string): string => `0x${topic.slice(-40).toLowerCase()}`;
