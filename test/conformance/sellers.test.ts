import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEngines } from '../../local/demo-engines.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { soldRoutes } from '../../src/capabilities/sold-routes.ts';
import { createBuyerFetch } from '../../src/cli/seller/send-as-buyer.ts';
import { createTypedFetch } from '../../src/cli/audit/local-fetch.ts';
import { SELLER_FETCH_LIMITS } from '../../src/seller/limits.ts';
import { readSeller } from '../../src/seller/reading/read-seller.ts';
import { reportSeller, type SellerReport } from '../../src/seller/seller-report.ts';
import { runCli } from '../support/runner/run-cli.ts';
import { ALL_PASS, listAttempts } from '../support/seller/attempt-outcomes.ts';
import { startMppxSeller, startX402Seller } from './support/official-seller.ts';

/** Life of a challenge whose end the attempts wait for, in seconds. */
const SHORT_LIFE_S = 8;

let stack: Stack;
let folder: string;
let wallet: string;
beforeAll(async () => {
  stack = await startStack({ bindings: demoEngines });
  folder = mkdtempSync(join(tmpdir(), 'sightline-sellers-'));
  wallet = join(folder, 'stack.json');
  writeFileSync(wallet, JSON.stringify(stack.file), { mode: 0o600 });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function read(url: string): Promise<SellerReport> {
  const ask = createTypedFetch([url], SELLER_FETCH_LIMITS);
  const ports = { ask, askAsBuyer: createBuyerFetch(url), clock: Date.now };
  return reportSeller(await readSeller(url, ports, { isReadOnly: false }));
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

/** Attempts of the command line with the money of the local chain, by the end of their ids. */
async function attack(url: string, ...more: string[]): Promise<SellerReport> {
  const other = more.includes('--other-route') ? [] : ['--other-route', '/paid/other'];
  const args = [url, '--test-wallet', wallet, '--i-own-this', '--json', ...other, ...more];
  const ended = await runCli(['seller', ...args], { cwd: folder });
  expect(ended.err).toBe('');
  return JSON.parse(ended.out) as SellerReport;
}

/** What both official servers leave to their users, seen on one paid POST with nothing around it. */
const LEFT_OPEN = {
  'seller.status.other-method': 'partial', // GET is 404: the programs of this test have no other routes.
  'seller.terms.body-and-header': 'partial',
  'seller.cors.exposed': 'fail',
  'seller.cors.preflight': 'fail',
  'seller.discovery.openapi': 'fail',
  'seller.discovery.well-known-x402': 'partial',
  'seller.discovery.bazaar': 'fail',
  'seller.discovery.listing': 'partial',
};

/** Neither stores answers, so a buyer who lost one is asked to pay again. */
const FORGETFUL = { ...ALL_PASS, 'lost-answer': 'fail' };
const UNBOUND = { ...FORGETFUL, 'other-route': 'fail' };
const PRICE = 60_000;

describe('the official server of x402', () => {
  test('is read, and its misses are those that the guide names', async () => {
    await using seller = await startX402Seller(stack);
    const report = await read(seller.url);
    expect(report.facts).toMatchObject({ method: 'POST', protocols: ['x402 v2'] });
    expect(listOpen(report)).toEqual(LEFT_OPEN);
  });

  test('sells at another route of the same price, and not again to a buyer who lost the answer', async () => {
    await using seller = await startX402Seller(stack);
    const report = await attack(seller.url);
    expect(listAttempts(report)).toEqual(UNBOUND);
    // Bought: honestly, at the other route, by one of two copies, and the answer that was lost.
    expect(report.attempts).toEqual({ protocol: 'x402', signed: 7, spent: String(4 * PRICE) });
  });
});

describe('the official server of MPP', () => {
  test('is read by both protocols, and its misses are those that the guide names', async () => {
    await using seller = await startMppxSeller(stack);
    const report = await read(seller.url);
    expect(report.facts).toMatchObject({ method: 'POST', protocols: ['x402 v2', 'MPP'] });
    expect(listOpen(report)).toEqual({ ...LEFT_OPEN, 'seller.discovery.well-known-mpp': 'partial' });
  });

  test.each([
    // Its challenges name no route unless one gives them a scope.
    ['mpp', UNBOUND, 4],
    ['x402', FORGETFUL, 3],
  ] as const)('is tried by %s', async (protocol, expected, sales) => {
    await using seller = await startMppxSeller(stack);
    const report = await attack(seller.url, '--pay-by', protocol);
    expect(listAttempts(report)).toEqual(expected);
    expect(report.attempts).toEqual({ protocol, signed: 7, spent: String(sales * PRICE) });
  });

  test('refuses a good payment for a challenge that has ended, which is tried where its end is near', async () => {
    await using seller = await startMppxSeller(stack, { lifeS: SHORT_LIFE_S });
    const report = await attack(seller.url, '--pay-by', 'mpp');
    expect(listAttempts(report)).toEqual(UNBOUND);
    expect(report.attempts).toMatchObject({ signed: 8 });
  });

  test.each([
    // The package says that a settlement of one's own is responsible for replays.
    ['settles anything', { ...ALL_PASS, replay: 'fail', 'other-route': 'fail', 'double-spend': 'fail' }],
    [
      'trusts the challenge that comes back',
      {
        ...ALL_PASS,
        'forged-signature': 'fail',
        'wrong-amount': 'fail',
        'wrong-network': 'fail',
        expired: 'fail',
        replay: 'fail',
        'other-route': 'fail',
        'double-spend': 'fail',
      },
    ],
  ] as const)('is judged otherwise where it %s', async (fault, expected) => {
    await using seller = await startMppxSeller(stack, { lifeS: SHORT_LIFE_S, fault });
    expect(listAttempts(await attack(seller.url, '--pay-by', 'mpp'))).toEqual(expected);
  });
});

test('our own service passes by MPP too, but that a lost answer takes a proof of the payer', async () => {
  const data = JSON.stringify({ url: stack.sites.good });
  const more = ['--data', data, '--pay-by', 'mpp', '--other-route', '/api/agent/check_llms_txt'];
  const report = await attack(`${stack.api.url}/api/agent/check_schema`, ...more);
  expect(listAttempts(report)).toEqual({ ...ALL_PASS, 'lost-answer': 'partial' });
  expect(report.attempts).toEqual({ protocol: 'mpp', signed: 7, spent: '210000' });
});
