import { describe, expect, test, vi } from 'vitest';
import { CONTROL_URL, tokenFor } from '../../../support/workers/control-tokens.ts';
import { COOKIE, consoleWorld, fakeAccess, fieldIn, SECRET, sessionOf, TENANT } from './world.ts';
import { call, USERS } from '../world.ts';

const unreachable = () => Promise.reject(new Error('The api Worker does not answer'));

describe('signing in', () => {
  test('nobody signed in is led to the sign-in, and back to the page afterwards', async () => {
    const world = consoleWorld();
    const led = await world.get('/console/quotas?a=b');
    expect(led.status).toBe(303);
    expect(led.headers.get('location')).toBe('/console/signin?return_to=%2Fconsole%2Fquotas%3Fa%3Db');
    expect(led.headers.get('cache-control')).toBe('no-store');
    const page = await (await world.get(led.headers.get('location') ?? '')).text();
    const signedIn = await world.form('/console/signin', {
      csrf: fieldIn(page, 'csrf'),
      return_to: fieldIn(page, 'return_to').replaceAll('&amp;', '&'),
      secret: SECRET,
    });
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/console/quotas?a=b']);
    expect((await world.get('/console/quotas?a=b')).status).toBe(200);
  });

  test('K10: the cookie is of the console’s path alone, and of no page of another site', async () => {
    const signedIn = await consoleWorld().signIn();
    const [line = ''] = signedIn.headers.getSetCookie().filter((each) => each.startsWith(`${COOKIE}=`));
    expect(line).toMatch(/^__Secure-sightline-console=[0-9a-f]{64}; /);
    const attributes = line.split('; ').slice(1);
    expect(attributes.toSorted()).toEqual(
      ['HttpOnly', 'Max-Age=28800', 'Path=/console/', 'SameSite=Strict', 'Secure'].toSorted(),
    );
  });

  test('A3: the value changes with each sign-in, and what the browser had before is handed over to be ended', async () => {
    const world = consoleWorld();
    await world.signIn();
    const first = world.cookies.get(COOKIE);
    await world.signIn();
    expect(world.cookies.get(COOKIE)).not.toBe(first);
    expect(world.access.sessions.size).toBe(1);
    const [one, two] = world.access.asked;
    expect(two?.previous).toBe(one?.renewed);
    const old = await world.get('/console/', { headers: { cookie: `${COOKIE}=${first}` } });
    expect(old.status).toBe(303);
  });

  test('a value that somebody else chose is not taken over by the sign-in (A3: fixation)', async () => {
    const world = consoleWorld();
    const chosen = 'a'.repeat(64);
    world.cookies.set(COOKIE, chosen);
    await world.signIn();
    expect(world.cookies.get(COOKIE)).not.toBe(chosen);
  });

  test('a wrong secret is told on the page, which stays usable', async () => {
    const world = consoleWorld();
    const refused = await world.signIn({ secret: 'guess' });
    expect(refused.status).toBe(403);
    const page = await refused.text();
    expect(page).toContain('That is not the secret of an operator.');
    expect(page).not.toContain('guess');
    expect(world.cookies.has(COOKIE)).toBe(false);
    const again = await world.form('/console/signin', { csrf: fieldIn(page, 'csrf'), secret: SECRET });
    expect(again.status).toBe(303);
  });

  test('A4: too many failures are told with the time to wait', async () => {
    const signIn = async () => ({ ok: false, reason: 'too_many_attempts', retryAfterS: 77 }) as const;
    const refused = await consoleWorld({ access: fakeAccess({ signIn }) }).signIn();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '77']);
  });

  test('A4: without an operator there is no sign-in', async () => {
    const world = consoleWorld({ access: fakeAccess({ hasOperators: async () => false }) });
    expect((await world.get('/console/signin')).status).toBe(404);
    expect((await world.form('/console/signin', { secret: SECRET })).status).toBe(404);
    expect(world.access.asked).toEqual([]);
  });

  test.each([
    ['another site', 'https://evil.example/'],
    ['another site without scheme', '//evil.example/console/'],
    ['a script', 'javascript:alert(1)'],
    ['a path that is no page', '/console/signout'],
    ['a management row', USERS],
    ['something long', `/console/?${'x'.repeat(3_000)}`],
  ])('afterwards it leads to no place of %s', async (_name, returnTo) => {
    const signedIn = await consoleWorld().signIn({ return_to: returnTo });
    expect(signedIn.headers.get('location')).toBe('/console/');
  });

  test('signing out ends the session at the api, and the browser forgets it', async () => {
    const world = consoleWorld();
    await world.signIn();
    const csrf = await world.csrf();
    const out = await world.form('/console/signout', { csrf });
    expect([out.status, out.headers.get('location')]).toEqual([303, '/console/signin']);
    expect(world.access.sessions.size).toBe(0);
    expect(world.cookies.has(COOKIE)).toBe(false);
  });

  test('where the sign-out does not reach the api, nobody is told to be signed out', async () => {
    const world = consoleWorld({ access: fakeAccess({ signOut: unreachable }) });
    await world.signIn();
    const out = await world.form('/console/signout', { csrf: await world.csrf() });
    expect(out.status).toBe(503);
    expect(world.cookies.has(COOKIE)).toBe(true);
  });

  test('an api that does not answer is no sign-out: the cookie stays', async () => {
    const world = consoleWorld({ access: fakeAccess({ session: unreachable }) });
    world.cookies.set(COOKIE, 'c'.repeat(64));
    const refused = await world.get('/console/');
    expect(refused.status).toBe(503);
    expect(world.cookies.has(COOKIE)).toBe(true);
  });

  test('a session that is over is dropped', async () => {
    const world = consoleWorld();
    world.cookies.set(COOKIE, 'c'.repeat(64));
    expect((await world.get('/console/')).status).toBe(303);
    expect(world.cookies.has(COOKIE)).toBe(false);
  });
});

