import {
  createExecutionContext,
  createMessageBatch,
  evictDurableObject,
  getQueueResult,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMonitorsConsumer, type MonitorWork, runMonitorsCron } from '../../routes/api/bindings/monitors-queue.ts';
import type { Env } from '../../routes/api/bindings/env.ts';
import { createMonitorShards } from '../../routes/api/bindings/monitor-shards.ts';
import { computeShardOfAccount } from '../../src/monitors/book/ids.ts';
import type { Monitor } from '../../src/monitors/core/monitor.ts';
import type { MonitorMessage, MonitorShardObject, NewMonitor } from '../../src/monitors/core/protocol.ts';
import type { RunOrder, RunResult } from '../../src/monitors/core/run.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts';

const ACCOUNT = 'acct_of_monitors';
const OWNER = { account: ACCOUNT, clientId: 'client', authorizedAtMs: 1 };
const MONITORS = 'sightline-monitors';
const bindings = env as unknown as Env; // The same, under the types of the Worker.
const realNow = Date.now;

/** What the object put into the queue; nothing is delivered but by `consume`. */
let sent: MonitorMessage[] = [];
let refuseToSend = false;
let shiftMs = 0;

beforeEach(() => {
  [sent, refuseToSend, shiftMs] = [[], false, 0];
  const queue = Object.getPrototypeOf(env.MONITOR_RUNS) as {
    sendBatch: (messages: Iterable<{ body: MonitorMessage }>) => unknown;
  };
  vi.spyOn(queue, 'sendBatch').mockImplementation(async (messages) => {
    await Promise.resolve();
    if (refuseToSend) throw new Error('the queue is down');
    sent.push(...Array.from(messages, ({ body }) => body));
  });
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + shiftMs);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const wanted: NewMonitor = {
  name: 'Example',
  subject: { kind: 'site', url: 'https://www.example.com/' },
  interval: { cron: '0 * * * *' },
  rules: {},
  receivers: [{ kind: 'webhook', url: 'https://hooks.example/' }],
  quietHours: null,
  payment: 'credits',
};

const stored: RunResult = {
  state: 'stored',
  parts: [{ role: 'subject', capability: 'full_audit', reportId: 'report-1', amountMicroUsdc: 600_000 }],
  summary: null,
  alerts: [{ kind: 'verdict_changed', severity: 'warning', key: 'a', title: 'It changed.', changes: [], since: null }],
};

/** The object of the account. */
async function open(): Promise<{
  object: MonitorShardObject;
  alarmMs: () => Promise<number | null>;
  fire: () => Promise<boolean>;
  evict: () => Promise<void>;
}> {
  const name = `monitors-${(await computeShardOfAccount(ACCOUNT)).toString(16)}`;
  const stub = () => env.MONITOR_SHARD.getByName(name);
  const object = await createMonitorShards(bindings)?.ofAccount(ACCOUNT);
  if (object === undefined) throw new Error('not bound');
  return {
    object,
    alarmMs: () => runInDurableObject(stub(), (_, state) => state.storage.getAlarm()),
    fire: () => runDurableObjectAlarm(stub()),
    evict: () => evictDurableObject(stub()),
  };
}

async function create(object: MonitorShardObject, idempotencyKey = 'key'): Promise<Monitor> {
  const made = await object.create({ owner: OWNER, monitor: wanted, idempotencyKey, contentSha256: 'content' });
  if (!made.ok) throw new Error(made.reason);
  return made.monitor;
}

/** Hands messages to the consumer, as the queue would. */
async function consume(messages: readonly unknown[], work: Partial<MonitorWork> = {}, queue = MONITORS) {
  const deliver: MonitorWork['deliver'] = async () => ({ is: 'taken', outcome: '204' });
  const openWork = () => ({ execute: async () => stored, deliver, ...work });
  const context = createExecutionContext();
  const batch = createMessageBatch(
    queue,
    messages.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body })),
  );
  await createMonitorsConsumer(openWork)(batch, bindings, context);
  return getQueueResult(batch, context);
}

