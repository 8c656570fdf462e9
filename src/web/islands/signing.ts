import { loadKeccak } from '../../lib/ethereum.ts';
import { recoverSignerInPage } from './buying/page-signer.ts';
import type { SignableTypedData } from './buying/payment-signing.ts';
import { hashFlatTypedData } from './buying/typed-data-hash.ts';

/**
 * The lower-case address whose key signed typed data; undefined where no key did. The curve is a file of its own, which a
 * page loads with the first signature.
 */
export async function recoverTypedDataSigner(typed: SignableTypedData, signature: string): Promise<string | undefined> {
  const keccak = await loadKeccak();
  return recoverSignerInPage(hashFlatTypedData(typed, keccak), signature, keccak);
}
