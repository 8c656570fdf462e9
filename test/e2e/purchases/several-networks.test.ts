import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { x402Client } from '@x402/core/client';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, type Chain, startChain } from '../../../local/chain/chain.ts';
import { type Facilitator, startFacilitator } from '../../../local/chain/facilitator.ts';
import { startStack, type Stack } from '../../../local/stack.ts';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { sightline } from '../../../src/client/index.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { buildProofTypedData, computePayerProofSalt } from '../../../src/payment/rails/transfer/payer-proof.ts';
import { BASE, POLYGON } from '../../../src/payment/terms/networks-data.ts';
import { encodeJsonBase64 } from '../../../src/web/islands/buying/payment-signing.ts';
import {
  buildPythonPackage,
  installWheel,
  needSystemPython,
  PYTHON_SUITE,
  runPython,
} from '../../support/python/python-client.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';
import { judgePage, noOverflow, type Opened, openBrowser } from '../../support/stack/browser.ts';
import { type FaultFacilitator, startFaultFacilitator } from '../../support/stack/fault-facilitator.ts';
import { type Mppx, startMppx } from '../../support/stack/mppx-buyer.ts';
import { codeOf, present, presentUntilDecided, presentWith, sign } from '../../support/stack/presenting.ts';
import {
  type InjectedWallet,
  injectWallet,
  startWalletStack,
  type WalletStack,
} from '../../support/stack/wallet-stack.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const TOKEN = { chainId: POLYGON.chainId, usdc: POLYGON.usdc, tokenName: POLYGON.domain.name };
const PRICE = 60_000n;

let polygon: Chain;
let settler: Facilitator;
let facilitator: FaultFacilitator;
let stack: Stack;
let buyer: Account;
let mppx: Mppx;
/** Where Polygon is sold on, as a setting. */
let rows: string;

beforeAll(async () => {
  polygon = await startChain({ token: TOKEN });
  settler = await startFacilitator({ rpcUrl: polygon.rpcUrl }, TOKEN);
  facilitator = await startFaultFacilitator(settler.url);
  rows = JSON.stringify([{ network: POLYGON.id, rpc_url: polygon.rpcUrl, facilitator_url: facilitator.url }]);
  stack = await startStack({ bindings: { PAYMENT_NETWORKS: rows } });
  buyer = await polygon.freshAccount(10_000_000n);
  mppx = startMppx();
});

afterAll(async () => {
  await mppx.stop();
  await stack.stop();
  await Promise.all([facilitator.stop(), settler.stop()]);
  await polygon.stop();
});

/** A payment that the official client makes, which knows Polygon alone. */
async function signOnPolygon(): Promise<string> {
  const unpaid = await present(stack, {});
  const required = decodePaymentRequiredHeader(unpaid.headers.get('payment-required') ?? '');
  const client = new x402Client().register(POLYGON.id, new ExactEvmScheme(buyer.account));
  return encodePaymentSignatureHeader(await client.createPaymentPayload(required));
}

type Sold = { payment: { network: string; transaction: string; method: string } };
const paymentOf = async (answer: Response): Promise<Sold['payment']> => ((await answer.json()) as Sold).payment;

test('the official client pays on Polygon, whose chain and facilitator are its own', async () => {
  const before = await polygon.balance(stack.seller.address);
  const credential = await signOnPolygon();
  const sold = await present(stack, {}, credential);
  expect(sold.status).toBe(200);
  expect((await paymentOf(sold)).network).toBe(POLYGON.id);
  expect(await polygon.balance(stack.seller.address)).toBe(before + PRICE);
  expect((await present(stack, {}, credential)).status).toBe(200);
  expect(await polygon.balance(stack.seller.address)).toBe(before + PRICE);
  const onBase = await present(stack, {}, await sign(stack, stack.buyer));
  expect((await paymentOf(onBase)).network).toBe('eip155:8453');
});

test('a settlement whose answer is lost is found on Polygon', async () => {
  const before = await polygon.balance(stack.seller.address);
  const credential = await signOnPolygon();
  facilitator.set('settle', 'reset_after');
  const answer = await present(stack, {}, credential);
  facilitator.set('settle', 'none');
  const decided = answer.status === 200 ? answer : await presentUntilDecided(stack, {}, credential);
  expect((await paymentOf(decided)).network).toBe(POLYGON.id);
  expect(await polygon.balance(stack.seller.address)).toBe(before + PRICE);
});

