import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequirements } from '@x402/core/types';
import { type Hex, isHex, recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sendJson } from '../../../local/http-server.ts';
import { buyWithX402 } from '../../../src/cli/buy/buyer.ts';
import type { OpenablePurchase, Purchase } from '../../../src/cli/buy/order.ts';
import { createOrderFolder } from '../../../src/cli/buy/saved-order.ts';
import { MAX_PAID_PRESENTATIONS, MAX_RETRY_AFTER_S } from '../../../src/cli/buy/service.ts';
import { refuseSpending, type SpendCounter } from '../../../src/cli/buy/spending.ts';
import { PAYMENT_NETWORKS } from '../../../src/payment/terms/networks-data.ts';
import {
  BASE_USDC,
  CAPABILITY,
  honestCatalogue,
  honestTerms,
  PAY_TO,
  PRICE_MICRO_USDC,
  type PaidService,
  type Scene,
  sendProblem,
  startPaidService,
} from '../../support/stack/paid-service.ts';

const account = privateKeyToAccount(generatePrivateKey());
const services: PaidService[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  for (const service of services.splice(0)) await service.stop();
});

test('a purchase pays what the catalogue says and returns the result', async () => {
  const { purchase, service, counted } = await buy({});
  const [credential] = service.credentials;
  expect(purchase).toEqual({ ok: true, result: { capability: CAPABILITY }, payment: { by: 'x402', credential } });
  expect(service.credentials).toHaveLength(1);
  expect(counted).toEqual([PRICE_MICRO_USDC]);
});

test('A9: what is signed is USDC on Base, to the payee, at the price, for at most 300 s', async () => {
  const { service } = await buy({});
  const { accepted, payload } = credentialSchema.parse(decode(service.credentials[0]));
  const { authorization, signature } = payload;
  expect(accepted).toEqual(honestTerms);
  expect(authorization).toMatchObject({ from: account.address, to: PAY_TO, value: String(PRICE_MICRO_USDC) });
  expect(Number(authorization.validBefore) - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(300);
  const signer = await recoverTypedDataAddress({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: BASE_USDC },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: {
      from: account.address,
      to: PAY_TO,
      value: PRICE_MICRO_USDC,
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce,
    },
    signature,
  });
  expect(signer).toBe(account.address);
});

const sepoliaUsdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const stranger = '0x1111111111111111111111111111111111111111';
const header = (version: number, accepts: readonly PaymentRequirements[]): string =>
  encodePaymentRequiredHeader({
    x402Version: version,
    resource: { url: 'http://service.test/' },
    accepts: [...accepts],
  });
const terms = (changes: Partial<PaymentRequirements>): Scene => ({ accepts: [{ ...honestTerms, ...changes }] });

test.each<[string, Scene, string]>([
  ['another chain', terms({ network: 'eip155:1' }), 'wrong_network'],
  ['the testnet, which was not asked for', terms({ network: 'eip155:84532', asset: sepoliaUsdc }), 'wrong_network'],
  ['another token', terms({ asset: stranger }), 'wrong_asset'],
  ['the testnet token on Base', terms({ asset: sepoliaUsdc }), 'wrong_asset'],
  ['another payee than the catalogue', terms({ payTo: stranger }), 'wrong_payee'],
  ['one micro-USDC over the catalogue', terms({ amount: '60001' }), 'amount_above_catalogue'],
  ['an amount of nothing', terms({ amount: '0' }), 'amount_invalid'],
  ['a hexadecimal amount', terms({ amount: '0xea60' }), 'amount_invalid'],
  ['a negative amount', terms({ amount: '-60000' }), 'amount_invalid'],
  ['another scheme', terms({ scheme: 'upto' }), 'wrong_scheme'],
  ['a Permit2 approval', terms({ extra: { ...honestTerms.extra, assetTransferMethod: 'permit2' } }), 'wrong_scheme'],
  ['an authorization for 301 s', terms({ maxTimeoutSeconds: 301 }), 'authorization_too_long'],
  ['an authorization for a year', terms({ maxTimeoutSeconds: 31_536_000 }), 'authorization_too_long'],
  ['no terms at all', { header: null }, 'terms_unreadable'],
  ['terms that are not base64', { header: '!!!' }, 'terms_unreadable'],
  ['terms that are not JSON', { header: 'aGVsbG8=' }, 'terms_unreadable'],
  ['terms of x402 version 1', { header: header(1, [honestTerms]) }, 'terms_unreadable'],
  ['an empty list of terms', { accepts: [] }, 'terms_unreadable'],
])('A9: nothing is signed when the service asks for %s', async (_what, scene, reason) => {
  const { purchase, service, counted } = await buy(scene);
  expect(purchase).toMatchObject({ ok: false, reason, signed: false });
  expect(service.credentials).toEqual([]);
  expect(counted).toEqual([]);
});

