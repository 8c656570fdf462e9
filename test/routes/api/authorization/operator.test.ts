import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { exports } from 'cloudflare:workers';
import { importPKCS8, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getShardName, readSeal } from '../../../../src/authorization/shards/sealed-token.ts';

const ORIGIN = 'https://sightline.test';
const RESOURCE = `${ORIGIN}/mcp-account`;
const SECRET = 'test-operator-secret-of-43-base64url-chars-0123';
const ACCOUNTS = '/operator/service-accounts';
const CLIENTS = '/operator/clients';
const OPERATORS = '/operator/operators';

type Call = { method?: string; body?: unknown; headers?: Record<string, string> };

const call = (path: string, { method = 'GET', body, headers = {} }: Call = {}): Promise<Response> =>
  exports.default.fetch(
    new Request(`${ORIGIN}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );

/** Signs in as a program does: the headers that its later requests carry. */
async function signedIn(): Promise<Record<string, string>> {
  const answer = await call('/signin/operator', { method: 'POST', body: { secret: SECRET } });
  const { csrf } = (await answer.json()) as { csrf: string };
  return { cookie: answer.headers.getSetCookie().at(-1)?.split(';', 1)[0] ?? '', 'x-csrf-token': csrf };
}

const tokenFrom = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(
    new Request(`${ORIGIN}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    }),
  );

let operator: Record<string, string>;
let logs: string[] = [];
beforeEach(async () => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
  operator = await signedIn();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Account = { account: { id: string; email: string } };
type Key = { key: { id: string }; file: { private_key: string; private_key_id: string; client_email: string } };

async function robot(): Promise<{ id: string; file: Key['file']; keyId: string }> {
  const made = await call(ACCOUNTS, {
    method: 'POST',
    headers: operator,
    body: { name: 'robot', scopes: ['audit:run', 'channels:read'], project: 'local' },
  });
  expect(made.status).toBe(201);
  const { account } = (await made.json()) as Account;
  const keyed = await call(`${ACCOUNTS}/${account.id}/keys`, { method: 'POST', headers: operator });
  expect(keyed.status).toBe(201);
  expect(keyed.headers.get('cache-control')).toBe('no-store');
  const { key, file } = (await keyed.json()) as Key;
  return { id: account.id, file, keyId: key.id };
}

async function assertionOf(file: Key['file'], scope?: string): Promise<string> {
  const nowS = Math.floor(Date.now() / 1000);
  return new SignJWT(scope === undefined ? {} : { scope })
    .setProtectedHeader({ alg: 'RS256', kid: file.private_key_id })
    .setIssuer(file.client_email)
    .setAudience(`${ORIGIN}/oauth/token`)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + 3600)
    .sign(await importPKCS8(file.private_key, 'RS256'));
}

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const bearer = (assertion: string, more: Record<string, string> = {}): Promise<Response> =>
  tokenFrom({ grant_type: JWT_BEARER, assertion, ...more });

/** What the authorization store says of a token. */
async function validate(token: string): Promise<unknown> {
  const { env } = await import('cloudflare:workers');
  return env.AUTHORIZATION_STORE.getByName('authorization').validate(token, RESOURCE);
}

