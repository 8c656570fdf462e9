import { wrapFetchWithPayment } from '@x402/fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '../../../local/chain/chain.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { officialClient } from '../../support/stack/official-client.ts';
import { codeOf } from '../../support/stack/presenting.ts';

const BALANCE = 20_000_000n;
const pack = { brand: 'Tidewater', niche: 'tide clocks', weak_spots: [{ topic: 'Fit for an audience' }] };

let stack: Stack;
let buyer: Account;
beforeAll(async () => {
  stack = await startStack();
  buyer = await stack.chain.freshAccount(BALANCE);
});
afterAll(() => stack.stop());

/** Buys with the official client, raised to the price and otherwise as its documentation sets it up. */
function buy(capability: string, body: object): Promise<Response> {
  const client = officialClient(buyer);
  client.setSpendControls({ maxAmountPerPayment: '$2' });
  return wrapFetchWithPayment(fetch, client)(`${stack.api.url}/api/agent/${capability}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

test.each([
  ['generate_llms_txt', {}],
  ['generate_mcp_json', {}],
  ['visibility_fix_pack', pack],
])('%s of the empty demo site: the official client gets 422 and is not charged', async (capability, body) => {
  const before = await stack.chain.balance(buyer.address);
  const answer = await buy(capability, { ...body, url: stack.sites.poor });
  expect([answer.status, await codeOf(answer)]).toEqual([422, 'nothing_to_generate']);
  expect(answer.headers.get('payment-response')).toBeNull();
  expect(await stack.chain.balance(buyer.address)).toBe(before);
});

test('of the good one it gets texts that are filled from the site, with their pages', async () => {
  const before = await stack.chain.balance(buyer.address);
  const answer = await buy('visibility_fix_pack', { ...pack, url: stack.sites.good });
  const result = (await answer.json()) as {
    filled: { share: number };
    fixes: { sentences: { text: string; source: string }[] }[];
  };
  expect({ status: answer.status, result }).toMatchObject({
    status: 200,
    result: { filled: expect.anything() as object },
  });
  expect(result.filled.share).toBeGreaterThanOrEqual(0.5);
  const sentences = result.fixes.flatMap((fix) => fix.sentences);
  expect(sentences.length).toBeGreaterThan(3);
  for (const { source } of sentences) expect(source).toContain(stack.sites.good);
  expect(before - (await stack.chain.balance(buyer.address))).toBe(1_250_000n);
});
