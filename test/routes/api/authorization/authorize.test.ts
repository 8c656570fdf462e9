import { env } from 'cloudflare:workers';
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccounts } from '../../../../src/authorization/people/accounts.ts';
import { createClientDirectory, createLentClients } from '../../../../src/authorization/clients/clients.ts';
import { computeSecretEpoch } from '../../../../src/authorization/operators/secret.ts';
import { createPeopleStore } from '../../../../src/authorization/people/people.ts';
import { createProvider } from '../../../../src/authorization/oauth/provider.ts';
import { createSqlRows } from '../../../../src/authorization/oauth/rows.ts';
import { AuthorizationStore } from '../../../support/workers/worker.ts';
import {
  authorizePath,
  BASE,
  consentForm,
  field,
  flat,
  locationOf,
  type Person,
  person,
  registered,
  RESOURCE,
  signInOperator,
  signInPayer,
  VERIFIER,
  wallet,
} from './person.ts';
import { type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const REDIRECT = 'https://app.example/callback';
const store = () => env.AUTHORIZATION_STORE.getByName('authorization');

const grantRows = (): Promise<number> =>
  runInDurableObject(store(), (_object, state) =>
    Number(state.storage.sql.exec("SELECT count(*) AS n FROM rows WHERE key LIKE 'kv:grant:%'").one()['n']),
  );

/** A signed-in payer at the consent page of a new client. */
async function atConsent(changes: Record<string, string | undefined> = {}, metadata: Record<string, unknown> = {}) {
  const browser = person();
  await signInPayer(browser);
  const clientId = await registered(metadata);
  const answer = await browser.get(authorizePath(clientId, changes));
  return { browser, clientId, answer, page: flat(await answer.text()) };
}

type Tokens = { access_token: string; refresh_token: string; scope: string };

async function redeem(code: string, clientId: string): Promise<Tokens> {
  const body = String(
    new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      resource: RESOURCE,
    }),
  );
  const outcome = await store().token({ contentType: 'application/x-www-form-urlencoded', authorization: null, body });
  if (outcome.kind !== 'answer' || outcome.status !== 200) throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.body) as Tokens;
}

