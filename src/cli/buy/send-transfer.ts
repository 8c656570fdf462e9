import {
  BaseError,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  FeeCapTooHighError,
  type Hex,
  http,
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  keccak256,
  type LocalAccount,
  parseTransaction,
  type PublicClient,
  RpcRequestError,
  TipAboveFeeCapError,
  TransactionReceiptNotFoundError,
  UnknownNodeError,
  WaitForTransactionReceiptTimeoutError,
} from 'viem';
import { getNodeError } from 'viem/utils';
import { PAYMENT_NETWORKS } from '../../payment/terms/networks-data.ts';
import type { Allowance } from './spending.ts';

/** How long a receipt is waited for; after each time it is looked whether another transaction took the nonce. */
const RECEIPT_WAITS_MS = [20_000, 100_000] as const;
const RECEIPT_POLL_MS = 1_000;
const RPC_TIMEOUT_MS = 15_000;

/** A transfer that is signed and may be sent: as often as one likes, it is the same transfer. */
export type SignedTransfer = { transaction: Hex; raw: Hex };

type TransferRefusal = { ok: false; reason: 'wrong_chain' | 'transfer_failed'; detail: string };

const refuseTransfer = (reason: TransferRefusal['reason'], detail: string): TransferRefusal => ({
  ok: false,
  reason,
  detail,
});

const connect = (rpcUrl: string): PublicClient =>
  createPublicClient({ transport: http(rpcUrl, { timeout: RPC_TIMEOUT_MS }), pollingInterval: RECEIPT_POLL_MS });

/** Signs a USDC transfer to the payee of the catalogue, and sends nothing. Token and chain come from our table, never from the terms. */
export async function signTransfer(
  { account, rpcUrl }: { account: LocalAccount; rpcUrl: string },
  { network, payTo }: Pick<Allowance, 'network' | 'payTo'>,
  amount: bigint,
): Promise<({ ok: true } & SignedTransfer) | TransferRefusal> {
  const { usdc: asset, chainId } = PAYMENT_NETWORKS[network];
  const client = connect(rpcUrl);
  try {
    const other = await refuseOtherChain(client, rpcUrl, chainId);
    if (other !== undefined) return other;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [payTo, amount] });
    const prepared = await client.prepareTransactionRequest({ account, to: asset, data, type: 'eip1559', chain: null });
    const { gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = prepared;
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId,
      to: asset,
      data,
      gas,
      nonce,
      maxFeePerGas,
      maxPriorityFeePerGas,
    });
    return { ok: true, transaction: keccak256(raw), raw };
  } catch (error) {
    return refuseTransfer('transfer_failed', getShortMessage(error));
  }
}

/** A node of another chain knows nothing of our transfers, and counts other nonces. */
async function refuseOtherChain(
  client: PublicClient,
  rpcUrl: string,
  chainId: number | undefined,
): Promise<TransferRefusal | undefined> {
  const seen = await client.getChainId();
  return seen === chainId
    ? undefined
    : refuseTransfer('wrong_chain', `${new URL(rpcUrl).host} is chain ${seen}, wanted ${chainId}`);
}

/** `isGone`: the transfer has moved no money and never will. */
export type SentTransfer = { ok: true } | (TransferRefusal & { isGone: boolean });

/** Sends a signed transfer unless the chain has it already, and waits for its receipt. `waitsMs`: how long, each time. */
export async function sendTransfer(
  rpcUrl: string,
  signed: SignedTransfer,
  { sender, isRepeat, waitsMs = RECEIPT_WAITS_MS }: { sender: Hex; isRepeat: boolean; waitsMs?: readonly number[] },
): Promise<SentTransfer> {
  const client = connect(rpcUrl);
  let refused: Refused | undefined;
  try {
    // A new one was signed for the chain of this node.
    const other = isRepeat ? await refuseOtherChain(client, rpcUrl, parseTransaction(signed.raw).chainId) : undefined;
    if (other !== undefined) return { ...other, isGone: false };
    if (!isRepeat || !(await hasReceipt(client, signed.transaction))) {
      refused = await sendRaw(client, signed.raw);
      // What was sent before, or was refused for a reason that may be another one's, may be waiting already: its receipt says so.
      if (refused?.isFinal === true && !isRepeat)
        return { ...refuseTransfer('transfer_failed', refused.detail), isGone: true };
    }
    const fate = await awaitFate(client, signed, { sender, waitsMs });
    return fate === 'success' ? { ok: true } : { ...refuseTransfer('transfer_failed', FATES[fate]), isGone: true };
  } catch (error) {
    return { ...refuseTransfer('transfer_failed', refused?.detail ?? getShortMessage(error)), isGone: false };
  }
}

const FATES = {
  reverted: 'the transfer reverted',
  replaced: 'another transaction of the wallet was mined in its place',
} as const;

/** What becomes of a transfer that a node has. @throws when the chain does not say in time. */
async function awaitFate(
  client: PublicClient,
  { transaction, raw }: SignedTransfer,
  { sender, waitsMs }: { sender: Hex; waitsMs: readonly number[] },
): Promise<'success' | keyof typeof FATES> {
  for (const timeout of waitsMs) {
    const waiting = { hash: transaction, timeout, checkReplacement: false };
    const receipt = await client.waitForTransactionReceipt(waiting).catch((error: unknown) => {
      if (error instanceof WaitForTransactionReceiptTimeoutError) return undefined;
      throw error;
    });
    if (receipt !== undefined) return receipt.status;
    if (await isReplaced(client, { transaction, raw }, sender)) return 'replaced';
  }
  throw new WaitForTransactionReceiptTimeoutError({ hash: transaction });
}

/** Whether another transaction has the nonce of this one, which then can never be in a block. */
async function isReplaced(client: PublicClient, { transaction, raw }: SignedTransfer, sender: Hex): Promise<boolean> {
  const { nonce } = parseTransaction(raw);
  // The chain is asked in this sequence: once it counts the nonce as used, it has the receipt of who used it.
  const used = await client.getTransactionCount({ address: sender, blockTag: 'latest' });
  return nonce !== undefined && used > nonce && !(await hasReceipt(client, transaction));
}

async function hasReceipt(client: PublicClient, hash: Hex): Promise<boolean> {
  try {
    return (await client.getTransactionReceipt({ hash })) !== undefined;
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return false;
    throw error;
  }
}

/** Reasons for which no node takes a transaction. Any other error, such as -32603 of a proxy, may come after it was passed on. */
const FINAL_REFUSALS = [
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  FeeCapTooHighError,
  TipAboveFeeCapError,
] as const;

/** What a node said to a transaction. `isFinal`: no node takes it. */
type Refused = { detail: string; isFinal: boolean };

/** Why the node refused the transaction; undefined where it took it. @throws when no answer came: it may have it. */
async function sendRaw(client: PublicClient, raw: Hex): Promise<Refused | undefined> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw });
    return undefined;
  } catch (error) {
    if (!(error instanceof BaseError) || error.walk((one) => one instanceof RpcRequestError) === null) throw error;
    const known = getNodeError(error, {});
    return {
      detail: getShortMessage(known instanceof UnknownNodeError ? error : known),
      isFinal: FINAL_REFUSALS.some((kind) => known instanceof kind),
    };
  }
}

/** viem's errors carry pages of context; the first line says what happened. */
function getShortMessage(error: unknown): string {
  const text = error instanceof Error && 'shortMessage' in error ? String(error.shortMessage) : String(error);
  return text.split('\n', 1)[0] ?? text;
}
