import { env, exports } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { privateKeyToAccount } from 'viem/accounts';
import { serializeErc6492Signature } from 'viem/utils';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import { BASE, field, flat, nonceFor, person, signInOperator, signInPayer, siweMessage, wallet } from './person.ts';
import { emptyChain, type World, world } from '../world.ts';

const COOKIE = '__Host-sightline-session';
let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const refusalOf = async (answer: Response): Promise<{ status: number; reason: string }> => {
  const { detail } = (await answer.json()) as { detail?: string };
  return { status: answer.status, reason: (detail ?? '').split(':')[0] ?? '' };
};

const sessionRows = (): Promise<{ key: string; value: string }[]> =>
  runInDurableObject(env.AUTHORIZATION_STORE.getByName('authorization'), (_object, state) =>
    state.storage.sql
      .exec<{ key: string; value: string }>("SELECT key, value FROM rows WHERE key LIKE 'own:session:%'")
      .toArray(),
  );

test('F3: no demo buyer and no file of the local stack is offered where there is none', async () => {
  const page = await (await person().get('/signin')).text();
  expect(page).toContain('wallet-button');
  for (const part of ['demo-button', 'demo buyer', 'stack.json']) expect(page).not.toContain(part);
});

test('a person who opens the account page unsigned reads why they are asked to sign in', async () => {
  const { headers } = await person().get('/account');
  const page = await (await person().get(headers.get('location') ?? '')).text();
  expect(page).toContain('Sign in to see your account');
  expect(page).toContain('What an account is for');
  expect(page).toContain('You need none to audit a site or to buy');
});