test('a transfer on Polygon buys by a proof for its chain, and its bare hash is looked for on Base', async () => {
  const transaction = await polygon.transfer(buyer, stack.seller.address, PRICE);
  const bare = await present(stack, {}, transaction);
  expect([bare.status, await codeOf(bare)]).toEqual([503, 'payment_pending']);
  const unpaid = await present(stack, {});
  const { accepts } = decodePaymentRequiredHeader(unpaid.headers.get('payment-required') ?? '');
  const accepted = accepts.find(({ network }) => network === POLYGON.id);
  if (accepted === undefined) throw new Error('Polygon is not offered');
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + 300;
  const bodySha256 = await computeSha256Hex(JSON.stringify({ url: stack.sites.good }));
  const says = { transaction, capability: 'check_health', bodySha256, issuedAtS: issuedAt, expiresAtS: expiresAt };
  const salt = await computePayerProofSalt(stack.api.url);
  const signature = await buyer.account.signTypedData(buildProofTypedData(says, salt, POLYGON.chainId));
  const payload = { transaction, signature, issuedAt, expiresAt };
  const proof = Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload })).toString('base64');
  const sold = await present(stack, {}, proof);
  expect(sold.status).toBe(200);
  expect(await paymentOf(sold)).toMatchObject({ network: POLYGON.id, method: 'transfer', transaction });
});

test('the official client of MPP reads a challenge for each network, and pays either', async () => {
  const header = (await present(stack, {})).headers.get('www-authenticate') ?? '';
  const read = (await mppx.do('read', { header })) as { request: { methodDetails: { chainId: number } } }[];
  expect(read.map(({ request }) => request.methodDetails.chainId)).toEqual([8453, POLYGON.chainId]);
  const before = await polygon.balance(stack.seller.address);
  const onPolygon = header.slice(header.indexOf('Payment ', 1));
  const authorization = await mppx.sign({ key: buyer.privateKey }, onPolygon);
  const sold = await presentWith(stack, {}, { authorization });
  expect(await paymentOf(sold)).toMatchObject({ network: POLYGON.id });
  expect(await polygon.balance(stack.seller.address)).toBe(before + PRICE);
  const onBase = await mppx.sign({ key: stack.buyer.privateKey }, header);
  expect(await paymentOf(await presentWith(stack, {}, { authorization: onBase }))).toMatchObject({
    network: 'eip155:8453',
  });
});

