import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { HTTPFacilitatorClient } from '@x402/core/server';
import type { ServerResponse } from 'node:http';
import { type Hex, isHex, parseEventLogs, recoverTypedDataAddress, sha256, toBytes } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Account, type Chain, startChain } from '../../../local/chain/chain.ts';
import { type Facilitator, startFacilitator } from '../../../local/chain/facilitator.ts';
import { readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';
import { USDC, usdcAbi } from '../../../local/chain/usdc.ts';
import { buyWithX402 } from '../../../src/cli/buy/buyer.ts';
import type { BuyerTools, OpenablePurchase } from '../../../src/cli/buy/order.ts';
import { computeOrderKey, createOrderFolder } from '../../../src/cli/buy/saved-order.ts';
import { sendTransfer, signTransfer } from '../../../src/cli/buy/send-transfer.ts';
import { refuseSpending } from '../../../src/cli/buy/spending.ts';
import { buyWithTransfer, presentTransfer, type TransferOrder } from '../../../src/cli/buy/transfer.ts';
import {
  CAPABILITY,
  honestCatalogue,
  honestTerms,
  type PaidService,
  PRICE_MICRO_USDC,
  type Scene,
  sendProblem,
  startPaidService,
} from '../../support/stack/paid-service.ts';

let chain: Chain;
let facilitator: Facilitator;
let buyer: Account;
let seller: Account;
const services: PaidService[] = [];
const folders: string[] = [];

beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator({ rpcUrl: chain.rpcUrl });
  buyer = await chain.freshAccount(10_000_000n);
  seller = await chain.freshAccount();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await facilitator.stop();
  await chain.stop();
});

test('a purchase by signed payment settles on chain', async () => {
  const service = await sell((credential, _n, response) => settle(credential, response));
  const before = await chain.balance(seller.address);
  expect(await buyWithX402(orderAt(service), tools())).toMatchObject({ ok: true, result: { settled: true } });
  expect(await chain.balance(seller.address)).toBe(before + PRICE_MICRO_USDC);
});

