import { describe, expect, test } from 'vitest';
import { openMonitorBook } from '../../../src/monitors/book/book.ts';
import { MAX_SENT_A_PASS } from '../../../src/monitors/book/pass.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import { listRunIds, openBookWorld, OWNER, SHARD } from './book-world.ts';

const hourly = { interval: { cron: '0 * * * *' } };

test('a due time has one run, whatever else happens at the same time', () => {
  const world = openBookWorld();
  const { id } = world.createRun(hourly);
  world.advance(HOUR_MS);
  expect(world.sent()).toEqual([`run_${id.slice(4)}-${world.now()}`]);
  expect(world.pass()).toMatchObject({ messages: [], isEmpty: true });
  expect(world.read(id)?.monitor.nextDueMs).toBe(world.now() + HOUR_MS);
});

test('what is not due is left alone, and the next time is known', () => {
  const world = openBookWorld();
  const { nextDueMs } = world.createRun();
  expect(world.pass().isEmpty).toBe(true);
  expect(world.book.nextDueMs()).toBe(nextDueMs);
});

test('after an outage the newest due time has a run, and says how many had none', () => {
  const world = openBookWorld();
  const { id } = world.createRun(hourly);
  const firstMs = world.now() + HOUR_MS;
  world.advance(5 * HOUR_MS + 30 * MINUTE_MS);
  for (const runId of world.sent()) world.perform(runId);
  expect(world.runs(id)[0]).toMatchObject({ dueMs: firstMs + 4 * HOUR_MS, missed: 4, lateMs: 30 * MINUTE_MS });
  world.at(firstMs + 5 * HOUR_MS);
  for (const runId of world.sent()) world.perform(runId);
  expect(world.runs(id)[0]).toMatchObject({ dueMs: firstMs + 5 * HOUR_MS, missed: 0, lateMs: 0 });
});

test('while a run is under way nothing else is due; afterwards what passed is counted', () => {
  const world = openBookWorld();
  const { id } = world.createRun(hourly);
  world.advance(HOUR_MS);
  const [runId = ''] = world.sent();
  const order = world.step((steps) => steps.begin(runId));
  for (let minutes = 0; minutes < 150; minutes += 1) {
    world.advance(MINUTE_MS);
    world.step((steps) => steps.renew(runId, order?.attempt ?? 0));
    expect(world.sent()).toEqual([]);
  }
  world.step((steps) => steps.finish(runId, 1, { state: 'failed', reason: 'site_unreadable', detail: '', alerts: [] }));
  expect(world.sent()).toHaveLength(1);
  expect(world.runs(id)[0]).toMatchObject({ missed: 1, state: 'reserved' });
});

test('a message that led to no attempt is sent again, later each time', () => {
  const world = openBookWorld();
  world.create();
  const sends: number[] = [];
  const startMs = world.now();
  while (world.now() < startMs + 12 * HOUR_MS) {
    if (world.sent().length > 0) sends.push((world.now() - startMs) / MINUTE_MS);
    world.advance(MINUTE_MS);
  }
  expect(sends).toEqual([0, 10, 30, 70, 150, 270, 390, 510, 630]);
});

test('one that the queue did not take is sent again in a minute', () => {
  const world = openBookWorld();
  world.create();
  const { messages } = world.pass();
  world.step((steps) => steps.recordUnsent(messages));
  world.advance(MINUTE_MS - 1);
  expect(world.sent()).toEqual([]);
  world.advance(1);
  expect(world.pass()).toMatchObject({ messages, report: { queued: 0, again: 1 } });
});

test('a run that began although its sender heard of no taking keeps its hold', () => {
  const world = openBookWorld();
  world.create();
  const { messages } = world.pass();
  for (const runId of listRunIds(messages)) world.step((steps) => steps.begin(runId));
  world.step((steps) => steps.recordUnsent(messages));
  world.advance(MINUTE_MS);
  expect(world.sent()).toEqual([]);
});

