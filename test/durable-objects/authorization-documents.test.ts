import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ClientDocument, DocumentKeys } from '../../src/authorization/clients/client-document.ts';
import { createClientDirectory } from '../../src/authorization/clients/clients.ts';
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
  useShards,
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

/** What a consent to a client with a document keeps. */
const keep = (document: ClientDocument): Promise<void> =>
  inside((tools) => createClientDirectory(tools).keep(document.client.clientId, { from: 'document', document }));

async function codeFor(document: ClientDocument): Promise<string> {
  await keep(document);
  return (await approve({ clientId: document.client.clientId })).code;
}

const asked = (form: Form) => ({
  contentType: 'application/x-www-form-urlencoded',
  authorization: null,
  body: new URLSearchParams(form).toString(),
});

test('a client id that is a URL needs its document first, and a client with one is known as a public client', async () => {
  expect(await store().clientNeed(ID, 'caller')).toEqual({ kind: 'document' });
  const code = await codeFor(documentOf(['none']));
  expect(await store().clientNeed(ID, 'caller')).toEqual({ kind: 'known' });
  expect((await post(codeForm(code, ID))).status).toBe(200);
});

test('B6: at the token endpoint no document is fetched for a client that nobody consented to', async () => {
  const form = { grant_type: 'authorization_code', code: 'x:y:z', client_id: ID };
  expect(await store().token(asked(form))).toMatchObject({ kind: 'answer', status: 401 });
});

test('B6: a fetched document is not kept before the first consent', async () => {
  const rows = () => inside((tools) => tools.rows.count('kv:client:') + tools.rows.count('own:client:document:'));
  await store().putClientDocument(documentOf(['none']));
  expect(await rows()).toBe(0);
  await keep(documentOf(['none']));
  expect(await rows()).toBe(2);
});

test('B6: a client of an earlier version, known by its grant alone, has its document fetched again', async () => {
  useShards(false); // Grants of an earlier version are in the root.
  const { refresh } = tokensOf(await post(codeForm(await codeFor(documentOf(['none'])), ID)));
  await inside(({ rows }) => {
    for (const prefix of ['own:client:access:', 'own:client:document:', 'kv:client:']) rows.delete(prefix + ID);
  });
  expect(await store().token(asked(refreshForm(refresh, ID)))).toEqual({
    kind: 'client_document_needed',
    clientId: ID,
  });
  const foreign = { ...refreshForm(refresh, ID), client_id: 'https://other.example/client.json' };
  expect(await store().token(asked(foreign))).toMatchObject({ kind: 'answer', status: 401 });
  await store().putClientDocument(documentOf(['none']));
  expect((await post(refreshForm(refresh, ID))).status).toBe(200);
});

test('S9: the document of one URL says nothing about another query of it', async () => {
  await keep(documentOf(['none']));
  expect(await store().clientNeed(`${ID}?v=2`, 'caller')).toEqual({ kind: 'document' });
});

test('a document that ends within ten minutes is fetched anew before a consent, and still serves a token request', async () => {
  await keep({ ...documentOf(['none']), expiresAtMs: Date.now() + 660_000 });
  const { code } = await approve({ clientId: ID });
  expect(await store().clientNeed(ID, 'caller')).toEqual({ kind: 'known' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect(await store().clientNeed(ID, 'caller')).toEqual({ kind: 'document' });
  expect((await post(codeForm(code, ID))).status).toBe(200);
});

test('a document is forgotten when its time is over', async () => {
  const { refresh } = tokensOf(await post(codeForm(await codeFor(documentOf(['none'])), ID)));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_001 });
  expect(await store().token(asked(refreshForm(refresh, ID)))).toEqual({
    kind: 'client_document_needed',
    clientId: ID,
  });
});

const kindOf = async (clientId: string, caller: string): Promise<string> =>
  (await store().clientNeed(clientId, caller)).kind;
const urlAt = (host: number | string, path: number | string = 'c'): string => `https://h${host}.example/${path}`;

test('A8: one caller can make us fetch 60 documents of strangers an hour', async () => {
  for (let n = 0; n < 60; n += 1) expect(await kindOf(urlAt(n), 'caller')).toBe('document');
  expect(await store().clientNeed(urlAt(60), 'caller')).toMatchObject({ kind: 'limited' });
  expect(await kindOf(urlAt(60), 'another')).toBe('document');
});

