import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ClientDocument, DocumentKeys } from '../../src/authorization/cimd.ts';
import {
  approve,
  codeForm,
  type Form,
  inside,
  isAlive,
  post,
  publicClient,
  refreshForm,
  REDIRECT,
  store,
  tokensOf,
  verdict,
} from './authorization-world.ts';

const ID = 'https://app.example/client.json';
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let pair: Pair;
let other: Pair;
let jwk: Record<string, unknown>;

beforeAll(async () => {
  pair = await generateKeyPair('ES256', { extractable: true });
  other = await generateKeyPair('ES256');
  jwk = { ...(await exportJWK(pair.publicKey)) };
});

afterEach(() => {
  vi.useRealTimers();
});

type Methods = ClientDocument['authentication']['methods'];

const documentOf = (methods: Methods, keys?: DocumentKeys): ClientDocument => ({
  client: {
    clientId: ID,
    clientName: 'Desk',
    redirectUris: [REDIRECT],
    grantTypes: ['authorization_code', 'refresh_token'],
    responseTypes: ['code'],
    tokenEndpointAuthMethod: 'none',
  },
  authentication: keys === undefined ? { methods } : { methods, keys },
  expiresAtMs: Date.now() + 3_600_000,
});

const inline = (): DocumentKeys => ({ algorithms: ['ES256'], jwks: { keys: [jwk] } });

let serial = 0;

type Claims = Record<string, unknown>;

async function assertion(over: Claims = {}, key = pair.privateKey, alg = 'ES256'): Promise<string> {
  serial += 1;
  const nowS = Math.floor(Date.now() / 1000);
  const claims = { iss: ID, sub: ID, aud: 'https://sightline.test', exp: nowS + 60, jti: `jti-${serial}`, ...over };
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(key);
}

const signed = async (form: Form, over: Claims = {}): Promise<Form> => ({
  ...form,
  client_assertion_type: TYPE,
  client_assertion: await assertion(over),
});

async function codeFor(document: ClientDocument): Promise<string> {
  await store().putClientDocument(document);
  return (await approve({ clientId: ID })).code;
}

test('a client id that is a URL needs its document first, and a client with one is known as a public client', async () => {
  const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'x', client_id: ID }).toString();
  const request = { contentType: 'application/x-www-form-urlencoded', authorization: null, body };
  expect(await store().token(request)).toEqual({ kind: 'client_document_needed', clientId: ID });
  expect(await store().clientNeed(ID, 'caller')).toEqual({ kind: 'document' });
  const code = await codeFor(documentOf(['none']));
  expect(await store().clientNeed(ID, 'caller')).toEqual({ kind: 'known' });
  expect((await post(codeForm(code, ID))).status).toBe(200);
});

test('S9: the document of one URL says nothing about another query of it', async () => {
  await store().putClientDocument(documentOf(['none']));
  expect(await store().clientNeed(`${ID}?v=2`, 'caller')).toEqual({ kind: 'document' });
});

test('a document that ends within ten minutes is fetched anew before a consent, and still serves a token request', async () => {
  await store().putClientDocument({ ...documentOf(['none']), expiresAtMs: Date.now() + 660_000 });
  const { code } = await approve({ clientId: ID });
  expect(await store().clientNeed(ID, 'caller')).toEqual({ kind: 'known' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect(await store().clientNeed(ID, 'caller')).toEqual({ kind: 'document' });
  expect((await post(codeForm(code, ID))).status).toBe(200);
});

test('a document is forgotten when its time is over', async () => {
  const { refresh } = tokensOf(await post(codeForm(await codeFor(documentOf(['none'])), ID)));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_001 });
  const body = new URLSearchParams(refreshForm(refresh, ID)).toString();
  const request = { contentType: 'application/x-www-form-urlencoded', authorization: null, body };
  expect(await store().token(request)).toEqual({ kind: 'client_document_needed', clientId: ID });
});

test('A8: one caller can make us fetch 60 documents an hour', async () => {
  for (let n = 0; n < 60; n += 1) await store().clientNeed(`https://app.example/${n}`, 'caller');
  const need = await store().clientNeed('https://app.example/60', 'caller');
  expect(need).toMatchObject({ kind: 'limited' });
  expect(await store().clientNeed('https://app.example/60', 'another')).toEqual({ kind: 'document' });
});

