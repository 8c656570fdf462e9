import { decodeJwt, decodeProtectedHeader, exportPKCS8, generateKeyPair, jwtVerify, type CryptoKey } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Vendor } from '../../../src/notifications/vendor/vendor.ts';
import {
  type Asked,
  clientOf,
  NOW_MS,
  type StubAnswer,
  startVendorStub,
  vendorError,
  type VendorStub,
} from '../../support/workers/vendor-stub.ts';

const HOUR_S = 3_600;
const gone = vendorError(404, 'notFound', 'Resource Not Found: userKey');

let stub: VendorStub;
let publicKey: CryptoKey;
let keyFile: Record<string, string>;
let nowMs = NOW_MS;
let tokens = 0;

beforeAll(async () => {
  stub = await startVendorStub();
  const pair = await generateKeyPair('RS256', { extractable: true });
  publicKey = pair.publicKey;
  keyFile = {
    type: 'service_account',
    private_key_id: 'key-1',
    private_key: await exportPKCS8(pair.privateKey),
    client_email: 'robot@project.example',
    token_uri: `${stub.url}/token`,
  };
});
afterAll(async () => stub.stop());
beforeEach(() => {
  nowMs = NOW_MS;
  tokens = 0;
});

const issued = (): StubAnswer => {
  tokens += 1;
  return { status: 200, body: { access_token: `token-${tokens}`, token_type: 'Bearer', expires_in: HOUR_S } };
};

/** Answers token requests with `token`, and those to the directory with `directory`. */
const respond = (directory: (asked: Asked) => StubAnswer, token: (asked: Asked) => StubAnswer = issued): void =>
  stub.respond((asked) => (asked.path === '/token' ? token(asked) : directory(asked)));

const keyClient = (changes: Parameters<typeof clientOf>[1] = {}): Vendor =>
  clientOf(stub, { key: async () => JSON.stringify(keyFile), token: undefined, now: () => nowMs, ...changes });

const read = (vendor: Vendor, subject?: string) => vendor.readUser({ userId: '1', subject });
const exchanges = (): Asked[] => stub.asked.filter(({ path }) => path === '/token');
const assertionOf = (asked: Asked | undefined): string => new URLSearchParams(asked?.body).get('assertion') ?? '';
const bearers = () => stub.asked.filter(({ path }) => path !== '/token').map(({ headers }) => headers.authorization);

