import {
  type ChainBlock,
  type BlockRef,
  type ChainReader,
  ChainUnreachable,
  type Receipt,
  type UsdcEvent,
} from '../../../src/payment/chain/chain.ts';

export type FakeChain = {
  latest: ChainBlock;
  safe: ChainBlock;
  /** Blocks by height; others are made up from their height. */
  blocks: Map<bigint, ChainBlock>;
  receipts: Map<string, Receipt | 'pending'>;
  /** Used or cancelled nonces, with the height from which on they are. */
  nonces: Map<string, bigint>;
  authorizations: Map<string, string>;
  /** Nonces whose cancellation is in the logs. */
  cancelled: Set<string>;
  /** Of every address, in micro-USDC. */
  balance: bigint;
  contracts: Map<string, (digest: string, signature: string) => boolean>;
  down: boolean;
  /** Methods that were called, in order. */
  calls: string[];
};

export const hashOfBlock = (number: bigint): string => `0x${number.toString(16).padStart(64, 'b')}`;
export const blockAt = (number: bigint, timestampS: number): ChainBlock => ({
  number,
  hash: hashOfBlock(number),
  timestampS,
});

/** A chain in memory: what is not set does not exist. */
export function fakeChain(
  parts: Partial<FakeChain> & Pick<FakeChain, 'latest' | 'safe'>,
): ChainReader & { state: FakeChain } {
  const state: FakeChain = {
    blocks: new Map(),
    receipts: new Map(),
    nonces: new Map(),
    authorizations: new Map(),
    cancelled: new Set(),
    balance: 0n,
    contracts: new Map(),
    down: false,
    calls: [],
    ...parts,
  };
  const blockOf = (ref: BlockRef): ChainBlock => {
    if (typeof ref === 'string') return state[ref];
    return state.blocks.get(ref) ?? blockAt(ref, state.latest.timestampS - 2 * Number(state.latest.number - ref));
  };
  const seen = async <T>(method: string, answer: () => T): Promise<T> => {
    state.calls.push(method);
    if (state.down) throw new ChainUnreachable('fake');
    return answer();
  };
  return {
    state,
    receipt: (hash) => seen('receipt', () => state.receipts.get(hash) ?? 'not_found'),
    block: (ref) => seen('block', () => blockOf(ref)),
    authorizationState: (_from, nonce, at) =>
      seen('authorizationState', () => (state.nonces.get(nonce) ?? 2n ** 63n) <= blockOf(at).number),
    authorizationTransaction: (_from, nonce) => seen('authorizationTransaction', () => state.authorizations.get(nonce)),
    authorizationCancelled: (_from, nonce) => seen('authorizationCancelled', () => state.cancelled.has(nonce)),
    balanceOf: () => seen('balanceOf', () => state.balance),
    hasCode: (address) => seen('hasCode', () => state.contracts.has(address)),
    isContractSignatureValid: (address, digest, signature) =>
      seen('isContractSignatureValid', () => state.contracts.get(address)?.(digest, signature) ?? false),
    isWrappedSignatureValid: () => seen('isWrappedSignatureValid', () => false),
  };
}

export const transfer = (from: string, to: string, value: bigint, logIndex = 0, removed = false): UsdcEvent => ({
  name: 'Transfer',
  logIndex,
  removed,
  from,
  to,
  value,
});

export const authorizationUsed = (authorizer: string, nonce: string, logIndex = 0): UsdcEvent => ({
  name: 'AuthorizationUsed',
  logIndex,
  removed: false,
  authorizer,
  nonce,
});
