import { env, exports } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import type { RevocationService } from '../../../../src/notifications/sinks/revocation.ts';
import {
  authorizePath,
  BASE,
  consentForm,
  locationOf,
  type Person,
  person,
  RESOURCE,
  signInOperator,
  signInPayer,
  VERIFIER,
} from './person.ts';
import { type World, world } from '../world.ts';

const OPERATORS = '/operator/operators';
const REDIRECT = 'https://app.example/callback';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const store = () => env.AUTHORIZATION_STORE.getByName('authorization');
/** As the webhook Worker holds it: a change of the entrypoint that it would not bear fails here, in the types. */
const revocation = (): RevocationService => exports.Revocation;

type Desk = { browser: Person; csrf: string };
type Made = { operator: Record<string, unknown> & { id: string }; secret: string };

const rootDesk = async (): Promise<Desk> => {
  const browser = person();
  return { browser, csrf: (await signInOperator(browser)).csrf };
};

const send = ({ browser, csrf }: Desk, path: string, body: unknown = {}): Promise<Response> =>
  browser.json(path, body, { headers: { 'x-csrf-token': csrf } });

async function made(desk: Desk, body: Record<string, unknown>): Promise<Made> {
  const answer = await send(desk, OPERATORS, body);
  if (answer.status !== 201) throw new Error(await answer.text());
  return (await answer.json()) as Made;
}

const remove = ({ browser, csrf }: Desk, id: string): Promise<Response> =>
  exports.default.fetch(
    new Request(`${BASE}${OPERATORS}/${id}`, {
      method: 'DELETE',
      headers: {
        'x-csrf-token': csrf,
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    }),
  );

const signIn = (secret: string, browser = person()): Promise<Response> => browser.json('/signin/operator', { secret });

async function namedDesk(secret: string): Promise<Desk & { account: string }> {
  const browser = person();
  const answer = await signIn(secret, browser);
  if (answer.status !== 200) throw new Error(await answer.text());
  const { csrf, account } = (await answer.json()) as { csrf: string; account: string };
  return { browser, csrf, account };
}

const listed = async ({ browser, csrf }: Desk) =>
  ((await (await browser.get(OPERATORS, { headers: { 'x-csrf-token': csrf } })).json()) as { operators: unknown[] })
    .operators;

const codeOf = async (answer: Response): Promise<[number, unknown]> => [
  answer.status,
  ((await answer.json()) as { code: unknown }).code,
];

type Tokens = { access_token: string; refresh_token: string };

async function tokenEndpoint(fields: Record<string, string>): Promise<{ status: number; body: Tokens }> {
  const contentType = 'application/x-www-form-urlencoded';
  const outcome = await store().token({ contentType, authorization: null, body: `${new URLSearchParams(fields)}` });
  if (outcome.kind !== 'answer') throw new Error(outcome.kind);
  return { status: outcome.status, body: JSON.parse(outcome.body) as Tokens };
}

/** A client of the desk's operator with tokens for operator scopes, by the consent page. */
async function granted(desk: Desk): Promise<Tokens & { clientId: string }> {
  const wanted = { grant: 'authorization_code', name: 'Console', redirect_uris: [REDIRECT] };
  const answer = await send(desk, '/operator/clients', wanted);
  const { client } = (await answer.json()) as { client: { id: string } };
  const page = await (await desk.browser.get(authorizePath(client.id, { scope: 'operator channels:read' }))).text();
  const back = locationOf(await desk.browser.form('/authorize', consentForm(page, 'allow')));
  const { body } = await tokenEndpoint({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    client_id: client.id,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    resource: RESOURCE,
  });
  return { ...body, clientId: client.id };
}

const forgetRoot = (): Promise<void> =>
  runInDurableObject(store(), (_object, state) => {
    state.storage.sql.exec("DELETE FROM rows WHERE key = 'own:operator-epoch'");
  });

describe('the desk', () => {
  test('makes an operator, shows its secret once and lists it without', async () => {
    const desk = await rootDesk();
    const answer = await send(desk, OPERATORS, { name: 'Ada', directory_user_id: '104892' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { operator, secret } = (await answer.json()) as Made;
    expect(operator).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      name: 'Ada',
      directory_user_id: '104892',
      state: 'enabled',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await listed(desk)).toEqual([operator]);
    expect(seen.logs.join('\n')).not.toContain(secret);
  });

  test('is open to a named operator, to manage operators too, and the audit log says who did it', async () => {
    const ada = await made(await rootDesk(), { name: 'Ada' });
    const desk = await namedDesk(ada.secret);
    expect(desk.account).toBe(ada.operator.id);
    const bob = await made(desk, { name: 'Bob' });
    const lines = seen.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ event }) => event === 'operator_action').at(-1)).toMatchObject({
      action: 'created_operator',
      by: ada.operator.id,
      id: bob.operator.id,
      name: 'Bob',
    });
  });

  test('gives the secret of an enabled operator to that one and to the holder of the operator secret, not to colleagues', async () => {
    const root = await rootDesk();
    const [ada, bob] = [await made(root, { name: 'Ada' }), await made(root, { name: 'Bob' })];
    const desks = { ada: await namedDesk(ada.secret), bob: await namedDesk(bob.secret) };
    const path = `${OPERATORS}/${bob.operator.id}/restore`;
    expect(await codeOf(await send(desks.ada, path))).toEqual([403, 'operator_enabled']);
    expect((await desks.bob.browser.get('/account')).status).toBe(200);
    const own = (await (await send(desks.bob, path)).json()) as Made;
    expect((await namedDesk(own.secret)).account).toBe(bob.operator.id);
    expect((await send(root, path)).status).toBe(200);
    const log = seen.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(log.filter(({ action }) => action === 'restored_operator')).toMatchObject([
      { by: bob.operator.id, id: bob.operator.id },
      { by: expect.not.stringContaining(bob.operator.id), id: bob.operator.id },
    ]);
  });

  test('A1: is closed to a payer', async () => {
    const browser = person();
    const desk = { browser, csrf: (await signInPayer(browser)).csrf };
    expect(await codeOf(await send(desk, OPERATORS, { name: 'x' }))).toEqual([403, 'operator_only']);
  });

  test('W6: gives a directory user to one operator only', async () => {
    const desk = await rootDesk();
    await made(desk, { name: 'Ada', directory_user_id: '104892' });
    const answer = await send(desk, OPERATORS, { name: 'Bob', directory_user_id: '104892' });
    expect(await codeOf(answer)).toEqual([409, 'directory_user_taken']);
    expect(await listed(desk)).toHaveLength(1);
  });

  test('deletes an operator: session, secret and row are gone', async () => {
    const root = await rootDesk();
    const { operator, secret } = await made(root, { name: 'Ada' });
    const desk = await namedDesk(secret);
    const answer = await remove(root, operator.id);
    expect([answer.status, await answer.json()]).toEqual([200, { name: 'Ada' }]);
    expect(await codeOf(await send(desk, OPERATORS, { name: 'x' }))).toEqual([401, 'operator_sign_in_required']);
    expect((await signIn(secret)).status).toBe(403);
    expect(await listed(root)).toEqual([]);
    expect((await remove(root, operator.id)).status).toBe(404);
  });
});

