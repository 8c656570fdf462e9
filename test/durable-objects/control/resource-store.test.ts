import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { COLLECTIONS, DIRECTORY_NAMESPACES } from '../../../src/management/interfaces/directory/rows.ts';
import { createResourceStore } from '../../../src/management/core/engine/resources.ts';
import type { NewRow } from '../../../src/management/core/engine/stored-row.ts';
import type { TenantEmulator } from '../../../src/management/core/tenant-object.ts';
import { bodyOf, costOf, sandbox, textIn, USER } from './tenants.ts';

const { store, tenant, call } = sandbox();

const getUser = (userKey: string) => call('directory.users.get', { path: { userKey } });

/** Puts users into the store as the directory keeps them, without making each by a call. */
const fill = (count: number) =>
  runInDurableObject(store(), (_, { storage }) => {
    const resources = createResourceStore(storage.sql);
    for (let from = 0; from < count; from += 5_000) {
      const rows = Array.from({ length: Math.min(5_000, count - from) }, (_each, offset): NewRow => {
        const id = String(100_000_000_000_000_000_000n + BigInt(from + offset));
        const primaryEmail = `user-${id}@example.com`;
        const body = { id, primaryEmail, name: { givenName: 'Ada', familyName: 'Abe' }, orgUnitPath: '/' };
        return { collection: COLLECTIONS.users, parent: '', id, s1: primaryEmail, s2: 'abe', s3: 'ada', body };
      });
      const names = rows.map((row) => ({
        namespace: DIRECTORY_NAMESPACES.email,
        name: row.s1 ?? '',
        owner: row,
        primary: true,
      }));
      storage.transactionSync(() => resources.insertMany(rows, names));
    }
  });

describe('what a call costs the tenant', () => {
  beforeEach(async () => {
    bodyOf(await call('directory.users.insert', { body: USER }));
    await getUser('ada@example.com'); // What the object does when it starts is done.
  });

  test.each(['ada@example.com', 'id'])(
    'K9: a get by %s is two SQL statements at most, and no transaction',
    async (key) => {
      const { id } = bodyOf(await getUser('ada@example.com'));
      const cost = await costOf(store(), async () => bodyOf(await getUser(key === 'id' ? textIn(id) : key)));
      expect(cost.statements).toBeGreaterThan(0);
      expect(cost.statements).toBeLessThanOrEqual(2);
      expect(cost).toMatchObject({ transactions: 0, rowsWritten: 0 });
      expect(cost.rowsRead).toBeLessThanOrEqual(4);
    },
  );

  test('a write is one transaction', async () => {
    const body = { ...USER, primaryEmail: 'second@example.com' };
    const cost = await costOf(store(), async () => bodyOf(await call('directory.users.insert', { body })));
    expect(cost.transactions).toBe(1);
  });

  test.each([
    { order: {}, what: 'by id or address' },
    { order: { orderBy: 'email' }, what: 'by address' },
    { order: { orderBy: 'familyName', sortOrder: 'DESCENDING' }, what: 'by a family name that all have' },
  ])('K9: a list of 500 of 100,000 users $what reads 501 rows at most, on any page', async ({ order }) => {
    await fill(100_000);
    const query = { customer: 'my_customer', maxResults: 500, ...order };
    const first = await call('directory.users.list', { query });
    const { nextPageToken } = bodyOf(first);
    const cost = await costOf(store(), async () => {
      expect(bodyOf(await call('directory.users.list', { query }))['users']).toHaveLength(500);
    });
    expect(cost.rowsRead).toBeLessThanOrEqual(501);
    const next = await costOf(store(), async () => {
      const page = bodyOf(
        await call('directory.users.list', { query: { ...query, pageToken: textIn(nextPageToken) } }),
      );
      expect(page['users']).toHaveLength(500);
    });
    expect(next.rowsRead).toBeLessThanOrEqual(501);
    const get = await costOf(store(), async () => bodyOf(await getUser('user-100000000000000099999@example.com')));
    expect(get.rowsRead).toBeLessThanOrEqual(4);
  });
});

