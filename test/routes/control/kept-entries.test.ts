import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Call } from '../../../src/management/core/engine/operation.ts';
import type { Caller, Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { EntryOrder } from '../../../src/management/log-store/order.ts';
import { askTenant } from '../../../routes/control/bindings/tenants.ts';
import { tokenFor } from '../../support/workers/control-tokens.ts';
import { call } from './world.ts';

const CALLER: Caller = { tenant: 'C00000001', kind: 'service', userId: 'a', clientId: 'test-client', scopes: [] };
const DAY_MS = 86_400_000;
const BUCKETS = 'projects/kept-project/locations/global/buckets';
const MINE = `${BUCKETS}/mine`;

/** A tenant whose sink sends everything to the bucket `mine`. */
async function tenantWith(id: string) {
  const token = tokenFor({ tenant: id });
  const send = async (method: string, path: string, body: object = {}): Promise<void> => {
    const answer = await call(path, { method, token, body });
    expect([path, answer.status, await answer.text()]).toEqual([path, 200, expect.any(String)]);
  };
  const project = `projects/kept-${id.toLowerCase()}`;
  const buckets = `${project}/locations/global/buckets`;
  const mine = `${buckets}/mine`;
  const destination = `logging.googleapis.com/${mine}`;
  await send('POST', `/v2/${buckets}?bucketId=mine`, {});
  await send('POST', `/v2/${project}/sinks`, { name: 'all', destination });
  const entries = [{ logName: `${project}/logs/app`, textPayload: 'kept' }];
  const write = () => send('POST', '/v2/entries:write', { resource: { type: 'global' }, entries });
  const store = env.ENTRY_STORE.getByName(id);
  const rows = (): Promise<unknown> =>
    runInDurableObject(store, (_, { storage }) =>
      storage.sql
        .exec('SELECT count(*) AS n FROM entry WHERE stream IN (SELECT id FROM stream WHERE bucket = ?)', mine)
        .one(),
    ).then(({ n }) => n);
  /** The alarms of the store of entries by then, while nobody calls. */
  const later = async (days: number): Promise<void> => {
    vi.useFakeTimers({ now: Date.now() + days * DAY_MS, toFake: ['Date'] });
    for (let alarms = 0; alarms < 3; alarms += 1) await runDurableObjectAlarm(store);
  };
  return { send, write, rows, later, mine, control: `/v1/tenants/${id}` };
}

afterEach(() => vi.useRealTimers());

describe('K2: entries are kept as long as their bucket is said to keep them, though nobody writes or reads any more', () => {
  test.each(['PATCH', 'POST'])('after a change by %s', async (method) => {
    const { send, write, rows, later, mine } = await tenantWith(`C0000kept${method.toLowerCase()}`);
    await write();
    const verb = method === 'POST' ? ':updateAsync' : '';
    await send(method, `/v2/${mine}${verb}?updateMask=retentionDays`, { retentionDays: 365 });
    await later(31);
    expect(await rows()).toBe(1);
    await later(335);
    expect(await rows()).toBe(0);
  });

  test('after a restore', async () => {
    const { send, write, rows, later, mine, control } = await tenantWith('C0000keptback');
    await send('POST', `${control}:snapshot`, { name: 'one' });
    await send('PATCH', `/v2/${mine}?updateMask=retentionDays`, { retentionDays: 1 });
    await write();
    await send('POST', `${control}:restore`, { name: 'one' });
    await later(2);
    expect(await rows()).toBe(1);
  });

  test('after a seed', async () => {
    const { send, write, rows, later, mine, control } = await tenantWith('C0000keptseed');
    await write();
    const method = 'logging.projects.locations.buckets.patch';
    const params = { name: mine, updateMask: 'retentionDays' };
    await send('POST', `${control}:seed`, { calls: [{ method, params, body: { retentionDays: 365 } }] });
    await later(31);
    expect(await rows()).toBe(1);
  });
});

test('entries of a deleted bucket are gone after seven days, and there is nobody who has to call', async () => {
  const { send, write, rows, later, mine } = await tenantWith('C0000keptgone');
  await write();
  await send('DELETE', `/v2/${mine}`);
  await later(6);
  expect(await rows()).toBe(1);
  await later(1);
  expect(await rows()).toBe(0);
});

test('that a bucket changed reaches the store of entries though it fails once', async () => {
  const tenant: Tenant = { id: 'C0000kepttwice', mode: 'sandbox', domain: 'example.com' };
  const orders: EntryOrder[] = [];
  const run = async (_tenant: Tenant, _call: Call, order: EntryOrder): Promise<null> => {
    orders.push(order);
    if (orders.length === 1) throw new Error('Broken');
    return null;
  };
  const begin = async (...sent: Parameters<typeof run>) => ({ answer: await run(...sent) });
  const failing = { ...env, ENTRY_STORE: { idFromName: String, get: () => ({ begin }) } };
  const made: Call = {
    method: 'logging.projects.locations.buckets.create',
    path: { parent: BUCKETS.slice(0, BUCKETS.lastIndexOf('/')) },
    query: { bucketId: 'mine' },
    body: {},
    caller: { ...CALLER, tenant: tenant.id },
  };
  expect(await askTenant(tenant, made, failing as never)).toMatchObject({ ok: true, status: 200 });
  const buckets = [{ name: MINE, retentionDays: 30, generation: expect.any(String) }];
  expect(orders[1]).toEqual({ do: 'buckets', buckets, madeMs: expect.any(Number) });
  expect(orders).toHaveLength(2);
});