describe('W6: a directory user who is gone', () => {
  test('W6: as operator loses session, tokens, refresh and sign-in at once', async () => {
    const { operator, secret } = await made(await rootDesk(), { name: 'Ada', directory_user_id: '104892' });
    const desk = await namedDesk(secret);
    const { access_token: token, refresh_token: refreshToken, clientId } = await granted(desk);
    expect(await store().validate(token, RESOURCE)).toMatchObject({
      userId: operator.id,
      scope: ['operator', 'channels:read'],
      props: { kind: 'operator' },
    });
    expect(await revocation().directoryUserGone('104892')).toBe('ended');
    expect(await store().validate(token, RESOURCE)).toBeNull();
    const again = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId };
    expect(await tokenEndpoint(again)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await desk.browser.get('/account')).status).toBe(303);
    expect(await codeOf(await send(desk, OPERATORS, { name: 'x' }))).toEqual([401, 'operator_sign_in_required']);
    expect(await codeOf(await signIn(secret))).toEqual([403, 'sign_in_refused']);
  });

  test('W6: an ended operator has no token although its grant is still there', async () => {
    const { secret } = await made(await rootDesk(), { name: 'Ada', directory_user_id: '104892' });
    const { access_token: token } = await granted(await namedDesk(secret));
    await runInDurableObject(store(), (_object, state) => {
      const operator = "key LIKE 'own:operator:%'";
      state.storage.sql.exec(`UPDATE rows SET value = replace(value, '"enabled"', '"ended"') WHERE ${operator}`);
    });
    expect(await store().validate(token, RESOURCE)).toBeNull();
  });

  test('W6: others keep everything', async () => {
    const root = await rootDesk();
    await made(root, { name: 'Ada', directory_user_id: '104892' });
    const bob = await made(root, { name: 'Bob', directory_user_id: '104893' });
    const desk = await namedDesk(bob.secret);
    const { access_token: token } = await granted(desk);
    expect(await revocation().directoryUserGone('104892')).toBe('ended');
    expect(await store().validate(token, RESOURCE)).toMatchObject({ userId: bob.operator.id });
    expect((await desk.browser.get('/account')).status).toBe(200);
    expect((await root.browser.get('/account')).status).toBe(200);
  });

  test('W6: is matched by the immutable id: after its e-mail address was given to another user nothing happens', async () => {
    const root = await rootDesk();
    const { operator, secret } = await made(root, { name: 'ada@example.com', directory_user_id: '104892' });
    const desk = await namedDesk(secret);
    const { access_token: token } = await granted(desk);
    // The address is another user's by now, and that user (104999) is gone.
    for (const id of ['104999', 'ada@example.com', operator.id, '10489'])
      expect(await revocation().directoryUserGone(id)).toBe('none');
    expect(await store().validate(token, RESOURCE)).not.toBeNull();
    expect((await desk.browser.get('/account')).status).toBe(200);
  });

  test.each(['', ' 104892', '104892\n', '1'.repeat(129), 'ü', undefined, null, 104_892, { id: '104892' }])(
    'W6: %j is nobody, and is no error',
    async (given) => {
      await made(await rootDesk(), { name: 'Ada', directory_user_id: '104892' });
      expect(await revocation().directoryUserGone(given as string)).toBe('none');
    },
  );

  test('W6: the last operator is kept, by the desk too', async () => {
    const root = await rootDesk();
    const ada = await made(root, { name: 'Ada', directory_user_id: '104892' });
    await forgetRoot();
    expect(await revocation().directoryUserGone('104892')).toBe('last_operator');
    const desk = await namedDesk(ada.secret);
    expect(await codeOf(await remove(desk, ada.operator.id))).toEqual([409, 'last_operator']);
    expect(await listed(desk)).toEqual([ada.operator]);
  });

  test('W6: is restored with a new secret only; what the old one granted stays ended', async () => {
    const root = await rootDesk();
    const { operator, secret } = await made(root, { name: 'Ada', directory_user_id: '104892' });
    const { access_token: token } = await granted(await namedDesk(secret));
    await revocation().directoryUserGone('104892');
    expect(await listed(root)).toEqual([
      { ...operator, state: 'ended', reason: 'directory_user_gone', ended_at: expect.any(String) },
    ]);
    const answer = await send(root, `${OPERATORS}/${operator.id}/restore`);
    const restored = (await answer.json()) as Made;
    expect([answer.status, restored.operator]).toEqual([200, operator]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await signIn(secret)).status).toBe(403);
    expect(await store().validate(token, RESOURCE)).toBeNull();
    const desk = await namedDesk(restored.secret);
    expect(desk.account).toBe(operator.id);
    const { access_token: next } = await granted(desk);
    expect(await store().validate(next, RESOURCE)).toMatchObject({ userId: operator.id });
  });

  test('W6: is one line of the log, with the id of the account', async () => {
    const { operator } = await made(await rootDesk(), { name: 'Ada', directory_user_id: '104892' });
    await revocation().directoryUserGone('104892');
    const lines = seen.logs.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ event }) => event === 'operator_access_ended')).toEqual([
      { event: 'operator_access_ended', account: operator.id, reason: 'directory_user_gone' },
    ]);
  });
});

