import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendJson, startHttpServer } from '../../../local/http-server.ts';
import { type ClientChoice, logIn } from '../../../src/cli/login/login.ts';
import { createLoginNet } from '../../../src/cli/login/net.ts';
import type { TokenStore } from '../../../src/cli/login/token-store.ts';
import {
  ENDPOINT,
  type FakeService,
  honestMetadata,
  type Scene,
  startFakeService,
} from '../../support/workers/fake-authorization.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-login-'));
let file = '';
let count = 0;
beforeEach(() => {
  count += 1;
  file = join(folder, String(count), 'sightline', 'tokens.json');
});
const started: { stop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function service(scene: Scene = {}): Promise<FakeService> {
  const made = await startFakeService(scene);
  started.push(made);
  return made;
}

const WAIT_MS = 20_000;
type Asked = { client?: ClientChoice; scope?: string; browse?: (url: URL) => unknown; waitMs?: number };

/** Logs in to a fake service as the command does; the browser is a fetch. */
async function loggedIn(at: FakeService, { client = {}, scope, browse = at.browse, waitMs = WAIT_MS }: Asked = {}) {
  const shown: URL[] = [];
  let states = 0;
  const outcome = await logIn(
    { origin: at.origin, client, ...(scope === undefined ? {} : { scope }) },
    {
      net: createLoginNet(true),
      file,
      show: (url) => {
        shown.push(url);
        void browse(url);
      },
      random: () => `state-${(states += 1)}`,
      nowMs: () => 1_000_000,
      waitMs,
    },
  );
  return { outcome, shown };
}

const store = (): TokenStore => JSON.parse(readFileSync(file, 'utf8')) as TokenStore;
const pathsOf = ({ seen }: FakeService): readonly string[] => seen.map(({ path }) => path);

const PATH_FORM = `/.well-known/oauth-protected-resource${ENDPOINT}`;
const ROOT_FORM = '/.well-known/oauth-protected-resource';
const BARE = { challenge: () => 'Bearer scope="audit:run"' };

test('a login keeps the tokens in a file of mode 0600 in a folder of mode 0700, by issuer and resource', async () => {
  const at = await service();
  const { outcome } = await loggedIn(at);
  expect(outcome).toEqual({ ok: true, issuer: at.origin, resource: `${at.origin}${ENDPOINT}`, scope: 'audit:run' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
  const { tokens, clients } = store();
  expect(Object.keys(clients)).toEqual([at.origin]);
  expect(tokens).toHaveLength(1);
  expect(tokens[0]).toMatchObject({
    issuer: at.origin,
    resource: `${at.origin}${ENDPOINT}`,
    expires_at_ms: 4_600_000,
    scope: 'audit:run',
  });
});

describe('C1: the header first, then the path form, then the root', () => {
  const elsewhere = (origin: string) => ({
    '/elsewhere.json': { resource: `${origin}${ENDPOINT}`, authorization_servers: [origin] },
  });

  test('a document that the header names is the only one that is read', async () => {
    const at = await service({
      challenge: (origin) => `Basic realm="x", Bearer resource_metadata="${origin}/elsewhere.json"`,
      documents: elsewhere,
    });
    expect((await loggedIn(at)).outcome.ok).toBe(true);
    expect(pathsOf(at).filter((path) => path.startsWith('/elsewhere') || path.includes('protected-resource'))).toEqual([
      '/elsewhere.json',
    ]);
  });

  test('without one the path form is asked before the root', async () => {
    const at = await service({
      ...BARE,
      documents: (origin) => ({
        [PATH_FORM]: null,
        [ROOT_FORM]: { resource: `${origin}${ENDPOINT}`, authorization_servers: [origin] },
      }),
    });
    expect((await loggedIn(at)).outcome.ok).toBe(true);
    expect(pathsOf(at).filter((path) => path.includes('protected-resource'))).toEqual([PATH_FORM, ROOT_FORM]);
  });

  test('a service that answers HTML everywhere has no metadata', async () => {
    const at = await service({ ...BARE, statuses: { [PATH_FORM]: 200, [ROOT_FORM]: 200 } });
    expect((await loggedIn(at)).outcome).toMatchObject({ ok: false, reason: 'no_resource_metadata' });
  });

  test('metadata of another resource is not used', async () => {
    const at = await service({
      documents: (origin) => ({ [PATH_FORM]: { resource: `${origin}/mcp`, authorization_servers: [origin] } }),
    });
    expect((await loggedIn(at)).outcome).toMatchObject({ ok: false, reason: 'resource_mismatch' });
  });
});

test('C2: a 401 without any challenge is answered by discovery all the same', async () => {
  const at = await service({ challenge: () => null });
  expect((await loggedIn(at)).outcome).toMatchObject({ ok: true, scope: 'from:metadata' });
});

describe('C3: RFC 8414 and OpenID Connect Discovery, in their order', () => {
  const OAUTH = '/.well-known/oauth-authorization-server';
  const OIDC = '/.well-known/openid-configuration';
  test.each<[string, string, readonly string[]]>([
    ['', OIDC, [OAUTH, OIDC]],
    ['/tenant', `${OAUTH}/tenant`, [`${OAUTH}/tenant`]],
    ['/tenant', `${OIDC}/tenant`, [`${OAUTH}/tenant`, `${OIDC}/tenant`]],
    ['/tenant', `/tenant${OIDC}`, [`${OAUTH}/tenant`, `${OIDC}/tenant`, `/tenant${OIDC}`]],
  ])('an issuer with the path "%s" and its document at %s', async (path, place, order) => {
    const at = await service({
      documents: (origin) => ({
        [OAUTH]: null,
        [PATH_FORM]: { resource: `${origin}${ENDPOINT}`, authorization_servers: [`${origin}${path}`] },
        [place]: { ...honestMetadata(`${origin}${path}`, origin) },
      }),
      answer: (params, origin) => params.set('iss', `${origin}${path}`),
    });
    expect((await loggedIn(at)).outcome).toMatchObject({ ok: true, issuer: `${at.origin}${path}` });
    expect(pathsOf(at).filter((one) => one.includes(OAUTH) || one.includes(OIDC))).toEqual(order);
  });
});

type Row = [what: string, scene: Scene, reason: string];

describe('what no browser is opened for', () => {
  test.each<Row>([
    ['C4: metadata of another issuer', { metadata: () => ({ issuer: 'https://other.example' }) }, 'issuer_mismatch'],
    [
      'C4: metadata of the issuer with a slash more',
      { metadata: (origin) => ({ issuer: `${origin}/` }) },
      'issuer_mismatch',
    ],
    [
      'C4: metadata of the issuer in capitals',
      { metadata: (origin) => ({ issuer: origin.replace('http', 'HTTP') }) },
      'issuer_mismatch',
    ],
    ['C3: no metadata at all', { statuses: { '/.well-known/oauth-authorization-server': 404 } }, 'no_server_metadata'],
    ['C8: a server that refuses to register', { statuses: { '/register': 403 } }, 'registration_refused'],
    [
      'C8: a server that registers nobody',
      { metadata: () => ({ registration_endpoint: undefined }) },
      'no_registration',
    ],
    ['C10: no word about PKCE', { metadata: () => ({ code_challenge_methods_supported: undefined }) }, 'no_pkce'],
    ['C10: PKCE with plain alone', { metadata: () => ({ code_challenge_methods_supported: ['plain'] }) }, 'no_pkce'],
    ['no code flow', { metadata: () => ({ response_types_supported: ['token'] }) }, 'code_flow_unsupported'],
    [
      'C18: a javascript: authorization endpoint',
      { metadata: () => ({ authorization_endpoint: 'javascript:alert(1)' }) },
      'address_refused',
    ],
    [
      'C18: a file: authorization endpoint',
      { metadata: () => ({ authorization_endpoint: 'file:///etc/passwd' }) },
      'address_refused',
    ],
    [
      'C18: plain http outside this machine',
      { metadata: () => ({ token_endpoint: 'http://as.example/token' }) },
      'not_https',
    ],
    [
      'C18: an address of a private network',
      { metadata: () => ({ token_endpoint: 'https://10.0.0.1/token' }) },
      'address_refused',
    ],
    [
      'C18: a metadata address in the challenge',
      { challenge: () => 'Bearer resource_metadata="http://169.254.169.254/"' },
      'address_refused',
    ],
    [
      'C18: a redirect to a private address',
      { redirects: { '/.well-known/oauth-authorization-server': 'http://169.254.169.254/' } },
      'address_refused',
    ],
    ['C18: a redirect on the same origin', { redirects: { [PATH_FORM]: '/moved.json' } }, 'redirected'],
    ['C18: a redirected registration', { redirects: { '/register': '/token' } }, 'redirected'],
  ])('%s', async (_what, scene, reason) => {
    const at = await service(scene);
    const { outcome, shown } = await loggedIn(at);
    expect({ outcome, shown }).toMatchObject({ outcome: { ok: false, reason }, shown: [] });
    expect(at.of('/authorize')).toEqual([]);
  });
});

test('C18: for a service that is not on this machine, neither http nor a private address is asked', async () => {
  const asked: string[] = [];
  const net = createLoginNet(false, async (url) => {
    asked.push(url);
    return new Response('{}');
  });
  const refused = [
    'http://as.example/',
    'http://127.0.0.1:1/',
    'https://localhost/',
    'https://192.168.1.1/',
    'https://[::1]/',
  ];
  const reasons = await Promise.all(
    refused.map((url) =>
      net.fetch(url).then(
        () => 'asked',
        (error: { reason: string }) => error.reason,
      ),
    ),
  );
  expect(reasons).toEqual(['not_https', 'address_refused', 'address_refused', 'address_refused', 'address_refused']);
  expect((await net.fetch('https://as.example/')).status).toBe(200);
  expect(asked).toEqual(['https://as.example/']);
});

/** A second authorization server, for a service that changes its mind. */
async function withOtherServer(): Promise<{ at: FakeService; other: FakeService; change: () => void }> {
  let named: string | undefined;
  const at = await service({
    documents: (origin) => ({
      [PATH_FORM]: { resource: `${origin}${ENDPOINT}`, authorization_servers: [named ?? origin] },
    }),
  });
  const other = await service();
  return { at, other, change: () => void (named = other.origin) };
}

describe('C5: what belongs to one issuer is never shown to another', () => {
  test('the client registered with an issuer serves the next login there', async () => {
    const at = await service();
    await loggedIn(at);
    await loggedIn(at);
    expect(at.of('/register')).toHaveLength(1);
    const [one, two] = at.of('/authorize').map(({ query }) => query.get('client_id'));
    expect(two).toBe(one);
  });

  test('M4: when the service names another authorization server, the client registers again there', async () => {
    const { at, other, change } = await withOtherServer();
    await loggedIn(at);
    const first = at.of('/authorize')[0]?.query.get('client_id') ?? '';
    change();
    await loggedIn(at, { browse: other.browse });
    expect(other.of('/register')).toHaveLength(1);
    expect(other.of('/authorize')).toHaveLength(1);
    expect(JSON.stringify(other.seen)).not.toContain(first);
    const secrets = at.of('/token').map(({ form }) => form.get('code') ?? '');
    for (const secret of secrets) expect(JSON.stringify(other.seen)).not.toContain(secret);
  });

  test('a client id that was given for one issuer is not tried at another', async () => {
    const { at, other, change } = await withOtherServer();
    await loggedIn(at, { client: { clientId: 'given-one' } });
    change();
    const { outcome } = await loggedIn(at, { client: { clientId: 'given-one' } });
    expect(outcome).toMatchObject({ ok: false, reason: 'client_of_other_issuer' });
    expect(other.of('/authorize')).toEqual([]);
  });
});

describe('C6, C7, C8: which client we are', () => {
  test('C6: a given client goes before a document, and no registration is made', async () => {
    const at = await service({ metadata: () => ({ client_id_metadata_document_supported: true }) });
    await loggedIn(at, { client: { clientId: 'given-one', metadataUrl: 'https://me.example/client.json' } });
    expect(at.of('/authorize')[0]?.query.get('client_id')).toBe('given-one');
    expect(at.of('/register')).toEqual([]);
  });

  test.each([
    [true, 'https://me.example/client.json', 0],
    [false, /^client-/, 1],
  ])('C7: a hosted document is used where the server reads such (%s)', async (supported, expected, registrations) => {
    const at = await service({ metadata: () => ({ client_id_metadata_document_supported: supported }) });
    await loggedIn(at, { client: { metadataUrl: 'https://me.example/client.json' } });
    expect(at.of('/authorize')[0]?.query.get('client_id')).toMatch(expected);
    expect(at.of('/register')).toHaveLength(registrations);
  });

  test('C8: a registration says that this is a native client with a loopback redirect', async () => {
    const at = await service();
    await loggedIn(at);
    expect(JSON.parse(at.of('/register')[0]?.body ?? '')).toMatchObject({
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)],
    });
  });

  test('a registration that the server forgot does not stay: after a login without answer a new one is made', async () => {
    const at = await service();
    await loggedIn(at);
    const { outcome } = await loggedIn(at, { browse: () => undefined, waitMs: 1 });
    expect(outcome).toMatchObject({ ok: false, reason: 'no_answer' });
    await loggedIn(at);
    expect(at.of('/register')).toHaveLength(2);
  });
});

test('C9, C10, C13: both requests name the resource, PKCE is S256, and the redirect is the loopback address', async () => {
  const at = await service();
  await loggedIn(at);
  const asked = at.of('/authorize')[0]?.query;
  const redeemed = at.of('/token')[0]?.form;
  expect(asked?.get('resource')).toBe(`${at.origin}${ENDPOINT}`);
  expect(redeemed?.get('resource')).toBe(`${at.origin}${ENDPOINT}`);
  expect(asked?.get('code_challenge_method')).toBe('S256');
  expect(redeemed?.get('code_verifier')).toMatch(/^[\w~.-]{43,128}$/);
  expect(asked?.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(redeemed?.get('redirect_uri')).toBe(asked?.get('redirect_uri'));
});

describe('C11: the answer must be from the server that was asked', () => {
  const NOT_SENT = { authorization_response_iss_parameter_supported: undefined };
  test.each<[string, Scene, string | undefined]>([
    ['advertised and absent', { answer: (params) => params.delete('iss') }, 'issuer_mismatch'],
    ['advertised and another', { answer: (params) => params.set('iss', 'https://evil.example') }, 'issuer_mismatch'],
    ['advertised and normalised', { answer: (params, origin) => params.set('iss', `${origin}/`) }, 'issuer_mismatch'],
    [
      'not advertised and another',
      { metadata: () => NOT_SENT, answer: (params) => params.set('iss', 'https://evil.example') },
      'issuer_mismatch',
    ],
    ['not advertised and absent', { metadata: () => NOT_SENT, answer: (params) => params.delete('iss') }, undefined],
    ['not advertised and right', { metadata: () => NOT_SENT }, undefined],
  ])('iss %s', async (_what, scene, reason) => {
    const at = await service(scene);
    const { outcome } = await loggedIn(at);
    expect(outcome.ok ? undefined : outcome.reason).toBe(reason);
    expect(at.of('/token')).toHaveLength(reason === undefined ? 1 : 0);
  });

  test('the error of an answer from elsewhere is not shown; that of the right server is', async () => {
    const failing = (iss: string) => (params: URLSearchParams) => {
      params.delete('code');
      params.set('error', 'access_denied_marker');
      if (iss !== '') params.set('iss', iss);
    };
    const foreign = await loggedIn(await service({ answer: failing('https://evil.example') }));
    expect(foreign.outcome).toMatchObject({ ok: false, reason: 'issuer_mismatch' });
    expect(JSON.stringify(foreign.outcome)).not.toMatch(/marker|evil/);
    const own = await loggedIn(await service({ answer: failing('') }));
    expect(own.outcome).toMatchObject({ ok: false, reason: 'authorization_refused' });
    expect(JSON.stringify(own.outcome)).toContain('access_denied_marker');
  });
});

describe('C12: an answer without our state is none', () => {
  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'forged')],
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['the state twice', (url: URL) => url.searchParams.append('state', 'forged')],
    ['two codes', (url: URL) => url.searchParams.append('code', 'forged')],
    ['another path', (url: URL) => void (url.pathname = '/other')],
  ])('%s gets a static page that echoes nothing, and the login goes on', async (_what, forge) => {
    const at = await service();
    let forged: { status: number; text: string } | undefined;
    const { outcome } = await loggedIn(at, {
      browse: async (shown) => {
        const back = new URL(shown.searchParams.get('redirect_uri') ?? '');
        back.search = new URLSearchParams({ code: 'stolen-marker', state: 'state-1', iss: at.origin }).toString();
        forge(back);
        const page = await fetch(back);
        forged = { status: page.status, text: await page.text() };
        await at.browse(shown);
      },
    });
    expect(outcome.ok).toBe(true);
    expect(forged?.status).toBe(400);
    expect(forged?.text).not.toMatch(/stolen|forged|state-1/);
    expect(at.of('/token').map(({ form }) => form.get('code'))).not.toContain('stolen-marker');
  });
});