const takeSent = (): MonitorMessage[] => sent.splice(0);

/** Messages that an alarm sends, which may have come by itself. */
async function sendBy(fire: () => Promise<boolean>): Promise<MonitorMessage[]> {
  await fire();
  await vi.waitFor(() => expect(sent).not.toEqual([]));
  return takeSent();
}

describe('from due to stored', () => {
  test('the alarm sends the name of a run; its result, alerts and their deliveries are one step; then the next alarm is set', async () => {
    const { object, alarmMs, fire } = await open();
    const { id, nextDueMs } = await create(object);
    const messages = await sendBy(fire);
    expect(messages).toMatchObject([{ kind: 'run', monitorId: id }]);
    let seen: RunOrder | undefined;
    const execute = async (order: RunOrder) => {
      seen = order;
      return stored;
    };
    expect(await consume(messages, { execute })).toMatchObject({ explicitAcks: ['m0'] });
    expect(seen).toMatchObject({ attempt: 1, monitor: { id }, run: { cause: 'first' } });
    const overview = await object.read(ACCOUNT, id);
    expect(overview).toMatchObject({ lastRun: { state: 'stored', alerts: 1 }, alerts: 1 });
    const deliveries = await sendBy(fire);
    expect(deliveries).toMatchObject([{ kind: 'deliver' }]);
    await consume(deliveries);
    expect(await object.deliveries(ACCOUNT, id, { limit: 5 })).toMatchObject({ items: [{ state: 'delivered' }] });
    await fire(); // That of the delivery's hold, which is over.
    expect(await alarmMs()).toBe(nextDueMs);
    shiftMs = (nextDueMs ?? 0) - realNow();
    expect(await sendBy(fire)).toMatchObject([{ runId: `run_${id.slice(4)}-${nextDueMs}` }]);
  });

  test('a lost message is sent again by the cron, one that comes twice begins once', async () => {
    const { object, fire } = await open();
    const { id } = await create(object);
    const [lost] = await sendBy(fire);
    shiftMs = 11 * MINUTE_MS;
    await runMonitorsCron(undefined, bindings, createExecutionContext());
    expect(takeSent()).toEqual([lost]);
    let times = 0;
    const execute = async () => {
      times += 1;
      return stored;
    };
    await consume([lost, lost], { execute });
    await consume([lost], { execute });
    expect(times).toBe(1);
    expect(await object.runs(ACCOUNT, id, { limit: 5 })).toMatchObject({ items: [{ state: 'stored' }] });
  });

  test('what the queue does not take comes in a minute, and the schedule goes on', async () => {
    const { object, alarmMs, fire } = await open();
    await create(object);
    refuseToSend = true;
    await fire();
    expect(takeSent()).toEqual([]);
    expect(((await alarmMs()) ?? 0) - Date.now()).toBeLessThanOrEqual(MINUTE_MS);
    refuseToSend = false;
    shiftMs = MINUTE_MS + 1;
    expect(await sendBy(fire)).toHaveLength(1);
  });

  test('an alarm that fails comes again; nothing of the schedule is lost', async () => {
    const { object, alarmMs, fire } = await open();
    const { id } = await create(object);
    const name = `monitors-${id.slice(4, 5)}`;
    await runInDurableObject(env.MONITOR_SHARD.getByName(name), (_, state) => {
      state.storage.sql.exec('ALTER TABLE monitor_runs RENAME TO away');
    });
    await fire();
    expect(((await alarmMs()) ?? 0) - Date.now()).toBeGreaterThan(MINUTE_MS / 2);
    await runInDurableObject(env.MONITOR_SHARD.getByName(name), (_, state) => {
      state.storage.sql.exec('ALTER TABLE away RENAME TO monitor_runs');
    });
    shiftMs = 2 * MINUTE_MS;
    expect(await sendBy(fire)).toHaveLength(1);
  });

  test('an object that is gone in between loses nothing', async () => {
    const { object, fire, evict, alarmMs } = await open();
    const { id, nextDueMs } = await create(object);
    await evict();
    const messages = await sendBy(fire);
    await evict();
    await consume(messages, {
      execute: async () => {
        await evict();
        return stored;
      },
    });
    await evict();
    expect(await object.read(ACCOUNT, id)).toMatchObject({ lastRun: { state: 'stored' }, monitor: { nextDueMs } });
    await vi.waitFor(async () => expect(await alarmMs()).toBeGreaterThan(0));
  });

  test('late by days it has one run, and counts those that had none', async () => {
    const { object, fire } = await open();
    const { id, nextDueMs } = await create(object);
    await consume(await sendBy(fire));
    shiftMs = (nextDueMs ?? 0) - realNow() + 2 * DAY_MS;
    const runs = (await sendBy(fire)).filter(({ kind }) => kind === 'run');
    expect(runs).toHaveLength(1);
    await consume(runs);
    expect(await object.runs(ACCOUNT, id, { limit: 1 })).toMatchObject({ items: [{ missed: 48, state: 'stored' }] });
    expect((await object.runs(ACCOUNT, id, { limit: 1 }))?.items[0]?.lateMs).toBeLessThan(HOUR_MS);
  });
});