describe('K10: two ways of being known that never meet', () => {
  test('K10: management rows ignore the console’s cookie', async () => {
    const world = consoleWorld();
    await world.signIn();
    const cookie = `${COOKIE}=${world.cookies.get(COOKIE)}`;
    const rows = [
      `${USERS}?customer=my_customer`,
      '/v1/projects/p/locations/global/quotaPreferences',
      '/v2/projects/p/sinks',
    ];
    for (const path of rows) {
      const answer = await world.get(path, { headers: { cookie } });
      expect([path, answer.status, answer.headers.has('set-cookie')]).toEqual([path, 401, false]);
    }
    const headers = { cookie, 'content-type': 'application/json' };
    const body = JSON.stringify({ resourceNames: ['projects/p'] });
    expect((await world.send('/v2/entries:list', { method: 'POST', headers, body })).status).toBe(401);
  });

  test('K10: the console ignores bearer tokens', async () => {
    const headers = { authorization: `Bearer ${tokenFor({ tenant: TENANT })}` };
    expect((await call(`${USERS}?customer=my_customer`)).status).toBe(200); // Such a token is good elsewhere.
    for (const path of ['/console/', '/console/quotas'])
      expect((await consoleWorld().get(path, { headers })).status).toBe(303);
  });

  test('K10: a cookie of the api Worker’s name is none of the console’s', async () => {
    const world = consoleWorld();
    await world.signIn();
    const value = world.cookies.get(COOKIE);
    for (const name of ['__Host-sightline-session', 'sightline-session', 'sightline-console'])
      expect((await world.get('/console/', { headers: { cookie: `${name}=${value}` } })).status).toBe(303);
  });
});

