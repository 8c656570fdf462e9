import { x402Client } from '@x402/core/client';
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { domainSeparator, parseEventLogs, type Hex, isHex } from 'viem';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { startChainSaver } from '../../../local/chain/chain-state.ts';
import { startChain, type Account, type Chain } from '../../../local/chain/chain.ts';
import { startFacilitator, type Facilitator } from '../../../local/chain/facilitator.ts';
import { StateUnreadable } from '../../../local/stack-state.ts';
import { MULTICALL3, USDC, usdcAbi } from '../../../local/chain/usdc.ts';

const NETWORK = 'eip155:8453';
const PRICE = 60_000n;
/** The domain separator of USDC on Base mainnet. */
const BASE_DOMAIN_SEPARATOR = '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f';
const CONCURRENT_SETTLEMENTS = 5;

let chain: Chain;
let facilitator: Facilitator;
let buyer: Account;
let seller: Account;

beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator({ rpcUrl: chain.rpcUrl });
  buyer = await chain.freshAccount(100_000_000n);
  seller = await chain.freshAccount();
});

afterAll(async () => {
  await facilitator.stop();
  await chain.stop();
});

const usdc = { address: USDC, abi: usdcAbi } as const;

test('the local chain has the id of Base and the USDC contract that Base has, at its address', async () => {
  expect(await chain.client.getChainId()).toBe(8453);
  expect(await chain.client.readContract({ ...usdc, functionName: 'name' })).toBe('USD Coin');
  expect(await chain.client.readContract({ ...usdc, functionName: 'version' })).toBe('2');
  expect(await chain.client.readContract({ ...usdc, functionName: 'decimals' })).toBe(6);
});

test('payers sign the same domain as on Base', async () => {
  const separator = await chain.client.readContract({ ...usdc, functionName: 'DOMAIN_SEPARATOR' });
  expect(separator).toBe(BASE_DOMAIN_SEPARATOR);
  const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC };
  expect(domainSeparator({ domain })).toBe(separator);
});

test('Multicall3 answers at its usual address', async () => {
  const results = await chain.client.multicall({
    multicallAddress: MULTICALL3,
    contracts: [
      { ...usdc, functionName: 'name' },
      { ...usdc, functionName: 'balanceOf', args: [buyer.address] },
    ],
  });
  expect(results.map(({ status }) => status)).toEqual(['success', 'success']);
});

test('P8: the chain starts without accounts, so no publicly known key has money on it', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_accounts', params: [] });
  const headers = { 'content-type': 'application/json' };
  expect(await (await fetch(chain.rpcUrl, { method: 'POST', headers, body })).json()).toMatchObject({ result: [] });
  const wellKnown = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  expect(await chain.client.getBalance({ address: wellKnown })).toBe(0n);
});

test('P8: buyer, seller and facilitator are different keys, and different again on another start', async () => {
  const other = await startFacilitator({ rpcUrl: chain.rpcUrl });
  const addresses = [buyer.address, seller.address, facilitator.address, other.address];
  await other.stop();
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('a plain transfer moves USDC and its receipt holds one Transfer event', async () => {
  const receiver = await chain.freshAccount();
  const hash = await chain.transfer(buyer, receiver.address, PRICE);
  expect(await chain.balance(receiver.address)).toBe(PRICE);
  const { logs } = await chain.client.getTransactionReceipt({ hash });
  const events = parseEventLogs({ abi: usdcAbi, logs });
  expect(events.map(({ eventName, args }) => ({ eventName, args }))).toEqual([
    { eventName: 'Transfer', args: { from: buyer.address, to: receiver.address, value: PRICE } },
  ]);
});

test('a transfer of more than the balance is refused', async () => {
  const poor = await chain.freshAccount(1n);
  await expect(chain.transfer(poor, seller.address, 2n)).rejects.toThrow(/exceeds balance|reverted/);
});

test('the facilitator offers exact payments on the local network', async () => {
  const supported = await (await fetch(`${facilitator.url}/supported`)).json();
  expect(supported).toMatchObject({
    kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK }],
    signers: { 'eip155:*': [facilitator.address] },
  });
});

