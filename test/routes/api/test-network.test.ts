import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../routes/api/app.ts';
import { createCreditAccounts } from '../../../routes/api/bindings/credit-account.ts';
import type { Env } from '../../../routes/api/bindings/env.ts';
import { localAnswers } from '../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { AUTHORIZATION_TYPES } from '../../../src/payment/terms/constants.ts';
import { PAYMENT_NETWORKS } from '../../../src/payment/terms/networks-data.ts';
import { settleOnChain } from './sales/settling-chain.ts';
import { account, decode, emptyChain, encode, ledgerRows, PAYER, type World, world } from './world.ts';

const BASE = PAYMENT_NETWORKS['eip155:8453'];
const SEPOLIA = PAYMENT_NETWORKS['eip155:84532'];
type PaymentNetwork = typeof BASE | typeof SEPOLIA;
const app = createApp({ policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: localAnswers });

/** Deployments that differ in their network and in nothing else: one payee, one ledger. */
const deploymentOf = (network: PaymentNetwork, changes: object = {}): Env => {
  const bound = { ...bindings, PAYMENT_NETWORK: network.id, ...changes } as unknown as Env;
  return bound;
};
const deployments = new Map([BASE, SEPOLIA].map((network) => [network.id, deploymentOf(network)]));

let seen: World;
beforeEach(() => {
  seen = world();
  seen.settle = { success: true, transaction: TRANSACTION, network: SEPOLIA.id, payer: PAYER };
  seen.rpc = (method, params) => (method === 'eth_chainId' ? '0x14a34' : emptyChain(method, params));
});
afterEach(() => {
  deployments.set(SEPOLIA.id, deploymentOf(SEPOLIA));
  vi.restoreAllMocks();
});

const TRANSACTION = `0x${'5e'.repeat(32)}`;
let callers = 0;

type Sent = { method?: string; body?: string; headers?: Record<string, string> };

async function send(network: PaymentNetwork, path: string, init: Sent = {}): Promise<Response> {
  callers += 1;
  const headers = { 'content-type': 'application/json', 'cf-connecting-ip': `203.0.113.${callers}`, ...init.headers };
  const context = createExecutionContext();
  const env = deployments.get(network.id);
  if (env === undefined) throw new Error(`no deployment on ${network.id}`);
  const answer = await app.fetch(new Request(`${bindings.BASE_URL}${path}`, { ...init, headers }), env, context);
  const body = await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  return new Response(body, answer);
}

const AUDIT = '/api/agent/check_health';
const PACK = '/api/credits/5';

const buy = (network: PaymentNetwork, credential?: string, path = AUDIT): Promise<Response> =>
  send(network, path, {
    method: 'POST',
    body: path === PACK ? '{}' : JSON.stringify({ url: 'https://shop.example/' }),
    headers: credential === undefined ? {} : { 'payment-signature': credential },
  });

type Required = { accepts: [Record<string, unknown> & { extra: object }]; resource: object; extensions: object };
let nonces = 0;

/** A payment as an official client makes it from the terms of a deployment, signed for a network. */
async function pay(
  termsOf: PaymentNetwork,
  signedFor: PaymentNetwork,
  accepted: object = {},
  path = AUDIT,
): Promise<string> {
  const required = decode((await buy(termsOf, undefined, path)).headers.get('payment-required') ?? '') as Required;
  const [terms] = required.accepts;
  nonces += 1;
  const message = {
    from: account.address,
    to: bindings.PAY_TO as `0x${string}`,
    value: BigInt(String(terms['amount'])),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 300),
    nonce: `0x${nonces.toString(16).padStart(64, '7')}` as const,
  };
  const signature = await account.signTypedData({
    domain: { ...signedFor.domain, chainId: signedFor.chainId, verifyingContract: signedFor.usdc },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const authorization = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]));
  return encode({
    x402Version: 2,
    resource: required.resource,
    accepted: { ...terms, ...accepted },
    payload: { signature, authorization },
    extensions: required.extensions,
  });
}

const codeOf = async (answer: Response): Promise<unknown> => [
  answer.status,
  ((await answer.json()) as { code: string }).code,
];

