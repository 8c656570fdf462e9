import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { bytesOf, call, json, objectsOfTenants, USERS } from './world.ts';

const TENANT = 'C00000001';
/** Live: the operator's own tenant of this deployment. */
const LIVE = 'C0000live';

type Control = [method: string, path: string, body?: object];

const controls = (tenant: string): readonly Control[] => [
  ['GET', `/v1/tenants/${tenant}`],
  ['POST', `/v1/tenants/${tenant}:reset`, {}],
  ['POST', `/v1/tenants/${tenant}:seed`, { generate: { users: 1 } }],
  ['POST', `/v1/tenants/${tenant}:snapshot`, { name: 'one' }],
  ['POST', `/v1/tenants/${tenant}:restore`, { name: 'one' }],
  ['POST', `/v1/tenants/${tenant}:clock`, { mode: 'running' }],
  ['POST', `/v1/tenants/${tenant}:settings`, { strict_put: true }],
  ['GET', `/v1/tenants/${tenant}/snapshots`],
  ['DELETE', `/v1/tenants/${tenant}/snapshots/one`],
];
const faults: readonly Control[] = [
  ['GET', '/v1/faults'],
  ['POST', '/v1/faults', { method: '*', status: 503 }],
  ['DELETE', '/v1/faults/f1'],
  ['DELETE', '/v1/faults'],
];

const send = ([method, path, body]: Control, token?: string): Promise<Response> =>
  call(path, { method, ...(body === undefined ? {} : { body }), ...(token === undefined ? {} : { token }) });

describe('K2: the controls of tenants', () => {
  test.each([...controls(LIVE), ...faults])('%s %s is not there for a live tenant', async (...control) => {
    const before = await objectsOfTenants();
    const answer = await send(control, tokenFor({ tenant: LIVE }));
    expect([answer.status, await answer.json()]).toEqual([404, noSandbox]);
    expect(await objectsOfTenants()).toBe(before);
  });

  test.each(controls('C00000002'))('%s %s of another tenant answers as one of nobody', async (...control) => {
    const [method, path, body] = control;
    const answer = await send(control);
    expect([answer.status, await answer.json()]).toEqual([404, noSandbox]);
    const nobodys = await send([
      method,
      path.replace('C00000002', 'C0000nobody'),
      ...(body === undefined ? [] : [body]),
    ] as Control);
    expect([nobodys.status, await nobodys.json()]).toEqual([404, noSandbox]);
  });

  test.each([...controls(TENANT), ...faults])('%s %s needs the scope emulator', async (...control) => {
    const answer = await send(control, tokenFor({ scopes: ['admin.directory.user', 'cloud-platform'] }));
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="emulator"');
    expect((await call(control[1], { method: control[0], token: null })).status).toBe(401);
  });

  test.each([...controls(TENANT), ...faults])('%s %s is refused in a batch', async (method, path, body) => {
    const answer = await call('/batch', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: `--b\r\nContent-Type: application/http\r\n\r\n${method} ${path} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(body ?? {})}\r\n--b--\r\n`,
    });
    expect(await answer.text()).toContain('HTTP/1.1 404 Not Found');
  });
});

const noSandbox = { error: { code: 404, message: 'There is no such sandbox tenant.', status: 'NOT_FOUND' } };

test('a snapshot brings a tenant back after a reset', async () => {
  const path = `/v1/tenants/${TENANT}`;
  const body = {
    primaryEmail: 'ada@example.com',
    name: { givenName: 'Ada', familyName: 'L' },
    password: 'correct horse',
  };
  expect((await call(USERS, { method: 'POST', body })).status).toBe(200);
  expect((await send(['POST', `${path}:snapshot`, { name: 'one' }])).status).toBe(200);
  expect(await json(send(['GET', `${path}/snapshots`]))).toMatchObject({ snapshots: [{ name: 'one' }] });
  expect((await send(['POST', `${path}:reset`, {}])).status).toBe(200);
  expect((await call(`${USERS}/ada@example.com`)).status).toBe(404);
  expect((await send(['POST', `${path}:restore`, { name: 'one' }])).status).toBe(200);
  expect((await call(`${USERS}/ada@example.com`)).status).toBe(200);
  expect((await send(['DELETE', `${path}/snapshots/one`])).status).toBe(204);
  expect((await send(['POST', `${path}:restore`, { name: 'one' }])).status).toBe(404);
});

