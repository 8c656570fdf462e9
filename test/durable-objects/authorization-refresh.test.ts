import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  codeForm,
  CONTROL,
  type Form,
  inside,
  isAlive,
  json,
  post,
  otherClient,
  refreshForm,
  register,
  approve,
  signedIn,
  store,
  stub,
  tokensOf,
  verdict,
} from './authorization-world.ts';

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

test('a refresh gives new tokens of the same scope and resource', async () => {
  const first = await signedIn();
  const answer = await post(refreshForm(first.refresh, first.clientId));
  const second = tokensOf(answer);
  expect(json(answer)).toMatchObject({ scope: 'audit:run', resource: 'https://sightline.test/mcp-account' });
  expect(second.refresh).not.toBe(first.refresh);
  expect(await isAlive(second.access)).toBe(true);
  expect(await isAlive(first.access)).toBe(true);
});

test('F1: the same request again within 30 seconds gets the same bytes', async () => {
  const { refresh, clientId } = await signedIn();
  const first = await post(refreshForm(refresh, clientId));
  later(29_000);
  expect(await post(refreshForm(refresh, clientId))).toEqual(first);
});

test('F1: the order of the parameters does not make another request', async () => {
  const { refresh, clientId } = await signedIn();
  const form = refreshForm(refresh, clientId);
  const first = await post(form);
  expect(await post(Object.fromEntries(Object.entries(form).toReversed()))).toEqual(first);
});

test('F1: after 30 seconds a used token ends the whole family: newest refresh token and every access token', async () => {
  const { refresh, access, clientId } = await signedIn();
  const second = tokensOf(await post(refreshForm(refresh, clientId)));
  later(31_000);
  expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
  expect(await Promise.all([isAlive(access), isAlive(second.access)])).toEqual([false, false]);
  expect(verdict(await post(refreshForm(second.refresh, clientId)))).toBe('400 invalid_grant');
});

test('F1: a token used two rotations ago ends the family too', async () => {
  const { refresh, clientId } = await signedIn();
  const second = tokensOf(await post(refreshForm(refresh, clientId)));
  later(31_000);
  const third = tokensOf(await post(refreshForm(second.refresh, clientId)));
  expect(await isAlive(third.access)).toBe(true);
  expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
  expect(await isAlive(third.access)).toBe(false);
});

test('F1: within the window another request with the used token gets nothing and ends nothing', async () => {
  const { refresh, clientId } = await signedIn();
  const second = tokensOf(await post(refreshForm(refresh, clientId)));
  expect(verdict(await post(refreshForm(refresh, clientId, { scope: 'audit:run' })))).toBe('400 invalid_grant');
  expect(await isAlive(second.access)).toBe(true);
  expect((await post(refreshForm(second.refresh, clientId))).status).toBe(200);
});

test('F2: eight refreshes at once are one rotation with eight same answers', async () => {
  const { refresh, clientId } = await signedIn();
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(refreshForm(refresh, clientId))));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  const [answer] = answers;
  if (answer === undefined) throw new Error('no answer');
  expect((await post(refreshForm(tokensOf(answer).refresh, clientId))).status).toBe(200);
});

test.each([
  ['F4: more scope', { scope: 'audit:run credits:use' }, '400 invalid_scope'],
  ['F4: other scope', { scope: 'operator' }, '400 invalid_scope'],
  ['F5: another resource', { resource: CONTROL }, '400 invalid_target'],
  ['a secret of a public client', { client_secret: 'guess' }, '401 invalid_client'],
])('%s is refused and nothing is lost', async (_, over, expected) => {
  const { refresh, access, clientId } = await signedIn();
  expect(verdict(await post(refreshForm(refresh, clientId, over)))).toBe(expected);
  expect(await isAlive(access)).toBe(true);
  expect((await post(refreshForm(refresh, clientId))).status).toBe(200);
});