test('A9: of several terms the ones we may pay are taken, whatever stands first', async () => {
  const { purchase, service } = await buy({
    accepts: [{ ...honestTerms, network: 'eip155:1' }, { ...honestTerms, amount: '99999999' }, honestTerms],
  });
  expect(purchase.ok).toBe(true);
  expect(credentialSchema.parse(decode(service.credentials[0])).accepted).toEqual(honestTerms);
});

test.each([0.059999, 0.01, 0, -1, Number.NaN, Number.NEGATIVE_INFINITY])(
  'A9: nothing is signed above the limit of the caller (%d USD)',
  async (maxUsd) => {
    const { purchase, service } = await buy({}, { maxUsd });
    expect(purchase).toMatchObject({ ok: false, reason: 'amount_above_cap', signed: false });
    expect(service.credentials).toEqual([]);
  },
);

test('a limit of exactly the price is enough', async () => {
  expect((await buy({}, { maxUsd: 0.06 })).purchase.ok).toBe(true);
});

test('a price above 1 USD is paid when the limits allow it, unlike by the official client alone', async () => {
  const accepts = [{ ...honestTerms, amount: '3500000' }];
  const catalogue = { payment: { payTo: PAY_TO }, capabilities: { [CAPABILITY]: { amount: '3500000' } } };
  expect((await buy({ accepts, catalogue }, { maxUsd: 4 })).purchase.ok).toBe(true);
});

test('the testnet is paid when it was asked for', async () => {
  const accepts = [
    { ...honestTerms, network: 'eip155:84532' as const, asset: sepoliaUsdc, extra: { name: 'USDC', version: '2' } },
  ];
  expect((await buy({ accepts }, { network: 'eip155:84532' })).purchase.ok).toBe(true);
});