describe('our own buyers pay where their owner chose, and nowhere else', () => {
  let folder = '';
  let before: readonly bigint[] = [];
  const readRevenues = (): Promise<readonly bigint[]> =>
    Promise.all([polygon, stack.chain].map((chain) => chain.balance(stack.seller.address)));
  /** What the seller got since the test began, on Polygon and on Base. */
  const readEarned = async (): Promise<readonly bigint[]> =>
    (await readRevenues()).map((now, at) => now - (before[at] ?? 0n));

  beforeAll(async () => {
    // The demo buyer has USDC on both.
    await polygon.fundAccount(stack.buyer.privateKey, 10_000_000n);
    folder = mkdtempSync(join(tmpdir(), 'sightline-networks-'));
    mkdirSync(join(folder, '.local'));
    writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack.file));
  });
  beforeEach(async () => {
    before = await readRevenues();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const cli = (...words: readonly string[]): Promise<Ended> => runCli(words, { cwd: folder, env: { HOME: folder } });
  const buy = (...words: readonly string[]): Promise<Ended> =>
    cli('buy', 'check_health', stack.sites.good, '--json', ...words);

  test.each<[string, () => readonly string[], string]>([
    ['a signed payment', () => [], 'x402'],
    ['a transfer that it sends', () => ['--transfer', '--rpc', polygon.rpcUrl], 'transfer'],
  ])('sightline buy --network polygon, by %s', async (_how, listWords, method) => {
    const ended = await buy('--network', 'polygon', ...listWords());
    expect([ended.status, ended.err]).toEqual([0, '']);
    expect(JSON.parse(ended.out)).toMatchObject({
      capability: 'check_health',
      payment: { network: POLYGON.id, method, payer: stack.buyer.address.toLowerCase() },
    });
    expect(await readEarned()).toEqual([PRICE, 0n]);
  });

  test('sightline buy --network polygon --hash presents a transfer there with its proof', async () => {
    const transaction = await polygon.transfer(stack.buyer, stack.seller.address, PRICE);
    const ended = await buy('--network', 'polygon', '--hash', transaction);
    expect([ended.status, ended.err]).toEqual([0, '']);
    expect(JSON.parse(ended.out)).toMatchObject({ payment: { network: POLYGON.id, method: 'transfer', transaction } });
    expect(await readEarned()).toEqual([PRICE, 0n]);
  });

  test('a transfer on Polygon whose result was not written: the same order gets it free, whatever network is chosen then', async () => {
    const onPolygon = ['--network', 'polygon', '--transfer', '--rpc', polygon.rpcUrl];
    const full = await buy(...onPolygon, '-o', '/dev/full');
    expect([full.status, full.err]).toEqual([2, expect.stringContaining('/dev/full cannot be written')]);
    for (const words of [[], ['--transfer'], onPolygon]) {
      const again = await buy(...words, ...(words === onPolygon ? [] : ['-o', '/dev/full']));
      expect([again.status, again.err]).toEqual([
        words === onPolygon ? 0 : 2,
        expect.stringContaining('Nothing more was paid'),
      ]);
    }
    expect(await readEarned()).toEqual([PRICE, 0n]);
  });

  test('sightline buy without a choice pays on Base', async () => {
    const ended = await buy();
    expect(JSON.parse(ended.out)).toMatchObject({ payment: { network: 'eip155:8453' } });
    expect(await readEarned()).toEqual([0n, PRICE]);
  });

  test('a network that is not offered: nothing is paid, and the refusal says where to pay', async () => {
    const { status, out, err } = await buy('--network', 'base-sepolia');
    expect([status, out]).toEqual([1, '']);
    expect(JSON.parse(err)).toMatchObject({
      reason: 'wrong_network',
      next: 'If your USDC is there, pay with --network base or --network polygon.',
    });
    expect(await readEarned()).toEqual([0n, 0n]);
  });

  test('a node of another chain than the chosen one: nothing is sent', async () => {
    const { status, err } = await buy('--network', 'polygon', '--transfer', '--rpc', stack.chain.rpcUrl);
    expect([status, JSON.parse(err)]).toMatchObject([1, { reason: 'wrong_chain', detail: expect.any(String) }]);
    expect(await readEarned()).toEqual([0n, 0n]);
  });

  test('sightline list --self-pay --network polygon: the facilitator of Polygon lists what is bought there', async () => {
    const listing = ['list', 'check_schema', '--network', 'polygon', '--facilitator', settler.url, '--json'];
    expect((await cli(...listing)).status).toBe(1);
    const ended = await cli(...listing, '--self-pay', '--yes', '--site', stack.sites.good);
    expect([ended.status, JSON.parse(ended.out)]).toMatchObject([0, { routes: [{ listed: true, paid: 'paid' }] }]);
    expect(await readEarned()).toEqual([70_000n, 0n]);
  });

  test('the wallet of sightline mcp --network polygon pays there for a call', async () => {
    const command = [CLI, 'mcp', '--base', stack.api.url, '--network', 'polygon'];
    // Whatever its key is, a service on this machine is paid by the demo buyer.
    const env = { HOME: folder, SIGHTLINE_WALLET_KEY: buyer.privateKey };
    const transport = new StdioClientTransport({ command: process.execPath, args: command, env, cwd: folder });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    try {
      const result = await client.callTool({ name: 'check_health', arguments: { url: stack.sites.good } });
      expect(result.structuredContent).toMatchObject({ payment: { network: POLYGON.id } });
    } finally {
      await client.close();
    }
    expect(await readEarned()).toEqual([PRICE, 0n]);
  });

  test('the TypeScript client pays on the chain of its options, once', async () => {
    const client = sightline({ baseUrl: stack.api.url, wallet: stack.buyer.account, chain: POLYGON.id });
    const report = await client.buy('check_health', { url: stack.sites.good }, { order: 'job-1' });
    expect(report).toMatchObject({ capability: 'check_health', payment: { network: POLYGON.id } });
    const again = await client.buy('check_health', { url: stack.sites.good }, { order: 'job-1' });
    expect(again.report_id).toBe(report.report_id);
    expect(await readEarned()).toEqual([PRICE, 0n]);
  });
});