describe('C14: which scopes are asked for', () => {
  const asked = async (scene: Scene, scope?: string): Promise<string | null | undefined> => {
    const at = await service(scene);
    await loggedIn(at, scope === undefined ? {} : { scope });
    return at.of('/authorize')[0]?.query.get('scope');
  };
  const withoutScopes: Scene = {
    challenge: () => null,
    documents: (origin) => ({ [PATH_FORM]: { resource: `${origin}${ENDPOINT}`, authorization_servers: [origin] } }),
  };
  test('those of the challenge', async () => expect(await asked({})).toBe('audit:run'));
  test('else those of the metadata', async () => expect(await asked({ challenge: () => null })).toBe('from:metadata'));
  test('else none', async () => expect(await asked(withoutScopes)).toBe(null));
  test('and those that the user names', async () =>
    expect(await asked({}, 'credits:use audit:run')).toBe('audit:run credits:use'));
});

describe('C15: a service that wants more', () => {
  test('is asked again with all scopes together', async () => {
    const at = await service({ wants: ['audit:run', 'extra:one'] });
    expect((await loggedIn(at)).outcome).toMatchObject({ ok: true, scope: 'audit:run extra:one' });
    expect(at.of('/authorize').map(({ query }) => query.get('scope'))).toEqual(['audit:run', 'audit:run extra:one']);
  });

  test('is asked three times at most', async () => {
    const at = await service({ wants: ['a', 'b', 'c', 'd', 'e'] });
    expect((await loggedIn(at)).outcome).toMatchObject({ ok: false, reason: 'scope_refused' });
    expect(at.of('/authorize')).toHaveLength(3);
  });
});

