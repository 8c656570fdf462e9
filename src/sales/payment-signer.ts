import type { PaymentNetwork } from '../payment/terms/networks-data.ts';
import type { AuthorizedPayment } from '../payment/rails/rail.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import { askChain } from './settle.ts';
import type { PaymentTools } from './tools.ts';

/** `isPayers`: signed by the payer's own key. Otherwise it may be a contract wallet's: the facilitator has to say. */
export type SignerJudged = { ok: true; isPayers: boolean } | { ok: false; answer: PurchaseAnswer };

const FOREIGN: SignerJudged = { ok: false, answer: refusePayment('invalid_signature') };

/**
 * Judges a signature before anything else is asked, so that a caller cannot reach the ledger in another's name, and
 * returns whom the request counts against: the payer whose key signed it, else the caller's address. An account
 * without code can sign only with its key. Whether it has code costs a call to the chain, for which an address may
 * have to wait, unless this wallet paid well from it before.
 */
export async function judgeSigner(
  tools: PaymentTools,
  payment: AuthorizedPayment,
  network: PaymentNetwork,
): Promise<SignerJudged> {
  if (await payment.isPayersKey(network)) {
    tools.guard.countOn(undefined);
    return { ok: true, isPayers: true };
  }
  const { payer } = payment;
  const known = tools.accountCodes.recall(payer, tools.now());
  if (known === false && (await payment.isForeign(KNOWN_KEY, network))) return FOREIGN;
  const wait = tools.guard.admitWallet(payer);
  if (wait) return { ok: false, answer: wait };
  if (known === true) return UNVERIFIED;
  const asking = { hasCode: (address: string) => hasCode(tools, address) };
  // When the chain cannot be asked, the payload stays unverified and the facilitator decides.
  const isForeign = await askChain(tools, () => payment.isForeign(asking, network));
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
