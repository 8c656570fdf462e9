import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type AppEnv, failWith, requestContext } from '../../../../routes/api/context.ts';
import { ownRequestId } from '../../../../routes/shared/request-id.ts';
import { registerTokenRoutes } from '../../../../routes/api/authorization/token.ts';
import { createClientDirectory } from '../../../../src/authorization/clients/clients.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { AuthorizationStore } from '../../../support/workers/worker.ts';
import {
  approve,
  codeForm,
  inside,
  isAlive,
  metadata,
  refreshForm,
  signedIn,
  useShards,
} from '../../../durable-objects/authorization-world.ts';

const app = new Hono<AppEnv>();
app.use(ownRequestId, requestContext);
registerTokenRoutes(app, { engines: { isLocal: false, factories: {} }, policy: () => allowPublicOnly(), local: false });
app.notFound((c) => failWith(c, { status: 404, code: 'not_found', title: 'No such resource' }));

let callers = 0;
const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
  callers += 1;
  const headers = new Headers(init.headers);
  if (!headers.has('cf-connecting-ip')) headers.set('cf-connecting-ip', `203.0.113.${callers}`);
  return app.request(`https://sightline.test${path}`, { ...init, headers }, env);
};
const form = (parameters: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(parameters),
});
const register = (body: string): Promise<Response> =>
  call('/oauth/register', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
const errorOf = async (answer: Response): Promise<string> =>
  `${answer.status} ${((await answer.json()) as { error?: string }).error ?? 'ok'}`;

describe('the metadata document (RFC 8414)', () => {
  const path = '/.well-known/oauth-authorization-server';

  test('is public, cacheable and tagged', async () => {
    const answer = await call(path);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect(await answer.json()).toMatchObject({
      issuer: 'https://sightline.test',
      authorization_endpoint: 'https://sightline.test/authorize',
      token_endpoint: 'https://sightline.test/oauth/token',
      registration_endpoint: 'https://sightline.test/oauth/register',
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      protected_resources: [
        'https://sightline.test/mcp-account',
        'https://sightline.test/api/monitors',
        'https://sightline.test/api/hosts',
        'https://webhook.sightline.test',
        'https://control.sightline.test',
      ],
    });
  });

  test('answers 304 to who has it', async () => {
    const etag = (await call(path)).headers.get('etag') ?? '';
    expect((await call(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('does not name offline_access (R9)', async () => {
    expect(await (await call(path)).text()).not.toContain('offline_access');
  });

  test.each([
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp-account',
    '/.well-known/oauth-authorization-server/mcp-account',
    '/mcp-account/.well-known/openid-configuration',
  ])('%s answers a JSON 404, for clients that look there too', async (other) => {
    const answer = await call(other);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('json');
  });
});

describe('POST /oauth/token', () => {
  test('answers without caching and open to every origin', async () => {
    const { client_id: clientId } = (await (await register(JSON.stringify(metadata()))).json()) as {
      client_id: string;
    };
    const { code } = await approve({ clientId });
    const answer = await call('/oauth/token', form(codeForm(code, clientId)));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  test.each([
    ['JSON', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }, '400 invalid_request'],
    ['a body of 20 KB', form({ grant_type: 'x', x: 'y'.repeat(20_000) }), '413 invalid_request'],
    ['no body', { method: 'POST' }, '400 invalid_request'],
    ['GET', { method: 'GET' }, '405 invalid_request'],
    ['an unknown client', form({ grant_type: 'authorization_code', client_id: 'nobody' }), '401 invalid_client'],
    [
      'broken Basic',
      { ...form({ grant_type: 'authorization_code' }), headers: { authorization: 'Basic !' } },
      '401 invalid_client',
    ],
  ])('%s', async (_, init, expected) => {
    const answer = await call('/oauth/token', init);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await errorOf(answer)).toBe(expected);
  });

  test('T8: nothing secret of a request reaches the log', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
    const { client_id: clientId } = (await (await register(JSON.stringify(metadata()))).json()) as {
      client_id: string;
    };
    const { code } = await approve({ clientId });
    const wrong = codeForm(code, clientId, { code_verifier: 'wrong-verifier-wrong-verifier-wrong-verifier' });
    expect(await errorOf(await call('/oauth/token', form(wrong)))).toBe('400 invalid_grant');
    vi.restoreAllMocks();
    const log = lines.join('\n');
    expect(log).toContain('code_verifier_mismatch');
    expect(log).not.toContain(code);
    expect(log).not.toContain('wrong-verifier');
  });
});

test('POST /oauth/register: 201, then the 21st of one caller 429 with Retry-After', async () => {
  const headers = { 'content-type': 'application/json', 'cf-connecting-ip': '198.51.100.9' };
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) {
    const body = JSON.stringify(metadata({ client_name: `Desk ${n}` }));
    statuses.push((await call('/oauth/register', { method: 'POST', body, headers })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
});

describe('the free limit', () => {
  const spent = { ...env, FREE_LIMIT: { limit: async () => ({ success: false }) } };
  const post = async (path: string, caller: string) => {
    const headers = { 'cf-connecting-ip': caller };
    return (await app.request(`https://sightline.test${path}`, { method: 'POST', headers }, spent)).status;
  };

  test.each([
    ['/oauth/token', '198.51.100.20'],
    ['/oauth/register', '198.51.100.21'],
  ])('A8: counts requests to %s per caller, and the 31st is up to the limiter', async (path, caller) => {
    for (let n = 0; n < 30; n += 1) expect(await post(path, caller)).toBe(400);
    expect(await post(path, caller)).toBe(429);
    expect(await post(path, `${caller}0`)).toBe(400);
  });
});

test('A5: revocation (RFC 7009) frees what the client had reserved of the credits', async () => {
  const { clientId, userId, refresh } = await signedIn();
  const released: string[] = [];
  const getByName = (name: string) => ({ releaseClient: async (client: string) => released.push(`${name} ${client}`) });
  const watched = { ...env, CREDIT_ACCOUNT: { getByName } };
  const revoke = form({ token: refresh, client_id: clientId });
  for (let n = 0; n < 2; n += 1) {
    expect((await app.request('https://sightline.test/oauth/token', revoke, watched)).status).toBe(200);
  }
  expect(released).toEqual([`${userId} ${clientId}`]);
});

test('A5: revocation succeeds though the account cannot be reached: its leases end by themselves', async () => {
  const { clientId, access, refresh } = await signedIn();
  const getByName = () => ({ releaseClient: () => Promise.reject(new Error('down')) });
  const revoke = form({ token: refresh, client_id: clientId });
  const answer = await app.request('https://sightline.test/oauth/token', revoke, {
    ...env,
    CREDIT_ACCOUNT: { getByName },
  });
  expect(answer.status).toBe(200);
  expect(await isAlive(access)).toBe(false);
});

test('G2: a registration of 500 KB is refused before it is read', async () => {
  expect(await errorOf(await register(JSON.stringify(metadata({ client_name: 'x'.repeat(500_000) }))))).toBe(
    '413 invalid_request',
  );
});

describe('a client id that is a URL', () => {
  const ID = 'https://app.example/client.json';
  const document = { client_id: ID, client_name: 'Desk', redirect_uris: ['https://app.example/callback'] };
  const web = (answer: (url: string) => Response) => {
    const asked: string[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      const url = new Request(input).url;
      asked.push(url);
      return answer(url);
    });
    return asked;
  };
  /** Of a client that somebody has consented to. */
  const redeem = async (clientId: string) => {
    await inside((tools) => createClientDirectory(tools).giveAccess(clientId));
    return tried(clientId);
  };
  const tried = (clientId: string) =>
    call('/oauth/token', form({ grant_type: 'authorization_code', code: 'a:b:c', client_id: clientId }));

  test('B6: has no document fetched while nobody has consented to it', async () => {
    const asked = web(() => Response.json(document));
    expect(await errorOf(await tried(ID))).toBe('401 invalid_client');
    expect(asked).toEqual([]);
    vi.restoreAllMocks();
  });

  test('has its document fetched once, and the request goes on', async () => {
    const asked = web(() => Response.json(document));
    expect(await errorOf(await redeem(ID))).toBe('400 invalid_grant');
    expect(await errorOf(await redeem(ID))).toBe('400 invalid_grant');
    expect(asked).toEqual([ID]);
    vi.restoreAllMocks();
  });

  test('failures are not kept', async () => {
    let status = 503;
    const asked = web(() => Response.json(document, { status }));
    expect(await errorOf(await redeem(ID))).toBe('401 invalid_client');
    status = 200;
    expect(await errorOf(await redeem(ID))).toBe('400 invalid_grant');
    expect(asked).toHaveLength(2);
    vi.restoreAllMocks();
  });

  test('keys that cannot be fetched are asked for once a minute, and count as documents', async () => {
    await inside((tools) => createClientDirectory(tools).giveAccess(ID));
    const keysUri = 'https://app.example/keys';
    const keyed = { ...document, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: keysUri };
    const asked = web((url) => (url === ID ? Response.json(keyed) : new Response(null, { status: 503 })));
    const asserted = form({
      grant_type: 'authorization_code',
      code: 'a:b:c',
      client_id: ID,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: 'x.y.z',
    });
    for (let n = 0; n < 3; n += 1)
      expect(await errorOf(await call('/oauth/token', asserted))).toBe('401 invalid_client');
    expect(asked).toEqual([ID, keysUri]);
    const rest = await inside(({ rows }) => rows.get<{ count: number }>('own:client:access-fetches:app.example'));
    expect(rest?.count).toBe(2);
    vi.restoreAllMocks();
  });

  test('S3, D5: a redirect of its document is not followed', async () => {
    const asked = web(() => new Response(null, { status: 302, headers: { location: 'https://evil.example/t.json' } }));
    expect(await errorOf(await redeem(ID))).toBe('401 invalid_client');
    expect(asked).toEqual([ID]);
    vi.restoreAllMocks();
  });

  test.each([
    'https://169.254.169.254/c',
    'https://localhost/c',
    'https://app.example:8443/c',
    'https://sightline.test/c',
    'https://app.example./c',
  ])('S1, S2, S4, S6: %s is not fetched', async (id) => {
    const asked = web(() => Response.json({ ...document, client_id: id }));
    expect(await errorOf(await redeem(id))).toBe('401 invalid_client');
    expect(asked).toEqual([]);
    vi.restoreAllMocks();
  });
});

describe('a store of tokens that does not answer', () => {
  afterEach(() => {
    useShards(false);
    vi.restoreAllMocks();
  });

  test('is 503 temporarily_unavailable, and the same request works later', async () => {
    useShards(true);
    const { refresh, clientId } = await signedIn();
    const logs: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
    const down = vi.spyOn(AuthorizationStore.prototype, 'shardToken').mockRejectedValue(new Error('secret detail'));
    const answer = await call('/oauth/token', form(refreshForm(refresh, clientId)));
    expect([answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual(['1', 'no-store']);
    expect(await errorOf(answer)).toBe('503 temporarily_unavailable');
    expect(logs.filter((line) => line.includes('token_store_unreachable'))).toHaveLength(1);
    expect(logs.join('\n')).not.toContain('secret detail');
    down.mockRestore();
    expect(await errorOf(await call('/oauth/token', form(refreshForm(refresh, clientId))))).toBe('200 ok');
  });

  test('loses no tokens that another one has made: a client is renewed another time', async () => {
    useShards(true);
    const { refresh, clientId } = await signedIn();
    vi.spyOn(AuthorizationStore.prototype, 'shardToken').mockResolvedValue({
      outcome: { kind: 'answer', status: 200, headers: {}, body: JSON.stringify({ access_token: 'slm_made' }) },
      usedClient: clientId,
    });
    const renewal = vi.spyOn(AuthorizationStore.prototype, 'renewClient').mockRejectedValue(new Error('down'));
    const answer = await call('/oauth/token', form(refreshForm(refresh, clientId)));
    expect([answer.status, renewal.mock.calls.length]).toEqual([200, 1]);
    expect(await answer.json()).toEqual({ access_token: expect.stringMatching(/^slm_made\.[\w-]{26}$/) });
  });
});
