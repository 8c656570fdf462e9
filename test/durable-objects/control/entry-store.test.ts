import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CallAnswer, Call } from '../../../src/management/core/engine/operation.ts';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { EntryObject } from '../../../src/management/log-store/entry-object.ts';
import type { EntryOrder } from '../../../src/management/log-store/order.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { bodyOf, costOf } from './tenants.ts';

const tenant: Tenant = { id: 'C00000001', mode: 'sandbox', domain: 'example.com' };
const BUCKET = 'projects/p/locations/global/buckets/_Default';
const buckets = [{ name: BUCKET, retentionDays: 30 }];
const DAY_MS = 86_400_000;

// oxlint-disable-next-line typescript/no-redundant-type-constituents -- the linter does not know the types of Workers.
const store = () => env.ENTRY_STORE.getByName(tenant.id) as unknown as DurableObjectStub & EntryObject;

const run = (method: string, order: EntryOrder, body: JsonObject = {}): Promise<CallAnswer | null> => {
  const caller: Call['caller'] = { tenant: tenant.id, kind: 'service', userId: 'u', clientId: 'c', scopes: [] };
  return store().run(tenant, { method, path: {}, query: {}, body, caller }, order);
};

const write = async (entries: readonly JsonObject[], isOwn = false): Promise<void> => {
  const sink = 'projects/p/sinks/_Default';
  const route = { sink, filter: '', exclusions: [], target: { kind: 'bucket', bucket: BUCKET } } as const;
  const order = { do: 'write', nowMs: Date.now(), routes: { 'projects/p': [route] }, buckets } as const;
  const body = { logName: 'projects/p/logs/app', resource: { type: 'global' }, entries: [...entries] };
  const answer = await run('logging.entries.write', isOwn ? { ...order, isOwn } : order, body);
  expect(answer).toEqual({ ok: true, status: 200, body: {} });
};

const list = async (body: JsonObject = {}): Promise<JsonObject> => {
  const order = { do: 'list', nowMs: Date.now(), sources: [{ bucket: BUCKET }], buckets, salt: 's' } as const;
  const answer = await run('logging.entries.list', order, body);
  if (answer === null) throw new Error('No answer');
  return bodyOf(answer);
};
const countOf = ({ entries }: JsonObject): number => (Array.isArray(entries) ? entries.length : 0);

/** Writes a thousand entries of ten logs and nine severities at a time. */
const fill = async (thousands: number): Promise<void> => {
  const severities = ['DEFAULT', 'DEBUG', 'INFO', 'NOTICE', 'WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY'];
  for (let batch = 0; batch < thousands; batch += 1)
    await write(
      Array.from({ length: 1_000 }, (_, at) => ({
        logName: `projects/p/logs/log-${at % 10}`,
        severity: severities[Math.floor(at / 10) % 9] ?? '',
        textPayload: `entry ${batch} ${at}`,
      })),
    );
};

const rows = (): Promise<number> =>
  runInDurableObject(store(), (_, { storage }) =>
    Number(storage.sql.exec('SELECT count(*) AS n FROM entry').one()['n']),
  );

afterEach(() => vi.useRealTimers());

test('a thousand entries are one transaction, and little more than a statement for each', async () => {
  await write([{}]);
  const cost = await costOf(store(), () => fill(1));
  expect(cost.transactions).toBe(1);
  expect(cost.statements).toBeLessThanOrEqual(1_010);
});

test.each([
  'logName="projects/p/logs/log-3" AND severity>=ERROR',
  'log_id("log-3") severity=ALERT',
  'severity>=WARNING',
  'log_id("log-3")',
])('K9: of 20,000 entries, a page of 50 by %s reads at most ten rows for each', async (filter) => {
  await fill(20);
  for (const orderBy of ['timestamp asc', 'timestamp desc']) {
    let shown = 0;
    const cost = await costOf(store(), async () => {
      shown = countOf(await list({ filter, orderBy }));
    });
    expect(shown).toBe(50);
    expect(cost.rowsRead).toBeLessThanOrEqual(500);
    expect(cost.transactions).toBe(0);
  }
});

test('what was written is there after the object was evicted', async () => {
  await write([{ textPayload: 'a' }]);
  await evictDurableObject(store());
  await write([{ textPayload: 'b' }]);
  expect(await list()).toMatchObject({ entries: [{ textPayload: 'a' }, { textPayload: 'b' }] });
  expect(await store().isEmpty(tenant, BUCKET)).toBe(false);
});

test('K2: the alarm deletes entries when their bucket has kept them long enough', async () => {
  await write([{}, {}]);
  const wakeMs = await runInDurableObject(store(), (_, { storage }) => storage.getAlarm());
  const keptMs = (wakeMs ?? 0) - Date.now();
  expect(keptMs).toBeGreaterThan(30 * DAY_MS);
  expect(keptMs).toBeLessThanOrEqual(30 * DAY_MS + 3_600_000);
  expect(await runDurableObjectAlarm(store())).toBe(true);
  expect(await rows()).toBe(2);
  vi.useFakeTimers({ now: Date.now() + 31 * DAY_MS, toFake: ['Date'] });
  await runDurableObjectAlarm(store());
  expect(await rows()).toBe(0);
  expect(await store().isEmpty(tenant, BUCKET)).toBe(true);
});

describe('a reset', () => {
  test('K2: takes all entries but what the service wrote itself; the alarm deletes them', async () => {
    await fill(3);
    await write([{ textPayload: 'own' }], true);
    expect(await run('', { do: 'reset' })).toBeNull();
    expect(await list()).toMatchObject({ entries: [{ textPayload: 'own' }] });
    // Ninety streams, ten steps an alarm.
    for (let alarms = 0; alarms < 12 && (await rows()) > 1; alarms += 1) await runDurableObjectAlarm(store());
    expect(await rows()).toBe(1);
  });
});
