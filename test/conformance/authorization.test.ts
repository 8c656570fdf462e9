import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reservePort, LOOPBACK } from '../../local/ports.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { startWorker } from '../../local/worker.ts';
import { callProtected, challengeOf, mcpHeaders, reach, rpc, rpcAnswer } from './support/attack.ts';
import { type Browser, newBrowser } from './support/browser.ts';
import { connect, PAYMENT, signTerms, termsOf } from './support/mcp-client.ts';
import {
  allow,
  discover,
  type Grant,
  grant,
  insecure,
  REDIRECT_URI,
  redeem,
  refresh,
  register,
  responseOf,
  secretOf,
  SIBLING,
  signedInBrowser,
  start,
  type World,
} from './support/oauth.ts';
import { consentForm, decide, postJson } from './support/person.ts';
import { startRecorder } from './support/recorder.ts';

const OPERATOR_SECRET = randomBytes(32).toString('base64url');
const TOOL = 'check_llms_txt';
const OK = { status: 200, error: null };
const BAD_TOKEN = { status: 401, error: 'invalid_token' };

let stack: Stack;
let world: World;
let browser: Browser;
let given: Grant;
beforeAll(async () => {
  stack = await startStack({ bindings: { CONTROL_URL: SIBLING, OPERATOR_SECRET } });
  world = await discover(stack.api.url);
  browser = await signedInBrowser(world.base);
  given = await grant(world, browser);
});
afterAll(async () => {
  await stack?.stop();
});

/** The challenge of a call without a token. */
const challenge = async (): Promise<Record<string, string>> => {
  const answer = await callProtected({ world }, undefined);
  await answer.body?.cancel();
  expect(answer.status).toBe(401);
  return challengeOf(answer) ?? {};
};

/** A paid tool called with a token and no payment: by credits. */
const callTool = (token: string, name = TOOL): Promise<Response> =>
  callProtected({ world }, token, {
    headers: mcpHeaders('tools/call', name),
    body: rpc('tools/call', { name, arguments: { url: stack.sites.good } }),
  });

/** Signs the operator in and makes a client. */
async function operatorClient(body: Record<string, unknown>): Promise<{ clientId: string; secret: string }> {
  const operator = newBrowser(world.base);
  const signedIn = await postJson(operator, '/signin/operator', { secret: OPERATOR_SECRET });
  const { csrf } = (await signedIn.json()) as { csrf: string };
  const made = await operator.request('/operator/clients', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'x-csrf-token': csrf },
    body: JSON.stringify(body),
  });
  expect(made.status).toBe(201);
  const { client, secret } = (await made.json()) as { client: { id: string }; secret: string };
  return { clientId: client.id, secret };
}