describe('signing in', () => {
  test('A4: the answer to a secret that nobody has, to one that ended and to one that was replaced is the same', async () => {
    const root = await rootDesk();
    const ada = await made(root, { name: 'Ada', directory_user_id: '104892' });
    const bob = await made(root, { name: 'Bob' });
    await revocation().directoryUserGone('104892');
    await send(root, `${OPERATORS}/${bob.operator.id}/restore`);
    const answers = await Promise.all(
      ['x'.repeat(43), ada.secret, bob.secret].map(async (secret) => {
        const answer = await signIn(secret);
        const { request_id: _own, instance: _path, ...body } = (await answer.json()) as Record<string, unknown>;
        return { status: answer.status, body };
      }),
    );
    expect(answers[0]).toMatchObject({ status: 403, body: { code: 'sign_in_refused' } });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('A4: after five wrong secrets a caller waits with the right one of its own too', async () => {
    const { secret } = await made(await rootDesk(), { name: 'Ada' });
    const guesser = person('203.0.113.50');
    for (let count = 0; count < 5; count += 1) expect((await signIn('wrong', guesser)).status).toBe(403);
    expect((await signIn(secret, guesser)).status).toBe(429);
    expect((await signIn(secret, person('203.0.113.51'))).status).toBe(200);
  });

  test.each([
    ['unset', undefined],
    ['too short', 'a'.repeat(42)],
  ])('with an operator secret that is %s named operators sign in, and nobody by that secret', async (_what, own) => {
    const { secret } = await made(await rootDesk(), { name: 'Ada' });
    const app = createApp({ policy: () => ({}) as never, local: false, engines: { isLocal: false, factories: {} } });
    const bindings = { ...env, OPERATOR_SECRET: own };
    const post = (given: string) =>
      app.request(
        `${BASE}/signin/operator`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ secret: given }),
        },
        bindings,
      );
    expect((await post(secret)).status).toBe(200);
    for (const given of [own ?? '', env.OPERATOR_SECRET]) expect((await post(given)).status).toBe(403);
    expect(await (await app.request(`${BASE}/console/?return_to=%2Fauthorize`, {}, bindings)).text()).toContain(
      '/signin/operator',
    );
  });
});