test('F3: another client is refused and nothing is lost', async () => {
  const { refresh, access, clientId } = await signedIn();
  const thief = await otherClient();
  expect(verdict(await post(refreshForm(refresh, thief)))).toBe('400 invalid_grant');
  expect(await isAlive(access)).toBe(true);
  expect((await post(refreshForm(refresh, clientId))).status).toBe(200);
});

test('F3: a confidential client needs its secret, for the repeated answer too', async () => {
  const made = json(await register({ token_endpoint_auth_method: 'client_secret_post' }));
  const clientId = String(made['client_id']);
  const secret = { client_secret: String(made['client_secret']) };
  const { code } = await approve({ clientId });
  const { refresh } = tokensOf(await post(codeForm(code, clientId, secret)));
  expect((await post(refreshForm(refresh, clientId, secret))).status).toBe(200);
  expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
  expect(verdict(await post(refreshForm(refresh, clientId, { client_secret: 'guess' })))).toBe('400 invalid_grant');
  expect((await post(refreshForm(refresh, clientId, secret))).status).toBe(200);
});

test('F4: less scope is granted, and the grant keeps the rest', async () => {
  const { refresh, clientId } = await signedIn({ scope: ['audit:run', 'credits:use'] });
  const answer = await post(refreshForm(refresh, clientId, { scope: 'audit:run' }));
  expect(json(answer)['scope']).toBe('audit:run');
  const next = await post(refreshForm(tokensOf(answer).refresh, clientId));
  expect(json(next)['scope']).toBe('audit:run credits:use');
});

test('F6: revoking the refresh token (RFC 7009) ends its grant: no refresh, no access, no repeated answer', async () => {
  const { refresh, clientId } = await signedIn();
  const second = tokensOf(await post(refreshForm(refresh, clientId)));
  const revoked = await post({ token: second.refresh, token_type_hint: 'refresh_token', client_id: clientId });
  expect(revoked).toMatchObject({ status: 200, body: '' });
  expect(await isAlive(second.access)).toBe(false);
  expect(verdict(await post(refreshForm(second.refresh, clientId)))).toBe('400 invalid_grant');
  expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
});

test('F6: another client cannot revoke', async () => {
  const { refresh, access } = await signedIn();
  const thief = await otherClient();
  expect((await post({ token: refresh, client_id: thief })).status).toBe(200);
  expect(await isAlive(access)).toBe(true);
});

test('F7: rotation, repeated answer and reuse outlive an eviction of the object', async () => {
  const { refresh, access, clientId } = await signedIn();
  const first = await post(refreshForm(refresh, clientId));
  await evictDurableObject(stub());
  expect(await post(refreshForm(refresh, clientId))).toEqual(first);
  later(31_000);
  await evictDurableObject(stub());
  expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
  expect(await isAlive(access)).toBe(false);
});

test('a copy of the table holds no token, no code and no address in the clear but the account row', async () => {
  const { refresh, access, code, clientId } = await signedIn();
  const second = tokensOf(await post(refreshForm(refresh, clientId)));
  const table = await runInDurableObject(stub(), (_, state) =>
    JSON.stringify(state.storage.sql.exec('SELECT key, value FROM rows').toArray()),
  );
  expect(table).toContain('own:refresh:answer:');
  for (const secret of [refresh, access, code, second.refresh, second.access]) {
    expect(table).not.toContain(secret);
    expect(table).not.toContain(secret.split(':')[2]);
  }
});

test('a refresh token is dead after 30 days', async () => {
  const { refresh, clientId } = await signedIn();
  later(30 * 86_400_000);
  expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
});

test('an access token is dead after an hour', async () => {
  const { access } = await signedIn();
  later(3_601_000);
  expect(await isAlive(access)).toBe(false);
});

test.each(['', 'x', 'a:b', 'a:b:c:d', '::', `a:b:${'c'.repeat(600)}`])(
  'garbage is no refresh token: %s',
  async (token) => {
    const { clientId } = await signedIn();
    expect(verdict(await post(refreshForm(token, clientId)))).toBe(
      token === '' ? '400 invalid_request' : '400 invalid_grant',
    );
  },
);

