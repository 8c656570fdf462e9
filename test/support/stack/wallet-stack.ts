import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Account, type Chain, startChain } from '../../../local/chain/chain.ts';
import { startFacilitator } from '../../../local/chain/facilitator.ts';
import { reservePort } from '../../../local/ports.ts';
import { startSites, type Sites } from '../../../local/sites/sites.ts';
import { startWorker } from '../../../local/worker.ts';

const LOCAL_ENTRY = fileURLToPath(new URL('../../../local/api-worker.ts', import.meta.url));
const HOST = 'sightline.test';

/** A seller whose pages ask wallets: it has a name that is not this machine's, and no demo buyer. */
export type WalletStack = {
  origin: string;
  /** What makes chromium find it, and trust it as it would trust https. */
  flags: readonly string[];
  chain: Chain;
  sites: Sites;
  seller: Account;
  stop: () => Promise<void>;
};

export async function startWalletStack(): Promise<WalletStack> {
  const port = await reservePort(0, 'the api', '--port');
  const origin = `http://${HOST}:${port}`;
  const chain = await startChain();
  const facilitator = await startFacilitator({ rpcUrl: chain.rpcUrl });
  const sites = await startSites();
  const seller = await chain.freshAccount();
  const worker = await startWorker({
    entry: LOCAL_ENTRY,
    port,
    bindings: {
      BASE_URL: origin,
      PAY_TO: seller.address,
      RPC_URL: chain.rpcUrl,
      FACILITATOR_URL: facilitator.url,
      LEDGER_SECRET: randomBytes(32).toString('base64url'),
      PAYMENTS_SINCE: String(Math.floor(Date.now() / 1000)),
      TRANSFER_CONFIRMATIONS: '1',
      CONFIRMATIONS_ABOVE_1_USD: '1',
    },
  });
  return {
    origin,
    flags: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`, `--unsafely-treat-insecure-origin-as-secure=${origin}`],
    chain,
    sites,
    seller,
    stop: async () => {
      await worker.stop();
      await Promise.all([facilitator.stop(), sites.stop()]);
      await chain.stop();
    },
  };
}
