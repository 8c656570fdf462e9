import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { makeSoftPasskey, type PasskeyChanges, type SoftPasskey } from '../../../support/workers/soft-passkey.ts';
import { world } from '../world.ts';
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
  signInPayer,
  VERIFIER,
} from './person.ts';

const RP_ID = 'sightline.test';
const MINUTE_MS = 60_000;
type Answer = { status: number; code?: string; reason?: string; account?: string; kind?: string };

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function read(answer: Response): Promise<Answer> {
  const json = (await answer.json()) as { code?: string; detail?: string; account?: string; kind?: string };
  const { detail, ...more } = json;
  return { status: answer.status, ...more, ...(detail === undefined ? {} : { reason: detail.split(':')[0] ?? '' }) };
}

const optionsOf = async (browser: Person, path: string, csrf?: string): Promise<{ challenge: string }> => {
  const answer = await browser.json(`${path}/options`, csrf === undefined ? {} : { csrf });
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as { challenge: string };
};

async function signUp(browser: Person, passkey: SoftPasskey, changes: PasskeyChanges = {}): Promise<Answer> {
  const options = await optionsOf(browser, '/signin/passkey/new');
  return read(await browser.json('/signin/passkey/new', { credential: await passkey.register(options, changes) }));
}

async function signIn(browser: Person, passkey: SoftPasskey, changes: PasskeyChanges = {}): Promise<Answer> {
  const options = await optionsOf(browser, '/signin/passkey');
  return read(await browser.json('/signin/passkey', { credential: await passkey.sign(options, changes) }));
}

const REFUSED = { status: 403, code: 'sign_in_refused' };

