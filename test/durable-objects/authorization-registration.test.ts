import { afterEach, expect, test, vi } from 'vitest';
import { approve, codeForm, inside, json, post, register, store, verdict } from './authorization-world.ts';

afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
const idOf = (answer: { body: string }): string => String(json(answer)['client_id']);
const need = async (clientId: string): Promise<string> => (await store().clientNeed(clientId, 'a')).kind;

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

test('G5: identical metadata is the identical client, whatever the order of its members', async () => {
  const first = await register();
  const second = await register({ grant_types: ['refresh_token', 'authorization_code'] }, '198.51.100.2');
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

test('A8: a client that nobody consented to dies after a day, and repeating its registration does not move that', async () => {
  const clientId = idOf(await register());
  later(22 * HOUR_MS);
  expect(idOf(await register())).toBe(clientId);
  later(1.9 * HOUR_MS);
  expect(await need(clientId)).toBe('known');
  later(0.2 * HOUR_MS);
  expect(await need(clientId)).toBe('unknown');
  expect(idOf(await register())).not.toBe(clientId);
});

test('A8: a repetition in the last hour starts the day anew, which counts as a new client', async () => {
  const clientId = idOf(await register());
  later(23.5 * HOUR_MS);
  for (let n = 0; n < 19; n += 1) expect((await register({ client_name: `Desk ${n}` })).status).toBe(201);
  expect(idOf(await register())).toBe(clientId);
  expect((await register({ client_name: 'Desk 19' })).status).toBe(429);
  later(23 * HOUR_MS);
  expect(await need(clientId)).toBe('known');
  expect(idOf(await register({}, '198.51.100.2'))).toBe(clientId);
  later(1.1 * HOUR_MS);
  expect(await need(clientId)).toBe('unknown');
});

test('A8: who may register nothing more can prolong nothing either', async () => {
  const clientId = idOf(await register());
  later(23.5 * HOUR_MS);
  await inside(({ rows }) => {
    for (let n = 0; n < 20_000; n += 1) rows.put(`own:client:unused:${n}`, true);
  });
  expect(idOf(await register())).toBe(clientId);
  later(0.6 * HOUR_MS);
  expect(await need(clientId)).toBe('unknown');
});

test('A8: the 301st repetition of a caller in an hour answers 429; other callers go on', async () => {
  const clientId = idOf(await register());
  const endsAtMs = Date.now() + HOUR_MS;
  await inside(({ rows }) => rows.put('own:registration:repeats:198.51.100.1', { count: 299, endsAtMs }, endsAtMs));
  expect(idOf(await register())).toBe(clientId);
  expect((await register()).status).toBe(429);
  expect(idOf(await register({}, '198.51.100.2'))).toBe(clientId);
});

test('A8: what identical registrations are found by ends with an unused client, and lives on with a used one', async () => {
  const unused = idOf(await register());
  const used = idOf(await register({ client_name: 'Desk 2' }));
  await approve({ clientId: used });
  const marks = () => inside(({ rows }) => rows.count('own:registration:same:'));
  expect(await marks()).toBe(2);
  later(25 * HOUR_MS);
  expect(await marks()).toBe(1);
  expect(idOf(await register({ client_name: 'Desk 2' }))).toBe(used);
  expect(idOf(await register())).not.toBe(unused);
});

test('A8: a client that somebody consented to lives 90 days, and its tokens prolong that', async () => {
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

test('G1: the 21st new client of a caller in an hour answers 429 with Retry-After; other callers go on', async () => {
  for (let n = 0; n < 20; n += 1) expect((await register({ client_name: `Desk ${n}` })).status).toBe(201);
  const refused = await register({ client_name: 'Desk 20' });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600);
  expect((await register({ client_name: 'Desk 20' }, '198.51.100.2')).status).toBe(201);
  expect((await register({ client_name: 'Desk 3' })).status).toBe(201);
  later(HOUR_MS);
  expect((await register({ client_name: 'Desk 20 again' })).status).toBe(201);
});

test('G1, A8: 2,000 new clients an hour or 20,000 unused ones are the ceiling for everybody', async () => {
  const endsAtMs = Date.now() + 60_000;
  await inside(({ rows }) => rows.put('own:registration:all:', { count: 2_000, endsAtMs }, endsAtMs));
  expect((await register()).status).toBe(429);
  await inside(({ rows }) => {
    rows.delete('own:registration:all:');
    for (let n = 0; n < 20_000; n += 1) rows.put(`own:client:unused:${n}`, true);
  });
  expect((await register()).status).toBe(429);
});

test('a refused registration counts for nothing', async () => {
  for (let n = 0; n < 30; n += 1) expect((await register({ redirect_uris: [] })).status).toBe(400);
  expect((await register()).status).toBe(201);
});

test.each([
  ['G2: more than 8 KiB', JSON.stringify({ client_name: 'x'.repeat(8_200) }), '413 invalid_client_metadata'],
  ['no JSON', '{', '400 invalid_client_metadata'],
  ['an array', '[]', '400 invalid_client_metadata'],
  ['nothing', '', '400 invalid_client_metadata'],
])('%s is refused', async (_, body, expected) => {
  expect(verdict(await store().register({ body, caller: 'a' }))).toBe(expected);
});