const PYTHON_MS = 420_000;
const PROGRAM = `import json, os
from local_wallet import LocalWallet
from sightline import Sightline, TermsError

def client(network, **settings):
    return Sightline(base_url=os.environ["SERVICE"], wallet=LocalWallet(os.environ["KEY"]), network=network, **settings)

try:
    client("eip155:84532").buy("check_health", url=os.environ["SITE"])
except TermsError as refused:
    print(refused.code)
with client("eip155:137") as polygon:
    report = polygon.buy("check_health", url=os.environ["SITE"])
    print(json.dumps([report.raw["payment"]["network"], polygon.report(report.report_id).capability]))
`;

test(
  'the client for Python pays on Polygon once, and on no network that is not sold on',
  async () => {
    const python = await needSystemPython();
    const built = await buildPythonPackage(python);
    try {
      const installed = await installWheel(built, python);
      const before = await polygon.balance(stack.seller.address);
      const ran = await runPython(installed, ['-c', PROGRAM], {
        cwd: built.folder,
        env: {
          SERVICE: stack.api.url,
          KEY: buyer.privateKey,
          SITE: `${stack.sites.good}/`,
          PYTHONPATH: PYTHON_SUITE,
        },
      });
      expect(ran).toEqual({ code: 0, output: 'wrong_network\n["eip155:137", "check_health"]\n' });
      expect(await polygon.balance(stack.seller.address)).toBe(before + PRICE);
      expect(await stack.chain.balance(buyer.address)).toBe(0n);
    } finally {
      built.remove();
    }
  },
  PYTHON_MS,
);