test('strict_put is set, shown, and holds for the next PUT', async () => {
  const path = `/v1/tenants/${TENANT}`;
  const group = '/admin/directory/v1/groups/team@example.com';
  const body = { email: 'team@example.com', name: 'The team', description: 'All of us' };
  expect((await call('/admin/directory/v1/groups', { method: 'POST', body })).status).toBe(200);
  expect(await json(call(group, { method: 'PUT', body: { name: 'Crew' } }))).toMatchObject({
    description: 'All of us',
  });
  expect(await json(send(['POST', `${path}:settings`, { strict_put: true }]))).toEqual({ strict_put: true });
  expect(await json(send(['GET', path]))).toMatchObject({ settings: { strict_put: true } });
  expect(await json(call(group, { method: 'PUT', body: { name: 'Crew' } }))).toMatchObject({ description: '' });
  expect((await send(['POST', `${path}:settings`, { strict_put: 'yes' }])).status).toBe(400);
});

describe('K1: the calls of a seed', () => {
  const sink = (name: string) => ({
    method: 'logging.projects.sinks.list',
    params: { parent: `projects/${name}` },
  });
  const seed = (calls: readonly object[]): Promise<Response> => send(['POST', `/v1/tenants/${TENANT}:seed`, { calls }]);
  const registry = () => env.TENANT_REGISTRY.getByName('tenants');

  beforeEach(async () => {
    for (const tenant of [TENANT, 'C0000other']) await registry().tenant(tenant, 'sandbox'); // The Worker knows them.
  });

  test('are none where one of them names what another tenant has, in path or body', async () => {
    expect(await registry().claim('C0000other', 'projects/theirs')).toBe('own');
    const user = {
      method: 'directory.users.insert',
      body: { primaryEmail: 'eve@example.com', name: { givenName: 'E', familyName: 'V' }, password: 'correct horse' },
    };
    const customer = { method: 'directory.users.list', params: { customer: 'C0000other' } };
    const wrote = { method: 'logging.entries.list', body: { resourceNames: ['projects/theirs'] } };
    for (const foreign of [sink('theirs'), wrote, customer]) {
      const answer = await seed([user, foreign]);
      expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 403 } }]);
    }
    expect((await call(`${USERS}/eve@example.com`)).status).toBe(404);
  });

  test('claim the names that they have, as calls by HTTP do', async () => {
    const { calls } = await json<{ calls: { ok: boolean }[] }>(seed([sink('seeded'), { method: 'none' }]));
    expect(calls.map(({ ok }) => ok)).toEqual([true, false]);
    expect(await registry().claim('C0000other', 'projects/seeded')).toBe('foreign');
  });

  test('name 500 containers together at most', async () => {
    const names = (from: number) => Array.from({ length: 100 }, (_, at) => `projects/n${from + at}`);
    const lists = [0, 100, 200, 300, 400, 401].map((from) => ({
      method: 'logging.entries.list',
      body: { resourceNames: names(from) },
    }));
    const answer = await seed(lists);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { message: 'A seed may name at most 500 containers' } },
    ]);
    expect(await registry().claim('C0000other', 'projects/n0')).toBe('own');
  });
});

test('a fault strikes the method that it names, and no other, until it is taken away', async () => {
  const fault = { method: 'directory.users.get', status: 503, retryAfterS: 7 };
  const { id } = await json<{ id: string }>(send(['POST', '/v1/faults', fault]));
  const struck = await call(`${USERS}/ada@example.com`);
  expect([struck.status, struck.headers.get('retry-after')]).toEqual([503, '7']);
  expect((await call(`${USERS}?customer=my_customer`)).status).toBe(200);
  expect(await json(send(['GET', '/v1/faults']))).toMatchObject({ faults: [{ id, struck: 1 }] });
  expect((await send(['DELETE', `/v1/faults/${id}`])).status).toBe(204);
  expect((await call(`${USERS}/ada@example.com`)).status).toBe(404);
});

test.each<[string, unknown, number]>([
  ['an unknown member', { colour: 'red' }, 400],
  ['another type', [], 400],
  ['broken JSON', '{', 400],
  ['broken UTF-8 in a text', bytesOf('{"randomSeed":"#"}').map((byte) => (byte === 0x23 ? 0xff : byte)), 400],
])('a body with %s is refused by what is wrong with it', async (_what, body, status) => {
  const answer = await call(`/v1/tenants/${TENANT}:reset`, { method: 'POST', body });
  expect([answer.status, await json(answer)]).toMatchObject([status, { error: { status: 'INVALID_ARGUMENT' } }]);
});

test.each([
  '/v1/tenants',
  '/v1/tenants/C00000001:explode',
  '/v1/tenants/C00000001/snapshots/a/b',
  '/v1/faults/',
  '/v1/faults/a:b',
])('%s is no control', async (path) => {
  expect((await call(path, { method: 'POST', body: {} })).status).toBe(404);
});

test('rows of the quota interface under /v1 are not taken for controls', async () => {
  const { status } = await call('/v1/projects/quotas-of-ours/locations/global/quotaPreferences?pageToken=none');
  expect([400, 403]).toContain(status); // By the row's own handler, or its tenancy.
});