test('a key signs an assertion for its token endpoint, and the token of it is sent', async () => {
  respond(() => gone);
  expect(await read(keyClient({ subject: 'admin@example.com' }))).toEqual({ ok: true, user: null });
  const [exchange] = exchanges();
  expect(exchange?.method).toBe('POST');
  expect(new URLSearchParams(exchange?.body).get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const assertion = assertionOf(exchange);
  await jwtVerify(assertion, publicKey, { currentDate: new Date(nowMs) });
  expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
  expect(decodeJwt(assertion)).toEqual({
    iss: 'robot@project.example',
    sub: 'admin@example.com',
    aud: `${stub.url}/token`,
    iat: NOW_MS / 1_000,
    exp: NOW_MS / 1_000 + 300,
    jti: 'ab'.repeat(16),
    scope: 'https://www.googleapis.com/auth/admin.directory.user.readonly',
  });
  expect(bearers()).toEqual(['Bearer token-1']);
});

test('a call names another subject than the setting, or there is none', async () => {
  respond(() => gone);
  await read(keyClient({ subject: 'admin@example.com' }), 'other@example.com');
  await read(keyClient());
  expect(exchanges().map((asked) => decodeJwt(assertionOf(asked)).sub)).toEqual(['other@example.com', undefined]);
});

test('a key wins over a bearer token', async () => {
  respond(() => gone);
  await read(keyClient({ token: 'given' }));
  expect(bearers()).toEqual(['Bearer token-1']);
});

describe('a token is kept', () => {
  test('for each subject by itself', async () => {
    respond(() => gone);
    const client = keyClient();
    await read(client, 'a@example.com');
    await read(client, 'b@example.com');
    await read(client, 'a@example.com');
    expect(bearers()).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-1']);
  });

  test('until a minute before it ends', async () => {
    respond(() => gone);
    const client = keyClient();
    await read(client);
    nowMs = NOW_MS + HOUR_S * 1_000 - 60_001;
    await read(client);
    expect(exchanges()).toHaveLength(1);
    nowMs += 1;
    await read(client);
    expect(bearers()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  test('by whoever asks while it is being fetched', async () => {
    respond(() => gone);
    const client = keyClient();
    await Promise.all(Array.from({ length: 20 }, () => read(client)));
    expect(exchanges()).toHaveLength(1);
    expect(bearers()).toHaveLength(20);
  });

  test('of at most 100 subjects: the first is fetched again', async () => {
    respond(() => gone);
    const client = keyClient();
    for (let number = 0; number <= 100; number += 1) await read(client, `${number}@example.com`);
    await read(client, '100@example.com');
    expect(exchanges()).toHaveLength(101);
    await read(client, '0@example.com');
    expect(exchanges()).toHaveLength(102);
  });

  test('not at all where its life is not told', async () => {
    respond(
      () => gone,
      () => ({ status: 200, body: { access_token: 'brief', token_type: 'Bearer' } }),
    );
    const client = keyClient();
    await read(client);
    await read(client);
    expect(exchanges()).toHaveLength(2);
  });
});

describe('a 401 of the directory', () => {
  test('drops the token and tries once with a new one', async () => {
    respond(({ headers }) => (headers.authorization === 'Bearer token-1' ? vendorError(401, 'authError') : gone));
    expect(await read(keyClient())).toEqual({ ok: true, user: null });
    expect(bearers()).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test('of the new one too is the answer', async () => {
    respond(() => vendorError(401, 'authError'));
    expect(await read(keyClient())).toMatchObject({ ok: false, reason: 'credentials_refused' });
    expect(bearers()).toHaveLength(2);
  });

  test('of a given token is the answer at once', async () => {
    respond(() => vendorError(401, 'authError'));
    const reason = 'credentials_refused';
    expect(await read(keyClient({ key: async () => undefined, token: 'given' }))).toMatchObject({ reason });
    expect(bearers()).toEqual(['Bearer given']);
  });

  test('of a token that was dropped already leaves the newer one alone', async () => {
    let answerFirst: () => void = () => undefined;
    stub.respond((asked, response) => {
      if (asked.path === '/token') return issued();
      if (asked.headers.authorization !== 'Bearer token-1') return gone;
      const refusal = vendorError(401, 'authError');
      if (bearers().length > 1) return refusal;
      answerFirst = () => response.writeHead(401).end(JSON.stringify(refusal.body));
      return undefined;
    });
    const client = keyClient();
    const late = read(client);
    await expect.poll(() => bearers()).toHaveLength(1);
    expect(await read(client)).toEqual({ ok: true, user: null }); // Refused as well, and it had token-2 since.
    answerFirst();
    expect(await late).toEqual({ ok: true, user: null });
    expect(exchanges()).toHaveLength(2);
    expect(bearers()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
  });

  test('drops no token that somebody fetched meanwhile', async () => {
    let refused = 0;
    respond(({ headers }) => {
      const isFirst = headers.authorization === 'Bearer token-1';
      if (isFirst) refused += 1;
      return isFirst ? vendorError(401, 'authError') : gone;
    });
    const client = keyClient();
    await Promise.all([read(client), read(client), read(client)]);
    expect(refused).toBe(3);
    expect(exchanges()).toHaveLength(2);
  });
});

describe('the token endpoint', () => {
  test.each([
    [
      400,
      { error: 'invalid_grant', error_description: 'robot@project.example' },
      'credentials_refused',
      ' (invalid_grant)',
    ],
    [401, { error: 'invalid_client' }, 'credentials_refused', ' (invalid_client)'],
    [403, { error: 'access_denied' }, 'credentials_refused', ' (access_denied)'],
    [400, '<html>', 'unavailable', ', not in its own words'],
    [404, { error: 'not_found' }, 'unavailable', ' (not_found)'],
    [429, {}, 'rate_limited', ', not in its own words'],
    [500, { error: 'server_error' }, 'unavailable', ' (server_error)'],
    [200, { access_token: 'with space' }, 'unavailable', ', not in its own words'],
    [200, { token: 'x' }, 'unavailable', ', not in its own words'],
    [302, '', 'unavailable', ', not in its own words'],
  ])('answering %i %j is %s', async (status, body, reason, rest) => {
    respond(
      () => gone,
      () => ({ status, body, headers: { 'retry-after': '7', location: `${stub.url}/token` } }),
    );
    const detail = `the token endpoint answers ${status}${rest}`;
    expect(await read(keyClient())).toEqual({ ok: false, reason, detail, retryAfterMs: 7_000, vendorNowMs: NOW_MS });
    expect(stub.asked).toHaveLength(1);
  });

  test('with another clock than ours gets an assertion by its own', async () => {
    const judge = (asked: Asked): StubAnswer =>
      decodeJwt(assertionOf(asked)).iat === NOW_MS / 1_000
        ? issued()
        : { status: 400, body: { error: 'invalid_grant' } };
    respond(() => gone, judge);
    nowMs = NOW_MS + 5 * 60_000; // Ours is five minutes ahead.
    const client = keyClient();
    expect(await read(client)).toEqual({ ok: true, user: null });
    expect(exchanges()).toHaveLength(2);
    await read(client, 'another@example.com');
    expect(exchanges()).toHaveLength(3);
  });

  test('is asked no longer than 15 seconds, and not for a large answer', async () => {
    respond(
      () => gone,
      () => ({ status: 200, body: ' '.repeat(64 * 1024 + 1) }),
    );
    expect(await read(keyClient())).toMatchObject({ ok: false, reason: 'unavailable' });
    stub.respond(() => undefined);
    expect(await read(keyClient({ limits: { timeoutMs: 50 } }))).toEqual({
      ok: false,
      reason: 'unavailable',
      detail: 'the token endpoint gives no whole answer (nothing within 50 ms)',
    });
  });
});

test.each([
  ['throws', () => Promise.reject(new RangeError('-----BEGIN PRIVATE KEY-----')), 'RangeError'],
  ['does not come', () => new Promise<never>(() => undefined), 'Late'],
])('a key file that %s is asked for again later, and nothing of the failure is kept', async (_, key, name) => {
  respond(() => gone);
  let isBroken = true;
  const whole = async () => JSON.stringify(keyFile);
  const client = keyClient({ key: () => (isBroken ? key() : whole()), token: 'given', limits: { timeoutMs: 200 } });
  const detail = `DIRECTORY_KEY cannot be read (${name})`;
  expect(await read(client)).toEqual({ ok: false, reason: 'unavailable', detail });
  expect(stub.asked).toEqual([]);
  isBroken = false;
  expect(await read(client)).toEqual({ ok: true, user: null });
});

test.each([
  ['that is no JSON', 'secret', 'DIRECTORY_KEY is no service-account key file'],
  ['of another type', { type: 'authorized_user' }, 'DIRECTORY_KEY is no service-account key file: see type'],
  [
    'with a broken key',
    { private_key: '-----BEGIN PRIVATE KEY-----\nsecret' },
    'private_key of DIRECTORY_KEY is no RSA key of 2048 bits or more in PKCS #8',
  ],
  [
    'whose endpoint is plain http elsewhere',
    { token_uri: 'http://token.example' },
    'token_uri of DIRECTORY_KEY must be https, or http on this machine, without credentials',
  ],
  [
    'whose endpoint holds a password',
    { token_uri: 'https://a:b@token.example' },
    'token_uri of DIRECTORY_KEY must be https, or http on this machine, without credentials',
  ],
])('a key file %s gets no token, and its detail holds no key', async (_, changes, detail) => {
  respond(() => gone);
  const text = typeof changes === 'string' ? changes : JSON.stringify({ ...keyFile, ...changes });
  expect(await read(keyClient({ key: async () => text }))).toEqual({
    ok: false,
    reason: 'credentials_refused',
    detail,
  });
  expect(stub.asked).toEqual([]);
});