describe('a person with a wallet in the browser', () => {
  const AUDIT_PRICE = BigInt(findCapability('full_audit')?.priceMicroUsdc ?? 0);
  const MONEY = 10_000_000n;
  const REPORT = /\/reports\/[0-9a-f]{32}$/;
  const PAID_WITHIN_MS = 60_000;
  const PAID_PATH = '**/api/agent/full_audit';
  const WALLET = /with your wallet/;
  let desk: WalletStack;
  let browser: Opened;

  beforeAll(async () => {
    desk = await startWalletStack({ PAYMENT_NETWORKS: rows }, stack);
    browser = await openBrowser(desk.flags);
  });
  afterAll(async () => {
    await browser?.close();
    await desk?.stop();
  });

  type Opener = { page: Page; wallet: InjectedWallet };
  /** A page that offers an audit, and a wallet with money on Polygon alone, which is on Base at first. */
  async function openOffer(): Promise<Opener> {
    const account = await polygon.freshAccount(MONEY);
    const page = await browser.page({ width: 360 });
    const wallet = await injectWallet(page, account, { chain: '0x2105' });
    await page.goto(`${desk.origin}/audit?url=${encodeURIComponent(desk.sites.good)}`);
    await page.locator('#audit-run').click();
    await page.locator('[data-buy="wallet"]:enabled').waitFor();
    return { page, wallet };
  }
  const choose = (page: Page, name: string) => page.getByRole('radio', { name });
  const said = (page: Page, text: string) => page.locator('[data-buy="status"]', { hasText: text }).waitFor();
  const signatures = ({ asked }: InjectedWallet): number =>
    asked.filter((method) => method === 'eth_signTypedData_v4').length;

  test('chooses Polygon by the keyboard and pays there: one payment, one report, and nothing on Base', async () => {
    const { page, wallet } = await openOffer();
    expect(await choose(page, 'Base').isChecked()).toBe(true);
    expect(await page.locator('[data-buy="networks"]').textContent()).toContain(desk.seller.address.toLowerCase());
    await choose(page, 'Base').focus();
    await page.keyboard.press('ArrowDown');
    expect(await choose(page, 'Polygon').isChecked()).toBe(true);
    await page.getByText('Pay by a transfer of your own').click();
    await page.getByText('This way is on Base only').waitFor();
    expect(await judgePage(page)).toEqual([]);
    expect(await noOverflow(page)).toEqual([]);
    const before = await polygon.balance(desk.seller.address);
    await page.getByRole('button', { name: WALLET }).click();
    await said(page, 'Your wallet is on Base. The payment is made on Polygon');
    expect(signatures(wallet)).toBe(0);
    await page.getByRole('button', { name: 'Switch to Polygon' }).click();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect([signatures(wallet), wallet.sent.length]).toEqual([1, 1]);
    expect(await polygon.balance(wallet.account.address)).toBe(MONEY - AUDIT_PRICE);
    expect(await polygon.balance(desk.seller.address)).toBe(before + AUDIT_PRICE);
    expect(await desk.chain.balance(desk.seller.address)).toBe(0n);
  });

  test('is asked for nothing where the terms are of another token, another payee or no longer of Polygon', async () => {
    const { page, wallet } = await openOffer();
    await choose(page, 'Polygon').check();
    const terms = { scheme: 'exact', amount: String(AUDIT_PRICE), maxTimeoutSeconds: 300, extra: {} };
    const payTo = desk.seller.address;
    const onBase = { ...terms, payTo, network: BASE.id, asset: BASE.usdc };
    const onPolygon = { ...terms, payTo, network: POLYGON.id, asset: POLYGON.usdc };
    let accepts: object[] = [];
    await page.route(PAID_PATH, (route) => {
      const required = { x402Version: 2, resource: { url: desk.origin }, accepts };
      return route.fulfill({ status: 402, headers: { 'payment-required': encodeJsonBase64(required) }, body: '{}' });
    });
    for (const [wrong, text] of [
      [{ asset: BASE.usdc }, `asset ${BASE.usdc}`],
      [{ payTo: `0x${'9'.repeat(40)}` }, 'payee 0x999'],
      [{ network: 'eip155:10' }, 'Nothing can be paid on Polygon now'],
    ] as const) {
      accepts = [onBase, { ...onPolygon, ...wrong }];
      await page.getByRole('button', { name: WALLET }).click();
      await said(page, text);
    }
    expect([wallet.asked, wallet.sent]).toEqual([[], []]);
  });

  test('whose wallet says Polygon and signs for Base reads why, and nothing is sent', async () => {
    const { page, wallet } = await openOffer();
    await choose(page, 'Polygon').check();
    await page.getByRole('button', { name: WALLET }).click();
    wallet.lie.chainId = BASE.chainId;
    await page.getByRole('button', { name: 'Switch to Polygon' }).click();
    await said(page, 'is not this payment on Polygon by this account');
    expect([signatures(wallet), wallet.sent]).toEqual([1, []]);
  });

  test('comes back to a payment on Polygon that has no end, and the same payment gets the report', async () => {
    const { page, wallet } = await openOffer();
    await choose(page, 'Polygon').check();
    await page.getByRole('button', { name: WALLET }).click();
    await page.route(PAID_PATH, (route) =>
      route.request().headers()['payment-signature'] === undefined ? route.continue() : route.abort(),
    );
    await page.getByRole('button', { name: 'Switch to Polygon' }).click();
    await page.getByText(/connection to the service was lost/).waitFor();
    await page.unroute(PAID_PATH);
    await page.reload();
    await said(page, 'has not ended');
    expect([await choose(page, 'Polygon').isChecked(), await choose(page, 'Base').isEnabled()]).toEqual([true, false]);
    await page.getByRole('button', { name: 'Ask again with the same payment' }).click();
    await page.waitForURL(REPORT, { timeout: PAID_WITHIN_MS });
    expect([signatures(wallet), new Set(wallet.sent).size]).toEqual([1, 1]);
    expect(await polygon.balance(wallet.account.address)).toBe(MONEY - AUDIT_PRICE);
  });

  test('finds what an earlier version stored as one on Base', async () => {
    const { page } = await openOffer();
    await choose(page, 'Polygon').check();
    const bodyText = JSON.stringify({ url: desk.sites.good });
    const kept = JSON.stringify({ capability: 'full_audit', bodyText, credential: `0x${'3c'.repeat(32)}` });
    await page.evaluate(`sessionStorage.setItem('sightline-purchase-full_audit', ${JSON.stringify(kept)})`);
    await page.evaluate("dispatchEvent(new StorageEvent('storage'))"); // As when another tab has stored it.
    await said(page, 'has not ended');
    expect([await choose(page, 'Base').isChecked(), await choose(page, 'Polygon').isEnabled()]).toEqual([true, false]);
    await page.getByRole('button', { name: 'I give this one up' }).click();
    expect(await choose(page, 'Polygon').isEnabled()).toBe(true);
  });
});
