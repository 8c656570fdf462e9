import type { SaleNetwork } from '../payment/terms/networks-data.ts';
import type { WalletReader } from '../payment/terms/authorization-signer.ts';
import type { AuthorizedPayment } from '../payment/rails/rail.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import { askChain } from './settle.ts';
import type { PaymentTools, PurchaseTools } from './tools.ts';

/**
 * `isPayers`: signed by the payer's own key, or by a contract wallet that says so itself. Otherwise the chain could not be
 * asked, and the facilitator has to say.
 */
export type SignerJudged = { ok: true; isPayers: boolean } | { ok: false; answer: PurchaseAnswer };

const FOREIGN: SignerJudged = { ok: false, answer: refusePayment('invalid_signature') };
const UNVERIFIED: SignerJudged = { ok: true, isPayers: false };
const PAYERS: SignerJudged = { ok: true, isPayers: true };

/** Whether the signature is the payer's, key or contract wallet; undefined when the chain cannot be asked. */
export async function isPayersSignature(
  tools: PurchaseTools,
  payment: AuthorizedPayment,
  network: SaleNetwork,
): Promise<boolean | undefined> {
  if (await payment.isPayersKey(network)) return true;
  return askChain(tools, () => payment.isWallets(rememberCode(tools), network));
}

/**
 * Judges a signature before anything else is asked, so that a caller cannot reach the ledger in another's name, and
 * returns whom the request counts against: the payer who signed it, else the caller's address. An account without code
 * can sign only with its key, or as a wallet that is not deployed yet. To ask a wallet costs calls to the chain, for which
 * an address may have to wait, unless this wallet paid well from it before.
 */
export async function judgeSigner(
  tools: PaymentTools,
  payment: AuthorizedPayment,
  network: SaleNetwork,
): Promise<SignerJudged> {
  if (await payment.isPayersKey(network)) {
    tools.guard.countOn(undefined);
    return PAYERS;
  }
  const { payer } = payment;
  const known = tools.accountCodes.recall(payer, tools.now());
  if (known === false && !(await payment.isWrapped())) return FOREIGN;
  const wait = tools.guard.admitWallet(payer);
  if (wait) return { ok: false, answer: wait };
  const isWallets = await askChain(tools, () => payment.isWallets(rememberCode(tools), network));
  if (isWallets === undefined) return UNVERIFIED;
  if (!isWallets) return FOREIGN;
  tools.guard.foundGoodWallet(payer);
  return PAYERS;
}

/** The chain as wallets are asked on it, with what is remembered of accounts in front of it. */
const rememberCode = ({ chain, accountCodes, now }: PurchaseTools): WalletReader => ({
  ...chain,
  hasCode: async (address) => {
    const known = accountCodes.recall(address, now());
    if (known !== undefined) return known;
    const found = await chain.hasCode(address);
    accountCodes.remember(address, found, now());
    return found;
  },
});
