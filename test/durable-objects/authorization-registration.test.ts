import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClientDirectory } from '../../src/authorization/clients/clients.ts';
import { registerClient } from '../../src/authorization/clients/registration.ts';
import {
  approve,
  codeForm,
  inside,
  json,
  metadata,
  post,
  refreshForm,
  register,
  store,
  tokensOf,
  verdict,
} from './authorization-world.ts';

afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;
/** The start of an hour: ids of one hour are compared. */
const HOUR = Date.UTC(2026, 10, 23, 10);
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
const idOf = (answer: { body: string }): string => String(json(answer)['client_id']);
const need = async (clientId: string): Promise<string> => (await store().clientNeed(clientId, 'a')).kind;
const allRows = (): Promise<number> => inside(({ rows }) => rows.count(''));

test('a registration answers 201 with what was registered, never to be cached', async () => {
  const answer = await register();
  expect(answer).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } });
  expect(json(answer)).toMatchObject({
    client_name: 'Desk',
    redirect_uris: ['https://app.example/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
  expect(json(answer)).not.toHaveProperty('client_secret');
});

test('G5: identical metadata is the identical client within an hour, whatever the order of its members', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: HOUR });
  const first = await register();
  later(HOUR_MS - 1);
  const second = await register({ grant_types: ['refresh_token', 'authorization_code'] });
  expect(idOf(second)).toBe(idOf(first));
  expect(idOf(await register({ client_name: 'Desk 2' }))).not.toBe(idOf(first));
});

test('G5: clients with secrets are never the same client', async () => {
  const method = { token_endpoint_auth_method: 'client_secret_basic' };
  const [first, second] = [json(await register(method)), json(await register(method))];
  expect(first['client_id']).not.toBe(second['client_id']);
  expect(first['client_secret']).not.toBe(second['client_secret']);
});

test('G6: a software statement changes nothing', async () => {
  const first = await register();
  const second = await register({ software_statement: 'eyJhbGciOiJub25lIn0.eyJjbGllbnRfbmFtZSI6IkJhbmsifQ.' });
  expect(second.body).toBe(first.body);
});

test('A13: a logo is accepted and dropped', async () => {
  expect(json(await register({ logo_uri: 'https://app.example/logo.png' }))).not.toHaveProperty('logo_uri');
});

test('B6: registrations store nothing, however many there are', async () => {
  await register();
  const before = await allRows();
  for (let n = 0; n < 2_500; n += 1) expect((await register({ client_name: `Desk ${n}` })).status).toBe(201);
  expect(await allRows()).toBe(before);
  expect((await register({ client_name: 'An honest one' })).status).toBe(201);
});

test('B6: a client becomes a row by its first consent, and by nothing else', async () => {
  const clientId = idOf(await register());
  const clients = () => inside(({ rows }) => rows.count('kv:client:'));
  expect(verdict(await post(codeForm('a:b:c', clientId)))).toBe('401 invalid_client');
  expect(await clients()).toBe(0);
  const { code } = await approve({ clientId });
  expect(await clients()).toBe(1);
  expect((await post(codeForm(code, clientId))).status).toBe(200);
});

test.each(['client_secret_basic', 'client_secret_post'])(
  'B6: a client with %s works without a row, too',
  async (method) => {
    const answer = json(await register({ token_endpoint_auth_method: method }));
    const [clientId, secret] = [String(answer['client_id']), String(answer['client_secret'])];
    expect(answer['client_secret_expires_at']).toBe(Number(answer['client_id_issued_at']) + 90 * 86_400);
    const { code } = await approve({ clientId });
    const { client_id: _, ...form } = codeForm(code, clientId);
    const redeem = (given: string) =>
      method === 'client_secret_basic'
        ? post(form, `Basic ${btoa(`${clientId}:${given}`)}`)
        : post({ ...form, client_id: clientId, client_secret: given });
    expect(verdict(await redeem('wrong'))).toBe('401 invalid_client');
    expect((await redeem(secret)).status).toBe(200);
  },
);

test('A8: a client that someone consented to lives 90 days, and its tokens prolong that', async () => {
  const clientId = idOf(await register());
  await approve({ clientId });
  later(50 * 24 * HOUR_MS);
  const { code } = await approve({ clientId });
  expect((await post(codeForm(code, clientId))).status).toBe(200);
  later(89 * 24 * HOUR_MS);
  expect(await need(clientId)).toBe('known');
  later(2 * 24 * HOUR_MS);
  expect(await need(clientId)).toBe('unknown');
});

test('A8: metadata that makes the client id longer than 2,048 characters is refused', async () => {
  const redirects = (chars: number) => ({ redirect_uris: [`https://app.example/${'x'.repeat(chars)}`] });
  expect(idOf(await register(redirects(1_300))).length).toBeLessThanOrEqual(2_048);
  const refused = await register(redirects(1_500));
  expect(verdict(refused)).toBe('400 invalid_client_metadata');
  expect(json(refused)['error_description']).toContain('2048 characters');
});

describe('B6: clients of earlier versions, whose registrations were rows', () => {
  const ID = 'oldClientId12345';
  const put = (isUsed: boolean) =>
    inside(({ rows }) => {
      const endsAtMs = Date.now() + 24 * HOUR_MS;
      const client = {
        clientId: ID,
        redirectUris: metadata().redirect_uris,
        clientName: 'Desk',
        grantTypes: ['authorization_code', 'refresh_token'],
        responseTypes: ['code'],
        registrationDate: Math.floor(Date.now() / 1000),
        tokenEndpointAuthMethod: 'none',
        authMethodExplicit: true,
        registrationExpiresAt: Math.floor(Date.now() / 1000) + 90 * 86_400,
      };
      rows.put(`kv:client:${ID}`, { value: JSON.stringify(client) }, isUsed ? undefined : endsAtMs);
      if (!isUsed) rows.put(`own:client:unused:${ID}`, { endsAtMs, same: 'own:registration:same:x' }, endsAtMs);
    });

  test('one that nobody consented to can still be consented to, and then lives on', async () => {
    await put(false);
    expect(await need(ID)).toBe('known');
    const { code } = await approve({ clientId: ID });
    const { refresh } = tokensOf(await post(codeForm(code, ID)));
    later(25 * HOUR_MS);
    expect(await need(ID)).toBe('known');
    expect((await post(refreshForm(refresh, ID))).status).toBe(200);
  });

  test('one that nobody consents to dies after its day', async () => {
    await put(false);
    later(25 * HOUR_MS);
    expect(await need(ID)).toBe('unknown');
  });

  test('one with access keeps it, with tokens, refresh tokens and consents', async () => {
    await put(true);
    const { code } = await approve({ clientId: ID });
    const { refresh } = tokensOf(await post(codeForm(code, ID)));
    expect((await post(refreshForm(refresh, ID))).status).toBe(200);
    expect(await inside((tools) => createClientDirectory(tools).known(ID))).toBe(true);
  });
});

test.each([
  ['G2: more than 8 KiB', JSON.stringify({ client_name: 'x'.repeat(8_200) }), '413 invalid_client_metadata'],
  ['no JSON', '{', '400 invalid_client_metadata'],
  ['an array', '[]', '400 invalid_client_metadata'],
  ['nothing', '', '400 invalid_client_metadata'],
])('%s is refused', async (_, body, expected) => {
  expect(verdict((await registerClient(body, await store().sealingKeys(), Date.now())).answer)).toBe(expected);
});
