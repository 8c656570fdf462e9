import type { Client } from '@modelcontextprotocol/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentPayload } from '@x402/core/types';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../local/chain/chain.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { connect, type Era, PAYMENT, PAYMENT_RESPONSE, signTerms, termsOf, textOf } from './support/mcp-client.ts';

const TOOL = 'check_llms_txt';
/** Costs the same. */
const OTHER_TOOL = 'check_schema';
const PRICE = 70_000n;

let stack: Stack;
let buyer: Account;
beforeAll(async () => {
  stack = await startStack();
  buyer = await stack.chain.freshAccount(10_000_000n);
});
afterAll(async () => {
  await stack.stop();
});

const open = (): string => `${stack.api.url}/mcp`;
const spent = async (during: () => Promise<unknown>): Promise<{ buyer: bigint; seller: bigint }> => {
  const before = [await stack.chain.balance(buyer.address), await stack.chain.balance(stack.seller.address)] as const;
  await during();
  return {
    buyer: before[0] - (await stack.chain.balance(buyer.address)),
    seller: (await stack.chain.balance(stack.seller.address)) - before[1],
  };
};

/** Calls without paying, signs what is asked for. */
async function signed(client: Client, name = TOOL, args: Record<string, unknown> = { url: stack.sites.good }) {
  return signTerms(buyer, termsOf(await client.callTool({ name, arguments: args })));
}

const call = (client: Client, payment: PaymentPayload | string, name = TOOL, args: Record<string, unknown> = {}) =>
  client.callTool({
    name,
    arguments: { url: stack.sites.good, ...args },
    _meta: { [PAYMENT]: payment },
  });

describe.each<Era>(['modern', 'legacy'])('the official MCP client, %s era, at the open endpoint', (era) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(open(), era);
  });
  afterAll(async () => {
    await client.close();
  });

  test('speaks the revision it asked for and lists the tools with their prices', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25');
    const { tools, _meta: meta } = await client.listTools();
    const tool = tools.find(({ name }) => name === TOOL);
    expect(tool?._meta?.['x402']).toEqual({ amount: String(PRICE) });
    expect(meta?.['x402']).toMatchObject({
      scheme: 'exact',
      network: 'eip155:8453',
      payTo: stack.seller.address.toLowerCase(),
    });
  });

  test('an unpaid call answers PaymentRequired as an object, as text and in _meta', async () => {
    const result = await client.callTool({ name: TOOL, arguments: { url: stack.sites.good } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(result._meta?.['x402/error']).toEqual(result.structuredContent);
    expect(termsOf(result)).toMatchObject({
      x402Version: 2,
      resource: { url: `mcp://tool/${TOOL}` },
      accepts: [
        { scheme: 'exact', network: 'eip155:8453', amount: String(PRICE), payTo: stack.seller.address.toLowerCase() },
      ],
    });
  });

  test('a payment as an object buys the result, and USDC moves once', async () => {
    const payment = await signed(client);
    const moved = await spent(async () => {
      const result = await call(client, payment);
      expect(result.isError ?? false).toBe(false);
      expect(result.structuredContent).toMatchObject({ capability: TOOL, evidence: { untrusted: true } });
      const receipt = result._meta?.[PAYMENT_RESPONSE] as { transaction: Hex; payer: string };
      expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' });
      expect(receipt.payer.toLowerCase()).toBe(buyer.address.toLowerCase());
      expect((await stack.chain.client.getTransactionReceipt({ hash: receipt.transaction })).status).toBe('success');
    });
    expect(moved).toEqual({ buyer: PRICE, seller: PRICE });
  });

  test('a payment as base64 text buys it too', async () => {
    const payment = encodePaymentSignatureHeader(await signed(client));
    const moved = await spent(async () => {
      expect((await call(client, payment))._meta?.[PAYMENT_RESPONSE]).toMatchObject({ success: true });
    });
    expect(moved).toEqual({ buyer: PRICE, seller: PRICE });
  });

  test('a payment in the header PAYMENT-SIGNATURE buys it too', async () => {
    const payment = encodePaymentSignatureHeader(await signed(client));
    const moved = await spent(async () => {
      const paying = await connect(open(), era, { 'payment-signature': payment });
      const result = await paying.callTool({ name: TOOL, arguments: { url: stack.sites.good } });
      expect(result._meta?.[PAYMENT_RESPONSE]).toMatchObject({ success: true });
      await paying.close();
    });
    expect(moved).toEqual({ buyer: PRICE, seller: PRICE });
  });

  test('$1: a payment replayed with the same arguments is the same sale, and nothing moves again', async () => {
    const payment = await signed(client);
    const first = await call(client, payment);
    const moved = await spent(async () => {
      const again = await call(client, payment);
      expect(again.structuredContent).toEqual(first.structuredContent);
      expect(again._meta?.[PAYMENT_RESPONSE]).toEqual(first._meta?.[PAYMENT_RESPONSE]);
    });
    expect(moved).toEqual({ buyer: 0n, seller: 0n });
  });

  test('$2: a payment for one tool does not buy another of the same price', async () => {
    const terms = termsOf(await client.callTool({ name: OTHER_TOOL, arguments: { url: stack.sites.good } }));
    expect(terms.accepts[0]?.amount).toBe(String(PRICE));
    const payment = await signed(client);
    const moved = await spent(async () => {
      await call(client, payment);
      const { resource: _named, ...unnamed } = payment;
      const named = await call(client, payment, OTHER_TOOL);
      expect([named.isError, named.structuredContent]).toMatchObject([true, { code: 'wrong_route' }]);
      // The resource is not signed: without it the payment is still that of the first tool.
      const result = await call(client, unnamed, OTHER_TOOL);
      expect([result.isError, result.structuredContent]).toMatchObject([true, { code: 'payment_already_used' }]);
    });
    expect(moved).toEqual({ buyer: PRICE, seller: PRICE });
  });

  test('$3: a payment buys the arguments it was presented with, and no others', async () => {
    const payment = await signed(client);
    const moved = await spent(async () => {
      await call(client, payment);
      const result = await call(client, payment, TOOL, { url: stack.sites.poor });
      expect([result.isError, result.structuredContent]).toMatchObject([true, { code: 'payment_already_used' }]);
    });
    expect(moved).toEqual({ buyer: PRICE, seller: PRICE });
  });
});

test('P23: a payment presented by HTTP is the same sale at the MCP endpoint', async () => {
  const client = await connect(open(), 'modern');
  const payment = await signed(client);
  const byHttp = await fetch(`${stack.api.url}/api/agent/${TOOL}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'payment-signature': encodePaymentSignatureHeader(payment) },
    body: JSON.stringify({ url: stack.sites.good }),
  });
  expect(byHttp.status).toBe(200);
  const sold = (await byHttp.json()) as { report_id: string };
  const moved = await spent(async () => {
    expect((await call(client, payment)).structuredContent).toMatchObject({ report_id: sold.report_id });
  });
  expect(moved).toEqual({ buyer: 0n, seller: 0n });
  await client.close();
});
