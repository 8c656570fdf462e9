import { x402Client } from '@x402/core/client';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, type Chain, startChain } from '../../../local/chain/chain.ts';
import { type Facilitator, startFacilitator } from '../../../local/chain/facilitator.ts';
import { startStack, type Stack } from '../../../local/stack.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { buildProofTypedData, computePayerProofSalt } from '../../../src/payment/rails/transfer/payer-proof.ts';
import { POLYGON } from '../../../src/payment/terms/networks-data.ts';
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