describe('a passkey', () => {
  test('makes an account of a payer, and opens it again in another browser', async () => {
    const passkey = await makeSoftPasskey(RP_ID, BASE);
    const browser = person();
    const made = await signUp(browser, passkey);
    expect(made).toMatchObject({ status: 200, kind: 'payer', account: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await (await browser.get('/account')).text()).toContain('the owner of a passkey');
    const again = await signIn(person(), passkey);
    expect(again).toMatchObject({ status: 200, kind: 'payer', account: made.account });
  });

  test('is asked for by its host, user verification preferred, and whichever the person has', async () => {
    const browser = person();
    const using = await (await browser.json('/signin/passkey/options', {})).json();
    expect(using).toMatchObject({ rpId: RP_ID, userVerification: 'preferred', allowCredentials: [], timeout: 300_000 });
    const making = await (await browser.json('/signin/passkey/new/options', {})).json();
    expect(making).toMatchObject({
      rp: { id: RP_ID },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      excludeCredentials: [],
    });
  });

  test.each<[string, PasskeyChanges, string]>([
    ['another origin', { origin: 'https://evil.example' }, 'wrong_origin'],
    ['a sibling origin', { origin: 'https://www.sightline.test' }, 'wrong_origin'],
    ['the same host on another port', { origin: `${BASE}:8443` }, 'wrong_origin'],
    ['plain http', { origin: 'http://sightline.test' }, 'wrong_origin'],
    ['a frame of another site', { crossOrigin: true }, 'wrong_origin'],
    ['another host', { rpId: 'evil.example' }, 'bad_passkey'],
    ['a challenge of no one', { challenge: 'AAAA' }, 'wrong_challenge'],
    ['the making of a passkey', { type: 'webauthn.create' }, 'wrong_type'],
    ['another key', { isForged: true }, 'bad_passkey'],
    ['no one present', { isUserAbsent: true }, 'bad_passkey'],
  ])('signs no one in from %s', async (_what, changes, reason) => {
    const passkey = await makeSoftPasskey(RP_ID, BASE);
    await signUp(person(), passkey);
    const browser = person();
    expect(await signIn(browser, passkey, changes)).toMatchObject({ ...REFUSED, reason });
    expect((await browser.get('/account')).status).toBe(303);
  });

  test.each<[string, PasskeyChanges, string]>([
    ['another origin', { origin: 'https://evil.example' }, 'wrong_origin'],
    ['another host', { rpId: 'evil.example' }, 'bad_passkey'],
    ['the use of a passkey', { type: 'webauthn.get' }, 'wrong_type'],
    ['a challenge of no one', { challenge: 'AAAA' }, 'wrong_challenge'],
    ['no one present', { isUserAbsent: true }, 'bad_passkey'],
  ])('is not made from %s', async (_what, changes, reason) => {
    expect(await signUp(person(), await makeSoftPasskey(RP_ID, BASE), changes)).toMatchObject({ ...REFUSED, reason });
  });

  test('a challenge is good once, in the browser that got it, for its purpose and for five minutes', async () => {
    const passkey = await makeSoftPasskey(RP_ID, BASE);
    await signUp(person(), passkey);
    const browser = person();
    const options = await optionsOf(browser, '/signin/passkey');
    const credential = await passkey.sign(options);
    const post = async (by: Person, path = '/signin/passkey') => read(await by.json(path, { credential }));
    expect(await post(person())).toMatchObject({ ...REFUSED, reason: 'wrong_challenge' });
    const thief = person();
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect(await post(browser)).toMatchObject({ status: 200 });
    expect(await post(thief)).toMatchObject({ ...REFUSED, reason: 'wrong_challenge' });
    const forMaking = await passkey.sign(await optionsOf(browser, '/signin/passkey/new'));
    const mixed = await read(await browser.json('/signin/passkey', { credential: forMaking }));
    expect(mixed).toMatchObject({ ...REFUSED, reason: 'wrong_challenge' });
    const nonce = ((await (await browser.json('/signin/siwe/nonce', {})).json()) as { nonce: string }).nonce;
    const wallets = await passkey.sign({ challenge: btoa(nonce).replaceAll('=', '') });
    const crossed = await read(await browser.json('/signin/passkey', { credential: wallets }));
    expect(crossed).toMatchObject({ ...REFUSED, reason: 'wrong_challenge' });
    const late = await optionsOf(browser, '/signin/passkey');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * MINUTE_MS + 1_000 });
    const old = await read(await browser.json('/signin/passkey', { credential: await passkey.sign(late) }));
    expect(old).toMatchObject({ ...REFUSED, reason: 'wrong_challenge' });
  });

  test('is not refused where it cannot be judged, and opens its account again afterwards', async () => {
    const passkey = await makeSoftPasskey(RP_ID, BASE);
    const { account } = await signUp(person(), passkey);
    const { MODELS: _models, ...unbound } = env as unknown as Env;
    const app = createApp({ policy: () => allowPublicOnly(), local: false, engines: localAnswers });
    const browser = person(undefined, (request) => app.fetch(request, unbound, createExecutionContext()));
    const unjudged = { status: 503, code: 'sign_in_unavailable' };
    expect(await signIn(browser, passkey)).toMatchObject(unjudged);
    expect(await signUp(browser, await makeSoftPasskey(RP_ID, BASE))).toMatchObject(unjudged);
    expect((await browser.get('/account')).status).toBe(303);
    expect(await signIn(person(), passkey)).toMatchObject({ status: 200, account });
  });

  test('a counter that does not go on is that of a copy; one that never counts is taken', async () => {
    const counting = await makeSoftPasskey(RP_ID, BASE);
    await signUp(person(), counting);
    expect(await signIn(person(), counting, { counter: 7 })).toMatchObject({ status: 200 });
    expect(await signIn(person(), counting, { counter: 7 })).toMatchObject({ ...REFUSED, reason: 'passkey_counter' });
    expect(await signIn(person(), counting, { counter: 0 })).toMatchObject({ ...REFUSED, reason: 'passkey_counter' });
    expect(await signIn(person(), counting, { counter: 8 })).toMatchObject({ status: 200 });
    const silent = await makeSoftPasskey(RP_ID, BASE);
    await signUp(person(), silent);
    for (const _turn of [1, 2]) expect(await signIn(person(), silent, { counter: 0 })).toMatchObject({ status: 200 });
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no credential', '{"id":"a"}'],
    ['an id that is none', JSON.stringify({ id: '../x', rawId: '../x', type: 'public-key', response: {} })],
    [
      'a huge part',
      JSON.stringify({
        id: 'AA',
        rawId: 'AA',
        type: 'public-key',
        response: { clientDataJSON: 'A'.repeat(20_000), authenticatorData: 'AA', signature: 'AA' },
      }),
    ],
    [
      'client data that is none',
      JSON.stringify({
        id: 'AA',
        rawId: 'AA',
        type: 'public-key',
        response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
      }),
    ],
  ])('%s in its place is malformed', async (_what, credential) => {
    for (const path of ['/signin/passkey', '/signin/passkey/new'])
      expect(await read(await person().json(path, { credential }))).toMatchObject({
        ...REFUSED,
        reason: 'malformed_passkey',
      });
  });

  test('one that no account has signs no one in, and another site may not ask', async () => {
    const passkey = await makeSoftPasskey(RP_ID, BASE);
    expect(await signIn(person(), passkey)).toMatchObject({ ...REFUSED, reason: 'unknown_passkey' });
    const foreign = await person().json('/signin/passkey/options', {}, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  test('A1: its account is a payer’s, which opens nothing of operators', async () => {
    const browser = person();
    await signUp(browser, await makeSoftPasskey(RP_ID, BASE));
    expect((await browser.get('/operator/operators')).status).toBe(401);
    const clientId = await registered();
    const asked = authorizePath(clientId, { scope: 'audit:run operator admin.directory.user' });
    const page = flat(await (await browser.get(asked)).text());
    expect(page).toContain('the owner of a passkey');
    expect(page).toContain('value="audit:run"');
    expect(page).not.toMatch(/value="(?:operator|[^"]*admin\.directory\.user)"/);
  });
});

/** An app that the person of the browser lets in, and its access token. */
async function allowApp(browser: Person): Promise<string> {
  const clientId = await registered();
  const page = await (await browser.get(authorizePath(clientId))).text();
  const back = locationOf(await browser.form('/authorize', consentForm(page, 'allow')));
  const body = {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    client_id: clientId,
    redirect_uri: 'https://app.example/callback',
    code_verifier: VERIFIER,
  };
  const answer = await person().form('/oauth/token', body);
  return ((await answer.json()) as { access_token: string }).access_token;
}

describe('ways to sign in', () => {
  const add = async (browser: Person, csrf: string, passkey: SoftPasskey): Promise<Answer> => {
    const options = await optionsOf(browser, '/account/ways/passkey', csrf);
    const credential = await passkey.register(options);
    return read(await browser.json('/account/ways/passkey', { csrf, credential, label: 'Desk' }));
  };

  test('a passkey is added to the account of a wallet, opens it, and is removed: then it opens nothing', async () => {
    const browser = person();
    const { account, csrf } = await signInPayer(browser);
    const passkey = await makeSoftPasskey(RP_ID, BASE);
    expect(await add(browser, csrf, passkey)).toMatchObject({ status: 200 });
    const page = await (await browser.get('/account/ways')).text();
    expect(page).toContain('Passkey: Desk');
    expect(await signIn(person(), passkey)).toMatchObject({ status: 200, account });
    const gone = await browser.form('/account/ways/remove', { csrf, kind: 'passkey', id: passkey.id });
    expect([gone.status, gone.headers.get('location')]).toEqual([303, '/account/ways?done=way_removed']);
    expect(await signIn(person(), passkey)).toMatchObject({ ...REFUSED, reason: 'unknown_passkey' });
  });

  test('the last one stays, and one of another account is not taken over', async () => {
    const [mine, other] = [await makeSoftPasskey(RP_ID, BASE), person()];
    const browser = person();
    await signUp(browser, mine);
    const csrf = await browser.csrf();
    const last = await read(await browser.json('/account/ways/remove', { csrf, kind: 'passkey', id: mine.id }));
    expect(last).toMatchObject({ status: 409, code: 'sign_in_way_refused', reason: 'last_way' });
    const { account } = await signInPayer(other);
    const otherCsrf = await other.csrf();
    const options = await optionsOf(other, '/account/ways/passkey', otherCsrf);
    const credential = await mine.register(options);
    const taken = await read(await other.json('/account/ways/passkey', { csrf: otherCsrf, credential }));
    expect(taken).toMatchObject({ status: 409, reason: 'way_in_use' });
    expect((await signIn(person(), mine)).account).not.toBe(account);
    const none = await read(await other.json('/account/ways/remove', { csrf: otherCsrf, kind: 'email', id: 'x' }));
    expect(none).toMatchObject({ status: 409, reason: 'way_not_found' });
  });

  test('one that is removed ends the sessions that it opened at once, and those alone; apps keep their access until it is taken', async () => {
    const [browser, other, stolen] = [person(), person(), person()];
    const { csrf } = await signInPayer(browser, privateKeyToAccount(generatePrivateKey()));
    const passkey = await makeSoftPasskey(RP_ID, BASE);
    expect(await add(browser, csrf, passkey)).toMatchObject({ status: 200 });
    for (const one of [other, stolen]) expect(await signIn(one, passkey)).toMatchObject({ status: 200 });
    const token = await allowApp(stolen);
    const shown = flat(await (await browser.get('/account/ways')).text());
    expect(shown).toContain('every session that it opened ends at once');
    expect(shown).toContain('<a href="/account/access">See the apps with access</a>');
    expect(shown.match(/You are signed in with it\./g)).toHaveLength(1);
    const removed = await browser.json('/account/ways/remove', { csrf, kind: 'passkey', id: passkey.id });
    expect([removed.status, await removed.json()]).toEqual([200, { ok: true, signed_out: false }]);
    for (const one of [other, stolen]) {
      expect((await one.get('/account')).headers.get('location')).toContain('/signin?return_to=%2Faccount');
      const put = await read(await one.json('/account/ways/remove', { csrf: await one.csrf(), kind: 'wallet' }));
      expect(put).toMatchObject({ status: 401, code: 'sign_in_needed' });
    }
    expect((await browser.get('/account')).status).toBe(200);
    const store = env.AUTHORIZATION_STORE.getByName('authorization');
    expect(await store.validate(token, RESOURCE)).not.toBeNull();
    const access = await (await browser.get('/account/access')).text();
    expect(access).toContain('Desk Agent');
    await browser.form('/account/revoke', { csrf, grant_id: field(access, 'grant_id') });
    expect(await store.validate(token, RESOURCE)).toBeNull();
  });

  test('one that is removed by the session that it opened signs that out, and the page says why', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const passkey = await makeSoftPasskey(RP_ID, BASE);
    const browser = person();
    const { csrf } = await signInPayer(browser, account);
    await add(browser, csrf, passkey);
    const own = { kind: 'wallet', id: account.address.toLowerCase() };
    const gone = await browser.form('/account/ways/remove', { csrf, ...own });
    expect([gone.status, gone.headers.get('location')]).toEqual([303, '/signin?why=way_removed']);
    expect(gone.headers.getSetCookie().join()).toMatch(/max-age=0/i);
    expect(flat(await (await browser.get('/signin?why=way_removed')).text())).toContain(
      'The way that you had signed in with is removed',
    );
    expect((await browser.get('/account')).status).toBe(303);
    expect(await signIn(person(), passkey)).toMatchObject({ status: 200 });
  });

  test('changing them takes a sign-in of five minutes, and the token of the form', async () => {
    const browser = person();
    const passkey = await makeSoftPasskey(RP_ID, BASE);
    const { csrf } = await signInPayer(browser);
    await add(browser, csrf, passkey);
    const foreign = await browser.json('/account/ways/remove', { kind: 'passkey', id: passkey.id });
    expect(foreign.status).toBe(403);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * MINUTE_MS });
    const remove = { csrf, kind: 'passkey', id: passkey.id };
    const stale = { status: 403, code: 'sign_in_too_old' };
    for (const path of ['remove', 'email', 'wallet', 'passkey', 'passkey/options'])
      expect(await read(await browser.json(`/account/ways/${path}`, remove))).toMatchObject(stale);
    const form = await browser.form('/account/ways/remove', remove);
    expect([form.status, form.headers.get('location')]).toEqual([303, '/signin?return_to=%2Faccount%2Fways&why=fresh']);
    expect(await (await browser.get('/account/ways')).text()).not.toContain('action="/account/ways/remove"');
  });
});
