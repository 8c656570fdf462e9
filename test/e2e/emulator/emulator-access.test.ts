import { generateKeyPair, SignJWT, importPKCS8 } from 'jose';
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  emailsOf,
  killEmulators,
  LIST_USERS,
  startEmulator,
  type StartedEmulator,
  userBody,
  USERS,
  writeTemporaryFile,
} from '../../support/stack/emulator.ts';

afterAll(killEmulators);

/** A request with headers that `fetch` does not let a program set. */
function send(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once('error', reject).end();
  });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('without authentication', () => {
  let emulator: StartedEmulator;
  beforeAll(async () => {
    emulator = await startEmulator(['--no-auth']);
  });

  test.each([
    ['no token', {}],
    ['any bearer', bearer('ya29.a0AfH6SMBx')],
    ['the owner of other emulators', bearer('owner')],
    ['a token of our own form that nobody gave out', bearer(`${'a'.repeat(32)}:grant:secret`)],
    ['credentials of another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
  ])('a call with %s is the operator of the sandbox', async (_what, headers) => {
    expect((await emulator.call(LIST_USERS, { headers })).status).toBe(200);
    expect((await emulator.call('/v1/tenants/C00000001', { headers })).body).toMatchObject({ mode: 'sandbox' });
  });

  test('a tenant is named by a header or by the end of the token, and sees nothing of another', async () => {
    const second = { 'x-emulator-tenant': 'C00000002' };
    const body = userBody('bo', 'c00000002.example.com');
    expect((await emulator.call(USERS, { body, headers: second })).status).toBe(200);
    for (const headers of [second, bearer('C00000002'), bearer('any:C00000002')])
      expect(emailsOf((await emulator.call(LIST_USERS, { headers })).body)).toEqual(['bo@c00000002.example.com']);
    expect(emailsOf((await emulator.call(LIST_USERS)).body)).toEqual([]);
    expect((await emulator.call(LIST_USERS, { headers: { 'x-emulator-tenant': '../x' } })).status).toBe(400);
  });

  test('what a page of the web or a rebound name could send is refused', async () => {
    const url = `${emulator.control}${LIST_USERS}`;
    const { host, port } = new URL(emulator.control);
    for (const own of [host, `localhost:${port}`]) expect(await send(url, { host: own })).toBe(200);
    for (const foreign of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      '127.0.0.1:1',
      `127.0.0.1.nip.io:${port}`,
    ])
      expect(await send(url, { host: foreign })).toBe(421);
    for (const origin of [
      'https://evil.example',
      'http://localhost',
      'http://localhost:3000',
      'null',
      `https://${host}`,
    ])
      expect(await send(url, { host, origin }, 'POST')).toBe(403);
    expect(await send(url, { host, origin: emulator.control })).toBe(200);
    expect(await send(url, { host, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await send(url, { host, 'sec-fetch-site': 'none' })).toBe(200);
    for (const path of ['/v1/calls', '/v1/reset', '/emulator', '/', '/oauth/token'])
      expect(await send(`${emulator.control}${path}`, { host: 'evil.example' })).toBe(421);
  });

  test("its own program's paths and the console answer nobody else", async () => {
    for (const path of ['/emulator/admin/tenants', '/emulator/admin/export?tenant=C00000001', '/console/'])
      expect(await send(`${emulator.control}${path}`, { 'x-emulator-admin': 'x' })).toBe(404);
  });

  test('the parts of a batch need no token, and may have any', async () => {
    const part = (id: number, token: string) =>
      `--b\r\nContent-Type: application/http\r\nContent-ID: <${id}>\r\n\r\nGET ${LIST_USERS} HTTP/1.1\r\n${token}\r\n\r\n`;
    const body = `${part(1, '')}${part(2, 'Authorization: Bearer ya29.x')}--b--\r\n`;
    const answer = await fetch(`${emulator.control}/batch/admin/directory_v1`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body,
    });
    expect(answer.status).toBe(200);
    expect((await answer.text()).match(/^HTTP\/1\.1 200/gm)).toHaveLength(2);
  });

  test("a batch whose parts name the emulator's own address in full is answered, and no other address", async () => {
    const part = (origin: string) =>
      `--b\r\nContent-Type: application/http\r\n\r\nGET ${origin}${LIST_USERS} HTTP/1.1\r\n\r\n\r\n`;
    const answer = await fetch(`${emulator.control}/batch/admin/directory_v1`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: `${part(emulator.control)}${part('http://evil.example')}--b--\r\n`,
    });
    expect((await answer.text()).match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  test('whoever asks for a token gets one', async () => {
    const answer = await fetch(`${emulator.control}/token`, {
      method: 'POST',
      body: new URLSearchParams({ assertion: 'x' }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    expect((await emulator.call(LIST_USERS, { headers: bearer(token) })).status).toBe(200);
  });
});

describe('with authentication', () => {
  let emulator: StartedEmulator;
  beforeAll(async () => {
    const seed = {
      version: 1,
      tenants: [
        { id: 'C00000001', accounts: [{ name: 'ci', acts_for: ['admin@example.com'] }] },
        {
          id: 'C00000002',
          project: 'second',
          accounts: [{ name: 'reader', scopes: ['admin.directory.user.readonly'] }],
        },
      ],
    };
    emulator = await startEmulator(['--seed', writeTemporaryFile('seed.json', seed)]);
  });

  test('a call without a token, with another one, or with a guessed tenant is refused', async () => {
    for (const headers of [
      {},
      bearer('any'),
      bearer('C00000001'),
      bearer(`${emulator.token}x`),
      bearer(`:C00000001`),
    ]) {
      expect((await emulator.call(LIST_USERS, { headers })).status).toBe(401);
      expect((await emulator.call('/v1/calls', { headers })).status).toBe(401);
      expect((await emulator.call('/v1/reset', { method: 'POST', headers })).status).toBe(401);
    }
    expect((await fetch(`${emulator.control}/`)).status).toBe(401);
  });

  test('the token of the run is the operator of every tenant', async () => {
    for (const headers of [bearer(emulator.token), bearer(`${emulator.token}:C00000002`)])
      expect((await emulator.call(LIST_USERS, { headers })).status).toBe(200);
    const basic = Buffer.from(`emulator:${emulator.token}`).toString('base64');
    expect((await fetch(`${emulator.control}/`, { headers: { authorization: `Basic ${basic}` } })).status).toBe(200);
  });

  test('a key file gets tokens as the vendors libraries ask for them, for users that the seed names too', async () => {
    const [ci, reader] = emulator.keys;
    expect([ci?.tenant, reader?.tenant]).toEqual(['C00000001', 'C00000002']);
    expect(statSync(ci?.file ?? '').mode & 0o777).toBe(0o600);
    const own = await exchange(ci?.file ?? '', {});
    expect((await emulator.call(USERS, { body: userBody('cy'), headers: bearer(own.access_token) })).status).toBe(200);
    const delegated = await exchange(ci?.file ?? '', { sub: 'admin@example.com' });
    expect((await emulator.call(LIST_USERS, { headers: bearer(delegated.access_token) })).status).toBe(200);
    expect(await exchange(ci?.file ?? '', { sub: 'other@example.com' })).toMatchObject({
      error: 'unauthorized_client',
    });
    const reads = bearer((await exchange(reader?.file ?? '', {})).access_token);
    expect((await emulator.call(LIST_USERS, { headers: reads })).body.users).toBeUndefined();
    expect((await emulator.call(USERS, { body: userBody('x', 'c00000002.example.com'), headers: reads })).status).toBe(
      403,
    );
    expect((await emulator.call('/v1/reset', { body: { tenants: ['C00000001'] }, headers: reads })).status).toBe(403);
  });

  test('an assertion that another key signed gets nothing', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    expect(await exchange(emulator.keys[0]?.file ?? '', {}, privateKey)).toMatchObject({ error: 'invalid_grant' });
  });
});

type TokenAnswer = { access_token: string; error?: string };

/** The exchange of RFC 7523 as the vendors' libraries do it. */
async function exchange(
  file: string,
  claims: { sub?: string },
  otherKey?: Parameters<SignJWT['sign']>[0],
): Promise<TokenAnswer> {
  const key = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const { client_email: email = '', private_key: pem = '', private_key_id: kid = '', token_uri: url = '' } = key;
  const assertion = await new SignJWT({ ...claims, scope: '' })
    .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
    .setIssuer(email)
    .setAudience(url)
    .setIssuedAt()
    .setExpirationTime('1h')
    .setJti(crypto.randomUUID())
    .sign(otherKey ?? (await importPKCS8(pem, 'RS256')));
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
  return (await (await fetch(url, { method: 'POST', body })).json()) as TokenAnswer;
}