describe('a wallet', () => {
  test('A3: signs in by a nonce, a message and a signature; the account is named by random bits', async () => {
    const browser = person();
    const who = await signInPayer(browser);
    expect(who).toMatchObject({ ok: true, kind: 'payer', address: wallet.address.toLowerCase() });
    expect(who.account).toMatch(/^[0-9a-f]{32}$/);
    expect((await signInPayer(person())).account).toBe(who.account);
    const page = await (await browser.get('/account')).text();
    expect(page).toContain(wallet.address.toLowerCase());
    expect(seen.calls.rpc).toEqual([]);
  });

  test('A3: the session id is renewed at sign-in, and the old one opens nothing', async () => {
    const browser = person();
    await browser.get('/signin');
    const before = browser.cookies.get(COOKIE) ?? '';
    await signInPayer(browser);
    expect(browser.cookies.get(COOKIE)).toMatch(/^[0-9a-f]{64}$/);
    expect(browser.cookies.get(COOKIE)).not.toBe(before);
    const fixed = person();
    fixed.cookies.set(COOKIE, before);
    expect((await fixed.get('/account')).status).toBe(303);
    fixed.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '');
    await signInPayer(browser);
    expect((await browser.get('/account')).status).toBe(200);
    expect((await fixed.get('/account')).status).toBe(303);
  });

  test('A3: the store keeps the hash of the session, not the session', async () => {
    const browser = person();
    await signInPayer(browser);
    const value = browser.cookies.get(COOKIE) ?? 'none';
    const rows = await sessionRows();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(value);
  });

  test('A3: a nonce works once', async () => {
    const browser = person();
    const message = siweMessage(await nonceFor(browser));
    const signature = await wallet.signMessage({ message });
    const thief = person();
    thief.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '');
    expect((await browser.json('/signin/siwe', { message, signature })).status).toBe(200);
    expect(await refusalOf(await thief.json('/signin/siwe', { message, signature }))).toEqual({
      status: 403,
      reason: 'nonce_not_yours',
    });
  });

  test('A3: a nonce of another browser is refused', async () => {
    const message = siweMessage(await nonceFor(person()));
    const signature = await wallet.signMessage({ message });
    const answer = await person().json('/signin/siwe', { message, signature });
    expect(await refusalOf(answer)).toEqual({ status: 403, reason: 'nonce_not_yours' });
    expect(await sessionRows()).toEqual([]);
  });

  test('A3: eight sign-ins with one message at once: one succeeds', async () => {
    const browser = person();
    const message = siweMessage(await nonceFor(browser));
    const signature = await wallet.signMessage({ message });
    const cookie = `${COOKIE}=${browser.cookies.get(COOKIE)}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => person().json('/signin/siwe', { message, signature }, { headers: { cookie } })),
    );
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      200, 403, 403, 403, 403, 403, 403, 403,
    ]);
  });

  test('A3: a nonce is used up by a signature that is refused', async () => {
    const browser = person();
    const message = siweMessage(await nonceFor(browser));
    expect(await refusalOf(await browser.json('/signin/siwe', { message, signature: '0xabcd00' }))).toEqual({
      status: 403,
      reason: 'bad_signature',
    });
    const signature = await wallet.signMessage({ message });
    expect(await refusalOf(await browser.json('/signin/siwe', { message, signature }))).toEqual({
      status: 403,
      reason: 'nonce_not_yours',
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['another domain', { domain: 'evil.example' }, 'wrong_domain'],
    ['another URI', { uri: 'https://evil.example/signin' }, 'wrong_uri'],
    ['another chain', { chainId: 1 }, 'wrong_chain'],
    ['another statement', { statement: 'I agree.' }, 'wrong_statement'],
    ['an old time', { issuedAt: new Date(Date.now() - 600_000) }, 'too_old'],
    ['a time to come', { issuedAt: new Date(Date.now() + 600_000) }, 'in_the_future'],
  ])('A3: a message with %s is refused', async (_name, changes, reason) => {
    const browser = person();
    const message = siweMessage(await nonceFor(browser), changes);
    const answer = await browser.json('/signin/siwe', { message, signature: await wallet.signMessage({ message }) });
    expect(await refusalOf(answer)).toEqual({ status: 403, reason });
  });

  test("A3: another key's signature is refused, and so is ERC-6492", async () => {
    const browser = person();
    const message = siweMessage(await nonceFor(browser));
    const signature = await privateKeyToAccount(`0x${'e7'.repeat(32)}`).signMessage({ message });
    expect(await refusalOf(await browser.json('/signin/siwe', { message, signature }))).toEqual({
      status: 403,
      reason: 'bad_signature',
    });
    const second = siweMessage(await nonceFor(browser));
    const inner = await wallet.signMessage({ message: second });
    const wrapped = serializeErc6492Signature({ address: wallet.address, data: '0x12', signature: inner });
    seen.calls.rpc.length = 0;
    expect(await refusalOf(await browser.json('/signin/siwe', { message: second, signature: wrapped }))).toEqual({
      status: 403,
      reason: 'erc6492_refused',
    });
    expect(seen.calls.rpc).toEqual([]);
  });

  const contractSignIn = async (browser = person()): Promise<Response> => {
    const message = siweMessage(await nonceFor(browser), { address: '0x00000000000000000000000000000000000C0DE5' });
    return browser.json('/signin/siwe', { message, signature: '0x1234' });
  };
  const contract = (answer: string) => (method: string, params: readonly unknown[]) => {
    if (method === 'eth_getCode') return '0x6000';
    return method === 'eth_call' ? answer : emptyChain(method, params);
  };

  test.each([
    ['accepts', `0x1626ba7e${'0'.repeat(56)}`, 200],
    ['refuses', `0x${'f'.repeat(64)}`, 403],
  ])('A3: a contract wallet that %s its signature (ERC-1271): %s', async (_name, answer, status) => {
    seen.rpc = contract(answer);
    expect((await contractSignIn()).status).toBe(status);
    expect(seen.calls.rpc).toContain('eth_call');
  });

  test('A3: contract wallets are asked ten times in five minutes for one caller', async () => {
    seen.rpc = contract(`0x${'f'.repeat(64)}`);
    const browser = person('203.0.113.77');
    for (let count = 0; count < 10; count += 1) expect((await contractSignIn(browser)).status).toBe(403);
    seen.calls.rpc.length = 0;
    const answer = await contractSignIn(browser);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(200);
    expect(seen.calls.rpc).toEqual([]);
  });

  test('signs in by hand: address, text and signature in three forms', async () => {
    const browser = person();
    const start = await (await browser.get('/signin?return_to=/account')).text();
    const shown = await browser.form('/signin/siwe/nonce', {
      csrf: field(start, 'csrf'),
      return_to: '/account',
      address: wallet.address.toLowerCase(),
    });
    const page = await shown.text();
    const message = /spellcheck="false">([^<]*)<\/textarea>/.exec(page)?.[1] ?? '';
    expect(message).toContain(wallet.address);
    const signed = await browser.form('/signin/siwe', {
      csrf: field(page, 'csrf'),
      return_to: field(page, 'return_to'),
      message: message.replaceAll('\n', '\r\n'),
      signature: await wallet.signMessage({ message }),
    });
    expect([signed.status, signed.headers.get('location')]).toEqual([303, '/account']);
    expect((await browser.get('/account')).status).toBe(200);
  });

  test('B6: twenty nonces and registrations are one call of the store: for its keys', async () => {
    const asked: string[] = [];
    const store = env.AUTHORIZATION_STORE.getByName('authorization');
    const getByName = () =>
      new Proxy(store, {
        get: (target, name) => {
          asked.push(String(name));
          return Reflect.get(target, name) as unknown;
        },
      });
    const app = createApp({ policy: () => ({}) as never, local: false, engines: { isLocal: false, factories: {} } });
    const AUTHORIZATION_STORE = { getByName };
    const post = (path: string, body: object) =>
      app.request(
        `${BASE}${path}`,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
        { ...env, AUTHORIZATION_STORE },
      );
    for (let n = 0; n < 10; n += 1) {
      expect((await post('/signin/siwe/nonce', {})).status).toBe(200);
      expect((await post('/oauth/register', { redirect_uris: ['https://app.example/cb'] })).status).toBe(201);
    }
    expect(asked).toEqual(['sealingKeys']);
  });

  test.each(['', '0x12', 'not an address'])('is asked for an address, and %j is none', async (address) => {
    const answer = await person().json('/signin/siwe/nonce', { address });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([422, 'invalid_address']);
  });
});

describe('the operator', () => {
  test('A4: signs in by the secret and gets a cookie, never a bearer token', async () => {
    const browser = person();
    const answer = await browser.json('/signin/operator', { secret: env.OPERATOR_SECRET });
    const body = (await answer.json()) as Record<string, unknown>;
    expect(Object.keys(body).toSorted()).toEqual(['account', 'csrf', 'expires_at', 'kind', 'ok']);
    expect(body['kind']).toBe('operator');
    const value = browser.cookies.get(COOKIE) ?? '';
    expect(JSON.stringify(body)).not.toContain(value);
    const asBearer = await person().get('/account', { headers: { authorization: `Bearer ${value}` } });
    expect(asBearer.status).toBe(303);
  });

  test('A4: five wrong secrets of a caller are answered 403, the sixth 429 with Retry-After, the right one too', async () => {
    const browser = person('203.0.113.5');
    for (let count = 0; count < 5; count += 1)
      expect((await browser.json('/signin/operator', { secret: 'wrong' })).status).toBe(403);
    for (const secret of ['wrong', env.OPERATOR_SECRET]) {
      const answer = await browser.json('/signin/operator', { secret });
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800);
    }
    expect(await signInOperator(person('203.0.113.6'))).toMatchObject({ kind: 'operator' });
  });

  test('A4: after twenty wrong secrets of strangers a wrong one waits, and the right one signs in', async () => {
    for (let count = 0; count < 20; count += 1)
      expect((await person().json('/signin/operator', { secret: 'wrong' })).status).toBe(403);
    const guess = await person().json('/signin/operator', { secret: 'wrong' });
    expect(guess.status).toBe(429);
    expect(Number(guess.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(await signInOperator(person())).toMatchObject({ kind: 'operator' });
  });

  test.each([
    ['unset', undefined],
    ['empty', ''],
    ['shorter than 32 bytes', 'a'.repeat(42)],
  ])('A4: with a secret that is %s there is no operator sign-in and no form for it', async (_name, secret) => {
    const app = createApp({ policy: () => ({}) as never, local: false, engines: { isLocal: false, factories: {} } });
    const bindings = { ...env, OPERATOR_SECRET: secret };
    const post = await app.request(
      `${BASE}/signin/operator`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ secret: secret ?? '' }),
      },
      bindings,
    );
    expect(post.status).toBe(404);
    const foreign = { method: 'POST', headers: { 'content-type': 'text/plain', origin: 'https://evil.example' } };
    for (const path of ['/signin/operator', '/operator/clients'])
      expect((await app.request(`${BASE}${path}`, foreign, bindings)).status).toBe(404);
    expect((await app.request(`${BASE}/console/`, {}, bindings)).status).toBe(404);
    expect((await app.request(`${BASE}/console`, {}, bindings)).status).toBe(404);
  });

  test('A4: the form for the secret is at the door of operators, and customers are not shown it', async () => {
    const door = await person().get('/console/?return_to=%2Fauthorize');
    expect([door.status, door.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await door.text()).toContain('action="/signin/operator"');
    const moved = await person().get('/console');
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/console/']);
    for (const path of ['/signin', '/'])
      expect(await (await person().get(path)).text()).not.toMatch(/operator secret|signin\/operator|href="\/console/i);
  });

  test('A4: a wrong secret is said at the door, which keeps where the person wanted to go', async () => {
    const browser = person();
    const fields = { csrf: await browser.csrf(), return_to: '/authorize?x=1', secret: 'wrong' };
    const answer = await browser.form('/signin/operator', fields);
    const page = await answer.text();
    expect([answer.status, field(page, 'return_to')]).toEqual([403, '/authorize?x=1']);
    expect(flat(page)).toContain('That is not the secret of an operator');
  });

  test('A4: the door leads straight to the console of this deployment, and says so where there is none', async () => {
    const app = createApp({ policy: () => ({}) as never, local: false, engines: { isLocal: false, factories: {} } });
    const at = async (CONTROL_URL: string | undefined, path = '/console/') =>
      app.request(`${BASE}${path}`, {}, { ...env, CONTROL_URL });
    const led = await at('https://control.example');
    expect([led.status, led.headers.get('location'), led.headers.get('cache-control')]).toEqual([
      303,
      'https://control.example/console/',
      'no-store',
    ]);
    // What an app asks an operator is decided here, so the form for it is here.
    for (const path of ['/console/?why=operator&return_to=%2Fauthorize%3Fx%3D1', '/console/?return_to=%2Fauthorize']) {
      const asked = await (await at('https://control.example', path)).text();
      expect(asked).toContain('action="/signin/operator"');
      expect(asked).toContain('href="https://control.example/console/"');
    }
    expect(await (await at(undefined)).text()).toContain('This deployment has no console');
  });

  test('A4: an operator who signed in for an app goes on there, and signs out at the door', async () => {
    const browser = person();
    const door = '/console/?return_to=%2Fauthorize%3Fx%3D1';
    const page = await (await browser.get(door)).text();
    const fields = { csrf: field(page, 'csrf'), return_to: field(page, 'return_to'), secret: env.OPERATOR_SECRET };
    expect((await browser.form('/signin/operator', fields)).headers.get('location')).toBe('/authorize?x=1');
    const inside = await (await browser.get(door)).text();
    expect(inside).toContain('You are signed in as an operator');
    expect(inside).not.toContain('name="secret"');
    const out = { csrf: field(inside, 'csrf'), return_to: field(inside, 'return_to') };
    expect((await browser.form('/signout', out)).status).toBe(303);
    expect(await (await browser.get(door)).text()).toContain('name="secret"');
  });

  test('A4: the secret goes to no log', async () => {
    await signInOperator(person());
    await person().json('/signin/operator', { secret: 'a-wrong-secret-of-somebody' });
    expect(seen.logs.length).toBeGreaterThan(0);
    expect(seen.logs.join('\n')).not.toMatch(/test-operator-secret|a-wrong-secret/);
  });
});

describe('forms and cookies', () => {
  test('A11: the cookie is bound to this host, to https and out of reach of scripts', async () => {
    const answer = await person().get('/signin');
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-sightline-session=[0-9a-f]{64};/);
    const flags = cookie.split('; ').slice(1).toSorted();
    expect(flags).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Lax', 'Secure']);
  });

  test.each([
    ['the local stack on loopback', true, 'http://127.0.0.1:8787', true],
    ['the local stack behind another name', true, 'http://sightline.test', false],
    ['the local stack on https', true, 'https://127.0.0.1:8787', false],
    ['production on loopback', false, 'http://127.0.0.1:8787', false],
    ['production', false, BASE, false],
  ])('A11: on %s the cookie goes without prefix and Secure: %s', async (_name, local, baseUrl, plain) => {
    const app = createApp({ policy: () => ({}) as never, local, engines: { isLocal: false, factories: {} } });
    const answer = await app.request(`${baseUrl}/signin`, {}, { ...env, BASE_URL: baseUrl });
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie.startsWith('sightline-session=')).toBe(plain);
    expect(cookie.includes('Secure')).toBe(!plain);
  });

  test.each(['/signin', '/account', '/account/credits', '/authorize', '/console/'])(
    'A11: %s lets no other site read it',
    async (path) => {
      const answer = await person().get(path, { headers: { origin: 'https://evil.example' } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      const preflight = await exports.default.fetch(
        new Request(`${BASE}${path}`, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } }),
      );
      expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['the origin of another site', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
    ['an old browser on another site', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
  ])('N1: a post from %s is refused, with the right token too', async (_name, headers) => {
    const browser = person();
    const csrf = await browser.csrf();
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const sent = { 'content-type': 'application/x-www-form-urlencoded', ...given };
    const answer = await exports.default.fetch(
      new Request(`${BASE}/signin/operator`, {
        method: 'POST',
        headers: { ...sent, cookie: `${COOKIE}=${browser.cookies.get(COOKIE)}` },
        body: `${new URLSearchParams({ csrf, secret: env.OPERATOR_SECRET })}`,
      }),
    );
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    ['no token', async () => ''],
    ['a token of another session', () => person().csrf()],
    ['the right length', async () => 'a'.repeat(64)],
  ])('N1: a form with %s is refused', async (_name, make) => {
    const browser = person();
    await browser.get('/signin');
    const answer = await browser.form('/signin/operator', { csrf: await make(), secret: env.OPERATOR_SECRET });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('open the page again');
  });

  test('N1: nobody is signed out without the token', async () => {
    const browser = person();
    const { csrf } = await signInPayer(browser);
    expect((await browser.json('/signout', {})).status).toBe(403);
    expect((await browser.get('/account')).status).toBe(200);
    expect((await browser.form('/signout', { csrf })).headers.get('location')).toBe('/signin');
    expect((await browser.get('/account')).status).toBe(303);
    expect(await sessionRows()).toEqual([]);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/account',
    '/\\evil.example',
    'javascript:alert(1)',
    '/account/../oauth/token',
    '/mcp',
    `/authorize?x=${'a'.repeat(9_000)}`,
  ])('O1: a sign-in does not lead to %s', async (returnTo) => {
    const browser = person();
    const page = await (await browser.get(`/signin?${new URLSearchParams({ return_to: returnTo })}`)).text();
    expect(field(page, 'return_to')).toBe('/account');
    const fields = { csrf: field(page, 'csrf'), return_to: returnTo, secret: env.OPERATOR_SECRET };
    expect((await browser.form('/signin/operator', fields)).headers.get('location')).toBe('/account');
  });

  test.each<[string, RequestInit, number]>([
    ['text', { headers: { 'content-type': 'text/plain' }, body: '{}' }, 415],
    ['broken JSON', { headers: { 'content-type': 'application/json' }, body: '{' }, 400],
    ['a JSON list', { headers: { 'content-type': 'application/json' }, body: '[]' }, 400],
    ['40 KB', { headers: { 'content-type': 'application/json' }, body: `"${'x'.repeat(40_000)}"` }, 413],
    ['a number as secret', { headers: { 'content-type': 'application/json' }, body: '{"secret":1}' }, 403],
  ])('a body of %s is refused', async (_name, init, status) => {
    const answer = await exports.default.fetch(new Request(`${BASE}/signin/operator`, { method: 'POST', ...init }));
    expect(answer.status).toBe(status);
  });
});

describe('the pages', () => {
  test('A13, T9, N7: load nothing from elsewhere, are framed by no one and hand no address on', async () => {
    const { headers } = await person().get('/signin');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['/web/site.css', 'text/css; charset=utf-8'],
    ['/signin/wallet.js', 'text/javascript; charset=utf-8'],
  ])('%s is served as %s', async (path, type) => {
    const answer = await person().get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect((await answer.text()).length).toBeGreaterThan(500);
  });

  test('have a language, a title, one heading and a label for each field', async () => {
    const page = await (await person().get('/signin')).text();
    expect(page).toContain('<html lang="en">');
    expect(page).toContain('<title>Sign in · Sightline</title>');
    expect(page.match(/<h1>/g)).toHaveLength(1);
    const inputs = [...page.matchAll(/<(?:input|textarea)(?![^>]*type="hidden")[^>]* id="([^"]+)"/g)].map(
      ([, id]) => id,
    );
    expect(inputs).toEqual(['address']);
    for (const id of inputs) expect(page).toContain(`<label for="${id}">`);
    expect(page).not.toMatch(/<script(?! type="module" src="\/(?:signin\/wallet|web\/passkey).js")|\son\w+=|style="/);
  });
});

test('a cookie that is none of ours is replaced', async () => {
  const browser = person();
  browser.cookies.set(COOKIE, 'guess');
  await browser.get('/signin');
  expect(browser.cookies.get(COOKIE)).toMatch(/^[0-9a-f]{64}$/);
});
