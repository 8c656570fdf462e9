import { sightline } from 'file:///work/wt/house/src/client/index.ts';
import { privateKeyToAccount } from 'viem/accounts';

const wallet = privateKeyToAccount(process.env.PRIVATE_KEY); // holds USDC on Base
const client = sightline({ baseUrl: 'http://localhost:21583', wallet, budget: { perCall: 2, perDay: 10 } });

const report = await client.audit('http://127.0.0.1:21590');
console.log(report.headline, report.scores.aeo?.score, report.do_first);