/** A client that only the operator can make. */
async function operatorClient(browser: Person, csrf: string): Promise<string> {
  const answer = await browser.json(
    '/operator/clients',
    { grant: 'authorization_code', name: 'Console', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
    { headers: { 'x-csrf-token': csrf } },
  );
  if (answer.status !== 201) throw new Error(await answer.text());
  return ((await answer.json()) as { client: { id: string } }).client.id;
}

describe('the whole way', () => {
  test('from a client, by sign-in and consent, to a token with the scopes and the cap', async () => {
    const browser = person();
    const clientId = await registered();
    const start = await browser.get(authorizePath(clientId));
    expect(start.status).toBe(303);
    const returnTo = locationOf(start).searchParams.get('return_to') ?? '';
    expect(returnTo).toBe(authorizePath(clientId));
    const who = await signInPayer(browser);
    const page = await (await browser.get(returnTo)).text();
    const done = await browser.form('/authorize', consentForm(page, 'allow', { cap_usd: '12.34' }));
    expect(done.status).toBe(302);
    const back = locationOf(done);
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
    expect([...back.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
    expect(back.searchParams.get('state')).toBe('state-1');
    expect(back.searchParams.get('iss')).toBe(BASE);
    const tokens = await redeem(back.searchParams.get('code') ?? '', clientId);
    expect(await store().validate(tokens.access_token, RESOURCE)).toMatchObject({
      userId: who.account,
      clientId,
      scope: ['audit:run', 'credits:use'],
      props: { kind: 'payer', address: wallet.address.toLowerCase(), capMicroUsdc: 12_340_000 },
    });
  });

  test('a declined consent answers access_denied with state and iss, and grants nothing', async () => {
    const { browser, page } = await atConsent();
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'deny')));
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-1',
      iss: BASE,
    });
    expect(await grantRows()).toBe(0);
  });

  test('an account that only signed in has an end; a consent, and not the refusal of one, keeps it for good', async () => {
    const ends = () =>
      runInDurableObject(store(), (_object, state) =>
        state.storage.sql
          .exec("SELECT expires_at FROM rows WHERE key LIKE 'own:account:%' AND value LIKE '%address%'")
          .toArray()
          .map((row) => row['expires_at']),
      );
    const one = await atConsent();
    await one.browser.form('/authorize', consentForm(one.page, 'deny'));
    expect(await ends()).toEqual([expect.any(Number)]);
    const page = await (await one.browser.get(authorizePath(one.clientId))).text();
    await one.browser.form('/authorize', consentForm(page, 'allow'));
    expect(await ends()).toEqual([null]);
  });

  test('scopes that were unticked are not granted, and with none left it is access_denied', async () => {
    const one = await atConsent();
    const back = locationOf(
      await one.browser.form('/authorize', consentForm(one.page, 'allow', { scope: 'audit:run' })),
    );
    const tokens = await redeem(back.searchParams.get('code') ?? '', one.clientId);
    const valid = await store().validate(tokens.access_token, RESOURCE);
    expect(valid?.scope).toEqual(['audit:run']);
    expect(valid?.props).toEqual({ kind: 'payer', address: wallet.address.toLowerCase() });
    const none = await atConsent();
    const denied = await none.browser.form('/authorize', consentForm(none.page, 'allow', { scope: '' }));
    expect(locationOf(denied).searchParams.get('error')).toBe('access_denied');
  });

  test('A5: two installations of one app keep their access, and the limit said last holds for both', async () => {
    const browser = person();
    await signInPayer(browser);
    const tokensOf = async (clientId: string, cap: string) => {
      const page = await (await browser.get(authorizePath(clientId))).text();
      const done = await browser.form('/authorize', consentForm(page, 'allow', { cap_usd: cap }));
      return redeem(locationOf(done).searchParams.get('code') ?? '', clientId);
    };
    const [one, other] = [await registered(), await registered()];
    expect(other).toBe(one); // The same metadata is the same client.
    const first = await tokensOf(one, '9');
    const second = await tokensOf(other, '2');
    for (const { access_token } of [first, second]) {
      expect((await store().validate(access_token, RESOURCE))?.props.capMicroUsdc).toBe(2_000_000);
    }
  });

  test('of more than ten grants of one client the oldest ends', async () => {
    const browser = person();
    await signInPayer(browser);
    const clientId = await registered();
    const tokens: Tokens[] = [];
    for (let device = 0; device < 11; device += 1) {
      const page = await (await browser.get(authorizePath(clientId))).text();
      const done = await browser.form('/authorize', consentForm(page, 'allow'));
      tokens.push(await redeem(locationOf(done).searchParams.get('code') ?? '', clientId));
    }
    const alive = await Promise.all(
      tokens.map(async (one) => (await store().validate(one.access_token, RESOURCE)) !== null),
    );
    expect(alive.filter(Boolean)).toHaveLength(10);
    expect(alive.at(-1)).toBe(true);
  });

  test('a client that names no scope asks for the base scope', async () => {
    const { page } = await atConsent({ scope: undefined });
    expect([...page.matchAll(/name="scope" value="([^"]*)"/g)].map(([, scope]) => scope)).toEqual(['audit:run']);
  });
});