test('B6: one caller gets ten fetches an hour from one host, and other hosts stay open to it', async () => {
  for (let n = 0; n < 10; n += 1) expect(await kindOf(urlAt('x', n), 'caller')).toBe('document');
  expect(await kindOf(urlAt('x', 'more'), 'caller')).toBe('limited');
  expect(await kindOf(urlAt('y'), 'caller')).toBe('document');
});

test('B6: the /64s of one /48 have 240 fetches an hour together, and its neighbour its own', async () => {
  const caller = (net: string, n: number) => `2001:db8:${net}:${n.toString(16)}::/64`;
  for (let n = 0; n < 240; n += 1) expect(await kindOf(urlAt(n), caller('7', n))).toBe('document');
  expect(await kindOf(urlAt(240), caller('7', 240))).toBe('limited');
  expect(await kindOf(urlAt(240), caller('8', 0))).toBe('document');
});

test('B6: strangers with 2,000 fetches close no other host', async () => {
  for (let n = 0; n < 2_000; n += 1) await kindOf(urlAt(n % 40, n), `198.51.${Math.floor(n / 200)}.${n % 200}`);
  expect(await kindOf(ID, '203.0.113.1')).toBe('document');
});

test('B6: a host gets at most 60 fetches a minute for strangers; half of them are for first askers', async () => {
  const busy = (n: number) => `198.51.100.${n}`;
  for (let n = 0; n < 30; n += 1) expect(await kindOf(urlAt('x', n), busy(n % 3))).toBe('document');
  expect(await store().clientNeed(urlAt('x', 'more'), busy(0))).toMatchObject({ kind: 'limited' });
  for (let n = 0; n < 30; n += 1) expect(await kindOf(urlAt('x', n), `203.0.113.${n}`)).toBe('document');
  const need = await store().clientNeed(urlAt('x', 'last'), '203.0.113.99');
  expect(need).toMatchObject({ kind: 'limited' });
  expect(need.kind === 'limited' && need.retryAfterS).toBeLessThanOrEqual(60);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 });
  expect(await kindOf(urlAt('x', 'last'), '203.0.113.99')).toBe('document');
});

test('B6: clients with access are fetched in a share of their own, whatever strangers used up', async () => {
  await keep({ ...documentOf(['none']), expiresAtMs: Date.now() + 60_000 });
  for (let n = 0; n < 70; n += 1) await kindOf(`https://app.example/${n}`, `198.51.100.${n}`);
  expect(await kindOf('https://app.example/other', '203.0.113.1')).toBe('limited');
  expect(await kindOf(ID, '198.51.100.1')).toBe('document');
  expect(await store().keysNeed('https://app.example/keys')).toEqual({ kind: 'fetch' });
});

test('B6: a document is fetched for a client with access 60 times a minute at most', async () => {
  for (let n = 0; n < 60; n += 1) expect(await store().keysNeed(`https://app.example/${n}`)).toEqual({ kind: 'fetch' });
  expect(await store().keysNeed('https://app.example/60')).toMatchObject({ kind: 'limited' });
  expect(await store().keysNeed('https://other.example/60')).toEqual({ kind: 'fetch' });
});

test('keys that could not be fetched are not asked for again for a minute', async () => {
  await store().keysFailed('https://app.example/keys');
  expect(await store().keysNeed('https://app.example/keys')).toEqual({ kind: 'failed' });
  expect(await store().keysNeed('https://app.example/other')).toEqual({ kind: 'fetch' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_001 });
  expect(await store().keysNeed('https://app.example/keys')).toEqual({ kind: 'fetch' });
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
    expect(verdict(await post({ ...stolen, assertion: 'x' }))).toBe('401 invalid_client');
    expect(await isAlive(access)).toBe(true);
  });

  test('the same jti of two clients is two assertions', async () => {
    const code = await codeFor(documentOf(['private_key_jwt'], inline()));
    const otherId = 'https://other.example/client.json';
    const document = documentOf(['private_key_jwt'], inline());
    const otherCode = await codeFor({ ...document, client: { ...document.client, clientId: otherId } });
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
    expect(await store().token(asked(form))).toEqual({ kind: 'client_keys_needed', clientId: ID, jwksUri });
    await store().putClientKeys(ID, { keys: [jwk] }, Date.now() + 60_000);
    expect((await post(form)).status).toBe(200);
  });
});