describe('the object of a tenant', () => {
  test('keeps data, salt and clock when it is restarted', async () => {
    await store().setClock(tenant, { mode: 'frozen', nowMs: 1_000_000_000_000 });
    const before = bodyOf(await call('directory.users.insert', { body: USER }));
    await evictDurableObject(store());
    expect(bodyOf(await getUser('ada@example.com'))).toMatchObject({ id: before['id'], etag: before['etag'] });
    expect(before['creationTime']).toBe('2001-09-09T01:46:40.000Z');
    expect(await store().status(tenant)).toMatchObject({
      value: { clock: { mode: 'frozen', nowMs: 1_000_000_000_000 } },
    });
  });

  test('keeps the tenant that it first heard of, whatever mode it is called with later', async () => {
    bodyOf(await call('directory.users.insert', { body: USER }));
    const asLive = { ...tenant, mode: 'live' } as const;
    expect(await store().status(asLive)).toMatchObject({ ok: true, value: { mode: 'sandbox' } });
    const live = sandbox('C0000live', 'live');
    await live.call('directory.users.list', { query: { customer: 'my_customer' } });
    const asSandbox = { ...live.tenant, mode: 'sandbox' } as const;
    expect(await live.store().reset(asSandbox, {})).toMatchObject({ ok: false, refusal: { status: 404 } });
  });

  test('refuses a call for another tenant', async () => {
    await call('directory.users.list', { query: { customer: 'my_customer' } });
    await expect(
      runInDurableObject(store(), (instance) =>
        (instance as unknown as TenantEmulator).status({ ...tenant, id: 'C00000002' }),
      ),
    ).rejects.toThrow('This object holds another tenant');
  });
});

describe('made-up data', () => {
  test('is made by steps that go on by themselves, and is done at last', async () => {
    const generate = { users: 2_500, groups: 20, membersPerGroup: 30, orgUnits: 15 };
    const begun = await store().seed(tenant, { generate });
    expect(begun).toMatchObject({ ok: true, value: { progress: { state: 'running', orgUnits: 15 } } });
    await vi.waitUntil(async () => {
      await runDurableObjectAlarm(store()); // It also comes by itself.
      const now = await store().status(tenant);
      return now.ok && now.value.seeding?.state === 'done';
    }, 20_000);
    const status = await store().status(tenant);
    expect(status).toMatchObject({
      value: {
        seeding: { state: 'done', users: 2_500, groups: 20, memberships: 600, orgUnits: 15 },
        rows: { 'directory.users': 2_500, 'directory.groups': 20, 'directory.members': 600, 'directory.orgunits': 16 },
      },
    });
    const page = bodyOf(await call('directory.users.list', { query: { customer: 'my_customer', maxResults: 500 } }));
    expect(page['users']).toHaveLength(500);
    const members = await call('directory.members.list', { path: { groupKey: 'accounting-1@example.com' }, query: {} });
    expect(bodyOf(members)['members']).toHaveLength(30);
  });

  test('K9: no step needs more than 5,000 SQL statements', async () => {
    const cost = await costOf(store(), () =>
      store().seed(tenant, { generate: { users: 2_000, groups: 0, membersPerGroup: 0, orgUnits: 0 } }),
    );
    expect(cost.statements).toBeLessThanOrEqual(5_000);
  });
});

test('a snapshot of this object is put back by this object, and its chunks are rows below 1 MiB', async () => {
  await fill(20_000);
  bodyOf(await call('directory.users.insert', { body: USER }));
  expect(await store().snapshot(tenant, 'full')).toMatchObject({ ok: true, value: { name: 'full' } });
  const largest = await runInDurableObject(store(), (_, { storage }) =>
    storage.sql.exec<{ bytes: number }>('SELECT max(length(CAST(text AS BLOB))) AS bytes FROM snapshot_chunk').one(),
  );
  expect(largest.bytes).toBeGreaterThan(100_000);
  expect(largest.bytes).toBeLessThanOrEqual(1_048_576);
  await store().reset(tenant, {});
  expect(await getUser('ada@example.com')).toMatchObject({ ok: false, refusal: { status: 404 } });
  expect(await store().restore(tenant, 'full')).toMatchObject({ value: { rows: { 'directory.users': 20_001 } } });
  expect(bodyOf(await getUser('ada@example.com'))).toMatchObject({ primaryEmail: 'ada@example.com' });
});