test('A8: all callers together can make us fetch 2,000 documents and key sets an hour', async () => {
  const endsAtMs = Date.now() + 3_600_000;
  await inside(({ rows }) => rows.put('own:client:all-fetches:', { count: 1_998, endsAtMs }, endsAtMs));
  expect(await store().clientNeed('https://app.example/1', 'a')).toEqual({ kind: 'document' });
  expect(await store().keysNeed('https://app.example/keys', 'b')).toEqual({ kind: 'fetch' });
  expect(await store().clientNeed('https://app.example/2', 'c')).toMatchObject({ kind: 'limited' });
  expect(await store().keysNeed('https://app.example/keys', 'd')).toMatchObject({ kind: 'limited' });
});

test('A8: key sets count as documents of their caller', async () => {
  for (let n = 0; n < 60; n += 1) await store().keysNeed(`https://app.example/${n}`, 'caller');
  expect(await store().clientNeed('https://app.example/60', 'caller')).toMatchObject({ kind: 'limited' });
  expect(await store().keysNeed('https://app.example/60', 'caller')).toMatchObject({ kind: 'limited' });
});

test('A8: beyond 20,000 living documents no new one is fetched; one that we have is renewed', async () => {
  await store().putClientDocument({ ...documentOf(['none']), expiresAtMs: Date.now() + 60_000 });
  await inside(({ rows }) => {
    for (let n = 1; n < 20_000; n += 1) rows.put(`own:client:document:${n}`, true);
  });
  expect(await store().clientNeed('https://app.example/2', 'caller')).toMatchObject({ kind: 'limited' });
  expect(await store().clientNeed(ID, 'caller')).toEqual({ kind: 'document' });
});

test('keys that could not be fetched are not asked for again for a minute', async () => {
  await store().keysFailed('https://app.example/keys');
  expect(await store().keysNeed('https://app.example/keys', 'caller')).toEqual({ kind: 'failed' });
  expect(await store().keysNeed('https://app.example/other', 'caller')).toEqual({ kind: 'fetch' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 });
  expect(await store().keysNeed('https://app.example/keys', 'caller')).toEqual({ kind: 'fetch' });
});

test.each(['nobody', 'http://app.example/c', 'https://app.example/', `https://app.example/${'x'.repeat(3_000)}`])(
  'the id %s is no client',
  async (clientId) => {
    expect(await store().clientNeed(clientId, 'caller')).toEqual({ kind: 'unknown' });
  },
);

