import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { type Account, type Chain, startChain } from '../../../local/chain/chain.ts';
import { type Facilitator, startFacilitator } from '../../../local/chain/facilitator.ts';
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

/** What a stack sells with, and where it looks. */
type Parts = { chain: Chain; facilitator: Facilitator; sites: Sites };

/** @param beside parts of a stack that runs already, and stops them itself; without them it has its own */
export async function startWalletStack(bindings: Record<string, string> = {}, beside?: Parts): Promise<WalletStack> {
  const port = await reservePort(0, 'the api', '--port');
  const origin = `http://${HOST}:${port}`;
  const parts = beside ?? (await startParts());
  const { chain, facilitator, sites } = parts;
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
      ...bindings,
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
      if (beside === undefined) await stopParts(parts);
    },
  };
}

async function startParts(): Promise<Parts> {
  const chain = await startChain();
  const facilitator = await startFacilitator({ rpcUrl: chain.rpcUrl });
  return { chain, facilitator, sites: await startSites() };
}

async function stopParts({ chain, facilitator, sites }: Parts): Promise<void> {
  await Promise.all([facilitator.stop(), sites.stop()]);
  await chain.stop();
}

/** A wallet in a page, whose key is in this process. */
export type InjectedWallet = {
  account: Account;
  /** The methods that were called. */
  asked: string[];
  refuseNext: (method: string) => void;
  /** What the wallet really signs for, whatever it says. */
  lie: { chainId?: number; account?: Account };
  /** The payments that the page sent. */
  sent: string[];
};

/** The injected wallet, as wallets of today announce it; `ethereum` is there for those that do not. */
export const ANNOUNCED_WALLET = `
  const provider = { request: async (call) => {
    const { result, code, message } = await globalThis.askWallet(call);
    if (code !== undefined) throw { code, message };
    return result;
  } };
  globalThis.announceWallet = (uuid, name, own = provider) => dispatchEvent(new CustomEvent('eip6963:announceProvider', {
    detail: Object.freeze({ info: { uuid, name, rdns: 'com.example.' + uuid, icon: 'data:image/png;base64,' }, provider: own }),
  }));
  addEventListener('eip6963:requestProvider', () => globalThis.announceWallet('desk', 'Desk Wallet'));
`;

export const typedData = z.object({
  domain: z.record(z.string(), z.unknown()),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
});
const switching = z.tuple([z.object({ chainId: z.string() })]);

type Asked = { method: string; params?: unknown[] };

/** Gives a page a wallet, before it opens anything. `chain`: where it is at first. */
export async function injectWallet(
  page: Page,
  account: Account,
  { chain: first, injected = ANNOUNCED_WALLET }: { chain: string; injected?: string },
): Promise<InjectedWallet> {
  const asked: string[] = [];
  const refused: string[] = [];
  const sent: string[] = [];
  const lie: InjectedWallet['lie'] = {};
  let chain = first;
  page.on('request', (request) => {
    const signature = request.headers()['payment-signature'];
    if (signature !== undefined) sent.push(signature);
  });
  await page.exposeFunction('askWallet', async ({ method, params }: Asked) => {
    asked.push(method);
    if (refused.includes(method)) {
      refused.splice(refused.indexOf(method), 1);
      return { code: 4001, message: 'User rejected the request.' };
    }
    if (method === 'eth_requestAccounts') return { result: [account.address] };
    if (method === 'eth_chainId') return { result: chain };
    if (method === 'eth_getCode') return { result: '0x' };
    if (method === 'wallet_switchEthereumChain') {
      chain = switching.parse(params)[0].chainId;
      return { result: null };
    }
    const { types, ...typed } = typedData.parse(JSON.parse(String(params?.[1])));
    const { EIP712Domain: _own, ...signed } = types;
    const domain = lie.chainId === undefined ? typed.domain : { ...typed.domain, chainId: lie.chainId };
    const signer = (lie.account ?? account).account;
    return { result: await signer.signTypedData({ ...typed, domain, types: signed }) };
  });
  await page.addInitScript(injected);
  return { account, asked, refuseNext: (method) => refused.push(method), lie, sent };
}
