import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EntryStore } from '../../../durable-objects/entry-store.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Call } from '../../../src/management/core/engine/operation.ts';
import type { EntryObject } from '../../../src/management/log-store/entry-object.ts';
import type { EntryOrder, Route } from '../../../src/management/log-store/order.ts';
import {
  computeWindow,
  formatEntryShard,
  QUIET_ENTRIES,
  WINDOW_MS,
} from '../../../src/management/log-store/shards/placement.ts';
import { MAX_ENTRY_BYTES_KEPT } from '../../../src/management/log-store/store.ts';
import { BUCKET, buckets, DAY_MS, DOWN, entriesOf, PARTS, shardedTenant, textsOf, toBucket } from './sharded-tenant.ts';
import { bodyOf, textIn } from './tenants.ts';

const HANGS_MS = 20_000;
/** Until each shard has something. */
const MAX_WRITES = 1_000;

/** Where a write goes is up to its id: writes until every shard has something. @returns the number of writes */
async function countCallsUntilAllHave(
  names: readonly string[],
  rowsOf: (name: string) => Promise<number>,
  write: (call: number) => Promise<void>,
): Promise<number> {
  for (let call = 0; call < MAX_WRITES; call += 1) {
    if (Math.min(...(await Promise.all(names.map(rowsOf)))) > 0) return call;
    await write(call);
  }
  throw new Error('A shard is never written to');
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('writes', () => {
  test('spread over shards, a call whole, and leave the object of before alone; lists have them in order', async () => {
    const { write, list, rowsOf, names } = shardedTenant();
    for (let call = 0; call < 20; call += 1) await write(entriesOf(2, call * 2));
    const rows = await Promise.all(names.map(rowsOf));
    expect(await rowsOf('')).toBe(0);
    expect(rows.reduce((sum, count) => sum + count)).toBe(40);
    expect(Math.max(...rows)).toBeLessThanOrEqual((1.5 * 40) / PARTS);
    const all = Array.from({ length: 40 }, (_, n) => `n${n}`);
    expect(textsOf(await list())).toEqual(all);
    const first = await list({ orderBy: 'timestamp desc', pageSize: 25 });
    const second = await list({ orderBy: 'timestamp desc', pageSize: 25, pageToken: first['nextPageToken'] ?? '' });
    expect([...textsOf(first), ...textsOf(second)]).toEqual(all.toReversed());
  });

  test('of a quiet tenant go to one shard; one that has enough sends the call on, and all are used', async () => {
    const { write, rowsOf, names } = shardedTenant({ isSpread: false });
    await write([{}]);
    await write(Array.from({ length: QUIET_ENTRIES - 1 }, () => ({})));
    expect(await Promise.all(names.map(rowsOf))).toEqual([QUIET_ENTRIES, 0, 0, 0]);
    const calls = await countCallsUntilAllHave(names, rowsOf, () => write([{}]));
    const rows = await Promise.all(names.map(rowsOf));
    expect(rows.reduce((sum, count) => sum + count)).toBe(QUIET_ENTRIES + calls);
  });

  test('of one entry many times are one entry in lists, in whichever shards it lies', async () => {
    const { write, list } = shardedTenant();
    for (let call = 0; call < 8; call += 1) await write([...entriesOf(1), ...entriesOf(1, call + 1)]);
    expect(textsOf(await list())).toEqual(Array.from({ length: 9 }, (_, n) => `n${n}`));
  });

  test('with one bad entry keep nothing, as ever', async () => {
    const { store, tenant, callOf, bodyWith, writeOrder, rowsOf, names } = shardedTenant();
    const call = callOf('logging.entries.write', bodyWith([{}, { logName: 'none' }]));
    expect(await store.run(tenant, call, writeOrder())).toMatchObject({ ok: false, refusal: { status: 400 } });
    expect(await Promise.all(names.map(rowsOf))).toEqual([0, 0, 0, 0]);
  });
});

describe('a store of an earlier version', () => {
  test('is read until its entries expire; what comes new lies elsewhere, and its page tokens go on', async () => {
    const { write, writeAsBefore, list, rowsOf, stubOf } = shardedTenant();
    await writeAsBefore(entriesOf(10));
    const first = await list({ pageSize: 4 }, stubOf(''));
    await write(entriesOf(10, 10));
    expect(await rowsOf('')).toBe(10);
    const rest = await list({ pageSize: 100, pageToken: first['nextPageToken'] ?? '' });
    expect([...textsOf(first), ...textsOf(rest)]).toEqual(Array.from({ length: 20 }, (_, n) => `n${n}`));
    vi.useFakeTimers({ now: Date.now() + 31 * DAY_MS, toFake: ['Date'] });
    await runDurableObjectAlarm(stubOf(''));
    expect(await rowsOf('')).toBe(0);
  });

  test('has its logs listed and deleted with the new ones', async () => {
    const { write, writeAsBefore, list, store, tenant, callOf, reading } = shardedTenant();
    await writeAsBefore([{ logName: 'projects/p/logs/old' }, { logName: 'projects/p/logs/app' }]);
    for (let call = 0; call < 4; call += 1) await write([{ logName: 'projects/p/logs/new' }, {}]);
    const logs = async (): Promise<unknown> => {
      const order = { do: 'logs', containers: ['projects/p'], ...reading() } as const;
      return store.run(tenant, callOf('logging.projects.logs.list', {}), order);
    };
    const logNames = ['app', 'new', 'old'].map((log) => `projects/p/logs/${log}`);
    expect(await logs()).toMatchObject({ body: { logNames } });
    const remove = (log: string) =>
      store.run(tenant, callOf('', {}), { do: 'deleteLog', logName: `projects/p/logs/${log}`, buckets });
    expect([await remove('app'), await remove('old')]).toEqual([null, null]);
    expect(await remove('app')).toMatchObject({ ok: false, refusal: { status: 404 } });
    expect(await logs()).toMatchObject({ body: { logNames: ['projects/p/logs/new'] } });
    expect(textsOf(await list())).toHaveLength(4);
  });
});

describe('where a shard does not answer', () => {
  const broken = formatEntryShard(computeWindow(Date.now()), 1);

  test('a list fails, and so does what every shard has a part in: never are there silently fewer', async () => {
    const { write, list, store, tenant, callOf, reading, rowsOf, useShards } = shardedTenant();
    // Where a write goes is up to its id.
    for (let call = 0; call < MAX_WRITES && (await rowsOf(broken)) === 0; call += 1) await write([{}]);
    useShards((name, stub) => (name === broken ? DOWN : stub));
    await expect(list()).rejects.toThrow('down');
    await expect(list({ orderBy: 'timestamp desc', pageSize: 1 })).rejects.toThrow('down');
    const logs = { do: 'logs', containers: [], ...reading() } as const;
    await expect(store.run(tenant, callOf('', {}), logs)).rejects.toThrow('down');
    const log = { do: 'deleteLog', logName: 'projects/p/logs/app', buckets } as const;
    await expect(store.run(tenant, callOf('', {}), log)).rejects.toThrow('down');
    await expect(store.isEmpty(tenant, BUCKET)).rejects.toThrow('down');
  });
});

test('whether a bucket of files is empty says the object of the tenant, in which no entry need lie', async () => {
  const { write, store, tenant, useShards } = shardedTenant();
  await write([{}]);
  const files = 'storage.googleapis.com/files';
  expect(await store.isEmpty(tenant, files)).toBe(true);
  useShards((name, stub) => (name === '' ? ({ isEmpty: async () => false } as unknown as EntryObject) : stub));
  expect(await store.isEmpty(tenant, files)).toBe(false);
});

test('what a filter bounds by time is asked only of shards of that time', async () => {
  const { write, list, useShards } = shardedTenant();
  for (let call = 0; call < 8; call += 1) await write([{}]);
  vi.useFakeTimers({ now: Date.now() + WINDOW_MS, toFake: ['Date'] });
  const asked = new Set<string>();
  useShards((name, stub) => {
    asked.add(name);
    return stub;
  });
  const recent = new Date(Date.now() - 3_600_000).toISOString();
  expect(textsOf(await list({ filter: `timestamp>="${recent}"` }))).toEqual([]);
  expect([...asked]).toEqual(['']);
  expect(textsOf(await list())).toHaveLength(8);
});

test('a tail has what any shard writes, also one that comes later', async () => {
  const { write, store, tenant, callOf, reading, names, rowsOf } = shardedTenant({ isSpread: false });
  await write([{ textPayload: 'before' }]);
  const body = { resourceNames: ['projects/p'], bufferWindow: '0s' };
  const tail = await store.follow(tenant, callOf('logging.entries.tail', body), { do: 'tail', ...reading() });
  if (!(tail instanceof ReadableStream)) throw new Error('No stream');
  await write([{ textPayload: 'first' }]);
  await write(Array.from({ length: QUIET_ENTRIES }, () => ({ severity: 'DEBUG' })));
  const calls = await countCallsUntilAllHave(names, rowsOf, (call) => write([{ textPayload: `late ${call}` }]));
  const reader = tail.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const wanted = ['first', ...Array.from({ length: calls }, (_, call) => `late ${call}`)];
  while (wanted.some((word) => !text.includes(`"${word}"`))) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`Ended with ${text}`);
    text += value;
  }
  expect(text).not.toContain('before');
  await reader.cancel();
});

