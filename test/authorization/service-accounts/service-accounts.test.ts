import { exportSPKI, generateKeyPair, importJWK, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  addKey,
  type Claims,
  claimsOf,
  DIRECTORY,
  machineWorld,
  type MachineWorld,
  RESOURCES,
  serviceWithKey,
  signed,
  TOKEN_ENDPOINT,
  VENDOR_TOKEN_URL,
} from '../../support/management/machine-world.ts';

const DAY_MS = 86_400_000;
/** Keys take time to make: one account serves all tests that change nothing of it. */
let world: MachineWorld;
let robot: Awaited<ReturnType<typeof serviceWithKey>>;

beforeAll(async () => {
  world = machineWorld();
  robot = await serviceWithKey(world);
});

const assertionOf = (changes: Claims = {}, header: { kid?: string } = {}) =>
  signed({ ...claimsOf(world, robot.file), ...changes }, robot.key, { kid: robot.file.private_key_id, ...header });

test('A2: an assertion of a service account becomes a token of an hour for its default resource, with all its scopes', async () => {
  const { status, headers, body } = await world.bearer(await assertionOf());
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' });
  expect(body).toEqual({
    access_token: expect.stringMatching(/^slm_[A-Za-z0-9_-]{43}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: `audit:run ${DIRECTORY}`,
  });
  expect(await world.machine.validate(String(body['access_token']), RESOURCES[0])).toEqual({
    props: { kind: 'service' },
    audience: RESOURCES[0],
    expiresAt: world.nowS() + 3600,
    scope: ['audit:run', DIRECTORY],
    userId: robot.id,
    clientId: robot.id,
  });
});

type Changes = (nowS: number) => Claims;

test.each<[string, Changes, string]>([
  ['for the server one level up', () => ({ aud: 'https://sightline.test/oauth' }), 'audience'],
  ['for the token endpoint with a slash', () => ({ aud: `${TOKEN_ENDPOINT}/` }), 'audience'],
  ['for the issuer with a slash', () => ({ aud: 'https://sightline.test/' }), 'audience'],
  ['for a resource', () => ({ aud: RESOURCES[0] }), 'audience'],
  ["for the vendor's token URL, which only the local stack takes", () => ({ aud: VENDOR_TOKEN_URL }), 'audience'],
  ['for two audiences, one of them us', () => ({ aud: [TOKEN_ENDPOINT, 'https://other.test'] }), 'claim aud'],
  ['for nobody in a list', () => ({ aud: [] }), 'claim aud'],
  ['for no audience', () => ({ aud: undefined }), 'claim aud'],
  ['for an audience that is a number', () => ({ aud: 7 }), 'claim aud'],
  ['that lives 3601 s', (nowS) => ({ iat: nowS, exp: nowS + 3601 }), 'longer than an hour'],
  ['that lives an hour from a distant past to now', (nowS) => ({ iat: nowS - 4000 }), 'longer than an hour'],
  ['that expired 60 s ago', (nowS) => ({ iat: nowS - 600, exp: nowS - 60 }), 'expired'],
  ['made 61 s in the future', (nowS) => ({ iat: nowS + 61, exp: nowS + 600 }), 'future'],
  ['not valid for another 61 s', (nowS) => ({ nbf: nowS + 61 }), 'not valid yet'],
  ['that ends before it begins', (nowS) => ({ iat: nowS + 30, exp: nowS + 20 }), 'before it was made'],
  ['without an end', () => ({ exp: undefined }), 'claim exp'],
  ['without a beginning', () => ({ iat: undefined }), 'claim iat'],
  ['with times that are text', () => ({ exp: '1800000100' }), 'claim exp'],
  ['with an id that is no text', () => ({ jti: 5 }), 'claim jti'],
  ['with an id of 257 characters', () => ({ jti: 'x'.repeat(257) }), 'claim jti'],
  ['of another issuer', () => ({ iss: 'robot@elsewhere.test' }), 'unknown issuer'],
  ['of the account id without its host', () => ({ iss: robot.id }), 'unknown issuer'],
  ['of the account id with another host', () => ({ iss: `${robot.id}@elsewhere.test` }), 'unknown issuer'],
  ['without an issuer', () => ({ iss: undefined }), 'names no issuer'],
])('A2: an assertion %s is refused', async (_what, changes, reason) => {
  const { status, body } = await world.bearer(await assertionOf(changes(world.nowS())));
  expect({ status, body }).toEqual({
    status: 400,
    body: { error: 'invalid_grant', error_description: expect.stringContaining(reason) },
  });
});

test.each<[string, Changes]>([
  ['for the issuer', () => ({ aud: 'https://sightline.test' })],
  ['for a list that holds the token endpoint alone', () => ({ aud: [TOKEN_ENDPOINT] })],
  ['that expired 59 s ago', (nowS) => ({ iat: nowS - 600, exp: nowS - 59 })],
  ['made 60 s in the future', (nowS) => ({ iat: nowS + 60, exp: nowS + 3660 })],
  ['whose subject is the account itself', () => ({ sub: robot.file.client_email })],
])('A2: an assertion %s is accepted', async (_what, changes) => {
  expect(await world.bearer(await assertionOf(changes(world.nowS())))).toMatchObject({ status: 200 });
});

describe('signatures', () => {
  const refusedAs = async (assertion: string) => {
    const { status, body } = await world.bearer(assertion);
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'invalid_grant' });
    return body['error_description'];
  };

  test('A2: alg none is refused', async () => {
    const unsigned = new UnsecuredJWT({ ...claimsOf(world, robot.file) }).encode();
    expect(await refusedAs(unsigned)).toContain('RS256');
  });

  test('A2: HS256 with the public key as shared secret is refused', async () => {
    const row = world.machine.services.key(robot.id, robot.file.private_key_id);
    const publicKey = await importJWK({ ...row?.publicKey }, 'RS256', { extractable: true });
    if (publicKey instanceof Uint8Array) throw new Error('an RSA key was expected');
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    const forged = await signed(claimsOf(world, robot.file), secret, {
      alg: 'HS256',
      kid: robot.file.private_key_id,
    });
    expect(await refusedAs(forged)).toContain('RS256');
  });

  test.each(['RS384', 'RS512', 'PS256'])('A2: %s is refused, though the key would fit', async (alg) => {
    const { importPKCS8 } = await import('jose');
    const key = await importPKCS8(robot.file.private_key, alg);
    expect(
      await refusedAs(await signed(claimsOf(world, robot.file), key, { alg, kid: robot.file.private_key_id })),
    ).toContain('RS256');
  });

  test('A2: a signature of another key under the right key id is refused', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const forged = await signed(claimsOf(world, robot.file), privateKey, { kid: robot.file.private_key_id });
    expect(await refusedAs(forged)).toContain('signature');
  });

  test("A2: another account's key is refused for this account", async () => {
    const other = await serviceWithKey(world);
    const kid = other.file.private_key_id;
    expect(await refusedAs(await signed(claimsOf(world, robot.file), other.key, { kid }))).toContain('key (kid)');
  });

  test.each(['', 'f'.repeat(40), '../../x', '__proto__'])('A2: the key id %j is refused', async (kid) => {
    expect(await refusedAs(await assertionOf({}, { kid }))).toContain('key (kid)');
  });

  test('A2: an assertion without a key id is refused', async () => {
    expect(await refusedAs(await signed(claimsOf(world, robot.file), robot.key, {}))).toContain('key (kid)');
  });

  test('A2: a changed claim breaks the signature', async () => {
    const [header, , signature] = (await assertionOf()).split('.');
    const claims = Buffer.from(JSON.stringify({ ...claimsOf(world, robot.file), scope: 'operator' }));
    expect(await refusedAs(`${header}.${claims.toString('base64url')}.${signature}`)).toContain('signature');
  });

  test.each(['x', '..', 'a.b.c', `${'e'.repeat(40)}.e30.x`, '💥.💥.💥', 'eyJhbGciOiJSUzI1NiJ9.W10.x'])(
    'A2: %j is no assertion',
    async (text) => {
      await refusedAs(text);
    },
  );

  test('A2: an assertion of more than 16 KiB is not looked at', async () => {
    expect(await refusedAs(await assertionOf({ filler: 'x'.repeat(16_384) }))).toContain('16384 bytes');
  });
});

