import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Changes, encode, ledgerRows, post, problemOf, signedCredential, type World, world } from './world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Nothing was claimed, nobody was asked, one line says so. */
async function expectNothingHappened(code: string): Promise<void> {
  expect(await ledgerRows()).toBe(0);
  expect(seen.calls.verify).toEqual([]);
  expect(seen.calls.settle).toEqual([]);
  expect(seen.calls.site).toEqual([]);
  expect(seen.logs.filter((line) => line.includes(`"${code}"`))).toHaveLength(1);
  expect(seen.logs).toHaveLength(1);
}

const bodies: readonly [string, BodyInit, number, string][] = [
  ['broken JSON', '{"url":', 400, 'invalid_json'],
  ['a body that is not UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 400, 'invalid_json'],
  ['an empty body', '', 400, 'invalid_json'],
  ['an array', '[]', 422, 'invalid_body'],
  ['a missing url', '{}', 422, 'invalid_body'],
  ['a number as url', '{"url":7}', 422, 'invalid_body'],
  ['an empty url', '{"url":""}', 422, 'invalid_body'],
  ['an unknown field', '{"url":"https://a.example/","depth":3}', 422, 'invalid_body'],
  ['a javascript: url', '{"url":"javascript:alert(1)"}', 422, 'invalid_body'],
  ['a file: url', '{"url":"file:///etc/passwd"}', 422, 'invalid_body'],
  ['a url with credentials', '{"url":"https://user:secret@a.example/"}', 422, 'invalid_body'],
  ['a url of 3,000 characters', JSON.stringify({ url: `https://a.example/${'a'.repeat(3000)}` }), 422, 'invalid_body'],
  ['a profile that does not exist', '{"url":"https://a.example/","profile":"bank"}', 422, 'invalid_body'],
  [
    'a body of 65 KiB',
    JSON.stringify({ url: 'https://a.example/', pad: 'x'.repeat(65 * 1024) }),
    413,
    'body_too_large',
  ],
  ['a loopback target', '{"url":"http://127.0.0.1/"}', 422, 'target_refused'],
  ['a target in disguise', '{"url":"http://[::ffff:7f00:1]/"}', 422, 'target_refused'],
  ['a metadata target', '{"url":"http://169.254.169.254/latest/"}', 422, 'target_refused'],
  ['a single-label host', '{"url":"http://intranet/"}', 422, 'target_refused'],
  ['a port that is not for the web', '{"url":"http://a.example:22/"}', 422, 'target_refused'],
];

describe('a bad body with a good payment', () => {
  test.each(bodies)('%s is refused, nothing claimed or charged', async (_name, body, status, code) => {
    const credential = await signedCredential();
    expect(await problemOf(await post({ body, credential }))).toEqual({ status, code });
    await expectNothingHappened(code);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', ''])('content type "%s" is 415', async (type) => {
    const credential = await signedCredential();
    const answer = await post({ body: '{"url":"https://a.example/"}', credential, headers: { 'content-type': type } });
    expect(await problemOf(answer)).toEqual({ status: 415, code: 'unsupported_media_type' });
    await expectNothingHappened('unsupported_media_type');
  });

  test('a streamed body over the cap is cut off', async () => {
    const credential = await signedCredential();
    const chunk = new TextEncoder().encode('x'.repeat(16 * 1024));
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 10) controller.close();
        else controller.enqueue(chunk);
      },
    });
    expect(await problemOf(await post({ body, credential }))).toEqual({ status: 413, code: 'body_too_large' });
    await expectNothingHappened('body_too_large');
  });

  test('an invalid body names each field by JSON Pointer', async () => {
    const answer = await post({ body: '{"url":7,"depth":1}', credential: await signedCredential() });
    const {
      errors,
      type,
      request_id: id,
    } = (await answer.json()) as { errors: { pointer: string }[]; type: string; request_id: string };
    expect(errors.map((error) => error.pointer)).toContain('/url');
    expect(type).toBe(`${env.BASE_URL}/problems/invalid_body`);
    expect(id).toBe(answer.headers.get('x-request-id'));
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });
});

const nowS = (): number => Math.floor(Date.now() / 1000);