test('files of sinks and of copies have what lies in all shards', async () => {
  const { write, store, stubOf, tenant, callOf, reading } = shardedTenant();
  const sink: Route = {
    sink: 'projects/p/sinks/files',
    filter: '',
    exclusions: [],
    target: { kind: 'storage', bucket: 'kept' },
  };
  for (let call = 0; call < 8; call += 1) await write(entriesOf(1, call), [toBucket, sink]);
  const read = async (bucket: string): Promise<readonly string[]> =>
    runInDurableObject(stubOf(''), (_, { storage }) =>
      storage.sql
        .exec('SELECT text FROM stored_part WHERE file IN (SELECT id FROM stored_file WHERE bucket = ?)', bucket)
        .toArray()
        .flatMap(({ text }) => String(text).trim().split('\n'))
        .map((line) => textIn((JSON.parse(line) as JsonObject)['textPayload']))
        .toSorted((a, b) => a.localeCompare(b)),
    );
  const all = Array.from({ length: 8 }, (_, n) => `n${n}`);
  expect(await read('kept')).toEqual(all);
  const copy = {
    do: 'copy',
    filter: '',
    bucket: 'copied',
    operation: 'projects/p/locations/global/operations/o',
  } as const;
  await store.run(tenant, callOf('', {}), { ...copy, ...reading() });
  await runDurableObjectAlarm(stubOf(''));
  expect(await read('copied')).toEqual(all);
});

