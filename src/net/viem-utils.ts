type ViemUtils = Pick<typeof import('viem/utils'), 'hashTypedData' | 'hashMessage' | 'isErc6492Signature'>;

let loaded: ViemUtils | undefined;

/**
 * viem's hashing of typed data and messages, loaded with its first use. Only the loaded module is kept, never a pending
 * import: a request must not wait for another request's promise, which may never settle.
 */
export async function viemUtils(): Promise<ViemUtils> {
  loaded ??= await import('viem/utils');
  return loaded;
}