test('F3: a used token of a client with a Basic header gives its answer to nobody without that header', async () => {
  const made = json(await register({ token_endpoint_auth_method: 'client_secret_basic' }));
  const clientId = String(made['client_id']);
  const basic = `Basic ${btoa(`${clientId}:${String(made['client_secret'])}`)}`;
  const { code } = await approve({ clientId });
  const { client_id: _, ...redeeming } = codeForm(code, clientId);
  const { refresh, access } = tokensOf(await post(redeeming, basic));
  const form = { grant_type: 'refresh_token', refresh_token: refresh };
  const first = await post(form, basic);
  expect(first.status).toBe(200);
  expect(verdict(await post(form))).toBe('400 invalid_grant');
  expect(verdict(await post(form, `Basic ${btoa(`${clientId}:guess`)}`))).toBe('400 invalid_grant');
  expect(await post(form, basic)).toEqual(first);
  expect(await isAlive(access)).toBe(true);
});

test('a forged token of a grant ends nothing, however often that grant was refreshed', async () => {
  const { refresh, access, clientId } = await signedIn();
  const [userId, grantId] = refresh.split(':');
  await inside(({ rows }) => {
    for (let n = 0; n < 2_000; n += 1) rows.put(`own:refresh:used:${userId}:${grantId}:${n}`, true);
  });
  expect(verdict(await post(refreshForm(`${userId}:${grantId}:x`, clientId)))).toBe('400 invalid_grant');
  expect(await isAlive(access)).toBe(true);
});

describe('A5: the client whose reserved credits are free again', () => {
  const ended = async (form: Form) => {
    const body = new URLSearchParams(form).toString();
    const contentType = 'application/x-www-form-urlencoded';
    const outcome = await store().token({ contentType, authorization: null, body });
    return outcome.kind === 'answer' ? outcome.ended : outcome;
  };

  test('is named when its last refresh token is revoked (RFC 7009)', async () => {
    const { refresh, clientId, userId } = await signedIn();
    expect(await ended({ token: refresh, client_id: clientId })).toEqual({ accountId: userId, clientId });
    expect(await ended({ token: refresh, client_id: clientId })).toBeUndefined();
  });

  test('is named when a used refresh token ends the family', async () => {
    const { refresh, clientId, userId } = await signedIn();
    expect(await ended(refreshForm(refresh, clientId))).toBeUndefined();
    later(31_000);
    expect(await ended(refreshForm(refresh, clientId))).toEqual({ accountId: userId, clientId });
  });

  test('is nobody while another of its grants lives, or when another client asks', async () => {
    const { refresh, clientId, userId } = await signedIn();
    await inside(({ rows }) => rows.put(`kv:grant:${userId}:other`, { value: JSON.stringify({ clientId }) }));
    const thief = await otherClient();
    expect(await ended({ token: refresh, client_id: thief })).toBeUndefined();
    expect(await ended({ token: refresh, client_id: clientId })).toBeUndefined();
  });

  test('is nobody when an access token is revoked: the grant lives on', async () => {
    const { access, refresh, clientId } = await signedIn();
    expect(await ended({ token: access, client_id: clientId })).toBeUndefined();
    expect((await post(refreshForm(refresh, clientId))).status).toBe(200);
  });
});

test('a grant ends at its 2,001st rotation', async () => {
  const { refresh, access, clientId } = await signedIn();
  const [userId, grantId] = refresh.split(':');
  await inside(({ rows }) => {
    for (let n = 0; n < 2_000; n += 1) rows.put(`own:refresh:used:${userId}:${grantId}:${n}`, true);
  });
  expect(verdict(await post(refreshForm(refresh, clientId)))).toBe('400 invalid_grant');
  expect(await isAlive(access)).toBe(false);
});
