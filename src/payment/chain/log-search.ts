import type { Client } from 'viem';
import { getBlock, getLogs } from 'viem/actions';
import { USDC } from '../terms/constants.ts';

/** Blocks in one `eth_getLogs`: public nodes refuse ranges of a few thousand. */
const LOG_RANGE_BLOCKS = 1_000n;
/** Ranges in one search: more than a day of Base, and no authorization that is accepted lives two hours. */
const MAX_LOG_RANGES = 60;
/** Seconds between blocks of Base: only the first guess of where to start. */
const BLOCK_TIME_S = 2;
/** Steps back, each twice as long, until a block is old enough: 2^40 blocks are more than there will be. */
const MAX_STEPS_BACK = 40;
const FIRST_STEP_BLOCKS = 64n;

const inputs = [
  { name: 'authorizer', type: 'address', indexed: true },
  { name: 'nonce', type: 'bytes32', indexed: true },
] as const;

/** The two ways in which a nonce of EIP-3009 goes. USDC spells the second with one l. */
const EVENTS = {
  used: { type: 'event', name: 'AuthorizationUsed', inputs },
  cancelled: { type: 'event', name: 'AuthorizationCanceled', inputs },
} as const;

/**
 * The transaction in which a nonce was used or cancelled, by the log of USDC that names it, looked for in at most
 * `MAX_LOG_RANGES` ranges of blocks from the last block before `sinceS` on. Undefined is no proof: a node may lag behind
 * or have pruned its logs.
 * @see https://eips.ethereum.org/EIPS/eip-3009
 */
export async function findAuthorizationLog(
  client: Client,
  end: keyof typeof EVENTS,
  from: `0x${string}`,
  nonce: `0x${string}`,
  sinceS: number,
): Promise<string | undefined> {
  const latest = await getBlock(client, { blockTag: 'latest' });
  let fromBlock = await blockBefore(client, latest, BigInt(sinceS));
  for (let range = 0; range < MAX_LOG_RANGES && fromBlock <= latest.number; range += 1) {
    const last = fromBlock + LOG_RANGE_BLOCKS - 1n;
    const toBlock = last < latest.number ? last : latest.number;
    const args = { authorizer: from, nonce };
    const logs = await getLogs(client, { address: USDC, event: EVENTS[end], args, fromBlock, toBlock });
    const standing = logs.find((log) => !log.removed);
    if (standing) return standing.transactionHash.toLowerCase();
    fromBlock = toBlock + 1n;
  }
  return undefined;
}

/** A block whose time is at or before `sinceS`, and not much earlier. */
async function blockBefore(
  client: Client,
  latest: { number: bigint; timestamp: bigint },
  sinceS: bigint,
): Promise<bigint> {
  const age = latest.timestamp > sinceS ? latest.timestamp - sinceS : 0n;
  let candidate = latest.number - age / BigInt(BLOCK_TIME_S);
  let step = FIRST_STEP_BLOCKS;
  for (let steps = 0; steps < MAX_STEPS_BACK && candidate > 0n; steps += 1) {
    const { timestamp } = await getBlock(client, { blockNumber: candidate });
    if (timestamp <= sinceS) return candidate;
    candidate -= step;
    step *= 2n;
  }
  return candidate > 0n ? candidate : 0n;
}
