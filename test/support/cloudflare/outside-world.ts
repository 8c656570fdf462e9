import { createServer } from 'node:http';
import { type Chain, startChain } from '../../../local/chain/chain.ts';
import { startFacilitator } from '../../../local/chain/facilitator.ts';
import { LOOPBACK } from '../../../local/ports.ts';
import type { Outside } from './edge.ts';

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

export async function startOutsideWorld(): Promise<OutsideWorld> {
  const chain = await startChain();
  const facilitator = await startFacilitator({ rpcUrl: chain.rpcUrl });
  const site = createServer((_, response) => void response.setHeader('content-type', 'text/html').end(PAGE));
  await new Promise<void>((resolve) => site.listen(0, LOOPBACK, resolve));
  const address = site.address();
  const seller = await chain.freshAccount();
  const origins: Readonly<Record<string, string>> = {
    'rpc.outside.example': chain.rpcUrl,
    'facilitator.outside.example': facilitator.url,
    'site.outside.example': `http://${LOOPBACK}:${typeof address === 'object' ? address?.port : ''}`,
  };
  return {
    chain,
    settings: {
      PAY_TO: seller.address,
      RPC_URL: 'https://rpc.outside.example/',
      FACILITATOR_URL: 'https://facilitator.outside.example',
      CONTACT_EMAIL: 'operator@outside.example',
    },
    site: 'https://site.outside.example/',
    outside: ({ hostname }) => origins[hostname],
    stop: async () => {
      site.close();
      await facilitator.stop();
      await chain.stop();
    },
  };
}
