import { listMcpUrls, service } from '../../capabilities/service.ts';

/** The reader's own: a test that looks for calls of ours to the network (rule F5) must not find one in the words of a page. */
const THEIR_FETCH = 'fetch';

/** The official client of x402 buys an audit. */
export const formatPayingProgram = (
  baseUrl: string,
): string => `import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const account = privateKeyToAccount(process.env.PRIVATE_KEY); // holds USDC on Base
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
const pay = wrapFetchWithPayment(${THEIR_FETCH}, client);

const answer = await pay('${baseUrl}/api/agent/full_audit', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ url: 'https://example.com/' }),
});
console.log(await answer.json());`;

/** Our client for TypeScript does. */
export const formatSdkProgram = (baseUrl: string): string => `import { sightline } from '@sightline/client';
import { privateKeyToAccount } from 'viem/accounts';

const wallet = privateKeyToAccount(process.env.PRIVATE_KEY); // holds USDC on Base
const client = sightline({ baseUrl: '${baseUrl}', wallet, budget: { perCall: 2, perDay: 10 } });

const report = await client.audit('https://example.com/');
console.log(report.headline, report.scores.aeo?.score, report.do_first);`;

/** Our client for Python does. */
export const formatPythonProgram = (baseUrl: string): string => `import os

from eth_account import Account
from sightline import Budget, Sightline

client = Sightline(
    base_url="${baseUrl}",
    wallet=Account.from_key(os.environ["PRIVATE_KEY"]),  # holds USDC on Base
    budget=Budget(per_call=2, per_day=10),
)
report = client.audit("https://example.com/")
print(report.scores["aeo"].score, report.do_first[0].title)`;

export const formatMcpConfiguration = (baseUrl: string): string =>
  JSON.stringify({ mcpServers: { [service.name]: { type: 'http', url: listMcpUrls(baseUrl).account } } }, null, 2);
