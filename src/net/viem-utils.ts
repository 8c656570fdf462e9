import { loadOnce } from './load-once.ts';

type ViemUtils = Pick<
  typeof import('viem/utils'),
  'getAddress' | 'hashMessage' | 'hashTypedData' | 'isAddress' | 'isErc6492Signature'
>;

/** viem's addresses and hashing of typed data and messages, loaded with their first use. */
export const viemUtils: () => Promise<ViemUtils> = loadOnce(() => import('viem/utils'));