describe('the consumer', () => {
  test('judges each message alone: what it cannot read is dropped, what throws comes again as another attempt', async () => {
    const { object, fire } = await open();
    const { id } = await create(object);
    const [message] = await sendBy(fire);
    const strange = [{ kind: 'run', shard: 99 }, 'text', { ...message, monitorId: 'mon_000000000000000000000000' }];
    const execute = async () => {
      throw new Error('a bug');
    };
    const result = await consume([...strange, message], { execute });
    expect(result).toMatchObject({ explicitAcks: ['m0', 'm1', 'm2', 'm3'], retryMessages: [] });
    expect(await object.runs(ACCOUNT, id, { limit: 1 })).toMatchObject({ items: [{ state: 'reserved' }] });
    shiftMs = 301_000;
    const again = await sendBy(fire);
    expect(again).toEqual([message]);
    await consume(again);
    expect(await object.runs(ACCOUNT, id, { limit: 1 })).toMatchObject({ items: [{ state: 'stored' }] });
  });

  test('of an object that cannot be reached, the message comes again', async () => {
    const away: unknown = {
      ...bindings,
      MONITOR_SHARD: { getByName: () => ({ begin: async () => Promise.reject(new Error('away')) }) },
    };
    const context = createExecutionContext();
    const runId = 'run_000000000000000000000000-1';
    const body = { kind: 'run', shard: 0, monitorId: 'mon_000000000000000000000000', runId };
    const batch = createMessageBatch(MONITORS, [{ id: 'm0', timestamp: new Date(), attempts: 1, body }]);
    const openWork = (): MonitorWork => ({
      execute: async () => stored,
      deliver: async () => ({ is: 'taken', outcome: '' }),
    });
    await createMonitorsConsumer(openWork)(batch, away as Env, context);
    expect(await getQueueResult(batch, context)).toMatchObject({ retryMessages: [{ msgId: 'm0' }] });
  });

  test('counts dead letters for the console, and leaves their runs to the object', async () => {
    const { object, fire } = await open();
    const { id } = await create(object);
    const dead = await sendBy(fire);
    expect(await consume(dead, {}, 'sightline-monitors-dlq')).toMatchObject({ ackAll: true });
    expect(await object.runs(ACCOUNT, id, { limit: 1 })).toMatchObject({ items: [{ state: 'reserved' }] });
    shiftMs = 11 * MINUTE_MS;
    expect(await sendBy(fire)).toEqual(dead);
  });

  test('a deployment from before there were monitors has no shards, and its cron does nothing', async () => {
    const before: Env = { ...bindings };
    delete before.MONITOR_SHARD;
    delete before.MONITOR_RUNS;
    expect(createMonitorShards(before)).toBeUndefined();
    await runMonitorsCron(undefined, before, createExecutionContext());
    expect(sent).toEqual([]);
  });
});