test('an authorization signed by the official client verifies, settles once, and moves the balances', async () => {
  const payload = await signed(buyer, requirements(seller.address));
  const before = { buyer: await chain.balance(buyer.address), seller: await chain.balance(seller.address) };
  expect(await call('verify', payload)).toMatchObject({ isValid: true, payer: buyer.address });
  const settled = settleReply.parse(await call('settle', payload));
  expect(settled).toMatchObject({ success: true, network: NETWORK, payer: buyer.address });
  expect(await chain.balance(buyer.address)).toBe(before.buyer - PRICE);
  expect(await chain.balance(seller.address)).toBe(before.seller + PRICE);
  const { logs } = await chain.client.getTransactionReceipt({ hash: settled.transaction });
  expect(parseEventLogs({ abi: usdcAbi, logs }).map(({ eventName }) => eventName)).toEqual([
    'AuthorizationUsed',
    'Transfer',
  ]);
});

test('settlements that arrive together all go through', async () => {
  const payloads = await Promise.all(
    Array.from({ length: CONCURRENT_SETTLEMENTS }, () => signed(buyer, requirements(seller.address))),
  );
  const before = await chain.balance(seller.address);
  const replies = await Promise.all(payloads.map((payload) => call('settle', payload)));
  expect(replies.map((reply) => settleReply.parse(reply).success)).toEqual(payloads.map(() => true));
  expect(await chain.balance(seller.address)).toBe(before + PRICE * BigInt(CONCURRENT_SETTLEMENTS));
});

test.each<[string, (payload: PaymentPayload) => unknown, string]>([
  [
    'a changed amount',
    (p) => ({ ...p, payload: { ...p.payload, authorization: { ...authorizationOf(p), value: '1' } } }),
    'invalid_exact_evm_',
  ],
  [
    'a garbage signature',
    (p) => ({ ...p, payload: { ...p.payload, signature: `0x${'11'.repeat(65)}` } }),
    'invalid_exact_evm_signature',
  ],
])('%s does not verify', async (_what, tamper, reason) => {
  const payload = await signed(buyer, requirements(seller.address));
  const reply = verifyReply.parse(await call('verify', tamper(payload), payload.accepted));
  expect(reply.isValid).toBe(false);
  expect(reply.invalidReason).toContain(reason);
});

test('a payer without money is told so, which needs Multicall3', async () => {
  const poor = await chain.freshAccount();
  const payload = await signed(poor, requirements(seller.address));
  expect(await call('verify', payload)).toMatchObject({
    isValid: false,
    invalidReason: 'invalid_exact_evm_insufficient_balance',
  });
});

test('a settled authorization is refused as used, which needs Multicall3', async () => {
  const payload = await signed(buyer, requirements(seller.address));
  expect(await call('settle', payload)).toMatchObject({ success: true });
  expect(await call('verify', payload)).toMatchObject({
    isValid: false,
    invalidReason: 'invalid_exact_evm_nonce_already_used',
  });
});

test.each([
  ['verify', { isValid: false, invalidReason: 'unexpected_verify_error' }],
  ['settle', { success: false, errorReason: 'unexpected_settle_error', transaction: '' }],
] as const)('an unknown network is a refusal of %s, not a crash', async (operation, refusal) => {
  const payload = await signed(buyer, requirements(seller.address));
  expect(await call(operation, payload, { ...payload.accepted, network: 'eip155:1' })).toMatchObject(refusal);
});

test.each(['', 'not json', '[]', '{"paymentPayload":1}'])(
  'the facilitator refuses the body %j with 400',
  async (body) => {
    expect((await fetch(`${facilitator.url}/verify`, { method: 'POST', body })).status).toBe(400);
  },
);

