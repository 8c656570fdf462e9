import { findCapability } from '../../../src/capabilities/catalog.ts';
import { findPanel } from '../../../src/capabilities/panels.ts';
import { findNamedTool } from '../../../src/capabilities/sold-tools.ts';
import { creditPacks, type SoldRow } from '../../../src/capabilities/credit-packs.ts';
import { formatUsdAmount } from '../../../src/payment/terms/constants.ts';
import { BASE } from '../../../src/payment/terms/networks-data.ts';
import { findPageNetwork } from '../../../src/payment/terms/wallet-chain-data.ts';
import { getPaymentNetwork, getSeller, listPaidOn } from '../../../src/sales/seller.ts';
import type { BuyPanelProps, Goods, PanelNetwork } from '../../../src/web/buying/panel.tsx';
import { findBrowserSession } from '../../shared/cookies.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import type { AppContext, AppOptions } from '../context.ts';

/**
 * What `BuyPanel` shows for a capability here: its price, the payee if this deployment can be paid at all, and how.
 * @throws Error for a name that is neither in the catalogue nor that of a pack of credits.
 */
export async function buildBuyPanel(
  c: AppContext,
  options: AppOptions,
  { capability, goods }: { capability: SoldRow['name']; goods: Goods },
): Promise<BuyPanelProps> {
  const row =
    findCapability(capability) ??
    findPanel(capability) ??
    findNamedTool(capability) ??
    creditPacks.find(({ name }) => name === capability);
  if (!row) throw new Error(`no capability is called ${capability}`);
  const settings = c.get('settings');
  const seller = await getSeller(settings, options.local);
  const demo = options.demoBuyer?.(c.env);
  const network = getPaymentNetwork(settings);
  return {
    language: c.get('language'),
    hasSession: findBrowserSession(c, options) !== undefined,
    capability,
    priceUsd: formatUsdAmount(row.priceMicroUsdc),
    payTo: seller?.isClosed === true ? undefined : seller?.payTo,
    mode: demo === undefined ? { kind: 'wallet' } : { kind: 'demo', token: demo.token },
    baseUrl: settings.BASE_URL,
    goods,
    // The demo buyer has money on the chain of its stack alone.
    networks: demo === undefined ? listPanelNetworks(settings) : [],
    ...(network === BASE ? {} : { testNetwork: network.name }),
  };
}

/** The main networks that a wallet can be asked to pay on, the first one first (rule P8). */
const listPanelNetworks = (settings: ApiWorkerSettings): readonly PanelNetwork[] =>
  listPaidOn(settings).flatMap(({ network: { id }, payTo }) => {
    const known = findPageNetwork(id);
    return known === undefined || payTo === undefined ? [] : [{ id, name: known.name, payTo: payTo.toLowerCase() }];
  });
