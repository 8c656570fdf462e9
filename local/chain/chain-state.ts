import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { parseJson } from '../../src/lib/json.ts';
import { inflateAtMost } from '../../src/net/inflate.ts';
import { writeOwnFile } from '../stack-file.ts';
import { StateUnreadable } from '../stack-state.ts';
import type { WorkerLog } from '../worker.ts';
import type { ChainClient } from './chain.ts';

/**
 * Blocks made right after a chain was loaded. A `safe` block is 32 behind, and only states of blocks that were made here
 * can be read.
 */
const BLOCKS_AFTER_LOAD = 40;
const LOOK_EVERY_MS = 1_000;
/** More blocks than these are saved without a look for transactions in them. */
const MAX_BLOCKS_A_LOOK = 20n;

/** There is a block every two seconds, and nothing looks for an empty one: but for the last, they are left out. */
const EMPTY_BLOCKS_KEPT = 100;
/** Of a dump as text: a day of empty blocks is about 76 MB. A larger one is loaded as it is, only slower. */
const MAX_DUMP_BYTES = 500_000_000;

const hexSchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/)]);
const fileSchema = z.object({ version: z.literal(1), state: hexSchema });

/** What anvil dumps, as far as it is changed here. */
const dumpSchema = z.looseObject({
  blocks: z.array(z.looseObject({ header: z.looseObject({ number: z.string() }), transactions: z.array(z.unknown()) })),
});

/** Calls a method of anvil that viem has no type for. */
const callAnvil = (client: ChainClient, method: `anvil_${string}`, params: readonly string[]): Promise<unknown> =>
  client.request({ method, params } as never);

/**
 * Puts a saved chain, with its blocks, receipts and balances, in place of an empty one. @returns whether one was saved
 * @throws StateUnreadable for a file of another form, or of another anvil
 */
export async function loadChain(client: ChainClient, file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  try {
    const { state } = fileSchema.parse(parseJson(readFileSync(file, 'utf8')));
    await callAnvil(client, 'anvil_loadState', [await dropEmptyBlocks(state)]);
  } catch (error) {
    throw new StateUnreadable(file, { cause: error });
  }
  await callAnvil(client, 'anvil_mine', [`0x${BLOCKS_AFTER_LOAD.toString(16)}`, '0x0']);
  return true;
}

async function dropEmptyBlocks(state: `0x${string}`): Promise<string> {
  const packed = Uint8Array.from(Buffer.from(state.slice(2), 'hex'));
  const { bytes, end } = await inflateAtMost(packed, 'gzip', MAX_DUMP_BYTES);
  if (end === 'cut') return state;
  if (end !== 'whole') throw new Error(`The dump of the chain is ${end}`);
  const dump = dumpSchema.parse(parseJson(Buffer.from(bytes).toString()));
  const numberOf = ({ header }: (typeof dump.blocks)[number]): number => Number(header.number);
  const newest = dump.blocks.reduce((number, block) => Math.max(number, numberOf(block)), 0);
  const blocks = dump.blocks.filter(
    (block) => block.transactions.length > 0 || numberOf(block) === 0 || numberOf(block) > newest - EMPTY_BLOCKS_KEPT,
  );
  return `0x${gzipSync(JSON.stringify({ ...dump, blocks })).toString('hex')}`;
}

export type ChainSaver = { stop: () => Promise<void> };

/**
 * Saves a chain to a file now, soon after each block with a transaction, and at the end. What a kill loses is the last
 * second. What cannot be saved is said once, and tried again.
 */
export async function startChainSaver(client: ChainClient, file: string, log?: WorkerLog): Promise<ChainSaver> {
  const save = async (): Promise<void> => {
    writeOwnFile({ version: 1, state: hexSchema.parse(await callAnvil(client, 'anvil_dumpState', [])) }, file);
  };
  let seen = await client.getBlockNumber({ cacheTime: 0 });
  await save();
  const look = async (): Promise<void> => {
    const latest = await client.getBlockNumber({ cacheTime: 0 });
    if (await hasTransactions(client, seen, latest)) await save();
    seen = latest;
  };
  let isSaid = false;
  const report = (error: unknown): void => {
    // What the disk refuses has a code; otherwise the chain is being stopped, or ended: `npm start` says the latter.
    if (isSaid || !(error instanceof Error && 'code' in error && typeof error.code === 'string')) return;
    isSaid = true;
    log?.('error', `The chain cannot be saved, so payments since then are lost with a kill: ${error.message}`);
  };
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(report)
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

/** Whether a block after `seen` has one, or there are more blocks than are looked at. */
async function hasTransactions(client: ChainClient, seen: bigint, latest: bigint): Promise<boolean> {
  if (latest - seen > MAX_BLOCKS_A_LOOK) return true;
  for (let number = seen + 1n; number <= latest; number += 1n)
    if ((await client.getBlockTransactionCount({ blockNumber: number })) > 0) return true;
  return false;
}