test('what the tenant’s own object does not take is kept with the entry, and handed over by the alarm of the shard', async () => {
  const { write, stubOf, names, list } = shardedTenant({ isSpread: false });
  const [name = ''] = names;
  const sink: Route = {
    sink: 'projects/p/sinks/files',
    filter: '',
    exclusions: [],
    target: { kind: 'storage', bucket: 'kept' },
  };
  await write(entriesOf(1)); // It has a lease.
  const lines = () =>
    runInDurableObject(stubOf(''), (_, { storage }) => {
      const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'stored_file'").toArray();
      return tables.length === 0 ? 0 : Number(storage.sql.exec('SELECT total(lines) AS n FROM stored_file').one()['n']);
    });
  const fault = vi.spyOn(EntryStore.prototype, 'takeRelayed').mockRejectedValue(new Error('down'));
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await write(entriesOf(2, 1), [toBucket, sink]);
  expect([textsOf(await list()).length, await lines()]).toEqual([3, 0]);
  fault.mockRestore();
  // An alarm that runs at this moment still met the fault: the next one hands over.
  const runAlarm = async (): Promise<number> => {
    await runDurableObjectAlarm(stubOf(name));
    return lines();
  };
  await expect.poll(runAlarm, { timeout: HANGS_MS }).toBe(2);
});

test('K2: a shard asks what buckets keep before it deletes; a window that is over is gone with its shard', async () => {
  const { write, store, stubOf, tenant, callOf, names, list } = shardedTenant({ isSpread: false });
  await write([{ textPayload: 'kept' }]);
  const [name = ''] = names;
  // Only the tenant's own object hears of it.
  const longer = [{ name: BUCKET, retentionDays: 90 }];
  await stubOf('').run(tenant, callOf('', {}), { do: 'buckets', buckets: longer, madeMs: Date.now() + 1 });
  const startMs = Date.now();
  vi.useFakeTimers({ now: startMs + 31 * DAY_MS, toFake: ['Date'] });
  await runDurableObjectAlarm(stubOf(name));
  const order = { do: 'list', nowMs: Date.now(), sources: [{ bucket: BUCKET }], buckets: longer, salt: 's' } as const;
  expect(await store.run(tenant, callOf('logging.entries.list', {}), order)).toMatchObject({
    body: { entries: [{ textPayload: 'kept' }] },
  });
  vi.setSystemTime(startMs + 91 * DAY_MS);
  await runDurableObjectAlarm(stubOf(name));
  expect(await list()).toEqual({});
  expect(await stubOf('').lanes(tenant, 'entries')).toEqual([]);
  await runInDurableObject(stubOf(name), (_, { storage }) => expect(storage.sql.databaseSize).toBeLessThan(20_000));
});

