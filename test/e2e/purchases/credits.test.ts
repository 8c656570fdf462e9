import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { type Browser, newBrowser } from '../../conformance/support/browser.ts';
import { connect, signTerms, textOf } from '../../conformance/support/mcp-client.ts';
import { discover, grant } from '../../conformance/support/oauth.ts';
import { signIn } from '../../conformance/support/person.ts';
import { sightlineIn } from '../../support/stack/login-cli.ts';

const KEY = 'sightline/idempotency-key';
const FIVE_USD = 5_000_000n;

let stack: Stack;
let payer: Account;
let browser: Browser;
let token: string;
beforeAll(async () => {
  stack = await startStack();
  payer = await stack.chain.freshAccount(20_000_000n);
  browser = newBrowser(stack.api.url);
  await signIn(browser, privateKeyToAccount(payer.privateKey));
  const world = await discover(stack.api.url);
  const { tokens } = await grant(world, browser, { scope: 'audit:run credits:use', cap_usd: '0.20' });
  token = tokens.access_token;
});
afterAll(() => stack.stop());

const buyPack = (credential?: string): Promise<Response> =>
  fetch(`${stack.api.url}/api/credits/5`, {
    method: 'POST',
    headers: credential === undefined ? {} : { 'payment-signature': credential },
  });

async function call(name: string, key?: string) {
  const client = await connect(`${stack.api.url}/mcp-account`, 'modern', { authorization: `Bearer ${token}` });
  try {
    const meta = key === undefined ? {} : { _meta: { [KEY]: key } };
    return await client.callTool({ name, arguments: { url: stack.sites.good }, ...meta });
  } finally {
    await client.close();
  }
}

const paymentOf = (result: Awaited<ReturnType<typeof call>>): unknown =>
  (result.structuredContent as Record<string, unknown> | undefined)?.['payment'];

test('a signed-in payer without credits is told where to buy them, and nothing is charged', async () => {
  const before = await stack.chain.balance(payer.address);
  const result = await call('check_health');
  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'insufficient_credits', status: 409 } });
  expect(textOf(result)).toContain('/api/credits/5');
  expect(await stack.chain.balance(payer.address)).toBe(before);
});

test('P6: a pack is one x402 payment on chain, credited once to the address that paid it', async () => {
  const before = await stack.chain.balance(payer.address);
  const unpaid = await buyPack();
  expect(unpaid.status).toBe(402);
  const terms = decodePaymentRequiredHeader(unpaid.headers.get('payment-required') ?? '');
  const credential = encodePaymentSignatureHeader(await signTerms(payer, terms));
  const bought = await buyPack(credential);
  expect([bought.status, await bought.json()]).toMatchObject([200, { credited: '5.000000', balance: '5.000000' }]);
  expect(before - (await stack.chain.balance(payer.address))).toBe(FIVE_USD);
  const again = await buyPack(credential);
  expect([again.status, await again.json()]).toMatchObject([200, { credited: '5.000000' }]);
  expect(before - (await stack.chain.balance(payer.address))).toBe(FIVE_USD);
  expect((await browser.open('/account')).html).toContain('$5.00');
});

test('P6: a call is debited when it is delivered; the same key and arguments are one debit', async () => {
  const before = await stack.chain.balance(payer.address);
  const first = await call('check_health', 'one');
  expect(first.isError ?? false).toBe(false);
  expect(paymentOf(first)).toEqual({
    method: 'credits',
    amount: '60000',
    amount_usd: '0.060000',
    balance_usd: '4.940000',
  });
  expect(paymentOf(await call('check_health', 'one'))).toEqual(paymentOf(first));
  expect((await browser.open('/account')).html).toContain('$4.94');
  expect(await stack.chain.balance(payer.address)).toBe(before);
});

test('A5: a client spends no more in a day than the person allowed it', async () => {
  expect(await call('score_aeo')).toMatchObject({ isError: true, structuredContent: { code: 'client_cap_reached' } });
  expect((await browser.open('/account')).html).toContain('$4.94');
});

test('A6: the account lists its own report, and reads it', async () => {
  const client = await connect(`${stack.api.url}/mcp-account`, 'modern', { authorization: `Bearer ${token}` });
  const { resources } = await client.listResources();
  const report = resources.find(({ uri }) => uri.startsWith('sightline://reports/'));
  const read = await client.readResource({ uri: report?.uri ?? '' });
  await client.close();
  expect(JSON.stringify(read.contents)).toContain('check_health');
});

test('sightline buy credits_5 tops up the account of the paying address, within the limit of a call', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-credits-'));
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local/stack.json'), JSON.stringify(stack.file), { mode: 0o600 });
  const refused = await sightlineIn(folder, ['buy', 'credits_5']);
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('amount_above_cap')]);
  const bought = await sightlineIn(folder, ['buy', 'credits_5', '--max-usd', '5', '--json']);
  expect(bought).toMatchObject({ status: 0, err: '' });
  expect(JSON.parse(bought.out)).toMatchObject({ credited: '5.000000', balance: '5.000000' });
  const proven = await sightlineIn(folder, ['buy', 'credits_5', '--max-usd', '5', '--transfer', '--proof', '--json']);
  expect(proven).toMatchObject({ status: 0, err: '' });
  expect(JSON.parse(proven.out)).toMatchObject({ credited: '5.000000', balance: '10.000000' });
  rmSync(folder, { recursive: true });
});
