import { createServer } from 'node:http';
import { type Chain, startChain } from '../../../local/chain/chain.ts';
import { startFacilitator } from '../../../local/chain/facilitator.ts';
import type { LocalToken } from '../../../local/chain/usdc.ts';
import { LOOPBACK } from '../../../local/ports.ts';
import type { Outside } from './edge.ts';

/** Base Sepolia, as a chain of this machine. */
export const SEPOLIA_TOKEN: LocalToken = {
  chainId: 84_532,
  usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  tokenName: 'USDC',
};
const PAGE = '<!doctype html><html lang="en"><title>A site</title><h1>A site</h1><p>Some words about it.</p></html>';

/** What Workers read and pay through, under names that a deployment may have: a chain, a facilitator, a site. */
export type OutsideWorld = {
  readonly chain: Chain;
  /** Settings of a deployment that sells here. */
  readonly settings: Readonly<Record<string, string>>;
  /** Address of the site for an audit. */
  readonly site: string;
  readonly outside: Outside;
  readonly stop: () => Promise<void>;
};

/** @param token of the network that is sold on: that of Base when absent */
export async function startOutsideWorld(token?: LocalToken): Promise<OutsideWorld> {
  const chain = await startChain({ token });
  const facilitator = await startFacilitator({ rpcUrl: chain.rpcUrl }, token);
  const site = createServer((_, response) => void response.setHeader('content-type', 'text/html').end(PAGE));
  await new Promise<void>((resolve) => site.listen(0, LOOPBACK, resolve));
  const address = site.address();
  const seller = await chain.freshAccount();
  const origins: Readonly<Record<string, string>> = {
    'rpc.outside.example': chain.rpcUrl,
    'facilitator.outside.example': facilitator.url,
    // What the smoke test buys is about this one.
    'example.com': `http://${LOOPBACK}:${typeof address === 'object' ? address?.port : ''}`,
  };
  return {
    chain,
    settings: {
      PAY_TO: seller.address,
      RPC_URL: 'https://rpc.outside.example/',
      FACILITATOR_URL: 'https://facilitator.outside.example',
      ...(token === undefined ? {} : { PAYMENT_NETWORK: `eip155:${token.chainId}` }),
      CONTACT_EMAIL: 'operator@outside.example',
    },
    site: 'https://example.com/',
    outside: ({ hostname }) => origins[hostname],
    stop: async () => {
      site.close();
      await facilitator.stop();
      await chain.stop();
    },
  };
}
