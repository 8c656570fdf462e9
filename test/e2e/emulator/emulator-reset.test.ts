import { afterAll, expect, test } from 'vitest';
import {
  emailsOf,
  killEmulators,
  LIST_USERS,
  startEmulator,
  type StartedEmulator,
  userBody,
  USERS,
  writeTemporaryFile,
} from '../../support/stack/emulator.ts';

afterAll(killEmulators);

const entry = { logName: 'projects/local/logs/app', resource: { type: 'global' }, textPayload: 'from the seed' };
const seed = writeTemporaryFile('seed.json', {
  version: 1,
  tenants: [
    {
      id: 'C00000001',
      generate: { users: 20, groups: 2, membersPerGroup: 3 },
      calls: [{ method: 'directory.users.insert', body: userBody('ada') }],
      entries: [entry],
    },
    {
      id: 'C00000002',
      project: 'second',
      calls: [{ method: 'directory.users.insert', body: userBody('bo', 'c00000002.example.com') }],
    },
  ],
});
const faults = writeTemporaryFile('faults.json', [{ method: 'directory.users.delete', status: 503, times: 1 }]);
const NOW = '2026-01-15T09:00:00.000Z';
const second = { 'x-emulator-tenant': 'C00000002' };

const start = () =>
  startEmulator(['--no-auth', '--seed', seed, '--faults', faults, '--clock', NOW, '--random-seed', 'r1']);
const listEntries = async (emulator: StartedEmulator): Promise<string[]> => {
  const { body } = await emulator.call('/v2/entries:list', { body: { resourceNames: ['projects/local'] } });
  return (body.entries ?? []).map(({ textPayload }: { textPayload: string }) => textPayload);
};
const insert = async (emulator: StartedEmulator, name: string) =>
  (await emulator.call(USERS, { body: userBody(name) })).body;

test('a reset brings back the seed: users, entries, clock, ids, faults, other tenants', async () => {
  const emulator = await start();
  const before = (await emulator.call(LIST_USERS)).body;
  expect(emailsOf(before)).toHaveLength(21);
  expect(await listEntries(emulator)).toEqual(['from the seed']);
  const seen: unknown[] = [];
  for (let round = 0; round < 3; round += 1) {
    const cy = await insert(emulator, 'cy');
    seen.push([cy.id, cy.creationTime]);
    expect((await emulator.call(`${USERS}/ada@example.com`, { method: 'DELETE' })).status).toBe(503);
    expect((await emulator.call(`${USERS}/ada@example.com`, { method: 'DELETE' })).status).toBe(204);
    await emulator.call('/v2/entries:write', { body: { entries: [{ ...entry, textPayload: 'by a test' }] } });
    await emulator.call('/v1/tenants/C00000001:clock', { body: { mode: 'running' } });
    await emulator.call(`${USERS}/bo@c00000002.example.com`, { method: 'DELETE', headers: second });
    expect((await emulator.call('/v1/reset', { method: 'POST' })).body.tenants).toEqual(['C00000001', 'C00000002']);
    expect((await emulator.call(LIST_USERS)).body.users.map(({ id }: { id: string }) => id)).toEqual(
      before.users.map(({ id }: { id: string }) => id),
    );
    expect(emailsOf((await emulator.call(LIST_USERS, { headers: second })).body)).toEqual(['bo@c00000002.example.com']);
    expect(await listEntries(emulator)).toEqual(['from the seed']);
    expect((await emulator.call('/v1/tenants/C00000001')).body).toMatchObject({
      clock: { mode: 'frozen', nowMs: Date.parse(NOW) },
      faults: 1,
    });
  }
  expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(seen[0]).toEqual([expect.any(String), NOW]);
  await emulator.stop();
  const again = await start();
  expect([(await insert(again, 'cy')).id, NOW]).toEqual(seen[0]);
  await again.stop();
});