test('K2: what shards know of buckets is doubted until one hears of them again, and the others learn it from there', async () => {
  const startMs = Math.ceil(Date.now() / WINDOW_MS) * WINDOW_MS;
  vi.useFakeTimers({ now: startMs, toFake: ['Date'] });
  const { write, store, stubOf, tenant, callOf, names, rowsOf } = shardedTenant({ isSpread: false });
  const [name = ''] = names;
  await write([{ textPayload: 'old' }]);
  await store.run(tenant, callOf('', {}), { do: 'doubtBuckets' });
  const alarmOf = (shard: string) => runInDurableObject(stubOf(shard), (_, { storage }) => storage.getAlarm());
  expect(await alarmOf(name)).toBe(startMs + DAY_MS);
  // No one is heard of: nothing goes, and it is asked again by the day.
  vi.setSystemTime(startMs + 40 * DAY_MS);
  await runDurableObjectAlarm(stubOf(name));
  expect([await rowsOf(name), await alarmOf(name)]).toEqual([1, startMs + 41 * DAY_MS]);
  await write([{ textPayload: 'new' }]);
  // The shard that heard of them passes it on when its window is over.
  const next = formatEntryShard(computeWindow(Date.now()), 0);
  vi.setSystemTime((await alarmOf(next)) ?? 0);
  expect(Date.now()).toBeLessThanOrEqual(startMs + 43 * DAY_MS);
  await runDurableObjectAlarm(stubOf(next));
  expect(await rowsOf(next)).toBe(1);
  await runDurableObjectAlarm(stubOf(name));
  expect(await rowsOf(name)).toBe(0);
});

test('a reset leaves nothing in any shard but what the service wrote itself', async () => {
  const { write, store, tenant, callOf, list, writeOrder, bodyWith } = shardedTenant();
  for (let call = 0; call < 8; call += 1) await write([{}]);
  await store.keepOwn(tenant, {
    project: 'projects/p',
    order: writeOrder(),
    body: bodyWith([{ textPayload: 'own' }]),
    spans: [],
  });
  expect(await store.run(tenant, callOf('', {}), { do: 'reset' })).toBeNull();
  expect(textsOf(await list())).toEqual(['own']);
});

describe('K9: what a tenant keeps', () => {
  /** As if another shard had all the room that there is. */
  const fill = async (stub: DurableObjectStub, bytes: number): Promise<void> => {
    await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec("INSERT INTO shard VALUES ('entries/1/0', 'entries', 1, ?, '', '', NULL, NULL)", bytes),
    );
    await evictDurableObject(stub);
  };
  const large = Array.from({ length: 30 }, () => ({ textPayload: 'x'.repeat(200_000) }));

  test('is counted over all shards: beyond it a write is refused, whichever shard it comes to, and keeps nothing', async () => {
    const { write, store, stubOf, tenant, callOf, bodyWith, writeOrder, rowsOf, names } = shardedTenant();
    await write([{}]);
    await fill(stubOf(''), MAX_ENTRY_BYTES_KEPT);
    const answer = await store.run(tenant, callOf('logging.entries.write', bodyWith(large)), writeOrder());
    expect(answer).toMatchObject({ ok: false, refusal: { status: 429, word: 'RESOURCE_EXHAUSTED' } });
    const rows = await Promise.all(names.map(rowsOf));
    expect(rows.reduce((sum, count) => sum + count)).toBe(1);
  });

  test('of itself the service keeps more, and then its own oldest make room, below NOTICE first', async () => {
    const { store, stubOf, tenant, bodyWith, writeOrder, list, names } = shardedTenant({ isSpread: false });
    const keep = (entries: readonly JsonObject[]) =>
      store.keepOwn(tenant, { project: 'projects/p', order: writeOrder(), body: bodyWith(entries), spans: [] });
    await keep(entriesOf(1).map((entry) => ({ ...entry, severity: 'NOTICE' })));
    await keep(entriesOf(3, 1));
    await fill(stubOf(''), MAX_ENTRY_BYTES_KEPT);
    expect(await keep(large)).toEqual({ refused: [], entries: 0, spans: 0 });
    const { count, ...left } = await stubOf(names[0] ?? '').evict({ tenant, name: names[0] ?? '' });
    expect(count).toBe(3 + large.length);
    expect(left.passing).toBeUndefined();
    expect(left.lasting).toMatch(/Z$/);
    expect(textsOf(await list())).toEqual(['n0']);
  });
});