describe('C16: the token is a Bearer header of its own service and nothing else', () => {
  test('it stands in no URL, and no other host gets it', async () => {
    const at = await service();
    await loggedIn(at);
    const [token] = store().tokens;
    expect(at.seen.filter(({ bearer }) => bearer === token?.access_token).map(({ path }) => path)).toEqual([ENDPOINT]);
    expect(at.seen.map(({ query, body }) => `${query.toString()} ${body}`).join()).not.toContain(token?.access_token);
  });

  test.each([
    ['a DPoP token', { token_type: 'DPoP' }],
    ['a token with a line break', { access_token: 'abc\r\nx-evil: 1' }],
  ])('%s is not kept', async (_what, token) => {
    const at = await service({ token });
    expect((await loggedIn(at)).outcome).toMatchObject({ ok: false, reason: 'token_request_refused' });
    expect(at.of(ENDPOINT).filter(({ bearer }) => bearer !== undefined)).toEqual([]);
  });

  test('a token that its own service refuses is said to be refused', async () => {
    const at = await service({ token: { access_token: 'unknown-there' } });
    expect((await loggedIn(at)).outcome).toMatchObject({ ok: false, reason: 'token_refused' });
  });
});

test('C17: a server that gives no refresh token is fine, and no secret stands in what is said', async () => {
  const at = await service({ token: { refresh_token: undefined } });
  const { outcome } = await loggedIn(at);
  expect(outcome.ok).toBe(true);
  expect(store().tokens[0]).not.toHaveProperty('refresh_token');
  expect(JSON.stringify(outcome)).not.toContain(store().tokens[0]?.access_token);
});

test('a token endpoint that repeats what was sent gets none of it shown', async () => {
  const echo = await startHttpServer((_request, response) =>
    sendJson(response, 400, { error: 'invalid_grant', error_description: 'secret-marker' }),
  );
  started.push(echo);
  const at = await service({ metadata: () => ({ token_endpoint: `${echo.url}/token` }) });
  const { outcome } = await loggedIn(at);
  expect(outcome).toMatchObject({ ok: false, reason: 'token_request_refused' });
  expect(JSON.stringify(outcome)).not.toContain('secret-marker');
});