test('a reset brings back what controls took away, and takes away what they made', async () => {
  const emulator = await start();
  const fourth = { 'x-emulator-tenant': 'C00000004' };
  const calls = [{ method: 'directory.users.insert', body: userBody('ed', 'c00000004.example.com') }];
  await emulator.call('/v1/tenants/C00000004:seed', { body: { calls }, headers: fourth });
  await emulator.call('/v1/tenants/C00000001:snapshot', { body: { name: 'mine' } });
  await emulator.call('/v1/tenants/C00000001:reset', { body: {} });
  expect(await listEntries(emulator)).toEqual([]);
  await emulator.call('/v1/reset', { method: 'POST' });
  expect(await listEntries(emulator)).toEqual(['from the seed']);
  expect(emailsOf((await emulator.call(LIST_USERS)).body)).toHaveLength(21);
  expect(emailsOf((await emulator.call(LIST_USERS, { headers: fourth })).body)).toEqual([]);
  expect((await emulator.call('/v1/tenants/C00000001/snapshots')).body.snapshots).toMatchObject([{ name: 'mine' }]);
  await emulator.stop();
});

test('a tenant that no seed has begins empty, and is empty again after a reset', async () => {
  const emulator = await start();
  const third = { 'x-emulator-tenant': 'C00000003' };
  const body = userBody('di', 'c00000003.example.com');
  for (let round = 0; round < 2; round += 1) {
    expect((await emulator.call(USERS, { body, headers: third })).status).toBe(200);
    await emulator.call('/v1/reset', { body: {} });
  }
  expect(emailsOf((await emulator.call(LIST_USERS, { headers: third })).body)).toEqual([]);
  await emulator.call(USERS, { body, headers: third });
  await emulator.call('/v1/reset', { body: { tenants: ['C00000001'] } });
  expect(emailsOf((await emulator.call(LIST_USERS, { headers: third })).body)).toHaveLength(1);
  expect((await emulator.call('/v1/reset', { body: { tenant: 'C00000001' } })).status).toBe(400);
  expect((await emulator.call('/v1/reset')).status).toBe(405);
  await emulator.stop();
});

test('clock, ids and faults of the run hold for a tenant that no seed has from its first call on', async () => {
  const emulator = await start();
  const headers = { 'x-emulator-tenant': 'C00000005' };
  const makeTwo = async () => {
    const names = ['flo', 'gus'];
    const made = await Promise.all(
      names.map((name) => emulator.call(USERS, { body: userBody(name, 'c00000005.example.com'), headers })),
    );
    expect(made.map(({ body }) => body.creationTime)).toEqual([NOW, NOW]);
    expect(emailsOf((await emulator.call(LIST_USERS, { headers })).body)).toHaveLength(names.length);
    return new Set<string>(made.map(({ body }) => body.id));
  };
  const ids = await makeTwo();
  expect((await emulator.call('/v1/faults', { headers })).body.faults).toHaveLength(1);
  await emulator.call('/v1/reset', { method: 'POST' });
  expect(await makeTwo()).toEqual(ids);
  await emulator.stop();
});

test('names of containers that tests used are free after a reset, and those of the seed are not', async () => {
  const emulator = await start();
  const write = async (project: string, tenant: string): Promise<number> => {
    const body = { entries: [{ ...entry, logName: `projects/${project}/logs/app` }] };
    return (await emulator.call('/v2/entries:write', { body, headers: { 'x-emulator-tenant': tenant } })).status;
  };
  for (const tenant of ['C00000001', 'C00000004', 'C00000006']) {
    expect(await write('shared', tenant)).toBe(200);
    expect(await write('shared', 'C00000002')).toBe(403);
    await emulator.call('/v1/reset', { method: 'POST' });
  }
  expect(await write('local', 'C00000004')).toBe(403);
  expect(await write('second', 'C00000001')).toBe(403);
  expect(await write('local', 'C00000001')).toBe(200);
  await emulator.stop();
});

test('an AI Search instance of a test is gone after a reset, with its items', async () => {
  const emulator = await startEmulator();
  const instances = '/client/v4/accounts/00000000000000000000000000000001/ai-search/instances';
  for (let round = 0; round < 2; round += 1) {
    const made = await emulator.call(instances, { body: { id: 'docs' } });
    expect(made.status).toBe(200);
    await emulator.call('/v1/reset', { method: 'POST' });
    expect((await emulator.call(instances)).body.result).toEqual([]);
  }
  await emulator.stop();
});
