import { sightline, SightlineError } from '@sightline/client';
import { createFileOrders } from '@sightline/client/node';
import { privateKeyToAccount } from 'viem/accounts';

const { SERVICE = '', PRIVATE_KEY } = process.env; // address of the service; key of a wallet with USDC on Base
const client = sightline({
  baseUrl: SERVICE,
  wallet: privateKeyToAccount(PRIVATE_KEY as `0x${string}`),
  budget: { perCall: 2, perDay: 10 }, // USD
  orders: createFileOrders('.sightline'), // run again after a crash, it pays nothing more
});
try {
  const report = await client.audit(process.argv[2] ?? '');
  console.log(report.headline, report.scores.aeo?.score, report.report_url);
  const [first] = report.do_first;
  if (first) console.log(first.title, (await report.fix(first.id))?.instructions);
} catch (error) {
  if (!(error instanceof SightlineError)) throw error;
  console.error(error.code, error.detail, error.next);
}
