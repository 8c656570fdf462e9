import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  decode,
  emptyChain,
  encode,
  get,
  ledgerRows,
  PAYER,
  post,
  problemOf,
  settledBy,
  signedCredential,
  type World,
  world,
} from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Sold = {
  capability: string;
  url: string;
  report_id: string;
  report_url: string;
  payment: Record<string, string>;
  receipt: unknown;
  checks: { id: string }[];
};

describe('a sale by signed payload', () => {
  test('P28: answers 200 with result, payment and PAYMENT-RESPONSE, and opens a report that says nothing about the buyer', async () => {
    const answer = await post({ credential: await signedCredential() });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private');
    const result = (await answer.json()) as Sold;
    expect(result).toMatchObject({ capability: 'check_health', url: 'https://shop.example/' });
    expect(result.payment).toMatchObject({
      method: 'x402',
      transaction: `0x${'5e'.repeat(32)}`,
      network: 'eip155:8453',
      payer: PAYER,
      amount: '60000',
      amount_usd: '0.060000',
    });
    expect(Date.parse(result.payment['settled_at'] ?? '')).toBeGreaterThan(0);
    expect(decode(answer.headers.get('payment-response') ?? '')).toMatchObject({
      success: true,
      payer: PAYER,
      transaction: `0x${'5e'.repeat(32)}`,
    });
    expect(result.checks.length).toBeGreaterThan(5);

    const report = await get(`/reports/${result.report_id}.json`);
    expect(report.status).toBe(200);
    expect(report.headers.get('cache-control')).toContain('private');
    expect(report.headers.get('x-robots-tag')).toContain('noindex');
    const { payment: _payment, receipt: _receipt, report_url: _url, ...stored } = result;
    expect(await report.json()).toEqual(stored); // P28: the shared report says nothing about the buyer.
  });

  test('P11: ids of reports are 128 random bits', async () => {
    const first = (await (await post({ credential: await signedCredential() })).json()) as Sold;
    const second = (await (await post({ credential: await signedCredential() })).json()) as Sold;
    expect(first.report_id).toMatch(/^[0-9a-f]{32}$/);
    expect(first.report_id).not.toBe(second.report_id);
  });

  test('P7: the facilitator gets our requirements with the quote that came back, and the parsed payload', async () => {
    const credential = await signedCredential();
    const { accepted } = decode(credential) as { accepted: unknown };
    await post({ credential });
    expect(seen.calls.verify).toHaveLength(1);
    expect(seen.calls.settle).toHaveLength(1);
    for (const body of [...seen.calls.verify, ...seen.calls.settle] as {
      paymentRequirements: unknown;
      paymentPayload: { accepted: unknown };
    }[]) {
      expect(body.paymentRequirements).toEqual(accepted);
      expect(body.paymentPayload.accepted).toEqual(accepted);
    }
  });

  test('P23: a payload without a resource is accepted', async () => {
    expect(
      (await post({ credential: await signedCredential('check_health', { top: { resource: undefined } }) })).status,
    ).toBe(200);
  });

  test('X9: neither credential, payer, report id nor target stands in the log', async () => {
    const credential = await signedCredential();
    const { report_id: id } = (await (await post({ credential })).json()) as Sold;
    const log = seen.logs.join('\n');
    expect(log).toContain('"sold"');
    for (const secret of [credential, PAYER, id, 'shop.example', env.LEDGER_SECRET]) expect(log).not.toContain(secret);
  });
});