describe('replay', () => {
  test('A2: an assertion with an id works once', async () => {
    const assertion = await assertionOf({ jti: 'one' });
    expect(await world.bearer(assertion)).toMatchObject({ status: 200 });
    expect(await world.bearer(assertion)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'this assertion was used before' },
    });
  });

  test('A2: of eight parallel presentations of one id, one succeeds', async () => {
    const assertion = await assertionOf({ jti: 'parallel' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.bearer(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('A2: an id is remembered until the assertion itself has ended', async () => {
    const own = machineWorld();
    const { file, key } = await serviceWithKey(own);
    const assertion = await signed({ ...claimsOf(own, file), jti: 'late' }, key, { kid: file.private_key_id });
    expect(await own.bearer(assertion)).toMatchObject({ status: 200 });
    own.store.advance((3600 + 59) * 1000);
    expect(await own.bearer(assertion)).toMatchObject({
      body: { error_description: 'this assertion was used before' },
    });
    own.store.advance(2000);
    expect(await own.bearer(assertion)).toMatchObject({
      body: { error_description: expect.stringContaining('expired') },
    });
  });

  test("an assertion without an id may come again: the vendors' libraries send none", async () => {
    const assertion = await assertionOf();
    expect(await world.bearer(assertion)).toMatchObject({ status: 200 });
    expect(await world.bearer(assertion)).toMatchObject({ status: 200 });
  });
});

describe('scopes and resources', () => {
  test.each<[string, string, string]>([
    ['a granted and a foreign scope', 'audit:run operator', 'audit:run'],
    ['the same twice', 'audit:run audit:run', 'audit:run'],
    ['nothing, as empty text', '', `audit:run ${DIRECTORY}`],
  ])('A2: %s asked for gives what the account has of it', async (_what, scope, granted) => {
    expect(await world.bearer(await assertionOf({ scope }))).toMatchObject({ status: 200, body: { scope: granted } });
  });

  test.each(['operator', 'delegation', '*', 'audit:run,operator', 'https://www.googleapis.com/auth/cloud-platform'])(
    'A2: %s alone is invalid_scope',
    async (scope) => {
      expect(await world.bearer(await assertionOf({ scope }))).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope' },
      });
    },
  );

  test('A2: the parameter scope narrows the claim and never widens it', async () => {
    const assertion = await assertionOf({ scope: 'audit:run' });
    expect(await world.bearer(assertion, { scope: `audit:run ${DIRECTORY}` })).toMatchObject({
      body: { scope: 'audit:run' },
    });
    expect(await world.bearer(assertion, { scope: DIRECTORY })).toMatchObject({ body: { error: 'invalid_scope' } });
  });

  test('a token is for the one resource that was asked for, and good nowhere else', async () => {
    const { body } = await world.bearer(await assertionOf(), { resource: RESOURCES[1] });
    const token = String(body['access_token']);
    expect(await world.machine.validate(token, RESOURCES[1])).toMatchObject({ audience: RESOURCES[1] });
    for (const other of [RESOURCES[0], `${RESOURCES[1]}/`, 'https://CONTROL.sightline.test', ''])
      expect(await world.machine.validate(token, other)).toBeNull();
  });

  test.each([`${RESOURCES[0]}/`, 'https://sightline.test', 'https://sightline.test/mcp', `${RESOURCES[0]}#x`, 'x'])(
    'the resource %s is invalid_target',
    async (resource) => {
      expect(await world.bearer(await assertionOf(), { resource })).toMatchObject({
        status: 400,
        body: { error: 'invalid_target' },
      });
    },
  );

  test("a resource of the service that is not the account's is invalid_target", async () => {
    const { file, key } = await serviceWithKey(world, { resources: [RESOURCES[1]] });
    const assertion = await signed(claimsOf(world, file), key, { kid: file.private_key_id });
    expect(await world.bearer(assertion, { resource: RESOURCES[0] })).toMatchObject({
      body: { error: 'invalid_target' },
    });
    expect(await world.bearer(assertion)).toMatchObject({ status: 200 });
  });
});

describe('delegation', () => {
  test.each(['sub', 'prn'])('A2: %s is refused without the delegation grant', async (name) => {
    expect(await world.bearer(await assertionOf({ [name]: 'ann@example.com' }))).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
  });

  test('A2: with the delegation grant a service account acts for that user and no other', async () => {
    const { file, key } = await serviceWithKey(world, { actsFor: ['ann@example.com'], tenant: 'C00000001' });
    const by = (sub: string) => signed({ ...claimsOf(world, file), sub }, key, { kid: file.private_key_id });
    const { body } = await world.bearer(await by('ann@example.com'));
    expect(await world.machine.validate(String(body['access_token']), RESOURCES[0])).toMatchObject({
      props: { kind: 'service', tenant: 'C00000001', actsFor: 'ann@example.com' },
    });
    expect(await world.bearer(await by('bob@example.com'))).toMatchObject({ body: { error: 'unauthorized_client' } });
    expect(await world.bearer(await by('ANN@example.com'))).toMatchObject({ body: { error: 'unauthorized_client' } });
  });
});

test("A2: the vendor's token URL is an audience in the local stack", async () => {
  const local = machineWorld({ otherAudiences: [VENDOR_TOKEN_URL] });
  const { file, key } = await serviceWithKey(local);
  const claims = { ...claimsOf(local, file), aud: VENDOR_TOKEN_URL };
  expect(await local.bearer(await signed(claims, key, { kid: file.private_key_id }))).toMatchObject({ status: 200 });
});

test.each<[string, [string, string][], string | null]>([
  ['without an assertion', [], null],
  ['with an empty assertion', [['assertion', '']], null],
  [
    'with two assertions',
    [
      ['assertion', 'a.b.c'],
      ['assertion', 'a.b.c'],
    ],
    null,
  ],
  ['with a Basic header besides', [['assertion', 'a.b.c']], 'Basic eDp5'],
  [
    'with a client assertion besides',
    [
      ['assertion', 'a.b.c'],
      ['client_assertion', 'a.b.c'],
    ],
    null,
  ],
])('A2: a request %s is invalid_request', async (_what, fields, authorization) => {
  const grant: [string, string] = ['grant_type', 'urn:ietf:params:oauth:grant-type:jwt-bearer'];
  expect(await world.ask([grant, ...fields], authorization)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
});

describe('keys', () => {
  test("A2: the key file is what the vendors' libraries read, and the private key is kept nowhere", async () => {
    expect(robot.file).toEqual({
      type: 'service_account',
      project_id: 'sightline',
      private_key_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      private_key: expect.stringMatching(
        /^-----BEGIN PRIVATE KEY-----\n[A-Za-z0-9+/=\n]{1500,}-----END PRIVATE KEY-----\n?$/,
      ),
      client_email: `${robot.id}@sightline.test`,
      client_id: robot.id,
      auth_uri: 'https://sightline.test/authorize',
      token_uri: TOKEN_ENDPOINT,
      universe_domain: 'googleapis.com',
    });
    const kept = JSON.stringify(world.store.rows.list('own:', 1000));
    expect(kept).toContain(robot.file.private_key_id);
    expect(kept).not.toContain('PRIVATE KEY');
    expect(kept).not.toMatch(/"(d|p|q|dp|dq|qi)":/);
    expect(world.machine.services.key(robot.id, robot.file.private_key_id)?.publicKey['n']).toHaveLength(342); // 2048 bits.
  });

  test('A2: a revoked key takes its tokens with it at once, and leaves those of other keys', async () => {
    const own = machineWorld();
    const { id, file, key } = await serviceWithKey(own);
    const second = await addKey(own, id);
    const tokenBy = async (by: { file: typeof file; key: typeof key }) =>
      String(
        (await own.bearer(await signed(claimsOf(own, by.file), by.key, { kid: by.file.private_key_id }))).body[
          'access_token'
        ],
      );
    const first = await tokenBy({ file, key });
    const other = await tokenBy(second);
    expect(own.machine.services.revokeKey(id, file.private_key_id)).toEqual({ ok: true, name: 'robot' });
    expect(await own.machine.validate(first, RESOURCES[0])).toBeNull();
    expect(await own.machine.validate(other, RESOURCES[0])).toMatchObject({ userId: id });
    expect(await tokenBy({ file, key })).toBe('undefined');
  });

  test('A2: who holds a token may end it (RFC 7009): a service account has no other credential', async () => {
    const own = machineWorld();
    const { file, key } = await serviceWithKey(own);
    const { body } = await own.bearer(await signed(claimsOf(own, file), key, { kid: file.private_key_id }));
    const token = String(body['access_token']);
    expect(await own.ask({ token })).toMatchObject({ status: 200 });
    expect(await own.machine.validate(token, RESOURCES[0])).toBeNull();
  });

  test('A2: a key ends by itself, and so do its tokens', async () => {
    const own = machineWorld();
    const { file, key } = await serviceWithKey(own);
    own.store.advance(90 * DAY_MS - 10_000);
    const { body } = await own.bearer(await signed(claimsOf(own, file), key, { kid: file.private_key_id }));
    expect(await own.machine.validate(String(body['access_token']), RESOURCES[0])).not.toBeNull();
    own.store.advance(10_000);
    expect(await own.machine.validate(String(body['access_token']), RESOURCES[0])).toBeNull();
    expect(await own.bearer(await signed(claimsOf(own, file), key, { kid: file.private_key_id }))).toMatchObject({
      body: { error: 'invalid_grant', error_description: expect.stringContaining('key (kid)') },
    });
  });

  test('A2: a deleted account takes its keys and tokens with it', async () => {
    const own = machineWorld();
    const { id, file, key } = await serviceWithKey(own);
    const assertion = await signed(claimsOf(own, file), key, { kid: file.private_key_id });
    const { body } = await own.bearer(assertion);
    expect(own.machine.services.remove(id)).toEqual({ ok: true, name: 'robot' });
    expect(await own.machine.validate(String(body['access_token']), RESOURCES[0])).toBeNull();
    expect(await own.bearer(assertion)).toMatchObject({ body: { error: 'invalid_grant' } });
    expect(own.machine.services.list()).toEqual([]);
  });

  test('A2: an account has at most ten keys', async () => {
    const own = machineWorld();
    const { id, file } = await serviceWithKey(own);
    const row = own.machine.services.key(id, file.private_key_id);
    for (let index = 1; index < 10; index += 1) own.store.rows.put(`own:machine:key:${id}:${index}`, row);
    expect(await own.machine.services.addKey(id, 90)).toEqual({ ok: false, reason: 'too_many' });
    expect(own.machine.services.revokeKey(id, file.private_key_id)).toMatchObject({ ok: true });
    expect(await own.machine.services.addKey(id, 90)).toMatchObject({ ok: true });
  });

  test('there are at most 100 service accounts', () => {
    const own = machineWorld();
    const made = Array.from({ length: 101 }, () => own.machine.services.create({ name: 'x', scopes: ['audit:run'] }));
    expect(made.filter(({ ok }) => ok)).toHaveLength(100);
    expect(made.at(-1)).toEqual({ ok: false, reason: 'too_many' });
  });

  test.each([
    [{ scopes: ['delegation'] }, 'unknown_scope'],
    [{ scopes: ['audit:run', '*'] }, 'unknown_scope'],
    [{ scopes: ['audit:run'], resources: ['https://elsewhere.test'] }, 'unknown_resource'],
  ])('an account with %j is refused', (changes, reason) => {
    expect(world.machine.services.create({ name: 'x', ...changes })).toEqual({ ok: false, reason });
  });
});

test('a token ends after an hour', async () => {
  const own = machineWorld();
  const { file, key } = await serviceWithKey(own);
  const { body } = await own.bearer(await signed(claimsOf(own, file), key, { kid: file.private_key_id }));
  own.store.advance(3_599_000);
  expect(await own.machine.validate(String(body['access_token']), RESOURCES[0])).not.toBeNull();
  own.store.advance(2_000);
  expect(await own.machine.validate(String(body['access_token']), RESOURCES[0])).toBeNull();
});

test('a token is kept by its hash alone, and can be ended by who holds it', async () => {
  const { body } = await world.bearer(await assertionOf());
  const token = String(body['access_token']);
  expect(JSON.stringify(world.store.rows.list('own:', 1000))).not.toContain(token);
  expect(await world.ask({ token })).toMatchObject({ status: 200 });
  expect(await world.machine.validate(token, RESOURCES[0])).toBeNull();
  expect(await world.ask({ token: 'slm_unknown' })).toMatchObject({ status: 200 });
});

test.each(['', 'slm_', 'slm_x', `slm_${'x'.repeat(43)}`, `slm_${'x'.repeat(10_000)}`, 'other'])(
  'the text %.20s is no token',
  async (text) => {
    expect(await world.machine.validate(text, RESOURCES[0])).toBeNull();
  },
);

describe('a service account of a tenant', () => {
  const CONTROL = RESOURCES[1];
  const SCOPES = ['audit:run', 'emulator', DIRECTORY];
  type Row = [string, { tenant?: string; resources?: string[] }, Record<string, string>, string];

  test.each<Row>([
    ['that asks for a vendor scope', { tenant: 'C1' }, { scope: DIRECTORY }, CONTROL],
    ['that asks for a vendor scope by its bare name', { tenant: 'C1' }, { scope: 'admin.directory.user' }, CONTROL],
    ['that asks for the scope of the emulator', { tenant: 'C1' }, { scope: `emulator ${DIRECTORY}` }, CONTROL],
    ['that asks for no scope', { tenant: 'C1' }, {}, CONTROL],
    ['that asks for scopes of two resources', { tenant: 'C1' }, { scope: `audit:run ${DIRECTORY}` }, RESOURCES[0]],
    ['that names the resource', { tenant: 'C1' }, { scope: DIRECTORY, resource: RESOURCES[0] }, RESOURCES[0]],
    ['with one resource only', { tenant: 'C1', resources: [RESOURCES[0]] }, { scope: DIRECTORY }, RESOURCES[0]],
    ['without a tenant', {}, { scope: DIRECTORY }, RESOURCES[0]],
  ])('%s gets a token for the right resource', async (_what, account, fields, expected) => {
    const own = machineWorld({ control: CONTROL });
    const { file, key } = await serviceWithKey(own, { scopes: SCOPES, ...account });
    const assertion = await signed(claimsOf(own, file), key, { kid: file.private_key_id });
    const { status, body } = await own.bearer(assertion, fields);
    expect(status).toBe(200);
    const token = String(body['access_token']);
    const found = await Promise.all(RESOURCES.map((resource) => own.machine.validate(token, resource)));
    expect(found.flatMap((valid) => (valid ? [valid.audience] : []))).toEqual([expected]);
    expect(String(body['scope']).split(' ')).not.toContain('admin.directory.user');
  });
});
