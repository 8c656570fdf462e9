import { createLazyChain, createSilentChain } from '../chain/chain.ts';
import { createSvmReader } from '../chain/svm-chain.ts';
import { createChainReader } from '../chain/viem-chain.ts';
import { resolveNetworks } from '../terms/network-rows.ts';
import type { PaidOn } from './alarm.ts';
import type { LedgerSettings } from './settings.ts';

/** How nodes are asked. */
type Asking = {
  timeoutMs: number;
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
};

/** The ledger asks the chain alone: it has no facilitator. */
const NOT_ASKED = 'https://facilitator.invalid';

/**
 * A reader for each network that is configured, by its name. One that cannot be, for a fault in its row, is asked nothing: the
 * first has its own settings, and its rows do not wait for that.
 */
export function openNetworks(settings: LedgerSettings, asking: Asking): ReadonlyMap<string, PaidOn> {
  const own = { ...settings, FACILITATOR_URL: NOT_ASKED };
  const read = resolveNetworks(own);
  const networks = read.ok ? read : resolveNetworks({ ...own, PAYMENT_NETWORKS: undefined });
  const { evm = [], svm } = networks.ok ? networks : {};
  const found = new Map<string, PaidOn>(
    evm.map(({ network, rpcUrl, payTo }) => {
      const chain = createLazyChain(() => createChainReader({ rpcUrl, network, ...asking }));
      return [network.id, { chain, payTo }];
    }),
  );
  if (svm !== undefined) {
    const { network, payTo, rpcUrl } = svm;
    const chain = createSilentChain(network.id);
    found.set(network.id, { chain, payTo, svm: createSvmReader({ rpcUrl, network, ...asking }) });
  }
  return found;
}
