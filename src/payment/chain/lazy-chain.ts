import type { ChainReader } from './chain.ts';

/** A reader that is made by its first question: most alarms of a shard ask the chain nothing. */
export function lazyChain(make: () => ChainReader): ChainReader {
  let made: ChainReader | undefined;
  const chain = (): ChainReader => (made ??= make());
  return {
    receipt: (hash) => chain().receipt(hash),
    block: (ref) => chain().block(ref),
    authorizationState: (from, nonce, at) => chain().authorizationState(from, nonce, at),
    authorizationTransaction: (from, nonce, sinceS) => chain().authorizationTransaction(from, nonce, sinceS),
    authorizationCancelled: (from, nonce, sinceS) => chain().authorizationCancelled(from, nonce, sinceS),
    balanceOf: (address) => chain().balanceOf(address),
    hasCode: (address) => chain().hasCode(address),
    isContractSignatureValid: (address, digest, signature) =>
      chain().isContractSignatureValid(address, digest, signature),
  };
}