const settleReply = z.object({ success: z.boolean(), transaction: z.custom<Hex>(isHex) }).loose();
const verifyReply = z.object({ isValid: z.boolean(), invalidReason: z.string().optional() });

function requirements(payTo: string): PaymentRequirements {
  return {
    scheme: 'exact',
    network: NETWORK,
    amount: String(PRICE),
    asset: USDC,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2' },
  };
}

async function signed(payer: Account, accepted: PaymentRequirements): Promise<PaymentPayload> {
  const required: PaymentRequired = { x402Version: 2, resource: { url: 'http://127.0.0.1/test' }, accepts: [accepted] };
  return new x402Client().register(NETWORK, new ExactEvmScheme(payer.account)).createPaymentPayload(required);
}

function authorizationOf(payload: PaymentPayload): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(payload.payload['authorization']);
}

async function call(
  operation: 'verify' | 'settle',
  payload: unknown,
  terms = requirements(seller.address),
): Promise<unknown> {
  const response = await fetch(`${facilitator.url}/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: terms }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

test('a saved chain goes on where it was, though its file could not be written for a while', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'saved-chain-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'chain.json');
  const first = await startChain();
  const said: string[] = [];
  const saver = await startChainSaver(first.client, file, (_level, message) => void said.push(message));
  const saved = statSync(file).mtimeMs;
  // What the disk refuses: the file's draft has a folder's name.
  mkdirSync(`${file}.${process.pid}`);
  const payer = await first.freshAccount(PRICE);
  await expect.poll(() => said, { timeout: 20_000 }).toEqual([expect.stringContaining('The chain cannot be saved')]);
  rmdirSync(`${file}.${process.pid}`);
  await expect.poll(() => statSync(file).mtimeMs, { timeout: 20_000 }).toBeGreaterThan(saved);
  await first.stop(); // Before the saver: as by a kill.
  await expect(saver.stop()).rejects.toThrow('HTTP request failed');
  const second = await startChain({ savedChain: file });
  onTestFinished(() => second.stop());
  expect(await second.balance(payer.address)).toBe(PRICE);
});

test.each([
  ['of another form', '{"version":2}'],
  ['cut off', '{"version":1,"state":"0x1f'],
  ['of another anvil', '{"version":1,"state":"0x00"}'],
])('a saved chain that is %s is refused with the way out', async (_what, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'saved-chain-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'chain.json');
  writeFileSync(file, text);
  const refusal = await startChain({ savedChain: file }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StateUnreadable);
  expect(String(refusal)).toContain('npm start -- --fresh');
});

test('a chain that ran for long is loaded without its empty blocks: what was paid in it is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'saved-chain-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'chain.json');
  const first = await startChain();
  const hash = await first.transfer(await first.freshAccount(PRICE), seller.address, PRICE);
  await first.client.mine({ blocks: 300 });
  const height = await first.client.getBlockNumber();
  await (await startChainSaver(first.client, file)).stop();
  await first.stop();
  const second = await startChain({ savedChain: file });
  onTestFinished(() => second.stop());
  const { blockNumber, status } = await second.client.getTransactionReceipt({ hash });
  expect(status).toBe('success');
  expect((await second.client.getBlock({ blockNumber })).transactions).toEqual([hash]);
  expect(await second.balance(seller.address)).toBe(PRICE);
  expect(await second.client.getBlockNumber()).toBeGreaterThan(height);
  await expect(second.client.getBlock({ blockNumber: blockNumber + 50n })).rejects.toThrow('could not be found');
  const logs = await second.client.getLogs({ address: USDC, fromBlock: 0n, toBlock: 'latest' });
  expect(logs.map(({ transactionHash }) => transactionHash)).toContain(hash);
});

test('a chain takes requests of any size: that of its own state grows by the hour', async () => {
  const data = `0x${'00'.repeat(1_500_000)}`;
  expect(await chain.client.request({ method: 'web3_sha3', params: [data] } as never)).toMatch(/^0x[0-9a-f]{64}$/);
});
