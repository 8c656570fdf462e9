import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Vendor, VendorFailure } from '../../../src/notifications/vendor/vendor.ts';
import { clientOf, NOW_MS, startVendorStub, vendorError, type VendorStub } from '../../support/workers/vendor-stub.ts';

const SECRET_TOKEN = 'directory-token';
const order = {
  id: 'c1',
  address: 'https://hooks.example/notifications/w1',
  token: 'v1.channel-token',
  target: { customer: 'C00000001' },
  ttlSeconds: 21_600,
};
const calls = [
  ['watch', (vendor: Vendor) => vendor.watch(order)],
  ['stop', (vendor: Vendor) => vendor.stop({ id: 'c1', resourceId: 'r1' })],
  ['readUser', (vendor: Vendor) => vendor.readUser({ userId: '1' })],
  ['listUsers', (vendor: Vendor) => vendor.listUsers({ target: order.target })],
] as const;

let stub: VendorStub;

beforeAll(async () => {
  stub = await startVendorStub();
});
afterAll(async () => stub.stop());

const watch = (): Promise<VendorFailure | { ok: true }> => clientOf(stub).watch(order);

describe.each(calls)('%s', (_, call) => {
  test.each([
    [400, 'invalid', 'refused'],
    [400, 'channelIdNotUnique', 'id_not_unique'],
    [401, 'authError', 'credentials_refused'],
    [403, 'forbidden', 'credentials_refused'],
    [403, 'insufficientPermissions', 'credentials_refused'],
    [403, 'rateLimitExceeded', 'rate_limited'],
    [403, 'userRateLimitExceeded', 'rate_limited'],
    [403, 'quotaExceeded', 'rate_limited'],
    [403, 'limitExceeded', 'rate_limited'],
    [408, 'timeout', 'unavailable'],
    [412, 'conditionNotMet', 'refused'],
    [429, 'rateLimitExceeded', 'rate_limited'],
    [500, 'internalError', 'unavailable'],
    [503, 'backendError', 'unavailable'],
  ])('%i %s is %s', async (status, reason, expected) => {
    stub.respond(() => vendorError(status, reason, `${SECRET_TOKEN} of ada@example.com`));
    expect(await call(clientOf(stub))).toEqual({
      ok: false,
      reason: expected,
      detail: `the directory answers ${status} (${reason})`,
      retryAfterMs: undefined,
      vendorNowMs: NOW_MS,
    });
  });

  test.each([
    [301, 'unavailable'],
    [307, 'unavailable'],
    [400, 'unavailable'],
    [401, 'credentials_refused'],
    [403, 'credentials_refused'],
    [404, 'unavailable'],
    [405, 'unavailable'],
    [429, 'rate_limited'],
    [502, 'unavailable'],
  ])('%i of somebody between, with a page of HTML, is %s', async (status, reason) => {
    stub.respond(() => ({ status, body: '<html>no</html>', headers: { location: `${stub.url}/elsewhere` } }));
    const detail = `the directory answers ${status}, not in its own words`;
    expect(await call(clientOf(stub))).toMatchObject({ ok: false, reason, detail });
    expect(stub.asked).toHaveLength(1);
  });

  test('F5: a body larger than allowed is not read to its end', async () => {
    stub.respond((_asked, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
      return undefined;
    });
    const outcome = await call(clientOf(stub, { limits: { answerBytes: 200_000 } }));
    const done = { ok: true }; // A stop that was taken is one, whatever the body says.
    const detail = 'the directory answers 200 with more than is read';
    expect([done, { ok: false, reason: 'unavailable', detail }]).toContainEqual(
      outcome.ok ? outcome : { ok: false, reason: outcome.reason, detail: outcome.detail },
    );
  });

  test('F5: an answer that does not come, or does not end, is given up', async () => {
    const client = clientOf(stub, { limits: { timeoutMs: 50 } });
    const expected = { reason: 'unavailable', detail: 'the directory gives no whole answer (nothing within 50 ms)' };
    stub.respond(() => undefined);
    expect(await call(client)).toMatchObject(expected);
    stub.respond((_asked, response) => {
      response.writeHead(200).write('{');
      return undefined;
    });
    expect(await call(client)).toMatchObject(expected);
  });

  test('a connection that breaks off is unavailable', async () => {
    stub.respond((_asked, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
      return undefined;
    });
    expect(await call(clientOf(stub))).toMatchObject({ ok: false, reason: 'unavailable' });
    const nobody = clientOf({ url: 'http://127.0.0.1:1' });
    expect(await call(nobody)).toMatchObject({ ok: false, reason: 'unavailable' });
  });

  test.each([
    'http://directory.example',
    'http://10.0.0.1',
    'ftp://directory.example',
    'https://me:it@directory.example',
  ])('the token is not sent to %s', async (directoryUrl) => {
    stub.respond(() => ({ status: 200 }));
    const client = clientOf(stub, { directoryUrl, fetch: () => Promise.reject(new Error('asked all the same')) });
    expect(await call(client)).toMatchObject({
      reason: 'credentials_refused',
      detail: 'DIRECTORY_URL must be https, or http on this machine, without credentials',
    });
  });

  test('without key and token nothing is asked', async () => {
    stub.respond(() => ({ status: 200 }));
    expect(await call(clientOf(stub, { token: undefined }))).toEqual({
      ok: false,
      reason: 'credentials_refused',
      detail: 'neither DIRECTORY_KEY nor DIRECTORY_TOKEN is set',
    });
    expect(stub.asked).toEqual([]);
  });
});

