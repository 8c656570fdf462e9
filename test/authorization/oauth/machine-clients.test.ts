import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildClientRow, formatClientRowKey } from '../../../src/authorization/oauth/kv-facade.ts';
import { createMachineGrants } from '../../../src/authorization/service-accounts/machine.ts';
import { memoryStore } from '../../support/management/memory-rows.ts';
import {
  type Claims,
  ISSUER,
  machineWorld,
  type MachineWorld,
  RESOURCES,
  signed,
  TOKEN_ENDPOINT,
} from '../../support/management/machine-world.ts';

const GRANT = { grant_type: 'client_credentials' };
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let world: MachineWorld;
let client: { id: string; secret: string };

beforeAll(async () => {
  world = machineWorld();
  client = await withSecret(world);
});

async function withSecret(own: MachineWorld, scopes = ['audit:run', 'channels:read'], resources?: string[]) {
  const made = await own.machine.clients.create({ name: 'batch', scopes, resources });
  if (!made.ok || made.secret === undefined) throw new Error('no client was made');
  return { id: made.client.id, secret: made.secret };
}

const basic = (id: string, secret: string): string =>
  `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;

test('A1: a client of the operator gets a token by its secret, for its default resource, and no refresh token', async () => {
  const { status, body } = await world.ask(GRANT, basic(client.id, client.secret));
  expect(status).toBe(200);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^slm_/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'audit:run channels:read',
  });
  expect(await world.machine.validate(String(body['access_token']), RESOURCES[0])).toMatchObject({
    clientId: client.id,
    userId: expect.stringMatching(/^[0-9a-f]{32}$/),
    props: { kind: 'service' },
  });
});

test('A1: a scope that the client has not is left out, and one alone is invalid_scope', async () => {
  const by = basic(client.id, client.secret);
  expect(await world.ask({ ...GRANT, scope: 'channels:read operator' }, by)).toMatchObject({
    status: 200,
    body: { scope: 'channels:read' },
  });
  expect(await world.ask({ ...GRANT, scope: 'operator' }, by)).toMatchObject({
    status: 400,
    body: { error: 'invalid_scope' },
  });
});

test.each<[string, () => string | null, (() => Record<string, string>)?]>([
  ['a wrong secret', () => basic(client.id, 'wrong')],
  ['a secret one character short', () => basic(client.id, client.secret.slice(1))],
  ['an unknown client', () => basic('slc_unknown', client.secret)],
  ['no secret', () => basic(client.id, '')],
  ['another client id in the form', () => basic(client.id, client.secret), () => ({ client_id: 'slc_other' })],
  ['a Basic header that is no base64', () => 'Basic %%%'],
  ['a Basic header that is not form-encoded', () => `Basic ${btoa(`${client.id}:%zz`)}`],
  ['a bearer token', () => `Bearer ${client.secret}`],
  ['the client id alone', () => null, () => ({ client_id: client.id })],
  ['nothing', () => null],
  ['the secret in the form', () => null, () => ({ client_id: client.id, client_secret: client.secret })],
])('A1: %s is 401 invalid_client with a Basic challenge', async (_what, authorization, fields) => {
  expect(await world.ask({ ...GRANT, ...fields?.() }, authorization())).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="sightline"' },
    body: { error: 'invalid_client' },
  });
});

test.each<[string, (id: string) => [Record<string, string>, string | null]]>([
  ['by its id', (id) => [{ client_id: id }, null]],
  ['by a secret', (id) => [{}, basic(id, 'secret')]],
])('A1: a client that anyone can register may not use client_credentials, %s', async (_what, present) => {
  world.store.rows.put(formatClientRowKey('open1'), buildClientRow({ clientId: 'open1' }));
  for (const id of ['open1', 'https://app.example/client.json']) {
    const [fields, authorization] = present(id);
    expect(await world.ask({ ...GRANT, ...fields }, authorization)).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
  }
});

test('two ways of authenticating at once are invalid_request', async () => {
  const fields = { ...GRANT, client_assertion: 'a.b.c', client_assertion_type: ASSERTION_TYPE };
  expect(await world.ask(fields, basic(client.id, client.secret))).toMatchObject({
    body: { error: 'invalid_request' },
  });
});

test.each([
  [[RESOURCES[0], RESOURCES[1]], 'invalid_target'],
  [['https://elsewhere.test'], 'invalid_target'],
  [[`${RESOURCES[0]}/`], 'invalid_target'],
])('the resources %j are refused', async (resources, error) => {
  const fields = [['grant_type', 'client_credentials'], ...resources.map((resource) => ['resource', resource])];
  expect(await world.ask(fields as [string, string][], basic(client.id, client.secret))).toMatchObject({
    status: 400,
    body: { error },
  });
});

test.each(['grant_type', 'scope', 'client_id'])('the parameter %s twice is invalid_request', async (name) => {
  const fields: [string, string][] = [
    ['grant_type', 'client_credentials'],
    [name, 'audit:run'],
    [name, 'audit:run'],
  ];
  expect(await world.ask(fields, basic(client.id, client.secret))).toMatchObject({
    body: { error: 'invalid_request' },
  });
});

test('a scope of 9 KB is refused', async () => {
  expect(await world.ask({ ...GRANT, scope: 'x '.repeat(4500) }, basic(client.id, client.secret))).toMatchObject({
    body: { error: 'invalid_scope' },
  });
});

test("a deleted client's tokens end at once", async () => {
  const own = machineWorld();
  const doomed = await withSecret(own);
  const { body } = await own.ask(GRANT, basic(doomed.id, doomed.secret));
  expect(await own.machine.validate(String(body['access_token']), RESOURCES[0])).not.toBeNull();
  expect(own.machine.clients.remove(doomed.id)).toEqual({ ok: true, name: 'batch' });
  expect(await own.machine.validate(String(body['access_token']), RESOURCES[0])).toBeNull();
  expect(await own.ask(GRANT, basic(doomed.id, doomed.secret))).toMatchObject({ status: 401 });
  expect(own.machine.clients.remove(doomed.id)).toEqual({ ok: false, reason: 'not_found' });
});

describe('revocation (RFC 7009, section 2.1)', () => {
  const issued = async () => String((await world.ask(GRANT, basic(client.id, client.secret))).body['access_token']);
  const isGood = async (token: string) => (await world.machine.validate(token, RESOURCES[0])) !== null;

  test("ends a client's token for the client alone", async () => {
    const token = await issued();
    expect(await world.ask({ token })).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(await world.ask({ token, client_id: client.id })).toMatchObject({ status: 401 });
    expect(await world.ask({ token }, basic(client.id, 'guess'))).toMatchObject({ status: 401 });
    expect(await isGood(token)).toBe(true);
    expect(await world.ask({ token }, basic(client.id, client.secret))).toMatchObject({ status: 200 });
    expect(await isGood(token)).toBe(false);
  });

  test('by another client answers as for an unknown token and ends nothing', async () => {
    const token = await issued();
    const own = await world.machine.clients.create({ name: 'other', scopes: ['audit:run'] });
    if (!own.ok) throw new Error(own.reason);
    const header = basic(own.client.id, own.secret ?? '');
    expect(await world.ask({ token }, header)).toEqual(await world.ask({ token: 'slm_unknown' }, header));
    expect(await isGood(token)).toBe(true);
    world.machine.clients.remove(own.client.id);
  });
});

test('only resources of the service are given, though a client was made for one that is gone', async () => {
  const store = memoryStore();
  const settings = { issuer: ISSUER, tokenEndpoint: TOKEN_ENDPOINT, otherAudiences: [] };
  const made = await createMachineGrants(store, { ...settings, resources: RESOURCES }).clients.create({
    name: 'batch',
    scopes: ['audit:run'],
  });
  if (!made.ok) throw new Error(made.reason);
  const after = createMachineGrants(store, { ...settings, resources: [RESOURCES[0]] });
  const ask = async (resource: string) => {
    const form = new URLSearchParams({ ...GRANT, resource });
    const { status, body } = await after.token({ form, authorization: basic(made.client.id, made.secret ?? '') });
    return `${status} ${(JSON.parse(body) as { error?: string }).error ?? 'ok'}`;
  };
  expect(await ask(RESOURCES[0])).toBe('200 ok');
  expect(await ask(RESOURCES[1])).toBe('400 invalid_target');
});

test('a secret has 256 bits and is kept as its hash alone; no list shows either', () => {
  expect(client.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(JSON.stringify(world.store.rows.list('own:', 1000))).not.toContain(client.secret);
  const listed = world.machine.clients.list();
  expect(listed).toHaveLength(1);
  expect(Object.keys(listed[0] ?? {}).toSorted()).toEqual(
    ['account', 'createdAtMs', 'id', 'method', 'name', 'resources', 'scopes'].toSorted(),
  );
});

test('there are at most 100 clients', async () => {
  const own = machineWorld();
  for (let index = 0; index < 100; index += 1) await withSecret(own);
  expect(await own.machine.clients.create({ name: 'x', scopes: ['audit:run'] })).toEqual({
    ok: false,
    reason: 'too_many',
  });
});

describe('private_key_jwt', () => {
  let key: CryptoKey;
  let id: string;

  beforeAll(async () => {
    const pair = await generateKeyPair('ES256');
    key = pair.privateKey;
    const { crv, x, y } = await exportJWK(pair.publicKey);
    const jwks = [{ kty: 'EC', crv, x, y, kid: 'k1', alg: 'ES256' }];
    const made = await world.machine.clients.create({ name: 'signer', scopes: ['audit:run'], jwks });
    if (!made.ok) throw new Error(made.reason);
    id = made.client.id;
  });

  const claims = (): Claims => ({
    iss: id,
    sub: id,
    aud: ISSUER,
    iat: world.nowS(),
    exp: world.nowS() + 300,
  });
  const present = async (assertion: string, fields: Record<string, string> = {}) =>
    world.ask({ ...GRANT, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion, ...fields });
  const header = { alg: 'ES256', kid: 'k1' };

  test.each([ISSUER, TOKEN_ENDPOINT])('A1: an assertion for %s is accepted', async (aud) => {
    expect(await present(await signed({ ...claims(), aud }, key, header))).toMatchObject({ status: 200 });
  });

  test('an assertion with an id works once', async () => {
    const assertion = await signed({ ...claims(), jti: 'once' }, key, header);
    expect(await present(assertion, { client_id: id })).toMatchObject({ status: 200 });
    expect(await present(assertion)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test.each<[string, Claims]>([
    ['another subject', { sub: 'slc_other' }],
    ['no subject', { sub: undefined }],
    ['another audience', { aud: 'https://elsewhere.test' }],
    ['two audiences', { aud: [ISSUER, TOKEN_ENDPOINT] }],
    ['an unknown issuer', { iss: 'slc_other' }],
    ['an end in the past', { iat: 1_799_990_000, exp: 1_799_990_300 }],
    ['a life of a day', { exp: 1_800_086_400 }],
  ])('A1: %s is 401 invalid_client', async (_what, changes) => {
    expect(await present(await signed({ ...claims(), ...changes }, key, header))).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test.each<[string, Record<string, string>]>([
    ['another client id in the form', { client_id: 'slc_other' }],
    ['another assertion type', { client_assertion_type: 'urn:x' }],
  ])('%s is refused', async (_what, fields) => {
    expect(await present(await signed(claims(), key, header), fields)).toMatchObject({ status: 401 });
  });

  test('a signature of another key is refused', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    expect(await present(await signed(claims(), privateKey, header))).toMatchObject({ status: 401 });
  });

  test.each(['PS256', 'EdDSA'])(
    '%s, which the metadata does not name, is refused, though the key would fit',
    async (alg) => {
      const pair = await generateKeyPair(alg);
      const { kty = '', ...members } = await exportJWK(pair.publicKey);
      const jwks = [{ kty, ...(members as Record<string, string>), kid: 'k2' }];
      const own = await world.machine.clients.create({ name: 'signer', scopes: ['audit:run'], jwks });
      if (!own.ok) throw new Error(own.reason);
      const named = { ...claims(), iss: own.client.id, sub: own.client.id };
      expect(await present(await signed(named, pair.privateKey, { alg, kid: 'k2' }))).toMatchObject({ status: 401 });
      world.machine.clients.remove(own.client.id);
    },
  );

  test('a shared secret is no key: HS256 is refused', async () => {
    const forged = await signed(claims(), new Uint8Array(32), { alg: 'HS256', kid: 'k1' });
    expect(await present(forged)).toMatchObject({ status: 401 });
  });

  test('a client with a secret cannot be used by an assertion, and one with keys not by a secret', async () => {
    const other = { ...claims(), iss: client.id, sub: client.id };
    expect(await present(await signed(other, key, header))).toMatchObject({ status: 401 });
    expect(await world.ask(GRANT, basic(id, 'x'))).toMatchObject({ status: 401 });
  });
});
