/** A reader that is made by its first question: most alarms of a shard ask the chain nothing. */
export function createLazyChain(make: () => ChainReader): ChainReader {
  let made: ChainReader | undefined;
  const chain = (): ChainReader => (made ??= make());
  return {
    receipt: (hash) => chain().receipt(hash),
    block: (ref) => chain().block(ref),
    authorizationState: (from, nonce, at) => chain().authorizationState(from, nonce, at),
    authorizationTransaction: (from, nonce, sinceS) => chain().authorizationTransaction(from, nonce, sinceS),
    authorizationCancelled: (from, nonce, sinceS) => chain().authorizationCancelled(from, nonce, sinceS),
    balanceOf: (address, at) => chain().balanceOf(address, at),
    hasCode: (address) => chain().hasCode(address),
    isContractSignatureValid: (address, digest, signature) =>
      chain().isContractSignatureValid(address, digest, signature),
    isWrappedSignatureValid: (address, digest, signature) =>
      chain().isWrappedSignatureValid(address, digest, signature),
  };
}

/** A chain that no node is configured for: every question is open. */
export const createSilentChain = (networkId: string): ChainReader =>
  createLazyChain(() => {
    throw new ChainUnreachable(`no node of ${networkId} is configured`);
  });

/** A USDC event of a transaction, decoded. Addresses, hashes and nonces are lower case. */
export type UsdcEvent =
  | { name: 'Transfer'; logIndex: number; removed: boolean; from: string; to: string; value: bigint }
  | { name: 'AuthorizationUsed'; logIndex: number; removed: boolean; authorizer: string; nonce: string };

/** A mined transaction: only logs of the pinned USDC contract are in `events` (look-alike tokens are not). */
export type Receipt = {
  hash: string;
  status: 'success' | 'reverted';
  blockNumber: bigint;
  blockHash: string;
  events: readonly UsdcEvent[];
};

export type ChainBlock = { number: bigint; hash: string; timestampS: number };

/** `latest` and `safe` as the chain names them, or a height. */
export type BlockRef = 'latest' | 'safe' | bigint;

/**
 * What payments need to read from Base. Every method throws ChainUnreachable when the chain cannot be read:
 * that is doubt (503), never a "no" (402).
 */
export interface ChainReader {
  receipt(hash: string): Promise<Receipt | 'pending' | 'not_found'>;
  block(ref: BlockRef): Promise<ChainBlock>;
  /** Whether the EIP-3009 nonce is used or cancelled, as of block `at`. */
  authorizationState(from: string, nonce: string, at: BlockRef): Promise<boolean>;
  /** The transaction whose `AuthorizationUsed` log names the nonce, searched from `sinceS` (Unix seconds) on; undefined when there is none (e.g. cancelled, or the node lacks the log). */
  authorizationTransaction(from: string, nonce: string, sinceS: number): Promise<string | undefined>;
  /** Whether an `AuthorizationCanceled` log names the nonce, searched like its transaction. False is no proof of use. */
  authorizationCancelled(from: string, nonce: string, sinceS: number): Promise<boolean>;
  /** USDC balance in micro-USDC, as of block `at`; of the latest where it is left out. */
  balanceOf(address: string, at?: BlockRef): Promise<bigint>;
  /** Whether the account has code (a contract wallet). */
  hasCode(address: string): Promise<boolean>;
  /** ERC-1271 check of a contract wallet's signature over `digest`. */
  isContractSignatureValid(address: string, digest: `0x${string}`, signature: `0x${string}`): Promise<boolean>;
  /**
   * The same of an ERC-6492 signature: of a wallet that may not be deployed yet. For payments only: sign-in and transfer
   * proofs refuse the wrapper, since it makes a node run code of the signer's choice (rules P10, A3).
   */
  isWrappedSignatureValid(address: string, digest: `0x${string}`, signature: `0x${string}`): Promise<boolean>;
}

/** The chain (or its RPC) could not be read, or is not the chain we are pinned to. */
export class ChainUnreachable extends Error {
  override name = 'ChainUnreachable';
}

/** The chain answered, and what it answered does not tell about one payment: doubt about that one, and no silence of the chain. */
export class ChainUndecided extends ChainUnreachable {
  override name = 'ChainUndecided';
}
