import { loadKeccak, recoverSigner } from '../../lib/ethereum.ts';
import type { SignableTypedData } from './buying/payment-signing.ts';
import { hashFlatTypedData } from './buying/typed-data-hash.ts';

/**
 * The lower-case address whose key signed typed data; undefined where no key did. The curve is larger than a page's other
 * scripts together, so that it is a file of its own, which a page loads with the first signature.
 */
export const recoverTypedDataSigner = async (
  typed: SignableTypedData,
  signature: string,
): Promise<string | undefined> =>
  recoverSigner(hashFlatTypedData(typed, await loadKeccak()), signature as `0x${string}`);
