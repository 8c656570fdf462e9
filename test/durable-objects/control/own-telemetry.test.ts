import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Tenant } from '../../../src/management/core/engine/tenant.ts';
import type { EntryObject } from '../../../src/management/log-store/entry-object.ts';
import { type OwnRecords, serializeOwnRecords } from '../../../src/management/log-store/self-telemetry.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { MAX_SPANS_A_TRACE } from '../../../src/management/interfaces/tracing/rows.ts';
import { costOf } from './tenants.ts';

const tenant: Tenant = { id: 'C0ownrecords', mode: 'sandbox', domain: 'example.com' };
const PROJECT = 'projects/own';
const BUCKET = `${PROJECT}/locations/global/buckets/_Default`;
const ENTRIES = 200;
const TRACES = 5;
const SPANS_A_TRACE = 6;

// oxlint-disable-next-line typescript/no-redundant-type-constituents -- the linter does not know the types of Workers.
const store = () => env.ENTRY_STORE.getByName(tenant.id) as unknown as DurableObjectStub & EntryObject;

const order = (): OwnRecords['order'] => ({
  do: 'write',
  nowMs: Date.now(),
  routes: {
    [PROJECT]: [
      { sink: `${PROJECT}/sinks/_Default`, filter: '', exclusions: [], target: { kind: 'bucket', bucket: BUCKET } },
    ],
  },
  buckets: [{ name: BUCKET, retentionDays: 30 }],
});

const spanOf = (at: number) => {
  const traceId = (1 + Math.floor(at / SPANS_A_TRACE)).toString(16).padStart(32, '0');
  const spanId = (1 + at).toString(16).padStart(16, '0');
  const startTime = new Date().toISOString();
  const name = `${PROJECT}/traces/${traceId}/spans/${spanId}`;
  return { name, spanId, displayName: { value: 'work' }, startTime, endTime: startTime };
};

const records = (entries: number, spans: number): OwnRecords => ({
  project: PROJECT,
  order: order(),
  body: {
    logName: `${PROJECT}/logs/sightline-api`,
    resource: { type: 'generic_task', labels: {} },
    partialSuccess: true,
    entries: Array.from({ length: entries }, (_, at) => ({ insertId: `b-${at}`, jsonPayload: { event: 'sold', at } })),
  },
  spans: Array.from({ length: spans }, (_, at) => spanOf(at)),
});

const list = async (): Promise<unknown> => {
  const { nowMs, buckets } = order();
  const caller = { tenant: tenant.id, kind: 'service', userId: '', clientId: '', scopes: [] } as const;
  const call = { method: 'logging.entries.list', path: {}, query: {}, body: { pageSize: 1_000 }, caller };
  const answer = await store().run(tenant, call, {
    do: 'list',
    nowMs,
    sources: [{ bucket: BUCKET }],
    buckets,
    salt: '',
  });
  return answer !== null && answer.ok && 'body' in answer ? answer.body['entries'] : answer;
};

test('a batch of the service itself is a transaction of entries and one of spans, and few statements for each row', async () => {
  await store().keepOwn(tenant, serializeOwnRecords(records(0, 0)));
  const cost = await costOf(store(), async () => {
    const text = serializeOwnRecords(records(ENTRIES, TRACES * SPANS_A_TRACE));
    expect(await store().keepOwn(tenant, text)).toEqual({ refused: [], entries: 0, spans: 0 });
  });
  expect(cost.transactions).toBe(2);
  // An insert for each entry, a look and an insert for each span, two for each trace; the rest is there once.
  expect(cost.statements).toBeLessThanOrEqual(ENTRIES + 2 * TRACES * SPANS_A_TRACE + 2 * TRACES + 20);
  expect(await list()).toHaveLength(ENTRIES);
});

test('K2: what was kept so is the own of the service: a reset leaves it', async () => {
  await store().keepOwn(tenant, serializeOwnRecords(records(3, 1)));
  const caller = { tenant: tenant.id, kind: 'operator', userId: '', clientId: '', scopes: [] } as const;
  await store().run(tenant, { method: '', path: {}, query: {}, body: {}, caller }, { do: 'reset' });
  expect(await list()).toMatchObject(Array.from({ length: 3 }, () => ({ jsonPayload: { event: 'sold' } })));
});

test('entries that are refused are told of, and the spans are kept all the same', async () => {
  const { body, ...rest } = records(1, 1);
  expect(await store().keepOwn(tenant, serializeOwnRecords({ ...rest, body: { ...body, logName: 'no log' } }))).toEqual(
    {
      refused: ['entries INVALID_ARGUMENT'],
      entries: 1,
      spans: 0,
    },
  );
});

test('of entries that are refused one by one each is counted, and the others are kept', async () => {
  const { body, ...rest } = records(2, 0);
  const entries = [...(body['entries'] as JsonObject[]), { logName: 'no log' }];
  expect(await store().keepOwn(tenant, serializeOwnRecords({ ...rest, body: { ...body, entries } }))).toEqual({
    refused: ['entries INVALID_ARGUMENT'],
    entries: 1,
    spans: 0,
  });
});

test('K9: spans of one trace beyond its bound are left out and counted', async () => {
  const traceId = 'f'.repeat(32);
  const spans = Array.from({ length: MAX_SPANS_A_TRACE + 2 }, (_, at) => {
    const span = spanOf(at);
    return { ...span, name: `${PROJECT}/traces/${traceId}/spans/${span.spanId}` };
  });
  const outcome = await store().keepOwn(tenant, serializeOwnRecords({ ...records(0, 0), spans }));
  expect(outcome).toEqual({ refused: [], entries: 0, spans: 2 });
});
