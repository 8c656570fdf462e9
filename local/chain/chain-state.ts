import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { parseJson } from '../../src/lib/json.ts';
import { writeOwnFile } from '../stack-file.ts';
import type { ChainClient } from './chain.ts';

/**
 * Blocks made right after a chain was loaded. A `safe` block is 32 behind, and only states of blocks that were made here
 * can be read.
 */
const BLOCKS_AFTER_LOAD = 40;
const LOOK_EVERY_MS = 1_000;
/** Transactions in older blocks than these are saved with the next one. */
const MAX_BLOCKS_A_LOOK = 20n;

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/)]);
const fileSchema = z.object({ version: z.literal(1), state: hexSchema });

/** Calls a method of anvil that viem has no type for. */
const callAnvil = (client: ChainClient, method: `anvil_${string}`, params: readonly string[]): Promise<unknown> =>
  client.request({ method, params } as never);

/** Puts a saved chain, with its blocks, receipts and balances, in place of an empty one. @returns whether one was saved */
export async function loadChain(client: ChainClient, file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  const saved = fileSchema.parse(parseJson(readFileSync(file, 'utf8')));
  await callAnvil(client, 'anvil_loadState', [saved.state]);
  await callAnvil(client, 'anvil_mine', [`0x${BLOCKS_AFTER_LOAD.toString(16)}`, '0x0']);
  return true;
}

export type ChainSaver = { stop: () => Promise<void> };

/**
 * Saves a chain to a file now, soon after each block with a transaction, and at the end. What a kill loses is the last
 * second.
 */
export async function startChainSaver(client: ChainClient, file: string): Promise<ChainSaver> {
  const save = async (): Promise<void> => {
    writeOwnFile({ version: 1, state: hexSchema.parse(await callAnvil(client, 'anvil_dumpState', [])) }, file);
  };
  let seen = await client.getBlockNumber({ cacheTime: 0 });
  await save();
  const look = async (): Promise<void> => {
    const latest = await client.getBlockNumber({ cacheTime: 0 });
    const first = latest - seen > MAX_BLOCKS_A_LOOK ? latest - MAX_BLOCKS_A_LOOK : seen;
    let hasTransactions = latest - seen > MAX_BLOCKS_A_LOOK;
    for (let number = first + 1n; number <= latest && !hasTransactions; number += 1n)
      hasTransactions = (await client.getBlockTransactionCount({ blockNumber: number })) > 0;
    seen = latest;
    if (hasTransactions) await save();
  };
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => undefined) // The chain is being stopped, or ended: `npm start` says the latter.
      .finally(() => (looking = undefined));
  }, LOOK_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
      await save();
    },
  };
}
