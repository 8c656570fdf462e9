// Buys what its orders name, one after the other, and prints what came back.
import { sightline, SightlineError } from '@sightline/client';
import { createFileOrders, createFileSpending } from '@sightline/client/node';
import { privateKeyToAccount } from 'viem/accounts';

const { key, folder, calls, ...options } = JSON.parse(process.argv[2]);
const stores = folder
  ? { orders: createFileOrders(`${folder}/orders`), spending: createFileSpending(`${folder}/spending.json`) }
  : {};
const client = sightline({ wallet: privateKeyToAccount(key), ...options, ...stores });
const outcomes = [];
for (const { capability, body, ...buying } of calls) {
  try {
    outcomes.push(await client.buy(capability, body, buying));
  } catch (error) {
    if (!(error instanceof SightlineError)) throw error;
    outcomes.push({ ...error });
  }
}
console.log(JSON.stringify(outcomes));
