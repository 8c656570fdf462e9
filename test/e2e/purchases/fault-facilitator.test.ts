import { x402Client } from '@x402/core/client';
import type { PaymentPayload } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, type Chain, startChain } from '../../../local/chain/chain.ts';
import { type Facilitator, startFacilitator } from '../../../local/chain/facilitator.ts';
import { type Fault, type FaultFacilitator, startFaultFacilitator } from '../../support/stack/fault-facilitator.ts';
import { honestTerms } from '../../support/stack/paid-service.ts';

let chain: Chain;
let real: Facilitator;
let faults: FaultFacilitator;
let buyer: Account;
let seller: Account;

beforeAll(async () => {
  chain = await startChain();
  real = await startFacilitator({ rpcUrl: chain.rpcUrl });
  faults = await startFaultFacilitator(real.url);
  buyer = await chain.freshAccount(10_000_000n);
  seller = await chain.freshAccount();
});
afterAll(async () => {
  await faults.stop();
  await real.stop();
  await chain.stop();
});

type Seen = { status?: number; type?: string | null; body?: string; broken?: true };

test.each<[Fault, boolean, object]>([
  ['none', true, { status: 200, body: expect.stringContaining('"success":true') }],
  ['503_text', false, { status: 503, type: 'text/plain', body: 'upstream down' }],
  ['503_html', false, { status: 503, type: 'text/html' }],
  ['reset_before', false, { broken: true }],
  ['reset_after', true, { broken: true }],
  ['hang_after', true, { broken: true }],
  ['bad_json_after', true, { status: 200, body: '{"success":tru' }],
  ['500_json_after', true, { status: 500, body: '{"error":"internal"}' }],
  ['accepted_202', false, { status: 202, body: expect.stringContaining('paymentId') }],
  ['refused', false, { status: 200, body: expect.stringContaining('"success":false') }],
  [
    'settlement_pending_after',
    true,
    { status: 500, body: expect.stringMatching(/"transaction":"0x[0-9a-f]{64}".*settlement_pending/) },
  ],
  ['redirect', false, { status: 307 }],
])('with %s on settle the money moves: %s', async (fault, moves, seen) => {
  const payload = await signed();
  const before = await chain.balance(seller.address);
  faults.set('settle', fault);
  const answer = await settle(payload);
  faults.set('settle', 'none');
  expect(answer).toMatchObject(seen);
  expect((await chain.balance(seller.address)) - before).toBe(moves ? BigInt(honestTerms.amount) : 0n);
});

test('a fault of one operation leaves the others alone, and calls are counted', async () => {
  faults.set('verify', '503_text');
  const before = faults.calls.supported;
  expect((await fetch(`${faults.url}/supported`)).status).toBe(200);
  expect((await fetch(`${faults.url}/verify`, { method: 'POST', body: '{}' })).status).toBe(503);
  faults.set('verify', 'none');
  expect(faults.calls.supported).toBe(before + 1);
});

async function signed(): Promise<PaymentPayload> {
  const accepts = [{ ...honestTerms, payTo: seller.address }];
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer.account));
  return client.createPaymentPayload({ x402Version: 2, resource: { url: 'http://service.test/' }, accepts });
}

async function settle(payload: PaymentPayload): Promise<Seen> {
  try {
    const response = await fetch(`${faults.url}/settle`, {
      method: 'POST',
      redirect: 'manual',
      body: JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: payload.accepted }),
      signal: AbortSignal.timeout(3_000),
    });
    return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
  } catch {
    return { broken: true }; // A reset connection, or no answer within the limit.
  }
}