test('a purchase by transfer sends the price to the payee and presents the bare hash', async () => {
  const service = await sell((credential, _n, response) => sendJson(response, 200, { credential }));
  const before = await chain.balance(seller.address);
  const purchase = await buyWithTransfer(transferAt(service), tools());
  expect(purchase).toMatchObject({ ok: true, transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  expect(service.credentials).toEqual([purchase.transaction]);
  const { logs, status } = await chain.client.getTransactionReceipt({ hash: hex.parse(purchase.transaction) });
  expect(status).toBe('success');
  expect(parseEventLogs({ abi: usdcAbi, logs }).map(({ args }) => args)).toEqual([
    { from: buyer.address, to: seller.address, value: PRICE_MICRO_USDC },
  ]);
  expect(await chain.balance(seller.address)).toBe(before + PRICE_MICRO_USDC);
});

test('P10: with a proof, the payer signs transaction, capability and body for this service and at most ten minutes', async () => {
  let body = '';
  const service = await sell((credential, _n, response, sent) => {
    body = sent;
    sendJson(response, 200, { credential });
  });
  const purchase = await buyWithTransfer({ ...transferAt(service), prove: true }, tools());
  const { accepted, payload } = proofSchema.parse(decode(service.credentials[0]));
  expect(accepted).toMatchObject({ asset: USDC, payTo: seller.address, extra: honestTerms.extra });
  expect(payload.transaction).toBe(purchase.transaction);
  expect(payload.expiresAt - payload.issuedAt).toBeLessThanOrEqual(600);
  const signer = await recoverTypedDataAddress({
    domain: { name: 'Sightline payment proof', version: '1', chainId: 8453, salt: sha256(toBytes(service.url)) },
    types: {
      Proof: [
        { name: 'transaction', type: 'bytes32' },
        { name: 'capability', type: 'string' },
        { name: 'bodySha256', type: 'bytes32' },
        { name: 'issuedAt', type: 'uint256' },
        { name: 'expiresAt', type: 'uint256' },
      ],
    },
    primaryType: 'Proof',
    message: {
      transaction: payload.transaction,
      capability: CAPABILITY,
      bodySha256: sha256(toBytes(body)),
      issuedAt: BigInt(payload.issuedAt),
      expiresAt: BigInt(payload.expiresAt),
    },
    signature: payload.signature,
  });
  expect(signer).toBe(buyer.address);
});

test('while the service waits for confirmations the same hash is presented again', async () => {
  const service = await sell((_credential, n, response) =>
    n < 3 ? sendProblem(response, 503, 'payment_pending', 1) : sendJson(response, 200, { n }),
  );
  const before = await chain.balance(buyer.address);
  expect(await buyWithTransfer(transferAt(service), tools())).toMatchObject({ ok: true, result: { n: 3 } });
  expect(new Set(service.credentials).size).toBe(1);
  expect(await chain.balance(buyer.address)).toBe(before - PRICE_MICRO_USDC);
});

test('a transfer that the service refuses is named, and can be presented again without paying again', async () => {
  const refusing = await sell((_credential, _n, response) => sendProblem(response, 422, 'target_unreachable'));
  const refused = await buyWithTransfer(transferAt(refusing), tools());
  expect(refused).toMatchObject({
    ok: false,
    reason: 'target_unreachable',
    signed: true,
    transaction: refusing.credentials[0],
  });
  const willing = await sell((credential, _n, response) => sendJson(response, 200, { credential }));
  const before = await chain.balance(buyer.address);
  const again = await presentTransfer(orderAt(willing), hex.parse(refused.transaction), tools());
  expect(again).toMatchObject({ ok: true, result: { credential: refused.transaction } });
  expect(await chain.balance(buyer.address)).toBe(before);
});

test.each<[string, Partial<TransferOrder>, Partial<PaymentRequirements>, string]>([
  ['above the limit', { maxUsd: 0.05 }, {}, 'amount_above_cap'],
  ['above the catalogue', {}, { amount: '70000' }, 'amount_above_catalogue'],
  ['in another token', {}, { asset: '0x1111111111111111111111111111111111111111' }, 'wrong_asset'],
  ['to another payee', {}, { payTo: '0x1111111111111111111111111111111111111111' }, 'wrong_payee'],
  ['on another chain', {}, { network: 'eip155:1' }, 'wrong_network'],
])('A9: no transfer is sent %s', async (_what, changes, terms, reason) => {
  const service = await sell((_credential, _n, response) => sendJson(response, 200, {}), terms);
  const before = await chain.balance(buyer.address);
  expect(await buyWithTransfer({ ...transferAt(service), ...changes }, tools())).toMatchObject({
    ok: false,
    reason,
    signed: false,
  });
  expect(await chain.balance(buyer.address)).toBe(before);
});

test('A9: no transfer is sent when the daily limit is reached', async () => {
  const service = await sell((_credential, _n, response) => sendJson(response, 200, {}));
  const before = await chain.balance(buyer.address);
  const counter = { reserve: async () => refuseSpending('daily_limit_reached', 'enough for today') };
  expect(await buyWithTransfer(transferAt(service), { ...tools(), counter })).toMatchObject({
    ok: false,
    reason: 'daily_limit_reached',
    signed: false,
  });
  expect(await chain.balance(buyer.address)).toBe(before);
});

test('A9: no transfer is sent over an RPC of another chain', async () => {
  const service = await sell((_credential, _n, response) => sendJson(response, 200, {}));
  const order = { ...transferAt(service), network: 'eip155:84532' as const };
  const testnet = await sell((_credential, _n, response) => sendJson(response, 200, {}), {
    network: 'eip155:84532',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  });
  expect(await buyWithTransfer({ ...order, baseUrl: testnet.url }, tools())).toMatchObject({
    ok: false,
    reason: 'wrong_chain',
    signed: false,
  });
});

describe('a run that died with its transfer saved', () => {
  test.each([
    ['before it was sent', false],
    ['after it was sent', true],
  ])('%s: the same order sends one transfer in all, and gets its result', async (_when, wasSent) => {
    const service = await sell((credential, _n, response) => sendJson(response, 200, { credential }));
    const order = transferAt(service);
    const before = await chain.balance(buyer.address);
    const buyerTools = tools();
    const transaction = await beginTransfer(order, buyerTools, wasSent);
    const purchase = await buyWithTransfer(order, buyerTools);
    expect(purchase).toMatchObject({ ok: true, transaction, paidAtMs: expect.any(Number) });
    expect(proofSchema.parse(decode(service.credentials[0])).payload.transaction).toBe(transaction);
    expect(await chain.balance(buyer.address)).toBe(before - PRICE_MICRO_USDC);
  });

  test('bought again by a signed payment, the transfer that was sent is presented', async () => {
    const service = await sell((credential, _n, response) => sendJson(response, 200, { credential }));
    const order = transferAt(service);
    const buyerTools = tools();
    const transaction = await beginTransfer(order, buyerTools, true);
    const before = await chain.balance(buyer.address);
    expect(await buyWithX402(order, buyerTools)).toMatchObject({ ok: true, transaction });
    expect(await chain.balance(buyer.address)).toBe(before);
  });

  test('another network that is chosen now: its chain is not asked, and no other transfer is sent', async () => {
    const service = await sell((credential, _n, response) => sendJson(response, 200, { credential }));
    const order = { ...transferAt(service), network: 'eip155:137' as const, rpcUrl: 'http://127.0.0.1:1' };
    const buyerTools = tools();
    const transaction = await beginTransfer(transferAt(service), buyerTools, true);
    const before = await chain.balance(buyer.address);
    expect(await buyWithTransfer(order, buyerTools)).toMatchObject({ ok: true, transaction });
    expect(await chain.balance(buyer.address)).toBe(before);
  });

  test('a service that refuses it, where another network is chosen now: the refusal names that of the transfer', async () => {
    const service = await sell((_credential, _n, response) => sendProblem(response, 402, 'payment_not_found'));
    const buyerTools = tools();
    const transaction = await beginTransfer(transferAt(service), buyerTools, true);
    const order = { ...transferAt(service), network: 'eip155:137' as const };
    expect(await buyWithTransfer(order, buyerTools)).toMatchObject({
      ok: false,
      reason: 'payment_not_found',
      detail: expect.stringContaining('by a transfer on Base (eip155:8453)'),
      transaction,
    });
  });

  test('a service that refuses the transfer does not make the order be paid again', async () => {
    const service = await sell((_credential, _n, response) => sendProblem(response, 402, 'payer_proof_required'));
    const before = await chain.balance(buyer.address);
    const buyerTools = tools();
    const first = await buyWithTransfer(transferAt(service), buyerTools);
    const second = await buyWithTransfer(transferAt(service), buyerTools);
    expect(second).toEqual(first);
    expect(second).toMatchObject({ ok: false, reason: 'payer_proof_required', signed: true });
    expect(await chain.balance(buyer.address)).toBe(before - PRICE_MICRO_USDC);
  });
});

/** What a run does until it dies: signs and saves a transfer, and perhaps sends it. */
async function beginTransfer(order: TransferOrder, { orders }: BuyerTools, isSent: boolean): Promise<Hex> {
  const signed = await signTransfer(order, { network: 'eip155:8453', payTo: seller.address }, PRICE_MICRO_USDC);
  if (!signed.ok) throw new Error(signed.detail);
  const { transaction, raw } = signed;
  const accepted = { ...honestTerms, payTo: seller.address };
  const { account, baseUrl: origin, capability, body } = order;
  const key = await computeOrderKey({ origin, capability, bodyText: JSON.stringify(body), payer: account.address });
  await orders.save(key, { savedAtMs: Date.now(), payment: { by: 'transfer', transaction, raw, accepted } });
  if (isSent) await sendTransfer(order.rpcUrl, signed, { sender: order.account.address, isRepeat: false });
  return transaction;
}

/** The chain at any path of another address, whose answers can be changed. */
function startRpcProxy(change: (method: string, said: object) => object) {
  return startHttpServer(async (request, response) => {
    const body = await readBody(request);
    const answer = await fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { id, method } = z.object({ id: z.number(), method: z.string() }).parse(JSON.parse(body));
    const { jsonrpc: _version, id: _id, ...said } = z.looseObject({}).parse(await answer.json());
    sendJson(response, 200, { jsonrpc: '2.0', id, ...change(method, said) });
  });
}

test.each([
  ['an internal error', { code: -32603, message: 'Internal error' }],
  ['that it is known', { code: -32000, message: 'already known' }],
])('a chain that takes the transfer and answers %s: it is sent once, and presented', async (_what, error) => {
  const service = await sell((credential, _n, response) => sendJson(response, 200, { credential }));
  const proxy = await startRpcProxy((method, said) => (method === 'eth_sendRawTransaction' ? { error } : said));
  const before = await chain.balance(buyer.address);
  const purchase = await buyWithTransfer({ ...transferAt(service), rpcUrl: proxy.url }, tools());
  await proxy.stop();
  expect(purchase).toMatchObject({ ok: true, transaction: service.credentials[0] });
  expect(await chain.balance(buyer.address)).toBe(before - PRICE_MICRO_USDC);
});

test.each([true, false])(
  'a transfer whose place another transaction took is gone (sent before: %s)',
  async (isRepeat) => {
    const { account } = buyer;
    const order = { account, rpcUrl: chain.rpcUrl };
    const signed = await signTransfer(order, { network: 'eip155:8453', payTo: seller.address }, PRICE_MICRO_USDC);
    if (!signed.ok) throw new Error(signed.detail);
    await chain.transfer(buyer, seller.address, PRICE_MICRO_USDC + 1n);
    const times = { sender: account.address, isRepeat, waitsMs: [1000] };
    expect(await sendTransfer(chain.rpcUrl, signed, times)).toMatchObject({ ok: false, isGone: true });
  },
);

test('a transfer that the chain does not show in time stays the payment of its order', async () => {
  const { account } = buyer;
  const order = { account, rpcUrl: chain.rpcUrl };
  const signed = await signTransfer(order, { network: 'eip155:8453', payTo: seller.address }, PRICE_MICRO_USDC);
  if (!signed.ok) throw new Error(signed.detail);
  const proxy = await startRpcProxy((method, said) =>
    method === 'eth_getTransactionReceipt' ? { result: null } : said,
  );
  const times = { sender: account.address, isRepeat: false };
  const sending = sendTransfer(proxy.url, signed, { ...times, waitsMs: [] });
  expect(await sending).toMatchObject({ ok: false, isGone: false });
  await proxy.stop();
  expect(await sendTransfer(chain.rpcUrl, signed, { ...times, isRepeat: true })).toEqual({ ok: true });
});

test('a transfer is not looked for on another chain, whose nonces say nothing of it', async () => {
  const { account } = buyer;
  const order = { account, rpcUrl: chain.rpcUrl };
  const signed = await signTransfer(order, { network: 'eip155:8453', payTo: seller.address }, PRICE_MICRO_USDC);
  if (!signed.ok) throw new Error(signed.detail);
  const proxy = await startRpcProxy((method, said) => {
    if (method === 'eth_chainId') return { result: '0x89' };
    return method === 'eth_getTransactionCount' ? { result: '0xffff' } : said;
  });
  const times = { sender: account.address, isRepeat: true, waitsMs: [1000] };
  const sent = await sendTransfer(proxy.url, signed, times);
  await proxy.stop();
  expect(sent).toMatchObject({ ok: false, reason: 'wrong_chain', isGone: false });
  expect(await sendTransfer(chain.rpcUrl, signed, times)).toEqual({ ok: true });
});

test('the key in the address of a chain is in no message', async () => {
  const service = await sell((_credential, _n, response) => sendJson(response, 200, {}));
  const testnet = { network: 'eip155:84532', asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' } as const;
  const other = await sell((_credential, _n, response) => sendJson(response, 200, {}), testnet);
  const proxy = await startRpcProxy((_method, said) => said);
  const order = { ...transferAt(service), baseUrl: other.url, network: testnet.network };
  const purchase = await buyWithTransfer({ ...order, rpcUrl: `${proxy.url}/v2/the-secret-key` }, tools());
  await proxy.stop();
  expect(purchase).toMatchObject({ ok: false, reason: 'wrong_chain', detail: expect.stringMatching(/ is chain 8453/) });
  expect(JSON.stringify(purchase)).not.toContain('the-secret-key');
});

test('a payer without the money sends nothing', async () => {
  const poor = await chain.freshAccount();
  const service = await sell((_credential, _n, response) => sendJson(response, 200, {}));
  const purchase = await buyWithTransfer({ ...transferAt(service), account: poor.account }, tools());
  expect(purchase).toMatchObject({ ok: false, reason: 'transfer_failed', signed: false });
  expect(service.credentials).toEqual([]);
});

const hex = z.custom<Hex>(isHex);
const proofSchema = z.object({
  x402Version: z.literal(2),
  accepted: z.unknown(),
  payload: z.object({ transaction: hex, signature: hex, issuedAt: z.int(), expiresAt: z.int() }),
});

const decode = (credential = ''): unknown => JSON.parse(Buffer.from(credential, 'base64').toString());

async function sell(
  onPaid: NonNullable<Scene['onPaid']>,
  terms: Partial<PaymentRequirements> = {},
): Promise<PaidService> {
  const accepts = [{ ...honestTerms, payTo: seller.address, ...terms }];
  const service = await startPaidService({ accepts, catalogue: honestCatalogue(seller.address), onPaid });
  services.push(service);
  return service;
}

async function settle(credential: string, response: ServerResponse): Promise<void> {
  const payload = z.custom<PaymentPayload>().parse(decode(credential));
  const settled = await new HTTPFacilitatorClient({ url: facilitator.url }).settle(payload, payload.accepted);
  sendJson(response, settled.success ? 200 : 402, { settled: settled.success });
}

const orderAt = (service: PaidService): OpenablePurchase => ({
  baseUrl: service.url,
  capability: CAPABILITY,
  body: { url: 'https://example.com/' },
  account: buyer.account,
  maxUsd: 1,
});

const transferAt = (service: PaidService): TransferOrder => ({ ...orderAt(service), rpcUrl: chain.rpcUrl });

/** A buyer that remembers nothing of earlier purchases. */
function tools(): BuyerTools {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-orders-'));
  folders.push(folder);
  return {
    fetch,
    counter: { reserve: async () => ({ ok: true }) },
    orders: createOrderFolder(folder),
    nowMs: Date.now,
    sleep: async () => undefined,
  };
}