describe('the rule table', () => {
  test('Roles: one server protects, another path of it issues, and an independent client gets from one to the other', async () => {
    expect(given.tokens).toMatchObject({ token_type: 'bearer', scope: 'audit:run' });
    expect(await reach({ world }, given.tokens.access_token)).toEqual(OK);
  });

  test('Server metadata: RFC 9728, with at least one authorization server', async () => {
    const answer = await fetch(`${world.base}/.well-known/oauth-protected-resource/mcp-account`);
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'application/json']);
    expect(await answer.json()).toMatchObject({ resource: world.resource, authorization_servers: [world.base] });
  });

  test('401 response: carries WWW-Authenticate with the URL of that metadata', async () => {
    expect((await challenge())['resource_metadata']).toBe(
      `${world.base}/.well-known/oauth-protected-resource/mcp-account`,
    );
  });

  test('Authorization server metadata: RFC 8414, valid to an independent client', () => {
    expect(world.as).toMatchObject({
      issuer: world.base,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    });
  });

  test('Client registration: dynamic registration (RFC 7591) gives a public client without a secret', async () => {
    const client = await register(world);
    expect(client).toMatchObject({ token_endpoint_auth_method: 'none', redirect_uris: [REDIRECT_URI] });
    expect(client['client_secret']).toBeUndefined();
  });

  test('Resource parameter: needed in the authorization request, bound in the token request', async () => {
    const client = await register(world);
    const { url } = await start(world, client, { resource: undefined });
    const answer = await browser.request(url.href);
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_target');
    const started = await start(world, client);
    const parameters = responseOf(world, client, started, await allow(browser, started));
    const other = await redeem(world, client, started, parameters, { resource: SIBLING });
    expect([other.status, await other.json()]).toMatchObject([400, { error: 'invalid_target' }]);
    expect((await redeem(world, client, started, parameters)).status).toBe(200);
  });

  test('PKCE: no request without an S256 challenge, no token without its verifier', async () => {
    const client = await register(world);
    const { url } = await start(world, client, { code_challenge: undefined, code_challenge_method: undefined });
    const answer = await browser.request(url.href);
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
    const started = await start(world, client);
    const parameters = responseOf(world, client, started, await allow(browser, started));
    const wrong = await redeem(world, client, { verifier: oauth.generateRandomCodeVerifier() }, parameters);
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  });

  test('Redirect URIs: registered, matched exactly, localhost or HTTPS', async () => {
    const client = await register(world);
    const { url } = await start(world, client, { redirect_uri: 'http://127.0.0.1:41999/other' });
    expect((await browser.request(url.href)).status).toBe(400);
    await expect(register(world, { redirect_uris: ['http://app.example/callback'] })).rejects.toMatchObject({
      error: 'invalid_redirect_uri',
    });
  });

  test('State: comes back as it was sent, and a client that checks it discards another', async () => {
    const client = await register(world);
    const started = await start(world, client);
    const page = await allow(browser, started);
    expect(new URL(page.url).searchParams.get('state')).toBe(started.state);
    expect(() => oauth.validateAuthResponse(world.as, client, new URL(page.url), 'another')).toThrow('"state"');
  });

  test('Transport: every endpoint of the authorization server stands under its issuer, which is https off loopback', () => {
    const { authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint } = world.as;
    const endpoints = [authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint];
    expect(endpoints.map((url) => new URL(url ?? '').origin)).toEqual(endpoints.map(() => world.as.issuer));
    expect(() => oauth.checkProtocol(new URL(world.as.issuer), true)).toThrow('HTTPS');
  });

  test('Token use: in the header of every request, never in the query', async () => {
    const { access_token: token } = given.tokens;
    expect(await reach({ world }, undefined, { url: `${world.resource}?access_token=${token}` })).toEqual({
      status: 401,
      error: null,
    });
    const session = await connect(world.resource, 'legacy', { authorization: `Bearer ${token}` });
    const id = (session.transport as { sessionId?: string } | undefined)?.sessionId ?? '';
    const without = await callProtected({ world }, undefined, { headers: { 'mcp-session-id': id } });
    await without.body?.cancel();
    expect([id.length, without.status]).toEqual([32, 401]);
    await session.close();
  });

  test('Token validation: issued for this server as audience; anything else is 401', async () => {
    const sibling = await grant({ ...world, resource: SIBLING }, browser);
    expect(await reach({ world }, sibling.tokens.access_token)).toEqual(BAD_TOKEN);
    expect(await reach({ world }, 'garbage')).toEqual(BAD_TOKEN);
    expect(await reach({ world }, given.tokens.refresh_token)).toEqual(BAD_TOKEN);
  });

  test('Token passthrough: what the tools fetch carries nothing of the token', async () => {
    const recorder = await startRecorder();
    const open = await connect(`${world.base}/mcp`, 'modern');
    const args = { url: recorder.url };
    const payment = await signTerms(stack.buyer, termsOf(await open.callTool({ name: TOOL, arguments: args })));
    await open.close();
    const { access_token: token } = given.tokens;
    const client = await connect(world.resource, 'modern', { authorization: `Bearer ${token}` });
    const result = await client.callTool({ name: TOOL, arguments: args, _meta: { [PAYMENT]: payment } });
    await client.close();
    await recorder.stop();
    expect(result.isError ?? false).toBe(false);
    expect(recorder.seen.length).toBeGreaterThan(0);
    expect(recorder.seen.filter((asked) => asked.includes(token) || /authorization/i.test(asked))).toEqual([]);
  });

  test('Token lifetime: an hour at most, and refresh tokens of public clients rotate', async () => {
    const { client, tokens } = await grant(world, browser);
    expect(tokens.expires_in).toBeGreaterThan(0);
    expect(tokens.expires_in).toBeLessThanOrEqual(3600);
    const answer = await refresh(world, client, tokens.refresh_token ?? '');
    const next = await oauth.processRefreshTokenResponse(world.as, client, answer);
    expect(next.refresh_token).toBeDefined();
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect(await reach({ world }, next.access_token)).toEqual(OK);
  });

  test('Consent: each dynamically registered client is asked for, whoever is signed in', async () => {
    const { url } = await start(world, await register(world));
    const page = await browser.open(url.href);
    expect(page.status).toBe(200);
    expect(consentForm(page).fields.map(({ name }) => name)).toContain('decision');
  });

  test.each([
    ['401: no token', () => callProtected({ world }, undefined), 401],
    ['401: a bad token', () => callProtected({ world }, 'garbage'), 401],
    ['403: a token that lacks a scope', () => callTool(given.tokens.access_token), 403],
    ['400: a malformed credential', () => callProtected({ world }, 'two tokens'), 400],
    ['402: an unpaid call of a paid route', () => paidRoute(), 402],
  ])('Errors: %s', async (_what, ask, status) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    // A 402 asks for a payment, in a scheme of its own: never for a token.
    expect(answer.headers.get('www-authenticate')).toMatch(status === 402 ? /^Payment (?!.*\bBearer\b)/s : /^Bearer\b/);
    expect((await answer.text()).length).toBeGreaterThan(0);
  });

  const paidRoute = (): Promise<Response> =>
    fetch(`${world.base}/api/agent/${TOOL}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: stack.sites.good }),
    });
});

describe('what revision 2026-07-28 asks of a protected server', () => {
  test('R1: the metadata names the resource that was asked for and its authorization server', () => {
    expect(world.metadata).toMatchObject({ resource: world.resource, authorization_servers: [world.as.issuer] });
  });

  test('R2: header and path form lead to one document; there is no root document that could name another resource', async () => {
    const { resource_metadata = '' } = await challenge();
    expect(await (await fetch(resource_metadata)).json()).toEqual(
      await (await fetch(`${world.base}/.well-known/oauth-protected-resource/mcp-account`)).json(),
    );
    const root = await fetch(`${world.base}/.well-known/oauth-protected-resource`);
    expect([root.status, root.headers.get('content-type')?.includes('json')]).toEqual([404, true]);
  });

  test('R3: the challenge says which scope is needed', async () => {
    expect((await challenge())['scope']).toBe('audit:run');
  });

  test('R4: a token counts for its audience alone', async () => {
    const { tokens } = await grant({ ...world, resource: SIBLING }, browser);
    expect(await reach({ world }, tokens.access_token)).toEqual(BAD_TOKEN);
    expect(await reach({ world }, given.tokens.access_token)).toEqual(OK);
  });

  test('R5: 401 for a dead token, 403 for a missing scope, 400 for a malformed request', async () => {
    const { client, tokens } = await grant(world, browser);
    const revoked = await oauth.revocationRequest(world.as, client, oauth.None(), tokens.access_token, insecure());
    await oauth.processRevocationResponse(revoked);
    expect(await reach({ world }, tokens.access_token)).toEqual(BAD_TOKEN);
    const lacking = await callTool(given.tokens.access_token);
    await lacking.body?.cancel();
    expect([lacking.status, challengeOf(lacking)?.['error']]).toEqual([403, 'insufficient_scope']);
    expect(await reach({ world }, 'two tokens')).toEqual({ status: 400, error: 'invalid_request' });
  });

  test('R6: no other token is accepted: not one of another issuer, no code, no session, no operator secret', async () => {
    const client = await register(world);
    const started = await start(world, client);
    const code = responseOf(world, client, started, await allow(browser, started)).get('code') ?? '';
    const session = [...browser.cookies.values()][0] ?? '';
    for (const token of [code, session, OPERATOR_SECRET, 'eyJhbGciOiJub25lIn0.e30.'])
      expect(await reach({ world }, token)).toEqual(BAD_TOKEN);
  });

  test('R7: scopes have no order: credits alone do not open the endpoint, the base scope alone spends none', async () => {
    const credits = await grant(world, browser, { scope: 'credits:use' });
    expect(credits.tokens.scope).toBe('credits:use');
    expect(await reach({ world }, credits.tokens.access_token)).toEqual({ status: 403, error: 'insufficient_scope' });
    expect((await callTool(given.tokens.access_token)).status).toBe(403);
  });

  test('R8: a missing scope is one challenge with all scopes of the call, and the way to the metadata', async () => {
    const answer = await callTool(given.tokens.access_token);
    await answer.body?.cancel();
    const told = challengeOf(answer);
    expect(told).toMatchObject({
      error: 'insufficient_scope',
      resource_metadata: `${world.base}/.well-known/oauth-protected-resource/mcp-account`,
    });
    expect(told?.['scope']?.split(' ').toSorted()).toEqual(['audit:run', 'credits:use']);
    const both = await grant(world, browser, { scope: told?.['scope'] ?? '', cap_usd: '1' });
    expect((await callTool(both.tokens.access_token)).status).toBe(200);
  });

  test('R9: offline_access is in no challenge and no metadata, and asking for it is no fault', async () => {
    expect((await challenge())['scope']).not.toContain('offline_access');
    expect(world.metadata.scopes_supported ?? []).not.toContain('offline_access');
    const { tokens } = await grant(world, browser, { scope: 'audit:run offline_access' });
    expect(tokens.refresh_token).toBeDefined();
  });

  test('R10: the canonical URI has no slash at its end, and scheme and host may be written in capitals', async () => {
    expect(world.metadata.resource).toBe(`${world.base}/mcp-account`);
    const upper = { ...world, resource: world.resource.replace('http:', 'HTTP:') };
    const { tokens } = await grant(upper, browser);
    expect(await reach({ world }, tokens.access_token)).toEqual(OK);
  });

  test('R11: what the server keeps holds no token, no code and no session', async () => {
    const state = mkdtempSync(join(tmpdir(), 'sightline-rules-'));
    const port = await reservePort(0, 'the api Worker', '--port');
    const baseUrl = `http://${LOOPBACK}:${port}`;
    const entry = fileURLToPath(new URL('../../local/api-worker.ts', import.meta.url));
    const bindings = { BASE_URL: baseUrl, ANSWER_ENGINE: 'none' };
    const worker = await startWorker({ entry, port, persistTo: state, bindings });
    try {
      const own = await discover(baseUrl);
      const person = await signedInBrowser(baseUrl);
      const { client, tokens } = await grant(own, person);
      await worker.stop();
      const kept = filesIn(state).map((file) => readFileSync(file, 'latin1'));
      expect(kept.some((text) => text.includes(client.client_id))).toBe(true);
      const secrets = [tokens.access_token, tokens.refresh_token ?? '-', ...person.cookies.values()];
      expect(secrets.filter((secret) => kept.some((text) => text.includes(secret)))).toEqual([]);
    } finally {
      await worker.stop().catch(() => undefined); // It may have been stopped above.
      rmSync(state, { recursive: true, force: true });
    }
  });

  test('R12: a foreign Origin is 403, before anything is said about tokens', async () => {
    const answer = await callProtected({ world }, undefined, { headers: { origin: 'https://evil.example' } });
    await answer.body?.cancel();
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(await reach({ world }, given.tokens.access_token, { headers: { origin: world.base } })).toEqual(OK);
  });

  test('R13: every request is verified, and a session is bound to who began it', async () => {
    const headers = { authorization: `Bearer ${given.tokens.access_token}` };
    const client = await connect(world.resource, 'legacy', headers);
    const id = (client.transport as { sessionId?: string } | undefined)?.sessionId ?? '';
    const stranger = await grant(world, await signedInBrowser(world.base));
    const list = (token: string | undefined): Promise<Response> =>
      fetch(world.resource, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': id,
          'mcp-protocol-version': '2025-11-25',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/list', params: {} }),
      });
    const answers = [
      await list(given.tokens.access_token),
      await list(stranger.tokens.access_token),
      await list(undefined),
    ];
    for (const answer of answers) await answer.body?.cancel();
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 401]);
    await client.close();
  });

  test('R14: what is shared between tokens is the same for all of them; reports are private', async () => {
    const list = async (method: string, token: string) =>
      (await rpcAnswer(await callProtected({ world }, token, { headers: mcpHeaders(method), body: rpc(method) })))
        .result;
    const other = await grant(world, await signedInBrowser(world.base));
    const mine = await list('tools/list', given.tokens.access_token);
    expect(mine?.['cacheScope']).toBe('public');
    expect(await list('tools/list', other.tokens.access_token)).toEqual(mine);
    expect(await list('resources/list', given.tokens.access_token)).toMatchObject({ cacheScope: 'private' });
  });

  test('R15, A12: the endpoint that protects nothing is no part of this: it neither challenges nor looks at tokens', async () => {
    const list = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${world.base}/mcp`, {
        method: 'POST',
        headers: { ...mcpHeaders('tools/list'), ...headers },
        body: rpc('tools/list'),
      });
    const [bare, garbage] = await Promise.all([list({}), list({ authorization: 'Bearer garbage' })]);
    expect([bare.status, garbage.status]).toEqual([200, 200]);
    expect(await garbage.text()).toBe(await bare.text());
    const metadata = await fetch(`${world.base}/.well-known/oauth-protected-resource/mcp`);
    expect(metadata.status).toBe(404);
  });
});

describe('what revision 2026-07-28 asks of an authorization server', () => {
  test('AS-A1: public clients have no secret; confidential ones get nothing without theirs', async () => {
    const client = await register(world, { token_endpoint_auth_method: 'client_secret_basic' });
    const started = await start(world, client);
    const parameters = responseOf(world, client, started, await allow(browser, started));
    const bare = await redeem(world, client, started, parameters);
    expect([bare.status, await bare.json()]).toMatchObject([401, { error: 'invalid_client' }]);
    const proven = await oauth.authorizationCodeGrantRequest(
      world.as,
      client,
      oauth.ClientSecretBasic(secretOf(client)),
      parameters,
      REDIRECT_URI,
      started.verifier,
      { ...insecure(), additionalParameters: { resource: world.resource } },
    );
    expect((await oauth.processAuthorizationCodeResponse(world.as, client, proven)).access_token).toBeDefined();
  });

  test('AS-A1: machine clients (client_credentials) are made by the operator, and nobody else gets that grant', async () => {
    const { clientId, secret } = await operatorClient({
      grant: 'client_credentials',
      name: 'a judge',
      scopes: ['audit:run'],
      resources: [world.resource],
    });
    const client: oauth.Client = { client_id: clientId };
    const answer = await oauth.clientCredentialsGrantRequest(
      world.as,
      client,
      oauth.ClientSecretBasic(secret),
      { scope: 'audit:run', resource: world.resource },
      insecure(),
    );
    const tokens = await oauth.processClientCredentialsResponse(world.as, client, answer);
    expect(tokens.refresh_token).toBeUndefined();
    expect(await reach({ world }, tokens.access_token)).toEqual(OK);
    const open = await register(world, { token_endpoint_auth_method: 'client_secret_basic' });
    const refused = await oauth.clientCredentialsGrantRequest(
      world.as,
      open,
      oauth.ClientSecretBasic(secretOf(open)),
      { scope: 'audit:run', resource: world.resource },
      insecure(),
    );
    expect([400, 401]).toContain(refused.status);
  });

  test('AS-A2: RFC 8414 metadata under the issuer, public and cacheable', async () => {
    const answer = await fetch(`${world.base}/.well-known/oauth-authorization-server`);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toContain('max-age');
    expect(await answer.json()).toMatchObject({
      issuer: world.base,
      authorization_endpoint: `${world.base}/authorize`,
      token_endpoint: `${world.base}/oauth/token`,
      registration_endpoint: `${world.base}/oauth/register`,
    });
  });

  test('AS-A3: metadata documents of clients and dynamic registration are both offered', () => {
    expect(world.as).toMatchObject({ client_id_metadata_document_supported: true });
    expect(world.as.registration_endpoint).toBeDefined();
    expect(world.as.token_endpoint_auth_methods_supported).toContain('none');
  });

  test('AS-A4: a client id that is a URL is fetched from public hosts only, and the page names the redirect host', async () => {
    const client = await register(world);
    const own = await browser.open((await start(world, client)).url.href);
    expect(own.html).toContain(`<strong class="host">${new URL(REDIRECT_URI).host}</strong>`);
    const document = await start(world, client, { client_id: 'https://10.0.0.1/client.json' });
    const refused = await browser.request(document.url.href);
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null]);
  });

  test('AS-A5: iss is in success and in error responses, and that is advertised', async () => {
    expect(world.as.authorization_response_iss_parameter_supported).toBe(true);
    const client = await register(world);
    const started = await start(world, client);
    const page = await browser.open(started.url.href);
    const denied = await decide(browser, page, 'deny');
    expect(new URL(denied.url).searchParams.get('iss')).toBe(world.as.issuer);
    expect(() => responseOf(world, client, started, denied)).toThrow(
      'authorization response from the server is an error',
    );
    const agreed = new URL((await allow(browser, await start(world, client))).url);
    expect(agreed.searchParams.get('iss')).toBe(world.as.issuer);
    agreed.searchParams.delete('iss');
    expect(() => oauth.validateAuthResponse(world.as, client, agreed, oauth.skipStateCheck)).toThrow('"iss"');
  });

  test('AS-A6: no redirect to a URI that is not the registered one, errors included', async () => {
    const client = await register(world, { redirect_uris: ['https://app.example/callback'] });
    for (const redirect_uri of [
      'https://app.example/callback/',
      'https://app.example/callback?x',
      'https://evil.example/',
    ]) {
      const { url } = await start(world, client, { redirect_uri, response_type: 'token' });
      const answer = await browser.request(url.href);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
  });

  test('AS-A7: access tokens are short-lived, and a rotated refresh token is worth nothing to a thief', async () => {
    const { client, tokens } = await grant(world, browser);
    expect(tokens.expires_in).toBeLessThanOrEqual(3600);
    const first = await refresh(world, client, tokens.refresh_token ?? '');
    expect(first.status).toBe(200);
    const thief = await refresh(world, client, tokens.refresh_token ?? '', { scope: 'audit:run' });
    expect([thief.status, await thief.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  });

  test('AS-A8: consent names client, scopes and redirect, is bound to its browser, and is framed by no one', async () => {
    const client = await register(world, { client_name: 'The asking client' });
    const answer = await browser.request((await start(world, client)).url.href);
    const html = await answer.text();
    for (const shown of ['The asking client', 'audit:run', REDIRECT_URI]) expect(html).toContain(shown);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    for (const cookie of answer.headers.getSetCookie())
      expect(cookie).toMatch(/HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/i);
    const page = { url: `${world.base}/authorize`, status: 200, headers: answer.headers, html };
    const other = await decide(await signedInBrowser(world.base), page, 'allow');
    expect(other.status).toBeGreaterThanOrEqual(400);
  });
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
