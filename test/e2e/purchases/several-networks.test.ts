import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { x402Client } from '@x402/core/client';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, type Chain, startChain } from '../../../local/chain/chain.ts';
import { type Facilitator, startFacilitator } from '../../../local/chain/facilitator.ts';
import { startStack, type Stack } from '../../../local/stack.ts';
import { sightline } from '../../../src/client/index.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { buildProofTypedData, computePayerProofSalt } from '../../../src/payment/rails/transfer/payer-proof.ts';
import { POLYGON } from '../../../src/payment/terms/networks-data.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';
import { type FaultFacilitator, startFaultFacilitator } from '../../support/stack/fault-facilitator.ts';
import { type Mppx, startMppx } from '../../support/stack/mppx-buyer.ts';
import { codeOf, present, presentUntilDecided, presentWith, sign } from '../../support/stack/presenting.ts';

const TOKEN = { chainId: POLYGON.chainId, usdc: POLYGON.usdc, tokenName: POLYGON.domain.name };
const PRICE = 60_000n;

let polygon: Chain;
let settler: Facilitator;
let facilitator: FaultFacilitator;
let stack: Stack;
let buyer: Account;
let mppx: Mppx;

beforeAll(async () => {
  polygon = await startChain({ token: TOKEN });
  settler = await startFacilitator({ rpcUrl: polygon.rpcUrl }, TOKEN);
  facilitator = await startFaultFacilitator(settler.url);
  const row = { network: POLYGON.id, rpc_url: polygon.rpcUrl, facilitator_url: facilitator.url };
  stack = await startStack({ bindings: { PAYMENT_NETWORKS: JSON.stringify([row]) } });
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

  test('the TypeScript client pays on the chain of its options, once', async () => {
    const client = sightline({ baseUrl: stack.api.url, wallet: stack.buyer.account, chain: POLYGON.id });
    const report = await client.buy('check_health', { url: stack.sites.good }, { order: 'job-1' });
    expect(report).toMatchObject({ capability: 'check_health', payment: { network: POLYGON.id } });
    const again = await client.buy('check_health', { url: stack.sites.good }, { order: 'job-1' });
    expect(again.report_id).toBe(report.report_id);
    expect(await readEarned()).toEqual([PRICE, 0n]);
  });
});
