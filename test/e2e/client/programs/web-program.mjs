// Bundled for a page and for a Worker: what a program does that has web globals only.
import { createStorageOrders, sightline } from '@sightline/client';
import { privateKeyToAccount } from 'viem/accounts';

export async function buyOnce({ key, url, order, ...options }) {
  const stores = globalThis.localStorage ? { orders: createStorageOrders(globalThis.localStorage) } : {};
  const client = sightline({ wallet: privateKeyToAccount(key), ...options, ...stores });
  let progress = false;
  const onProgress = () => (progress = true);
  const { capability, view, section } = await client.buy(
    'check_health',
    { url },
    { onProgress, ...(order && { order }) },
  );
  let checks = 0;
  for await (const check of section('checks')) checks += check.id.length > 0 ? 1 : 0;
  return { capability, view, checks, progress: progress || order !== undefined };
}

globalThis.buyOnce = buyOnce;
