import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { type ProtectedEnv, createProtectedResource } from '../../../../routes/api/authorization/protected.ts';
import { inside, MCP, signedIn, store } from '../../../durable-objects/authorization-world.ts';

const METADATA = 'https://sightline.test/.well-known/oauth-protected-resource/mcp-account';

const appWith = (requiredScopes: readonly string[]) => {
  const app = new Hono<ProtectedEnv>();
  app.use(
    createProtectedResource({
      resource: () => MCP,
      issuer: () => 'https://sightline.test',
      requiredScopes,
      validate: () => (token, resource) => store().validate(token, resource),
    }),
  );
  app.all('/mcp-account', (c) => c.json({ ...c.var.auth, token: undefined }));
  app.all('/mcp-account/below', (c) => c.json({ client: c.var.auth.clientId }));
  app.all('/open', (c) => c.json({ auth: (c.var.auth as unknown) ?? null }));
  return app;
};
const app = appWith(['audit:run']);

const get = (path: string, authorization?: string, from = app): Promise<Response> =>
  Promise.resolve(
    from.request(
      `https://sightline.test${path}`,
      authorization === undefined ? {} : { headers: { authorization } },
      env,
    ),
  );
const challenge = (answer: Response): string => answer.headers.get('www-authenticate') ?? '';
const errorOf = async (answer: Response): Promise<string> =>
  `${answer.status} ${((await answer.json()) as { error: string }).error}`;

test('R1, R2: the metadata document stands at the path form, public and cacheable', async () => {
  const answer = await get('/.well-known/oauth-protected-resource/mcp-account');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(await answer.json()).toEqual({
    resource: 'https://sightline.test/mcp-account',
    authorization_servers: ['https://sightline.test'],
    scopes_supported: ['audit:run'],
    bearer_methods_supported: ['header'],
  });
});

test.each([
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-protected-resource/mcp-account/',
])('%s is no document of this resource', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('a good token passes, and the route knows whose it is', async () => {
  const { access, clientId, userId } = await signedIn();
  const answer = await get('/mcp-account', `Bearer ${access}`);
  expect(await answer.json()).toMatchObject({
    props: { kind: 'payer', address: '0x1111111111111111111111111111111111111111' },
    audience: 'https://sightline.test/mcp-account',
    scope: ['audit:run'],
    clientId,
    userId,
  });
  expect(await (await get('/mcp-account/below', `bearer ${access}`)).json()).toEqual({ client: clientId }); // T6
});

test('other routes go on untouched, whatever their Authorization', async () => {
  expect(await (await get('/open', 'Bearer nonsense')).json()).toEqual({ auth: null });
  expect((await get('/mcp-accounts')).status).toBe(404);
});

test('R2, R3: without a token 401 names the metadata document and the scope', async () => {
  const answer = await get('/mcp-account');
  expect(challenge(answer)).toBe(`Bearer realm="OAuth", resource_metadata="${METADATA}", scope="audit:run"`);
  expect(await errorOf(answer)).toBe('401 token_required');
});

describe('R4, R5: 401', () => {
  test.each([
    ['garbage', 'Bearer garbage', '401 invalid_token'],
    ['T7: a token of 10 KB', `Bearer a:b:${'c'.repeat(10_240)}`, '401 invalid_token'],
    ['an unsigned JWT', 'Bearer eyJhbGciOiJub25lIn0.e30.', '401 invalid_token'],
    ['T5: Basic', `Basic ${btoa('a:b')}`, '401 token_required'],
    ['an empty header', '', '401 token_required'],
  ])('%s', async (_, authorization, expected) => {
    expect(await errorOf(await get('/mcp-account', authorization))).toBe(expected);
  });

  test('U1: a token of a sibling', async () => {
    const { access } = await signedIn({ resource: 'https://control.sightline.test' });
    const answer = await get('/mcp-account', `Bearer ${access}`);
    expect(challenge(answer)).toContain('error="invalid_token"');
    expect(challenge(answer)).toContain(`resource_metadata="${METADATA}"`);
    expect(await errorOf(answer)).toBe('401 invalid_token');
  });

  test('a revoked token, at once', async () => {
    const { access, userId } = await signedIn();
    await inside(({ rows }) => {
      for (const { key } of rows.list(`kv:token:${userId}`, 10)) rows.delete(key);
    });
    expect((await get('/mcp-account', `Bearer ${access}`)).status).toBe(401);
  });

  test('T1, T2, T3: a token in the query, the form or a cookie', async () => {
    const { access } = await signedIn();
    const token = encodeURIComponent(access);
    expect((await get(`/mcp-account?access_token=${token}`)).status).toBe(401);
    const post = { method: 'POST', body: new URLSearchParams({ access_token: access }) };
    expect((await app.request(MCP, post, env)).status).toBe(401);
    expect((await app.request(MCP, { headers: { cookie: `access_token=${token}` } }, env)).status).toBe(401);
  });
});

describe('R5: 400, for a request that is malformed', () => {
  test.each([
    ['T4: two tokens', 'Bearer a:b:c, Bearer a:b:c'],
    ['no token', 'Bearer'],
    ['two words', 'Bearer a b'],
  ])('%s', async (_, authorization) => {
    const answer = await get('/mcp-account', authorization);
    expect(challenge(answer)).toBe('Bearer error="invalid_request"');
    expect(await errorOf(answer)).toBe('400 invalid_request');
  });

  test('T1: a token in the header and in the query', async () => {
    const { access } = await signedIn();
    expect((await get('/mcp-account?access_token=x', `Bearer ${access}`)).status).toBe(400);
  });
});

test('R8: a token that lacks a scope gets 403 with all scopes of the operation in one challenge', async () => {
  const { access } = await signedIn();
  const answer = await get('/mcp-account', `Bearer ${access}`, appWith(['audit:run', 'credits:use']));
  expect(challenge(answer)).toContain('error="insufficient_scope", scope="audit:run credits:use"');
  expect(challenge(answer)).toContain(`resource_metadata="${METADATA}"`);
  expect(await errorOf(answer)).toBe('403 insufficient_scope');
});

test('an authorization server that cannot be asked is a 503, not an open door', async () => {
  const broken = new Hono<ProtectedEnv>();
  const validate = () => () => Promise.reject(new Error('down'));
  const options = {
    resource: () => MCP,
    issuer: () => 'https://sightline.test',
    requiredScopes: ['audit:run'],
    validate,
  };
  broken.use(createProtectedResource(options));
  broken.all('*', (c) => c.text('in'));
  expect((await get('/mcp-account', 'Bearer a:b:c', broken)).status).toBe(503);
});

test('a preflight is not let through to the route', async () => {
  const answer = await app.request(MCP, { method: 'OPTIONS' }, env);
  expect([answer.status, await answer.text()]).toEqual([204, '']);
});