describe('a credential that cannot be read is 400, whatever the body', () => {
  const v1 = encode({ x402Version: 1, scheme: 'exact', network: 'base', payload: {} });
  test.each([
    ['garbage', '!!!'],
    ['garbage base64', 'AAAA'],
    ['an empty header', ''],
    ['JSON null', btoa('null')],
    ['a list', btoa('[1]')],
    ['an empty object', btoa('{}')],
    ['a v1 payload', v1],
    ['version 3', encode({ x402Version: 3, accepted: {}, payload: {} })],
    ['a hash that is too short', `0x${'ab'.repeat(31)}`],
    ['a header of 20 KB', 'A'.repeat(20 * 1024)],
  ])('%s', async (_name, credential) => {
    expect(await problemOf(await post({ credential, body: '{' }))).toEqual({ status: 400, code: 'invalid_payload' });
    await expectNothingHappened('invalid_payload');
  });

  test.each<[string, Changes]>([
    ['P7: permit2 as transfer method', { extra: { assetTransferMethod: 'permit2' } }],
    ['P7: another payment flow', { extra: { paymentFlow: 'upfront' } }],
    ['P7: a permit2 payload without a nonce', { top: { payload: { signature: '0xab', permit2Authorization: {} } } }],
    ['P21: a nonce of 31 bytes', { authorization: { nonce: `0x${'ab'.repeat(31)}` } }],
    ['P21: an amount with a leading zero', { authorization: { value: '060000' } }],
    ['P21: an amount in hex', { authorization: { value: '0xea60' } }],
    ['a nonce that is missing', { authorization: { nonce: undefined } }],
  ])('%s', async (_name, changes) => {
    const credential = await signedCredential('check_health', changes);
    expect(await problemOf(await post({ credential }))).toEqual({ status: 400, code: 'invalid_payload' });
    await expectNothingHappened('invalid_payload');
  });
});

describe('a payment on other terms than ours is 402 with fresh terms, nothing claimed', () => {
  test.each<[string, string, Changes | (() => Changes)]>([
    [
      'P23: a payload for another route',
      'wrong_route',
      { top: { resource: { url: 'https://sightline.test/api/agent/check_mcp' } } },
    ],
    [
      'P23: a payload for another site',
      'wrong_route',
      { top: { resource: { url: 'https://evil.example/api/agent/check_health' } } },
    ],
    ['P7: a smaller amount in accepted', 'wrong_amount', { accepted: { amount: '1' } }],
    ['a smaller amount in the authorization', 'wrong_amount', { authorization: { value: '59999' } }],
    ['a larger amount in the authorization', 'wrong_amount', { authorization: { value: '60001' } }],
    ['P7: another payee in accepted', 'wrong_recipient', { accepted: { payTo: `0x${'66'.repeat(20)}` } }],
    ['another payee in the authorization', 'wrong_recipient', { authorization: { to: `0x${'66'.repeat(20)}` } }],
    ['another token', 'wrong_terms', { accepted: { asset: `0x${'77'.repeat(20)}` } }],
    ['another network', 'wrong_terms', { accepted: { network: 'eip155:84532' } }],
    ['another timeout', 'wrong_terms', { accepted: { maxTimeoutSeconds: 9999 } }],
    [
      'an expired authorization',
      'authorization_expired',
      () => ({ authorization: { validBefore: String(nowS() - 1) } }),
    ],
    [
      'P17: an authorization that ends before the work',
      'authorization_expires_too_soon',
      () => ({ authorization: { validBefore: String(nowS() + 60) } }),
    ],
    [
      'P17: an authorization that lasts a day',
      'authorization_expires_too_late',
      () => ({ authorization: { validBefore: String(nowS() + 86_400) } }),
    ],
    [
      'an authorization of the future',
      'authorization_not_yet_valid',
      () => ({ authorization: { validAfter: String(nowS() + 200) } }),
    ],
  ])('%s', async (_name, code, changes) => {
    const credential = await signedCredential('check_health', typeof changes === 'function' ? changes() : changes);
    const answer = await post({ credential });
    expect(answer.headers.get('payment-required')).toBeTruthy();
    expect(await problemOf(answer)).toEqual({ status: 402, code });
    await expectNothingHappened(code);
  });
});

describe('routes', () => {
  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('%s on a paid route is 405 with Allow', async (method) => {
    const answer = await post({ method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('an unknown capability is 404 in JSON', async () => {
    expect(await problemOf(await post({ capability: 'check_everything' }))).toEqual({
      status: 404,
      code: 'unknown_capability',
    });
    expect(await problemOf(await post({ capability: '__proto__' }))).toEqual({
      status: 404,
      code: 'unknown_capability',
    });
  });
});