describe('K10: forms', () => {
  const posts: readonly [name: string, fields: Record<string, string>, headers: Record<string, string>][] = [
    ['the browser does not say where from', {}, { 'sec-fetch-site': '' }],
    ['of another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['of another host of this site', {}, { 'sec-fetch-site': 'same-site' }],
    ['of no page', {}, { 'sec-fetch-site': 'none' }],
    ['with another origin', {}, { origin: 'https://evil.example' }],
    ['without its token', { csrf: '' }, {}],
    ['with a token of another sign-in', { csrf: 'd'.repeat(64) }, {}],
  ];

  test.each(posts)('K10: a sign-in is refused %s', async (_name, fields, headers) => {
    const world = consoleWorld();
    const csrf = await world.csrf('/console/signin');
    const refused = await world.form('/console/signin', { csrf, secret: SECRET, ...fields }, headers);
    expect(refused.status).toBe(403);
    expect(world.access.asked).toEqual([]);
  });

  test.each(posts)('K10: a sign-out is refused %s', async (_name, fields, headers) => {
    const world = consoleWorld();
    await world.signIn();
    const csrf = await world.csrf();
    const refused = await world.form('/console/signout', { csrf, ...fields }, headers);
    expect(refused.status).toBe(403);
    expect(world.access.sessions.size).toBe(1);
  });

  test.each([
    ['is no form', 'application/json', '{}', 415],
    ['is larger than any of ours', 'application/x-www-form-urlencoded', `x=${'y'.repeat(40_000)}`, 413],
  ])('what %s is refused', async (_name, type, body, status) => {
    const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
    const answer = await consoleWorld().send('/console/signin', { method: 'POST', body, headers });
    expect(answer.status).toBe(status);
  });
});

describe('pages', () => {
  test('every page is kept nowhere, shown in no frame, and loads nothing from elsewhere', async () => {
    const world = consoleWorld();
    const open = [await world.get('/console/signin'), await world.get('/console/nothing')];
    await world.signIn();
    for (const answer of [...open, await world.get('/console/'), await world.get('/console/quotas')]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('the console answers under its own host name only', async () => {
    const world = consoleWorld();
    await world.signIn();
    for (const origin of ['https://rebound.example', `${CONTROL_URL}:8443`])
      expect((await world.get('/console/', { origin })).status).toBe(421);
  });

  test('what is no page of it is told as a page, and never reaches the management rows', async () => {
    const answer = await consoleWorld().get('/console/admin/directory/v1/users');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
  });

  test('the address without a slash leads to it', async () => {
    const answer = await consoleWorld().get('/console');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/']);
  });

  test('X8: the name of an operator is text', async () => {
    const world = consoleWorld();
    await world.signIn();
    const name = '<img src=x onerror=alert(1)> "\'&';
    for (const hash of world.access.sessions.keys())
      world.access.sessions.set(hash, sessionOf(1, { id: 'e'.repeat(32), name }));
    const page = await (await world.get('/console/')).text();
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;&#39;&amp;');
    expect(page).not.toContain('<img src=x');
  });

  test('a link of a stranger’s makes no page say that something was done', async () => {
    const world = consoleWorld();
    await world.signIn();
    const query = new URLSearchParams({ said: 'Call this number', seal: 'f'.repeat(64) });
    const page = await (await world.get(`/console/?${query}`)).text();
    expect(page).not.toContain('Call this number');
  });

  test('X9: the log names neither secrets nor sessions nor queries', async () => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
    const world = consoleWorld();
    await world.signIn({ secret: 'a-wrong-secret' });
    await world.signIn();
    await world.get('/console/quotas?q=a-query');
    await world.get('/console/absent?q=a-query');
    vi.restoreAllMocks();
    const logged = lines.join('\n');
    expect(logged).toContain('console_signed_in');
    const secrets = [SECRET, 'a-wrong-secret', world.cookies.get(COOKIE) ?? '-', 'a-query'];
    expect(secrets.filter((secret) => logged.includes(secret))).toEqual([]);
  });
});

describe('B9: an address that strangers share with an operator', () => {
  test('a browser that is signed in goes on, a new sign-in gets through, and the others are told how long to wait', async () => {
    const startMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(startMs);
    const headers = { 'cf-connecting-ip': '198.51.102.7' };
    const operator = consoleWorld();
    await operator.signIn();
    expect((await operator.get('/console/', { headers })).status).toBe(200);
    const stranger = consoleWorld();
    const statuses = new Set<number>();
    for (let n = 0; n < 599; n += 1) statuses.add((await stranger.get('/console/signin', { headers })).status);
    expect(statuses).toEqual(new Set([200]));
    clock.mockReturnValue(startMs + 10_500);
    for (let n = 0; n < 4; n += 1) expect((await stranger.get('/console/signin', { headers })).status).toBe(200);
    const refused = await stranger.get('/console/signin', { headers });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '50']);
    expect((await operator.get('/console/', { headers })).status).toBe(200);
    clock.mockReturnValue(startMs + 11_500);
    expect((await stranger.get('/console/signin', { headers })).status).toBe(200);
    vi.restoreAllMocks();
  });
});

test.each([
  '/',
  '/console',
  '/discovery/v1/apis',
  '/.well-known/oauth-protected-resource',
  '/batch',
  `${USERS}?customer=my_customer`,
])('B11.3: %s of another host is 421, with a good token too', async (path) => {
  const world = consoleWorld();
  const headers = { authorization: `Bearer ${tokenFor()}` };
  expect((await world.get(path, { origin: 'https://evil.example', headers })).status).toBe(421);
});

test('B11.3: the health of the Worker is told to any host', async () => {
  expect((await consoleWorld().get('/health', { origin: 'https://evil.example' })).status).toBe(200);
});
