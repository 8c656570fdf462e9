import { isForeignSignature, recoverAuthorizationSigner } from '../payment/terms/authorization-signer.ts';
import type { PaymentNetwork } from '../payment/terms/networks-data.ts';
import type { SignedCredential } from '../payment/terms/credential.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import { askChain } from './settle.ts';
import type { PaymentTools } from './tools.ts';

/** `isPayers`: signed by the payer's own key. Otherwise it may be a contract wallet's: the facilitator has to say. */
export type SignerJudged = { ok: true; isPayers: boolean } | { ok: false; answer: PurchaseAnswer };

const FOREIGN: SignerJudged = { ok: false, answer: refusePayment('invalid_signature') };

/** Whether the payer's own key made the signature. Local: about 2 ms of CPU. */
export const isPayersKey = async (
  { authorization, signature }: SignedCredential,
  network: PaymentNetwork,
): Promise<boolean> => (await recoverAuthorizationSigner(authorization, signature, network)) === authorization.from;

/**
 * Judges a signature before anything else is asked, so that a caller cannot reach the ledger in another's name, and
 * returns whom the request counts against: the payer whose key signed it, else the caller's address. An account
 * without code can sign only with its key. Whether it has code costs a call to the chain, for which an address may
 * have to wait, unless this wallet paid well from it before.
 */
export async function judgeSigner(tools: PaymentTools, credential: SignedCredential): Promise<SignerJudged> {
  const { network } = tools.seller;
  if (await isPayersKey(credential, network)) {
    tools.guard.countOn(undefined);
    return { ok: true, isPayers: true };
  }
  const { authorization, signature } = credential;
  const known = tools.accountCodes.recall(authorization.from, tools.now());
  if (known === false && (await isForeignSignature(KNOWN_KEY, authorization, signature, network))) return FOREIGN;
  const wait = tools.guard.admitWallet(authorization.from);
  if (wait) return { ok: false, answer: wait };
  if (known === true) return UNVERIFIED;
  const asking = { hasCode: (address: string) => hasCode(tools, address) };
  // When the chain cannot be asked, the payload stays unverified and the facilitator decides.
  const isForeign = await askChain(tools, () => isForeignSignature(asking, authorization, signature, network));
  return isForeign === true ? FOREIGN : UNVERIFIED;
}

const UNVERIFIED: SignerJudged = { ok: true, isPayers: false };
/** Of an account that was found to have no code. */
const KNOWN_KEY = { hasCode: async () => false };

async function hasCode({ chain, accountCodes, now }: PaymentTools, address: string): Promise<boolean> {
  const found = await chain.hasCode(address);
  accountCodes.remember(address, found, now());
  return found;
}
