import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoEngines } from '../../local/demo-engines.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { soldRoutes } from '../../src/capabilities/sold-routes.ts';
import type { FetchTarget } from '../../src/net/fetched.ts';
import { sendAsBuyer } from '../../src/cli/seller/send-as-buyer.ts';
import { createTypedFetch } from '../../src/cli/audit/local-fetch.ts';
import { BASE } from '../../src/payment/terms/networks-data.ts';
import { SELLER_FETCH_LIMITS } from '../../src/seller/limits.ts';
import { readSeller } from '../../src/seller/reading/read-seller.ts';
import { reportSeller, type SellerReport } from '../../src/seller/seller-report.ts';
import { PAYEE } from '../support/seller/planted-seller.ts';

const MPPX_SELLER = fileURLToPath(new URL('support/mppx-seller.mjs', import.meta.url));

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ bindings: demoEngines });
});
afterAll(() => stack?.stop());

async function read(url: string): Promise<SellerReport> {
  const ask = createTypedFetch([url], SELLER_FETCH_LIMITS);
  const { origin } = new URL(url);
  const askAsBuyer = (target: FetchTarget) => sendAsBuyer(origin, target, { fetch });
  return reportSeller(await readSeller(url, { ask, askAsBuyer, clock: Date.now }, { isReadOnly: false }));
}

const listOpen = ({ checks }: SellerReport): Record<string, string> =>
  Object.fromEntries(
    checks
      .filter(({ status }) => status !== 'pass' && status !== 'not_applicable')
      .map(({ id, status }) => [id, status]),
  );

test.each(soldRoutes.map(({ path }) => path))('our own %s passes every row by both protocols', async (path) => {
  const report = await read(`${stack.api.url}${path}`);
  // Cloudflare's edge adds Date; workerd by itself sends none.
  expect(listOpen(report)).toEqual({ 'seller.clock.date': 'unknown' });
  expect(report).toMatchObject({ score: 100, facts: { method: 'POST', protocols: ['x402 v2', 'MPP'] } });
});

test('the official server of MPP is read by both protocols, and its misses are those that the guide names', async () => {
  const child = spawn(process.execPath, [MPPX_SELLER, PAYEE, BASE.usdc, String(BASE.chainId)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const report = await read(`http://127.0.0.1:${port.toString().trim()}/paid/report`);
    expect(report.facts.protocols).toEqual(['x402 v2', 'MPP']);
    expect(listOpen(report)).toEqual({
      'seller.status.other-method': 'partial', // The route of this test answers 404.
      'seller.terms.body-and-header': 'partial',
      'seller.cors.exposed': 'fail',
      'seller.cors.preflight': 'fail',
      'seller.discovery.openapi': 'fail',
      'seller.discovery.well-known-x402': 'partial',
      'seller.discovery.well-known-mpp': 'partial',
      'seller.discovery.bazaar': 'fail',
      'seller.discovery.listing': 'partial',
    });
  } finally {
    child.kill();
  }
});
