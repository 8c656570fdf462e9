import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { encodeBase58 } from '../../../../src/payment/terms/base58.ts';
import type { Payer } from '../../../sales/model/money.ts';

/** As in the recorded messages. */
export const SVM_PAY_TO = '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj';
export const SVM_FEE_PAYER = '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4';

/** Before the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

/** The key of a payer on Solana: made of its other one, so that a test names a payer and not a key. */
export function svmKeyOf({ account }: Payer): KeyObject {
  const seed = createHash('sha256').update(`solana key of ${account.address}`).digest();
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** The same payer, under its address on Solana. */
export const toSvmPayer = (payer: Payer): Payer => ({
  ...payer,
  address: encodeBase58(createPublicKey(svmKeyOf(payer)).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)),
});
