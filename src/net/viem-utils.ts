import { loadOnce } from '../lib/load-once.ts';

type ViemUtils = Pick<
  typeof import('viem/utils'),
  'getAddress' | 'hashMessage' | 'hashTypedData' | 'isAddress' | 'isErc6492Signature'
>;

/** viem's addresses and hashing of typed data and messages, loaded with their first use. Pure: pages that never call it leave it out. */
export const loadViemUtils: () => Promise<ViemUtils> = /* @__PURE__ */ loadOnce(() => import('viem/utils'));
