import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BuyerTools } from './order.ts';
import { createOrderFolder } from './saved-order.ts';
import { createFileCounter } from './spending.ts';

/**
 * What buying needs on this machine. `sightline buy` and `sightline mcp` share the counter, so that the limit of a day
 * holds for both together, and the open orders.
 * @param loopback the service runs here, and is paid with demo money
 */
export function createBuyerTools({ loopback }: { loopback: boolean }): BuyerTools {
  const folder = loopback ? '.local' : join(homedir(), '.config', 'sightline');
  return {
    fetch,
    counter: createFileCounter(join(folder, 'spending.json')),
    orders: createOrderFolder(join(folder, 'orders')),
    nowMs: Date.now,
    sleep,
  };
}
