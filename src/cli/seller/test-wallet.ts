import { readFile } from 'node:fs/promises';
import type { Hex, LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { parseJson } from '../../lib/json.ts';
import { ChainUnreachable } from '../../payment/chain/chain.ts';
import { createChainReader } from '../../payment/chain/viem-chain.ts';
import { BASE, BASE_SEPOLIA, type PaymentNetwork } from '../../payment/terms/networks-data.ts';
import { bytes32Schema, isLoopback } from '../buy/service.ts';
import { stackSchema } from '../buy/wallet.ts';
import { type CommandFailure, refuseCommand } from '../core/failure.ts';
import { isOwned } from '../core/file-lock.ts';
import { EXIT } from '../core/usage.ts';

/** Whether a seller is tried on a network: there is test money for it, of the local stack or of the public test network. */
export const isTriedOn = (id: PaymentNetwork['id']): id is typeof BASE.id | typeof BASE_SEPOLIA.id =>
  id === BASE.id || id === BASE_SEPOLIA.id;

type TestChain = ReturnType<typeof createChainReader>;

/** Longest wait for one answer of the chain. */
const RPC_TIMEOUT_MS = 10_000;

/** A wallet whose money is worth nothing, and the chain that says so. */
export type TestWallet = { account: LocalAccount; chain: TestChain; isLocal: boolean };

type Given = {
  /** A file with a private key, or the file that the local stack writes. */
  file: string;
  rpc: string | undefined;
  sellerHost: string;
  network: PaymentNetwork;
};

const refuse = (reason: string, message: string, next?: string): CommandFailure =>
  refuseCommand(reason, message, EXIT.usage, next);

/**
 * Opens the wallet of the attempts. The demo buyer of a local stack pays sellers on this machine only; a key of a file pays on
 * Base Sepolia only, since a signature for a chain that calls itself Base could be cashed on the real one. Block 0 of the
 * RPC decides what is real, never its chain id (rule P8).
 */
export async function openTestWallet({ file, rpc, sellerHost, network }: Given): Promise<TestWallet | CommandFailure> {
  const read = await readKey(file);
  if ('reason' in read) return read;
  const isLocal = isLoopback(sellerHost);
  if (read.isStack && !isLocal)
    return refuse('real_money', 'The demo buyer of the local stack pays sellers on this machine only.');
  if (!read.isStack && network.id !== BASE_SEPOLIA.id)
    return refuse(
      'real_money',
      `The seller asks for USDC on ${network.name}. A key of yours pays on ${BASE_SEPOLIA.name} only.`,
      'Offer Base Sepolia for the test, or name the stack file of npm start.',
    );
  const rpcUrl = rpc ?? read.rpc;
  if (rpcUrl === undefined)
    return refuse('rpc_missing', 'The chain is not named.', 'Name it with --rpc <url> or RPC_URL.');
  const chain = createChainReader({ rpcUrl, network, timeoutMs: RPC_TIMEOUT_MS });
  return (await refuseRealMoney(chain)) ?? { account: privateKeyToAccount(read.key), chain, isLocal };
}

type ReadKey = { key: Hex; rpc: string | undefined; isStack: boolean };

async function readKey(file: string): Promise<ReadKey | CommandFailure> {
  try {
    if (!(await isOwned(file))) return refuse('unreadable_file', `--test-wallet: ${file} is not there.`);
    const text = (await readFile(file, 'utf8')).trim();
    const key = bytes32Schema.safeParse(text);
    if (key.success) return { key: key.data, rpc: undefined, isStack: false };
    const stack = stackSchema.safeParse(parseJson(text));
    if (stack.success) return { key: stack.data.buyer.privateKey, rpc: stack.data.rpc, isStack: true };
    return refuse('unreadable_file', `--test-wallet: ${file} is neither a private key nor the file of a local stack.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return refuse('unreadable_file', `--test-wallet: ${file} cannot be used: ${why}.`);
  }
}

/** Undefined where the money is worth nothing. A chain that cannot be read is no proof of that. */
async function refuseRealMoney(chain: TestChain): Promise<CommandFailure | undefined> {
  try {
    return (await chain.isRealBase())
      ? refuse('real_money', 'The RPC is that of Base, where USDC is money: nothing is tried there.')
      : undefined;
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    return refuseCommand('chain_unreachable', 'The chain cannot be read, so nothing is tried.', EXIT.unreachable);
  }
}