describe('on Polygon, which was chosen', () => {
  const polygon = PAYMENT_NETWORKS['eip155:137'];
  const payee = '0x2222222222222222222222222222222222222222';
  const own = { ...honestTerms, network: polygon.id, asset: polygon.usdc, payTo: payee, extra: { ...polygon.domain } };
  const paidAt = (...networks: { network: string; payTo: string }[]): unknown => ({
    ...Object(honestCatalogue()),
    payment: { payTo: PAY_TO, network: 'eip155:8453', networks },
  });
  const both = paidAt({ network: 'eip155:8453', payTo: PAY_TO }, { network: polygon.id, payTo: payee });
  const buyOn = (scene: Scene) => buy({ catalogue: both, ...scene }, { network: polygon.id });

  test('the payee of that network is paid, for the token of that network', async () => {
    const { purchase, service } = await buyOn({ accepts: [honestTerms, own] });
    expect(purchase.ok).toBe(true);
    const { accepted, payload } = credentialSchema.parse(decode(service.credentials[0]));
    expect(accepted).toEqual(own);
    expect(payload.authorization.to).toBe(payee);
  });

  test.each<[string, Partial<PaymentRequirements>, string]>([
    ['the payee of the first network', { payTo: PAY_TO }, 'wrong_payee'],
    ['another payee', { payTo: stranger }, 'wrong_payee'],
    ['the token of Base', { asset: BASE_USDC }, 'wrong_asset'],
    ['the bridged token', { asset: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174' }, 'wrong_asset'],
    ['an authorization for 301 s', { maxTimeoutSeconds: 301 }, 'authorization_too_long'],
    ['more than the catalogue says', { amount: '60001' }, 'amount_above_catalogue'],
    ['a Permit2 approval', { extra: { ...polygon.domain, assetTransferMethod: 'permit2' } }, 'wrong_scheme'],
  ])('nothing is signed for %s, though the terms of Base are good', async (_what, changes, reason) => {
    const { purchase, service, counted } = await buyOn({ accepts: [honestTerms, { ...own, ...changes }] });
    expect(purchase).toMatchObject({ ok: false, reason, signed: false });
    expect([service.credentials, counted]).toEqual([[], []]);
  });

  test('a 402 without it is refused with the networks that it has', async () => {
    const { purchase, service } = await buyOn({ accepts: [honestTerms, { ...honestTerms, network: 'eip155:1' }] });
    expect(purchase).toMatchObject({ ok: false, reason: 'wrong_network', signed: false });
    expect(purchase).toMatchObject({ offered: ['eip155:8453', 'eip155:1'] });
    expect(service.credentials).toEqual([]);
  });

  test.each<[string, unknown, readonly string[]]>([
    [
      'names Base alone',
      { ...Object(honestCatalogue()), payment: { payTo: PAY_TO, network: 'eip155:8453' } },
      ['eip155:8453'],
    ],
    ['lists other networks', paidAt({ network: 'eip155:8453', payTo: PAY_TO }), ['eip155:8453']],
    ['names none', honestCatalogue(), []],
    ['names no address there', paidAt({ network: polygon.id, payTo: 'all of it to me' }), ['eip155:8453']],
  ])('a service whose catalogue %s is not asked for terms', async (_what, catalogue, offered) => {
    const { purchase, service } = await buyOn({ accepts: [own], catalogue });
    expect(purchase).toMatchObject({ ok: false, reason: 'wrong_network', offered, signed: false });
    expect(service.paths).toEqual(['/api/agent/index']);
  });

  test('without the choice nothing is signed there', async () => {
    const { purchase, service } = await buy({ accepts: [own], catalogue: both });
    expect(purchase).toMatchObject({ ok: false, reason: 'wrong_network', offered: [polygon.id], signed: false });
    expect(service.credentials).toEqual([]);
  });
});

test.each<[string, unknown, string]>([
  ['is no catalogue', { hello: 1 }, 'catalogue_unreadable'],
  ['lacks the capability', { payment: { payTo: PAY_TO }, capabilities: {} }, 'unknown_capability'],
  [
    'says it is not for sale',
    { payment: { payTo: PAY_TO }, capabilities: { [CAPABILITY]: { amount: '60000', available: false } } },
    'capability_unavailable',
  ],
  [
    'names no payee',
    { payment: { payTo: null }, capabilities: { [CAPABILITY]: { amount: '60000' } } },
    'capability_unavailable',
  ],
  [
    'has a lower price',
    { payment: { payTo: PAY_TO }, capabilities: { [CAPABILITY]: { amount: '59999' } } },
    'amount_above_catalogue',
  ],
])('A9: nothing is signed when the catalogue %s', async (_what, catalogue, reason) => {
  const { purchase, service } = await buy({ catalogue });
  expect(purchase).toMatchObject({ ok: false, reason, signed: false });
  expect(service.credentials).toEqual([]);
});

test('a capability named like a property of every object is unknown', async () => {
  expect((await buy({}, { capability: 'constructor' })).purchase).toMatchObject({
    ok: false,
    reason: 'unknown_capability',
  });
});

test.each(['/api/agent/index', `/api/agent/${CAPABILITY}`])(
  'A9: a redirect of %s is not followed',
  async (redirected) => {
    const other = await start({});
    const first: Scene['first'] = (path, response) => {
      if (path !== redirected) return false;
      response.writeHead(307, { location: `${other.url}${path}` }).end();
      return true;
    };
    const { purchase } = await buy({ first });
    expect(purchase).toMatchObject({ ok: false, reason: 'redirected', signed: false });
    expect(other.paths).toEqual([]);
  },
);

test('A9: a credential is not carried over a redirect to another host', async () => {
  const other = await start({});
  const { purchase } = await buy({
    onPaid: (_c, _n, response) => void response.writeHead(308, { location: other.url }).end(),
  });
  expect(purchase).toMatchObject({ ok: false, reason: 'redirected', signed: true });
  expect(other.paths).toEqual([]);
});

test.each([
  ['http://service.example', 'not_https'],
  ['ftp://127.0.0.1', 'invalid_base_url'],
  ['https://user:pass@service.example', 'invalid_base_url'],
  ['https://service.example/path', 'invalid_base_url'],
  ['service.example', 'invalid_base_url'],
])('A9: %s is no service to pay', async (baseUrl, reason) => {
  const { purchase } = await buy({}, { baseUrl });
  expect(purchase).toMatchObject({ ok: false, reason, signed: false });
});

test('A9: nothing is signed when it cannot be counted', async () => {
  const counter: SpendCounter = { reserve: async () => refuseSpending('counter_unavailable', 'disk full') };
  const { purchase, service } = await buy({}, {}, counter);
  expect(purchase).toMatchObject({ ok: false, reason: 'counter_unavailable', signed: false });
  expect(service.credentials).toEqual([]);
});

test('a refused payment is reported with the code of the service, as signed, and is not signed again', async () => {
  const { purchase, service } = await buy({
    onPaid: (_c, _n, response) => sendProblem(response, 402, 'insufficient_funds'),
  });
  expect(purchase).toMatchObject({ ok: false, reason: 'insufficient_funds', status: 402, signed: true });
  expect(service.credentials).toHaveLength(1);
});

test.each([
  [503, 'settlement_unknown'],
  [409, 'payment_in_progress'],
])('after %i with Retry-After the same payment is presented again', async (status, code) => {
  const onPaid: Scene['onPaid'] = (_credential, n, response) =>
    n < 3 ? sendProblem(response, status, code, 7) : sendJson(response, 200, { done: true });
  const { purchase, service, slept, counted } = await buy({ onPaid });
  expect(purchase).toMatchObject({ ok: true, result: { done: true } });
  expect(service.credentials).toHaveLength(3);
  expect(new Set(service.credentials).size).toBe(1);
  expect(slept).toEqual([7000, 7000]);
  expect(counted).toHaveLength(1);
});

test('a connection that breaks after payment is tried again with the same payment', async () => {
  const { purchase, service } = await buy({
    onPaid: (_credential, n, response) => (n === 1 ? void response.destroy() : sendJson(response, 200, { done: true })),
  });
  expect(purchase.ok).toBe(true);
  expect(new Set(service.credentials).size).toBe(1);
});

test.each([
  [409, 'payment_already_used'],
  [503, 'engine_not_configured'],
  [500, 'internal_error'],
  [422, 'target_unreachable'],
])('%i %s without Retry-After is the last word', async (status, code) => {
  const { purchase, service } = await buy({ onPaid: (_c, _n, response) => sendProblem(response, status, code) });
  expect(purchase).toMatchObject({ ok: false, reason: code, status, signed: true });
  expect(service.credentials).toHaveLength(1);
});

test('a service that asks to come back for ever is left after a bounded number of tries and waits', async () => {
  const { purchase, service, slept } = await buy({
    onPaid: (_c, _n, response) => sendProblem(response, 503, 'busy', 1),
  });
  expect(purchase).toMatchObject({ ok: false, reason: 'busy', signed: true });
  expect(service.credentials).toHaveLength(MAX_PAID_PRESENTATIONS);
  expect(slept).toHaveLength(MAX_PAID_PRESENTATIONS - 1);
});

test('a service cannot make us wait longer than the limit', async () => {
  const { slept } = await buy({
    onPaid: (_credential, n, response) =>
      n === 1 ? sendProblem(response, 503, 'busy', 86_400) : sendJson(response, 200, {}),
  });
  expect(slept).toEqual([MAX_RETRY_AFTER_S * 1000]);
});

test('an answer that is no JSON object is no result', async () => {
  const { purchase } = await buy({ onPaid: (_c, _n, response) => sendJson(response, 200, ['surprise']) });
  expect(purchase).toMatchObject({ ok: false, reason: 'result_unreadable', signed: true });
});

test('a service that is not there is unreachable, and nothing is signed', async () => {
  const service = await start({});
  await service.stop();
  const { purchase } = await buy({}, { baseUrl: service.url });
  expect(purchase).toMatchObject({ ok: false, reason: 'service_unreachable', signed: false });
});

test('a capability that answers 200 without payment costs nothing', async () => {
  const { purchase, counted } = await buy({
    first: (path, response) => {
      if (path !== `/api/agent/${CAPABILITY}`) return false;
      sendJson(response, 200, { free: true });
      return true;
    },
  });
  expect(purchase).toEqual({ ok: true, result: { free: true } });
  expect(counted).toEqual([]);
});

const hex = z.custom<Hex>(isHex);
const credentialSchema = z.object({
  accepted: z.unknown(),
  payload: z.object({
    signature: hex,
    authorization: z.object({
      from: z.string(),
      to: z.string(),
      value: z.string(),
      validAfter: z.string(),
      validBefore: z.string(),
      nonce: hex,
    }),
  }),
});

const decode = (credential = ''): unknown => JSON.parse(Buffer.from(credential, 'base64').toString());

async function start(scene: Scene): Promise<PaidService> {
  const service = await startPaidService({ catalogue: honestCatalogue(), ...scene });
  services.push(service);
  return service;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-orders-'));
  folders.push(folder);
  return folder;
}

type Bought = { purchase: Purchase; service: PaidService; counted: bigint[]; slept: number[] };

async function buy(scene: Scene, changes: Partial<OpenablePurchase> = {}, counter?: SpendCounter): Promise<Bought> {
  const service = await start(scene);
  const counted: bigint[] = [];
  const slept: number[] = [];
  const order: OpenablePurchase = {
    baseUrl: service.url,
    capability: CAPABILITY,
    body: { url: 'https://example.com/' },
    account,
    maxUsd: 1,
    ...changes,
  };
  const counting: SpendCounter = {
    reserve: async (microUsdc) => {
      counted.push(microUsdc);
      return { ok: true };
    },
  };
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  const orders = createOrderFolder(makeFolder());
  const purchase = await buyWithX402(order, { fetch, counter: counter ?? counting, orders, nowMs: Date.now, sleep });
  return { purchase, service, counted, slept };
}