describe('the page', () => {
  test('D1, D5: names the client as unverified, and the host where the answer goes', async () => {
    const { answer, page } = await atConsent();
    expect(answer.status).toBe(200);
    expect(page).toContain('<bdi>Desk Agent</bdi>');
    expect(page).toContain('no one has checked it');
    expect(page).toContain('<strong class="host">app.example</strong>');
    expect(page).toContain(REDIRECT);
    expect(page).toContain(wallet.address.toLowerCase());
    expect(page).toContain(
      'Use the tools of the protected MCP endpoint, read your reports, see, pause and delete your monitors, and manage your hosts <code>audit:run</code>',
    );
    expect(page).not.toContain('role="alert"');
  });

  test('D6: warns when the answer goes to a program on this computer', async () => {
    const redirect_uri = 'http://127.0.0.1:51999/callback';
    const { page } = await atConsent({ redirect_uri }, { redirect_uris: ['http://127.0.0.1/callback'] });
    expect(page).toContain('<p class="warning" role="alert">');
    expect(page).toContain('<strong class="host">127.0.0.1:51999</strong>');
  });

  test('D4: every authorization asks again, the same client and person too', async () => {
    const { browser, clientId, page } = await atConsent();
    await browser.form('/authorize', consentForm(page, 'allow'));
    const again = await browser.get(authorizePath(clientId));
    expect([again.status, again.headers.get('location')]).toEqual([200, null]);
    expect(await again.text()).toContain('asks for access');
  });

  test('D1: a client that just registered sees nothing of an earlier consent', async () => {
    const { browser, page } = await atConsent();
    await browser.form('/authorize', consentForm(page, 'allow'));
    const other = await registered({ client_name: 'Stranger', redirect_uris: ['https://stranger.example/cb'] });
    const answer = await browser.get(authorizePath(other, { redirect_uri: 'https://stranger.example/cb' }));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<bdi>Stranger</bdi>');
  });

  test('A13, T9, N7: loads nothing from elsewhere, is framed by no one, and its form may lead to the client only', async () => {
    const { answer, page } = await atConsent({}, { logo_uri: 'https://tracker.example/logo.png' });
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https://app.example; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(page).not.toMatch(/tracker\.example|<img(?! src="\/web\/icon.svg")|<script/);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    ['http://127.0.0.1:51999/callback', 'http://127.0.0.1:51999'],
    ['http://[::1]:51999/callback', 'http:'],
    ['https://a;sandbox.example/callback', ''],
  ])('N7: with the redirect URI %s its form may lead to %j as well', async (redirect_uri, source) => {
    const { answer } = await atConsent({ redirect_uri }, { redirect_uris: [redirect_uri] });
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(/form-action ([^;]*);/.exec(policy)?.[1]).toBe(`'self' ${source}`.trim());
    expect(policy).not.toContain('sandbox');
  });

  test.each([
    ['an element', '<script>alert(1)</script>', '&lt;script&gt;'],
    ['a quote', '" onmouseover="alert(1)', '&quot; onmouseover=&quot;'],
    ['markup that closes ours', '</bdi></p><form action=//evil.example>', '&lt;/bdi&gt;'],
  ])('N6: a client name with %s is text', async (_name, clientName, shown) => {
    const { page } = await atConsent({}, { client_name: clientName });
    expect(page).toContain(shown);
    expect(page).not.toContain(clientName);
  });

  test('N6: state is not shown, and comes back to the letter', async () => {
    const state = '"><script>alert(1)</script>';
    const { browser, page } = await atConsent({ state });
    expect(page).not.toContain('alert(1)');
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow')));
    expect(back.searchParams.get('state')).toBe(state);
  });

  test('A5: offers a limit of 5 US dollars a day when credits may be spent, and only then', async () => {
    const { page } = await atConsent();
    expect(page).toMatch(/name="cap_usd"[^>]* min="0" max="1000" step="0.01" value="5" required/);
    expect((await atConsent({ scope: 'audit:run' })).page).not.toContain('cap_usd');
  });

  test.each([
    ['0', 0],
    ['0.01', 10_000],
    ['1000', 1_000_000_000],
  ])('A5: takes a limit of %s US dollars', async (cap, micro) => {
    const { browser, clientId, page } = await atConsent();
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow', { cap_usd: cap })));
    const { access_token } = await redeem(back.searchParams.get('code') ?? '', clientId);
    expect((await store().validate(access_token, RESOURCE))?.props.capMicroUsdc).toBe(micro);
  });

  test.each(['', '-1', '1000.01', '1001', '5.001', '1e3', 'many', '0x5', ' 5'])(
    'A5: a limit of %j is refused, and the form can be sent again',
    async (cap) => {
      const { browser, page } = await atConsent();
      expect((await browser.form('/authorize', consentForm(page, 'allow', { cap_usd: cap }))).status).toBe(422);
      expect((await browser.form('/authorize', consentForm(page, 'allow'))).status).toBe(302);
    },
  );
});