describe('a repeat', () => {
  test('P1: the exact header and body get the same bytes, and nothing is charged or done again', async () => {
    const credential = await signedCredential();
    const first = await post({ credential });
    const again = await post({ credential });
    expect(again.status).toBe(200);
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('P1: the same payment in a header rebuilt from public data is 409, without the report id', async () => {
    const credential = await signedCredential();
    const { report_id: id } = (await (await post({ credential })).json()) as Sold;
    const parts = decode(credential) as { accepted: { extra: Record<string, unknown> } };
    const { quote: _quote, ...publicExtra } = parts.accepted.extra;
    const rebuilt = encode({ ...parts, accepted: { ...parts.accepted, extra: publicExtra } });
    for (const body of [undefined, '{"url":"https://other.example/"}']) {
      const answer = await post({ credential: rebuilt, ...(body === undefined ? {} : { body }) });
      const text = await answer.clone().text();
      expect(await problemOf(answer)).toEqual({ status: 409, code: 'payment_already_used' });
      expect(text).not.toContain(id);
      expect(text).toContain('It paid for one request.');
      expect(text).not.toContain('check_health for');
    }
  });

  test('the payer who sends another body learns what the payment bought, and how to get that again', async () => {
    const credential = await signedCredential();
    const { report_id: id } = (await (await post({ credential })).json()) as Sold;
    const answer = await post({ credential, body: '{"url":"https://other.example/"}' });
    const { detail, next } = await answer.json<{ detail: string; next: string }>();
    const day = new Date(Date.now()).toISOString().slice(0, 10);
    expect(detail).toMatch(
      new RegExp(`^It bought check_health for 0\\.060000 USD on ${day} at \\d\\d:\\d\\d UTC, with another body`),
    );
    expect(detail).toContain('by the same body with the same PAYMENT-SIGNATURE');
    expect(next).toContain('send the same request again');
    expect(`${detail}${next}`).not.toContain(id);
  });

  test('B5, P1: another signature under the same nonce gets nothing, and never reaches the ledger', async () => {
    const credential = await signedCredential();
    await post({ credential });
    const parts = decode(credential) as { payload: Record<string, unknown> };
    const forged = encode({ ...parts, payload: { ...parts.payload, signature: `0x${'cd'.repeat(64)}1c` } });
    const asked = seen.calls.verify.length;
    expect(await problemOf(await post({ credential: forged }))).toEqual({ status: 402, code: 'invalid_signature' });
    expect(seen.calls.verify).toHaveLength(asked);
  });

  test('a payment that does not do is refused with a problem and the terms of the next in one body', async () => {
    const credential = await signedCredential('check_mcp');
    const answer = await post({ credential });
    const { type, title, status, code, request_id, ...terms } = await answer.json<Record<string, unknown>>();
    expect({ type, title, status, code, request_id }).toEqual({
      type: `${env.BASE_URL}/problems/wrong_route`,
      title: 'The payment is for another resource',
      status: 402,
      code: 'wrong_route',
      request_id: answer.headers.get('x-request-id'),
    });
    expect(terms).toEqual(decode(answer.headers.get('payment-required') ?? ''));
    expect(terms).toMatchObject({ error: expect.stringContaining('The payment is for another resource') as string });
  });

  test.each([
    ['another body', { body: '{"url":"https://other.example/"}' }],
    ['the same body for the same price elsewhere', { capability: 'check_schema' }],
  ])('P13: a consumed payment with %s is refused and never served', async (_name, change) => {
    const capability = 'check_llms_txt';
    const credential = await signedCredential(capability, { top: { resource: undefined } });
    expect((await post({ capability, credential })).status).toBe(200);
    expect(await problemOf(await post({ capability, credential, ...change }))).toEqual({
      status: 409,
      code: 'payment_already_used',
    });
  });

  test('the order of fields in the body does not matter, nor does white space', async () => {
    const credential = await signedCredential();
    const first = await post({ credential, body: '{"url":"https://shop.example/","profile":"content"}' });
    const again = await post({ credential, body: '{ "profile": "content", "url": "https://shop.example/" }' });
    expect([first.status, again.status]).toEqual([200, 200]);
  });

  test('P13: a repeat after the authorization has expired is still answered from the store', async () => {
    const credential = await signedCredential();
    const first = await post({ credential });
    const realNow = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(realNow + 600_000);
    const again = await post({ credential });
    expect(again.status).toBe(200);
    expect(await again.text()).toBe(await first.text());
    const fresh = await signedCredential('check_health', {
      authorization: { validBefore: String(Math.floor(realNow / 1000) + 300) },
    });
    expect(await problemOf(await post({ credential: fresh }))).toEqual({ status: 402, code: 'authorization_expired' });
  });

  test('P13: an unknown settlement is 503 after the authorization has expired too, until the chain decides', async () => {
    seen.settle = () => new Response('busy', { status: 503 });
    const credential = await signedCredential();
    expect((await problemOf(await post({ credential }))).code).toBe('settlement_unknown');
    const realNow = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(realNow + 310_000);
    expect(await problemOf(await post({ credential }))).toEqual({ status: 503, code: 'settlement_unknown' });
  });

  test('P3: the lost result of a sale whose target is down now is 503, and nobody is told that nothing was charged', async () => {
    const credential = await signedCredential();
    const { report_id: id } = (await (await post({ credential })).json()) as Sold;
    await env.REPORTS.delete(`reports/${id}.json`);
    seen.site = () => Promise.reject(new TypeError('no such host'));
    expect(await problemOf(await post({ credential }))).toEqual({ status: 503, code: 'result_unavailable' });
  });

  test('P3: a settled payment whose result was lost is worked again, free', async () => {
    const credential = await signedCredential();
    const { report_id: id } = (await (await post({ credential })).json()) as Sold;
    await env.REPORTS.delete(`reports/${id}.json`);
    const again = await post({ credential });
    expect(again.status).toBe(200);
    expect(((await again.json()) as Sold).report_id).toBe(id);
    expect(seen.calls.settle).toHaveLength(1);
    expect((await get(`/reports/${id}.json`)).status).toBe(200);
  });

  test('P22: a payment-identifier belongs to one payment of a payer', async () => {
    const extensions = { 'payment-identifier': { info: { required: false, id: 'order-0123456789abcdef' } } };
    const first = await signedCredential('check_health', { top: { extensions } });
    const second = await signedCredential('check_health', { top: { extensions } });
    expect((await post({ credential: first })).status).toBe(200);
    expect((await post({ credential: first })).status).toBe(200);
    expect(await problemOf(await post({ credential: second }))).toEqual({
      status: 409,
      code: 'payment_identifier_reused',
    });
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('P22: an Idempotency-Key belongs to one payment of a payer, whatever the body, and to its repeats', async () => {
    const headers = { 'idempotency-key': '"order 1"' };
    const first = await signedCredential();
    const sold = await post({ credential: first, headers });
    const again = await post({ credential: first, headers });
    expect([sold.status, await again.text()]).toEqual([200, await sold.text()]);
    for (const change of [{}, { body: '{"url":"https://other.example/"}' }])
      expect(await problemOf(await post({ credential: await signedCredential(), headers, ...change }))).toEqual({
        status: 422,
        code: 'idempotency_key_reused',
      });
    expect(seen.calls.settle).toHaveLength(1);
    const other = await post({ credential: await signedCredential(), headers: { 'idempotency-key': 'order 2' } });
    expect(other.status).toBe(200);
  });

  test('a payment that was not taken leaves its Idempotency-Key free', async () => {
    const headers = { 'idempotency-key': 'order-3' };
    const { site } = seen;
    seen.site = () => Promise.reject(new TypeError('no such host'));
    const failed = await post({ capability: 'full_audit', credential: await signedCredential('full_audit'), headers });
    expect((await problemOf(failed)).code).toBe('target_unreachable');
    seen.site = site;
    const credential = await signedCredential();
    expect((await post({ credential, headers })).status).toBe(200);
  });

  test('P1: an Idempotency-Key is no secret: a header rebuilt from public data gets nothing by it', async () => {
    const headers = { 'idempotency-key': 'order-4' };
    const credential = await signedCredential();
    expect((await post({ credential, headers })).status).toBe(200);
    const parts = decode(credential) as { accepted: { extra: Record<string, unknown> } };
    const { quote: _quote, ...publicExtra } = parts.accepted.extra;
    const rebuilt = encode({ ...parts, accepted: { ...parts.accepted, extra: publicExtra } });
    expect((await problemOf(await post({ credential: rebuilt, headers }))).code).toBe('payment_already_used');
  });

  test.each(['', '""', 'x'.repeat(256), 'kéy'])(
    'an Idempotency-Key that is %j is refused before the payment is read',
    async (key) => {
      const answer = await post({ credential: await signedCredential(), headers: { 'idempotency-key': key } });
      expect(await problemOf(answer)).toEqual({ status: 422, code: 'idempotency_key_invalid' });
      expect(seen.calls.verify).toEqual([]);
    },
  );
});

test('200 concurrent presentations of one payload are one sale', async () => {
  const credential = await signedCredential();
  const answers = await Promise.all(Array.from({ length: 200 }, () => post({ credential })));
  const statuses = answers.map((answer) => answer.status);
  expect(seen.calls.settle).toHaveLength(1);
  expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
  const bodies = new Set(
    await Promise.all(answers.filter((answer) => answer.status === 200).map((answer) => answer.text())),
  );
  expect(bodies.size).toBe(1);
  expect(await ledgerRows()).toBe(1);
});

/** A chain where every authorization is used, by a transaction that its node does not show. */
const usedNonces: World['rpc'] = (method, params) =>
  method === 'eth_call' ? `0x${'1'.padStart(64, '0')}` : emptyChain(method, params);

describe('verification', () => {
  test.each([
    'invalid_exact_evm_transaction_simulation_failed',
    'invalid_exact_evm_insufficient_balance',
    'invalid_transaction_state',
  ])('P13: a used nonce is never answered 402, though the facilitator says "%s"', async (invalidReason) => {
    seen.verify = { isValid: false, invalidReason, payer: PAYER };
    seen.rpc = usedNonces;
    expect(await problemOf(await post({ credential: await signedCredential() }))).toEqual({
      status: 409,
      code: 'payment_already_used',
    });
  });

  test('P13: a refusal that the chain cannot confirm is 503', async () => {
    seen.verify = { isValid: false, invalidReason: 'invalid_exact_evm_insufficient_balance', payer: PAYER };
    seen.rpc = () => {
      throw new Error('down');
    };
    expect(await problemOf(await post({ credential: await signedCredential() }))).toEqual({
      status: 503,
      code: 'payment_unverifiable',
    });
  });

  test.each([
    ['invalid_exact_evm_signature', 402, 'invalid_signature'],
    ['invalid_exact_evm_insufficient_balance', 402, 'insufficient_funds'],
    ['invalid_exact_evm_transaction_simulation_failed', 402, 'payment_refused'],
    ['a word nobody knows', 402, 'payment_refused'],
    ['invalid_exact_evm_nonce_already_used', 409, 'payment_already_used'],
  ])('refused with "%s" is %i %s and leaves no row', async (invalidReason, status, code) => {
    seen.verify = { isValid: false, invalidReason, payer: PAYER };
    if (status === 409) seen.rpc = usedNonces;
    expect(await problemOf(await post({ credential: await signedCredential() }))).toEqual({ status, code });
    expect(await ledgerRows()).toBe(0);
    expect(seen.calls.site).toEqual([]);
    expect(seen.calls.settle).toEqual([]);
  });

  test.each<[string, World['verify']]>([
    [
      '503 with HTML',
      () => new Response('<html>busy</html>', { status: 503, headers: { 'content-type': 'text/html' } }),
    ],
    ['500 with JSON', () => Response.json({ error: 'internal' }, { status: 500 })],
    ['garbage', () => new Response('<html>')],
    [
      'P29: a redirect',
      () => new Response(null, { status: 307, headers: { location: 'https://evil.example/verify' } }),
    ],
    ['a closed connection', () => Promise.reject(new TypeError('connection lost'))],
    ['another payer', { isValid: true, payer: `0x${'99'.repeat(20)}` }],
  ])('P13: a facilitator that answers %s is 503 with Retry-After, nothing claimed', async (_name, verify) => {
    seen.verify = verify;
    const credential = await signedCredential();
    const answer = await post({ credential });
    expect(answer.headers.get('retry-after')).toBeTruthy();
    expect(await problemOf(answer)).toEqual({ status: 503, code: 'payment_unverifiable' });
    expect(await ledgerRows()).toBe(0);
    expect(seen.calls.site.filter((url) => url.includes('evil'))).toEqual([]);
    seen.verify = { isValid: true, payer: PAYER };
    expect((await post({ credential })).status).toBe(200);
  });

  test('B8, P12: after ten failed verifications in a minute a payer must wait, wherever it calls from, and is told so before anybody is asked', async () => {
    seen.verify = { isValid: false, invalidReason: 'invalid_exact_evm_signature', payer: PAYER };
    for (let count = 0; count < 10; count += 1)
      expect((await post({ credential: await signedCredential() })).status).toBe(402);
    const asked = seen.calls.verify.length;
    const answer = await post({ credential: await signedCredential() });
    const waitS = Number(answer.headers.get('retry-after'));
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(60);
    expect(await problemOf(answer)).toEqual({ status: 429, code: 'too_many_failed_payments' });
    expect(seen.calls.verify).toHaveLength(asked);
  });
});

describe('work that cannot be delivered', () => {
  test('a target that cannot be reached is 422, nothing settled, and the payment stays good', async () => {
    const good = seen.site;
    seen.site = () => Promise.reject(new TypeError('no such host'));
    const credential = await signedCredential();
    expect(await problemOf(await post({ credential }))).toEqual({ status: 422, code: 'target_unreachable' });
    expect(seen.calls.settle).toEqual([]);
    seen.site = good;
    expect((await post({ credential })).status).toBe(200);
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('P27: after twenty failures without a charge in an hour a payer must wait', async () => {
    seen.site = () => Promise.reject(new TypeError('no such host'));
    for (let count = 0; count < 20; count += 1) {
      expect((await post({ credential: await signedCredential() })).status).toBe(422);
    }
    expect(await problemOf(await post({ credential: await signedCredential() }))).toEqual({
      status: 429,
      code: 'too_many_failures',
    });
  });

  test('P27: refused settlements after work count as failures of the payer', async () => {
    seen.settle = {
      success: false,
      errorReason: 'insufficient_funds',
      transaction: '',
      network: 'eip155:8453',
      payer: PAYER,
    };
    const codes: string[] = [];
    for (let count = 0; count < 21; count += 1)
      codes.push((await problemOf(await post({ credential: await signedCredential() }))).code);
    expect(codes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'settlement_refused'));
    expect(codes[20]).toBe('too_many_failures');
  });

  test('P9: a payment whose work failed three times waits a minute', async () => {
    seen.site = () => Promise.reject(new TypeError('no such host'));
    const credential = await signedCredential();
    for (let count = 0; count < 3; count += 1) expect((await post({ credential })).status).toBe(422);
    const answer = await post({ credential });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await problemOf(answer)).toEqual({ status: 429, code: 'too_many_failures' });
  });

  test('P3: a store that fails is 503, nothing settled', async () => {
    vi.spyOn(env.REPORTS, 'put').mockRejectedValue(new Error('store down'));
    expect(await problemOf(await post({ credential: await signedCredential() }))).toEqual({
      status: 503,
      code: 'store_unavailable',
    });
    expect(seen.calls.settle).toEqual([]);
  });
});

test('F7: a paid request that comes from our own audit is 508', async () => {
  const answer = await post({ credential: await signedCredential(), headers: { via: '1.1 sightline' } });
  expect(await problemOf(answer)).toEqual({ status: 508, code: 'loop_detected' });
  expect(await ledgerRows()).toBe(0);
});

test('P5: a payer has at most four unsettled runs, and only while its balance covers them', async () => {
  let open: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const page = seen.site;
  seen.site = async (url) => {
    await gate;
    return page(url);
  };
  const balanceCall =
    (balance: bigint): World['rpc'] =>
    (method, params) =>
      method === 'eth_call' ? `0x${balance.toString(16).padStart(64, '0')}` : baseRpc(method, params);
  const baseRpc = seen.rpc;
  seen.rpc = balanceCall(240_000n);
  const running = [];
  for (let count = 0; count < 4; count += 1) {
    const body = JSON.stringify({ url: `https://shop-${count}.example/` });
    running.push(post({ credential: await signedCredential(), body }));
  }
  await vi.waitFor(() => expect(seen.calls.verify).toHaveLength(4));
  const fifth = await post({ credential: await signedCredential() });
  expect(await problemOf(fifth)).toEqual({ status: 429, code: 'too_many_in_flight' });
  open?.();
  expect((await Promise.all(running)).map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
  seen.settle = settledBy(`0x${'6e'.repeat(32)}`);
  expect((await post({ credential: await signedCredential() })).status).toBe(200);
});

test('P31: a ledger that fails is 503 with Retry-After, and no one must pay', async () => {
  const down: unknown = { claim: () => Promise.reject(new Error('object down')) };
  vi.spyOn(env.PAYMENT_LEDGER, 'getByName').mockReturnValue(down as ReturnType<typeof env.PAYMENT_LEDGER.getByName>);
  const answer = await post({ credential: await signedCredential() });
  expect(answer.headers.get('retry-after')).toBeTruthy();
  expect(await problemOf(answer)).toEqual({ status: 503, code: 'ledger_unavailable' });
  expect(seen.calls.verify).toEqual([]);
});

describe('F6: one host is not hammered through us', () => {
  test('two audits of a host run at once, a third is told to wait and charged nothing', async () => {
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const page = seen.site;
    seen.site = async (url) => {
      await gate;
      return page(url);
    };
    seen.rpc = (method, params) =>
      method === 'eth_call' ? `0x${(10n ** 9n).toString(16).padStart(64, '0')}` : emptyChain(method, params);
    const running = [post({ credential: await signedCredential() }), post({ credential: await signedCredential() })];
    await vi.waitFor(() => expect(seen.calls.site.length).toBeGreaterThanOrEqual(2));
    const third = await post({ credential: await signedCredential() });
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await problemOf(third)).toEqual({ status: 429, code: 'target_busy' });
    open?.();
    expect((await Promise.all(running)).map((answer) => answer.status)).toEqual([200, 200]);
    expect(seen.calls.settle).toHaveLength(2);
  });
});