describe('private_key_jwt', () => {
  test('a client whose document offers nothing else redeems and refreshes with assertions alone', async () => {
    const code = await codeFor(documentOf(['private_key_jwt'], inline()));
    expect(verdict(await post(codeForm(code, ID)))).toBe('401 invalid_client');
    const first = await post(await signed(codeForm(code, ID)));
    const { refresh } = tokensOf(first);
    expect(verdict(await post(refreshForm(refresh, ID)))).toBe('401 invalid_client');
    expect((await post(await signed(refreshForm(refresh, ID)))).status).toBe(200);
  });

  test('the client id may stand in the assertion alone, and the token endpoint be its audience', async () => {
    const code = await codeFor(documentOf(['private_key_jwt'], inline()));
    const { client_id: _, ...form } = codeForm(code, ID);
    expect((await post(await signed(form, { aud: ['https://sightline.test/oauth/token'] }))).status).toBe(200);
  });

  test('a client whose document offers both may do without', async () => {
    const code = await codeFor(documentOf(['none', 'private_key_jwt'], inline()));
    expect((await post(codeForm(code, ID))).status).toBe(200);
  });

  test('an assertion works once', async () => {
    const code = await codeFor(documentOf(['private_key_jwt'], inline()));
    const form = await signed(codeForm(code, ID));
    const { access, refresh } = tokensOf(await post(form));
    const stolen = {
      ...refreshForm(refresh, ID),
      client_assertion_type: TYPE,
      client_assertion: form['client_assertion'] ?? '',
    };
    expect(verdict(await post(stolen))).toBe('401 invalid_client');
    expect(await isAlive(access)).toBe(true);
  });

  test('the same jti of two clients is two assertions', async () => {
    const code = await codeFor(documentOf(['private_key_jwt'], inline()));
    const otherId = 'https://other.example/client.json';
    const document = documentOf(['private_key_jwt'], inline());
    await store().putClientDocument({ ...document, client: { ...document.client, clientId: otherId } });
    const { code: otherCode } = await approve({ clientId: otherId });
    const claims = { iss: otherId, sub: otherId, jti: 'shared' };
    expect((await post(await signed(codeForm(code, ID), { jti: 'shared' }))).status).toBe(200);
    expect((await post(await signed(codeForm(otherCode, otherId), claims))).status).toBe(200);
  });

  test('F2: refreshes at once, each with an assertion of its own, are one rotation', async () => {
    const code = await codeFor(documentOf(['private_key_jwt'], inline()));
    const { refresh } = tokensOf(await post(await signed(codeForm(code, ID))));
    const forms = await Promise.all(Array.from({ length: 8 }, () => signed(refreshForm(refresh, ID))));
    const answers = await Promise.all(forms.map((form) => post(form)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });

  const hourAhead = () => Math.floor(Date.now() / 1000) + 3_700;
  test.each<[string, () => Claims]>([
    ['another issuer', () => ({ iss: 'https://evil.example/c' })],
    ['another subject', () => ({ sub: 'https://evil.example/c' })],
    ['another audience', () => ({ aud: 'https://other.example' })],
    ['the resource as audience', () => ({ aud: 'https://sightline.test/mcp-account' })],
    ['no audience', () => ({ aud: undefined })],
    ['no expiry', () => ({ exp: undefined })],
    ['an expiry in the past', () => ({ exp: Math.floor(Date.now() / 1000) - 61 })],
    ['more than an hour to live', () => ({ exp: hourAhead() })],
    ['no jti', () => ({ jti: undefined })],
    ['an empty jti', () => ({ jti: '' })],
    ['a long jti', () => ({ jti: 'x'.repeat(257) })],
    ['a start in the future', () => ({ nbf: Math.floor(Date.now() / 1000) + 120 })],
  ])('with %s is refused and the code lives on', async (_, over) => {
    const code = await codeFor(documentOf(['private_key_jwt'], inline()));
    expect(verdict(await post(await signed(codeForm(code, ID), over())))).toBe('401 invalid_client');
    expect((await post(await signed(codeForm(code, ID)))).status).toBe(200);
  });

  test('of a foreign key, unsigned, of another algorithm or garbled is refused', async () => {
    const code = await codeFor(documentOf(['private_key_jwt'], inline()));
    const none = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ iss: ID, sub: ID }))}.`.replaceAll('=', '');
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const shared = await new SignJWT({ iss: ID, sub: ID, aud: 'https://sightline.test', jti: 'x' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1m')
      .sign(secret);
    const bad = [await assertion({}, other.privateKey), none, shared, 'x.y.z', '', `a.${'b'.repeat(9_000)}.c`];
    for (const client_assertion of bad) {
      const form = { ...codeForm(code, ID), client_assertion_type: TYPE, client_assertion };
      expect(verdict(await post(form))).toBe('401 invalid_client');
    }
  });

  test('beside another way of authentication, or of an unknown type, is refused', async () => {
    const code = await codeFor(documentOf(['private_key_jwt'], inline()));
    const form = await signed(codeForm(code, ID));
    expect(verdict(await post({ ...form, client_secret: 'x' }))).toBe('401 invalid_client');
    expect(verdict(await post(form, `Basic ${btoa('a:b')}`))).toBe('401 invalid_client');
    expect(verdict(await post({ ...form, client_assertion_type: 'saml' }))).toBe('401 invalid_client');
    expect((await post(form)).status).toBe(200);
  });

  test('of a registered client, which has no keys, is refused', async () => {
    const clientId = await publicClient();
    const { code } = await approve({ clientId });
    const form = await signed(codeForm(code, clientId), { iss: clientId, sub: clientId });
    expect(verdict(await post(form))).toBe('401 invalid_client');
    expect((await post(codeForm(code, clientId))).status).toBe(200);
  });

  test('keys at jwks_uri are asked for by the Worker and kept', async () => {
    const jwksUri = 'https://keys.example/jwks';
    const code = await codeFor(documentOf(['private_key_jwt'], { algorithms: ['ES256'], jwksUri }));
    const form = await signed(codeForm(code, ID));
    const body = new URLSearchParams(form).toString();
    const request = { contentType: 'application/x-www-form-urlencoded', authorization: null, body };
    expect(await store().token(request)).toEqual({ kind: 'client_keys_needed', clientId: ID, jwksUri });
    await store().putClientKeys(ID, { keys: [jwk] }, Date.now() + 60_000);
    expect((await post(form)).status).toBe(200);
  });
});