test('A2: the operator makes an account and a key, the key makes a token, and revoking the key ends it at once', async () => {
  const { id, file, keyId } = await robot();
  const answer = await bearer(await assertionOf(file, 'channels:read operator'));
  expect(answer.status).toBe(200);
  const token = (await answer.json()) as { access_token: string };
  expect(token).toEqual({
    access_token: expect.stringMatching(/^slm_/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'channels:read',
  });
  expect(await validate(token.access_token)).toMatchObject({ userId: id, scope: ['channels:read'] });
  const revoked = await call(`${ACCOUNTS}/${id}/keys/${keyId}`, { method: 'DELETE', headers: operator });
  expect(revoked.status).toBe(200);
  expect(await validate(token.access_token)).toBeNull();
  expect(await (await bearer(await assertionOf(file))).json()).toMatchObject({ error: 'invalid_grant' });
});

test('a key whose end one store of tokens does not confirm is 503 revocation_unfinished, until that store has heard', async () => {
  const { env } = await import('cloudflare:workers');
  const root = env.AUTHORIZATION_STORE.getByName('authorization');
  const { id, file, keyId } = await robot();
  const { access_token: token } = await (await bearer(await assertionOf(file))).json<{ access_token: string }>();
  const seal = readSeal(token);
  if (seal.kind !== 'sealed') throw new Error('no seal');
  const shard = env.AUTHORIZATION_STORE.getByName(getShardName(seal.shard));
  const rename = (from: string, to: string) =>
    runInDurableObject(shard, (_, { storage }) => void storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`));
  await rename('rows', 'away'); // From now on the store fails whatever it is asked.
  const answer = await call(`${ACCOUNTS}/${id}/keys/${keyId}`, { method: 'DELETE', headers: operator });
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { code: 'revocation_unfinished', detail: '1 of 64 stores of tokens have not confirmed it' },
  ]);
  expect(logs.filter((line) => line.includes('revoked_key'))).toHaveLength(1);
  await rename('away', 'rows');
  expect(await validate(token)).toMatchObject({ userId: id });
  await runDurableObjectAlarm(root);
  expect(await validate(token)).toBeNull();
  expect((await bearer(await assertionOf(file))).status).toBe(400);
});

describe('a create with an Idempotency-Key', () => {
  const account = (name: string) => ({ name, scopes: ['channels:read'], project: 'local' });
  const create = (key: string, body: unknown, path = ACCOUNTS): Promise<Response> =>
    call(path, { method: 'POST', headers: { ...operator, 'idempotency-key': key }, body });
  const count = async (): Promise<number> => {
    const { accounts } = await (await call(ACCOUNTS, { headers: operator })).json<{ accounts: unknown[] }>();
    return accounts.length;
  };

  test('that makes no secret gets the same answer again, is done once, and is logged once', async () => {
    const before = await count();
    const first = await create('account-1', account('once'));
    const again = await create('account-1', account('once'));
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.json()).toEqual(await first.json());
    expect(await count()).toBe(before + 1);
    expect(logs.filter((line) => line.includes('created_service_account'))).toHaveLength(1);
  });

  test('is refused for another body, and another key makes another thing', async () => {
    await create('account-2', account('one'));
    const other = await create('account-2', account('two'));
    expect([other.status, await other.json()]).toMatchObject([422, { code: 'idempotency_key_reused' }]);
    expect((await create('account-3', account('two'))).status).toBe(201);
  });

  test('that makes a secret shows it once, and then the id', async () => {
    const { account: made } = await (await create('account-4', account('keys'))).json<Account>();
    const keys = `${ACCOUNTS}/${made.id}/keys`;
    const { key, file } = await (await create('key-1', {}, keys)).json<Key>();
    const again = await create('key-1', {}, keys);
    const text = await again.text();
    expect([again.status, JSON.parse(text)]).toMatchObject([
      409,
      { code: 'already_created', detail: `Its id is ${key.id}` },
    ]);
    expect(text).not.toContain('PRIVATE KEY');
    expect(file.private_key).toContain('PRIVATE KEY');
    const { env } = await import('cloudflare:workers');
    const store = env.AUTHORIZATION_STORE.getByName('authorization');
    const kept = await runInDurableObject(store, (_object, state) =>
      state.storage.sql.exec("SELECT key, value FROM rows WHERE key LIKE 'own:operator-once:%'").toArray(),
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept)).not.toMatch(/PRIVATE KEY|key-1/);
  });

  test('is free again after a refusal, and ends after a day', async () => {
    const refused = await create('key-2', {}, `${ACCOUNTS}/none/keys`);
    expect(refused.status).toBe(404);
    expect((await create('key-2', account('later'))).status).toBe(201);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 24 * 3_600_000 + 1);
    operator = await signedIn();
    expect((await create('key-2', account('tomorrow'))).status).toBe(201);
  });

  test('needs a key of printable characters', async () => {
    const answer = await create('', account('x'));
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'idempotency_key_invalid' }]);
  });
});

test('an account made with the bare name of a vendor scope has its full URL, and its tokens are for management', async () => {
  const full = 'https://www.googleapis.com/auth/admin.directory.user';
  const body = { name: 'tenant', scopes: ['audit:run', 'admin.directory.user', full], tenant: 'C00000001' };
  const made = (await (await call(ACCOUNTS, { method: 'POST', headers: operator, body })).json()) as Account;
  expect(made.account).toMatchObject({ scopes: ['audit:run', full] });
  const keyed = await call(`${ACCOUNTS}/${made.account.id}/keys`, { method: 'POST', headers: operator });
  const { file } = (await keyed.json()) as Key;
  const answer = await bearer(await assertionOf(file, 'admin.directory.user'));
  const token = (await answer.json()) as { access_token: string; scope: string };
  expect(token.scope).toBe(full);
  expect(await validate(token.access_token)).toBeNull();
  const { env } = await import('cloudflare:workers');
  const store = env.AUTHORIZATION_STORE.getByName('authorization');
  expect(await store.validate(token.access_token, 'https://control.sightline.test')).toMatchObject({
    scope: [full],
    props: { kind: 'service', tenant: 'C00000001' },
  });
});

test('A2: the list of accounts shows their keys by id and end, and no key', async () => {
  const { id, file, keyId } = await robot();
  const text = await (await call(ACCOUNTS, { headers: operator })).text();
  expect(JSON.parse(text)).toEqual({
    accounts: [
      {
        id,
        name: 'robot',
        email: file.client_email,
        project: 'local',
        scopes: ['audit:run', 'channels:read'],
        tenant: '*',
        acts_for: [],
        resources: [
          RESOURCE,
          'https://sightline.test/api/monitors',
          'https://sightline.test/api/hosts',
          'https://webhook.sightline.test',
          'https://control.sightline.test',
        ],
        created_at: expect.any(String),
        keys: [{ id: keyId, created_at: expect.any(String), expires_at: expect.any(String) }],
      },
    ],
  });
  expect(text).not.toContain('PRIVATE');
});

test('A2: outside the local stack an assertion for the token URL of a vendor is refused', async () => {
  const { file } = await robot();
  const nowS = Math.floor(Date.now() / 1000);
  const assertion = await new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', kid: file.private_key_id })
    .setIssuer(file.client_email)
    .setAudience('https://oauth2.googleapis.com/token')
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + 60)
    .sign(await importPKCS8(file.private_key, 'RS256'));
  const answer = await bearer(assertion);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: 'invalid_grant',
    error_description: expect.stringContaining('aud'),
  });
});

test('A1: a client of the operator gets a token by its secret; revocation (RFC 7009) ends it', async () => {
  const body = { grant: 'client_credentials', name: 'batch', scopes: ['audit:run'] };
  const made = await call(CLIENTS, { method: 'POST', headers: operator, body });
  expect(made.status).toBe(201);
  const { client, secret } = (await made.json()) as { client: { id: string }; secret: string };
  const authorization = `Basic ${btoa(`${client.id}:${secret}`)}`;
  const answer = await tokenFrom({ grant_type: 'client_credentials', resource: RESOURCE }, { authorization });
  expect(answer.status).toBe(200);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  expect(await validate(token)).toMatchObject({ clientId: client.id });
  expect((await tokenFrom({ token })).status).toBe(401);
  expect(await validate(token)).toMatchObject({ clientId: client.id });
  expect((await tokenFrom({ token }, { authorization })).status).toBe(200);
  expect(await validate(token)).toBeNull();
  const wrong = await tokenFrom(
    { grant_type: 'client_credentials' },
    { authorization: `Basic ${btoa(`${client.id}:x`)}` },
  );
  expect({ status: wrong.status, challenge: wrong.headers.get('www-authenticate') }).toEqual({
    status: 401,
    challenge: 'Basic realm="sightline"',
  });
  const listed = await (await call(CLIENTS, { headers: operator })).text();
  expect(listed).toContain(client.id);
  expect(listed).not.toContain(secret);
  expect((await call(`${CLIENTS}/${client.id}`, { method: 'DELETE', headers: operator })).status).toBe(200);
  expect((await call(`${CLIENTS}/${client.id}`, { method: 'DELETE', headers: operator })).status).toBe(404);
});

test('each change is one line of the audit log, with names and ids and no secret', async () => {
  const { id, file, keyId } = await robot();
  const actions = logs.flatMap((line) => {
    const event = JSON.parse(line) as Record<string, unknown>;
    return event['event'] === 'operator_action' ? [event] : [];
  });
  const by = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
  expect(actions).toEqual([
    expect.objectContaining({ action: 'created_service_account', id, name: 'robot', by }),
    expect.objectContaining({ action: 'created_key', id, key: keyId, by }),
  ]);
  const written = logs.join('\n');
  expect(written).not.toContain(file.private_key.slice(40, 80));
  expect(written).not.toContain(SECRET);
  expect(written).not.toContain(operator['x-csrf-token']);
});

describe('who may not', () => {
  const everything: readonly [string, string][] = [
    ['GET', ACCOUNTS],
    ['POST', ACCOUNTS],
    ['DELETE', `${ACCOUNTS}/x`],
    ['POST', `${ACCOUNTS}/x/keys`],
    ['DELETE', `${ACCOUNTS}/x/keys/y`],
    ['GET', CLIENTS],
    ['POST', CLIENTS],
    ['DELETE', `${CLIENTS}/x`],
    ['GET', OPERATORS],
    ['POST', OPERATORS],
    ['DELETE', `${OPERATORS}/x`],
    ['POST', `${OPERATORS}/x/restore`],
  ];
  const bodyOf = (method: string) => (method === 'POST' ? { body: {} } : {});

  test.each(everything)(
    'A4: %s %s without a session is 401, and a bearer token is no session',
    async (method, path) => {
      const answer = await call(path, { method, headers: { authorization: `Bearer ${SECRET}` }, ...bodyOf(method) });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(await answer.json()).toMatchObject({ code: 'operator_sign_in_required' });
    },
  );

  test.each(everything)(
    "%s %s with the cookie alone is 401: another site's page could send it",
    async (method, path) => {
      const { cookie = '' } = operator;
      for (const token of [undefined, 'x', 'f'.repeat(64)]) {
        const headers = { cookie, ...(token === undefined ? {} : { 'x-csrf-token': token }) };
        expect((await call(path, { method, headers, ...bodyOf(method) })).status).toBe(401);
      }
    },
  );

  test.each(everything)('%s %s from a page of another site is 403', async (method, path) => {
    for (const foreign of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]) {
      const answer = await call(path, { method, headers: { ...operator, ...foreign }, ...bodyOf(method) });
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 403,
        body: { code: 'foreign_origin' },
      });
    }
  });

  test('a browser that never signed in is 401 although its token fits its cookie', async () => {
    const page = await call('/signin', { headers: { accept: 'text/html' } });
    const cookie = page.headers.getSetCookie().at(-1)?.split(';', 1)[0] ?? '';
    const csrf = /name="csrf" value="([0-9a-f]{64})"/.exec(await page.text())?.[1] ?? 'not found';
    expect(csrf).not.toBe('not found');
    expect((await call(ACCOUNTS, { headers: { cookie, 'x-csrf-token': csrf } })).status).toBe(401);
  });
});

const account = { name: 'x', scopes: ['audit:run'] };
const machine = { grant: 'client_credentials', ...account };
const person = { grant: 'authorization_code', name: 'x', redirect_uris: ['https://x.example/cb'] };
const rsa = { kty: 'RSA', n: 'x'.repeat(342), e: 'AQAB' };

test.each<[string, string, unknown, number]>([
  ['no JSON', ACCOUNTS, '{', 400],
  ['no fields', ACCOUNTS, {}, 422],
  ['a list', ACCOUNTS, [], 422],
  ['an unknown field', ACCOUNTS, { ...account, role: 'admin' }, 422],
  ['no scopes', ACCOUNTS, { ...account, scopes: [] }, 422],
  ['81 scopes', ACCOUNTS, { ...account, scopes: Array.from({ length: 81 }, (_, n) => `s${n}`) }, 422],
  ['an unknown scope', ACCOUNTS, { ...account, scopes: ['root'] }, 422],
  ['the delegation scope itself', ACCOUNTS, { ...account, scopes: ['delegation'] }, 422],
  ['a resource of somebody else', ACCOUNTS, { ...account, resources: ['https://x.example'] }, 422],
  ['a name of 81 characters', ACCOUNTS, { ...account, name: 'x'.repeat(81) }, 422],
  ['a name of two lines', ACCOUNTS, { ...account, name: 'a\nb' }, 422],
  ['a name that turns text around', ACCOUNTS, { ...account, name: 'a\u202Eb' }, 422],
  ['21 users to act for', ACCOUNTS, { ...account, acts_for: Array.from({ length: 21 }, (_, n) => `u${n}`) }, 422],
  ['a body of 65 KiB', ACCOUNTS, { ...account, name: 'x'.repeat(65 * 1024) }, 413],
  ['a key of an unknown account', `${ACCOUNTS}/x/keys`, {}, 404],
  ['a key for 366 days', `${ACCOUNTS}/x/keys`, { expires_in_days: 366 }, 422],
  ['a key for no time', `${ACCOUNTS}/x/keys`, { expires_in_days: 0 }, 422],
  ['an unknown grant', CLIENTS, { ...machine, grant: 'password' }, 422],
  ['a client with a private key', CLIENTS, { ...machine, jwks: { keys: [{ ...rsa, d: 'x' }] } }, 422],
  ['a client with a shared key', CLIENTS, { ...machine, jwks: { keys: [{ kty: 'oct', k: 'x' }] } }, 422],
  ['a client with a short RSA key', CLIENTS, { ...machine, jwks: { keys: [{ ...rsa, n: 'x'.repeat(171) }] } }, 422],
  ['a client with no keys', CLIENTS, { ...machine, jwks: { keys: [] } }, 422],
  ['a redirect to plain http', CLIENTS, { ...person, redirect_uris: ['http://x.example/cb'] }, 422],
  ['a redirect to a script', CLIENTS, { ...person, redirect_uris: ['javascript:alert(1)'] }, 422],
  ['a redirect with a fragment', CLIENTS, { ...person, redirect_uris: ['https://x.example/cb#'] }, 422],
  ['a redirect with a wildcard', CLIENTS, { ...person, redirect_uris: ['https://*.example/cb'] }, 422],
  ['an operator without a name', OPERATORS, {}, 422],
  ['an operator with a name of two lines', OPERATORS, { name: 'a\nb' }, 422],
  ['an operator with a secret of its own choice', OPERATORS, { name: 'x', secret: 'x'.repeat(43) }, 422],
  ['an empty directory user id', OPERATORS, { name: 'x', directory_user_id: '' }, 422],
  ['a directory user id of 129 characters', OPERATORS, { name: 'x', directory_user_id: '1'.repeat(129) }, 422],
  ['a directory user id with a space', OPERATORS, { name: 'x', directory_user_id: '1 2' }, 422],
  ['a directory user id beyond ASCII', OPERATORS, { name: 'x', directory_user_id: 'ü' }, 422],
  ['the restoring of an unknown operator', `${OPERATORS}/x/restore`, {}, 404],
  ['a redirect with credentials', CLIENTS, { ...person, redirect_uris: ['https://a@x.example/cb'] }, 422],
])('%s is refused and changes nothing', async (_what, path, body, status) => {
  const answer = await call(path, { method: 'POST', headers: operator, body });
  expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
    status,
    type: 'application/problem+json',
  });
  const lists = await Promise.all(
    [ACCOUNTS, CLIENTS, OPERATORS].map(async (list) => (await call(list, { headers: operator })).json()),
  );
  expect(lists).toEqual([{ accounts: [] }, { clients: [] }, { operators: [] }]);
});

test('a body that is not JSON by its type is 415', async () => {
  const headers = { ...operator, 'content-type': 'text/plain' };
  expect((await call(ACCOUNTS, { method: 'POST', headers, body: JSON.stringify(account) })).status).toBe(415);
});

test('a client with a person behind it may be sent back to https and to this machine', async () => {
  const redirect_uris = [
    'https://x.example/cb?a=1',
    'http://127.0.0.1/cb',
    'http://localhost:3000/cb',
    'http://[::1]:8/cb',
  ];
  const body = { grant: 'authorization_code', name: 'Console', redirect_uris };
  const answer = await call(CLIENTS, { method: 'POST', headers: operator, body });
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 201,
    body: {
      client: {
        id: expect.any(String),
        grant: 'authorization_code',
        name: 'Console',
        token_endpoint_auth_method: 'none',
        redirect_uris,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    },
  });
});
