import { capabilityNamed } from '../../../src/capabilities/catalog.ts';
import { usdOf } from '../../../src/payment/terms/usd.ts';
import type { BuyPanelProps } from '../../../src/web/audit/buy-panel.tsx';
import type { AppContext, AppOptions } from '../context.ts';
import { sellerOf } from '../../../src/sales/seller.ts';

/**
 * What `BuyPanel` shows for a capability here: its price, the payee if this deployment can be paid at all, and how.
 * @throws Error for a name that is not in the catalogue.
 */
export async function buyPanelOf(
  c: AppContext,
  options: AppOptions,
  { capability, url }: { capability: string; url?: string | undefined },
): Promise<BuyPanelProps> {
  const row = capabilityNamed(capability);
  if (!row) throw new Error(`no capability is called ${capability}`);
  const settings = c.get('settings');
  const seller = await sellerOf(settings, options.local);
  const demo = options.demoBuyer?.(c.env);
  return {
    capability,
    priceUsd: usdOf(row.priceMicroUsdc),
    payTo: seller?.payTo,
    mode: demo === undefined ? { kind: 'wallet' } : { kind: 'demo', token: demo.token },
    baseUrl: settings.BASE_URL,
    ...(url === undefined ? {} : { url }),
  };
}
