import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';

const account = privateKeyToAccount(process.env.PRIVATE_KEY); // holds USDC on Base
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
const pay = wrapFetchWithPayment(fetch, client);

const answer = await pay('http://localhost:21583/api/agent/full_audit', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ url: 'http://127.0.0.1:21590' }),
});
console.log(await answer.json());
