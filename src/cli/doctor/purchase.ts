import { buyWithX402 } from '../buy/buyer.ts';
import { parseBaseUrl } from '../buy/service.ts';
import { createBuyerTools } from '../buy/tools.ts';
import { chooseWallet, STACK_FILE } from '../buy/wallet.ts';
import { BASE_SEPOLIA } from '../../payment/terms/networks-data.ts';
import type { TriedPurchase } from '../../deploy/checks/check.ts';

const CAPABILITY = 'check_health';
/** More than the price of the capability, and little. */
const MAX_USD = 0.1;

/**
 * One purchase by the buyer of this command line, with the demo buyer of the local stack or the key in
 * SIGHTLINE_WALLET_KEY. Elsewhere than here it is on Base Sepolia or not at all: the buyer signs for no other network.
 */
export async function tryPurchase(
  baseUrl: string,
  site: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<TriedPurchase> {
  const base = parseBaseUrl(baseUrl);
  if (!base.ok) return { ok: false, isUnknown: true, detail: base.detail };
  const wallet = await chooseWallet(baseUrl, environment, STACK_FILE);
  if (!wallet.ok) return { ok: false, isUnknown: true, detail: `Nothing was bought: ${wallet.detail}` };
  const order = {
    baseUrl,
    capability: CAPABILITY,
    body: { url: site },
    account: wallet.account,
    maxUsd: MAX_USD,
    isNew: true,
    ...(base.loopback ? {} : { network: BASE_SEPOLIA.id }),
  };
  const purchase = await buyWithX402(order, createBuyerTools(wallet));
  if (purchase.ok) return { ok: true, detail: `${CAPABILITY} was paid for and delivered` };
  const isUnknown = purchase.reason === 'service_unreachable' || purchase.reason === 'wrong_network';
  return { ok: false, isUnknown, detail: `${purchase.reason}: ${purchase.detail}` };
}