describe('what the service writes itself', () => {
  const spanOf = (n: number, trace: number): JsonObject => {
    const traceId = (trace + 1).toString(16).padStart(32, '0');
    const spanId = (n + 1).toString(16).padStart(16, '0');
    const startTime = new Date(Date.now() - 60_000 + trace * 1_000).toISOString();
    return {
      name: `projects/p/traces/${traceId}/spans/${spanId}`,
      spanId,
      displayName: { value: `work ${trace}` },
      startTime,
      endTime: startTime,
    };
  };

  test('spreads; traces stay whole, and are listed and read as from one store', async () => {
    const { store, tenant, callOf, bodyWith, writeOrder, rowsOf, names, stubOf } = shardedTenant();
    const keep = (from: number) =>
      store.keepOwn(tenant, {
        project: 'projects/p',
        order: writeOrder(),
        body: bodyWith(entriesOf(3, from * 3)),
        spans: Array.from({ length: 24 }, (_, at) => spanOf(from * 24 + at, at % 12)),
      });
    for (let batch = 0; batch < 8; batch += 1) expect(await keep(batch)).toEqual({ refused: [], entries: 0, spans: 0 });
    const rows = await Promise.all(names.map(rowsOf));
    expect(rows.filter((count) => count > 0).length).toBeGreaterThan(2);
    expect((await stubOf('').lanes(tenant, 'spans')).length).toBeGreaterThan(1);
    const order = { do: 'listTraces', nowMs: Date.now(), project: 'projects/p', salt: 's' } as const;
    const page = async (query: Call['query']) =>
      bodyOf(
        (await store.run(tenant, callOf('cloudtrace.projects.traces.list', {}, query), order)) ?? {
          ok: true,
          status: 200,
          body: {},
        },
      );
    const idsOf = ({ traces }: JsonObject): readonly unknown[] =>
      Array.isArray(traces) ? traces.map((trace) => Number.parseInt(textIn((trace as JsonObject)['traceId']), 16)) : [];
    const first = await page({ pageSize: 7, orderBy: 'start' });
    const second = await page({ pageSize: 7, orderBy: 'start', pageToken: textIn(first['nextPageToken']) });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    const traceId = '1'.padStart(32, '0');
    expect(await store.run(tenant, callOf('', {}), { do: 'getTrace', project: 'projects/p', traceId })).toMatchObject({
      ok: true,
      body: { traceId, spans: Array.from({ length: 16 }, () => ({ name: 'work 0' })) },
    });
    const missing = 'f'.repeat(32);
    expect(
      await store.run(tenant, callOf('', {}), { do: 'getTrace', project: 'projects/p', traceId: missing }),
    ).toMatchObject({
      ok: false,
      refusal: { status: 404 },
    });
  });

  test('a trace of an earlier version goes on where it lies', async () => {
    const { store, tenant, callOf, stubOf } = shardedTenant();
    const order = (n: number, trace: number): EntryOrder => ({
      do: 'writeSpans',
      nowMs: Date.now(),
      project: 'projects/p',
      spans: [spanOf(n, trace)],
    });
    await stubOf('').run(tenant, callOf('', {}), order(1, 0));
    await store.run(tenant, callOf('', {}), order(2, 0));
    await store.run(tenant, callOf('', {}), order(3, 1));
    const get = async (trace: number) =>
      store.run(tenant, callOf('', {}), {
        do: 'getTrace',
        project: 'projects/p',
        traceId: (trace + 1).toString(16).padStart(32, '0'),
      });
    expect(await get(0)).toMatchObject({ ok: true, body: { spans: [{ spanId: '2' }, { spanId: '3' }] } });
    expect(await get(1)).toMatchObject({ ok: true, body: { spans: [{ spanId: '4' }] } });
  });
});