describe('redirects', () => {
  test.each([
    ['O1: another host', 'https://evil.example/callback'],
    ['O2: a user name', 'https://app.example@evil.example/callback'],
    ['O3: a fragment', `${REDIRECT}#code`],
    ['O4: a query as well', `${REDIRECT}?next=1`],
    ['O5: dots in the path', 'https://app.example/x/../callback'],
    ['O1: a host that ends alike', 'https://app.example.evil.example/callback'],
    ['O1: a sub-host', 'https://www.app.example/callback'],
    ['O1: http', 'http://app.example/callback'],
    ['O1: a port', 'https://app.example:8443/callback'],
    ['O1: a deeper path', `${REDIRECT}/more`],
    ['O9: a scheme of an app', 'com.example.app:/callback'],
    ['O1: a script', 'javascript:alert(1)'],
  ])('%s is answered by a page, never by a redirect', async (_name, redirect_uri) => {
    const { answer } = await atConsent({ redirect_uri });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  test('O9: a scheme of an app that the client has registered is not used either', async () => {
    const redirect_uris = [REDIRECT, 'com.example.app:/callback'];
    const { answer } = await atConsent({ redirect_uri: 'com.example.app:/callback' }, { redirect_uris });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  test('O6: a parameter given twice is answered by a page', async () => {
    const clientId = await registered();
    const path = `${authorizePath(clientId)}&redirect_uri=${encodeURIComponent(REDIRECT)}`;
    const answer = await person().get(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  test.each([
    ['an unknown client', authorizePath('nobody')],
    ['no client', authorizePath('x', { client_id: undefined })],
    ['no redirect URI', authorizePath('x', { redirect_uri: undefined })],
    ['no parameter', '/authorize'],
    ['an unknown client and a bad response type', authorizePath('nobody', { response_type: 'token' })],
  ])('O7: %s is answered by a page, signed in or not', async (_name, path) => {
    const browser = person();
    for (const turn of [1, 2]) {
      const answer = await browser.get(path);
      expect([turn, answer.status, answer.headers.get('location')]).toEqual([turn, 400, null]);
      expect(await answer.text()).toContain('<html lang="en">');
      await signInPayer(browser);
    }
  });

  test.each([
    ['http://127.0.0.1:1/callback', 303],
    ['http://127.0.0.1:65535/callback', 303],
    ['http://127.0.0.1/callback', 303],
    ['http://localhost:1/callback', 400],
    ['http://127.0.0.2:1/callback', 400],
    ['http://[::1]:1/callback', 400],
    ['http://127.0.0.1:1/other', 400],
    ['https://127.0.0.1:1/callback', 400],
  ])('O8: on loopback the port is free and nothing else: %s', async (redirect_uri, status) => {
    const clientId = await registered({ redirect_uris: ['http://127.0.0.1:8000/callback'] });
    expect((await person().get(authorizePath(clientId, { redirect_uri }))).status).toBe(status);
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['an unknown resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['no resource', { resource: undefined }, 'invalid_target'],
    ['an unknown scope', { scope: 'audit:run root' }, 'invalid_scope'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
  ])(
    'M1, O7: %s is reported to a good client with state and iss, by redirect of a browser that is signed in and by a page to others',
    async (_name, changes, error) => {
      const browser = person();
      const path = authorizePath(await registered(), changes);
      const before = await browser.get(path);
      expect([before.status, before.headers.get('location')]).toEqual([400, null]);
      expect(await before.text()).toContain(error);
      await signInPayer(browser);
      const answer = await browser.get(path);
      expect(answer.status).toBe(302);
      const back = locationOf(answer);
      expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, state: 'state-1', iss: BASE });
      expect(back.searchParams.get('code')).toBeNull();
    },
  );
});

test('O7: a client that the operator made is told about its error through any browser', async () => {
  const operator = person();
  const clientId = await operatorClient(operator, (await signInOperator(operator)).csrf);
  for (const [changes, error] of [
    [{ scope: 'nonsense' }, 'invalid_scope'],
    [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ] as const) {
    const answer = await person().get(authorizePath(clientId, changes));
    expect(answer.status).toBe(302);
    expect(Object.fromEntries(locationOf(answer).searchParams)).toMatchObject({ error, state: 'state-1', iss: BASE });
  }
});

test.each([
  'http://127.1:51999/callback',
  'http://１２７.0.0.1:51999/callback',
  ' http://127.0.0.1:51999/callback',
  'http://127.0.0.1:51999/./callback',
  'HTTP://127.0.0.1:51999/callback',
])('B11.5: %j is not the registered redirect URI, before and after the sign-in', async (redirect_uri) => {
  const browser = person();
  const clientId = await registered({ redirect_uris: ['http://127.0.0.1:51999/callback'] });
  expect((await browser.get(authorizePath(clientId, { redirect_uri }))).status).toBe(400);
  await signInPayer(browser);
  for (const changes of [{ redirect_uri }, { redirect_uri, scope: 'nonsense' }]) {
    const answer = await browser.get(authorizePath(clientId, changes));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  }
});

describe('B6: before the first consent', () => {
  const count = (prefix: string): Promise<number> =>
    runInDurableObject(store(), (_object, state) => createSqlRows(state.storage.sql, Date.now).count(prefix));

  test('a registered client is no row, on its consent page neither; with the consent it is one', async () => {
    const { browser, page } = await atConsent();
    expect(await count('kv:client:')).toBe(0);
    expect((await browser.form('/authorize', consentForm(page, 'deny'))).status).toBe(302);
    expect(await count('kv:client:')).toBe(0);
    const other = await atConsent();
    await other.browser.form('/authorize', consentForm(other.page, 'allow'));
    expect(await count('kv:client:')).toBe(1);
  });

  test('a browser that has not signed in makes no row, whatever it asks for', async () => {
    const clientId = await registered();
    const before = await count('');
    for (let n = 0; n < 20; n += 1) {
      const browser = person();
      await browser.get(authorizePath(clientId));
      await browser.json('/signin/siwe/nonce', {});
      await registered({ client_name: `Desk ${n}` });
    }
    expect(await count('')).toBe(before);
  });

  test('an account consents to 20 new clients an hour, and to known ones after that', async () => {
    const browser = person();
    await signInPayer(browser);
    const consent = async (clientId: string): Promise<Response> => {
      const page = await (await browser.get(authorizePath(clientId))).text();
      return browser.form('/authorize', consentForm(page, 'allow'));
    };
    const known = await registered();
    for (let n = 0; n < 20; n += 1)
      expect((await consent(n === 0 ? known : await registered({ client_name: `Desk ${n}` }))).status).toBe(302);
    const refused = await consent(await registered({ client_name: 'One more' }));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await consent(known)).status).toBe(302);
  });
});

describe('the posted consent', () => {
  test('of a client that was deleted after its page is refused', async () => {
    const clientId = 'oldClientId12345';
    await runInDurableObject(store(), (_object, state) => {
      const client = { clientId, redirectUris: [REDIRECT], responseTypes: ['code'], tokenEndpointAuthMethod: 'none' };
      createSqlRows(state.storage.sql, Date.now).put(`kv:client:${clientId}`, { value: JSON.stringify(client) });
    });
    const browser = person();
    await signInPayer(browser);
    const page = await (await browser.get(authorizePath(clientId))).text();
    await runInDurableObject(store(), (_object, state) => {
      state.storage.sql.exec('DELETE FROM rows WHERE key = ?', `kv:client:${clientId}`);
    });
    const answer = await browser.form('/authorize', consentForm(page, 'allow'));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.text()).toContain('no longer registered');
    expect(await grantRows()).toBe(0);
  });

  test('N1: from a page of another site it is refused, with everything right, and hands out no cookie', async () => {
    const { browser, page } = await atConsent();
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const answer = await browser.form('/authorize', consentForm(page, 'allow'), { headers });
    expect([answer.status, answer.headers.get('location'), answer.headers.getSetCookie()]).toEqual([403, null, []]);
    const bare = await person().form('/authorize', {}, { headers });
    expect([bare.status, bare.headers.getSetCookie()]).toEqual([403, []]);
    expect(await grantRows()).toBe(0);
  });

  test('N8: a GET with everything the form has grants nothing', async () => {
    const { browser, clientId, page } = await atConsent();
    const fields = consentForm(page, 'allow').filter(([name]) => name !== 'scope');
    const answer = await browser.get(`${authorizePath(clientId)}&${new URLSearchParams(fields)}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(await grantRows()).toBe(0);
  });

  test('N1: without cookies it is refused', async () => {
    const { page } = await atConsent();
    const answer = await person().form('/authorize', consentForm(page, 'allow'));
    expect([answer.status, answer.headers.get('location')]).toEqual([403, null]);
    expect(await grantRows()).toBe(0);
  });

  test('N1: with the session but without the cookie of its page it is refused', async () => {
    const { browser, page } = await atConsent();
    for (const name of browser.cookies.keys()) if (name.includes('oauth')) browser.cookies.delete(name);
    const answer = await browser.form('/authorize', consentForm(page, 'allow'));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await grantRows()).toBe(0);
  });

  test("N2: with another browser's handle it is refused", async () => {
    const [mine, theirs] = [await atConsent(), await atConsent()];
    const fields = consentForm(mine.page, 'allow', { handle: field(theirs.page, 'handle') });
    const answer = await mine.browser.form('/authorize', fields);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await grantRows()).toBe(0);
  });

  test("N2: with another session's form token it is refused", async () => {
    const [mine, theirs] = [await atConsent(), await atConsent()];
    const fields = consentForm(mine.page, 'allow', { csrf: field(theirs.page, 'csrf') });
    expect((await mine.browser.form('/authorize', fields)).status).toBe(403);
  });

  test.each(['allow', 'deny'] as const)('N3: its handle works once, after %s too', async (first) => {
    const { browser, page } = await atConsent();
    const cookies = new Map(browser.cookies);
    expect((await browser.form('/authorize', consentForm(page, first))).status).toBe(302);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const again = await browser.form('/authorize', consentForm(page, 'allow'));
    expect([again.status, again.headers.get('location')]).toEqual([400, null]);
    expect(await grantRows()).toBe(first === 'allow' ? 1 : 0);
  });

  test('N4: eight at once grant once', async () => {
    const { browser, page } = await atConsent();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => person().form('/authorize', consentForm(page, 'allow'), { headers: { cookie } })),
    );
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      302, 400, 400, 400, 400, 400, 400, 400,
    ]);
    expect(await grantRows()).toBe(1);
  });

  test('N5: a scope that was not asked for is not granted', async () => {
    const { browser, clientId, page } = await atConsent({ scope: 'audit:run' });
    const fields: [string, string][] = [...consentForm(page, 'allow'), ['scope', 'credits:use'], ['scope', 'operator']];
    const back = locationOf(await browser.form('/authorize', fields));
    const { access_token } = await redeem(back.searchParams.get('code') ?? '', clientId);
    expect((await store().validate(access_token, RESOURCE))?.scope).toEqual(['audit:run']);
  });

  test('N1: it is refused after the sign-out', async () => {
    const { browser, page } = await atConsent();
    await browser.form('/signout', { csrf: field(page, 'csrf') });
    const answer = await browser.form('/authorize', consentForm(page, 'allow'));
    expect(answer.status).toBe(403);
    expect(await grantRows()).toBe(0);
  });

  test('N1: of who signed in as somebody else meanwhile it is refused', async () => {
    const { browser, page } = await atConsent();
    await signInOperator(browser);
    expect((await browser.form('/authorize', consentForm(page, 'allow'))).status).toBe(403);
    expect(await grantRows()).toBe(0);
  });
});

describe('operator scopes', () => {
  const scope = 'audit:run operator channels:read';
  const scopesOn = (page: string) => [...page.matchAll(/name="scope" value="([^"]*)"/g)].map(([, one]) => one);

  test('A1: an open client gets payer scopes only, from the operator too', async () => {
    const browser = person();
    await signInOperator(browser);
    const page = flat(await (await browser.get(authorizePath(await registered(), { scope }))).text());
    expect(scopesOn(page)).toEqual(['audit:run']);
    expect(page).toContain(
      'It also asked for what it cannot get here: <code>operator</code>, <code>channels:read</code>',
    );
  });

  test('A1: a payer who is asked for operator scopes alone is told nothing can be granted', async () => {
    const { answer } = await atConsent({ scope: 'operator' });
    expect(locationOf(answer).searchParams.get('error')).toBe('access_denied');
  });

  test('A1: a client that the operator made gets them from a fresh sign-in of the operator', async () => {
    const browser = person();
    const { csrf } = await signInOperator(browser);
    const clientId = await operatorClient(browser, csrf);
    const page = await (await browser.get(authorizePath(clientId, { scope }))).text();
    expect(scopesOn(page)).toEqual(['audit:run', 'operator', 'channels:read']);
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow')));
    const { access_token } = await redeem(back.searchParams.get('code') ?? '', clientId);
    expect(await store().validate(access_token, RESOURCE)).toMatchObject({
      scope: ['audit:run', 'operator', 'channels:read'],
      props: { kind: 'operator' },
    });
  });

  test('the bare name of a vendor scope is asked, granted and answered as its full URL', async () => {
    const full = 'https://www.googleapis.com/auth/admin.directory.user';
    const browser = person();
    const clientId = await operatorClient(browser, (await signInOperator(browser)).csrf);
    const asked = { scope: `audit:run admin.directory.user ${full}` };
    const page = await (await browser.get(authorizePath(clientId, asked))).text();
    expect(scopesOn(page)).toEqual(['audit:run', full]);
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow')));
    const { access_token } = await redeem(back.searchParams.get('code') ?? '', clientId);
    expect(await store().validate(access_token, RESOURCE)).toMatchObject({ scope: ['audit:run', full] });
    const unheard = await browser.get(authorizePath(clientId, { scope: 'admin.directory.unheard' }));
    expect(locationOf(unheard).searchParams.get('error')).toBe('invalid_scope');
  });

  test('A4: another operator secret ends the session of the operator and the tokens it granted, and no others', async () => {
    const browser = person();
    const clientId = await operatorClient(browser, (await signInOperator(browser)).csrf);
    const page = await (await browser.get(authorizePath(clientId, { scope }))).text();
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow')));
    const operators = await redeem(back.searchParams.get('code') ?? '', clientId);
    const payer = await atConsent();
    const own = locationOf(await payer.browser.form('/authorize', consentForm(payer.page, 'allow')));
    const payers = await redeem(own.searchParams.get('code') ?? '', payer.clientId);
    expect(await store().validate(operators.access_token, RESOURCE)).not.toBeNull();
    expect((await browser.get('/account')).status).toBe(200);
    await beginEpoch('another');
    expect(await store().validate(operators.access_token, RESOURCE)).toBeNull();
    expect(await grantRows()).toBe(1);
    expect((await browser.get('/account')).status).toBe(303);
    expect(await store().validate(payers.access_token, RESOURCE)).not.toBeNull();
    expect((await payer.browser.get('/account')).status).toBe(200);
  });

  test('A4: while no secret is in force nothing can be granted to the account of the operator', async () => {
    const browser = person();
    const clientId = await operatorClient(browser, (await signInOperator(browser)).csrf);
    const page = await (await browser.get(authorizePath(clientId, { scope }))).text();
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow')));
    await runInDurableObject(store(), (_object, state) => {
      state.storage.sql.exec("DELETE FROM rows WHERE key = 'own:operator-epoch'");
    });
    await expect(redeem(back.searchParams.get('code') ?? '', clientId)).rejects.toThrow('invalid_grant');
  });

  /** Has the store live under another secret, as its constructor does after a deployment. */
  const beginEpoch = (name: string): Promise<void> =>
    runInDurableObject(store(), async (_object, state) => {
      const rows = createSqlRows(state.storage.sql, Date.now);
      const tools = { rows, now: Date.now, random: (bytes: number) => '0'.repeat(bytes * 2) };
      const provider = createProvider({
        issuer: BASE,
        resources: [RESOURCE],
        tools,
        grantable: () => [],
        onRefusal: () => undefined,
      });
      const clients = createClientDirectory(tools);
      const people = createPeopleStore({
        tools,
        accounts: createAccounts(tools),
        provider,
        clients,
        lent: createLentClients(),
        issuer: BASE,
        grantable: () => [],
      });
      await people.adoptOperatorEpoch(await computeSecretEpoch(`${name}-`.repeat(11)));
    });

  test('A1: a payer cannot give them to a client that the operator made', async () => {
    const operator = person();
    const clientId = await operatorClient(operator, (await signInOperator(operator)).csrf);
    const browser = person();
    await signInPayer(browser);
    expect(scopesOn(await (await browser.get(authorizePath(clientId, { scope }))).text())).toEqual(['audit:run']);
    const answer = await browser.get(authorizePath(clientId, { scope: 'operator' }));
    expect(answer.status).toBe(303);
    const { pathname, searchParams } = locationOf(answer);
    expect([pathname, searchParams.get('why')]).toEqual(['/console/', 'operator']);
    expect(await (await browser.get(`${pathname}?${searchParams}`)).text()).toContain(
      'Only an operator of this service',
    );
  });

  test('A1: a sign-in of five minutes ago must be renewed, before the page and before the decision', async () => {
    const browser = person();
    const clientId = await operatorClient(browser, (await signInOperator(browser)).csrf);
    const page = await (await browser.get(authorizePath(clientId, { scope }))).text();
    await ageSessions(300_000);
    const decided = locationOf(await browser.form('/authorize', consentForm(page, 'allow')));
    expect([decided.pathname, decided.searchParams.get('why')]).toEqual(['/console/', 'stale']);
    const again = decided.searchParams.get('return_to') ?? '';
    expect(Object.fromEntries(new URL(again, BASE).searchParams)).toEqual(
      Object.fromEntries(new URL(authorizePath(clientId, { scope }), BASE).searchParams),
    );
    expect(locationOf(await browser.get(again)).searchParams.get('why')).toBe('stale');
    expect(await grantRows()).toBe(0);
    await signInOperator(browser);
    expect((await browser.get(again)).status).toBe(200);
  });

  /** Moves the sign-ins of all sessions into the past. */
  const ageSessions = (ms: number): Promise<void> =>
    runInDurableObject(store(), (_object, state) => {
      state.storage.sql.exec(
        "UPDATE rows SET value = json_set(value, '$.signedInAtMs', json_extract(value, '$.signedInAtMs') - ?) WHERE key LIKE 'own:session:%'",
        ms,
      );
    });
});

describe('a client with a metadata document', () => {
  const clientId = 'https://app.example/client.json';
  const document = (changes: Record<string, unknown> = {}) =>
    Response.json({
      client_id: clientId,
      client_name: 'Sightline Official',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      ...changes,
    });

  test('D5: is shown with the domain that publishes it, and fetched before the page only', async () => {
    seen.site = () => document();
    const browser = person();
    await signInPayer(browser);
    const page = await (await browser.get(authorizePath(clientId))).text();
    expect(page).toContain('<p class="published">Published by <strong class="host">app.example</strong></p>');
    expect(page).toContain('<bdi>Sightline Official</bdi>');
    expect(seen.calls.site).toEqual([clientId]);
    expect((await browser.form('/authorize', consentForm(page, 'allow'))).status).toBe(302);
    expect(seen.calls.site).toEqual([clientId]);
  });

  test.each<[string, () => Response]>([
    ['redirects', () => new Response(null, { status: 302, headers: { location: 'https://evil.example/client.json' } })],
    ['names another client', () => document({ client_id: 'https://evil.example/client.json' })],
    ['is HTML', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
    ['is missing', () => new Response('no', { status: 404 })],
  ])('D5, O7: whose document %s is answered by a page', async (_name, make) => {
    seen.site = make;
    const answer = await person().get(authorizePath(clientId));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(seen.calls.site).toEqual([clientId]);
  });

  test('O1: does not get a redirect URI that its document lacks', async () => {
    seen.site = () => document({ redirect_uris: ['https://app.example/other'] });
    const answer = await person().get(authorizePath(clientId));
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });
});

test('a consent whose store of tokens does not answer gives no code and no access, and can be given again', async () => {
  const { browser, page, clientId } = await atConsent();
  const adopt = vi.spyOn(AuthorizationStore.prototype, 'adoptGrant').mockRejectedValue(new Error('the shard is down'));
  const answer = await browser.form('/authorize', consentForm(page, 'allow'));
  expect(adopt).toHaveBeenCalledTimes(1);
  expect([answer.status, answer.headers.get('location')]).toEqual([503, null]);
  expect(flat(await answer.text())).toContain('The app was given no access');
  expect(await (await browser.get('/account')).text()).toContain('No app has access');
  adopt.mockRestore();
  const again = flat(await (await browser.get(authorizePath(clientId))).text());
  const back = locationOf(await browser.form('/authorize', consentForm(again, 'allow')));
  expect(await redeem(back.searchParams.get('code') ?? '', clientId)).toMatchObject({ scope: expect.any(String) });
});

describe('the account page', () => {
  test('lists the clients with access, and takes it back', async () => {
    const { browser, clientId, page } = await atConsent({}, { client_name: 'Desk <b>Agent</b>' });
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow', { cap_usd: '7' })));
    const { access_token } = await redeem(back.searchParams.get('code') ?? '', clientId);
    const account = await (await browser.get('/account/access')).text();
    expect(account).toContain('<bdi>Desk &lt;b&gt;Agent&lt;/b&gt;</bdi>');
    expect(account).toContain('At most $7.00 of credits in 24 hours');
    expect(await (await browser.get('/account')).text()).toContain('<strong>$0.00</strong>');
    const fields = { csrf: field(account, 'csrf'), grant_id: field(account, 'grant_id') };
    expect((await browser.form('/account/revoke', fields)).headers.get('location')).toBe(
      '/account/access?done=revoked',
    );
    expect(await store().validate(access_token, RESOURCE)).toBeNull();
    expect(await (await browser.get('/account')).text()).toContain('No app has access');
  });

  test('says 503 revocation_unfinished when the store of the tokens does not answer: they refresh no more, and end when it does', async () => {
    const { browser, clientId, page } = await atConsent();
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow')));
    const { access_token, refresh_token } = await redeem(back.searchParams.get('code') ?? '', clientId);
    const account = await (await browser.get('/account/access')).text();
    const fields = { csrf: field(account, 'csrf'), grant_id: field(account, 'grant_id') };
    const heed = vi.spyOn(AuthorizationStore.prototype, 'heed').mockRejectedValue(new Error('the shard is down'));
    const asPage = await browser.form('/account/revoke', fields);
    expect(heed).toHaveBeenCalled();
    expect([asPage.status, flat(await asPage.text())]).toEqual([
      503,
      expect.stringContaining('not every part of the service has heard of it yet'),
    ]);
    expect(await (await browser.get('/account')).text()).toContain('No app has access');
    expect(await store().validate(access_token, RESOURCE)).not.toBeNull();
    const refreshed = await store().token({
      contentType: 'application/x-www-form-urlencoded',
      authorization: null,
      body: String(new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id: clientId })),
    });
    expect(refreshed).toMatchObject({ status: 400 });
    heed.mockRestore();
    await runDurableObjectAlarm(store());
    expect(await store().validate(access_token, RESOURCE)).toBeNull();
  });

  test("N2: no one takes back another person's client", async () => {
    const { browser, clientId, page } = await atConsent();
    const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow')));
    const { access_token } = await redeem(back.searchParams.get('code') ?? '', clientId);
    const grantId = field(await (await browser.get('/account/access')).text(), 'grant_id');
    const other = person();
    const { csrf } = await signInOperator(other);
    expect((await other.form('/account/revoke', { csrf, grant_id: grantId })).status).toBe(404);
    expect((await browser.form('/account/revoke', { csrf, grant_id: grantId })).status).toBe(403);
    expect(await store().validate(access_token, RESOURCE)).not.toBeNull();
  });

  test('needs a sign-in, and comes back after it', async () => {
    const answer = await person().get('/account');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/signin?return_to=%2Faccount&why=account']);
    const browser = person();
    const csrf = await browser.csrf();
    expect((await browser.form('/account/revoke', { csrf, grant_id: 'x' })).status).toBe(303);
    const asJson = await browser.json('/account/revoke', { csrf, grant_id: 'x' });
    expect([asJson.status, ((await asJson.json()) as { code: string }).code]).toEqual([401, 'sign_in_needed']);
  });
});
