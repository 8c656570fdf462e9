import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recoverTypedDataAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { AUTHORIZATION_TYPES } from '../../../src/payment/terms/constants.ts';
import { PAYMENT_NETWORKS, type PaymentNetwork } from '../../../src/payment/terms/networks-data.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';
import {
  CAPABILITY,
  honestCatalogue,
  honestTerms,
  PAY_TO,
  type PaidService,
  startPaidService,
} from '../../support/stack/paid-service.ts';

const BASE = PAYMENT_NETWORKS['eip155:8453'];
const POLYGON = PAYMENT_NETWORKS['eip155:137'];
const SEPOLIA = PAYMENT_NETWORKS['eip155:84532'];
const buyer = generatePrivateKey();

const sentSchema = z.object({
  accepted: z.object({ network: z.string(), asset: z.string() }),
  payload: z.object({
    signature: z.custom<`0x${string}`>(),
    authorization: z.object({
      from: z.custom<`0x${string}`>(),
      to: z.custom<`0x${string}`>(),
      value: z.coerce.bigint(),
      validAfter: z.coerce.bigint(),
      validBefore: z.coerce.bigint(),
      nonce: z.custom<`0x${string}`>(),
    }),
  }),
});

/** A service that sells on these networks, and a folder where the local stack's buyer pays it. */
async function sellOn(...networks: PaymentNetwork[]): Promise<{
  service: PaidService;
  buy: (...words: string[]) => Promise<Ended>;
}> {
  const service = await startPaidService({
    catalogue: {
      ...Object(honestCatalogue()),
      payment: {
        payTo: PAY_TO,
        network: networks[0]?.id,
        ...(networks.length < 2 ? {} : { networks: networks.map(({ id: network }) => ({ network, payTo: PAY_TO })) }),
      },
    },
    accepts: networks.map(({ id, usdc, domain }) => ({
      ...honestTerms,
      network: id,
      asset: usdc,
      extra: { ...domain },
    })),
    onPaid: (_credential, _presentation, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ capability: CAPABILITY, url: 'https://shop.example/', warnings: [] }));
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'sightline-buy-command-'));
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
  });
  const { address } = privateKeyToAccount(buyer);
  const stack = {
    api: service.url,
    rpc: service.url,
    facilitator: service.url,
    sites: { good: service.url, poor: service.url },
    buyer: { address, privateKey: buyer },
    seller: { address: PAY_TO },
  };
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack));
  const command = ['buy', CAPABILITY, 'https://shop.example/', '--json'];
  return {
    service,
    buy: (...words) => runCli([...command, ...words], { cwd: folder, env: { HOME: folder } }),
  };
}

/** The network of the only payment that a service got, and whether its signature is good there. */
async function paidOn({ credentials }: PaidService): Promise<unknown> {
  expect(credentials).toHaveLength(1);
  const { accepted, payload } = sentSchema.parse(JSON.parse(atob(credentials[0] ?? '')));
  const network = Object.values(PAYMENT_NETWORKS).find(({ id }) => id === accepted.network);
  if (network === undefined) throw new Error(`no network of ours: ${accepted.network}`);
  const signer = await recoverTypedDataAddress({
    domain: { ...network.domain, chainId: network.chainId, verifyingContract: network.usdc },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: payload.authorization,
    signature: payload.signature,
  });
  return { network: network.id, isSigned: signer === privateKeyToAccount(buyer).address };
}

test('A9: --testnet signs for the test network, where the service is paid there', async () => {
  const { service, buy } = await sellOn(SEPOLIA);
  expect((await buy('--testnet')).status).toBe(0);
  expect(await paidOn(service)).toEqual({ network: SEPOLIA.id, isSigned: true });
});

test.each([
  ['Base', [], BASE],
  ['the test network', ['--testnet'], SEPOLIA],
])('A9: of terms for both networks, those of %s are signed with %j', async (_what, words, network) => {
  const { service, buy } = await sellOn(BASE, SEPOLIA);
  expect((await buy(...words)).status).toBe(0);
  expect(await paidOn(service)).toEqual({ network: network.id, isSigned: true });
});

test.each([
  [[], BASE],
  [['--network', 'base'], BASE],
  [['--network', 'polygon'], POLYGON],
  [['--network', 'eip155:137'], POLYGON],
])('A9: of terms for Base and Polygon, %j signs for $id and for nothing else', async (words, network) => {
  const { service, buy } = await sellOn(BASE, POLYGON);
  expect((await buy(...words)).status).toBe(0);
  expect(await paidOn(service)).toEqual({ network: network.id, isSigned: true });
});

test.each([
  ['a service on Base with --testnet', [BASE], ['--testnet'], '--network base'],
  ['a service on the test network without it', [SEPOLIA], [], '--network base-sepolia'],
  ['a service on Base with --network polygon', [BASE], ['--network', 'polygon'], '--network base'],
  ['a service on two networks for a third', [BASE, POLYGON], ['--testnet'], '--network base or --network polygon'],
])('A9: nothing is signed for %s, and the message says what to change', async (_what, networks, words, option) => {
  const { service, buy } = await sellOn(...networks);
  const { status, out, err } = await buy(...words);
  expect([status, out]).toEqual([1, '']);
  expect(JSON.parse(err)).toMatchObject({
    reason: 'wrong_network',
    message: expect.stringContaining(`is paid on ${networks.map(({ id, name }) => `${name} (${id})`).join(', ')}`),
    detail: 'Nothing was signed or paid.',
    next: `If your USDC is there, pay with ${option}.`,
  });
  expect(service.credentials).toEqual([]);
});

test.each([
  [['--testnet', '--network', 'base'], '--testnet is --network base-sepolia'],
  [['--network', 'solana'], '--network takes one of base, polygon, base-sepolia'],
  [['--network', 'polygn'], 'Did you mean polygon?'],
  [['--network', 'polygon', '--transfer'], 'A transfer needs the chain: --rpc <url>.'],
])('A9: %j asks nothing and signs nothing', async (words, message) => {
  const { service, buy } = await sellOn(BASE, POLYGON);
  const { status, err } = await buy(...words);
  expect(status).toBe(2);
  expect(JSON.parse(err)).toMatchObject({ reason: 'usage', message: expect.stringContaining(message) });
  expect(service.credentials).toEqual([]);
});