describe('a deployment on Base Sepolia', () => {
  test('offers, sells and gives receipts there', async () => {
    const terms = decode((await buy(SEPOLIA)).headers.get('payment-required') ?? '') as Required;
    expect(terms.accepts).toMatchObject([
      {
        network: 'eip155:84532',
        asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
        extra: { name: 'USDC', version: '2' },
      },
    ]);
    const sold = await buy(SEPOLIA, await pay(SEPOLIA, SEPOLIA));
    expect(sold.status).toBe(200);
    expect(decode(sold.headers.get('payment-response') ?? '')).toMatchObject({
      success: true,
      network: 'eip155:84532',
    });
    expect(await sold.json()).toMatchObject({ payment: { network: 'eip155:84532', transaction: TRANSACTION } });
    expect(seen.calls.verify).toMatchObject([
      { paymentRequirements: { network: 'eip155:84532', asset: SEPOLIA.usdc } },
    ]);
    expect(seen.calls.settle).toMatchObject([{ paymentRequirements: { network: 'eip155:84532' } }]);
  });

  test('delivers nothing where the facilitator settled on another network', async () => {
    seen.settle = { success: true, transaction: TRANSACTION, network: BASE.id, payer: PAYER };
    expect(await codeOf(await buy(SEPOLIA, await pay(SEPOLIA, SEPOLIA)))).toEqual([503, 'settlement_unknown']);
  });

  test('P6: sells credits that are good there, and none where real money pays', async () => {
    settleOnChain(seen, SEPOLIA);
    const sold = await buy(SEPOLIA, await pay(SEPOLIA, SEPOLIA, {}, PACK), PACK);
    expect([sold.status, await sold.json()]).toMatchObject([200, { balance: '5.000000' }]);
    const { id = '' } = (await bindings.AUTHORIZATION_STORE.getByName('authorization').payerAccount(PAYER)) ?? {};
    const balances = [SEPOLIA, BASE].map(async (network) => {
      const accounts = createCreditAccounts(deploymentOf(network), () => {});
      return (await accounts.open(id).view()).balanceMicroUsdc;
    });
    expect(await Promise.all(balances)).toEqual([5_000_000, 0]);
  });

  test('A3: signs in for its own chain, on which contract wallets are asked', async () => {
    const chainOf = async (network: PaymentNetwork): Promise<unknown> => {
      const page = await (await send(network, '/signin')).text();
      const nonce = await send(network, '/signin/siwe/nonce', { method: 'POST', body: '{}' });
      return [/data-chain-id="(\d+)"/.exec(page)?.[1], ((await nonce.json()) as { chain_id: number }).chain_id];
    };
    expect(await chainOf(SEPOLIA)).toEqual(['84532', 84_532]);
    expect(await chainOf(BASE)).toEqual(['8453', 8453]);
  });

  test('reads only a chain of that id', async () => {
    seen.rpc = emptyChain; // It calls itself Base.
    deployments.set(SEPOLIA.id, deploymentOf(SEPOLIA, { RPC_URL: `${bindings.RPC_URL}/another` }));
    expect(await codeOf(await buy(SEPOLIA, `0x${'1a'.repeat(32)}`))).toEqual([503, 'payment_unverifiable']);
  });

  test('says so in its catalogue, its OpenAPI document, its text for models and its tools', async () => {
    for (const path of ['/api/agent/index', '/openapi.json', '/llms.txt']) {
      const text = await (await send(SEPOLIA, path)).text();
      expect(text).toMatch(/eip155:84532|Base Sepolia/);
      expect(text).not.toMatch(/eip155:8453\b|0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913/);
      const onBase = await (await send(BASE, path)).text();
      expect(onBase).not.toMatch(/84532|Sepolia|0x036CbD/);
    }
    const page = await (await send(SEPOLIA, '/audit', { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('Base Sepolia, a test network');
    expect(page).not.toContain('data-pay-to');
  });
});

describe('no payment is good on two networks', () => {
  test.each([
    ['a payment of Base on the test network', BASE, SEPOLIA],
    ['a payment of the test network on Base', SEPOLIA, BASE],
  ])('%s: as it was made, and with terms and signature mixed', async (_what, made, used) => {
    expect(await codeOf(await buy(used, await pay(made, made)))).toEqual([402, 'wrong_terms']);
    const disguised = { network: used.id, asset: used.usdc };
    if (used === BASE) seen.rpc = emptyChain; // The node of the one that is asked.
    seen.verify = { isValid: true, payer: PAYER }; // Whatever a facilitator says.
    expect(await codeOf(await buy(used, await pay(used, made)))).toEqual([402, 'invalid_signature']);
    expect(await codeOf(await buy(used, await pay(made, made, disguised)))).toEqual([402, 'invalid_signature']);
    expect(await ledgerRows()).toBe(0);
    expect(seen.calls.settle).toEqual([]);
  });

  test('a payment that was sold on the test network buys nothing on Base', async () => {
    const credential = await pay(SEPOLIA, SEPOLIA);
    expect((await buy(SEPOLIA, credential)).status).toBe(200);
    expect(await codeOf(await buy(BASE, credential))).toEqual([402, 'wrong_terms']);
    expect(await ledgerRows()).toBe(1);
  });
});

test('its operator reads the network that it sells on, and so does an operator of Base', async () => {
  for (const network of [SEPOLIA, BASE]) {
    const signedIn = await send(network, '/signin/operator', {
      method: 'POST',
      body: JSON.stringify({ secret: bindings['OPERATOR_SECRET'] }),
    });
    const { csrf } = (await signedIn.json()) as { csrf: string };
    const cookie = signedIn.headers.getSetCookie().at(-1)?.split(';', 1)[0] ?? '';
    const checkup = await send(network, '/operator/checkup', { headers: { cookie, 'x-csrf-token': csrf } });
    expect(await checkup.json()).toMatchObject({ network: network.id });
  }
});
