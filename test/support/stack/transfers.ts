import { decodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequirements } from '@x402/core/types';
import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, numberToHex, pad, parseAbi } from 'viem';
import { type Account, type Chain, createChainClient } from '../../../local/chain/chain.ts';
import type { Stack } from '../../../local/stack.ts';
import { MULTICALL3, USDC, usdcAbi } from '../../../local/chain/usdc.ts';
import { signTransferProof } from '../../../src/cli/buy/present-transfer.ts';
import { type Order, present } from './presenting.ts';

/** Enough for a token call that fails on chain, where no node can estimate it. */
const TOKEN_CALL_GAS = 200_000n;
const TRANSFER_TOPIC: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The first terms of a fresh 402. */
async function termsOf(stack: Omit<Stack, 'stripe'>, order: Order): Promise<PaymentRequirements> {
  const unpaid = await present(stack, order);
  const [terms] = decodePaymentRequiredHeader(unpaid.headers.get('payment-required') ?? '').accepts;
  if (terms === undefined) throw new Error('the 402 accepts nothing');
  return terms;
}

/** What a proof says, where a test wants it to differ from the order that it is presented with. */
export type ProofChanges = { capability?: string; body?: Record<string, unknown>; origin?: string; signedAtS?: number };

/** A credential by which `payer` presents its transfer: made as our command line makes it, over fresh terms. */
export async function prove(
  stack: Omit<Stack, 'stripe'>,
  payer: Account,
  transaction: Hex,
  order: Order = {},
  changes: ProofChanges = {},
): Promise<string> {
  return signTransferProof(payer.account, {
    origin: changes.origin ?? stack.api.url,
    network: 'eip155:8453',
    transaction,
    capability: changes.capability ?? order.capability ?? 'check_health',
    bodyText: JSON.stringify(changes.body ?? order.body ?? { url: stack.sites.good }),
    accepted: await termsOf(stack, order),
    nowS: changes.signedAtS ?? Math.floor(Date.now() / 1000),
  });
}

/** Sends a USDC transfer without waiting for it, and also where it must revert. */
export function sendTransfer(chain: Chain, from: Account, to: Address, microUsdc: bigint): Promise<Hex> {
  return createChainClient(chain.rpcUrl, from.account).writeContract({
    address: USDC,
    abi: usdcAbi,
    functionName: 'transfer',
    args: [to, microUsdc],
    gas: TOKEN_CALL_GAS,
  });
}

/** A contract that is no token and says all the same that `microUsdc` moved. Returns the hash of the transaction that says it. */
export async function fakeTransfer(chain: Chain, from: Address, to: Address, microUsdc: bigint): Promise<Hex> {
  const push32 = (value: Hex): Hex => concatHex(['0x7f', pad(value)]);
  // Stores the amount in memory and logs it (LOG3) while it is being created; it leaves no code.
  const initCode = concatHex([
    push32(numberToHex(microUsdc)),
    '0x5f52',
    push32(to),
    push32(from),
    push32(TRANSFER_TOPIC),
    '0x60205fa300',
  ]);
  return mined(chain, await chain.client.deployContract({ abi: [], bytecode: initCode }));
}

const multicallAbi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
]);

/** One transaction with a transfer to `to` from each of `payments`, through a contract that the payers allowed to move their USDC. */
export async function batchTransfer(
  chain: Chain,
  to: Address,
  payments: readonly { from: Account; microUsdc: bigint }[],
): Promise<Hex> {
  for (const { from } of payments) {
    const client = createChainClient(chain.rpcUrl, from.account);
    const approval = await client.writeContract({
      address: USDC,
      abi: erc20Abi,
      functionName: 'approve',
      args: [MULTICALL3, 10n ** 12n],
    });
    await mined(chain, approval);
  }
  const calls = payments.map(({ from, microUsdc }) => ({
    target: USDC,
    allowFailure: false,
    callData: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [from.address, to, microUsdc] }),
  }));
  const hash = await chain.client.writeContract({
    address: MULTICALL3,
    abi: multicallAbi,
    functionName: 'aggregate3',
    args: [calls],
  });
  return mined(chain, hash);
}

/** Waits until the transaction is in a block. @throws Error when it reverted there */
export async function mined(chain: Chain, hash: Hex): Promise<Hex> {
  const { status } = await chain.client.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error(`transaction ${hash} reverted`);
  return hash;
}

/** A call of the local chain's own controls, such as `anvil_reorg`. */
export async function chainControl(chain: Chain, method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const reply = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
  return reply.result;
}
