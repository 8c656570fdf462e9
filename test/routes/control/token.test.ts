import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CONTROL_URL, tokenFor, tokenWithoutTenant, UNREACHABLE_TOKEN } from '../../support/workers/control-tokens.ts';
import { call, json, objectsOfTenants, refusal, USERS } from './world.ts';

const LIST = `${USERS}?customer=my_customer`;
const METADATA = `resource_metadata="${CONTROL_URL}/.well-known/oauth-protected-resource"`;

let logs: string[] = [];
beforeEach(() => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('a call with a token of the tenant is answered as JSON that no cache shares', async () => {
  const answer = await call(LIST);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=UTF-8',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    'cache-control': 'private, max-age=0, must-revalidate',
    vary: 'Authorization, X-HTTP-Method-Override, Accept-Encoding, User-Agent',
    'ratelimit-policy': '"management";q=60000;w=60',
  });
  expect(await answer.json()).toMatchObject({ kind: 'admin#directory#users' });
});

test.each<[string, string | null, string, string]>([
  ['no token', null, '401 required: Login Required.', `Bearer realm="sightline", ${METADATA}`],
  [
    'a token of somebody else',
    'slm_unknown',
    '401 authError: Invalid Credentials',
    `Bearer realm="sightline", ${METADATA}, error="invalid_token"`,
  ],
  [
    'two tokens',
    `${tokenFor()}, Bearer ${tokenFor()}`,
    '401 authError: Invalid Credentials',
    `Bearer realm="sightline", ${METADATA}, error="invalid_token"`,
  ],
  [
    'a token of 5,000 characters',
    'x'.repeat(5_000),
    '401 authError: Invalid Credentials',
    `Bearer realm="sightline", ${METADATA}, error="invalid_token"`,
  ],
  [
    'a token without the scope of the method',
    tokenFor({ scopes: ['admin.directory.group'] }),
    '403 insufficientPermissions: Insufficient Permission: Request had insufficient authentication scopes.',
    `Bearer realm="sightline", ${METADATA}, error="insufficient_scope", scope="https://www.googleapis.com/auth/admin.directory.user https://www.googleapis.com/auth/admin.directory.user.readonly https://www.googleapis.com/auth/cloud-platform"`,
  ],
])('%s is refused with what a client needs to get one', async (_what, token, expected, challenge) => {
  const before = await objectsOfTenants();
  const answer = await call(LIST, { token });
  expect(answer.headers.get('www-authenticate')).toBe(challenge);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await refusal(answer)).toBe(expected);
  expect(await objectsOfTenants()).toBe(before);
});

test('one scope of a method is enough', async () => {
  expect((await call(LIST, { token: tokenFor({ scopes: ['admin.directory.user.readonly'] }) })).status).toBe(200);
});

test('another kind of credential counts as none', async () => {
  const answer = await call(LIST, { token: null, headers: { authorization: 'Basic dXNlcjpwYXNz' } });
  expect(await refusal(answer)).toBe('401 required: Login Required.');
});

test.each([tokenWithoutTenant(), tokenFor({ tenant: 'not-a-customer' }), tokenFor({ tenant: 'C'.repeat(90) })])(
  'K1: a token without a tenant of ours is refused and makes no object (%#)',
  async (token) => {
    const before = await objectsOfTenants();
    expect(await refusal(call(LIST, { token }))).toBe('403 forbidden: Not Authorized to access this resource/api');
    expect(await objectsOfTenants()).toBe(before);
  },
);

test('an authorization server that cannot be reached is 503, not 401', async () => {
  const answer = await call(LIST, { token: UNREACHABLE_TOKEN });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refusal(answer)).toBe('503 backendError: Backend Error');
});

describe('K5: a token in the query', () => {
  test.each(['access_token', 'oauth_token'])('%s is 401, with a header too, and is never logged', async (name) => {
    const secret = tokenFor({ client: 'secret-client' });
    const answer = await call(`${LIST}&${name}=${secret}`);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: 401 } });
    expect(`${text}\n${logs.join('\n')}`).not.toContain(secret);
  });

  test('a call that is wrapped into a script is 400', async () => {
    const answer = await call(`${LIST}&callback=steal`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8');
  });

  test('a key identifies nothing', async () => {
    expect(await refusal(call(`${LIST}&key=AIza`, { token: null }))).toBe('401 required: Login Required.');
    expect((await call(`${LIST}&key=AIza`)).status).toBe(200);
  });
});

test('K10: a cookie counts for nothing, with or without a token', async () => {
  const headers = { cookie: `session=${'a'.repeat(43)}; access_token=${tokenFor()}` };
  expect(await refusal(call(LIST, { token: null, headers }))).toBe('401 required: Login Required.');
  const answer = await call(LIST, { headers });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
});

test('the resource says where tokens come from and which scopes there are', async () => {
  const answer = await call('/.well-known/oauth-protected-resource', { token: null });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
  const document = await json<{ scopes_supported: string[] }>(answer);
  expect(document).toMatchObject({
    resource: CONTROL_URL,
    authorization_servers: ['https://sightline.test'],
    bearer_methods_supported: ['header'],
  });
  expect(document.scopes_supported).toContain('https://www.googleapis.com/auth/admin.directory.user');
  expect(document.scopes_supported).toContain('emulator');
});
