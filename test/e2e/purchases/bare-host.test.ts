import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { connect, PAYMENT, signTerms, termsOf } from '../../conformance/support/mcp-client.ts';
import { codeOf, present, presentUntilDecided, sign } from '../../support/stack/presenting.ts';

const PRICE = 60_000n;

let stack: Stack;
let payer: Account;
/** The demo site as a person types it: it speaks http alone. */
let bare: string;
beforeAll(async () => {
  stack = await startStack();
  payer = await stack.chain.freshAccount(20_000_000n);
  bare = new URL(stack.sites.good).host;
});
afterAll(() => stack.stop());

type Result = { report_id: string; url: string; warnings: readonly string[] };

describe('a bare host and its full URL are one sale', () => {
  test('bought by the bare host, repeated with every spelling of the URL', async () => {
    const before = await stack.chain.balance(payer.address);
    const credential = await sign(stack, payer, { body: { url: bare } });
    const answer = await presentUntilDecided(stack, { body: { url: bare } }, credential);
    expect(answer.status).toBe(200);
    const bought = (await answer.json()) as Result;
    expect(bought.url).toBe(`https://${bare}/`);
    expect(bought.warnings).toContainEqual(
      expect.stringContaining(`https://${bare}/ gave no answer, so http://${bare}/ was read instead`),
    );
    for (const url of [`https://${bare}/`, `https://${bare}`, `HTTPS://${bare}`, ` ${bare} `, bare]) {
      const again = await present(stack, { body: { url } }, credential);
      expect([url, again.status, ((await again.json()) as Result).report_id]).toEqual([url, 200, bought.report_id]);
    }
    expect(before - (await stack.chain.balance(payer.address))).toBe(PRICE);
  });

  test('another site, and the same host over http, are other orders', async () => {
    const credential = await sign(stack, payer, { body: { url: bare } });
    expect((await presentUntilDecided(stack, { body: { url: bare } }, credential)).status).toBe(200);
    for (const url of [stack.sites.good, new URL(stack.sites.poor).host]) {
      const other = await present(stack, { body: { url } }, credential);
      expect([url, other.status, await codeOf(other)]).toEqual([url, 409, 'payment_already_used']);
    }
  });

  test('the same by MCP: one payment, one report', async () => {
    const credential = await sign(stack, payer, { body: { url: bare } });
    const byHttp = (await (
      await presentUntilDecided(stack, { body: { url: `https://${bare}` } }, credential)
    ).json()) as {
      code?: string;
    };
    // Who writes https gets https or a failure: nothing is charged, and the payment still buys the bare host.
    expect(byHttp.code).toBe('target_unreachable');
    const client = await connect(`${stack.api.url}/mcp`, 'modern');
    try {
      const unpaid = await client.callTool({ name: 'check_health', arguments: { url: bare } });
      const _meta = { [PAYMENT]: await signTerms(payer, termsOf(unpaid)) };
      const paid = await client.callTool({ name: 'check_health', arguments: { url: bare }, _meta });
      const again = await client.callTool({ name: 'check_health', arguments: { url: `https://${bare}/` }, _meta });
      const idOf = (result: typeof paid) => (result.structuredContent as Record<string, unknown>)['report_id'];
      expect(idOf(paid)).toMatch(/^[0-9a-f]{32}$/);
      expect(idOf(again)).toBe(idOf(paid));
    } finally {
      await client.close();
    }
  });
});

test('a bare host that may not be fetched is refused before any payment is used', async () => {
  const credential = await sign(stack, payer, { body: { url: bare } });
  for (const url of ['10.0.0.1', 'metadata.google.internal', 'printer']) {
    const refused = await present(stack, { body: { url } }, credential);
    expect([url, refused.status, await codeOf(refused)]).toEqual([url, 422, 'target_refused']);
  }
  for (const url of ['javascript:alert(1)', `user@${bare}`, 'exa mple.com']) {
    const refused = await present(stack, { body: { url } }, credential);
    expect([url, refused.status, await codeOf(refused)]).toEqual([url, 422, 'invalid_body']);
  }
  expect((await presentUntilDecided(stack, { body: { url: bare } }, credential)).status).toBe(200);
});