test.each(['watch', 'listUsers'])('a 404 in the words of the vendor is not_found: %s', async (name) => {
  stub.respond(() => vendorError(404, 'notFound', 'Domain not found.'));
  const [, call] = calls.find(([each]) => each === name) ?? calls[0];
  expect(await call(clientOf(stub))).toMatchObject({
    reason: 'not_found',
    detail: 'the directory answers 404 (notFound)',
  });
});

test.each([
  ['120', 120_000],
  [' 5 ', 5_000],
  ['0', 0],
  ['999999999', 86_400_000],
  ['Sun, 22 Nov 2026 00:01:30 GMT', 90_000],
  ['Sat, 21 Nov 2026 00:00:00 GMT', 0],
  ['soon', undefined],
  ['1e3', undefined],
])('Retry-After: %s', async (header, retryAfterMs) => {
  stub.respond(() => ({ ...vendorError(503, 'backendError'), headers: { 'retry-after': header } }));
  expect(await watch()).toMatchObject({ reason: 'unavailable', retryAfterMs });
});

test('a date of Retry-After counts from the clock of the vendor, not from ours', async () => {
  stub.respond(() => ({
    ...vendorError(429, 'rateLimitExceeded'),
    headers: { date: 'Sun, 22 Nov 2026 02:00:00 GMT', 'retry-after': 'Sun, 22 Nov 2026 02:00:30 GMT' },
  }));
  expect(await watch()).toMatchObject({ retryAfterMs: 30_000, vendorNowMs: NOW_MS + 2 * 3_600_000 });
});

test.each([
  ['a reason with a line break', { errors: [{ reason: 'a\nb' }] }],
  ['a reason that holds an address', { errors: [{ reason: 'ada@example.com' }] }],
  ['a reason of 65 characters', { errors: [{ reason: 'a'.repeat(65) }] }],
  ['no reason at all', {}],
])('the detail repeats nothing of %s', async (_, error) => {
  stub.respond(() => ({ status: 412, body: { error: { code: 412, message: 'ada@example.com', ...error } } }));
  expect(await watch()).toMatchObject({ reason: 'refused', detail: 'the directory answers 412' });
});

test('the newer dialect names its reason by a word', async () => {
  stub.respond(() => ({ status: 400, body: { error: { code: 400, message: 'x', status: 'INVALID_ARGUMENT' } } }));
  expect(await watch()).toMatchObject({ reason: 'refused', detail: 'the directory answers 400 (INVALID_ARGUMENT)' });
});
