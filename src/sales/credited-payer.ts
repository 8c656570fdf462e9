import type { SoldRow } from '../capabilities/credit-packs.ts';
import type { SaleNetwork } from '../payment/terms/networks-data.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import type { Seller } from './seller.ts';
import type { PurchaseTools } from './tools.ts';

/** Who pays: `isByKey` says whether the payer's own key signed, which is the same person on every network. */
type Paying = { payer: string; network: SaleNetwork; isByKey: () => Promise<boolean> };

/** Whether a network is the one where contract wallets are asked who signs in. */
const isFirst = ({ on }: Pick<Seller, 'on'>, { id }: SaleNetwork): boolean => on.keys().next().value === id;

/**
 * Whether the person who signs in with the paying address is the one who paid. A contract wallet may have another owner, or be nothing at
 * all, on another network than the first: what it buys there is no one's by the address alone.
 */
export const isPayerOfSignIn = async (
  seller: Pick<Seller, 'on'>,
  { network, isByKey }: Omit<Paying, 'payer'>,
): Promise<boolean> => isFirst(seller, network) || (await isByKey());

/**
 * Why a payment buys no credits, before anything of it is claimed: its payer could not sign in to what it buys (rule P6).
 * Undefined for what is credited to no account.
 * @throws LedgerUnavailable
 */
export async function refuseCreditedPayer(
  tools: Pick<PurchaseTools, 'seller' | 'isShutOut'>,
  { forPayerOnly }: Pick<SoldRow, 'forPayerOnly'>,
  paying: Paying,
): Promise<PurchaseAnswer | undefined> {
  if (forPayerOnly !== true) return undefined;
  if (!(await isPayerOfSignIn(tools.seller, paying))) return refusePayment('payer_key_required');
  return refuseShutOut(tools, { forPayerOnly }, paying.payer);
}

/** The same for a wallet that was removed from its account, which may happen while it pays. */
export async function refuseShutOut(
  { isShutOut }: Pick<PurchaseTools, 'isShutOut'>,
  { forPayerOnly }: Pick<SoldRow, 'forPayerOnly'>,
  payer: string | undefined,
): Promise<PurchaseAnswer | undefined> {
  if (forPayerOnly !== true || payer === undefined) return undefined;
  return (await isShutOut(payer)) ? refusePayment('wallet_removed') : undefined;
}