test('a clock that goes back makes no second run of a due time', () => {
  const world = openBookWorld();
  const { id } = world.createRun(hourly);
  world.advance(HOUR_MS);
  for (const runId of world.sent()) world.perform(runId);
  world.advance(-3 * HOUR_MS);
  const interval = { cron: '0 * * * *' };
  world.step((steps) => steps.change(OWNER, id, undefined, { interval }));
  for (let hour = 0; hour < 5; hour += 1) {
    for (const runId of world.sent()) world.perform(runId);
    world.advance(HOUR_MS);
  }
  const dues = world.runs(id).map(({ dueMs }) => dueMs);
  expect(new Set(dues).size).toBe(dues.length);
  expect(world.book.nextDueMs()).toBeGreaterThanOrEqual(world.now() - HOUR_MS);
});

test('a schedule that cannot be read any more pauses its monitor and holds up no other', () => {
  const world = openBookWorld();
  const broken = world.createRun(hourly);
  const sound = world.createRun(hourly);
  world.sql.exec('UPDATE monitor_times SET after_ms = NULL WHERE id = ?', broken.id);
  world.sql.exec(
    `UPDATE monitors SET monitor = replace(monitor, '0 * * * *', 'a future form') WHERE id = ?`,
    broken.id,
  );
  world.advance(HOUR_MS);
  expect(world.sent()).toEqual([`run_${sound.id.slice(4)}-${world.now()}`]);
  expect(world.read(broken.id)?.monitor).toMatchObject({ state: 'paused', pausedBecause: 'order_refused' });
  expect(world.alerts(broken.id)).toMatchObject([{ kind: 'paused' }]);
  world.advance(HOUR_MS);
  expect(world.pass().isEmpty).toBe(false);
});

describe('more than one pass takes', () => {
  const COUNT = MAX_SENT_A_PASS + 120;
  const openFull = () => {
    const world = openBookWorld();
    for (let index = 0; index < COUNT; index += 1)
      world.step((steps) => steps.create(SHARD, world.order(hourly, `acct_${index}`)));
    return world;
  };
  const drain = (world: ReturnType<typeof openBookWorld>): string[] => {
    const sent: string[] = [];
    for (let { messages, isEmpty } = world.pass(); !isEmpty; { messages, isEmpty } = world.pass()) {
      expect(messages.length).toBeLessThanOrEqual(MAX_SENT_A_PASS);
      sent.push(...listRunIds(messages));
    }
    return sent;
  };

  test('comes in the next ones, each run once, on time or late', () => {
    const world = openFull();
    const first = drain(world);
    expect(new Set(first).size).toBe(COUNT);
    for (const runId of first) world.perform(runId);
    world.advance(HOUR_MS);
    const onTime = drain(world);
    expect([onTime.length, new Set(onTime).size]).toEqual([COUNT, COUNT]);
    for (const runId of onTime) world.perform(runId);
    world.advance(DAY_MS);
    const late = drain(world);
    expect([late.length, new Set([...onTime, ...late]).size]).toEqual([COUNT, 2 * COUNT]);
  });
});

test('monitors of a table that had their due times keep them, and run on', () => {
  const world = openBookWorld();
  const { id } = world.createRun(hourly);
  const dueMs = world.now() + HOUR_MS;
  for (const column of ['next_ms INTEGER', 'after_ms INTEGER', 'open_run TEXT'])
    world.sql.exec(`ALTER TABLE monitors ADD COLUMN ${column}`);
  world.sql.exec(
    'UPDATE monitors SET (next_ms, after_ms) = (SELECT next_ms, after_ms FROM monitor_times AS times WHERE times.id = monitors.id)',
  );
  world.sql.exec('DROP TABLE monitor_times');
  const open = () => openMonitorBook(world.sql, { now: world.now, random: () => 'a' });
  expect(open().read(OWNER.account, id)?.monitor.nextDueMs).toBe(dueMs);
  world.at(dueMs);
  const runId = `run_${id.slice(4)}-${dueMs}`;
  expect(listRunIds(open().pass().messages)).toEqual([runId]);
  expect(open().begin(runId)).toMatchObject({ attempt: 1, run: { dueMs } });
  expect(open().list(OWNER.account, { limit: 10 }).items[0]?.monitor.nextDueMs).toBe(dueMs + HOUR_MS);
});
